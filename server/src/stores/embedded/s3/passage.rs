//! Forwards uploads from the service's own origin to the bucket: the bucket listens only for this machine, and clients
//! behind a proxy reach only the service's origin.

use std::net::SocketAddr;
use std::sync::Arc;

use bytes::Bytes;
use http::header::{AUTHORIZATION, COOKIE, HOST};
use http::request::Parts;
use http::{HeaderValue, Method, Request, Response, StatusCode, Uri};
use http_body_util::{BodyExt, Full};
use shared::uploads::UPLOAD_PATH;

use super::front::{S3Front, parameter};
use super::refusal::refusal;
use crate::stores::embedded::ticket_key::TICKET_KEY_ID;

/// Forwards only requests that a ticket permits.
pub(crate) struct Passage {
    front: Arc<S3Front>,
    bucket: String,
    /// The host that tickets are signed for.
    host: SocketAddr,
}

impl std::fmt::Debug for Passage {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Passage").field("bucket", &self.bucket).finish_non_exhaustive()
    }
}

impl Passage {
    pub(super) fn new(front: Arc<S3Front>, bucket: &str, host: SocketAddr) -> Self {
        Self { front, bucket: bucket.to_owned(), host }
    }

    /// Whether a request is for the bucket.
    pub(crate) fn takes(head: &Parts) -> bool {
        matches!(head.method, Method::PUT | Method::OPTIONS) && head.uri.path().starts_with(UPLOAD_PATH)
    }

    /// Answers such a request. Answers of the bucket to uploads are short.
    pub(crate) async fn answer<B>(&self, mut head: Parts, body: B) -> Response<Full<Bytes>>
    where
        B: hyper::body::Body<Data = Bytes> + Send + 'static,
        B::Error: std::error::Error + Send + Sync + 'static,
    {
        let answer = if head.method == Method::OPTIONS {
            self.front.preflight(&head.headers)
        } else if let Some(uri) = self.signed_for(&head.uri) {
            head.uri = uri;
            // headers for the service, such as cookies, are not forwarded: the ticket authorizes the upload
            head.headers.remove(AUTHORIZATION);
            head.headers.remove(COOKIE);
            if let Ok(host) = HeaderValue::from_str(&self.host.to_string()) {
                head.headers.insert(HOST, host);
            }
            self.front.answer_to_origin(Request::from_parts(head, body)).await
        } else {
            refusal(StatusCode::FORBIDDEN, "AccessDenied", "Access Denied")
        };
        let (head, body) = answer.into_parts();
        match body.collect().await {
            Ok(body) => Response::from_parts(head, Full::new(body.to_bytes())),
            Err(_) => {
                let (head, _) = refusal(StatusCode::INTERNAL_SERVER_ERROR, "InternalError", "").into_parts();
                Response::from_parts(head, Full::default())
            }
        }
    }

    /// The address that a ticket signs, if it was signed with the key of tickets: the bucket's public credentials are
    /// not accepted here.
    fn signed_for(&self, uri: &Uri) -> Option<Uri> {
        let id = parameter(uri, "X-Amz-Credential")?.split(['/', '%']).next();
        if id != Some(TICKET_KEY_ID) || parameter(uri, "X-Amz-Signature").is_none() {
            return None;
        }
        let target = uri.path_and_query()?.as_str();
        format!("/{}{target}", self.bucket).parse().ok()
    }
}
