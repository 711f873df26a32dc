//! Comparisons: the form, and the report.

use std::collections::BTreeMap;
use std::ops::Range;

use engine::{Comparison, PlacedWords, Rectangle, USAGE_CAUTION, WordChange};
use maud::{Markup, html};
use report::difference::{TextDifference, pieces};
use report::place::{BEFORE, NOW};
use report::words::leave_out_unseen;
use report::{comparison as wording, words};
use serde::de::DeserializeOwned;
use serde_json::Value;
use serde_json::value::RawValue;
use shared::analysis::{Analysis, ComparedFile, ComparedFiles, format_size};
use shared::error::Error;
use shared::http::Reply;
use shared::quota;
use shared::reference::Reference;
use uuid::Uuid;

use super::report::{PageChrome, made_by, running_foot, signing};
use crate::assets::{COMPARER, HASHER, REPORT_SCRIPT, REPORT_STYLE};
use crate::dates::instant;
use crate::integrity::{self, badge};
use crate::layout::{self, Nav, csrf};
use crate::session::Session;

/// The form for two files on an analysis' page; the analyzed one may be either.
pub(super) fn form(session: &Session, analysis: &Analysis) -> Markup {
    if session.caller.quota.remaining() < quota::COMPARISON {
        return html! {};
    }
    let field = |name: &str, label: &str, input: &Markup| html! { div.field { label for=(name) { (label) } (input) } };
    let file = |name: &str, label: &str| {
        field(name, label, &html! { input id=(name) type="file" name=(name) accept="application/pdf,.pdf" required; })
    };
    let password = |name: &str, label: &str| {
        field(name, label, &html! { input id=(name) type="password" name=(name) autocomplete="off"; })
    };
    html! {
        section.card.comparing.unprinted aria-labelledby="compare-title" {
            h2 #compare-title { "Compare with another copy" }
            p.small { "Shows which words, pages and metadata differ, and whether one is the other plus later additions. Files are not kept, so choose both; it uses two of today's analyses." }
            form.inline #comparing method="post" action="/dashboard/comparisons" enctype="multipart/form-data" data-hasher=(HASHER.path) data-module=(COMPARER.path) {
                (csrf(session))
                input type="hidden" name="nonce" value=(Uuid::new_v4());
                @if let Some(reference) = &analysis.reference { input type="hidden" name="reference" value=(reference.as_str()); }
                (file("before", "The earlier copy"))
                (file("after", "The later copy"))
                button.button type="submit" { "Compare" }
                p.small.tick role="status" #comparing-state {}
                details {
                    summary { "One of them is locked" }
                    div.inline {
                        (password("before_password", "Password of the earlier copy"))
                        (password("after_password", "Password of the later copy"))
                    }
                }
            }
        }
    }
}

/// A comparison, as stored.
pub(super) fn of(compared: &ComparedFiles) -> Result<Comparison, Error> {
    parsed(&compared.comparison)
}

/// The same for a page, with texts sanitized for display.
pub(super) fn to_show(compared: &ComparedFiles) -> Result<Comparison, Error> {
    let mut found: Value = parsed(&compared.comparison)?;
    leave_out_unseen(&mut found);
    serde_json::from_value(found).map_err(Error::internal)
}

/// The page of a comparison: all that was `found`, or the parts that others may see.
pub(super) fn page(
    compared: &ComparedFiles,
    found: &Comparison,
    nav: Nav<'_>,
    chrome: &PageChrome,
) -> Result<Reply, Error> {
    let [before, after]: [ComparedFile; 2] = parsed(&compared.files)?;
    let content = html! {
        (chrome.before)
        article.report {
            div.sheet {
                div.head.document {
                    div {
                        h1 { (after.filename) }
                        p.lead {
                            @if let Some(reference) = &compared.reference { b { bdi { (Reference::as_str(reference)) } } " · " }
                            "compared with " bdi { (before.filename) } " · " (instant(&compared.analyzed_at))
                        }
                        (chrome.reference)
                    }
                    div.actions { (chrome.actions) }
                }
                section class={ "outcome " (wording::tone(found).class()) } aria-labelledby="outcome-title" {
                    (badge::compared(wording::tone(found)))
                    div {
                        p.kicker { "How are the two files related?" }
                        h2 #outcome-title { (wording::relation(found.relation)) }
                        p.told { (wording::meaning(found)) " " (wording::words(found)) }
                        @for sentence in wording::pages(found) { p.small { (sentence) } }
                        p.small { "Words are compared; images and drawings are not. " a.unprinted href="/docs/comparing" { "How files are compared" } }
                    }
                }
                (differences(found))
                section.card.facts aria-label="Which files" {
                    dl {
                        (file("Earlier file", &before, found.pages[0]))
                        (file("Later file", &after, found.pages[1]))
                        dt { "Comparison" }
                        dd {
                            code { (compared.id) }
                            @if let Some(json) = &chrome.json { a.link-like.unprinted href=(json) download { "JSON" } }
                        }
                        (made_by(&[]))
                        dt { "Caution" }
                        dd { (USAGE_CAUTION) }
                    }
                    (signing())
                }
            }
        }
        (chrome.after)
        (running_foot([&before, &after].into_iter().map(named).chain([format!("comparison {}", compared.id)])))
    };
    Ok(layout::styled(&after.filename, nav, &[&REPORT_STYLE, &REPORT_SCRIPT], &content))
}

/// A file's name and hash, for the foot of a page.
fn named(file: &ComparedFile) -> String {
    let hash = file.sha256.as_ref().map_or_else(String::new, |hash| format!(" · SHA-256 {hash}"));
    format!("{}{hash}", file.filename)
}

fn file(label: &str, file: &ComparedFile, pages: u64) -> Markup {
    html! {
        dt { (label) }
        dd {
            bdi { (file.filename) } " · " (pages) @if pages == 1 { " page" } @else { " pages" }
            " · " span title={ (file.file_size) " bytes" } { (format_size(file.file_size)) }
            @if let Some(hash) = &file.sha256 { br; "SHA-256 " code { (hash) } }
        }
    }
}

/// The differences, line by line.
fn differences(found: &Comparison) -> Markup {
    let more = found.words_total.saturating_sub(found.words.len());
    html! {
        @if found.withheld > 0 {
            p.small.muted { (words::count(found.withheld, "difference")) " in words that either file hides are left out here." }
        }
        @if !found.words.is_empty() || !found.metadata.is_empty() || !found.form.is_empty() || !found.hidden_words.is_empty() {
            section.card.findings {
                h2 { "Before and now" }
                div.found {
                    @let pages = marked_pages(found);
                    @if let Some((page, marks)) = pages.first() { (integrity::page(*page, marks)) }
                    (integrity::compared(&html! {}, &rows(found)))
                }
                @if more > 0 { p.small.muted { "… and " (words::count(more, "more place")) "." } }
            }
        }
    }
}

/// The pages of the later file on which words differ, with their places by number.
fn marked_pages(found: &Comparison) -> Vec<(u32, Vec<(usize, Rectangle)>)> {
    let mut pages: BTreeMap<u32, Vec<(usize, Rectangle)>> = BTreeMap::new();
    for (number, words) in (1_usize..).zip(found.words.iter().map(|change| &change.after)) {
        if let Some(words) = words {
            pages.entry(words.page).or_default().push((number, words.r#box));
        }
    }
    pages.into_iter().collect()
}

fn rows(found: &Comparison) -> Markup {
    let place_of =
        |change: &WordChange| place([&change.before, &change.after].map(|side| side.as_ref().map(|words| words.page)));
    html! {
        @for (number, change) in (1_usize..).zip(&found.words) {
            (row(&html! { span.number-of { (number) } span { (place_of(change)) } }, in_lines(change)))
        }
        @for change in &found.hidden_words {
            (row(&html! { span { (place_of(change)) span.coordinates { "hidden words" } } }, in_lines(change)))
        }
        @for change in &found.form {
            (row(&html! { span { bdi { (change.name) } span.coordinates { "form field" } } }, whole([&change.before, &change.after])))
        }
        @for change in &found.metadata {
            @let key = change.field.rsplit('.').next().unwrap_or_default();
            (row(&html! { (words::label(key)) }, whole([&change.before, &change.after])))
        }
    }
}

/// A text with the differences to the other side marked.
fn marked(text: &str, changed: &[Range<usize>], mark: impl Fn(&str) -> Markup) -> Markup {
    html! { @for (piece, is_changed) in pieces(text, changed) { @if is_changed { (mark(piece)) } @else { (piece) } } }
}

fn row(place: &Markup, [before, after]: [Markup; 2]) -> Markup {
    html! {
        tr role="row" {
            th role="rowheader" scope="row" { (place) }
            @for (label, side) in [(BEFORE, before), (NOW, after)] {
                td role="cell" data-label=(label) { @if side.0.is_empty() { span.muted { "nothing" } } @else { (side) } }
            }
        }
    }
}

/// Both sides of a difference.
fn in_lines(change: &WordChange) -> [Markup; 2] {
    let [old, new] = [&change.before, &change.after].map(|side| side.as_ref().map_or("", |words| words.text.as_str()));
    let changed = TextDifference::between(old, new);
    [
        html! { @if let Some(words) = &change.before { (in_line(words, |text| marked(text, &changed.before, |part| html! { del { (part) } }))) } },
        html! { @if let Some(words) = &change.after { (in_line(words, |text| marked(text, &changed.after, |part| html! { ins { (part) } }))) } },
    ]
}

/// Two completely different texts.
fn whole([before, after]: [&Option<String>; 2]) -> [Markup; 2] {
    [
        html! { @if let Some(text) = before { del { bdi { (text) } } } },
        html! { @if let Some(text) = after { ins { bdi { (text) } } } },
    ]
}

fn place(pages: [Option<u32>; 2]) -> String {
    match pages {
        [Some(before), Some(after)] if before != after => format!("page {before}, page {after} now"),
        [_, Some(page)] | [Some(page), None] => format!("page {page}"),
        [None, None] => String::new(),
    }
}

/// The words in their line, if each is on it exactly once.
fn in_line(PlacedWords { text, line, .. }: &PlacedWords, marked: impl Fn(&str) -> Markup) -> Markup {
    let (all, own): (Vec<&str>, Vec<&str>) = (line.split(' ').collect(), text.split(' ').collect());
    let mut places = (0..all.len()).filter(|at| all.iter().skip(*at).take(own.len()).eq(&own));
    match (places.next(), places.next()) {
        (Some(at), None) => html! {
            bdi {
                @for word in all.iter().take(at) { (word) " " }
                (marked(text))
                @for word in all.iter().skip(at + own.len()) { " " (word) }
            }
        },
        // ambiguous: the line has several
        (Some(_), Some(_)) => html! { bdi { (marked(text)) } " in " q { bdi { (line) } } },
        (None, _) => html! { bdi { (marked(text)) } },
    }
}

fn parsed<T: DeserializeOwned>(stored: &RawValue) -> Result<T, Error> {
    serde_json::from_str(stored.get()).map_err(Error::internal)
}
