//! `DELETE /trust/{id}`: an issuer is trusted no more.

use serde::Serialize;
use shared::auth;
use shared::error::Error;
use shared::http::{Answer, Call, Reply};
use utoipa::ToSchema;

use crate::App;

/// An issuer that is no longer trusted.
#[derive(Serialize, ToSchema)]
struct Distrusted {
    /// Its id.
    id: String,
    /// `true`.
    removed: bool,
}

/// Remove a trusted issuer
///
/// From now on, signatures under it are not trusted. Stored analyses do not change.
#[utoipa::path(
    delete,
    path = "/trust/{id}",
    operation_id = "distrustIssuer",
    tag = "Account",
    params((
        "id" = String, Path, pattern = "^[0-9a-f]{64}$",
        description = "SHA-256 of its certificate, as `GET /trust` lists it.",
        example = "0f8a1a5d0b62f2a0a3b2a8ef0e9fd0b6d3ab87e5f4f6a6a1b5c0a7e5b21d9c34"
    )),
    responses(
        (status = 200, description = "The issuer is no longer trusted.", body = Answer<Distrusted>),
        (status = 404, description = "not_found"),
    )
)]
pub(crate) async fn remove(app: &App, call: &mut Call) -> Result<Reply, Error> {
    let caller = auth::caller(&app.store, call).await?;
    let id = call.id().to_owned();
    app.store.distrust(caller.user, &id, call.deadline()).await?;
    Reply::data(&Distrusted { id, removed: true })
}
