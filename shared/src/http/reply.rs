//! A reply in the envelope, and the headers of every answer.

use http::header::{CACHE_CONTROL, CONTENT_TYPE, HeaderName, HeaderValue, LOCATION, X_CONTENT_TYPE_OPTIONS};
use lambda_http::http::{self, StatusCode};
use lambda_http::{Body, Response};
use serde::Serialize;

use super::envelope::{Always, AnalyzedAnswer, Answer};
use crate::analysis::Entry;
use crate::error::Error;
use crate::quota::Quota;

const JSON: &str = "application/json";

/// An answer: a status, headers, a body. Not `Debug`: it may carry a new token.
pub struct Reply {
    status: StatusCode,
    headers: Vec<(HeaderName, String)>,
    content_type: &'static str,
    body: Body,
}

impl Reply {
    /// 200 with `{"success":true,"data":…}`.
    ///
    /// # Errors
    /// [`Error::Internal`] if `data` has no JSON form.
    pub fn data(data: &impl Serialize) -> Result<Self, Error> {
        Self::envelope(&Answer { success: Always::<true>, data })
    }

    /// 200 with a new entry and the rest of today's quota.
    ///
    /// # Errors
    /// [`Error::Internal`] if it has no JSON form.
    pub fn analyzed(data: &Entry, remaining_checks: u64) -> Result<Self, Error> {
        Self::envelope(&AnalyzedAnswer { success: Always::<true>, data, remaining_checks })
    }

    /// 200 with an envelope that has more than data.
    ///
    /// # Errors
    /// [`Error::Internal`] if it has no JSON form.
    pub fn envelope(envelope: &impl Serialize) -> Result<Self, Error> {
        let body = serde_json::to_string(envelope).map_err(Error::internal)?;
        Ok(Self::page(StatusCode::OK, JSON, body))
    }

    /// 200 with a complete JSON text.
    #[must_use]
    pub fn document(json: &str) -> Self {
        Self::page(StatusCode::OK, JSON, json.to_owned())
    }

    /// Any body, for answers outside of the API.
    #[must_use]
    pub fn page(status: StatusCode, content_type: &'static str, body: impl Into<Body>) -> Self {
        Self { status, headers: Vec::new(), content_type, body: body.into() }
    }

    /// 202 without a body: accepted.
    #[must_use]
    pub fn accepted() -> Self {
        Self::page(StatusCode::ACCEPTED, "", String::new())
    }

    /// 303: the browser continues with a GET of `path`.
    #[must_use]
    pub fn see_other(path: impl Into<String>) -> Self {
        Self::page(StatusCode::SEE_OTHER, "text/plain; charset=utf-8", String::new()).header(LOCATION, path)
    }

    /// The same with another status.
    #[must_use]
    pub fn status(mut self, status: StatusCode) -> Self {
        self.status = status;
        self
    }

    /// The same with one more header.
    #[must_use]
    pub fn header(mut self, name: HeaderName, value: impl Into<String>) -> Self {
        self.headers.push((name, value.into()));
        self
    }

    pub(super) fn json(status: StatusCode, body: &impl Serialize) -> Self {
        Self::page(status, JSON, serde_json::to_string(body).unwrap_or_default())
    }

    pub(super) fn into_response(self, request_id: &str, quota: Option<&Quota>) -> Response<Body> {
        let mut response = Response::new(self.body);
        *response.status_mut() = self.status;
        let headers = response.headers_mut();
        if !self.content_type.is_empty() {
            headers.insert(CONTENT_TYPE, HeaderValue::from_static(self.content_type));
        }
        headers.insert(X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff"));
        headers.insert(CACHE_CONTROL, HeaderValue::from_static("no-store"));
        let request_id = (HeaderName::from_static("x-request-id"), request_id.to_owned());
        let quota = quota.map(rate_limit).into_iter().flatten();
        for (name, value) in self.headers.into_iter().chain(quota).chain([request_id]) {
            if let Ok(value) = HeaderValue::from_str(&value) {
                headers.insert(name, value);
            }
        }
        response
    }
}

/// The quota in the IETF draft's headers (draft-ietf-httpapi-ratelimit-headers) and in the
/// older ones that many clients read.
fn rate_limit(quota: &Quota) -> [(HeaderName, String); 5] {
    let (limit, remaining) = (quota.limit, quota.remaining());
    [
        ("ratelimit-policy", format!("\"daily\";q={limit};w=86400")),
        ("ratelimit", format!("\"daily\";r={remaining};t={}", quota.seconds_to_reset())),
        ("x-ratelimit-limit", limit.to_string()),
        ("x-ratelimit-remaining", remaining.to_string()),
        ("x-ratelimit-reset", quota.resets_at().timestamp().to_string()),
    ]
    .map(|(name, value)| (HeaderName::from_static(name), value))
}
