//! `GET /health`: whether the process answers and has free disk space, for load balancers. It makes no call to storage.

use serde::Serialize;
use shared::error::{Cause, Error};
use shared::http::{Answer, Call, Reply};
use utoipa::ToSchema;

use crate::app::App;

/// The path, whose errors have the API's form too.
pub(crate) const PATH: &str = "/health";

/// A process that answers.
#[derive(Serialize, ToSchema)]
struct Health {
    /// `ok`.
    status: &'static str,
    /// The service's version.
    version: &'static str,
}

/// Check the service
///
/// Whether the service answers, for load balancers and monitors: 503 if its disk is full. Needs no token and does not
/// use storage. This address is beside the base address, not below it.
#[utoipa::path(
    get,
    path = "/health",
    operation_id = "checkHealth",
    tag = "Reference",
    security(()),
    responses(
        (status = 200, description = "The service answers.", body = Answer<Health>),
        (status = 503, description = "service_unavailable"),
    )
)]
pub(crate) async fn health(app: &App, _: &mut Call) -> Result<Reply, Error> {
    if app.disk_space.is_too_small_for(0) {
        return Err(Error::Unavailable(Cause::text("there is no room left on the disk")));
    }
    Reply::data(&Health { status: "ok", version: env!("CARGO_PKG_VERSION") })
}
