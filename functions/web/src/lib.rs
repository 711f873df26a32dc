//! The `web` endpoint group: the web console, and every path that no other route takes.

mod home;
mod missing;

use lambda_http::{Body, Request, Response};
use shared::clock::Clock;
use shared::error::{Cause, Error};
use shared::http::{Call, Reply};
use shared::platform::Platform;
use shared::store::Store;

/// The function: its state, built once and used by every request.
#[derive(Clone, Debug)]
pub struct App {
    store: Store,
    clock: Clock,
}

impl App {
    /// Builds the function from what its process was given.
    #[must_use]
    pub fn new(platform: Platform) -> Self {
        Self { store: Store::new(platform.dynamodb, platform.config.table), clock: platform.clock }
    }

    /// Answers one request; never fails, every failure is an answer.
    pub async fn handle(&self, request: Request) -> Response<Body> {
        let mut call = Call::new(request, &self.clock);
        let result: Result<Reply, Error> = match call.route() {
            "GET /" => Ok(home::page()),
            "ANY /" => Ok(home::method_not_allowed()),
            "$default" => self.missing(&mut call).await,
            route => Err(Error::Internal(Cause::unknown_route(route))),
        };
        call.finish(result)
    }
}
