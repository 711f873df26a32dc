//! `DELETE /tokens/{id}`: the token is gone; the next request with it is refused.

use serde::Serialize;
use shared::auth;
use shared::error::Error;
use shared::http::{Answer, Call, Reply};
use shared::ids::TokenId;
use shared::store::Row;
use utoipa::ToSchema;

use crate::App;

/// A revoked token.
#[derive(Serialize, ToSchema)]
struct Revoked {
    /// Its id.
    #[schema(format = "uuid")]
    id: String,
    /// `true`.
    revoked: bool,
}

/// Revoke a token
///
/// Permanently deletes the token and all tokens created with it; the next request with any of them is refused. A token
/// may revoke itself.
#[utoipa::path(
    delete,
    path = "/tokens/{id}",
    operation_id = "revokeToken",
    tag = "Tokens",
    params((
        "id" = String, Path, format = "uuid", description = "The token's id, as `GET /tokens` lists it.",
        example = "019a9d3c-6a10-7c3e-9d5b-0c2f6c1f4a77"
    )),
    responses(
        (status = 200, description = "The token is revoked.", body = Answer<Revoked>),
        (status = 404, description = "not_found"),
    )
)]
pub(crate) async fn revoke(app: &App, call: &mut Call) -> Result<Reply, Error> {
    let Some(id) = TokenId::parse(call.id()) else {
        auth::caller(&app.store, call).await?;
        return Err(Error::NotFound);
    };
    let (caller, found) = auth::caller_with(&app.store, call, &[Row::Token(id)]).await?;
    let token = found.token(id)?.filter(|token| !token.is_outdated(&caller.account)).ok_or(Error::NotFound)?;
    app.store.revoke_token(caller.user, &caller.account, &token, call.deadline()).await?;
    Reply::data(&Revoked { id: id.to_string(), revoked: true })
}
