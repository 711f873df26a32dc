//! `GET /pdf/{id}`: an analysis or a comparison, as first answered.

use shared::analysis::Entry;
use shared::auth;
use shared::error::Error;
use shared::http::{Answer, Call, Reply};
use shared::ids::AnalysisId;
use shared::listing::EntryKind;
use shared::store::Row;

use crate::App;

/// Show an analysis
///
/// Returns the analysis as it was first answered. A comparison, which has `comparison` in place of `metadata`, is found
/// with `kind=comparison` or `kind=all`, as in the `Location` of its first answer.
#[utoipa::path(
    get,
    path = "/pdf/{id}",
    operation_id = "showAnalysis",
    tag = "Analyses",
    params(
        (
            "id" = String, Path, format = "uuid", description = "The analysis id (share token).",
            example = "00000000-0001-8614-bd98-f44607e6fa02"
        ),
        (
            "kind" = Option<EntryKind>, Query,
            description = "The kind of entry: only an analysis, unless it is `comparison` or `all`."
        ),
    ),
    responses(
        (status = 200, description = "The analysis.", body = Answer<Entry>),
        (status = 404, description = "not_found"),
        (status = 422, description = "validation_failed"),
    )
)]
pub(crate) async fn show(app: &App, call: &mut Call) -> Result<Reply, Error> {
    let Some(id) = AnalysisId::parse(call.id()) else {
        auth::caller(&app.store, call).await?;
        return Err(Error::NotFound);
    };
    let rows = [Row::Analysis(id.number()), Row::Metadata(id.number())];
    let (_, found) = auth::caller_with(&app.store, call, &rows).await?;
    let kind = EntryKind::of(call.query())?;
    let is_wanted = |entry: &Entry| kind.takes(matches!(entry, Entry::Comparison(_)));
    Reply::data(&found.entry(id)?.filter(is_wanted).ok_or(Error::NotFound)?)
}
