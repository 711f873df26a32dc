//! Paths that no route takes: JSON below the API's base path, a page elsewhere.

use lambda_http::http::StatusCode;
use shared::auth;
use shared::error::Error;
use shared::http::{BASE_PATH, Call, Reply};

use crate::App;
use crate::home::HTML;

impl App {
    pub(crate) async fn missing(&self, call: &mut Call) -> Result<Reply, Error> {
        if !is_api(call.path()) {
            let page = "<!doctype html><title>404</title><p>There is no page at this address.</p>\n".to_owned();
            return Ok(Reply::page(StatusCode::NOT_FOUND, HTML, page));
        }
        auth::caller(&self.store, call).await?;
        Err(Error::NotFound)
    }
}

fn is_api(path: &str) -> bool {
    path.strip_prefix(BASE_PATH).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
}
