//! `POST /pdf/uploads`: a ticket to upload a file to the bucket, to be analyzed from there.

use lambda_http::http::StatusCode;
use shared::auth;
use shared::error::Error;
use shared::http::{Answer, Call, Reply};
use shared::inputs::announcement::Announcement;
use shared::quota;
use shared::uploads::Ticket;
use shared::use_cases::stage;

use crate::App;

/// Get an upload ticket
///
/// The first of three steps for large files: announce the file here, `PUT` its bytes to the ticket's `url` with the
/// ticket's `headers`, then analyze it by its `upload_id`. The ticket is valid for 15 minutes and for exactly the
/// announced size. Only the analysis counts. An account may request twice as many tickets a day as analyses, and have
/// five open.
#[utoipa::path(
    post,
    path = "/pdf/uploads",
    operation_id = "stageUpload",
    tag = "Analyses",
    request_body(content = Announcement, description = "The announced file."),
    responses(
        (status = 201, description = "A ticket for one upload.", body = Answer<Ticket>),
        (status = 400, description = "bad_request"),
        (status = 413, description = "file_too_large"),
        (status = 415, description = "unsupported_media_type"),
        (status = 422, description = "validation_failed"),
        (status = 429, description = "daily_limit_exceeded, rate_limited"),
    )
)]
pub(crate) async fn stage(app: &App, call: &mut Call) -> Result<Reply, Error> {
    let caller = auth::caller(&app.store, call).await?;
    caller.admit(None, quota::ANALYSIS)?;
    let file = Announcement::read(call)?;
    let origin = app.uploads.service_origin(|| call.origin())?;
    let ticket = stage::stage(&app.store, &app.uploads, &caller, &file, origin.as_deref(), call.deadline()).await?;
    Ok(Reply::data(&ticket)?.status(StatusCode::CREATED))
}
