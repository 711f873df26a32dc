//! `GET /tokens`: all of the caller's tokens, newest first, without their values.

use shared::auth;
use shared::error::Error;
use shared::http::{Call, Reply};

use crate::App;

impl App {
    pub(crate) async fn list(&self, call: &mut Call) -> Result<Reply, Error> {
        // sent together: the list is thrown away if the token turns out not to be good
        let (user, deadline) = (auth::token(call)?.user, call.deadline());
        let (caller, tokens) = tokio::join!(auth::caller(&self.store, call), self.store.tokens(user, deadline));
        caller?;
        Reply::data(&tokens?)
    }
}
