//! `/register`: creates an account and its first session. If mail is sent, only a mail reveals whether an address is
//! taken, so the session begins with a log-in.

mod rules;

pub use rules::Registration;
pub(crate) use rules::is_email;

use maud::html;
use shared::error::{Error, FieldErrors};
use shared::http::{Call, Reply};
use shared::ids::UserId;
use shared::store::accounts::{Address, EmailTaken, NewAccount};
use shared::store::outbox::Occasion;

use crate::admission::Admission;
use crate::app::App;
use crate::credentials_form::{CredentialsForm, email};
use crate::forms::{Input, text};
use crate::layout::{self, Nav};
use crate::session::{self, Session};
use crate::{mail, outbox};

pub(crate) async fn show(app: &App, call: &mut Call) -> Result<Reply, Error> {
    let session = session::visitor(&app.store, call).await?;
    Ok(match (session, app.admission) {
        (Some(_), _) => Reply::see_other("/dashboard"),
        (None, Admission::Closed) => closed(),
        (None, _) => page(app, None, "", "", &FieldErrors::default()),
    })
}

pub(crate) async fn register(app: &App, call: &mut Call) -> Result<Reply, Error> {
    let (session, fields) = session::posted_by_anybody(&app.store, call).await?;
    let (address, has_mail, is_told_by_mail) = match app.admission {
        Admission::Closed => return Err(Error::RegistrationClosed),
        Admission::AtOnce { address, mail } => (address, mail, false),
        Admission::ByMail { address } => (address, true, true),
    };
    let password = text(&fields, "password");
    let new = Registration {
        name: text(&fields, "name").trim(),
        email: text(&fields, "email").trim(),
        password: Some(password),
    };
    let again = |errors: &FieldErrors| page(app, session.as_ref(), new.name, new.email, errors);
    let mut errors = new.errors();
    if errors.is_empty() && has_mail && !mail::reaches(new.email) {
        errors.add("email", "must be an address such as ada@example.com");
    }
    if !errors.is_empty() {
        return Ok(again(&errors));
    }
    // before anything expensive: a hash takes 50 ms of CPU time, a row is permanent
    app.store.begin_registration(call.client(), app.registration_limits, call.now, call.deadline()).await?;
    let hash = app.passwords.hash(password, call.deadline()).await?;
    let account = NewAccount {
        name: new.name,
        email: new.email,
        password_hash: Some(&hash),
        daily_limit: app.daily_limit,
        address,
    };
    let created = app.store.create_account(&account, call.now, call.deadline()).await?;
    if created == Err(EmailTaken) && !is_told_by_mail {
        return Ok(again(&FieldErrors::one("email", "is registered already: log in instead")));
    }
    if has_mail {
        queue_mail(app, call, new.email, created.ok()).await?;
    }
    session::end_previous(&app.store, session, call.deadline()).await?;
    match created {
        Ok(user) if !is_told_by_mail => session::begin(&app.store, call, user, 0, &[], "/dashboard").await,
        _ => Ok(session::forget(call, mailed(address))),
    }
}

/// Sends a mail to the address, whether it was taken or not, within the limits per address.
async fn queue_mail(app: &App, call: &Call, email: &str, user: Option<UserId>) -> Result<(), Error> {
    match app.store.begin_mail(email, None, app.registration_limits, call.now, call.deadline()).await {
        Ok(()) => outbox::queue(app, call, Occasion::Registration { email: email.to_owned(), user }).await,
        Err(Error::TooMany { .. }) => Ok(()),
        Err(error) => Err(error),
    }
}

/// The same answer for a new address and a taken one.
fn mailed(address: Address) -> Reply {
    let lead = "A mail to your address is on its way. Open the link in it within an hour.";
    let until_then = match address {
        Address::ConfirmationRequired => "Until then your account has no analyses and can have no token.",
        _ => {
            "You can log in now, with the password that you have just chosen. The link ends sessions, API tokens and links to reports that were made before it: open it first if you need them to last."
        }
    };
    let next = html! { p { (until_then) } p.actions { a.button href="/login" { "Log in" } } };
    layout::message("Look into your mailbox", Nav::Neutral, lead, &next)
}

/// The page without a form, if only the operator opens accounts.
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

fn page(app: &App, session: Option<&Session>, name: &str, address: &str, errors: &FieldErrors) -> Reply {
    let inputs = [
        Input { name: "name", label: "Name", kind: "text", autocomplete: "name", value: name, hint: "" },
        email(address),
        Input::new_password("Password"),
    ];
    let form = CredentialsForm {
        title: "Create your account",
        lead: match app.admission {
            Admission::AtOnce { address: Address::ConfirmationRequired, .. }
            | Admission::ByMail { address: Address::ConfirmationRequired } => {
                "Free. No credit card. Ready as soon as you open the link we e-mail you."
            }
            Admission::ByMail { .. } | Admission::AtOnce { mail: true, .. } => "Free and ready to use. No credit card.",
            _ => "Free and ready to use. No credit card, no confirmation e-mail.",
        },
        action: "/register",
        button: "Create account",
        inputs: &inputs,
        hidden: html! {},
        other: html! { "Have an account already? " a href="/login" { "Log in" } },
    };
    form.page(session, errors, None)
}
