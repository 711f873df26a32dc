//! In-process transport from SDK clients to the embedded S3.

use aws_smithy_runtime_api::client::http::{HttpConnector, HttpConnectorFuture};
use aws_smithy_runtime_api::client::orchestrator::{HttpRequest, HttpResponse};
use aws_smithy_runtime_api::client::result::ConnectorError;
use aws_smithy_types::body::SdkBody;
use http::{Method, header};
use s3s::access::{S3Access, S3AccessContext};
use s3s::service::S3Service;
use s3s::{Body, S3Result, s3_error};

/// Passes requests to the service directly.
#[derive(Clone, Debug)]
pub(super) struct S3Direct(S3Service);

/// Marks an in-process request. Requests from a socket cannot have the mark.
#[derive(Clone, Copy, Debug)]
struct FromInside;

/// Admits signed requests, and unsigned requests of this process.
#[derive(Debug)]
pub(super) struct Access;

impl S3Direct {
    pub(super) fn new(service: S3Service) -> Self {
        Self(service)
    }
}

#[async_trait::async_trait]
impl S3Access for Access {
    async fn check(&self, context: &mut S3AccessContext<'_>) -> S3Result<()> {
        match context.credentials().is_some() || context.extensions_mut().get::<FromInside>().is_some() {
            true => Ok(()),
            false => Err(s3_error!(AccessDenied, "Signature is required")),
        }
    }
}

impl HttpConnector for S3Direct {
    fn call(&self, request: HttpRequest) -> HttpConnectorFuture {
        let service = self.0.clone();
        HttpConnectorFuture::new(async move {
            let mut request = request.try_into_http1x().map_err(unusable)?;
            let is_head = request.method() == Method::HEAD;
            request.headers_mut().remove(header::AUTHORIZATION);
            request.extensions_mut().insert(FromInside);
            let answer = service.call(request.map(Body::http_body_unsync)).await;
            let answer = answer.map_err(|error| ConnectorError::other(format!("{error:?}").into(), None))?;
            // over a socket, an answer to HEAD has no body (RFC 9110, section 9.3.2)
            let body = |body| if is_head { SdkBody::empty() } else { SdkBody::from_body_1_x(body) };
            HttpResponse::try_from(answer.map(body)).map_err(unusable)
        })
    }
}

fn unusable(error: impl std::error::Error + Send + Sync + 'static) -> ConnectorError {
    ConnectorError::user(error.into())
}
