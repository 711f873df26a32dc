//! `GET /health`: whether the process answers, for load balancers. It asks nothing of storage.

use serde::Serialize;
use shared::error::Error;
use shared::http::Reply;

/// The path, whose failures are told in the API's words too.
pub(crate) const PATH: &str = "/health";

/// `data` of the answer.
#[derive(Serialize)]
struct Health {
    status: &'static str,
    version: &'static str,
}

pub(crate) fn health() -> Result<Reply, Error> {
    Reply::data(&Health { status: "ok", version: env!("CARGO_PKG_VERSION") })
}
