//! The `web` endpoint group: the web console, and every path that no other route takes.

#![warn(clippy::expect_used, clippy::indexing_slicing, clippy::panic)]

mod account;
mod account_pages;
mod analysis;
mod assets;
mod dashboard;
mod dates;
mod docs;
mod docs_fields;
mod docs_page;
mod document;
mod entry;
mod failure;
mod forms;
mod headers;
mod health;
mod home;
mod layout;
mod login;
mod logout;
mod markdown;
mod metadata;
mod missing;
mod openapi;
mod origin;
mod passwords;
mod register;
mod registration;
mod samples;
mod session;
mod tokens;
mod tokens_page;
mod upload;

use lambda_http::{Body, Request, Response};
use shared::analyzer::Analyzer;
use shared::clock::Clock;
use shared::error::{Cause, Error};
use shared::http::{Call, Reply};
use shared::journal::Journal;
use shared::platform::Platform;
use shared::store::Store;
use shared::uploads::Uploads;
use utoipa::OpenApi;

pub use passwords::Passwords;
pub use registration::Registration;

/// What the API's document says of itself.
#[derive(Debug, OpenApi)]
#[openapi(paths(openapi::show, health::health))]
pub struct Reference;

/// The function: its state, built once and used by every request.
#[derive(Clone, Debug)]
pub struct App {
    store: Store,
    uploads: Uploads,
    analyzer: Analyzer,
    passwords: Passwords,
    /// Analyses a day of a new account.
    daily_limit: u64,
    clock: Clock,
    journal: Journal,
}

impl App {
    /// Builds the function from what its process was given.
    #[must_use]
    pub fn new(platform: Platform) -> Self {
        let uploads = Uploads::new(platform.s3, platform.config.upload_bucket);
        let store = Store::new(platform.dynamodb, platform.config.table);
        Self {
            analyzer: Analyzer::new(store.clone(), uploads.clone()),
            store,
            uploads,
            passwords: Passwords::new(),
            daily_limit: platform.config.daily_limit,
            clock: platform.clock,
            journal: platform.journal,
        }
    }

    /// Answers one request; never fails, every failure is an answer.
    pub async fn handle(&self, request: Request) -> Response<Body> {
        let mut call = Call::new(request, &self.clock, &self.journal);
        let result = call.tally().during(self.answer(&mut call)).await;
        let (form, page) = (failure::Form::wanted(&call), !missing::is_for_programs(call.path()));
        let response = call.finish_with(result, |error, request_id, quota| form.reply(error, request_id, quota));
        if page { headers::protect(response) } else { response }
    }

    async fn answer(&self, call: &mut Call) -> Result<Reply, Error> {
        match call.route() {
            "GET /" => self.home(call).await,
            "ANY /" => Err(Error::MethodNotAllowed("GET")),
            "GET /register" => self.register_page(call).await,
            "POST /register" => self.register(call).await,
            "ANY /register" => Err(Error::MethodNotAllowed("GET, POST")),
            "GET /login" => self.login_page(call).await,
            "POST /login" => self.login(call).await,
            "ANY /login" => Err(Error::MethodNotAllowed("GET, POST")),
            "GET /logout" => self.logout_page(call).await,
            "POST /logout" => self.logout(call).await,
            "ANY /logout" => Err(Error::MethodNotAllowed("GET, POST")),
            "GET /dashboard" => self.dashboard(call).await,
            "ANY /dashboard" => Err(Error::MethodNotAllowed("GET")),
            "POST /dashboard/uploads" => self.stage(call).await,
            "ANY /dashboard/uploads" => Err(Error::MethodNotAllowed("POST")),
            "POST /dashboard/analyses" => self.analyze(call).await,
            "ANY /dashboard/analyses" => Err(Error::MethodNotAllowed("POST")),
            "GET /analyses/{id}" => self.analysis(call).await,
            "ANY /analyses/{id}" => Err(Error::MethodNotAllowed("GET")),
            "GET /analyses/{id}/json" => self.analysis_json(call).await,
            "ANY /analyses/{id}/json" => Err(Error::MethodNotAllowed("GET")),
            "GET /tokens" => self.tokens(call).await,
            "POST /tokens" => self.create_token(call).await,
            "ANY /tokens" => Err(Error::MethodNotAllowed("GET, POST")),
            "POST /tokens/{id}/revoke" => self.revoke_token(call).await,
            "ANY /tokens/{id}/revoke" => Err(Error::MethodNotAllowed("POST")),
            "GET /account" => self.account(call).await,
            "ANY /account" => Err(Error::MethodNotAllowed("GET")),
            "POST /account/password" => self.change_password(call).await,
            "ANY /account/password" => Err(Error::MethodNotAllowed("POST")),
            "POST /account/delete" => self.delete_account(call).await,
            "ANY /account/delete" => Err(Error::MethodNotAllowed("POST")),
            "GET /api/v1/openapi.json" => openapi::show(),
            "ANY /api/v1/openapi.json" => Err(Error::MethodNotAllowed("GET")),
            "GET /docs" => self.docs(call).await,
            "ANY /docs" => Err(Error::MethodNotAllowed("GET")),
            "GET /docs/{name}" => self.docs_page(call).await,
            "ANY /docs/{name}" => Err(Error::MethodNotAllowed("GET")),
            "GET /assets/{name}" => assets::asset(call.parameter("name")),
            "ANY /assets/{name}" => Err(Error::MethodNotAllowed("GET")),
            "GET /health" => health::health(),
            "ANY /health" => Err(Error::MethodNotAllowed("GET")),
            "$default" => self.missing(call).await,
            route => Err(Error::Internal(Cause::unknown_route(route))),
        }
    }
}
