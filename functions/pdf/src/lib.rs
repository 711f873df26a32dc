//! The `pdf` endpoint group: analyze, compare, list, read again, refer, delete, share.

#![warn(clippy::expect_used, clippy::indexing_slicing, clippy::panic)]

mod analyze;
mod compare;
mod delete;
mod list;
mod owned;
mod refer;
mod share;
mod show;
mod stage;

use shared::auth;
use shared::clock::Clock;
use shared::function::Function;
use shared::journal::Journal;
use shared::platform::Platform;
use shared::store::Store;
use shared::uploads::Uploads;
use shared::use_cases::analyze::Analyzer;
use utoipa::OpenApi;

/// The API document's part for this group's calls.
#[derive(Debug, OpenApi)]
#[openapi(paths(
    analyze::analyze,
    compare::compare,
    list::list,
    show::show,
    delete::delete,
    refer::refer,
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
    /// The console's origin for links; `None` for the request's.
    origin: Option<String>,
    clock: Clock,
    journal: Journal,
}

impl Function for App {
    shared::routes! {
        refuse by auth::refuse_method;
        "/api/v1/pdf/analyze" => POST analyze::analyze;
        "/api/v1/pdf/compare" => POST compare::compare;
        "/api/v1/pdf/uploads" => POST stage::stage;
        "/api/v1/pdf" => GET list::list;
        "/api/v1/pdf/{id}" => GET show::show, DELETE delete::delete;
        "/api/v1/pdf/{id}/reference" => PUT refer::refer;
        "/api/v1/pdf/{id}/share" => POST share::share, DELETE share::end;
    }

    fn new(platform: Platform) -> Self {
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
}
