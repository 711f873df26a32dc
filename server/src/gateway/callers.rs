//! Identifies the sender of a large body before memory is reserved for it.

use std::net::IpAddr;

use lambda_http::Request;
use shared::auth;
use shared::clock::Clock;
use shared::error::Error;
use shared::http::Call;
use shared::ids::UserId;
use shared::inputs::submission::RepeatKeys;
use shared::journal::Journal;
use shared::store::Store;

/// Reads tokens and sessions from the table.
#[derive(Debug)]
pub(super) struct Callers {
    pub(super) store: Store,
    pub(super) clock: Clock,
}

/// The account and address of a client.
#[derive(Clone, Copy, Debug)]
pub(super) struct Client {
    /// The account; `None` if it was not identified.
    pub(super) user: Option<UserId>,
    pub(super) address: IpAddr,
}

impl Callers {
    /// The account of the request's token or session, by its headers only. The function uses what is read here.
    ///
    /// # Errors
    /// [`Error::Unauthenticated`]; [`Error::Unavailable`].
    pub(super) async fn identify(&self, request: Request) -> Result<Client, Error> {
        // not recorded: the request itself is, when its function answers
        let mut call = Call::new(request, &self.clock, &Journal::new(|_| {}));
        let address = call.client();
        let user = if call.has_header("authorization") {
            let answers = RepeatKeys::peek(&call).rows();
            auth::caller_with(&self.store, &mut call, &answers).await?.0.user
        } else {
            web::owner(&self.store, &mut call).await?
        };
        Ok(Client { user: Some(user), address })
    }
}
