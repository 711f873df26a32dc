//! Paths that no route takes: JSON below the API's base path, a page elsewhere.

use shared::auth;
use shared::error::Error;
use shared::http::{BASE_PATH, Call, Reply};

use crate::{App, health};

impl App {
    pub(crate) async fn missing(&self, call: &mut Call) -> Result<Reply, Error> {
        if is_api(call.path()) {
            auth::caller(&self.store, call).await?;
        }
        Err(Error::NotFound)
    }
}

/// Whether no person's browser asks for this path: the API's, and that for load balancers.
pub(crate) fn is_for_programs(path: &str) -> bool {
    is_api(path) || path == health::PATH
}

fn is_api(path: &str) -> bool {
    path.strip_prefix(BASE_PATH).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
}
