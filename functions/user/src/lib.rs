//! The `user` endpoint group: the caller's own account, and whom it trusts.

#![warn(clippy::expect_used, clippy::indexing_slicing, clippy::panic)]

mod show;
mod trust;

use lambda_http::{Body, Request, Response};
use shared::auth;
use shared::clock::Clock;
use shared::error::{Cause, Error};
use shared::http::{Call, Reply};
use shared::journal::Journal;
use shared::platform::Platform;
use shared::store::Store;
use utoipa::OpenApi;

/// What the API's document says of this group's calls.
#[derive(Debug, OpenApi)]
#[openapi(paths(show::show, trust::add::add, trust::list::list, trust::remove::remove))]
pub struct Reference;

/// The function: its state, built once and used by every request.
#[derive(Clone, Debug)]
pub struct App {
    store: Store,
    clock: Clock,
    journal: Journal,
}

impl App {
    /// Builds the function from what its process was given.
    #[must_use]
    pub fn new(platform: Platform) -> Self {
        Self { store: platform.store(), clock: platform.clock, journal: platform.journal }
    }

    /// Answers one request; never fails, every failure is an answer.
    pub async fn handle(&self, request: Request) -> Response<Body> {
        let mut call = Call::new(request, &self.clock, &self.journal);
        let result = call.tally().during(self.answer(&mut call)).await;
        call.finish(result)
    }

    async fn answer(&self, call: &mut Call) -> Result<Reply, Error> {
        match call.route() {
            "GET /api/v1/user" => show::show(self, call).await,
            "ANY /api/v1/user" => auth::refuse_method(&self.store, call, "GET").await,
            "GET /api/v1/trust" => trust::list::list(self, call).await,
            "POST /api/v1/trust" => trust::add::add(self, call).await,
            "ANY /api/v1/trust" => auth::refuse_method(&self.store, call, "GET, POST").await,
            "DELETE /api/v1/trust/{id}" => trust::remove::remove(self, call).await,
            "ANY /api/v1/trust/{id}" => auth::refuse_method(&self.store, call, "DELETE").await,
            route => Err(Error::Internal(Cause::unknown_route(route))),
        }
    }
}
