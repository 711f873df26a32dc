//! `PUT /pdf/{id}/reference`: adds, changes or removes the reference of an analysis or a comparison to a case.

use serde::Serialize;
use shared::error::Error;
use shared::http::{Answer, Call, Fields, Reply};
use shared::inputs;
use shared::reference::Reference;
use utoipa::ToSchema;

use crate::{App, owned};

/// The reference to store.
#[derive(ToSchema)]
#[expect(dead_code, reason = "it describes what `inputs::reference` reads")]
struct ReferenceRequest {
    /// Your name for the case: at most 64 characters on one line. `null` or a blank text removes the reference.
    #[schema(required = true, example = "CLM-2026-114")]
    reference: Option<Reference>,
}

/// An analysis with its reference.
#[derive(Serialize, ToSchema)]
struct Referred {
    /// Its id.
    #[schema(format = "uuid")]
    id: String,
    /// Its new reference; `null` if it has none.
    reference: Option<Reference>,
}

const NO_OBJECT: &str = "The body is JSON, but not an object. Send an object such as {\"reference\":\"CLM-2026-114\"}.";

/// Change an analysis' reference
///
/// Adds, changes or removes the `reference` of an analysis or a comparison. It does not use the quota, and lists
/// filtered by `reference` follow at once. A repeat changes nothing.
#[utoipa::path(
    put,
    path = "/pdf/{id}/reference",
    operation_id = "changeReference",
    tag = "Analyses",
    params((
        "id" = String, Path, format = "uuid", description = "The analysis id (share token).",
        example = "00000000-0001-8614-bd98-f44607e6fa02"
    )),
    request_body(description = "The reference.", content = ReferenceRequest, content_type = "application/json"),
    responses(
        (status = 200, description = "The analysis has this reference.", body = Answer<Referred>),
        (status = 400, description = "bad_request"),
        (status = 404, description = "not_found"),
        (status = 413, description = "file_too_large"),
        (status = 415, description = "unsupported_media_type"),
        (status = 422, description = "validation_failed"),
    )
)]
pub(crate) async fn refer(app: &App, call: &mut Call) -> Result<Reply, Error> {
    let (caller, found, id) = owned::analysis(app, call).await?;
    let reference = inputs::reference::read(&Fields::json(call, NO_OBJECT)?)?;
    app.store.refer(caller.user, found.to_refer(id)?, reference.clone(), call.deadline()).await?;
    Reply::data(&Referred { id: id.to_string(), reference })
}
