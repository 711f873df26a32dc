//! The `pdf` endpoint group: analyse, compare, list, read again, delete, share.

#![warn(clippy::expect_used, clippy::indexing_slicing, clippy::panic)]

mod analyze;
mod compare;
mod delete;
mod list;
mod own;
mod share;
mod show;
mod stage;

use lambda_http::{Body, Request, Response};
use shared::auth;
use shared::clock::Clock;
use shared::error::{Cause, Error};
use shared::http::{Call, Reply};
use shared::journal::Journal;
use shared::platform::Platform;
use shared::store::Store;
use shared::uploads::Uploads;
use shared::use_cases::analyze::Analyzer;
use utoipa::OpenApi;

/// What the API's document says of this group's calls.
#[derive(Debug, OpenApi)]
#[openapi(paths(
    analyze::analyze,
    compare::compare,
    list::list,
    show::show,
    delete::delete,
    share::share,
    share::end,
    stage::stage
))]
pub struct Reference;

/// The function: its state, built once and used by every request.
#[derive(Clone, Debug)]
pub struct App {
    store: Store,
    uploads: Uploads,
    analyzer: Analyzer,
    /// The console's origin, which links lead to; `None` for that of the request.
    origin: Option<String>,
    clock: Clock,
    journal: Journal,
}

impl App {
    /// Builds the function from what its process was given.
    #[must_use]
    pub fn new(platform: Platform) -> Self {
        let analyzer = Analyzer::new(&platform);
        Self {
            store: analyzer.store.clone(),
            uploads: analyzer.uploads.clone(),
            analyzer,
            origin: platform.mail.origin,
            clock: platform.clock,
            journal: platform.journal,
        }
    }

    /// Answers one request; never fails, every failure is an answer.
    pub async fn handle(&self, request: Request) -> Response<Body> {
        let mut call = Call::new(request, &self.clock, &self.journal);
        let result = call.tally().during(self.answer(&mut call)).await;
        call.finish(result)
    }

    async fn answer(&self, call: &mut Call) -> Result<Reply, Error> {
        match call.route() {
            "POST /api/v1/pdf/analyze" => analyze::analyze(self, call).await,
            "ANY /api/v1/pdf/analyze" => auth::refuse_method(&self.store, call, "POST").await,
            "POST /api/v1/pdf/compare" => compare::compare(self, call).await,
            "ANY /api/v1/pdf/compare" => auth::refuse_method(&self.store, call, "POST").await,
            "POST /api/v1/pdf/uploads" => stage::stage(self, call).await,
            "ANY /api/v1/pdf/uploads" => auth::refuse_method(&self.store, call, "POST").await,
            "GET /api/v1/pdf" => list::list(self, call).await,
            "ANY /api/v1/pdf" => auth::refuse_method(&self.store, call, "GET").await,
            "GET /api/v1/pdf/{id}" => show::show(self, call).await,
            "DELETE /api/v1/pdf/{id}" => delete::delete(self, call).await,
            "ANY /api/v1/pdf/{id}" => auth::refuse_method(&self.store, call, "GET, DELETE").await,
            "POST /api/v1/pdf/{id}/share" => share::share(self, call).await,
            "DELETE /api/v1/pdf/{id}/share" => share::end(self, call).await,
            "ANY /api/v1/pdf/{id}/share" => auth::refuse_method(&self.store, call, "POST, DELETE").await,
            route => Err(Error::Internal(Cause::unknown_route(route))),
        }
    }
}
