//! `GET /openapi.json`: the API's own description, for programs. No token is needed.

use shared::error::Error;
use shared::http::{Call, Reply};

use crate::app::App;

/// Generated from types and routes by `cargo run -p reference`; a test compares the two.
const DOCUMENT: &str = include_str!("../../../../docs/openapi.json");

/// Show this document
///
/// The API's description (OpenAPI 3.1). Needs no token.
#[utoipa::path(
    get,
    path = "/openapi.json",
    operation_id = "showReference",
    tag = "Reference",
    security(()),
    responses((status = 200, description = "This document.", body = Object))
)]
pub(crate) async fn show(_: &App, _: &mut Call) -> Result<Reply, Error> {
    Ok(Reply::document(DOCUMENT))
}
