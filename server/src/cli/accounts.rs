//! Operations on accounts, which are identified by e-mail address.

use std::io::{self, Write};

use chrono::{DateTime, Utc};
use serde::Serializer;
use serde::ser::SerializeSeq;
use shared::clock::Clock;
use shared::deadline::Deadline;
use shared::error::Error;
use shared::ids::{TokenId, UserId};
use shared::secret::ApiToken;
use shared::store::accounts::NewAccount;
use shared::store::mails::NewMail;
use shared::store::tokens::NewToken;
use shared::store::{Purpose, Row, Store};
use shared::uploads::Uploads;
use shared::use_cases::delete_account::delete_account;

/// Attempts of a deletion, 20 seconds each. DynamoDB deletes 1 MB per second: 100,000 analyses need at most half of
/// them.
const MAX_ATTEMPTS: u32 = 300;

/// The table, and the clock.
pub(super) struct Accounts {
    pub(super) store: Store,
    /// The bucket of staged uploads, if it is known.
    pub(super) uploads: Option<Uploads>,
    pub(super) now: DateTime<Utc>,
}

/// Why an operation failed.
#[derive(Debug, thiserror::Error)]
pub(super) enum AccountError {
    #[error("no account with the e-mail {0}")]
    Nobody(String),
    #[error("{0} is registered already; see `account show {0}`")]
    Taken(String),
    #[error("{0} has no token {1}; see `account tokens {0}`")]
    NoToken(String, String),
    #[error("{0} is disabled; `account enable {0}` opens it")]
    Disabled(String),
    #[error("{0}")]
    Invalid(String),
    #[error("it cannot be written: {0}")]
    Output(#[from] io::Error),
    #[error("the table did not do it: {0}")]
    Table(Error),
}

impl From<Error> for AccountError {
    fn from(error: Error) -> Self {
        match error {
            Error::Invalid(fields) => Self::Invalid(fields.to_string()),
            other => Self::Table(other),
        }
    }
}

impl Accounts {
    pub(super) fn new(store: Store, uploads: Option<Uploads>) -> Self {
        Self { store, uploads, now: Clock::system().now() }
    }

    /// Creates an account and returns its id.
    pub(super) async fn create(&self, new: &NewAccount<'_>) -> Result<UserId, AccountError> {
        let created = self.store.create_account(new, self.now, Deadline::unhurried()).await?;
        created.map_err(|_| AccountError::Taken(new.email.to_owned()))
    }

    /// Creates a token of an account, to be shown once.
    pub(super) async fn create_token(&self, user: UserId, name: &str) -> Result<String, AccountError> {
        let token = ApiToken::new(user, TokenId::new(self.now)).map_err(Error::internal)?;
        let new = NewToken { token: &token, name, ends_at: None, maker: None, generation: 0 };
        self.store.create_token(&new, self.now, Deadline::unhurried()).await?;
        Ok(token.reveal())
    }

    /// Applies `change` to the account with this e-mail address. One that is being deleted counts as deleted.
    pub(super) async fn change(
        &self,
        email: &str,
        change: impl AsyncFnOnce(UserId, Deadline) -> Result<(), Error>,
    ) -> Result<(), AccountError> {
        match change(self.find(email).await?, Deadline::unhurried()).await {
            Err(Error::NotFound) => Err(AccountError::Nobody(email.to_owned())),
            other => Ok(other?),
        }
    }

    /// Sets an account's password and ends its sessions.
    pub(super) async fn set_password(&self, email: &str, password: &str) -> Result<(), AccountError> {
        let wrong = web::Passwords::problems(password);
        if !wrong.is_empty() {
            return Err(AccountError::Invalid(wrong.to_string()));
        }
        let hash = web::Passwords::default().hash(password, Deadline::unhurried()).await?;
        self.change(email, async |user, deadline| self.store.set_password(user, &hash, deadline).await).await
    }

    /// Creates a secret to reset an account's password.
    pub(super) async fn reset_secret(&self, email: &str) -> Result<String, AccountError> {
        let user = self.find(email).await?;
        let rows = self.store.read(user, &[Row::Account], Deadline::unhurried()).await?;
        let Some(account) = rows.account()?.filter(|account| !account.deleting) else {
            return Err(AccountError::Nobody(email.to_owned()));
        };
        let mail = NewMail { purpose: Purpose::Reset, user, account: &account, new_email: None };
        match self.store.new_mail_secret(&mail, self.now, Deadline::unhurried()).await {
            Err(Error::Unauthenticated) => Err(AccountError::Disabled(email.to_owned())),
            secret => Ok(secret?.reveal()),
        }
    }

    pub(super) async fn revoke(&self, email: &str, token: &str) -> Result<(), AccountError> {
        let user = self.find(email).await?;
        let unknown = || AccountError::NoToken(email.to_owned(), token.to_owned());
        let id = TokenId::parse(token).ok_or_else(unknown)?;
        let rows = self.store.read(user, &[Row::Account, Row::Token(id)], Deadline::unhurried()).await?;
        let (Some(account), Some(token)) = (rows.account()?, rows.token(id)?) else { return Err(unknown()) };
        match self.store.revoke_token(user, &account, &token, Deadline::unhurried()).await {
            Err(Error::NotFound) => Err(unknown()),
            other => Ok(other?),
        }
    }

    /// Deletes an account, with retries until it is complete; `false` if there is none.
    pub(super) async fn delete(&self, email: &str) -> Result<bool, AccountError> {
        let owner = async || self.store.owner_of_email(email.trim(), Deadline::unhurried()).await;
        let Some(user) = owner().await? else { return Ok(false) };
        let mut tries = 1;
        loop {
            // many rows may take longer than one request: every attempt continues the last
            let deadline = Deadline::unhurried();
            let done = match &self.uploads {
                Some(uploads) => delete_account(&self.store, uploads, user, None, deadline).await,
                None => self.store.delete_account(user, None, deadline).await,
            };
            match done {
                Ok(()) | Err(Error::Unauthenticated) => return Ok(true),
                Err(cause @ Error::Unavailable(_)) if tries < MAX_ATTEMPTS => {
                    eprintln!("the deletion of {email} goes on: {cause}");
                    tries += 1;
                }
                Err(error) => return Err(error.into()),
            }
            // stop if the table does not answer
            if owner().await? != Some(user) {
                return Ok(true);
            }
        }
    }

    /// Writes all stored data of an account, row by row.
    pub(super) async fn export(&self, email: &str, mut out: impl Write) -> Result<(), AccountError> {
        let user = self.find(email).await?;
        let mut json = serde_json::Serializer::pretty(&mut out);
        let mut rows = json.serialize_seq(None).map_err(io::Error::from)?;
        self.store.export(user, email.trim(), |row| rows.serialize_element(&row).map_err(Error::internal)).await?;
        SerializeSeq::end(rows).map_err(io::Error::from)?;
        Ok(writeln!(out).and_then(|()| out.flush())?)
    }

    /// The account with this e-mail address.
    pub(super) async fn find(&self, email: &str) -> Result<UserId, AccountError> {
        let owner = self.store.owner_of_email(email.trim(), Deadline::unhurried()).await?;
        owner.ok_or_else(|| AccountError::Nobody(email.to_owned()))
    }
}
