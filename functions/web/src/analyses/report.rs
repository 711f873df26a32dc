//! A report for the file: what answers the question on a first page, and an annex. Its owner and the readers of a link see it
//! alike.

use maud::{Markup, html};
use report::Report;
use report::words::leave_out_unseen;
use serde_json::Value;
use shared::analysis::{Analysis, format_size};
use shared::error::Error;
use shared::http::Reply;
use shared::reference::Reference;

use super::{check, metadata};
use crate::assets::{REPORT_SCRIPT, REPORT_STYLE};
use crate::dates::instant;
use crate::integrity::{before_and_now, life, outcome, signatures, technical};
use crate::layout::{self, Nav};

/// An analysis' metadata, to be shown.
pub(super) fn metadata_of(analysis: &Analysis) -> Result<Value, Error> {
    serde_json::from_str(analysis.metadata.get()).map_err(Error::internal)
}

/// What was analysed.
pub(crate) struct ReportedFile<'a> {
    pub(crate) filename: &'a str,
    pub(crate) reference: Option<&'a str>,
    /// In bytes.
    pub(crate) size: u64,
    /// When; none of an example, which is stored nowhere.
    pub(crate) analyzed_at: Option<&'a str>,
    pub(crate) id: Option<String>,
}

impl<'a> From<&'a Analysis> for ReportedFile<'a> {
    fn from(analysis: &'a Analysis) -> Self {
        Self {
            filename: &analysis.filename,
            reference: analysis.reference.as_ref().map(Reference::as_str),
            size: analysis.file_size,
            analyzed_at: Some(&analysis.analyzed_at),
            id: Some(analysis.id.to_string()),
        }
    }
}

/// What stands on the page beside the report itself.
#[derive(Default)]
pub(crate) struct Around {
    /// Above it.
    pub(crate) before: Markup,
    /// What can be done with it.
    pub(crate) actions: Markup,
    /// Below it.
    pub(crate) after: Markup,
    /// Where it can be had as JSON.
    pub(crate) json: Option<String>,
}

/// The page with the report of a file.
pub(crate) fn page(file: &ReportedFile<'_>, metadata: &Value, nav: Nav<'_>, around: &Around) -> Reply {
    let mut shown = metadata.clone();
    leave_out_unseen(&mut shown);
    let metadata = &shown;
    let report = Report::of(metadata);
    let content = html! {
        (around.before)
        article.report {
            div.sheet {
                (head(file, metadata, &around.actions))
                @if let Some(report) = &report { (outcome(report)) (before_and_now(report, metadata)) }
                (facts(file, metadata, report.as_ref(), around.json.as_deref()))
            }
            div.annex {
                h2.printed-only { "Annex" }
                @if let Some(report) = &report { (life(report)) (signatures(report)) }
                (check::section(report.as_ref(), metadata, file.size, around.json.as_deref()))
                @if let Some(report) = &report { (technical(report)) }
                details.folded.card data-examiner {
                    summary { "Metadata of the file" }
                    (metadata::groups(metadata))
                }
            }
        }
        (around.after)
        (running_foot(file, metadata))
    };
    layout::styled(file.filename, nav, &[&REPORT_STYLE, &REPORT_SCRIPT], &content)
}

/// What was analysed, and what can be done with it.
fn head(file: &ReportedFile<'_>, metadata: &Value, actions: &Markup) -> Markup {
    let pages = metadata.pointer("/basic/pages").and_then(Value::as_u64).unwrap_or_default();
    html! {
        div.head.document {
            div {
                h1 { (file.filename) }
                p.lead {
                    @if let Some(reference) = file.reference { b { bdi { (reference) } } " · " }
                    (pages) @if pages == 1 { " page" } @else { " pages" }
                    " · " span title={ (file.size) " bytes" } { (format_size(file.size)) }
                    @if let Some(analyzed_at) = file.analyzed_at { " · analysed " (instant(analyzed_at)) }
                }
            }
            @if !actions.0.is_empty() { div.actions { (actions) } }
        }
    }
}

/// Which file, by which rules, and what the answer is not good for.
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
                    dt { "Made by" }
                    dd {
                        "PDF Analysis Service " (env!("CARGO_PKG_VERSION"))
                        @if let Some(engine) = engine { ", engine " (engine) }
                        ", rules " (report.rules)
                    }
                    @if !report.usage_caution.is_empty() { dt { "Caution" } dd { (report.usage_caution) } }
                }
            }
            dl.signing.printed-only { dt { "Name and date" } dd {} }
        }
    }
}

/// What every printed page says at its foot.
fn running_foot(file: &ReportedFile<'_>, metadata: &Value) -> Markup {
    let hash = check::hash_in(metadata).map(|hash| format!("SHA-256 {hash}"));
    let id = file.id.as_ref().map(|id| format!("analysis {id}"));
    let known: Vec<String> = hash.into_iter().chain(id).collect();
    let foot = format!("{}\n{}", file.filename, known.join(" · "));
    html! { div.running-foot.printed-only data-foot=(foot) { (foot) } }
}
