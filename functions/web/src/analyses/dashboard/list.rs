//! The list of analyses: filters, rows, links to other parts, and the form that deletes selected analyses.

use engine::{Outcome, Verdict};
use maud::{Markup, html};
use report::words::Tone;
use report::{comparison, shown_verdict, words};
use shared::analysis::Summary;
use shared::ids::AnalysisId;
use shared::listing::{EntryKind, ListWalk, Listing};
use shared::page::Meta;
use shared::reference::Reference;

use super::super::examples;
use super::CSV;
use crate::dates::instant;
use crate::integrity::badge;
use crate::layout::csrf;
use crate::session::Session;

/// The form that the checkboxes belong to.
const SELECTION: &str = "selection";

/// A part of the list; `last` is the last analysis read by a walk that can continue. Elements that need analyses are
/// hidden until a script adds the first one.
pub(super) fn part(
    session: &Session,
    analyses: &[Summary],
    listing: &Listing,
    (meta, last): (Meta, Option<AnalysisId>),
) -> Markup {
    let is_page = matches!(listing, Listing::Page(_));
    let none = match (is_page, last) {
        (true, _) => "There is nothing on this page.",
        (false, Some(_)) => "No match among those looked at so far.",
        (false, None) => "No analyses match.",
    };
    html! {
        section aria-labelledby="list-title" {
            h2 #list-title { "Analyses " span.count #total { (meta.total) } }
            (tools(session, listing))
            @if session.caller.account.numbering.total() == 0 { (nothing()) } @else if analyses.is_empty() { p.empty { (none) } }
            (rows(analyses))
            (selection(session, analyses.is_empty()))
            @match listing {
                Listing::Page(asked) => @if meta.last_page > 1 { (pages(meta, asked.kind())) },
                Listing::Walk(walk) => (onward(walk, last)),
            }
        }
    }
}

/// The suggestions for an empty list.
fn nothing() -> Markup {
    html! {
        div.empty #empty {
            p { "Nothing here yet. Your first PDF takes about a second. Or open a sample; samples don't use your quota:" }
            (examples::list())
        }
    }
}

/// The rows, and the script's template of new rows.
fn rows(analyses: &[Summary]) -> Markup {
    html! {
        ul.rows #analyses { @for analysis in analyses { (row(analysis)) } }
        template #analysis-row { (layout("", "", "", &html! {}, &html! { time {} })) }
        template #upload-row {
            li.pending {
                span {}
                span.name {}
                span.said { span.state {} button.link-like.again type="button" hidden { "Try again" } }
                progress max="1" value="0" {}
            }
        }
        template #verdict-marks { @for verdict in Verdict::ALL { (marked(verdict)) } }
    }
}

/// Filters, search, and the table for spreadsheets.
fn tools(session: &Session, listing: &Listing) -> Markup {
    let (walk, kind) = match listing {
        Listing::Page(asked) => (None, asked.kind()),
        Listing::Walk(walk) => (Some(walk), walk.picked().kind),
    };
    let total = session.caller.account.numbering.total();
    let is_all = walk.is_none() && kind == EntryKind::All;
    let asked = walk.and_then(ListWalk::outcome);
    let text = walk.and_then(ListWalk::text).unwrap_or_default();
    let rest = walk.map(ListWalk::query).unwrap_or_default();
    let known = session.caller.account.counts.of_all(total);
    let comparisons = known.map_or(0, |(_, comparisons)| comparisons);
    let counts = known.map(|(outcomes, _)| outcomes);
    let counts = counts.into_iter().flatten().map(Some).chain(std::iter::repeat(None));
    html! {
        div.tools #tools hidden[total == 0] {
            nav.filter aria-label="Outcomes" {
                a href="/dashboard" aria-current=[is_all.then_some("true")] { "All " span.count #all { (total) } }
                @for (outcome, count) in Outcome::ALL.into_iter().zip(counts) {
                    a href={ "/dashboard?outcome=" (outcome) } aria-current=[(asked == Some(outcome)).then_some("true")] {
                        (words::outcome(outcome)) @if let Some(count) = count { " " span.count data-outcome=(outcome) { (count) } }
                    }
                }
                @if comparisons > 0 || kind == EntryKind::Comparison {
                    a href="/dashboard?kind=comparison" aria-current=[(kind == EntryKind::Comparison).then_some("true")] {
                        "Comparisons " span.count { (comparisons) }
                    }
                }
            }
            form.search role="search" action="/dashboard" {
                @if let Some(outcome) = asked { input type="hidden" name="outcome" value=(outcome); }
                input type="search" name="search" value=(text) maxlength="64" aria-label="Search by name or reference" placeholder="Name or reference";
                button.button.quiet.slim type="submit" { "Search" }
                a.button.quiet.slim href={ "/dashboard?" (rest) @if !rest.is_empty() { "&" } (CSV) } download="analyses.csv" { "Save as CSV" }
            }
        }
    }
}

/// The button that deletes selected analyses, with its confirmation.
fn selection(session: &Session, nothing_here: bool) -> Markup {
    html! {
        details.confirm #selecting hidden[nothing_here] {
            summary.button.quiet { span.closed { "Delete selected" } span.opened { "Keep them" } }
            form id=(SELECTION) method="post" action="/dashboard/delete" {
                (csrf(session))
                p { "Delete the selected analyses permanently? This doesn't restore today's quota." }
                button.button.danger type="submit" { "Delete permanently" }
            }
        }
    }
}

fn row(analysis: &Summary) -> Markup {
    let reference = analysis.reference.as_ref().map(Reference::as_str).unwrap_or_default();
    let verdict = html! {
        @if let Some(verdict) = analysis.verdict { (marked(shown_verdict(verdict, analysis.outcome))) }
        @if let Some(reason) = &analysis.reason { span.reason { (reason.phrase) } }
        @if let Some(with) = &analysis.compared_with {
            span.marked { (badge::compared(Tone::Neutral)) (comparison::relation(with.relation)) }
            span.reason { "compared with " bdi { (with.filename) } }
        }
    };
    let when = html! { (instant(&analysis.analyzed_at)) " · " (analysis.file_size_formatted) };
    layout(&analysis.id.to_string(), &analysis.filename, reference, &verdict, &when)
}

fn layout(id: &str, filename: &str, reference: &str, verdict: &Markup, when: &Markup) -> Markup {
    // the template of the script has no id
    let path = if id.is_empty() { String::new() } else { format!("/analyses/{id}") };
    html! {
        li {
            input type="checkbox" name=(id) form=(SELECTION) aria-label={ "Select " (filename) };
            span.what {
                a href=(path) { (filename) }
                bdi.reference { (reference) }
            }
            span.verdict-of { (verdict) }
            span.when { (when) }
        }
    }
}

/// A verdict's name with its badge.
fn marked(verdict: Verdict) -> Markup {
    html! { span.marked data-verdict=(verdict) { (badge::verdict(Some(verdict))) (words::verdict(Some(verdict))) } }
}

/// The links of a walk to older analyses and to its start.
fn onward(walk: &ListWalk, last: Option<AnalysisId>) -> Markup {
    let rest = walk.query();
    html! {
        nav.pages aria-label="Pages" {
            a rel="first" href={ "/dashboard?" (rest) } { "← Newest" }
            @if let Some(id) = last { a rel="next" href={ "/dashboard?before=" (id) "&" (rest) } { "Older →" } }
        }
    }
}

fn pages(meta: Meta, kind: EntryKind) -> Markup {
    let kind = if kind == EntryKind::Comparison { "&kind=comparison" } else { "" };
    let link = |page: u64| format!("/dashboard?page={page}&per_page={}{kind}", meta.per_page);
    html! {
        nav.pages aria-label="Pages" {
            @if meta.current_page > 1 {
                a rel="prev" href=(link((meta.current_page - 1).min(meta.last_page))) { "← Newer" }
            } @else { span {} }
            span.muted { "Page " (meta.current_page) " of " (meta.last_page) }
            @if meta.current_page < meta.last_page {
                a rel="next" href=(link(meta.current_page + 1)) { "Older →" }
            } @else { span {} }
        }
    }
}
