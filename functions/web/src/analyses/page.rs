//! `/analyses/{id}`: one analysis or comparison to read, to print, to share, to delete.

use maud::{Markup, html};
use shared::analysis::{Analysis, Entry};
use shared::error::Error;
use shared::http::{Call, Reply};
use shared::related_analyses::RelatedAnalysis;

use super::report::{self, PageChrome, metadata_of};
use super::{comparison, delete, owned, refer, share};
use crate::app::App;
use crate::dates::instant;
use crate::layout::Nav;

pub(crate) async fn show(app: &App, call: &mut Call) -> Result<Reply, Error> {
    let (session, found, entry) = owned::entry(app, call).await?;
    let link = found.share(entry.id(), call.now)?;
    let json = Some(format!("/analyses/{}/json", entry.id()));
    let analysis = match entry {
        Entry::Analysis(analysis) => analysis,
        Entry::Comparison(compared) => {
            let chrome = PageChrome {
                before: back(),
                reference: refer::section(&session, compared.id, compared.reference.as_ref()),
                actions: html! { (print_button()) (to_share()) },
                notes: html! {},
                after: html! {
                    (share::section(&session, compared.id, link.as_ref()))
                    (delete::button(&session, compared.id, "comparison"))
                },
                json,
                is_alone: false,
            };
            return comparison::page(&compared, &comparison::to_show(&compared)?, Nav::Session(&session, ""), &chrome);
        }
    };
    let metadata = metadata_of(&analysis)?;
    let (files, documents) =
        app.store.related_now(session.caller.user, found.index_rows(analysis.id)?, call.deadline()).await?;
    let compare = comparison::form(&session, &analysis);
    let chrome = PageChrome {
        before: html! {
            (back())
        },
        notes: html! {
            (seen(&analysis, &files, "the same file", metadata.pointer("/file/sha256").and_then(serde_json::Value::as_str)))
            (seen(&analysis, &documents, "another version of this document", None))
            @if documents.iter().any(|related| related.id != analysis.id) && !compare.0.is_empty() {
                p.small.unprinted { a href="#compare-title" { "Compare the two versions" } }
            }
        },
        reference: refer::section(&session, analysis.id, analysis.reference.as_ref()),
        actions: html! {
            (print_buttons())
            (to_share())
        },
        after: html! {
            (compare)
            (share::section(&session, analysis.id, link.as_ref()))
            (delete::button(&session, analysis.id, "analysis"))
        },
        json,
        is_alone: false,
    };
    Ok(report::page(&(&analysis).into(), &metadata, Nav::Session(&session, ""), &chrome))
}

fn back() -> Markup {
    html! { p.crumb { a href="/dashboard" { "← All analyses" } } }
}

fn to_share() -> Markup {
    html! { a.button.quiet href="#share-title" { "Share" } }
}

pub(super) fn print_button() -> Markup {
    html! { button.button.with-script type="button" data-print { "Print" } }
}

/// The buttons that print the report, with and without the examiners' part.
pub(super) fn print_buttons() -> Markup {
    html! {
        (print_button())
        label.tick.with-script { input #examiner type="checkbox"; "with technical evidence" }
    }
}

/// The account's current other analyses of the file or of the document, earlier and later ones.
fn seen(analysis: &Analysis, found: &[RelatedAnalysis], what: &str, hash: Option<&str>) -> Markup {
    let others: Vec<&RelatedAnalysis> = found.iter().filter(|related| related.id != analysis.id).collect();
    let link = |related: &RelatedAnalysis| {
        html! { a href={ "/analyses/" (related.id) } { (instant(&related.analyzed_at)) } }
    };
    html! {
        @if let Some((newest, rest)) = others.split_first() {
            p.notice.seen {
                "You analyzed " (what) " on " (link(newest))
                @match hash {
                    Some(hash) if !rest.is_empty() => { ": " a href={ "/dashboard?sha256=" (hash) } { "all of them" } }
                    _ => { @for other in rest { ", " (link(other)) } }
                }
                "."
            }
        }
    }
}
