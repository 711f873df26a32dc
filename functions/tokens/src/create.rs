//! `POST /tokens`: a new token; its value is in this answer and nowhere else, ever.

use lambda_http::http::StatusCode;
use lambda_http::http::header::LOCATION;
use serde::Serialize;
use shared::auth;
use shared::error::{Cause, Error};
use shared::http::{Answer, BASE_PATH, Call, Fields, Reply};
use shared::ids::TokenId;
use shared::secret::ApiToken;
use shared::store::tokens::{NewToken, TokenRecord};
use shared::{token_life, token_name};
use utoipa::ToSchema;

use crate::App;

/// What to call a token.
#[derive(ToSchema)]
#[schema(as = TokenRequest)]
struct Wanted {
    /// A name to recognise the token by: 1 to 255 characters, trimmed, none of them a control or format character.
    // the pattern spells Cc and Cf out as far as they are within 16 bits: not every reader of patterns knows \p
    #[schema(
        min_length = 1,
        max_length = 255,
        example = "my laptop",
        pattern = r"^[^\u0000-\u001f\u007f-\u009f\u00ad\u0600-\u0605\u061c\u06dd\u070f\u0890\u0891\u08e2\u180e\u200b-\u200f\u202a-\u202e\u2060-\u2064\u2066-\u206f\ufeff\ufff9-\ufffb]*[^\s\u0000-\u001f\u007f-\u009f\u00ad\u0600-\u0605\u061c\u06dd\u070f\u0890\u0891\u08e2\u180e\u200b-\u200f\u202a-\u202e\u2060-\u2064\u2066-\u206f\ufeff\ufff9-\ufffb][^\u0000-\u001f\u007f-\u009f\u00ad\u0600-\u0605\u061c\u06dd\u070f\u0890\u0891\u08e2\u180e\u200b-\u200f\u202a-\u202e\u2060-\u2064\u2066-\u206f\ufeff\ufff9-\ufffb]*$"
    )]
    name: String,
    /// In how many days the token ends, 1 to 365; without it, or with `null`, it does not end.
    #[schema(minimum = 1, maximum = 365, example = 90)]
    expires_in_days: Option<u16>,
}

/// A token with its value.
#[derive(Serialize, ToSchema)]
#[schema(as = NewToken)]
struct Created {
    #[serde(flatten)]
    record: TokenRecord,
    /// The token's value, shown this once: `Authorization: Bearer <token>`.
    #[schema(example = "pdfa_9nvixTTsdKDzBPa5Oj8vwdww5kQHldM0BypZiOuzbOPld9nrLo7AZrdGaIsGSjTnuQtWKl3bB6Ll")]
    token: String,
}

const NO_OBJECT: &str = "The body is JSON, but not an object. Send an object such as {\"name\":\"my laptop\"}.";

impl Wanted {
    fn read(call: &mut Call) -> Result<Self, Error> {
        let fields = Fields::json_or_form(call, NO_OBJECT)?;
        Ok(Self { name: token_name::read(&fields)?, expires_in_days: token_life::read(&fields)? })
    }
}

/// Create a token
///
/// A new token of the account. Its value is in this answer and nowhere else, ever. An account has at most 100. One
/// with `expires_in_days` is refused from its end on.
#[utoipa::path(
    post,
    path = "/tokens",
    operation_id = "createToken",
    tag = "Tokens",
    request_body(
        description = "What to call the token.",
        content((Wanted = "application/json"), (Wanted = "application/x-www-form-urlencoded"))
    ),
    responses(
        (status = 201, description = "The token, with its value.", body = Answer<Created>, headers(
            ("Location" = String, description = "The token's own address, to revoke it at."),
        ), links(("revoke" = (operation_id = "revokeToken", parameters(("id" = "$response.body#/data/id")))))),
        (status = 400, description = "bad_request"),
        (status = 413, description = "file_too_large"),
        (status = 415, description = "unsupported_media_type"),
        (status = 422, description = "validation_failed, token_limit_reached"),
    )
)]
pub(crate) async fn create(app: &App, call: &mut Call) -> Result<Reply, Error> {
    let caller = auth::caller(&app.store, call).await?;
    let Wanted { name, expires_in_days } = Wanted::read(call)?;
    let ends_at = token_life::end(expires_in_days, call.now);
    let token =
        ApiToken::new(caller.user, TokenId::new(call.now)).map_err(|error| Error::Internal(Cause::of(&error)))?;
    let new = NewToken { token: &token, name: &name, ends_at, unconfirmed: caller.account.unconfirmed };
    let record = app.store.create_token(&new, call.now, call.deadline()).await?;
    let location = format!("{BASE_PATH}/tokens/{}", record.id);
    let reply = Reply::data(&Created { record, token: token.reveal() })?;
    Ok(reply.status(StatusCode::CREATED).header(LOCATION, location))
}
