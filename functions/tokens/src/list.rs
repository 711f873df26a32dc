//! `GET /tokens`: all of the caller's tokens, newest first, without their values.

use shared::auth;
use shared::error::Error;
use shared::http::{Answer, Call, Reply};
use shared::store::tokens::TokenRecord;

use crate::App;

/// List tokens
///
/// Returns all tokens of the account, newest first, without their values.
#[utoipa::path(
    get,
    path = "/tokens",
    operation_id = "listTokens",
    tag = "Tokens",
    responses((status = 200, description = "The tokens.", body = Answer<Vec<TokenRecord>>))
)]
pub(crate) async fn list(app: &App, call: &mut Call) -> Result<Reply, Error> {
    // sent concurrently: the list is discarded if the token is invalid
    let (user, deadline) = (auth::token(call)?.user, call.deadline());
    let (caller, tokens) = tokio::join!(auth::caller(&app.store, call), app.store.tokens(user, deadline));
    Reply::data(&tokens?.of(&caller?.account)?)
}
