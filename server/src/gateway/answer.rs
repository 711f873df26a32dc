//! Answers: a function's, the gateway's own, and those in the service's envelope.

use bytes::Bytes;
use http::{HeaderMap, HeaderValue, Response, StatusCode, header};
use http_body_util::Full;
use lambda_http::Body;
use serde_json::json;
use shared::error::{Cause, Error};
use uuid::Uuid;

pub(super) type Answered = Response<Full<Bytes>>;

/// A function's answer as forwarded by Lambda: only the first of repeated headers, but every cookie. `None` if Lambda
/// could not forward it: its event is JSON, so header values must be text.
pub(super) fn from_function(response: Response<Body>) -> Option<Answered> {
    let (parts, body) = response.into_parts();
    let mut headers = HeaderMap::with_capacity(parts.headers.len());
    for (name, value) in &parts.headers {
        std::str::from_utf8(value.as_bytes()).ok()?;
        if name == header::SET_COOKIE {
            headers.append(name, value.clone());
        } else if !headers.contains_key(name) {
            headers.insert(name, value.clone());
        }
    }
    let mut response = Response::new(Full::new(match body {
        Body::Text(text) => Bytes::from(text),
        Body::Binary(bytes) => Bytes::from(bytes),
        _ => Bytes::new(),
    }));
    *response.status_mut() = parts.status;
    *response.headers_mut() = headers;
    Some(response)
}

/// An answer by API Gateway itself, in its format.
pub(super) fn gateway(status: StatusCode, message: &str) -> Answered {
    let mut response = Response::new(Full::from(json!({"message": message}).to_string()));
    *response.status_mut() = status;
    response.headers_mut().insert(header::CONTENT_TYPE, HeaderValue::from_static("application/json"));
    response
}

/// The answer in place of a failed function; the cause is already logged.
pub(super) fn internal_error(request_id: Uuid) -> Answered {
    let failed = Error::Internal(Cause::text("the function failed"));
    shared::http::refusal(&failed, &request_id.to_string()).map(|body| Full::from(body.to_vec()))
}
