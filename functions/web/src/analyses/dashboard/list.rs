//! The list of analyses: a part of it, the way to the others, and the form that deletes those that are selected.

use maud::{Markup, html};
use shared::analysis::Summary;
use shared::ids::AnalysisId;
use shared::listing::{Filter, Listing, Walk};
use shared::page::Meta;
use shared::verdict::{VERDICTS, name};

use crate::dates::instant;
use crate::integrity::{mark, words};
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
    html! {
        section aria-labelledby="list-title" {
            h2 #list-title { "Analyses " span.count #total { (meta.total) } }
            @if meta.total > 0 { (filter(listing)) }
            p.empty #empty hidden[meta.total > 0] { "Nothing here yet. Your first PDF takes about a second." }
            @if analyses.is_empty() && meta.total > 0 {
                p.empty { @if is_page { "There is nothing on this page." } @else { "None of those that were looked at." } }
            }
            ul.rows #analyses data-first-page[is_page && meta.current_page == 1] {
                @for analysis in analyses {
                    (row(&analysis.id.to_string(), &analysis.filename, analysis.verdict.map(name), &analysis.file_size_formatted, &instant(&analysis.analyzed_at)))
                }
            }
            template #analysis-row { (row("", "", None, "", &html! { time {} })) }
            template #verdict-marks { @for verdict in VERDICTS { (marked(name(verdict))) } }
            (selection(session, analyses.is_empty()))
            @match listing {
                Listing::Page(_) => @if meta.last_page > 1 { (pages(meta)) },
                Listing::Walk(walk) => (onward(walk, last)),
            }
        }
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

/// Links to all analyses and to those of each verdict.
fn filter(listing: &Listing) -> Markup {
    let asked = match listing {
        Listing::Page(_) => Filter::All,
        Listing::Walk(walk) => walk.filter(),
    };
    html! {
        nav.filter aria-label="Verdicts" {
            a href="/dashboard" aria-current=[(asked == Filter::All).then_some("true")] { "All" }
            @for verdict in VERDICTS {
                a href={ "/dashboard?verdict=" (name(verdict)) } aria-current=[(asked == Filter::Verdict(verdict)).then_some("true")] {
                    (words::verdict(name(verdict)))
                }
            }
        }
    }
}

fn row(id: &str, filename: &str, verdict: Option<&str>, size: &str, when: &Markup) -> Markup {
    // the one that scripts copy is nobody's yet
    let path = if id.is_empty() { String::new() } else { format!("/analyses/{id}") };
    html! {
        li {
            input type="checkbox" name=(id) form=(SELECTION) aria-label={ "Select " (filename) };
            a href=(path) { (filename) }
            span.verdict-of { @if let Some(verdict) = verdict { (marked(verdict)) } }
            span.size { (size) }
            span.when { (when) }
        }
    }
}

/// A verdict as a word with its mark.
fn marked(verdict: &str) -> Markup {
    html! { span.marked data-verdict=(verdict) { (mark::verdict(verdict)) (words::verdict(verdict)) } }
}

/// How a walk goes on to older analyses, and back to its start.
fn onward(walk: &Walk, last: Option<AnalysisId>) -> Markup {
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
