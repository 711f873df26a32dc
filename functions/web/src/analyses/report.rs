//! A report: the result on the first page, and an annex. Its owner and the readers of a link see the same.

use maud::{Markup, html};
use report::Report;
use report::words::leave_out_unseen;
use serde_json::Value;
use shared::analysis::{Analysis, format_size};
use shared::error::Error;
use shared::http::Reply;

pub(crate) use super::reported::{PageChrome, ReportedFile};
use super::{check, metadata};
use crate::assets::{REPORT_SCRIPT, REPORT_STYLE, STYLE};
use crate::dates::instant;
use crate::integrity::{before_and_now, outcome, revision_history, signatures, technical};
use crate::layout::{self, Nav};

/// An analysis' metadata for display.
pub(super) fn metadata_of(analysis: &Analysis) -> Result<Value, Error> {
    serde_json::from_str(analysis.metadata.get()).map_err(Error::internal)
}

/// The page with the report of a file.
pub(crate) fn page(file: &ReportedFile<'_>, metadata: &Value, nav: Nav<'_>, chrome: &PageChrome) -> Reply {
    let content = content(file, metadata, chrome);
    layout::styled(file.filename, nav, &[&REPORT_STYLE, &REPORT_SCRIPT], &content)
}

/// The report of a file as a self-contained page: `metadata` as in the API, `analyzed_at` in ISO 8601.
#[must_use]
pub fn report_page(filename: &str, size: u64, analyzed_at: &str, metadata: &Value) -> String {
    let file = ReportedFile { filename, reference: None, size, analyzed_at: Some(analyzed_at), id: None };
    let content = content(&file, metadata, &PageChrome { is_alone: true, ..PageChrome::default() });
    layout::alone(filename, &[&STYLE, &REPORT_STYLE], &content)
}

fn content(file: &ReportedFile<'_>, metadata: &Value, chrome: &PageChrome) -> Markup {
    let mut shown = metadata.clone();
    leave_out_unseen(&mut shown);
    let metadata = &shown;
    let report = Report::of(metadata);
    html! {
        (chrome.before)
        article.report {
            div.sheet {
                (head(file, metadata, chrome))
                @if let Some(report) = &report { (outcome(report)) (chrome.notes) (before_and_now(report, metadata)) }
                (facts(file, metadata, report.as_ref(), chrome.json.as_deref()))
            }
            div class={ "annex" @if is_brief(report.as_ref()) { " brief" } } {
                h2.printed-only { "Annex" }
                @if let Some(report) = &report { (revision_history(report)) (signatures(report)) }
                (check::section(report.as_ref(), metadata, file, chrome))
                @if let Some(report) = &report { (technical(report)) }
                details.folded.card data-examiner {
                    summary { "Metadata of the file" }
                    (metadata::groups(metadata))
                }
            }
        }
        (chrome.after)
        (running_foot([
            Some(file.filename.to_owned()),
            check::hash_in(metadata).map(|hash| format!("SHA-256 {hash}")),
            file.id.as_ref().map(|id| format!("analysis {id}")),
        ].into_iter().flatten()))
    }
}

/// Whether the annex is too short for a separate sheet.
fn is_brief(report: Option<&Report>) -> bool {
    report.is_none_or(|report| report.revisions.len() <= 1 && report.signatures.is_empty())
}

/// The analyzed file, and the actions.
fn head(file: &ReportedFile<'_>, metadata: &Value, chrome: &PageChrome) -> Markup {
    let pages = metadata.pointer("/basic/pages").and_then(Value::as_u64).unwrap_or_default();
    html! {
        div.head.document {
            div {
                h1 { (file.filename) }
                p.lead {
                    @if let Some(reference) = file.reference { b { bdi { (reference) } } " · " }
                    (pages) @if pages == 1 { " page" } @else { " pages" }
                    " · " span title={ (file.size) " bytes" } { (format_size(file.size)) }
                    @if let Some(analyzed_at) = file.analyzed_at { " · analyzed " (instant(analyzed_at)) }
                }
                (chrome.reference)
            }
            @if !chrome.actions.0.is_empty() { div.actions { (chrome.actions) } }
        }
    }
}

/// The file, the rules, and the limits of the answer.
fn facts(file: &ReportedFile<'_>, metadata: &Value, report: Option<&Report>, json: Option<&str>) -> Markup {
    let engine = metadata.get("engine").and_then(Value::as_u64);
    html! {
        section.card.facts aria-label="Which file, and by which rules" {
            dl {
                dt { "SHA-256" }
                dd {
                    @if let Some(hash) = check::hash_in(metadata) { code { (hash) } ", " }
                    (check::source(metadata))
                }
                @if let Some(id) = &file.id {
                    dt { "Analysis" }
                    dd {
                        code { (id) }
                        button.link-like.with-script.unprinted type="button" data-copy=(id) { "Copy" }
                        @if let Some(json) = json { a.link-like.unprinted href=(json) download { "JSON" } }
                    }
                }
                @if let Some(report) = report {
                    dt { "Examined" }
                    dd { (report::words::examined(report)) }
                    @let engine = engine.map(|engine| ("engine", engine));
                    (made_by(&engine.into_iter().chain([("rules", u64::from(report.rules))]).collect::<Vec<_>>()))
                    @if !report.usage_caution.is_empty() { dt { "Caution" } dd { (report.usage_caution) } }
                }
            }
            (signing())
        }
    }
}

/// The signature line of the printed report.
pub(super) fn signing() -> Markup {
    html! { dl.signing.printed-only { dt { "Name and date" } dd {} } }
}

/// The program that made a report, with the numbers of its parts.
pub(super) fn made_by(parts: &[(&str, u64)]) -> Markup {
    html! {
        dt { "Made by" }
        dd {
            "PDF Analysis Service " (env!("CARGO_PKG_VERSION"))
            @for (part, number) in parts { ", " (part) " " (number) }
        }
    }
}

/// The footer of printed pages, line by line.
pub(super) fn running_foot(lines: impl IntoIterator<Item = String>) -> Markup {
    let foot = lines.into_iter().collect::<Vec<_>>().join("\n");
    html! { div.running-foot.printed-only data-foot=(foot) { (foot) } }
}
