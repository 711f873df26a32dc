//! The `tokens` endpoint group: list, create, revoke.

#![warn(clippy::expect_used, clippy::indexing_slicing, clippy::panic)]

mod create;
mod list;
mod revoke;

use shared::auth;
use shared::clock::Clock;
use shared::function::Function;
use shared::journal::Journal;
use shared::platform::Platform;
use shared::store::Store;
use utoipa::OpenApi;

/// The API document's part for this group's calls.
#[derive(Debug, OpenApi)]
#[openapi(paths(create::create, list::list, revoke::revoke))]
pub struct Reference;

/// The function: its state, built once and used by every request.
#[derive(Clone, Debug)]
pub struct App {
    store: Store,
    clock: Clock,
    journal: Journal,
}

impl Function for App {
    shared::routes! {
        refuse by auth::refuse_method;
        "/api/v1/tokens" => GET list::list, POST create::create;
        "/api/v1/tokens/{id}" => DELETE revoke::revoke;
    }

    fn new(platform: Platform) -> Self {
        Self { store: platform.store(), clock: platform.clock, journal: platform.journal }
    }
}
