//! `POST /pdf/compare`: compares two PDFs, stores and counts the comparison, and returns the differences.

use lambda_http::http::header::LOCATION;
use shared::analysis::ComparedFiles;
use shared::auth;
use shared::error::Error;
use shared::http::{AnalyzedAnswer, BASE_PATH, Call, Reply};
use shared::inputs::pair::{PairForm, StagedPair};
use shared::inputs::submission::{RepeatKeys, Submission};
use shared::quota;

use crate::App;

/// Compare two PDFs
///
/// Reports whether one file is a later version of the other, and which words, pages and metadata differ, with their
/// places in both. The comparison is stored as an entry of the list and uses two analyses of today's quota, together or
/// not at all. A file that cannot be read does not count; `details.file` names it.
///
/// Words are compared as displayed, even if text moved to another page. Images, such as scans, are not compared; the
/// answer says so.
#[utoipa::path(
    post,
    path = "/pdf/compare",
    operation_id = "comparePdfs",
    tag = "Analyses",
    params((
        "Idempotency-Key" = Option<String>, Header, max_length = 255, pattern = "^[!-~]*$",
        description = "Makes the request safe to repeat: for 24 hours, the same key with the same files and filenames \
            gets the first answer again and does not count. Use a UUID. An empty key counts as none.",
        example = "8e03978e-40d5-43dd-bc93-6894a57f9324"
    )),
    request_body(
        description = "The two PDFs, or the ids of staged ones.",
        content((PairForm = "multipart/form-data"), (StagedPair = "application/json"))
    ),
    responses(
        (status = 200, description = "The stored comparison.", body = AnalyzedAnswer<ComparedFiles>, headers(
            ("Location" = String, description = "The address of the comparison."),
        ), links(("show" = (
            operation_id = "showAnalysis",
            parameters(("id" = "$response.body#/data/id"), ("kind" = "comparison"))
        )))),
        (status = 400, description = "bad_request"),
        (status = 404, description = "not_found"),
        (status = 413, description = "file_too_large"),
        (status = 415, description = "unsupported_media_type"),
        (status = 422, description = "analysis_failed, validation_failed, idempotency_key_reused"),
        (status = 429, description = "daily_limit_exceeded, rate_limited"),
    )
)]
pub(crate) async fn compare(app: &App, call: &mut Call) -> Result<Reply, Error> {
    let keys = RepeatKeys::peek_pair(call);
    let (caller, found) = auth::caller_with(&app.store, call, &keys.rows()).await?;
    let first = keys.first_answer(&found, call.now)?;
    caller.admit(first.as_ref(), quota::COMPARISON)?;
    let submission = Submission::read_pair(call, keys)?;
    let compared = app.analyzer.answer(&caller, submission, first, call.deadline()).await?;
    call.record(compared.outcome, compared.verdict, compared.quota);
    let location = format!("{BASE_PATH}/pdf/{}?kind=comparison", compared.entry.id());
    Ok(Reply::analyzed(&compared.entry, compared.remaining)?.header(LOCATION, location))
}
