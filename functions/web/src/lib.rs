//! The `web` endpoint group: the web console, and every path that no other route takes.

#![warn(clippy::expect_used, clippy::indexing_slicing, clippy::panic)]

mod account;
mod address;
mod admission;
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
mod integrity;
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
mod routes;
mod session;
mod tokens;
mod trust;

use lambda_http::{Body, Request, Response};
use shared::function::{Function, Routes};
use shared::http::Call;
use shared::platform::Platform;
use utoipa::OpenApi;

use analyses::shared_report;
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

impl Function for App {
    const ROUTES: Routes = Self::TABLE;

    fn new(platform: Platform) -> Self {
        Self::on(platform)
    }

    async fn handle(&self, request: Request) -> Response<Body> {
        let mut call = Call::new(request, &self.clock, &self.journal);
        let result = call.tally().during(self.route(&mut call)).await;
        let (audience, is_link) = (Audience::of(&call), shared_report::is_link(call.path()));
        let response =
            call.finish_with(result, |error, request_id, quota| failure::reply(audience, error, request_id, quota));
        let response = if audience == Audience::Program { response } else { headers::protect(response) };
        if is_link { shared_report::keep_private(response) } else { response }
    }

    async fn due(&self) {
        self.send_mails().await;
    }
}
