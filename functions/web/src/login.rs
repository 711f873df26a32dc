//! `/login`: begins a session.

use futures_util::future::join;
use maud::html;
use shared::error::{Error, FieldErrors};
use shared::http::{Call, Reply};
use shared::ids::{SessionId, UserId};
use shared::store::Row;
use shared::store::logins::Attempt;
use shared::use_cases::delete_account::delete_account;

use crate::app::App;
use crate::credentials_form::{CredentialsForm, email};
use crate::forms::{Input, text};
use crate::next_page::{NEXT, NextPage};
use crate::passwords::Passwords;
use crate::session::{self, Session};

/// The same whether the address or the password is wrong.
const WRONG: &str = "Wrong e-mail or password.";

/// An authenticated account.
struct KnownPerson {
    user: UserId,
    /// The account's.
    generation: u64,
    /// Sessions to end when another one begins.
    outnumbered: Vec<SessionId>,
}

pub(crate) async fn show(app: &App, call: &mut Call) -> Result<Reply, Error> {
    let next = NextPage::named_in(call.query());
    match session::visitor(&app.store, call).await? {
        Some(_) => Ok(Reply::see_other(path_of(next.as_ref()))),
        None => Ok(page(None, "", next.as_ref(), &FieldErrors::default(), None)),
    }
}

pub(crate) async fn login(app: &App, call: &mut Call) -> Result<Reply, Error> {
    let (session, fields) = session::posted_by_anybody(&app.store, call).await?;
    let (address, password) = (text(&fields, "email").trim(), text(&fields, "password"));
    let next = NextPage::parse(text(&fields, NEXT));
    let errors = missing(address, password);
    if !errors.is_empty() {
        return Ok(page(session.as_ref(), address, next.as_ref(), &errors, None));
    }
    match authenticate(app, call, address, password).await? {
        None => Ok(page(session.as_ref(), address, next.as_ref(), &errors, Some(WRONG))),
        Some(KnownPerson { user, generation, outnumbered }) => {
            session::end_previous(&app.store, session, call.deadline()).await?;
            session::begin(&app.store, call, user, generation, &outnumbered, path_of(next.as_ref())).await
        }
    }
}

/// The account with this e-mail address and password. An unknown address and a closed account take the same steps as a
/// wrong password.
async fn authenticate(app: &App, call: &Call, email: &str, password: &str) -> Result<Option<KnownPerson>, Error> {
    let attempt = Attempt::new(email, call.client(), call.now);
    let owner = app.store.begin_login(&attempt, email, call.deadline()).await?;
    let user = owner.unwrap_or_else(UserId::random);
    let rows = app.store.read(user, &[Row::Account], call.deadline()).await?;
    let account = rows.account()?;
    let hash = account.as_ref().and_then(|_| rows.password_hash());
    let right = app.passwords.verify(password, hash.as_ref(), call.deadline()).await?;
    let Some(account) = account.filter(|_| right) else { return Ok(None) };
    if account.closed {
        if account.deleting {
            continue_deletion(app, call, user).await;
        }
        return Ok(None);
    }
    // concurrently: it does not delay the log-in
    let outnumbered = app.store.outnumbered_sessions(user, call.deadline());
    let ((), outnumbered) = join(app.store.forgive_login(&attempt, call.deadline()), outnumbered).await;
    if let Some(old) = hash.filter(Passwords::is_weaker_than_new) {
        let new = app.passwords.hash(password, call.deadline()).await?;
        app.store.renew_password_hash(user, &old, &new, call.deadline()).await;
    }
    Ok(Some(KnownPerson { user, generation: account.generation, outnumbered: outnumbered? }))
}

/// Continues an interrupted deletion, without a notice. Only after the password was verified: it takes long, which would
/// show anyone that the account is being deleted.
async fn continue_deletion(app: &App, call: &Call, user: UserId) {
    if let Err(cause) = delete_account(&app.store, &app.uploads, user, None, call.deadline()).await {
        tracing::warn!(%cause, "an account's deletion has to be repeated");
    }
}

fn missing(email: &str, password: &str) -> FieldErrors {
    let mut errors = FieldErrors::default();
    if email.is_empty() || email.len() > 254 {
        errors.add("email", "is required");
    }
    if password.is_empty() {
        errors.add("password", "is required");
    }
    errors
}

/// Where the log-in leads.
fn path_of(next: Option<&NextPage>) -> &str {
    next.map_or("/dashboard", NextPage::path)
}

fn page(
    session: Option<&Session>,
    address: &str,
    next: Option<&NextPage>,
    errors: &FieldErrors,
    message: Option<&str>,
) -> Reply {
    let form = CredentialsForm {
        title: "Log in",
        lead: if next.is_some() { "Log in to read this page." } else { "Good to see you again." },
        action: "/login",
        button: "Log in",
        inputs: &[email(address), Input::password("password", "Password", "current-password", "")],
        hidden: html! { @if let Some(next) = next { input type="hidden" name=(NEXT) value=(next.path()); } },
        other: html! {
            "New here? " a href="/register" { "Create an account" }
            " · " a href="/forgot" { "Forgot your password?" }
        },
    };
    form.page(session, errors, message)
}
