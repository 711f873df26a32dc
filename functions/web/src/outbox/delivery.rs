//! Delivery of a queued mail: its recipient, if any, its template, and the secret of its link.

use shared::deadline::Deadline;
use shared::error::Error;
use shared::ids::UserId;
use shared::store::accounts::Account;
use shared::store::mails::NewMail;
use shared::store::outbox::{Occasion, QueuedMail};
use shared::store::{Purpose, Row};

use crate::app::App;
use crate::mail::EmailTemplate;

/// A delivery.
struct Delivery<'a> {
    app: &'a App,
    origin: &'a str,
    deadline: Deadline,
}

/// Sends the mail, if its account is unchanged.
///
/// # Errors
/// [`Error::Unavailable`] if a retry may succeed.
pub(super) async fn deliver(app: &App, mail: &QueuedMail, deadline: Deadline) -> Result<(), Error> {
    let delivery = Delivery { app, origin: &mail.origin, deadline };
    match &mail.about {
        Occasion::Registration { email, user } => delivery.registration(email, *user).await,
        Occasion::Reset { email } => delivery.reset(email).await,
        Occasion::NewAddress { user, email, new } => delivery.new_address(*user, email, new).await,
        Occasion::AddressAsked { email, new } => delivery.send(email, &EmailTemplate::AddressAsked { new }).await,
        Occasion::AddressChanged { email, old, new } => {
            delivery.send(email, &EmailTemplate::AddressChanged { old, new }).await
        }
        Occasion::PasswordChanged { email } => delivery.send(email, &EmailTemplate::PasswordChanged).await,
    }
}

impl Delivery<'_> {
    async fn registration(&self, email: &str, user: Option<UserId>) -> Result<(), Error> {
        let Some(owner) = self.app.store.owner_of_email(email, self.deadline).await? else { return Ok(()) };
        if user != Some(owner) {
            return self.send(email, &EmailTemplate::Registered).await;
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

    /// Only a mail to the new address reveals whether another account has it.
    async fn new_address(&self, user: UserId, email: &str, new: &str) -> Result<(), Error> {
        let Some(account) = self.account(user).await?.filter(|account| account.email == email) else { return Ok(()) };
        match self.app.store.owner_of_email(new, self.deadline).await? {
            Some(owner) if owner != user => self.send(new, &EmailTemplate::AddressTaken).await,
            _ => self.send_link(Purpose::Address, user, &account, Some(new)).await,
        }
    }

    /// The account, if it is open.
    async fn account(&self, user: UserId) -> Result<Option<Account>, Error> {
        let account = self.app.store.read(user, &[Row::Account], self.deadline).await?.account()?;
        Ok(account.filter(|account| !account.closed))
    }

    /// Stores a new secret and sends it to the account's address, or to the new one.
    async fn send_link(
        &self,
        purpose: Purpose,
        user: UserId,
        account: &Account,
        new_email: Option<&str>,
    ) -> Result<(), Error> {
        let mail = NewMail { purpose, user, account, new_email };
        let secret = match self.app.store.new_mail_secret(&mail, self.app.clock.now(), self.deadline).await {
            // changed or closed concurrently: nothing to send
            Err(Error::Unauthenticated) => return Ok(()),
            secret => secret?.reveal(),
        };
        let email = match purpose {
            Purpose::Confirm => EmailTemplate::Confirm { secret: &secret },
            Purpose::Reset => EmailTemplate::Reset { secret: &secret },
            Purpose::Address => EmailTemplate::NewAddress { secret: &secret },
        };
        self.send(new_email.unwrap_or(&account.email), &email).await
    }

    async fn send(&self, to: &str, email: &EmailTemplate<'_>) -> Result<(), Error> {
        self.app.mailer.send(to, email, self.origin, self.app.clock.now()).await
    }
}
