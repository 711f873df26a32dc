//! The HTTP front of dynoxide, which refuses requests that no AWS client of this machine sent. dynoxide's own server
//! would answer any browser page.

use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Instant;

use bytes::Bytes;
use http::{HeaderMap, HeaderValue, Method, Request, Response, StatusCode, header};
use http_body_util::{BodyExt, Full, Limited};

use super::operations::{JSON, StoreAnswer};
use super::store::Store;
use crate::http::body::RequestBody;
use crate::http::header_text;
use crate::stores::embedded::access::KEY;
use crate::stores::embedded::host::HostNames;

/// Largest request of DynamoDB.
const MAX_REQUEST_BYTES: usize = 16 * 1024 * 1024;

/// The front of the embedded DynamoDB. Its answers block.
pub(super) struct Front {
    store: Store,
    names: HostNames,
}

impl Front {
    pub(super) fn new(store: Store, names: HostNames) -> Self {
        Self { store, names }
    }

    async fn respond(&self, request: Request<RequestBody>) -> StoreAnswer {
        if request.headers().contains_key(header::ORIGIN) || !self.names.include(&request) {
            return StoreAnswer::refusal(403, "AccessDeniedException", "Only programs of this machine are answered.");
        }
        if request.method() != Method::POST || request.uri().path() != "/" {
            return StoreAnswer::refusal(404, "UnknownOperationException", "");
        }
        if let Err((kind, message)) = signed(request.headers()) {
            return StoreAnswer::refusal(400, kind, message);
        }
        let target = header_text(request.headers(), "x-amz-target");
        let target = target.unwrap_or_default().to_owned();
        let Ok(body) = Limited::new(request.into_body(), MAX_REQUEST_BYTES).collect().await else {
            return StoreAnswer::refusal(413, "RequestEntityTooLarge", "The request is over 16 MB.");
        };
        self.store.answer(&target, &body.to_bytes(), Instant::now())
    }
}

impl crate::http::Responder for Front {
    type Body = Full<Bytes>;

    async fn answer(self: Arc<Self>, request: Request<RequestBody>, _peer: SocketAddr) -> Response<Full<Bytes>> {
        response(self.respond(request).await)
    }
}

/// Refuses requests that are not signed with the key of the embedded stores. (The signature itself is not verified: the
/// key is well known.)
fn signed(headers: &HeaderMap) -> Result<(), (&'static str, &'static str)> {
    let authorization = header_text(headers, header::AUTHORIZATION);
    let Some(parts) = authorization.and_then(|value| value.strip_prefix("AWS4-HMAC-SHA256 ")) else {
        return Err(("MissingAuthenticationTokenException", "Request is missing Authentication Token"));
    };
    let credential = parts.split([',', ' ']).find_map(|part| part.strip_prefix("Credential="));
    match credential.and_then(|credential| credential.split('/').next()) {
        Some(KEY) => Ok(()),
        _ => Err(("UnrecognizedClientException", "The security token included in the request is invalid.")),
    }
}

fn response(answer: StoreAnswer) -> Response<Full<Bytes>> {
    let mut response = Response::new(Full::from(answer.text));
    *response.status_mut() = StatusCode::from_u16(answer.status).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
    let headers = response.headers_mut();
    headers.insert(header::CONTENT_TYPE, HeaderValue::from_static(JSON));
    if let Ok(id) = HeaderValue::from_str(&uuid::Uuid::new_v4().to_string()) {
        headers.insert("x-amzn-requestid", id);
    }
    response
}
