//! An event of API Gateway (payload format 2.0) as a request, and an answer as Lambda hands it back. Implemented here
//! because lambda_http panics at a body that is not base64 and at some addresses.

use base64_simd::STANDARD;
use chrono::{DateTime, Utc};
use lambda_http::aws_lambda_events::apigw::{ApiGatewayV2httpRequest, ApiGatewayV2httpResponse};
use lambda_http::http::header::{COOKIE, HeaderValue, SET_COOKIE};
use lambda_http::http::{HeaderMap, Uri};
use lambda_http::request::RequestContext;
use lambda_http::{Body, Request, RequestExt, Response};
use percent_encoding::{AsciiSet, CONTROLS, utf8_percent_encode};
use serde::Deserialize;
use serde_json::Value;

use crate::error::Error;
use crate::http::{ErrorCode, refusal};
use crate::journal::JournalEntry;

/// Characters to encode in a query (RFC 3986, section 3.4).
const QUERY: &AsciiSet = &CONTROLS.add(b' ').add(b'"').add(b'#').add(b'<').add(b'>');
/// Characters to encode in a path (RFC 3986, section 3.3).
const PATH: &AsciiSet = &QUERY.add(b'?').add(b'`').add(b'{').add(b'}').add(b'^');

/// An event that is no valid request.
#[derive(Debug)]
pub struct Unreadable {
    request_id: String,
    route: String,
    why: &'static str,
}

impl Unreadable {
    /// The answer to its sender: 400 in the envelope.
    #[must_use]
    pub fn answer(&self) -> Response<Body> {
        refusal(&Error::BadRequest(self.why), &self.request_id)
    }

    /// Its entry in the journal: arrived at `time`, not processed.
    pub(super) fn entry(&self, time: DateTime<Utc>) -> JournalEntry {
        JournalEntry {
            time,
            request_id: self.request_id.clone(),
            route: self.route.clone(),
            status: self.answer().status().as_u16(),
            error: Some(ErrorCode::BadRequest.name()),
            ..JournalEntry::default()
        }
    }
}

/// The request that an event (JSON) describes.
///
/// # Errors
/// It is no such event, its address is invalid, or its body is not the declared base64.
pub fn request(event: &str) -> Result<Request, Unreadable> {
    described(serde_json::from_str(event))
}

/// The same for an event as bytes.
///
/// # Errors
/// As [`request`].
pub fn request_of(event: &Value) -> Result<Request, Unreadable> {
    described(ApiGatewayV2httpRequest::deserialize(event))
}

/// Whether an event (JSON) is one of an EventBridge schedule.
pub(super) fn is_scheduled(event: &str) -> bool {
    serde_json::from_str::<Value>(event).is_ok_and(|event| event.get("detail-type") == Some(&"Scheduled Event".into()))
}

fn described(event: serde_json::Result<ApiGatewayV2httpRequest>) -> Result<Request, Unreadable> {
    let not_one =
        |_| Unreadable { request_id: String::new(), route: String::new(), why: "The event is not one of an HTTP API." };
    let event = event.map_err(not_one)?;
    let context = event.request_context;
    let unreadable = |why| Unreadable {
        request_id: context.request_id.clone().unwrap_or_default(),
        route: context.route_key.clone().unwrap_or_default(),
        why,
    };
    let raw_path = event.raw_path.unwrap_or_default();
    let uri = address(&raw_path, event.raw_query_string.as_deref().unwrap_or_default())
        .ok_or_else(|| unreadable("The address is too long. Shorten the path and the query."))?;
    let body = body(event.body, event.is_base64_encoded)
        .ok_or_else(|| unreadable("The body is marked as base64, but is not. Send it again."))?;

    let mut request = Request::new(body);
    *request.method_mut() = context.http.method.clone();
    *request.uri_mut() = uri;
    *request.headers_mut() = headers(event.headers, event.cookies);
    Ok(request
        .with_raw_http_path(raw_path)
        .with_path_parameters(event.path_parameters)
        .with_request_context(RequestContext::ApiGatewayV2(context)))
}

/// An answer in Lambda's form.
pub(super) fn payload(response: Response<Body>) -> ApiGatewayV2httpResponse {
    let (mut parts, body) = response.into_parts();
    let cookies = parts.headers.get_all(SET_COOKIE).iter().filter_map(|value| value.to_str().ok());
    let mut payload = ApiGatewayV2httpResponse::default();
    payload.cookies = cookies.map(str::to_owned).collect();
    parts.headers.remove(SET_COOKIE);
    payload.status_code = i64::from(parts.status.as_u16());
    payload.headers = parts.headers;
    payload.is_base64_encoded = matches!(body, Body::Binary(_));
    payload.body = if body.is_empty() { None } else { Some(body) };
    payload
}

/// API Gateway decodes the path, so it is encoded again; `None` over 64 KB.
fn address(path: &str, query: &str) -> Option<Uri> {
    let slash = if path.starts_with('/') { "" } else { "/" };
    let mut address = format!("{slash}{}", utf8_percent_encode(path, PATH));
    if !query.is_empty() {
        address.push('?');
        address.extend(utf8_percent_encode(query, QUERY));
    }
    Uri::builder().path_and_query(address).build().ok()
}

fn body(text: Option<String>, base64: bool) -> Option<Body> {
    match text {
        None => Some(Body::Empty),
        Some(text) if base64 => STANDARD.decode_to_vec(text).ok().map(Body::Binary),
        Some(text) => Some(Body::Text(text)),
    }
}

/// Cookies are separate from the other headers.
fn headers(mut headers: HeaderMap, cookies: Option<Vec<String>>) -> HeaderMap {
    let cookies = cookies.and_then(|cookies| HeaderValue::from_str(&cookies.join("; ")).ok());
    if let Some(cookies) = cookies {
        headers.insert(COOKIE, cookies);
    }
    headers
}

#[cfg(test)]
mod tests;
