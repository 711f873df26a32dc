//! The multipart form of a direct upload.

use std::sync::LazyLock;

use lambda_http::http::HeaderValue;
use lambda_http::http::header::CONTENT_TYPE;
use lambda_http::{Body, Request};
use shared::clock::Clock;
use shared::filename;
use shared::http::Call;
use shared::inputs::form_parts::NamedFile;
use shared::inputs::upload_form::UploadForm;
use shared::journal::Journal;

use crate::stores::now;

/// Most bytes of a password.
const MOST_TEXT: usize = 64 * 1024;

/// The body's media type, a line feed, the body.
pub(crate) fn read(input: &[u8]) {
    static CLOCK: LazyLock<Clock> = LazyLock::new(|| Clock::new(now));
    static JOURNAL: LazyLock<Journal> = LazyLock::new(|| Journal::new(|_| {}));
    let end = input.iter().position(|byte| *byte == b'\n').unwrap_or(input.len());
    let (media_type, body) = input.split_at(end);
    let body = body.get(1..).unwrap_or_default();
    let Ok(media_type) = HeaderValue::from_bytes(media_type) else { return };
    let mut request = Request::new(Body::Binary(body.to_vec()));
    request.headers_mut().insert(CONTENT_TYPE, media_type);
    let Ok(form) = UploadForm::read(&mut Call::new(request, &CLOCK, &JOURNAL)) else { return };

    let UploadForm { file: NamedFile { filename, bytes: file }, password, .. } = form;
    assert!((1..=255).contains(&filename.len()) && filename == filename::clean(&filename), "{filename:?}");
    assert!(filename.chars().all(filename::is_visible) && !filename.contains(['/', '\\']), "{filename:?}");
    assert!(password.is_none_or(|password| password.len() <= MOST_TEXT));
    assert!(file.is_empty() || body.windows(file.len()).any(|part| part == file), "the file is as it was sent");
}
