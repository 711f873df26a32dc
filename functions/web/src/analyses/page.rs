//! `/analyses/{id}`: one analysis or comparison to read, to print, to share, to delete.

use maud::{Markup, html};
use shared::analysis::{Analysis, Entry};
use shared::error::Error;
use shared::http::{Call, Reply};
use shared::seen::Sighting;

use super::report::{self, Around, metadata_of};
use super::{comparison, delete, own, refer, share};
use crate::app::App;
use crate::dates::instant;
use crate::layout::Nav;

pub(crate) async fn show(app: &App, call: &mut Call) -> Result<Reply, Error> {
    let (session, found, entry) = own::entry(app, call).await?;
    let link = found.share(entry.id(), call.now)?;
    let json = Some(format!("/analyses/{}/json", entry.id()));
    let analysis = match entry {
        Entry::Analysis(analysis) => analysis,
        Entry::Comparison(compared) => {
            let around = Around {
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
            return comparison::page(&compared, &comparison::to_show(&compared)?, Nav::Session(&session, ""), &around);
        }
    };
    let metadata = metadata_of(&analysis)?;
    let (files, documents) =
        app.store.seen_by_now(session.caller.user, found.leads(analysis.id)?, call.deadline()).await?;
    let compare = comparison::form(&session, &analysis);
    let around = Around {
        before: html! {
            (back())
        },
        notes: html! {
            (seen(&analysis, &files, "the same file", metadata.pointer("/file/sha256").and_then(serde_json::Value::as_str)))
            (seen(&analysis, &documents, "another version of this document", None))
            @if documents.iter().any(|sighting| sighting.id != analysis.id) && !compare.0.is_empty() {
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
    Ok(report::page(&(&analysis).into(), &metadata, Nav::Session(&session, ""), &around))
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

/// What prints the report, with what only examiners read or without.
pub(super) fn print_buttons() -> Markup {
    html! {
        (print_button())
        label.tick.with-script { input #examiner type="checkbox"; "with technical evidence" }
    }
}

/// What else the account has of the file or of the document by now, whichever was analysed first.
fn seen(analysis: &Analysis, found: &[Sighting], what: &str, hash: Option<&str>) -> Markup {
    let others: Vec<&Sighting> = found.iter().filter(|sighting| sighting.id != analysis.id).collect();
    let link = |sighting: &Sighting| {
        html! { a href={ "/analyses/" (sighting.id) } { (instant(&sighting.analyzed_at)) } }
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
