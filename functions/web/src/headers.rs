//! Headers with which browsers protect the console's pages.

use lambda_http::http::header::{
    CONTENT_SECURITY_POLICY, HeaderMap, HeaderName, HeaderValue, REFERRER_POLICY, STRICT_TRANSPORT_SECURITY,
};
use lambda_http::{Body, Response};

/// Everything that a page may load or do comes from the console itself; nothing is inline, and no
/// other page may frame it.
const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; \
    form-action 'self'; base-uri 'none'; frame-ancestors 'none'";

/// The policy of a page whose script uploads to `bucket`, an origin.
pub(crate) fn policy_with_uploads_to(bucket: &str) -> String {
    POLICY.replace("connect-src 'self'", &format!("connect-src 'self' {bucket}"))
}

/// Adds missing headers.
pub(crate) fn protect(mut response: Response<Body>) -> Response<Body> {
    let headers = response.headers_mut();
    add(headers, CONTENT_SECURITY_POLICY, POLICY);
    add(headers, REFERRER_POLICY, "same-origin");
    add(headers, HeaderName::from_static("cross-origin-resource-policy"), "same-origin");
    add(headers, HeaderName::from_static("cross-origin-opener-policy"), "same-origin");
    // browsers apply it over HTTPS only
    add(headers, STRICT_TRANSPORT_SECURITY, "max-age=31536000");
    response
}

fn add(headers: &mut HeaderMap, name: HeaderName, value: &'static str) {
    headers.entry(name).or_insert(HeaderValue::from_static(value));
}
