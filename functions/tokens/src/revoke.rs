//! `DELETE /tokens/{id}`: the token is gone; the next request with it is refused.

use serde::Serialize;
use shared::auth;
use shared::error::Error;
use shared::http::{Call, Reply};
use shared::ids::TokenId;
use shared::store::Row;

use crate::App;

/// `data` of the answer.
#[derive(Serialize)]
struct Revoked {
    id: String,
    revoked: bool,
}

impl App {
    pub(crate) async fn revoke(&self, call: &mut Call) -> Result<Reply, Error> {
        let Some(id) = TokenId::parse(call.id()) else {
            auth::caller(&self.store, call).await?;
            return Err(Error::NotFound);
        };
        let (caller, found) = auth::caller_with(&self.store, call, &[Row::Token(id)]).await?;
        found.token(id)?.ok_or(Error::NotFound)?;
        self.store.revoke_token(caller.user, id, call.deadline()).await?;
        Reply::data(&Revoked { id: id.to_string(), revoked: true })
    }
}
