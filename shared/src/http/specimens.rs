//! An example answer of each error, for the documentation.

use chrono::DateTime;
use lambda_http::{Body, Response};

use super::envelope::ErrorCode;
use super::status::{describe, reply};
use crate::error::{Cause, Error, FieldErrors, TooLarge};
use crate::quota::Quota;
use engine::Reason;

/// An example answer of each error to a caller with a quota, with its headers.
#[must_use]
pub fn specimens(request_id: &str) -> Vec<(ErrorCode, Response<Body>)> {
    let quota =
        Quota { limit: 50, used: 50, failed: 500, now: DateTime::from_timestamp(1_795_158_938, 0).unwrap_or_default() };
    let errors = [
        Error::BadRequest(
            "The body is not valid JSON, repeats a key or is nested too deeply. Send one plain JSON object.",
        ),
        Error::Unauthenticated,
        Error::Forbidden,
        Error::NotFound,
        Error::MethodNotAllowed("GET"),
        Error::TooLarge(TooLarge::File),
        Error::UnsupportedMediaType("Send a JSON object with Content-Type: application/json."),
        Error::Invalid(FieldErrors::one("file", "is required: a PDF, sent with a file name")),
        Error::AnalysisFailed(Reason::Corrupt),
        Error::IdempotencyKeyReused,
        Error::TokenLimitReached,
        Error::DailyLimitExceeded { remaining: 0 },
        Error::RateLimited,
        Error::Internal(Cause::text("")),
        Error::Unavailable(Cause::text("")),
    ];
    let answer = |error: &Error| {
        // these occur before authentication, or need none
        let known = !matches!(error, Error::Unauthenticated | Error::Internal(_) | Error::Unavailable(_));
        let quota = known.then_some(&quota);
        (describe(error).1, reply(error, request_id, quota).into_response(request_id, quota))
    };
    errors.iter().map(answer).collect()
}
