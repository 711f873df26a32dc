//! The analysis or comparison of a path, if the session's account owns it.

use shared::analysis::Entry;
use shared::error::Error;
use shared::http::{Call, Fields};
use shared::ids::AnalysisId;
use shared::store::{Row, Rows};

use crate::app::App;
use crate::session::{self, Session};

/// The complete entry.
///
/// # Errors
/// Those of [`session::current_with`]; [`Error::NotFound`] if the account has no such analysis.
pub(super) async fn entry(app: &App, call: &mut Call) -> Result<(Session, Rows, Entry), Error> {
    let id = AnalysisId::parse(call.id());
    let rows: Vec<_> =
        id.map(|id| [Row::Analysis(id.number()), Row::Metadata(id.number())]).into_iter().flatten().collect();
    let (session, found) = session::current_with(&app.store, call, &rows).await?;
    let entry = found.entry(id.ok_or(Error::NotFound)?)?.ok_or(Error::NotFound)?;
    Ok((session, found, entry))
}

/// A form posted for an analysis, whose row is read.
///
/// # Errors
/// Those of [`session::posted`]; [`Error::NotFound`] if the account has no such analysis.
pub(super) async fn posted(app: &App, call: &mut Call) -> Result<(Session, Rows, Fields, AnalysisId), Error> {
    let id = AnalysisId::parse(call.id());
    let rows: Vec<_> = id.map(|id| Row::Analysis(id.number())).into_iter().collect();
    let (session, found, fields) = session::posted(&app.store, call, &rows).await?;
    let id = id.ok_or(Error::NotFound)?;
    if found.has_analysis(id)? { Ok((session, found, fields, id)) } else { Err(Error::NotFound) }
}
