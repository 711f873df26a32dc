//! `DELETE /pdf/{id}`: the analysis is gone; its number stays used.

use serde::Serialize;
use shared::error::Error;
use shared::http::{Answer, Call, Reply};
use utoipa::ToSchema;

use crate::{App, owned};

/// A deleted analysis.
#[derive(Serialize, ToSchema)]
struct Deleted {
    /// Its id.
    #[schema(format = "uuid")]
    id: String,
    /// `true`.
    deleted: bool,
}

/// Delete an analysis
///
/// Permanently deletes the analysis and its metadata, and ends its share link. The quota is not refunded. A repeat of
/// the request that created it (`Idempotency-Key`, `upload_id`) is 404 afterwards.
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
