//! `POST /pdf/analyze`: analyzes a PDF, stores and counts the analysis, and returns the metadata.

use lambda_http::http::header::LOCATION;
use shared::analysis::Analysis;
use shared::auth;
use shared::error::Error;
use shared::http::{AnalyzedAnswer, BASE_PATH, Call, Reply};
use shared::inputs::submission::{RepeatKeys, Staged, Submission};
use shared::inputs::upload_form::UploadForm;
use shared::quota;

use crate::App;

/// Analyze a PDF
///
/// Extracts the file's metadata, stores the analysis and counts it against today's quota, together or not at all. A
/// file that cannot be read does not count.
///
/// Send the file itself as `multipart/form-data` or, for files over about 4.5 MB in the cloud, stage it first
/// (`POST /pdf/uploads`) and send its `upload_id` as JSON.
#[utoipa::path(
    post,
    path = "/pdf/analyze",
    operation_id = "analyzePdf",
    tag = "Analyses",
    params((
        "Idempotency-Key" = Option<String>, Header, max_length = 255, pattern = "^[!-~]*$",
        description = "Makes the request safe to repeat: for 24 hours, the same key with the same file and filename \
            gets the first answer again and does not count. Use a UUID. An empty key counts as none.",
        example = "8e03978e-40d5-43dd-bc93-6894a57f9324"
    )),
    request_body(
        description = "The PDF, or the id of a staged one.",
        content((UploadForm = "multipart/form-data"), (Staged = "application/json"))
    ),
    responses(
        (status = 200, description = "The stored analysis.", body = AnalyzedAnswer<Analysis>, headers(
            ("Location" = String, description = "The address of the analysis."),
        ), links(("show" = (operation_id = "showAnalysis", parameters(("id" = "$response.body#/data/id")))))),
        (status = 400, description = "bad_request"),
        (status = 404, description = "not_found"),
        (status = 413, description = "file_too_large"),
        (status = 415, description = "unsupported_media_type"),
        (status = 422, description = "analysis_failed, validation_failed, idempotency_key_reused"),
        (status = 429, description = "daily_limit_exceeded, rate_limited"),
    )
)]
pub(crate) async fn analyze(app: &App, call: &mut Call) -> Result<Reply, Error> {
    let keys = RepeatKeys::peek(call);
    let (caller, found) = auth::caller_with(&app.store, call, &keys.rows()).await?;
    let first = keys.first_answer(&found, call.now)?;
    caller.admit(first.as_ref(), quota::ANALYSIS)?;
    let submission = Submission::read(call, keys)?;
    let analyzed = app.analyzer.answer(&caller, submission, first, call.deadline()).await?;
    call.record(analyzed.outcome, analyzed.verdict, analyzed.quota);
    let location = format!("{BASE_PATH}/pdf/{}", analyzed.entry.id());
    Ok(Reply::analyzed(&analyzed.entry, analyzed.remaining)?.header(LOCATION, location))
}
