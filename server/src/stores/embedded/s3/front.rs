//! The front of s3s: CORS, and the refusal of requests for another host and of unsigned requests or headers.

use std::net::SocketAddr;
use std::sync::Arc;

use bytes::Bytes;
use http::{HeaderMap, Method, Request, Response, StatusCode, Uri, header};
use percent_encoding::percent_decode_str;
use s3s::Body;
use s3s::service::S3Service;

use super::cors::CorsRules;
use super::refusal::refusal;
use crate::http::Responder;
use crate::http::body::RequestBody;
use crate::stores::embedded::host::HostNames;
use crate::template::BucketCorsRule;

/// The front of the embedded S3.
pub(super) struct S3Front {
    service: S3Service,
    cors: CorsRules,
    names: HostNames,
}

impl S3Front {
    pub(super) fn new(service: S3Service, cors: Vec<BucketCorsRule>, names: HostNames) -> Self {
        Self { service, cors: CorsRules::new(cors), names }
    }

    /// Answers an OPTIONS request.
    pub(super) fn preflight(&self, headers: &HeaderMap) -> Response<Body> {
        self.cors.preflight(headers)
    }

    /// Answers any other request, with CORS headers.
    pub(super) async fn answer_to_origin<B>(&self, request: Request<B>) -> Response<Body>
    where
        B: hyper::body::Body<Data = Bytes> + Send + 'static,
        B::Error: std::error::Error + Send + Sync + 'static,
    {
        let origin = request.headers().get(header::ORIGIN).cloned();
        let method = request.method().clone();
        let mut response = self.pass_on(request).await;
        if let Some(origin) = origin {
            self.cors.decorate(&origin, method.as_str(), response.headers_mut());
        }
        response
    }

    async fn pass_on<B>(&self, request: Request<B>) -> Response<Body>
    where
        B: hyper::body::Body<Data = Bytes> + Send + 'static,
        B::Error: std::error::Error + Send + Sync + 'static,
    {
        if is_anonymous(request.uri(), request.headers()) {
            return refusal(StatusCode::FORBIDDEN, "AccessDenied", "Access Denied");
        }
        if has_unsigned_header(request.uri(), request.headers()) {
            return refusal(
                StatusCode::FORBIDDEN,
                "AccessDenied",
                "There were headers present in the request which were not signed",
            );
        }
        let answer = self.service.call(request.map(Body::http_body_unsync)).await;
        answer.unwrap_or_else(|error| {
            tracing::error!(?error, "the embedded S3 failed");
            refusal(
                StatusCode::INTERNAL_SERVER_ERROR,
                "InternalError",
                "We encountered an internal error. Please try again.",
            )
        })
    }
}

impl Responder for S3Front {
    type Body = Body;

    async fn answer(self: Arc<Self>, request: Request<RequestBody>, _peer: SocketAddr) -> Response<Body> {
        if !self.names.include(&request) {
            return refusal(StatusCode::FORBIDDEN, "AccessDenied", "Only requests to this machine are answered");
        }
        if request.method() == Method::OPTIONS {
            return self.preflight(request.headers());
        }
        self.answer_to_origin(request).await
    }
}

/// Whether the request is unsigned: neither a header nor the address has a signature.
fn is_anonymous(uri: &Uri, headers: &HeaderMap) -> bool {
    !headers.contains_key(header::AUTHORIZATION) && parameter(uri, "X-Amz-Signature").is_none()
}

/// Whether a presigned request carries an `x-amz-` header that its signature does not cover.
fn has_unsigned_header(uri: &Uri, headers: &HeaderMap) -> bool {
    let Some(signed) = parameter(uri, "X-Amz-SignedHeaders") else {
        return false;
    };
    let signed = percent_decode_str(signed).decode_utf8_lossy();
    let mut names = headers.keys().map(header::HeaderName::as_str);
    names.any(|name| name.starts_with("x-amz-") && !signed.split(';').any(|other| other == name))
}

/// The value of a query parameter, as sent.
pub(super) fn parameter<'u>(uri: &'u Uri, name: &str) -> Option<&'u str> {
    let pairs = uri.query()?.split('&').filter_map(|pair| pair.split_once('='));
    pairs.into_iter().find(|(other, _)| *other == name).map(|(_, value)| value)
}
