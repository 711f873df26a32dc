//! The list of analyses: what it is filtered by, a part of it, the way to the others, and the form that deletes those that are
//! selected.

use engine::Verdict;
use maud::{Markup, html};
use report::words::Tone;
use report::{comparison, words};
use shared::analysis::Summary;
use shared::attention::Attention;
use shared::ids::AnalysisId;
use shared::listing::{ListWalk, Listing};
use shared::page::Meta;
use shared::reference::Reference;

use super::super::examples;
use super::CSV;
use crate::dates::instant;
use crate::integrity::mark;
use crate::layout::csrf;
use crate::session::Session;

/// The form that the checkboxes belong to.
const SELECTION: &str = "selection";

/// A part of the list; `last` is the last analysis looked at by a walk that can go on.
pub(super) fn part(
    session: &Session,
    analyses: &[Summary],
    listing: &Listing,
    (meta, last): (Meta, Option<AnalysisId>),
) -> Markup {
    let is_page = matches!(listing, Listing::Page(_));
    let none = match (is_page, last) {
        (true, _) => "There is nothing on this page.",
        (false, Some(_)) => "None of those that were looked at so far.",
        (false, None) => "No analysis is like that.",
    };
    html! {
        section aria-labelledby="list-title" {
            h2 #list-title { "Analyses " span.count #total { (meta.total) } }
            (tools(session, listing, meta.total))
            @if analyses.is_empty() { p.empty { (none) } }
            (rows(analyses))
            (selection(session, analyses.is_empty()))
            @match listing {
                Listing::Page(_) => @if meta.last_page > 1 { (pages(meta)) },
                Listing::Walk(walk) => (onward(walk, last)),
            }
        }
    }
}

/// A list without any analysis, and what can be tried instead.
pub(super) fn nothing(session: &Session) -> Markup {
    html! {
        section aria-labelledby="list-title" {
            h2 #list-title { "Analyses " span.count #total { "0" } }
            div.empty #empty {
                p { "Nothing here yet. Your first PDF takes about a second. Or look at one of these three copies of an invoice, which do not count:" }
                (examples::list())
            }
            (rows(&[]))
            (selection(session, true))
        }
    }
}

/// The rows, and what the script makes others of.
fn rows(analyses: &[Summary]) -> Markup {
    html! {
        ul.rows #analyses { @for analysis in analyses { (row(analysis)) } }
        template #analysis-row { (layout("", "", "", &html! {}, &html! { time {} })) }
        template #upload-row {
            li.pending { span {} span.name {} span.state {} progress max="1" value="0" {} }
        }
        template #verdict-marks { @for verdict in Verdict::ALL { (marked(verdict)) } }
    }
}

/// Filters, search, and the table for spreadsheets.
fn tools(session: &Session, listing: &Listing, total: u64) -> Markup {
    let walk = match listing {
        Listing::Page(_) => None,
        Listing::Walk(walk) => Some(walk),
    };
    let asked = walk.and_then(ListWalk::verdicts);
    let text = walk.and_then(ListWalk::text).unwrap_or_default();
    let rest = walk.map(ListWalk::query).unwrap_or_default();
    let counts = session.caller.account.counts.of_all(total);
    let count = |attention| counts.and_then(|counts| counts.into_iter().find(|(known, _)| *known == attention));
    html! {
        div.tools {
            nav.filter aria-label="Verdicts" {
                a href="/dashboard" aria-current=[walk.is_none().then_some("true")] { "All " span.count { (total) } }
                @for attention in Attention::ALL {
                    @let verdicts = attention.verdicts();
                    a href={ "/dashboard?verdict=" (verdicts) } aria-current=[(asked == Some(verdicts)).then_some("true")] {
                        (called(attention)) @if let Some((_, count)) = count(attention) { " " span.count { (count) } }
                    }
                }
            }
            form.search role="search" action="/dashboard" {
                @if let Some(verdicts) = asked { input type="hidden" name="verdict" value=(verdicts); }
                input type="search" name="search" value=(text) maxlength="64" aria-label="Search by name or reference" placeholder="Name or reference";
                button.button.quiet.slim type="submit" { "Search" }
            }
            a.small href={ "/dashboard?" (rest) @if !rest.is_empty() { "&" } (CSV) } download="analyses.csv" { "Save as CSV" }
        }
    }
}

fn called(attention: Attention) -> &'static str {
    match attention {
        Attention::LookAtIt => "Look at it",
        Attention::CannotBeTold => "Cannot be told",
        Attention::NothingFound => "Nothing found",
    }
}

/// The button for the analyses that are selected on the dashboard, and its question.
fn selection(session: &Session, nothing_here: bool) -> Markup {
    html! {
        details.confirm #selecting hidden[nothing_here] {
            summary.button.quiet { span.closed { "Delete selected" } span.opened { "Keep them" } }
            form id=(SELECTION) method="post" action="/dashboard/delete" {
                (csrf(session))
                p { "Delete the selected analyses for good? They are not given back to today's quota." }
                button.button.danger type="submit" { "Delete for good" }
            }
        }
    }
}

fn row(analysis: &Summary) -> Markup {
    let reference = analysis.reference.as_ref().map(Reference::as_str).unwrap_or_default();
    let verdict = html! {
        @if let Some(verdict) = analysis.verdict { (marked(verdict)) }
        @if let Some(reason) = &analysis.reason { span.reason { (reason.phrase) } }
        @if let Some(with) = &analysis.compared_with {
            span.marked { (mark::compared(Tone::Neutral)) (comparison::relation(with.relation)) }
            span.reason { "compared with " bdi { (with.filename) } }
        }
    };
    let when = html! { (instant(&analysis.analyzed_at)) " · " (analysis.file_size_formatted) };
    layout(&analysis.id.to_string(), &analysis.filename, reference, &verdict, &when)
}

fn layout(id: &str, filename: &str, reference: &str, verdict: &Markup, when: &Markup) -> Markup {
    // the one that scripts copy is nobody's yet
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

/// A verdict as a word with its mark.
fn marked(verdict: Verdict) -> Markup {
    html! { span.marked data-verdict=(verdict) { (mark::verdict(Some(verdict))) (words::verdict(Some(verdict))) } }
}

/// How a walk goes on to older analyses, and back to its start.
fn onward(walk: &ListWalk, last: Option<AnalysisId>) -> Markup {
    let rest = walk.query();
    html! {
        nav.pages aria-label="Pages" {
            a rel="first" href={ "/dashboard?" (rest) } { "← Newest" }
            @if let Some(id) = last { a rel="next" href={ "/dashboard?before=" (id) "&" (rest) } { "Older →" } }
        }
    }
}

fn pages(meta: Meta) -> Markup {
    let link = |page: u64| format!("/dashboard?page={page}&per_page={}", meta.per_page);
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
