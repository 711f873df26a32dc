//! `DELETE /pdf/{id}`: the analysis is gone; its number stays used.

use serde::Serialize;
use shared::error::Error;
use shared::http::{Answer, Call, Reply};
use utoipa::ToSchema;

use crate::{App, owned};

/// An analysis that is no more.
#[derive(Serialize, ToSchema)]
struct Deleted {
    /// The id that it had.
    #[schema(format = "uuid")]
    id: String,
    /// `true`.
    deleted: bool,
}

/// Delete an analysis
///
/// The analysis and its metadata are deleted for good, and a link to it ends. The day's quota is not given back. A repeat of the request that
/// made it (`Idempotency-Key`, `upload_id`) is 404 from now on.
#[utoipa::path(
    delete,
    path = "/pdf/{id}",
    operation_id = "deleteAnalysis",
    tag = "Analyses",
    params((
        "id" = String, Path, format = "uuid", description = "The analysis id (share token).",
        example = "00000000-0001-8614-bd98-f44607e6fa02"
    )),
    responses(
        (status = 200, description = "The analysis is deleted.", body = Answer<Deleted>),
        (status = 404, description = "not_found"),
        (status = 422, description = "validation_failed"),
    )
)]
pub(crate) async fn delete(app: &App, call: &mut Call) -> Result<Reply, Error> {
    let (caller, found, id) = owned::analysis(app, call).await?;
    app.store.delete_analysis(caller.user, found.to_delete(id)?, &caller.account.numbering, call.deadline()).await?;
    Reply::data(&Deleted { id: id.to_string(), deleted: true })
}
