//! Links to an analysis: created and ended by its owner, on its page.

use lambda_http::http::StatusCode;
use maud::{Markup, html};
use shared::error::Error;
use shared::http::{self, Call, Reply};
use shared::ids::AnalysisId;
use shared::inputs::share::{DAYS, ShareTerms};
use shared::store::shares::Share;
use shared::use_cases::share::{self, ShareLink};

use super::owned;
use crate::app::App;
use crate::copyable::copyable;
use crate::dates::instant;
use crate::layout::{self, Nav, alert, csrf};
use crate::session::Session;

/// `POST /analyses/{id}/share`: the one page that shows the link.
pub(crate) async fn share(app: &App, call: &mut Call) -> Result<Reply, Error> {
    let (session, found, fields, id) = owned::posted(app, call).await?;
    let terms = ShareTerms::read(&fields)?;
    // a reload would end the link that the form has made
    let now = found.share(id, call.now)?;
    if fields.text("replaces").is_some_and(|old| old != replaces(now.as_ref())) {
        return Ok(Reply::see_other(format!("/analyses/{id}")));
    }
    let (old, origin) = (found.stored_share(id)?, app.mailer.origin(call));
    match share::share(&app.store, &session.caller, (id, old), terms, &origin, call.deadline()).await {
        Ok(link) => Ok(made(&session, id, &link)),
        Err(error @ Error::Invalid(_)) => Ok(http::page(&error, None, |_, _| full(&session, id))),
        Err(error) => Err(error),
    }
}

/// `POST /analyses/{id}/unshare`
pub(crate) async fn end(app: &App, call: &mut Call) -> Result<Reply, Error> {
    let (session, found, _, id) = owned::posted(app, call).await?;
    let caller = &session.caller;
    if let Some(share) = found.stored_share(id)? {
        match app.store.end_share((caller.user, &caller.account), (id, share), call.deadline()).await {
            // it has expired or was ended concurrently, as requested
            Ok(()) | Err(Error::NotFound) => {}
            Err(error) => return Err(error),
        }
    }
    Ok(Reply::see_other(format!("/analyses/{id}")))
}

/// The part of a page about its link.
pub(super) fn section(session: &Session, id: AnalysisId, share: Option<&Share>) -> Markup {
    html! {
        section.card.sharing aria-labelledby="share-title" {
            h2 #share-title { "Share" }
            @match share {
                Some(share) => {
                    p {
                        "A link to this report is active since " (instant(&share.since))
                        @match share.ends_at() {
                            Some(end) => { ", until " (instant(&end)) "." }
                            None => { ", until you end it." }
                        }
                        @if share.with_hidden_words { " It shows the words that pages hide or no longer show, too." }
                    }
                    form.inline method="post" action={ "/analyses/" (id) "/unshare" } {
                        (csrf(session))
                        button.button.danger type="submit" { "End sharing" }
                    }
                    details.sample { summary { "Replace this link" } (form(session, id, Some(share))) }
                }
                None => {
                    p.small { "Anyone with the link can read this report, nothing else. " a href="/docs/privacy#share-a-report" { "More on links" } }
                    (form(session, id, None))
                }
            }
        }
    }
}

/// The value of the link that a form replaces; empty for none.
fn replaces(share: Option<&Share>) -> &str {
    share.map_or("", |share| &share.since)
}

fn form(session: &Session, id: AnalysisId, old: Option<&Share>) -> Markup {
    html! {
        form.inline method="post" action={ "/analyses/" (id) "/share" } {
            (csrf(session))
            input type="hidden" name="replaces" value=(replaces(old));
            div.field.short {
                label for="expires_in_days" { "Expires" }
                select #expires_in_days name="expires_in_days" {
                    @for days in DAYS { option value=(days) selected[days == 30] { "in " (days) " days" } }
                    option value="" { "never" }
                }
            }
            label.tick {
                input type="checkbox" name="with_hidden_words" value="true";
                "With the words that pages hide or no longer show"
            }
            button.button type="submit" { "Make a link" }
        }
    }
}

fn made(session: &Session, id: AnalysisId, link: &ShareLink) -> Reply {
    let content = html! {
        section.medium {
            h1 { "The link to your report" }
            p.lead { "Copy it now; it won't be shown again. Anyone with the link can read the report without an account." }
            p {
                @match &link.ends_at {
                    Some(end) => { "It expires " (instant(end)) ", or when you end it." }
                    None => "It never expires; you can end it at any time."
                }
            }
            div.card { (copyable("link", &link.url, "Copy link")) }
            p.actions { a.button href={ "/analyses/" (id) } { "Done, I have copied it" } }
        }
    };
    layout::page("The link to your report", Nav::Session(session, ""), &content)
}

fn full(session: &Session, id: AnalysisId) -> Reply {
    let content = html! {
        section.medium {
            h1 { "No link was made" }
            (alert("100 links of yours are active, which is the most. End one that is no longer needed."))
            p.actions { a.button href={ "/analyses/" (id) } { "Back to the analysis" } }
        }
    };
    layout::page("No link was made", Nav::Session(session, ""), &content).status(StatusCode::UNPROCESSABLE_ENTITY)
}
