//! The `web` endpoint group: the web console, and every path that no other route takes.

#![warn(clippy::expect_used, clippy::indexing_slicing, clippy::panic)]

mod account;
mod address;
mod admission;
mod analyses;
mod app;
mod assets;
mod confirm;
mod copyable;
mod credentials_form;
mod dates;
mod docs;
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
mod next_page;
mod not_found;
mod origin;
mod outbox;
mod passwords;
mod register;
mod reset;
mod response_format;
mod routes;
mod session;
mod tokens;
mod trust;

use utoipa::OpenApi;

pub use analyses::report_page;
pub use app::App;
pub use mail::{MailError, Mailer};
pub use passwords::Passwords;
pub use register::Registration;
pub use session::owner;

/// The API document's general part.
#[derive(Debug, OpenApi)]
#[openapi(paths(docs::openapi::show, health::health))]
pub struct Reference;
