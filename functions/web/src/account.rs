//! `/account`: who it is, another password, and the end of it all.

use std::net::{IpAddr, Ipv4Addr};

use lambda_http::http::StatusCode;
use shared::error::{Error, FieldErrors};
use shared::http::{Call, Fields, Reply};
use shared::store::logins::Attempt;

use crate::account_pages::{self, Problems};
use crate::forms::text;
use crate::passwords::Passwords;
use crate::session::{Session, forget};
use crate::{App, origin};

impl App {
    pub(crate) async fn account(&self, call: &mut Call) -> Result<Reply, Error> {
        let session = self.session(call).await?;
        let changed = call.query() == "changed";
        Ok(account_pages::account(&session, &Problems::default(), changed))
    }

    /// `POST /account/password`: ends every other session.
    pub(crate) async fn change_password(&self, call: &mut Call) -> Result<Reply, Error> {
        let (session, found, fields) = self.posted(call, &[]).await?;
        let (current, new) = (text(&fields, "current_password"), text(&fields, "password"));
        let mut errors = FieldErrors::default();
        Passwords::check(new, "password", &mut errors);
        if !errors.is_empty() {
            return Ok(refuse(&session, &Problems { password: errors, ..Problems::default() }));
        }
        // guessing here is as limited as at the door
        let client = call.client().unwrap_or(IpAddr::V4(Ipv4Addr::UNSPECIFIED));
        let attempt = Attempt::new(&session.caller.account.email, client, call.now);
        self.store.begin_login(&attempt, call.deadline()).await?;
        let old = found.password_hash();
        let right = self.passwords.verify(current, old.as_ref(), call.deadline()).await?;
        let Some(old) = old.filter(|_| right) else {
            let errors = FieldErrors::one("current_password", "is not the password of this account");
            return Ok(refuse(&session, &Problems { password: errors, ..Problems::default() }));
        };
        self.store.forgive_login(&attempt, call.deadline()).await;
        let hash = self.passwords.hash(new, call.deadline()).await?;
        let user = session.caller.user;
        let generation = session.caller.account.generation;
        let generation = self.store.change_password(user, &old, &hash, generation, call.deadline()).await?;
        self.begin_session(call, user, generation, "/account?changed").await
    }

    /// `POST /account/delete`: can be repeated until nothing is left.
    pub(crate) async fn delete_account(&self, call: &mut Call) -> Result<Reply, Error> {
        origin::check(call)?;
        let (session, _) = self.any_session_with(call, &[]).await?;
        let fields = Fields::form(call)?;
        session.check(fields.text("csrf"))?;
        let account = &session.caller.account;
        if text(&fields, "email").trim().to_lowercase() != account.email.to_lowercase() {
            let errors = FieldErrors::one("email", "is not the address of this account");
            return Ok(refuse(&session, &Problems { deletion: errors, ..Problems::default() }));
        }
        match self.store.delete_account(session.caller.user, &account.email, session.id, call.deadline()).await {
            Ok(()) => Ok(forget(call, account_pages::deleted())),
            Err(Error::Unavailable(cause)) => {
                tracing::warn!(%cause, "an account's deletion has to be repeated");
                Ok(account_pages::not_yet_deleted(&session).status(StatusCode::SERVICE_UNAVAILABLE))
            }
            Err(error) => Err(error),
        }
    }
}

fn refuse(session: &Session, problems: &Problems) -> Reply {
    account_pages::account(session, problems, false).status(StatusCode::UNPROCESSABLE_ENTITY)
}
