//! Paths without a route: JSON below the API's base path, a page elsewhere.

use shared::auth;
use shared::error::Error;
use shared::http::{Call, Reply};

use crate::app::App;
use crate::response_format::is_api;

pub(crate) async fn not_found(app: &App, call: &mut Call) -> Result<Reply, Error> {
    if is_api(call.path()) {
        auth::caller(&app.store, call).await?;
    }
    Err(Error::NotFound)
}
