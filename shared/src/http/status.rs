//! The table of errors: for each, its status, its code, its sentence, its details and headers.

use lambda_http::http::StatusCode;
use lambda_http::http::header::{ALLOW, HeaderName, RETRY_AFTER, WWW_AUTHENTICATE};
use lambda_http::{Body, Response};
use serde::Serialize;
use serde_json::{Map, Value, json};

use super::Reply;
use crate::error::{Error, FieldErrors, TooLarge};
use crate::quota::Quota;

const NOT_TAKEN: &str =
    "Today's analyses are used up. Wait until 00:00 UTC; Retry-After says how many seconds that is.";
const TOO_MANY_FAILURES: &str = "Too many analyses failed today. Check the files and wait until 00:00 UTC; Retry-After says how many seconds that is.";

/// `{"success":false,"error":…}`
#[derive(Serialize)]
struct Envelope<'a> {
    success: bool,
    error: Described<'a>,
}

#[derive(Serialize)]
struct Described<'a> {
    code: &'static str,
    message: &'static str,
    request_id: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    details: Option<Value>,
}

/// The error as the caller sees it, with the headers of every answer. For a gateway that has to
/// answer in a function's place.
#[must_use]
pub fn refusal(error: &Error, request_id: &str) -> Response<Body> {
    reply(error, request_id, None).into_response(request_id, None)
}

/// The error as the caller sees it.
#[must_use]
pub fn reply(error: &Error, request_id: &str, quota: Option<&Quota>) -> Reply {
    let (status, code, message) = describe(error);
    let described = Described { code, message, request_id, details: details(error) };
    let reply = Reply::json(status, &Envelope { success: false, error: described });
    match header(error, quota) {
        Some((name, value)) => reply.header(name, value),
        None => reply,
    }
}

/// The same for people: `body` makes a page of the status and the sentence.
#[must_use]
pub fn page(error: &Error, quota: Option<&Quota>, body: impl FnOnce(StatusCode, &'static str) -> Reply) -> Reply {
    let (status, _, message) = describe(error);
    let reply = body(status, message).status(status);
    match header(error, quota) {
        Some((name, value)) => reply.header(name, value),
        None => reply,
    }
}

/// An error's sentence for people.
#[must_use]
pub fn sentence(error: &Error) -> &'static str {
    describe(error).2
}

/// An error's code.
pub(super) fn code(error: &Error) -> &'static str {
    describe(error).1
}

fn describe(error: &Error) -> (StatusCode, &'static str, &'static str) {
    match error {
        Error::BadRequest(message) => (StatusCode::BAD_REQUEST, "bad_request", message),
        Error::Unauthenticated => (
            StatusCode::UNAUTHORIZED,
            "unauthenticated",
            "The API token is missing or not valid. Send the header Authorization: Bearer <API_TOKEN> with a token from the web console.",
        ),
        Error::Forbidden => (
            StatusCode::FORBIDDEN,
            "forbidden",
            "This request did not come from a page of this console, or the page was too old. Reload the page and try again.",
        ),
        Error::NotFound => (
            StatusCode::NOT_FOUND,
            "not_found",
            "There is nothing at this address, or it is not yours. Check the path and the id.",
        ),
        Error::MethodNotAllowed(_) => (
            StatusCode::METHOD_NOT_ALLOWED,
            "method_not_allowed",
            "This address does not take that method. The Allow header lists the ones it takes.",
        ),
        Error::TooLarge(TooLarge::File) => (
            StatusCode::PAYLOAD_TOO_LARGE,
            "file_too_large",
            "The file is larger than 100 MB (104857600 bytes). Send a smaller one.",
        ),
        Error::TooLarge(TooLarge::Text) => (
            StatusCode::PAYLOAD_TOO_LARGE,
            "file_too_large",
            "The request body is larger than the 64 KB that this address takes. Send a smaller one.",
        ),
        Error::UnsupportedMediaType(message) => (StatusCode::UNSUPPORTED_MEDIA_TYPE, "unsupported_media_type", message),
        Error::Invalid(_) => (
            StatusCode::UNPROCESSABLE_ENTITY,
            "validation_failed",
            "Some fields are missing or not valid. The details say which ones and why.",
        ),
        Error::AnalysisFailed(reason) => (StatusCode::UNPROCESSABLE_ENTITY, "analysis_failed", reason.message()),
        Error::IdempotencyKeyReused => (
            StatusCode::UNPROCESSABLE_ENTITY,
            "idempotency_key_reused",
            "This Idempotency-Key was used for another file. Send a new key with a new file.",
        ),
        Error::TokenLimitReached => (
            StatusCode::UNPROCESSABLE_ENTITY,
            "token_limit_reached",
            "The account has 100 tokens, which is the most it may have. Revoke one that is no longer needed.",
        ),
        Error::DailyLimitExceeded => (StatusCode::TOO_MANY_REQUESTS, "daily_limit_exceeded", NOT_TAKEN),
        Error::RateLimited => (StatusCode::TOO_MANY_REQUESTS, "rate_limited", TOO_MANY_FAILURES),
        Error::TooManyLogins { .. } => (
            StatusCode::TOO_MANY_REQUESTS,
            "rate_limited",
            "Too many failed log-ins. Wait a quarter of an hour and try again.",
        ),
        Error::Unavailable(_) => (
            StatusCode::SERVICE_UNAVAILABLE,
            "service_unavailable",
            "The service is briefly unavailable. Send the request again; nothing is charged twice.",
        ),
        Error::Internal(_) => (
            StatusCode::INTERNAL_SERVER_ERROR,
            "internal_error",
            "Something went wrong on our side. Try again later, and tell the operator the request id if it persists.",
        ),
    }
}

fn details(error: &Error) -> Option<Value> {
    match error {
        Error::Invalid(errors) => Some(json!({ "fields": by_field(errors) })),
        Error::AnalysisFailed(reason) => Some(json!({ "reason": reason.code() })),
        _ => None,
    }
}

/// `{field: [reason, …]}`
fn by_field(errors: &FieldErrors) -> Map<String, Value> {
    let mut fields = Map::new();
    for (field, reason) in errors.iter() {
        let reasons = fields.entry(field).or_insert_with(|| Value::Array(Vec::new()));
        if let Value::Array(reasons) = reasons {
            reasons.push(reason.into());
        }
    }
    fields
}

fn header(error: &Error, quota: Option<&Quota>) -> Option<(HeaderName, String)> {
    match error {
        Error::Unauthenticated => Some((WWW_AUTHENTICATE, "Bearer".to_owned())),
        Error::MethodNotAllowed(allowed) => Some((ALLOW, (*allowed).to_owned())),
        Error::DailyLimitExceeded | Error::RateLimited => Some((RETRY_AFTER, quota?.seconds_to_reset().to_string())),
        Error::TooManyLogins { retry_after } => Some((RETRY_AFTER, retry_after.to_string())),
        Error::Unavailable(_) => Some((RETRY_AFTER, "1".to_owned())),
        _ => None,
    }
}
