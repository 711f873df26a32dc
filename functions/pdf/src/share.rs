//! `POST` and `DELETE /pdf/{id}/share`: creates a link to the report, for anyone who has it, and ends it.

use lambda_http::http::StatusCode;
use serde::Serialize;
use shared::error::Error;
use shared::http::{Answer, Call, Fields, Reply};
use shared::inputs::share::{ShareLife, ShareTerms};
use shared::use_cases::share;
use utoipa::ToSchema;

use crate::{App, owned};

/// The link to create.
#[derive(ToSchema)]
#[expect(dead_code, reason = "it describes what `ShareTerms` reads")]
struct ShareRequest {
    /// Days until the link expires: 7, 30 or 90; without it, or with `null`, it is valid until it is ended.
    #[schema(required = false, example = 30)]
    expires_in_days: ShareLife,
    /// Whether the link shows everything that you are shown, including words that pages hide and words that a later
    /// revision removed. Otherwise the report, its print and its JSON omit these and, of a comparison, differences in
    /// words that either file hides.
    #[schema(required = false, nullable = true, default = false)]
    with_hidden_words: bool,
}

/// A share link.
#[derive(Serialize, ToSchema)]
#[schema(as = Share)]
struct ShareAnswer {
    /// The link. It is returned only in this answer.
    #[schema(format = "uri", example = "https://pdf.example.com/s/2Ym0S4Pyz9KuLgoCvLMfvPWwlYzhG6WdbFmT7uhFqAe")]
    url: String,
    /// When it expires: ISO 8601, UTC; `null` if it does not.
    #[schema(format = DateTime)]
    expires_at: Option<String>,
}

/// An analysis whose share link was ended.
#[derive(Serialize, ToSchema)]
struct Unshared {
    /// Its id.
    #[schema(format = "uuid")]
    id: String,
    /// `false`.
    shared: bool,
}

const NO_OBJECT: &str = "The body is JSON, but not an object. Send an object such as {\"expires_in_days\":30}.";

/// Share an analysis
///
/// Creates a link to the report of the analysis, a page without account data that anyone with the link can open. An
/// analysis has one link: a new one replaces it. An account has at most 100 active links.
#[utoipa::path(
    post,
    path = "/pdf/{id}/share",
    operation_id = "shareAnalysis",
    tag = "Analyses",
    params((
        "id" = String, Path, format = "uuid", description = "The analysis id (share token).",
        example = "00000000-0001-8614-bd98-f44607e6fa02"
    )),
    request_body(description = "How long the link is valid, and what it shows.", content = ShareRequest, content_type = "application/json"),
    responses(
        (status = 201, description = "The link.", body = Answer<ShareAnswer>),
        (status = 400, description = "bad_request"),
        (status = 404, description = "not_found"),
        (status = 413, description = "file_too_large"),
        (status = 415, description = "unsupported_media_type"),
        (status = 422, description = "validation_failed"),
    )
)]
pub(crate) async fn share(app: &App, call: &mut Call) -> Result<Reply, Error> {
    let (caller, found, id) = owned::analysis(app, call).await?;
    let terms = ShareTerms::read(&Fields::json(call, NO_OBJECT)?)?;
    let (old, origin) = (found.stored_share(id)?, app.origin.clone().or_else(|| call.origin()).unwrap_or_default());
    let link = share::share(&app.store, &caller, (id, old), terms, &origin, call.deadline()).await?;
    let shared = ShareAnswer { url: link.url, expires_at: link.ends_at };
    Ok(Reply::data(&shared)?.status(StatusCode::CREATED))
}

/// End sharing
///
/// Ends the share link of an analysis, which is 404 afterwards.
#[utoipa::path(
    delete,
    path = "/pdf/{id}/share",
    operation_id = "endSharing",
    tag = "Analyses",
    params((
        "id" = String, Path, format = "uuid", description = "The analysis id (share token).",
        example = "00000000-0001-8614-bd98-f44607e6fa02"
    )),
    responses(
        (status = 200, description = "The link is ended.", body = Answer<Unshared>),
        (status = 404, description = "not_found"),
    )
)]
pub(crate) async fn end(app: &App, call: &mut Call) -> Result<Reply, Error> {
    let (caller, found, id) = owned::analysis(app, call).await?;
    let share = found.share(id, call.now)?.ok_or(Error::NotFound)?;
    app.store.end_share((caller.user, &caller.account), (id, share), call.deadline()).await?;
    Reply::data(&Unshared { id: id.to_string(), shared: false })
}
