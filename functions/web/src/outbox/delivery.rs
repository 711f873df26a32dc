//! What becomes of a mail in the outbox: to whom it goes, if to anybody, what it says, and the secret of its link.

use shared::deadline::Deadline;
use shared::error::Error;
use shared::ids::UserId;
use shared::store::accounts::Account;
use shared::store::mails::NewMail;
use shared::store::outbox::{About, QueuedMail};
use shared::store::{Purpose, Row};

use crate::app::App;
use crate::mail::Letter;

/// A mail under way.
struct Delivery<'a> {
    app: &'a App,
    origin: &'a str,
    deadline: Deadline,
}

/// Sends the mail, if the account that it is about is still as it was.
///
/// # Errors
/// [`Error::Unavailable`] if it may help to try again.
pub(super) async fn deliver(app: &App, mail: &QueuedMail, deadline: Deadline) -> Result<(), Error> {
    let delivery = Delivery { app, origin: &mail.origin, deadline };
    match &mail.about {
        About::Registration { email, user } => delivery.registration(email, *user).await,
        About::Reset { email } => delivery.reset(email).await,
        About::NewAddress { user, email, new } => delivery.new_address(*user, email, new).await,
        About::AddressAsked { email, new } => delivery.send(email, &Letter::AddressAsked { new }).await,
        About::AddressChanged { email, old, new } => delivery.send(email, &Letter::AddressChanged { old, new }).await,
        About::PasswordChanged { email } => delivery.send(email, &Letter::PasswordChanged).await,
    }
}

impl Delivery<'_> {
    async fn registration(&self, email: &str, user: Option<UserId>) -> Result<(), Error> {
        let Some(owner) = self.app.store.owner_of_email(email, self.deadline).await? else { return Ok(()) };
        if user != Some(owner) {
            return self.send(email, &Letter::Registered).await;
        }
        match self.account(owner).await?.filter(|account| account.unconfirmed) {
            Some(account) => self.send_link(Purpose::Confirm, owner, &account, None).await,
            None => Ok(()),
        }
    }

    async fn reset(&self, email: &str) -> Result<(), Error> {
        let Some(owner) = self.app.store.owner_of_email(email, self.deadline).await? else { return Ok(()) };
        match self.account(owner).await? {
            Some(account) => self.send_link(Purpose::Reset, owner, &account, None).await,
            None => Ok(()),
        }
    }

    /// Whether the new address is somebody's already, only a mail to it tells.
    async fn new_address(&self, user: UserId, email: &str, new: &str) -> Result<(), Error> {
        let Some(account) = self.account(user).await?.filter(|account| account.email == email) else { return Ok(()) };
        match self.app.store.owner_of_email(new, self.deadline).await? {
            Some(owner) if owner != user => self.send(new, &Letter::AddressTaken).await,
            _ => self.send_link(Purpose::Address, user, &account, Some(new)).await,
        }
    }

    /// The account, if it is open.
    async fn account(&self, user: UserId) -> Result<Option<Account>, Error> {
        let account = self.app.store.read(user, &[Row::Account], self.deadline).await?.account()?;
        Ok(account.filter(|account| !account.closed))
    }

    /// Keeps a new secret and sends it to the account's address, or to the one to come.
    async fn send_link(
        &self,
        purpose: Purpose,
        user: UserId,
        account: &Account,
        new_email: Option<&str>,
    ) -> Result<(), Error> {
        let mail = NewMail { purpose, user, account, new_email };
        let secret = match self.app.store.new_mail_secret(&mail, self.app.clock.now(), self.deadline).await {
            // changed or closed in this moment: there is nothing to send
            Err(Error::Unauthenticated) => return Ok(()),
            secret => secret?.reveal(),
        };
        let letter = match purpose {
            Purpose::Confirm => Letter::Confirm { secret: &secret },
            Purpose::Reset => Letter::Reset { secret: &secret },
            Purpose::Address => Letter::NewAddress { secret: &secret },
        };
        self.send(new_email.unwrap_or(&account.email), &letter).await
    }

    async fn send(&self, to: &str, letter: &Letter<'_>) -> Result<(), Error> {
        self.app.mailer.send(to, letter, self.origin, self.app.clock.now()).await
    }
}
