//! `/account`: the account's data, changes of password and address, and deletion.

pub(crate) mod email;
mod pages;

use lambda_http::http::StatusCode;
use shared::error::{Error, FieldErrors};
use shared::http::{Call, Reply};
use shared::secret::PasswordHash;
use shared::store::Rows;
use shared::store::logins::Attempt;
use shared::store::outbox::Occasion;
use shared::use_cases::delete_account::delete_account;

use self::pages::Problems;
use crate::app::App;
use crate::forms::{ends_tokens, text};
use crate::outbox;
use crate::passwords::Passwords;
use crate::session::{self, Session};

const WRONG: &str = "is not the password of this account";

pub(crate) async fn show(app: &App, call: &mut Call) -> Result<Reply, Error> {
    let session = session::current(&app.store, call).await?;
    let notice = match call.query() {
        "changed" => "Your password is changed. Every other session is logged out.",
        "ended" => "Your password is changed. Every other session is logged out, and all API tokens are ended.",
        "sent" => "A mail to your address is on its way. Open the link in it within an hour.",
        "asked" => {
            "A mail to the new address is on its way. It becomes yours when you open the link in it, within an hour."
        }
        _ => "",
    };
    Ok(pages::account(app, &session, &Problems::default(), notice))
}

/// `POST /account/password`: ends every other session.
pub(crate) async fn change_password(app: &App, call: &mut Call) -> Result<Reply, Error> {
    let (session, found, fields) = session::posted(&app.store, call, &[]).await?;
    let (current, new) = (text(&fields, "current_password"), text(&fields, "password"));
    let errors = Passwords::problems(new);
    if !errors.is_empty() {
        return Ok(refuse(app, &session, &Problems { password: errors, ..Problems::default() }));
    }
    let Some(old) = confirmed(app, call, &session, &found, current).await? else {
        let errors = FieldErrors::one("current_password", WRONG);
        return Ok(refuse(app, &session, &Problems { password: errors, ..Problems::default() }));
    };
    let hash = app.passwords.hash(new, call.deadline()).await?;
    let (user, account) = (session.caller.user, &session.caller.account);
    let ends_tokens = ends_tokens(&fields);
    let now = (account.generation, ends_tokens);
    let generation = app.store.change_password(user, &old, &hash, now, call.deadline()).await?;
    if ends_tokens {
        app.store.clear_outdated_tokens(user, call.deadline()).await;
    }
    if !account.unconfirmed {
        outbox::notify(app, call, &account.email, Occasion::PasswordChanged { email: account.email.clone() }).await;
    }
    let path = if ends_tokens { "/account?ended" } else { "/account?changed" };
    session::begin(&app.store, call, user, generation, &[], path).await
}

/// The account's hash if `password` is its password. Attempts are limited per session.
async fn confirmed(
    app: &App,
    call: &Call,
    session: &Session,
    found: &Rows,
    password: &str,
) -> Result<Option<PasswordHash>, Error> {
    let attempt = Attempt::within(session.caller.user, session.id, call.now);
    app.store.begin_login(&attempt, &session.caller.account.email, call.deadline()).await?;
    let hash = found.password_hash();
    let right = app.passwords.verify(password, hash.as_ref(), call.deadline()).await?;
    if right {
        app.store.forgive_login(&attempt, call.deadline()).await;
    }
    Ok(hash.filter(|_| right))
}

/// `POST /account/delete`: requires the password once, and can be repeated until the deletion is complete.
pub(crate) async fn delete(app: &App, call: &mut Call) -> Result<Reply, Error> {
    let (session, found, fields) = session::posted_while_deleting(&app.store, call).await?;
    let account = &session.caller.account;
    let begun = account.deleting;
    if !begun && confirmed(app, call, &session, &found, text(&fields, "confirm_password")).await?.is_none() {
        let errors = FieldErrors::one("confirm_password", WRONG);
        return Ok(refuse(app, &session, &Problems { deletion: errors, ..Problems::default() }));
    }
    let (user, session_id) = (session.caller.user, Some(session.id));
    let ended = delete_account(&app.store, &app.uploads, user, session_id, call.deadline());
    match ended.await {
        Ok(()) => Ok(session::forget(call, pages::deleted())),
        Err(Error::Unavailable(cause)) => {
            tracing::warn!(%cause, "an account's deletion has to be repeated");
            Ok(pages::not_yet_deleted(&session).status(StatusCode::SERVICE_UNAVAILABLE))
        }
        Err(error) => Err(error),
    }
}

fn refuse(app: &App, session: &Session, problems: &Problems<'_>) -> Reply {
    pages::account(app, session, problems, "").status(StatusCode::UNPROCESSABLE_ENTITY)
}
