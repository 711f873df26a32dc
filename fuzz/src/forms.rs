//! The form of a direct upload: the first line is its Content-Type, the rest its body.

use lambda_http::http::HeaderValue;
use lambda_http::{Body, Request};
use shared::clock::Clock;
use shared::error::Error;
use shared::http::Call;
use shared::journal::Journal;
use shared::upload_form::UploadForm;

/// Reads the form; a file that comes out was in it.
pub fn read(bytes: &[u8]) {
    let at = bytes.iter().position(|byte| *byte == b'\n').unwrap_or(bytes.len());
    let (kind, body) = bytes.split_at(at);
    let body = body.get(1..).unwrap_or_default();
    let mut request = Request::new(Body::Binary(body.to_vec()));
    if let Ok(kind) = HeaderValue::from_bytes(kind) {
        request.headers_mut().insert("content-type", kind);
    }
    match UploadForm::read(&mut Call::new(request, &Clock::system(), &Journal::new(|_| {}))) {
        Ok(form) => {
            assert!(form.file.is_empty() || body.windows(form.file.len()).any(|window| *window == *form.file));
            assert!((1..=255).contains(&form.filename.len()) && !form.filename.contains(['/', '\\', '\0']));
        }
        Err(Error::BadRequest(_) | Error::Invalid(_) | Error::UnsupportedMediaType(_)) => {}
        Err(error) => panic!("{error}"),
    }
}
