//! `GET /pdf`: the caller's analyses, newest first, a page at a time or from one of them on.

use lambda_http::http::header::LINK;
use serde::Serialize;
use shared::analysis::Summary;
use shared::auth;
use shared::error::Error;
use shared::http::{Always, Call, Reply};
use shared::listing::{EntryKind, ListWalk, Listing};
use shared::page::{Meta, PageRequest};
use shared::store::Row;
use utoipa::ToSchema;

use crate::App;

/// The envelope of a page of the list.
#[derive(Serialize, ToSchema)]
#[schema(as = AnalysisListAnswer)]
struct ListAnswer<'a> {
    /// `true`.
    #[schema(inline)]
    success: Always<true>,
    /// The analyses, newest first.
    data: &'a [Summary],
    meta: Meta,
}

/// List analyses
///
/// Returns the account's analyses, newest first, one page at a time. `Link` has the first, previous, next and last
/// page.
///
/// With `before`, the list continues after that analysis, and contains each analysis once, whatever is added meanwhile.
/// The filters `outcome`, `verdict`, `search`, `reference` and `sha256` combine. `Link` then has the next part (`next`)
/// and the start (`first`).
///
/// Comparisons, which have no metadata, are listed with `kind=comparison`, or together with analyses with `kind=all`.
#[utoipa::path(
    get,
    path = "/pdf",
    operation_id = "listAnalyses",
    tag = "Analyses",
    params(PageRequest, ListWalk),
    responses(
        (status = 200, description = "A part of the list.", body = ListAnswer, headers(
            ("Link" = String, description = "The parts around this one (RFC 8288): first, prev, next, last."),
        )),
        (status = 422, description = "validation_failed"),
    )
)]
pub(crate) async fn list(app: &App, call: &mut Call) -> Result<Reply, Error> {
    // errors are not reported before authentication
    let asked = Listing::parse(call.query(), EntryKind::Analysis);
    let before = asked.as_ref().ok().and_then(Listing::before);
    let rows: Vec<_> = before.iter().map(|id| Row::Analysis(id.number())).collect();
    let (caller, found) = auth::caller_with(&app.store, call, &rows).await?;
    let numbering = &caller.account.numbering;
    let walk = match asked? {
        Listing::Page(asked) => {
            let listed = app.store.page(caller.user, &caller.account, asked, call.deadline()).await?;
            return answer(&listed.entries, asked.page().meta(listed.total), asked.links(call.path(), listed.total));
        }
        Listing::Walk(walk) => walk,
    };
    found.check_start(&walk, numbering)?;
    let walked = app.store.walk(caller.user, &caller.account, &walk, call.deadline()).await?;
    answer(&walked.entries, walk.meta(walked.passed, walked.total), walk.links(call.path(), walked.last))
}

fn answer(data: &[Summary], meta: Meta, links: String) -> Result<Reply, Error> {
    Ok(Reply::envelope(&ListAnswer { success: Always::<true>, data, meta })?.header(LINK, links))
}
