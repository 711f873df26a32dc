//! `POST` and `DELETE /pdf/{id}/share`: creates a link to the report, for anyone who has it, and ends it.

use lambda_http::http::StatusCode;
use serde::Serialize;
use shared::error::Error;
use shared::http::{Answer, Call, Fields, Reply};
use shared::inputs::share::{ShareLife, ShareTerms};
use shared::use_cases::share;
use utoipa::ToSchema;

use crate::{App, owned};

/// What link is wanted.
#[derive(ToSchema)]
#[expect(dead_code, reason = "it describes what `ShareTerms` reads")]
struct ShareRequest {
    /// In how many days the link ends: 7, 30 or 90; without it, or with `null`, it is good until it is ended.
    #[schema(required = false, example = 30)]
    expires_in_days: ShareLife,
    /// Whether the link shows everything that you are shown: also words that the file's pages hide, and words that a later
    /// save removed. Without it these are left out of the report, its print and its JSON; of a comparison, differences in words that either file hides.
    #[schema(required = false, nullable = true, default = false)]
    with_hidden_words: bool,
}

/// A link to an analysis.
#[derive(Serialize, ToSchema)]
#[schema(as = Share)]
struct ShareAnswer {
    /// The link, in this answer and nowhere else, ever.
    #[schema(format = "uri", example = "https://pdf.example.com/s/2Ym0S4Pyz9KuLgoCvLMfvPWwlYzhG6WdbFmT7uhFqAe")]
    url: String,
    /// When it expires: ISO 8601, UTC; `null` if it does not.
    #[schema(format = DateTime)]
    expires_at: Option<String>,
}

/// An analysis that has no link any more.
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
/// Makes a link to the analysis' report, a page without anything of the account, for everybody who has it. An analysis
/// has one link: a new one ends the old. An account has at most 100 active ones.
#[utoipa::path(
    post,
    path = "/pdf/{id}/share",
    operation_id = "shareAnalysis",
    tag = "Analyses",
    params((
        "id" = String, Path, format = "uuid", description = "The analysis id (share token).",
        example = "00000000-0001-8614-bd98-f44607e6fa02"
    )),
    request_body(description = "How long the link is wanted, and what it shall show.", content = ShareRequest, content_type = "application/json"),
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
/// Revokes the link to an analysis: from now on it is answered with 404.
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
