//! The list as CSV.

use lambda_http::http::StatusCode;
use lambda_http::http::header::CONTENT_DISPOSITION;
use shared::analysis::Summary;
use shared::error::Error;
use shared::http::{Call, Reply};
use shared::listing::{Filters, Listing, Within};
use shared::reference::Reference;

use crate::app::App;
use crate::session::Session;

/// Most rows.
const MAX_ROWS: u64 = 10_000;
const HEAD: [&str; 9] =
    ["analyzed (UTC)", "file", "reference", "outcome", "verdict", "reason", "signal", "bytes", "analysis id"];

/// All matches among the newest 10,000 analyses, newest first.
pub(super) async fn reply(app: &App, call: &Call, session: &Session, listing: &Listing) -> Result<Reply, Error> {
    let caller = &session.caller;
    let (within, picked) = match listing {
        Listing::Page(asked) => (Within::All, Filters { kind: asked.kind(), ..Filters::default() }),
        Listing::Walk(walk) => (walk.within(), walk.picked()),
    };
    let newest = caller.account.numbering.given();
    let looking = app.store.find(caller.user, &caller.account, newest, (within, &picked), MAX_ROWS, call.deadline());
    let found = looking.await?;
    let mut table = report::csv::line(&HEAD.map(str::to_owned));
    table.extend(found.entries.iter().map(|row| report::csv::line(&cells(row))));
    let reply = Reply::page(StatusCode::OK, "text/csv; charset=utf-8", table);
    Ok(reply.header(CONTENT_DISPOSITION, "attachment; filename=\"analyses.csv\"".to_owned()))
}

fn cells(row: &Summary) -> [String; 9] {
    let reason = row.reason.as_ref();
    let compared = row.compared_with.as_ref().map(|with| format!("compared with {}", with.filename));
    [
        row.analyzed_at.clone(),
        row.filename.clone(),
        row.reference.as_ref().map(Reference::as_str).unwrap_or_default().to_owned(),
        row.outcome.map(|outcome| outcome.to_string()).unwrap_or_default(),
        row.verdict.map(|verdict| verdict.to_string()).unwrap_or_default(),
        reason.map(|reason| reason.phrase.clone()).or(compared).unwrap_or_default(),
        reason.map(|reason| reason.signal.to_string()).unwrap_or_default(),
        row.file_size.to_string(),
        row.id.to_string(),
    ]
}
