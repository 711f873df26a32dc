//! Changes and confirmation of the account's address.

use shared::error::{Error, FieldErrors};
use shared::http::{Call, Reply};
use shared::store::outbox::Occasion;

use super::pages::Problems;
use super::{WRONG, confirmed, refuse};
use crate::app::App;
use crate::forms::text;
use crate::register::is_email;
use crate::session;
use crate::{mail, outbox};

/// `POST /account/confirmation`: sends another mail to confirm the address.
pub(crate) async fn confirm(app: &App, call: &mut Call) -> Result<Reply, Error> {
    let (session, _, _) = session::posted(&app.store, call, &[]).await?;
    let account = &session.caller.account;
    if !account.unconfirmed {
        return Ok(Reply::see_other("/account"));
    }
    if !app.mailer.is_there() {
        return Err(Error::NoMail);
    }
    let about = Occasion::Registration { email: account.email.clone(), user: Some(session.caller.user) };
    outbox::queue_request(app, call, &account.email, about).await?;
    Ok(Reply::see_other("/account?sent"))
}

/// `POST /account/email`: requires the password, and notifies both addresses, the old one if it is confirmed. The
/// change takes effect when the mail to the new address was read.
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
    let (user, account) = (session.caller.user, &session.caller.account);
    let (email, new) = (account.email.clone(), new.to_owned());
    let about = Occasion::NewAddress { user, email: email.clone(), new: new.clone() };
    outbox::queue_request(app, call, &new, about).await?;
    if !account.unconfirmed {
        outbox::notify(app, call, &account.email, Occasion::AddressAsked { email, new }).await;
    }
    Ok(Reply::see_other("/account?asked"))
}
