//! Error answers in S3's XML.

use http::{HeaderValue, Response, StatusCode, header};
use s3s::Body;

/// An error answer with S3's `Code` and `Message`; both are plain ASCII without markup.
pub(super) fn refusal(status: StatusCode, code: &str, message: &str) -> Response<Body> {
    let id = uuid::Uuid::new_v4().simple();
    let xml = format!(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<Error><Code>{code}</Code><Message>{message}</Message><RequestId>{id}</RequestId></Error>"
    );
    let mut response = Response::new(Body::from(xml));
    *response.status_mut() = status;
    response.headers_mut().insert(header::CONTENT_TYPE, HeaderValue::from_static("application/xml"));
    response
}
