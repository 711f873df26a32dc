//! `POST /trust`: more issuers to trust.

use lambda_http::http::StatusCode;
use shared::auth;
use shared::error::Error;
use shared::http::{Answer, Call, Fields, Reply};
use shared::inputs::trust::TrustRequest;
use shared::store::trust::TrustedIssuer;

use crate::App;

const NO_OBJECT: &str =
    "The body is JSON, but not an object. Send an object such as {\"pem\":\"-----BEGIN CERTIFICATE-----…\"}.";

/// Trust issuers
///
/// From now on, signatures in the account's files are reported as trusted or not, by the issuers added here: at most 50.
/// Issuers added before stay. Stored analyses do not change.
#[utoipa::path(
    post,
    path = "/trust",
    operation_id = "trustIssuers",
    tag = "Account",
    request_body(
        description = "The certificates of the issuers.",
        content((TrustRequest = "application/json"), (TrustRequest = "application/x-www-form-urlencoded"))
    ),
    responses(
        (status = 201, description = "The issuers, in the order in which they were sent.", body = Answer<Vec<TrustedIssuer>>,
            links(("distrust" = (operation_id = "distrustIssuer", parameters(("id" = "$response.body#/data/0/id")))))),
        (status = 400, description = "bad_request"),
        (status = 413, description = "file_too_large"),
        (status = 415, description = "unsupported_media_type"),
        (status = 422, description = "validation_failed"),
    )
)]
pub(crate) async fn add(app: &App, call: &mut Call) -> Result<Reply, Error> {
    let caller = auth::caller(&app.store, call).await?;
    let TrustRequest { pem, name } = TrustRequest::read(&Fields::json_or_form(call, NO_OBJECT)?)?;
    let added = app.store.trust(caller.user, &pem, name.as_deref(), call.now, call.deadline()).await?;
    Ok(Reply::data(&added)?.status(StatusCode::CREATED))
}
