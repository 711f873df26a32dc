//! `GET /pdf`: the caller's analyses, a page at a time, newest first.

use lambda_http::http::header::LINK;
use serde::Serialize;
use shared::analysis::Summary;
use shared::auth;
use shared::error::Error;
use shared::http::{Call, Reply, Success};
use shared::page::{Meta, Page};
use utoipa::ToSchema;

use crate::App;

/// The envelope of a page of the list.
#[derive(Serialize, ToSchema)]
#[schema(as = AnalysisListAnswer)]
struct ListAnswer<'a> {
    /// `true`.
    #[schema(inline)]
    success: Success,
    /// The analyses on this page.
    data: &'a [Summary],
    meta: Meta,
}

/// List analyses
///
/// The account's analyses, newest first, a page at a time. `Link` leads to the first, previous, next and last page.
#[utoipa::path(
    get,
    path = "/pdf",
    operation_id = "listAnalyses",
    tag = "Analyses",
    params(Page),
    responses(
        (status = 200, description = "One page of the list.", body = ListAnswer, headers(
            ("Link" = String, description = "The pages around this one (RFC 8288): first, prev, next, last."),
        )),
        (status = 422, description = "validation_failed"),
    )
)]
pub(crate) async fn list(app: &App, call: &mut Call) -> Result<Reply, Error> {
    let caller = auth::caller(&app.store, call).await?;
    let page = Page::parse(call.query())?;
    let total = caller.account.analyses;
    let analyses = app.store.analyses(caller.user, page, total, call.deadline()).await?;
    let reply = Reply::envelope(&ListAnswer { success: Success, data: &analyses, meta: page.meta(total) })?;
    Ok(reply.header(LINK, page.links(call.path(), total)))
}
