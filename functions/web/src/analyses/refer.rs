//! The reference of an analysis or a comparison: changed by its owner on its page.

use lambda_http::http::StatusCode;
use maud::{Markup, html};
use shared::error::Error;
use shared::http::{self, Call, Reply};
use shared::ids::AnalysisId;
use shared::inputs;
use shared::reference::{MAX_CHARACTERS, Reference};

use super::owned;
use crate::app::App;
use crate::layout::{self, Nav, alert, csrf};
use crate::session::Session;

/// `POST /analyses/{id}/reference`
pub(crate) async fn refer(app: &App, call: &mut Call) -> Result<Reply, Error> {
    let (session, found, fields, id) = owned::posted(app, call).await?;
    let reference = match inputs::reference::read(&fields) {
        Ok(reference) => reference,
        Err(error @ Error::Invalid(_)) => {
            return Ok(http::page(&error, None, |_, _| refused(&session, id, fields.text("reference"))));
        }
        Err(error) => return Err(error),
    };
    app.store.refer(session.caller.user, found.to_refer(id)?, reference, call.deadline()).await?;
    Ok(Reply::see_other(format!("/analyses/{id}")))
}

/// The form that changes the reference, at the head of a report.
pub(super) fn section(session: &Session, id: AnalysisId, reference: Option<&Reference>) -> Markup {
    html! {
        details.refer.unprinted {
            summary { @if reference.is_some() { "Change the reference" } @else { "Add a reference" } }
            (form(session, id, reference.map(Reference::as_str)))
        }
    }
}

fn form(session: &Session, id: AnalysisId, reference: Option<&str>) -> Markup {
    html! {
        form.inline method="post" action={ "/analyses/" (id) "/reference" } {
            (csrf(session))
            div.field {
                label for="new_reference" { "Reference" }
                input #new_reference name="reference" maxlength=(MAX_CHARACTERS) autocomplete="off" value=[reference] aria-describedby="reference-hint";
            }
            button.button type="submit" { "Save" }
            p.small.muted #reference-hint { "For example a claim number. Leave it empty to remove it. This doesn't use your quota." }
        }
    }
}

fn refused(session: &Session, id: AnalysisId, reference: Option<&str>) -> Reply {
    let content = html! {
        section.medium {
            h1 { "The reference was not changed" }
            (alert("A reference has at most 64 characters on one line, all of which can be seen."))
            (form(session, id, reference))
            p.actions { a.button.quiet href={ "/analyses/" (id) } { "Back to the analysis" } }
        }
    };
    layout::page("The reference was not changed", Nav::Session(session, ""), &content)
        .status(StatusCode::UNPROCESSABLE_ENTITY)
}
