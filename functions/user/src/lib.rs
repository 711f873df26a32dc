//! The `user` endpoint group: the caller's own account, and whom it trusts.

#![warn(clippy::expect_used, clippy::indexing_slicing, clippy::panic)]

mod show;
mod trust;

use shared::auth;
use shared::clock::Clock;
use shared::function::Function;
use shared::journal::Journal;
use shared::platform::Platform;
use shared::store::Store;
use utoipa::OpenApi;

/// The API document's part for this group's calls.
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

impl Function for App {
    shared::routes! {
        refuse by auth::refuse_method;
        "/api/v1/user" => GET show::show;
        "/api/v1/trust" => GET trust::list::list, POST trust::add::add;
        "/api/v1/trust/{id}" => DELETE trust::remove::remove;
    }

    fn new(platform: Platform) -> Self {
        Self { store: platform.store(), clock: platform.clock, journal: platform.journal }
    }
}
