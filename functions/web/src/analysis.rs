//! `/analyses/{id}`: one analysis to read, to copy its id from, to download, to delete.

mod metadata;

use lambda_http::http::StatusCode;
use lambda_http::http::header::CONTENT_DISPOSITION;
use maud::{Markup, html};
use serde_json::Value;
use shared::analysis::Analysis;
use shared::error::{Cause, Error};
use shared::http::{Call, Reply};
use shared::ids::AnalysisId;
use shared::store::Row;

use crate::app::App;
use crate::dates::instant;
use crate::deletion;
use crate::integrity::{self, Report};
use crate::layout::{self, Nav};
use crate::session::{self, Session};

pub(crate) async fn show(app: &App, call: &mut Call) -> Result<Reply, Error> {
    let (session, analysis) = read(app, call).await?;
    let metadata: Value = serde_json::from_str(analysis.metadata.get()).map_err(|error| internal(&error))?;
    let pages = metadata.pointer("/basic/pages").and_then(Value::as_u64).unwrap_or_default();
    let content = html! {
        p.crumb { a href="/dashboard" { "← All analyses" } }
        div.head.document {
            div {
                h1 { (analysis.filename) }
                p.lead {
                    (pages) @if pages == 1 { " page" } @else { " pages" }
                    " · " span title={ (analysis.file_size) " bytes" } { (analysis.file_size_formatted) }
                    " · analysed " (instant(&analysis.analyzed_at))
                }
            }
            div.actions {
                a.button.quiet href={ "/analyses/" (analysis.id) "/json" } download { "Download JSON" }
                button.button.quiet.with-script type="button" data-copy=(analysis.id) { "Copy id" }
                (deletion::button(&session, analysis.id))
            }
        }
        p.small.id { "Analysis id " code { (analysis.id) } }
        (report(&metadata))
    };
    Ok(layout::page(&analysis.filename, Nav::Session(&session, ""), &content))
}

/// Whether the file was changed, for analyses that say so, and all groups of the metadata.
fn report(metadata: &Value) -> Markup {
    html! {
        @if let Some(report) = Report::of(metadata) { (integrity::section(&report)) }
        (metadata::groups(metadata))
    }
}

/// `/analyses/{id}/json`: the same as the API gives, as a file.
pub(crate) async fn json(app: &App, call: &mut Call) -> Result<Reply, Error> {
    let (_, analysis) = read(app, call).await?;
    let json = serde_json::to_string(&analysis).map_err(|error| internal(&error))?;
    let reply = Reply::page(StatusCode::OK, "application/json", json);
    Ok(reply.header(CONTENT_DISPOSITION, format!("attachment; filename=\"analysis-{}.json\"", analysis.id)))
}

async fn read(app: &App, call: &mut Call) -> Result<(Session, Analysis), Error> {
    let Some(id) = AnalysisId::parse(call.id()) else {
        session::current(&app.store, call).await?;
        return Err(Error::NotFound);
    };
    let rows = [Row::Analysis(id.number()), Row::Metadata(id.number())];
    let (session, found) = session::current_with(&app.store, call, &rows).await?;
    Ok((session, found.analysis(id)?.ok_or(Error::NotFound)?))
}

fn internal(error: &serde_json::Error) -> Error {
    Error::Internal(Cause::of(error))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::report;

    #[test]
    fn an_analysis_of_before_lacks_the_verdict_and_nothing_else() {
        let old = json!({ "document": { "title": "Offer" } });
        let new = json!({ "document": { "title": "Offer" }, "integrity": { "verdict": "no_signs" } });
        let (old, new) = (report(&old).into_string(), report(&new).into_string());
        assert!(old.contains("Offer") && !old.contains("Was it changed"), "{old}");
        assert!(new.contains("No signs of change") && new.ends_with(&old), "{new}");
    }
}
