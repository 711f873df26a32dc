//! The table of errors: for each, its status, its code, its sentence, its details and headers.

use std::collections::BTreeMap;

use engine::{Reason, Side};
use lambda_http::http::StatusCode;
use lambda_http::http::header::{ALLOW, HeaderName, RETRY_AFTER, WWW_AUTHENTICATE};
use lambda_http::{Body, Response};

use super::Reply;
use super::envelope::{Always, Described, ErrorAnswer, ErrorCode, ErrorDetails};
use crate::error::{Attempts, Error, FieldErrors, Restricted, TooLarge};
use crate::quota::Quota;

const NOT_TAKEN: &str = "You've used today's analyses. More from 00:00 UTC; Retry-After says how many seconds that is.";
const TOO_MANY_FAILURES: &str = "Too many analyses failed today. Check the files and wait until 00:00 UTC; Retry-After says how many seconds that is.";

/// The error's response, with the headers of every answer, for a gateway that answers in place of a function.
#[must_use]
pub fn refusal(error: &Error, request_id: &str) -> Response<Body> {
    reply(error, request_id, None).into_response(request_id, None)
}

/// The error as the caller sees it.
#[must_use]
pub fn reply(error: &Error, request_id: &str, quota: Option<&Quota>) -> Reply {
    reply_saying(error, describe(error).2, request_id, quota)
}

/// The same with another sentence.
#[must_use]
pub fn reply_saying(error: &Error, message: &str, request_id: &str, quota: Option<&Quota>) -> Reply {
    let described = Described { message, ..described(error, request_id) };
    let answer = ErrorAnswer { success: Always::<false>, message, error: described };
    let reply = Reply::json(describe(error).0, &answer);
    if let Some((name, value)) = header(error, quota) { reply.header(name, value) } else { reply }
}

/// The error as the caller sees it, without an envelope.
#[must_use]
pub fn described<'a>(error: &Error, request_id: &'a str) -> Described<'a> {
    let (_, code, message) = describe(error);
    Described { code, message, request_id, details: details(error) }
}

/// The seconds of `Retry-After`; `None` for errors without it.
#[must_use]
pub fn retry_after(error: &Error, quota: Option<&Quota>) -> Option<u64> {
    header(error, quota).filter(|(name, _)| *name == RETRY_AFTER)?.1.parse().ok()
}

/// The same as a page, which `body` builds from the status and the sentence.
#[must_use]
pub fn page(error: &Error, quota: Option<&Quota>, body: impl FnOnce(StatusCode, &'static str) -> Reply) -> Reply {
    let (status, _, message) = describe(error);
    let reply = body(status, message).status(status);
    if let Some((name, value)) = header(error, quota) { reply.header(name, value) } else { reply }
}

/// An error's sentence for people.
#[must_use]
pub fn sentence(error: &Error) -> &'static str {
    describe(error).2
}

/// An error's code.
pub(super) fn code(error: &Error) -> ErrorCode {
    describe(error).1
}

pub(super) fn describe(error: &Error) -> (StatusCode, ErrorCode, &'static str) {
    match error {
        Error::BadRequest(message) => (StatusCode::BAD_REQUEST, ErrorCode::BadRequest, message),
        Error::Unauthenticated => (
            StatusCode::UNAUTHORIZED,
            ErrorCode::Unauthenticated,
            "The API token is missing or not valid. Send the header Authorization: Bearer <API_TOKEN> with a token from the web console.",
        ),
        Error::Forbidden => (
            StatusCode::FORBIDDEN,
            ErrorCode::Forbidden,
            "This request did not come from a page of this console, or the page was too old. Reload the page and try again.",
        ),
        Error::NotFound => (
            StatusCode::NOT_FOUND,
            ErrorCode::NotFound,
            "There is nothing at this address, or it is not yours. Check the path and the id.",
        ),
        Error::UploadNotFound => (
            StatusCode::NOT_FOUND,
            ErrorCode::NotFound,
            "No uploaded file has this upload_id: it was not uploaded yet, has expired, or is not yours. Finish the PUT, or ask for a new ticket.",
        ),
        Error::MethodNotAllowed(_) => (
            StatusCode::METHOD_NOT_ALLOWED,
            ErrorCode::MethodNotAllowed,
            "Method not allowed here. The Allow header lists those that are.",
        ),
        Error::TooLarge(TooLarge::File) => {
            (StatusCode::PAYLOAD_TOO_LARGE, ErrorCode::FileTooLarge, "Maximum 100 MB (104857600 bytes).")
        }
        Error::TooLarge(TooLarge::Pair) => (
            StatusCode::PAYLOAD_TOO_LARGE,
            ErrorCode::FileTooLarge,
            "Both files together are over 100 MB (104857600 bytes). Stage each with POST /pdf/uploads, then compare them by their upload_id.",
        ),
        Error::TooLarge(TooLarge::Text) => (
            StatusCode::PAYLOAD_TOO_LARGE,
            ErrorCode::FileTooLarge,
            "The request body is larger than the 64 KB that this address takes. Send a smaller one.",
        ),
        Error::UnsupportedMediaType(message) => {
            (StatusCode::UNSUPPORTED_MEDIA_TYPE, ErrorCode::UnsupportedMediaType, message)
        }
        Error::Invalid(_) => (
            StatusCode::UNPROCESSABLE_ENTITY,
            ErrorCode::ValidationFailed,
            "Some fields are missing or not valid. The details say which ones and why.",
        ),
        Error::AnalysisFailed(reason) => {
            (StatusCode::UNPROCESSABLE_ENTITY, ErrorCode::AnalysisFailed, reason.message())
        }
        Error::ComparisonFailed(side, reason) => {
            (StatusCode::UNPROCESSABLE_ENTITY, ErrorCode::AnalysisFailed, not_compared(*side, *reason))
        }
        Error::IdempotencyKeyReused => (
            StatusCode::UNPROCESSABLE_ENTITY,
            ErrorCode::IdempotencyKeyReused,
            "This Idempotency-Key was used for another file or name. Send a new key with a new file.",
        ),
        Error::TokenLimitReached => (
            StatusCode::UNPROCESSABLE_ENTITY,
            ErrorCode::TokenLimitReached,
            "The account has 100 tokens, which is the most it may have. Revoke one that is no longer needed.",
        ),
        Error::DailyLimitExceeded { .. } => (StatusCode::TOO_MANY_REQUESTS, ErrorCode::DailyLimitExceeded, NOT_TAKEN),
        Error::RateLimited => (StatusCode::TOO_MANY_REQUESTS, ErrorCode::RateLimited, TOO_MANY_FAILURES),
        Error::TooMany { what, .. } => (StatusCode::TOO_MANY_REQUESTS, ErrorCode::RateLimited, too_many(*what)),
        Error::Unconfirmed(Restricted::Analysis) => (
            StatusCode::TOO_MANY_REQUESTS,
            ErrorCode::DailyLimitExceeded,
            "The account has no analyses until its e-mail address is confirmed. Open the link in the mail, or have another sent on the console's account page.",
        ),
        Error::Unconfirmed(Restricted::Token) => (
            StatusCode::UNPROCESSABLE_ENTITY,
            ErrorCode::TokenLimitReached,
            "The account can have no token until its e-mail address is confirmed. Open the link in the mail, or have another sent on the console's account page.",
        ),
        Error::NoMail => {
            (StatusCode::FORBIDDEN, ErrorCode::Forbidden, "This service sends no mail. Ask its operator for help.")
        }
        Error::RegistrationClosed => (
            StatusCode::FORBIDDEN,
            ErrorCode::Forbidden,
            "Nobody can sign up here by themselves: the operator opens accounts. Ask them for one.",
        ),
        Error::Unavailable(_) => (
            StatusCode::SERVICE_UNAVAILABLE,
            ErrorCode::ServiceUnavailable,
            "The service is briefly unavailable. Send the request again: with the same Idempotency-Key or upload_id, nothing is charged twice.",
        ),
        Error::Internal(_) => (
            StatusCode::INTERNAL_SERVER_ERROR,
            ErrorCode::InternalError,
            "Something went wrong on our side. Try again later, and tell the operator the request id if it persists.",
        ),
    }
}

/// The sentence for one of two files: each has a password of its own.
fn not_compared(side: Side, reason: Reason) -> &'static str {
    match (side, reason) {
        (Side::Before, Reason::PasswordRequired) => {
            "The PDF in `before` is password-protected; send its password in the field `before_password`."
        }
        (Side::After, Reason::PasswordRequired) => {
            "The PDF in `after` is password-protected; send its password in the field `after_password`."
        }
        (Side::Before, Reason::WrongPassword) => "The password in `before_password` does not open the PDF in `before`.",
        (Side::After, Reason::WrongPassword) => "The password in `after_password` does not open the PDF in `after`.",
        (_, reason) => reason.message(),
    }
}

/// The sentence for too many attempts.
fn too_many(what: Attempts) -> &'static str {
    match what {
        Attempts::LogIns => "Too many failed log-ins. Wait a quarter of an hour and try again.",
        Attempts::Registrations => {
            "Too many accounts are being opened from your network, or in all. Try again later; Retry-After says in how many seconds."
        }
        Attempts::Mails => {
            "Too many mails are asked for from your network, or to this address. Look into your mailbox, or try again later; Retry-After says in how many seconds."
        }
        Attempts::Tickets => {
            "Today's upload tickets are used up: twice as many as analyses. Wait until 00:00 UTC; Retry-After says how many seconds that is."
        }
        Attempts::Links => {
            "Too many links to reports that are not there were opened from your network. Wait a quarter of an hour and try again."
        }
        Attempts::Tokens => {
            "The account's tokens have made 20 tokens in this hour, which is the most. Make one in the console, or wait; Retry-After says how many seconds."
        }
        Attempts::OpenTickets => {
            "Five upload tickets are open, which is the most. Analyze what is uploaded, or wait until one expires; Retry-After says how many seconds that is."
        }
    }
}

fn details(error: &Error) -> Option<ErrorDetails> {
    match error {
        Error::Invalid(errors) => Some(ErrorDetails { fields: Some(by_field(errors)), ..ErrorDetails::default() }),
        Error::AnalysisFailed(reason) => Some(ErrorDetails { reason: Some(reason.code()), ..ErrorDetails::default() }),
        Error::ComparisonFailed(file, reason) => {
            Some(ErrorDetails { reason: Some(reason.code()), file: Some(*file), ..ErrorDetails::default() })
        }
        _ => None,
    }
}

/// `{field: [reason, …]}`
fn by_field(errors: &FieldErrors) -> BTreeMap<&'static str, Vec<&'static str>> {
    let mut fields = BTreeMap::<_, Vec<_>>::new();
    for (field, reason) in errors.iter() {
        fields.entry(field).or_default().push(reason);
    }
    fields
}

fn header(error: &Error, quota: Option<&Quota>) -> Option<(HeaderName, String)> {
    match error {
        Error::Unauthenticated => Some((WWW_AUTHENTICATE, "Bearer".to_owned())),
        Error::MethodNotAllowed(allowed) => Some((ALLOW, (*allowed).to_owned())),
        Error::DailyLimitExceeded { .. } | Error::RateLimited | Error::Unconfirmed(Restricted::Analysis) => {
            Some((RETRY_AFTER, quota?.seconds_to_reset().to_string()))
        }
        Error::TooMany { retry_after, .. } => Some((RETRY_AFTER, retry_after.to_string())),
        Error::Unavailable(_) => Some((RETRY_AFTER, "1".to_owned())),
        _ => None,
    }
}
