//! `/analyses/{id}`: one analysis to read, to copy its id from, to download, to share, to delete.

mod file;
mod metadata;

use lambda_http::http::StatusCode;
use lambda_http::http::header::CONTENT_DISPOSITION;
use maud::{Markup, html};
use serde_json::Value;
use serde_json::value::to_raw_value;
use shared::analysis::Analysis;
use shared::error::{Cause, Error};
use shared::http::{Call, Fields, Reply};
use shared::ids::AnalysisId;
use shared::store::{Row, Rows};
use shared::withheld::withhold;

use crate::app::App;
use crate::dates::instant;
use crate::deletion;
use crate::integrity::{self, Report};
use crate::layout::{self, Nav};
use crate::session::{self, Session};
use crate::sharing;

pub(crate) async fn show(app: &App, call: &mut Call) -> Result<Reply, Error> {
    let (session, found, analysis) = read(app, call).await?;
    let metadata = metadata_of(&analysis)?;
    let share = found.share(analysis.id, call.now)?;
    let content = html! {
        p.crumb { a href="/dashboard" { "← All analyses" } }
        div.head.document {
            div {
                h1 { (analysis.filename) }
                (lead(&analysis, &metadata))
            }
            div.actions {
                a.button.quiet href={ "/analyses/" (analysis.id) "/json" } download { "Download JSON" }
                button.button.quiet.with-script type="button" data-copy=(analysis.id) { "Copy id" }
                a.button.quiet href="#share-title" { "Share" }
                (deletion::button(&session, analysis.id))
            }
        }
        (ids(&analysis, &metadata))
        (file::seen(&analysis, &metadata)?)
        (report(&metadata, analysis.file_size))
        (sharing::section(&session, analysis.id, share.as_ref()))
    };
    Ok(layout::page(&analysis.filename, Nav::Session(&session, ""), &content))
}

/// The line below an analysis' name.
pub(crate) fn lead(analysis: &Analysis, metadata: &Value) -> Markup {
    let pages = metadata.pointer("/basic/pages").and_then(Value::as_u64).unwrap_or_default();
    html! {
        p.lead {
            (pages) @if pages == 1 { " page" } @else { " pages" }
            " · " span title={ (analysis.file_size) " bytes" } { (analysis.file_size_formatted) }
            " · analysed " (instant(&analysis.analyzed_at))
        }
    }
}

/// By which it is known what was analysed, and when a file is the same.
pub(crate) fn ids(analysis: &Analysis, metadata: &Value) -> Markup {
    html! {
        p.small.id { "Analysis id " code { (analysis.id) } }
        (file::line(metadata))
    }
}

/// Whether the file, of so many bytes, was changed, for analyses that say so, which file it is, and all groups of the
/// metadata.
pub(crate) fn report(metadata: &Value, size: u64) -> Markup {
    html! {
        @if let Some(report) = Report::of(metadata) { (integrity::section(&report, size)) }
        (file::section(metadata))
        (metadata::groups(metadata))
    }
}

/// An analysis' metadata, to be shown.
pub(crate) fn metadata_of(analysis: &Analysis) -> Result<Value, Error> {
    serde_json::from_str(analysis.metadata.get()).map_err(|error| internal(&error))
}

/// `/analyses/{id}/json`: the same as the API gives, as a file.
pub(crate) async fn json(app: &App, call: &mut Call) -> Result<Reply, Error> {
    let (_, _, analysis) = read(app, call).await?;
    download(&analysis)
}

/// An analysis as a file for others than its owner.
pub(crate) fn public_download(mut analysis: Analysis) -> Result<Reply, Error> {
    let whole = metadata_of(&analysis)?;
    let mut metadata = whole.clone();
    withhold(&mut metadata);
    // its keys stand in their order then
    if metadata != whole {
        analysis.metadata = to_raw_value(&metadata).map_err(|error| internal(&error))?;
    }
    download(&analysis)
}

/// An analysis as a file.
fn download(analysis: &Analysis) -> Result<Reply, Error> {
    let json = serde_json::to_string(analysis).map_err(|error| internal(&error))?;
    let reply = Reply::page(StatusCode::OK, "application/json", json);
    Ok(reply.header(CONTENT_DISPOSITION, format!("attachment; filename=\"analysis-{}.json\"", analysis.id)))
}

async fn read(app: &App, call: &mut Call) -> Result<(Session, Rows, Analysis), Error> {
    let Some(id) = AnalysisId::parse(call.id()) else {
        session::current(&app.store, call).await?;
        return Err(Error::NotFound);
    };
    let rows = [Row::Analysis(id.number()), Row::Metadata(id.number())];
    let (session, found) = session::current_with(&app.store, call, &rows).await?;
    let analysis = found.analysis(id)?.ok_or(Error::NotFound)?;
    Ok((session, found, analysis))
}

/// What a form about the analysis that the path names has sent, with the analysis' row read.
pub(crate) async fn posted(app: &App, call: &mut Call) -> Result<(Session, Rows, Fields, AnalysisId), Error> {
    let id = AnalysisId::parse(call.id());
    let rows: Vec<_> = id.map(|id| Row::Analysis(id.number())).into_iter().collect();
    let (session, found, fields) = session::posted(&app.store, call, &rows).await?;
    let id = id.ok_or(Error::NotFound)?;
    if found.has_analysis(id)? { Ok((session, found, fields, id)) } else { Err(Error::NotFound) }
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
        let (old, new) = (report(&old, 9).into_string(), report(&new, 9).into_string());
        assert!(old.contains("Offer") && !old.contains("Was it changed"), "{old}");
        assert!(new.contains("No signs of change") && new.ends_with(&old), "{new}");
    }
}
