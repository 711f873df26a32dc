//! `/analyses/{id}`: one analysis to read, to print, to share, to delete.

use maud::{Markup, html};
use shared::analysis::Analysis;
use shared::error::Error;
use shared::http::{Call, Reply};
use shared::seen::Sighting;

use super::report::{self, Around, metadata_of};
use super::{delete, own, share};
use crate::app::App;
use crate::dates::instant;
use crate::layout::Nav;

pub(crate) async fn show(app: &App, call: &mut Call) -> Result<Reply, Error> {
    let (session, found, analysis) = own::analysis(app, call).await?;
    let metadata = metadata_of(&analysis)?;
    let link = found.share(analysis.id, call.now)?;
    let (files, documents) =
        app.store.seen_by_now(session.caller.user, found.leads(analysis.id)?, call.deadline()).await?;
    let json = format!("/analyses/{}/json", analysis.id);
    let around = Around {
        before: html! {
            p.crumb { a href="/dashboard" { "← All analyses" } }
            (seen(&analysis, &files, "the same file", metadata.pointer("/file/sha256").and_then(serde_json::Value::as_str)))
            (seen(&analysis, &documents, "another version of this document", None))
        },
        actions: html! {
            (print_buttons())
            a.button.quiet href="#share-title" { "Share" }
        },
        after: html! {
            (share::section(&session, analysis.id, link.as_ref()))
            (delete::button(&session, analysis.id))
        },
        json: Some(json),
    };
    Ok(report::page(&(&analysis).into(), &metadata, Nav::Session(&session, ""), &around))
}

/// What prints the report, with what only examiners read or without.
pub(super) fn print_buttons() -> Markup {
    html! {
        button.button.with-script type="button" data-print { "Print" }
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
                "You analysed " (what) " on " (link(newest))
                @match hash {
                    Some(hash) if !rest.is_empty() => { ": " a href={ "/dashboard?sha256=" (hash) } { "all of them" } }
                    _ => { @for other in rest { ", " (link(other)) } }
                }
                ". Open both reports to compare them."
            }
        }
    }
}
