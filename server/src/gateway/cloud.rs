//! The size and time limits of API Gateway and Lambda, for `--cloud-limits`. None can be raised.

use std::time::Duration;

use http::StatusCode;
use hyper::body::Body as _;
use lambda_http::Body;
use serde_json::Value;

use super::answer::{Answered, gateway};

/// The largest body of API Gateway.
pub(super) const LARGEST_BODY: u64 = 10 * 1024 * 1024;

/// API Gateway's integration timeout.
pub(super) const LONGEST_INTEGRATION: Duration = Duration::from_secs(30);

/// The largest event, and answer, of a Lambda function.
pub(crate) const LARGEST_EVENT: usize = 6 * 1024 * 1024;

/// Whether Lambda would accept a request's event.
pub(super) fn takes(event: &Value, body: &Body) -> bool {
    event.to_string().len() + encoded_length(body) <= LARGEST_EVENT
}

/// Replaces an answer too large for Lambda by API Gateway's failure.
pub(super) fn limit_answer(answer: Answered) -> Answered {
    // Lambda's answer is JSON: the escapes of text are not counted here.
    if answer.body().size_hint().lower() > LARGEST_EVENT as u64 {
        return failed();
    }
    answer
}

/// A body or an event over the limits.
pub(super) fn too_large() -> Answered {
    gateway(StatusCode::PAYLOAD_TOO_LARGE, "Request Entity Too Large")
}

/// A function that failed or timed out.
pub(super) fn failed() -> Answered {
    gateway(StatusCode::INTERNAL_SERVER_ERROR, "Internal Server Error")
}

/// A function that exceeded API Gateway's timeout.
pub(super) fn timed_out() -> Answered {
    gateway(StatusCode::SERVICE_UNAVAILABLE, "Service Unavailable")
}

fn encoded_length(body: &Body) -> usize {
    match body {
        Body::Text(text) => Value::from(text.as_str()).to_string().len(),
        Body::Binary(bytes) => bytes.len().div_ceil(3) * 4,
        _ => 0,
    }
}
