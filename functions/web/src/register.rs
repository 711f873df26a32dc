//! `/register`: a new account, and at once a session of it.

mod rules;

pub use rules::Registration;

use maud::html;
use shared::error::{Error, FieldErrors};
use shared::http::{Call, Reply};
use shared::registration::Policy;
use shared::store::accounts::{EmailTaken, NewAccount};

use crate::app::App;
use crate::entry::{Entry, email};
use crate::forms::{Input, text};
use crate::layout::{self, Nav};
use crate::session::{self, Session};

pub(crate) async fn show(app: &App, call: &mut Call) -> Result<Reply, Error> {
    match session::visitor(&app.store, call).await? {
        Some(_) => Ok(Reply::see_other("/dashboard")),
        None if app.registration == Policy::Closed => Ok(closed()),
        None => Ok(page(None, "", "", &FieldErrors::default())),
    }
}

pub(crate) async fn register(app: &App, call: &mut Call) -> Result<Reply, Error> {
    let (session, fields) = session::posted_by_anybody(&app.store, call).await?;
    if app.registration == Policy::Closed {
        return Err(Error::RegistrationClosed);
    }
    let password = text(&fields, "password");
    let new = Registration {
        name: text(&fields, "name").trim(),
        email: text(&fields, "email").trim(),
        password: Some(password),
    };
    let again = |errors: &FieldErrors| page(session.as_ref(), new.name, new.email, errors);
    let errors = new.errors();
    if !errors.is_empty() {
        return Ok(again(&errors));
    }
    // before anything is done that costs: a hash is a twentieth of a second of a processor, a row stays for ever
    app.store.begin_registration(call.client(), app.registration_limits, call.now, call.deadline()).await?;
    let hash = app.passwords.hash(password, call.deadline()).await?;
    let account =
        NewAccount { name: new.name, email: new.email, password_hash: Some(&hash), daily_limit: app.daily_limit };
    match app.store.create_account(&account, call.now, call.deadline()).await? {
        Err(EmailTaken) => Ok(again(&FieldErrors::one("email", "is registered already: log in instead"))),
        Ok(user) => {
            session::end_previous(&app.store, session, call.deadline()).await?;
            session::begin(&app.store, call, user, 0, "/dashboard").await
        }
    }
}

/// What stands in the place of the form where the operator opens accounts.
fn closed() -> Reply {
    let content = html! {
        section.narrow {
            h1 { "By invitation" }
            p.lead { "Nobody can sign up here by themselves: the operator opens accounts. Ask them for one." }
            p.actions { a.button href="/login" { "Log in" } a href="/docs" { "Read the docs" } }
        }
    };
    layout::page("Sign up", Nav::Visitor, &content)
}

fn page(session: Option<&Session>, name: &str, address: &str, errors: &FieldErrors) -> Reply {
    let inputs = [
        Input { name: "name", label: "Name", kind: "text", autocomplete: "name", value: name, hint: "" },
        email(address),
        Input {
            name: "password",
            label: "Password",
            kind: "password",
            autocomplete: "new-password",
            value: "",
            hint: "8 to 128 characters. A few random words are a good one.",
        },
    ];
    let entry = Entry {
        title: "Create your account",
        lead: "Free, and ready at once: no credit card, no confirmation mail.",
        action: "/register",
        button: "Create account",
        inputs: &inputs,
        other: html! { "Have an account already? " a href="/login" { "Log in" } },
    };
    entry.page(session, errors, None)
}
