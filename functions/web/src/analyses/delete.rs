//! Deletion of analyses, by the form on an analysis' page or by a selection on the dashboard.

use std::collections::BTreeSet;

use lambda_http::http::StatusCode;
use maud::{Markup, html};
use shared::error::Error;
use shared::http::{Call, Reply};
use shared::ids::AnalysisId;
use shared::numbering::TOO_SCATTERED;
use shared::store::Row;
use shared::store::analysis_deletion::AnalysisToDelete;

use super::{dashboard, owned};
use crate::app::App;
use crate::layout::csrf;
use crate::session::{self, Session};

/// Rows that are read in one round trip.
const AT_ONCE: usize = 100;

/// `POST /analyses/{id}/delete`
pub(crate) async fn one(app: &App, call: &mut Call) -> Result<Reply, Error> {
    let (session, found, _, id) = owned::posted(app, call).await?;
    delete(app, call, &session, vec![found.to_delete(id)?]).await
}

/// `POST /dashboard/delete`: the fields named by ids select the analyses. Deleted ones are skipped, so that an
/// interrupted deletion can be repeated.
pub(crate) async fn selected(app: &App, call: &mut Call) -> Result<Reply, Error> {
    let (session, _, fields) = session::posted(&app.store, call, &[]).await?;
    let ids: Vec<_> = fields.names().filter_map(AnalysisId::parse).collect();
    if ids.is_empty() {
        return refuse(app, call, &session, "Select the analyses to delete first.").await;
    }
    let mut selected = Vec::new();
    for part in ids.chunks(AT_ONCE) {
        // two ids may have the same number, and a row may be requested once only
        let numbers: BTreeSet<_> = part.iter().map(AnalysisId::number).collect();
        let rows: Vec<_> = numbers.into_iter().map(Row::Analysis).collect();
        let found = app.store.read(session.caller.user, &rows, call.deadline()).await?;
        for id in part {
            if found.has_analysis(*id)? {
                selected.push(found.to_delete(*id)?);
            }
        }
    }
    delete(app, call, &session, selected).await
}

async fn delete(app: &App, call: &Call, session: &Session, selected: Vec<AnalysisToDelete>) -> Result<Reply, Error> {
    let caller = &session.caller;
    let mut numbering = caller.account.numbering.clone();
    for analysis in selected {
        match app.store.delete_analysis(caller.user, analysis, &numbering, call.deadline()).await {
            Ok(after) => numbering = after,
            Err(Error::NotFound) => {}
            Err(Error::Invalid(_)) => {
                return refuse(app, call, session, &format!("The analysis {TOO_SCATTERED}.")).await;
            }
            Err(error) => return Err(error),
        }
    }
    Ok(Reply::see_other("/dashboard"))
}

async fn refuse(app: &App, call: &Call, session: &Session, message: &str) -> Result<Reply, Error> {
    let page = dashboard::refused(app, call, session, message).await?;
    Ok(page.status(StatusCode::UNPROCESSABLE_ENTITY))
}

/// The form that deletes an analysis, at the end of its page, with its confirmation.
pub(super) fn button(session: &Session, id: AnalysisId, what: &str) -> Markup {
    html! {
        details.confirm.delete {
            summary.link { span.closed { "Delete this " (what) } span.opened { "Keep it" } }
            form method="post" action={ "/analyses/" (id) "/delete" } {
                (csrf(session))
                p { "Delete this " (what) " permanently? This doesn't restore today's quota." }
                button.button.danger type="submit" { "Delete permanently" }
            }
        }
    }
}
