//! The account's address: another one, and a mail to confirm the one it has.

use shared::error::{Error, FieldErrors};
use shared::http::{Call, Reply};
use shared::store::Purpose;
use shared::store::mails::NewMail;

use super::pages::Problems;
use super::{WRONG, confirmed, refuse};
use crate::app::App;
use crate::forms::text;
use crate::mail::{self, link};
use crate::mail::{Letter, evenly};
use crate::register::is_email;
use crate::session::{self, Session};

/// `POST /account/confirmation`: another mail to confirm the address with.
pub(crate) async fn confirm(app: &App, call: &mut Call) -> Result<Reply, Error> {
    let (session, _, _) = session::posted(&app.store, call, &[]).await?;
    let account = &session.caller.account;
    if !account.unconfirmed {
        return Ok(Reply::see_other("/account"));
    }
    if !app.mailer.is_there() {
        return Err(Error::NoMail);
    }
    let (asker, limits) = (Some(call.client()), app.registration_limits);
    app.store.begin_mail(&account.email, asker, limits, call.now, call.deadline()).await?;
    let secret = link::new_secret(session.caller.user)?;
    let letter = Letter::Confirm { secret: &secret.reveal() };
    app.mailer.send(&account.email, &letter, &app.mailer.origin(call), call.now).await?;
    let mail = NewMail {
        purpose: Purpose::Confirm,
        secret: &secret,
        email: &account.email,
        generation: account.generation,
        new_email: None,
    };
    app.store.keep_mail(&mail, call.now, call.deadline()).await?;
    Ok(Reply::see_other("/account?sent"))
}

/// `POST /account/email`: asks for the password, and tells both addresses. The new one holds when its mail was read.
pub(crate) async fn change(app: &App, call: &mut Call) -> Result<Reply, Error> {
    let (session, found, fields) = session::posted(&app.store, call, &[]).await?;
    if !app.mailer.is_there() {
        return Err(Error::NoMail);
    }
    let (new, password) = (text(&fields, "email").trim(), text(&fields, "email_password"));
    let again = |errors| Ok(refuse(app, &session, &Problems { email: errors, new_email: new, ..Problems::default() }));
    if !is_email(new) || !mail::reaches(new) {
        return again(FieldErrors::one("email", "must be an address such as ada@example.com"));
    }
    if new == session.caller.account.email {
        return again(FieldErrors::one("email", "is the address that the account has"));
    }
    if confirmed(app, call, &session, &found, password).await?.is_none() {
        return again(FieldErrors::one("email_password", WRONG));
    }
    let (asker, limits) = (Some(call.client()), app.registration_limits);
    app.store.begin_mail(new, asker, limits, call.now, call.deadline()).await?;
    evenly(ask(app, call, &session, new)).await?;
    Ok(Reply::see_other("/account?asked"))
}

/// Whether the new address is somebody's already, only a mail to it tells.
async fn ask(app: &App, call: &Call, session: &Session, new: &str) -> Result<(), Error> {
    let (user, account) = (session.caller.user, &session.caller.account);
    let owner = app.store.owner_of_email(new, call.deadline()).await?;
    let secret = link::new_secret(user)?;
    let revealed = secret.reveal();
    let taken = owner.is_some_and(|owner| owner != user);
    let letter = if taken { Letter::AddressTaken } else { Letter::NewAddress { secret: &revealed } };
    let origin = app.mailer.origin(call);
    let notice = Letter::AddressAsked { new };
    let (told, asked) = tokio::join!(
        app.mailer.send(&account.email, &notice, &origin, call.now),
        app.mailer.send(new, &letter, &origin, call.now)
    );
    told.and(asked)?;
    if taken {
        return Ok(());
    }
    let mail = NewMail {
        purpose: Purpose::Address,
        secret: &secret,
        email: &account.email,
        generation: account.generation,
        new_email: Some(new),
    };
    app.store.keep_mail(&mail, call.now, call.deadline()).await
}
