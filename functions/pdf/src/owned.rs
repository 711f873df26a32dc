//! The analysis of a path, if the caller owns it.

use shared::auth::{self, Caller};
use shared::error::Error;
use shared::http::Call;
use shared::ids::AnalysisId;
use shared::store::{Row, Rows};

use crate::App;

/// The caller and the id, with the analysis' row read.
///
/// # Errors
/// The errors of [`auth::caller_with`]; [`Error::NotFound`] if the caller has no such analysis.
pub(crate) async fn analysis(app: &App, call: &mut Call) -> Result<(Caller, Rows, AnalysisId), Error> {
    let id = AnalysisId::parse(call.id());
    let rows: Vec<_> = id.map(|id| Row::Analysis(id.number())).into_iter().collect();
    let (caller, found) = auth::caller_with(&app.store, call, &rows).await?;
    let id = id.ok_or(Error::NotFound)?;
    if found.has_analysis(id)? { Ok((caller, found, id)) } else { Err(Error::NotFound) }
}
