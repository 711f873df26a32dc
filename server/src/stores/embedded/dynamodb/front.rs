//! What stands before dynoxide: HTTP, and the refusal of everything that no AWS client of this
//! machine sent. Its own server would answer the pages of any browser.

use std::net::SocketAddr;
use std::sync::Arc;

use bytes::Bytes;
use dynoxide::{Database, DynoxideError};
use http::{HeaderMap, HeaderValue, Method, Request, Response, StatusCode, header};
use http_body_util::{BodyExt, Full, Limited};
use serde_json::json;

use super::operations::carry_out;
use crate::http::Answer;
use crate::http::body::RequestBody;
use crate::stores::embedded::access::KEY;
use crate::stores::embedded::host::Names;

/// DynamoDB takes requests up to this size.
const LARGEST: usize = 16 * 1024 * 1024;

/// The front of the embedded DynamoDB. Its answers block.
pub(super) struct Front {
    database: Database,
    names: Names,
}

impl Front {
    pub(super) fn new(database: Database, names: Names) -> Self {
        Self { database, names }
    }

    async fn respond(&self, request: Request<RequestBody>) -> Response<Full<Bytes>> {
        if request.headers().contains_key(header::ORIGIN) || !self.names.include(&request) {
            return error(
                StatusCode::FORBIDDEN,
                "AccessDeniedException",
                "Only programs of this machine are answered.",
            );
        }
        if request.method() != Method::POST || request.uri().path() != "/" {
            return error(StatusCode::NOT_FOUND, "UnknownOperationException", "");
        }
        if let Err((kind, message)) = signed(request.headers()) {
            return error(StatusCode::BAD_REQUEST, kind, message);
        }
        let target = request.headers().get("x-amz-target").and_then(|target| target.to_str().ok());
        let target = target.unwrap_or_default().to_owned();
        let Ok(body) = Limited::new(request.into_body(), LARGEST).collect().await else {
            return error(StatusCode::PAYLOAD_TOO_LARGE, "RequestEntityTooLarge", "The request is over 16 MB.");
        };
        match carry_out(&self.database, &target, &body.to_bytes()) {
            Some(Ok(text)) => answer(StatusCode::OK, text),
            Some(Err(failure)) => failed(&failure),
            None => error(StatusCode::BAD_REQUEST, "UnknownOperationException", ""),
        }
    }
}

impl Answer for Front {
    type Body = Full<Bytes>;

    async fn answer(self: Arc<Self>, request: Request<RequestBody>, _peer: SocketAddr) -> Response<Full<Bytes>> {
        self.respond(request).await
    }
}

/// Refuses what nobody signed with the key of the embedded stores. (The signature itself is not
/// verified: the key is well known.)
fn signed(headers: &HeaderMap) -> Result<(), (&'static str, &'static str)> {
    let authorization = headers.get(header::AUTHORIZATION).and_then(|value| value.to_str().ok());
    let Some(parts) = authorization.and_then(|value| value.strip_prefix("AWS4-HMAC-SHA256 ")) else {
        return Err(("MissingAuthenticationTokenException", "Request is missing Authentication Token"));
    };
    let credential = parts.split([',', ' ']).find_map(|part| part.strip_prefix("Credential="));
    match credential.and_then(|credential| credential.split('/').next()) {
        Some(KEY) => Ok(()),
        _ => Err(("UnrecognizedClientException", "The security token included in the request is invalid.")),
    }
}

fn failed(failure: &DynoxideError) -> Response<Full<Bytes>> {
    let status = StatusCode::from_u16(failure.status_code()).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
    answer(status, failure.to_json())
}

fn error(status: StatusCode, kind: &str, message: &str) -> Response<Full<Bytes>> {
    let kind = format!("com.amazon.coral.service#{kind}");
    answer(status, json!({"__type": kind, "message": message}).to_string())
}

fn answer(status: StatusCode, text: String) -> Response<Full<Bytes>> {
    let mut response = Response::new(Full::from(text));
    *response.status_mut() = status;
    let headers = response.headers_mut();
    headers.insert(header::CONTENT_TYPE, HeaderValue::from_static("application/x-amz-json-1.0"));
    if let Ok(id) = HeaderValue::from_str(&uuid::Uuid::new_v4().to_string()) {
        headers.insert("x-amzn-requestid", id);
    }
    response
}
