//! A request for a function: through the payload 2.0 event, parsed by the functions' own runtime. Only the body
//! bypasses base64 and JSON.

use std::collections::BTreeMap;

use chrono::{DateTime, Utc};
use http::{HeaderMap, HeaderName, header, request::Parts};
use lambda_http::Body;
use percent_encoding::percent_decode_str;
use serde_json::{Value, json};
use url::{Url, form_urlencoded};
use uuid::Uuid;

use super::origin::Connection;
use super::router::Selected;
use crate::http::header_text;

/// The gateway's data of a request beside its head.
#[derive(Debug)]
pub(super) struct RequestContext<'h> {
    /// The result of [`host`].
    pub(super) host: &'h str,
    pub(super) request_id: Uuid,
    pub(super) connection: Connection,
    pub(super) now: DateTime<Utc>,
}

/// Headers of one connection, which are not forwarded.
const HOP_BY_HOP: [HeaderName; 6] =
    [header::CONNECTION, header::EXPECT, header::TE, header::TRAILER, header::TRANSFER_ENCODING, header::UPGRADE];

/// The event of a request, as API Gateway sends it to Lambda, without its body.
pub(super) fn event(head: &Parts, selected: &Selected<'_>, arrival: &RequestContext<'_>) -> Value {
    let domain = arrival.host.rsplit_once(':').map_or(arrival.host, |(domain, _)| domain);
    let query = head.uri.query().unwrap_or_default();
    let mut headers = headers(head, arrival.host);
    let client = arrival.connection.forward(&mut headers);
    let mut event = json!({
        "version": "2.0",
        "routeKey": selected.route.key,
        "rawPath": decoded_path(head),
        "rawQueryString": query,
        "headers": headers,
        "requestContext": {
            "accountId": "anonymous",
            "apiId": "local",
            "domainName": domain,
            "domainPrefix": domain.split('.').next(),
            "http": {
                "method": head.method.as_str(),
                "path": decoded_path(head),
                "protocol": "HTTP/1.1",
                "sourceIp": client,
                "userAgent": header_text(&head.headers, header::USER_AGENT),
            },
            "routeKey": selected.route.key,
            "stage": "$default",
        },
        "isBase64Encoded": false,
    });
    stamp(&mut event, arrival.request_id, arrival.now);
    // Empty members are omitted.
    if !query.is_empty() {
        event["queryStringParameters"] = joined(form_urlencoded::parse(query.as_bytes()));
    }
    if !selected.parameters.is_empty() {
        event["pathParameters"] = selected.parameters.iter().cloned().collect();
    }
    let cookies = cookies(&head.headers);
    if !cookies.is_empty() {
        event["cookies"] = cookies.into();
    }
    event
}

/// Sets the length of the body in an event and in the headers of its request.
pub(super) fn measure(event: &mut Value, headers: &mut HeaderMap, length: usize) {
    if length > 0 {
        event["headers"]["content-length"] = length.to_string().into();
        headers.insert(header::CONTENT_LENGTH, length.into());
    }
}

/// Sets the request id and time in an event.
pub(crate) fn stamp(event: &mut Value, request_id: Uuid, now: DateTime<Utc>) {
    let context = &mut event["requestContext"];
    context["requestId"] = request_id.to_string().into();
    context["time"] = now.format("%d/%b/%Y:%H:%M:%S +0000").to_string().into();
    context["timeEpoch"] = now.timestamp_millis().into();
}

/// A body in the event's form: text if its media type is text, otherwise bytes.
pub(crate) fn body(bytes: Vec<u8>, headers: &HeaderMap) -> Body {
    if bytes.is_empty() {
        return Body::Empty;
    }
    let kind = header_text(headers, header::CONTENT_TYPE).unwrap_or_default();
    let kind = kind.split(';').next().unwrap_or_default().trim().to_ascii_lowercase();
    let is_text = kind.starts_with("text/")
        || ["application/json", "application/xml", "application/javascript"].contains(&kind.as_str());
    if !is_text {
        return Body::Binary(bytes);
    }
    String::from_utf8(bytes).map_or_else(|error| Body::Binary(error.into_bytes()), Body::Text)
}

/// The host that a request was sent to, if it is valid.
pub(super) fn host(head: &Parts) -> Option<&str> {
    // repeated `Host` headers are ambiguous (RFC 9112, 3.2)
    if head.headers.get_all(header::HOST).iter().count() > 1 {
        return None;
    }
    let host = match head.uri.authority() {
        Some(authority) => authority.as_str(),
        None => header_text(&head.headers, header::HOST)?,
    };
    let address = Url::parse(&format!("http://{host}/")).ok()?;
    let plain = address.path() == "/"
        && address.username().is_empty()
        && address.query().is_none()
        && address.fragment().is_none();
    plain.then_some(host)
}

/// API Gateway decodes the path and cuts it at a decoded `?`.
fn decoded_path(head: &Parts) -> String {
    let path = percent_decode_str(head.uri.path()).decode_utf8_lossy();
    path.split('?').next().unwrap_or_default().to_owned()
}

fn headers(head: &Parts, host: &str) -> Value {
    let sent = head
        .headers
        .iter()
        .filter(|(name, _)| !HOP_BY_HOP.contains(name) && **name != header::COOKIE && **name != header::HOST);
    let sent = sent.map(|(name, value)| (name.as_str(), String::from_utf8_lossy(value.as_bytes())));
    let mut headers = joined(sent);
    headers["host"] = host.into();
    headers
}

/// An object of texts; the values of repeated names are joined by commas.
fn joined<N: Into<String>, V: AsRef<str>>(pairs: impl Iterator<Item = (N, V)>) -> Value {
    let mut joined: BTreeMap<String, String> = BTreeMap::new();
    for (name, value) in pairs {
        let value = value.as_ref();
        let values = joined.entry(name.into());
        values.and_modify(|values| *values += &format!(",{value}")).or_insert_with(|| value.to_owned());
    }
    json!(joined)
}

fn cookies(headers: &HeaderMap) -> Vec<String> {
    let sent = headers.get_all(header::COOKIE).iter();
    let sent = sent.map(|value| String::from_utf8_lossy(value.as_bytes()));
    let split = |line: std::borrow::Cow<'_, str>| -> Vec<String> {
        let cookies = line.split(';').map(str::trim);
        cookies.filter(|cookie| !cookie.is_empty()).map(str::to_owned).collect()
    };
    sent.flat_map(split).collect()
}

#[cfg(test)]
mod tests;
