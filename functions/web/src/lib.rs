//! The `web` endpoint group: the web console, and every path that no other route takes.

#![warn(clippy::expect_used, clippy::indexing_slicing, clippy::panic)]

mod account;
mod address;
mod analyses;
mod app;
mod assets;
mod audience;
mod confirm;
mod copyable;
mod dates;
mod docs;
mod entry;
mod failure;
mod forgot;
mod forms;
mod headers;
mod health;
mod home;
pub mod integrity;
mod layout;
mod login;
mod logout;
mod mail;
mod mail_link;
mod missing;
mod origin;
mod outbox;
mod passwords;
mod register;
mod reset;
mod session;
mod tokens;

use lambda_http::{Body, Request, Response};
use shared::error::{Cause, Error};
use shared::http::{Call, Reply};
use utoipa::OpenApi;

use analyses::{dashboard, delete, download, page, share, shared_report, upload};
use audience::Audience;

pub use app::App;
pub use mail::{MailError, Mailer};
pub use passwords::Passwords;
pub use register::Registration;
pub use session::owner;

/// What the API's document says of itself.
#[derive(Debug, OpenApi)]
#[openapi(paths(docs::openapi::show, health::health))]
pub struct Reference;

impl App {
    /// Answers one request; never fails, every failure is an answer.
    pub async fn handle(&self, request: Request) -> Response<Body> {
        let mut call = Call::new(request, &self.clock, &self.journal);
        let result = call.tally().during(self.answer(&mut call)).await;
        let (audience, is_link) = (Audience::of(&call), shared_report::is_link(call.path()));
        let response =
            call.finish_with(result, |error, request_id, quota| failure::reply(audience, error, request_id, quota));
        let response = if audience == Audience::Program { response } else { headers::protect(response) };
        if is_link { shared_report::keep_private(response) } else { response }
    }

    async fn answer(&self, call: &mut Call) -> Result<Reply, Error> {
        match call.route() {
            "GET /" => home::home(self, call).await,
            "ANY /" => Err(Error::MethodNotAllowed("GET")),
            "GET /register" => register::show(self, call).await,
            "POST /register" => register::register(self, call).await,
            "ANY /register" => Err(Error::MethodNotAllowed("GET, POST")),
            "GET /login" => login::show(self, call).await,
            "POST /login" => login::login(self, call).await,
            "ANY /login" => Err(Error::MethodNotAllowed("GET, POST")),
            "GET /forgot" => forgot::show(self, call).await,
            "POST /forgot" => forgot::forgot(self, call).await,
            "ANY /forgot" => Err(Error::MethodNotAllowed("GET, POST")),
            "GET /reset/{secret}" => reset::show(self, call).await,
            "POST /reset/{secret}" => reset::reset(self, call).await,
            "ANY /reset/{secret}" => Err(Error::MethodNotAllowed("GET, POST")),
            "GET /confirm/{secret}" => confirm::show(self, call).await,
            "POST /confirm/{secret}" => confirm::confirm(self, call).await,
            "ANY /confirm/{secret}" => Err(Error::MethodNotAllowed("GET, POST")),
            "GET /address/{secret}" => address::show(self, call).await,
            "POST /address/{secret}" => address::change(self, call).await,
            "ANY /address/{secret}" => Err(Error::MethodNotAllowed("GET, POST")),
            "GET /logout" => logout::show(self, call).await,
            "POST /logout" => logout::logout(self, call).await,
            "ANY /logout" => Err(Error::MethodNotAllowed("GET, POST")),
            "GET /dashboard" => dashboard::show(self, call).await,
            "ANY /dashboard" => Err(Error::MethodNotAllowed("GET")),
            "POST /dashboard/uploads" => upload::stage(self, call).await,
            "ANY /dashboard/uploads" => Err(Error::MethodNotAllowed("POST")),
            "POST /dashboard/analyses" => upload::analyze(self, call).await,
            "ANY /dashboard/analyses" => Err(Error::MethodNotAllowed("POST")),
            "POST /dashboard/delete" => delete::selected(self, call).await,
            "ANY /dashboard/delete" => Err(Error::MethodNotAllowed("POST")),
            "GET /analyses/{id}" => page::show(self, call).await,
            "ANY /analyses/{id}" => Err(Error::MethodNotAllowed("GET")),
            "GET /analyses/{id}/json" => download::json(self, call).await,
            "ANY /analyses/{id}/json" => Err(Error::MethodNotAllowed("GET")),
            "POST /analyses/{id}/share" => share::share(self, call).await,
            "ANY /analyses/{id}/share" => Err(Error::MethodNotAllowed("POST")),
            "POST /analyses/{id}/unshare" => share::end(self, call).await,
            "ANY /analyses/{id}/unshare" => Err(Error::MethodNotAllowed("POST")),
            "GET /s/{secret}" => shared_report::show(self, call).await,
            "ANY /s/{secret}" => Err(Error::MethodNotAllowed("GET")),
            "GET /s/{secret}/json" => shared_report::json(self, call).await,
            "ANY /s/{secret}/json" => Err(Error::MethodNotAllowed("GET")),
            "POST /analyses/{id}/delete" => delete::one(self, call).await,
            "ANY /analyses/{id}/delete" => Err(Error::MethodNotAllowed("POST")),
            "GET /tokens" => tokens::list(self, call).await,
            "POST /tokens" => tokens::create(self, call).await,
            "ANY /tokens" => Err(Error::MethodNotAllowed("GET, POST")),
            "POST /tokens/{id}/revoke" => tokens::revoke(self, call).await,
            "ANY /tokens/{id}/revoke" => Err(Error::MethodNotAllowed("POST")),
            "GET /account" => account::show(self, call).await,
            "ANY /account" => Err(Error::MethodNotAllowed("GET")),
            "POST /account/password" => account::change_password(self, call).await,
            "ANY /account/password" => Err(Error::MethodNotAllowed("POST")),
            "POST /account/email" => account::email::change(self, call).await,
            "ANY /account/email" => Err(Error::MethodNotAllowed("POST")),
            "POST /account/confirmation" => account::email::confirm(self, call).await,
            "ANY /account/confirmation" => Err(Error::MethodNotAllowed("POST")),
            "POST /account/delete" => account::delete(self, call).await,
            "ANY /account/delete" => Err(Error::MethodNotAllowed("POST")),
            "GET /api/v1/openapi.json" => docs::openapi::show(),
            "ANY /api/v1/openapi.json" => Err(Error::MethodNotAllowed("GET")),
            "GET /docs" => docs::overview(self, call).await,
            "ANY /docs" => Err(Error::MethodNotAllowed("GET")),
            "GET /docs/{name}" => docs::page::show(self, call).await,
            "ANY /docs/{name}" => Err(Error::MethodNotAllowed("GET")),
            "GET /assets/{name}" => assets::asset(call),
            "ANY /assets/{name}" => Err(Error::MethodNotAllowed("GET")),
            "GET /health" => health::health(),
            "ANY /health" => Err(Error::MethodNotAllowed("GET")),
            "$default" => missing::missing(self, call).await,
            route => Err(Error::Internal(Cause::unknown_route(route))),
        }
    }
}
