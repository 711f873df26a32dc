//! `/forgot`: requests a mail with a link to set a new password.

use maud::html;
use shared::error::{Error, FieldErrors};
use shared::http::{Call, Reply};
use shared::store::outbox::Occasion;

use crate::app::App;
use crate::credentials_form::{CredentialsForm, email};
use crate::forms::text;
use crate::layout::{self, Nav};
use crate::register::is_email;
use crate::session::{self, Session};
use crate::{mail, outbox};

pub(crate) async fn show(app: &App, call: &mut Call) -> Result<Reply, Error> {
    let session = session::visitor(&app.store, call).await?;
    Ok(if app.mailer.is_there() { page(session.as_ref(), "", &FieldErrors::default()) } else { no_mail() })
}

/// Reads the account only after the answer, whose timing thus does not reveal whether it exists.
pub(crate) async fn forgot(app: &App, call: &mut Call) -> Result<Reply, Error> {
    let (session, fields) = session::posted_by_anybody(&app.store, call).await?;
    if !app.mailer.is_there() {
        return Err(Error::NoMail);
    }
    let address = text(&fields, "email").trim();
    if !is_email(address) || !mail::reaches(address) {
        let errors = FieldErrors::one("email", "must be an address such as ada@example.com");
        return Ok(page(session.as_ref(), address, &errors));
    }
    outbox::queue_request(app, call, address, Occasion::Reset { email: address.to_owned() }).await?;
    Ok(sent())
}

fn page(session: Option<&Session>, address: &str, errors: &FieldErrors) -> Reply {
    let form = CredentialsForm {
        title: "Forgot your password?",
        lead: "Enter your e-mail address and we'll send you a reset link.",
        action: "/forgot",
        button: "Send the mail",
        inputs: &[email(address)],
        hidden: html! {},
        other: html! { "Remembered it? " a href="/login" { "Log in" } },
    };
    form.page(session, errors, None)
}

fn sent() -> Reply {
    let lead = "If an account has this address, a mail with a link to a new password is on its way. The link is good for an hour.";
    let next = html! { p.muted { "Nothing there? Look among the spam, too, and whether it is the address that you registered." } };
    layout::message("Look into your mailbox", Nav::Neutral, lead, &next)
}

fn no_mail() -> Reply {
    let lead = "This service sends no mail. Ask its operator: they can give you a link to a new password.";
    let next = html! { p.actions { a.button href="/login" { "Log in" } } };
    layout::message("Forgot your password?", Nav::Neutral, lead, &next)
}
