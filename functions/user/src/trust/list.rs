//! `GET /trust`: the issuers whom the account trusts.

use shared::auth;
use shared::error::Error;
use shared::http::{Answer, Call, Reply};
use shared::store::Row;
use shared::store::trust::TrustedIssuer;

use crate::App;

/// List trusted issuers
///
/// Returns all issuers that the account trusts, the last added first.
#[utoipa::path(
    get,
    path = "/trust",
    operation_id = "listTrustedIssuers",
    tag = "Account",
    responses((status = 200, description = "The issuers.", body = Answer<Vec<TrustedIssuer>>))
)]
pub(crate) async fn list(app: &App, call: &mut Call) -> Result<Reply, Error> {
    let (_, found) = auth::caller_with(&app.store, call, &[Row::Trust]).await?;
    Reply::data(&found.issuers()?.records())
}
