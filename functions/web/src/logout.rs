//! `/logout`: ends a session, on the server and in the browser.

use maud::html;
use shared::error::Error;
use shared::http::{Call, Reply};

use crate::app::App;
use crate::layout::{self, Nav};
use crate::session;

pub(crate) async fn show(app: &App, call: &mut Call) -> Result<Reply, Error> {
    let session = session::current(&app.store, call).await?;
    let content = html! {
        section.narrow {
            h1 { "Log out?" }
            p.lead { "You are logged in as " strong { (session.caller.account.email) } "." }
            form method="post" action="/logout" {
                (layout::csrf(&session))
                button.button type="submit" { "Log out" }
            }
        }
    };
    Ok(layout::page("Log out", Nav::Session(&session, "/logout"), &content))
}

pub(crate) async fn logout(app: &App, call: &mut Call) -> Result<Reply, Error> {
    let (session, _, _) = session::posted(&app.store, call, &[]).await?;
    app.store.delete_session(session.caller.user, session.id, call.deadline()).await?;
    Ok(session::forget(call, Reply::see_other("/")))
}
