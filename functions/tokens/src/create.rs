//! `POST /tokens`: a new token. Only this answer contains its value.

use lambda_http::http::StatusCode;
use lambda_http::http::header::LOCATION;
use serde::Serialize;
use shared::auth;
use shared::error::Error;
use shared::http::{Answer, BASE_PATH, Call, Fields, Reply};
use shared::ids::TokenId;
use shared::inputs::token::TokenRequest;
use shared::store::tokens::TokenRecord;
use shared::use_cases::create_token::create_token;
use utoipa::ToSchema;

use crate::App;

/// A token with its value.
#[derive(Serialize, ToSchema)]
#[schema(as = NewToken)]
struct Created {
    #[serde(flatten)]
    record: TokenRecord,
    /// The token's value, returned only here: `Authorization: Bearer <token>`.
    #[schema(example = "pdfa_9nvixTTsdKDzBPa5Oj8vwdww5kQHldM0BypZiOuzbOPld9nrLo7AZrdGaIsGSjTnuQtWKl3bB6Ll")]
    token: String,
}

const NO_OBJECT: &str = "The body is JSON, but not an object. Send an object such as {\"name\":\"my laptop\"}.";

/// Create a token
///
/// Creates a token of the account. Its value is returned only in this answer. An account has at most 100 tokens. A
/// token with `expires_in_days` is refused after that time. A token that is created with another token ends at the
/// latest when that one does. At most 20 tokens an hour are created with tokens of an account.
#[utoipa::path(
    post,
    path = "/tokens",
    operation_id = "createToken",
    tag = "Tokens",
    request_body(
        description = "The token to create.",
        content((TokenRequest = "application/json"), (TokenRequest = "application/x-www-form-urlencoded"))
    ),
    responses(
        (status = 201, description = "The token, with its value.", body = Answer<Created>, headers(
            ("Location" = String, description = "The address of the token, which takes DELETE only."),
        ), links(("revoke" = (operation_id = "revokeToken", parameters(("id" = "$response.body#/data/id")))))),
        (status = 400, description = "bad_request"),
        (status = 413, description = "file_too_large"),
        (status = 415, description = "unsupported_media_type"),
        (status = 422, description = "validation_failed, token_limit_reached"),
        (status = 429, description = "rate_limited"),
    )
)]
pub(crate) async fn create(app: &App, call: &mut Call) -> Result<Reply, Error> {
    let caller = auth::caller(&app.store, call).await?;
    let request = TokenRequest::read(&Fields::json_or_form(call, NO_OBJECT)?)?;
    let (record, token) = create_token(&app.store, &caller, TokenId::new(call.now), &request, call.deadline()).await?;
    let location = format!("{BASE_PATH}/tokens/{}", record.id);
    let reply = Reply::data(&Created { record, token: token.reveal() })?;
    Ok(reply.status(StatusCode::CREATED).header(LOCATION, location))
}
