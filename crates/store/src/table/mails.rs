//! Limits of mails, and the secrets of their links. A secret is valid for one hour and one use, unless the account has
//! changed since the mail was sent.

mod uses;

use std::net::IpAddr;

use aws_sdk_dynamodb::types::TransactWriteItem;
use chrono::{DateTime, TimeDelta, Utc};

use super::accounts::{Account, IS_OPEN};
use super::counters::Counter;
use super::item::{Item, bytes, instant, number, text};
use super::key::{EXPIRES, Purpose, Row, email_mails_key, email_notes_key, key, network_key};
use super::logins::network;
use super::transact::{AsPart, put, update};
use super::{Rows, Store};
use crate::deadline::Deadline;
use crate::error::{Attempts, Error};
use crate::ids::UserId;
use crate::registration::RegistrationLimits;
use crate::secret::{MailSecret, SecretHash};

/// Lifetime of a link.
pub const LINK_LIFETIME: TimeDelta = TimeDelta::hours(1);
const HOUR: i64 = 60 * 60;
/// Requested mails per address and hour. Notifications have a separate limit of the same size, so that requests cannot
/// suppress them.
const MAILS_PER_ADDRESS: u64 = 5;

/// A mail to send.
#[derive(Clone, Copy, Debug)]
pub struct NewMail<'a> {
    /// The purpose of its link.
    pub purpose: Purpose,
    /// The account.
    pub user: UserId,
    /// The current account. Links expire when its address changes and, except for [`Purpose::Confirm`], when its
    /// password changes.
    pub account: &'a Account,
    /// With [`Purpose::Address`]: the new address.
    pub new_email: Option<&'a str>,
}

/// A valid secret.
#[derive(Clone, Debug)]
pub struct MailLink {
    purpose: Purpose,
    secret: MailSecret,
    /// The account's address.
    pub email: String,
    generation: u64,
    /// Whether the account's address is unconfirmed: using the link is the first proof of it and ends everything
    /// created before.
    pub unconfirmed: bool,
    /// The numbers of the account's analyses that have a link.
    shared: Vec<u64>,
    /// With [`Purpose::Address`]: the new address.
    pub new_email: Option<String>,
}

impl Rows {
    /// The link of `secret`, if account and secret were read. `None` if it has another purpose, has expired or was
    /// used, or if the account has changed, is closed or is confirmed already.
    ///
    /// # Errors
    /// [`Error::Internal`] if a stored item is malformed.
    pub fn link(&self, purpose: Purpose, secret: &MailSecret, now: DateTime<Utc>) -> Result<Option<MailLink>, Error> {
        let (Some(item), Some(account)) = (self.get(Row::Mail(purpose, secret.hash())), self.account()?) else {
            return Ok(None);
        };
        let hash = item.hash("secret_sha256", SecretHash::from_slice)?;
        let link = MailLink::read(item, purpose, secret, &account)?;
        let is_confirmation = purpose == Purpose::Confirm;
        // a new password invalidates earlier links except this kind
        let same = link.email == account.email && (is_confirmation || link.generation == account.generation);
        let wanted = account.unconfirmed || !is_confirmation;
        Ok((secret.has(&hash) && !item.has_expired(now)? && same && wanted && !account.closed).then_some(link))
    }
}

impl MailLink {
    fn read(item: &Item, purpose: Purpose, secret: &MailSecret, account: &Account) -> Result<Self, Error> {
        Ok(Self {
            purpose,
            secret: secret.clone(),
            email: item.text("email")?.to_owned(),
            generation: item.number("generation")?,
            unconfirmed: account.unconfirmed,
            shared: account.shares.keys().copied().collect(),
            new_email: item.optional_text("new_email").map(str::to_owned),
        })
    }
}

impl Store {
    /// Counts a mail to `email` requested from `asker`, whether an account has the address or not. Without an asker it
    /// is counted for the address only.
    ///
    /// # Errors
    /// [`Error::TooMany`] at a limit, and then nothing is counted; [`Error::Unavailable`].
    pub async fn begin_mail(
        &self,
        email: &str,
        asker: Option<IpAddr>,
        limits: RegistrationLimits,
        now: DateTime<Utc>,
        deadline: Deadline,
    ) -> Result<(), Error> {
        let to_address = Counter::new(HOUR, MAILS_PER_ADDRESS, now, |window| email_mails_key(email, window));
        let from_network = asker.map(network).map(|network| {
            let key = |window: &str| network_key(&network, &format!("MAILS#HOUR#{window}"));
            Counter::new(HOUR, limits.mails_per_network(), now, key)
        });
        let counters: Vec<_> = from_network.into_iter().chain([to_address]).collect();
        self.count_in(&counters, Attempts::Mails, deadline).await
    }

    /// Counts a notification to `email` about its account; `false` at the limit, and then nothing is counted.
    ///
    /// # Errors
    /// [`Error::Unavailable`].
    pub async fn begin_note(&self, email: &str, now: DateTime<Utc>, deadline: Deadline) -> Result<bool, Error> {
        let notes = Counter::new(HOUR, MAILS_PER_ADDRESS, now, |window| email_notes_key(email, window));
        match self.count_in(&[notes], Attempts::Mails, deadline).await {
            Err(Error::TooMany { .. }) => Ok(false),
            counted => counted.map(|()| true),
        }
    }

    /// Creates the secret of a mail's link. It replaces the previous one of the same purpose, except for
    /// [`Purpose::Reset`].
    ///
    /// # Errors
    /// [`Error::Unauthenticated`] if the account is closed or differs from the mail's; [`Error::Unavailable`];
    /// [`Error::Internal`] if the system has no random bytes.
    pub async fn new_mail_secret(
        &self,
        mail: &NewMail<'_>,
        now: DateTime<Utc>,
        deadline: Deadline,
    ) -> Result<MailSecret, Error> {
        let secret = MailSecret::new(mail.user).map_err(Error::internal)?;
        let account = update(self, key(mail.user, Row::Account))
            .update_expression("SET mailed_at = :now")
            .condition_expression(as_it_was())
            .expression_attribute_values(":now", instant(now))
            .expression_attribute_values(":email", text(&mail.account.email))
            .expression_attribute_values(":generation", number(mail.account.generation));
        let items = vec![account.part()?, self.mail_item(mail, &secret, now)?];
        self.settle(items, deadline, secret, |reasons, _| reasons.refused(0).then_some(Err(Error::Unauthenticated)))
            .await
    }

    fn mail_item(
        &self,
        mail: &NewMail<'_>,
        secret: &MailSecret,
        now: DateTime<Utc>,
    ) -> Result<TransactWriteItem, Error> {
        let hash = secret.hash();
        let row = put(self, key(mail.user, Row::Mail(mail.purpose, hash)))
            .item("secret_sha256", bytes(hash.as_bytes()))
            .item("email", text(&mail.account.email))
            .item("generation", number(mail.account.generation))
            .item(EXPIRES, number((now + LINK_LIFETIME).timestamp()));
        let row = match mail.new_email {
            Some(email) => row.item("new_email", text(email)),
            None => row,
        };
        row.part()
    }
}

/// The condition that the account is open and its password and address are unchanged.
fn as_it_was() -> String {
    format!("{IS_OPEN} AND email = :email AND generation = :generation")
}
