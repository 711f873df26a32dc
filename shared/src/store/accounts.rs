//! Accounts, and the items that make their e-mail addresses unique.

use std::collections::{BTreeMap, BTreeSet};

use aws_sdk_dynamodb::types::{AttributeValue, TransactWriteItem};
use chrono::{DateTime, Utc};

use engine::Outcome;

use super::item::{Item, instant, number, text};
use super::key::{Row, email_key, key};
use super::transact::{AsPart, put};
use super::{Rows, Store};
use crate::deadline::Deadline;
use crate::error::Error;
use crate::ids::{TokenId, UserId};
use crate::numbering::Numbering;
use crate::outcome::{COMPARED, OutcomeCounts, attribute};
use crate::secret::PasswordHash;

/// The attribute of an account whose address nobody has confirmed: whoever opened it may be somebody else.
pub(super) const UNCONFIRMED: &str = "unconfirmed";
/// The attribute of an account that waits for that: the daily limit that it gets then.
pub(super) const WAITING: &str = "limit_when_confirmed";

/// The condition that an account is there and open.
pub(super) const OPEN: &str =
    "attribute_exists(pk) AND attribute_not_exists(deleting) AND attribute_not_exists(disabled)";

/// The condition that an account is there and stays: its owner is not deleting it.
pub(super) const STAYING: &str = "attribute_exists(pk) AND attribute_not_exists(deleting)";

/// The account's attribute with the holes of each block of analyses that has any, by block.
pub(super) const HOLES: &str = "holes";
/// The account's attribute with the number of its oldest blocks that are empty.
pub(super) const FIRST_BLOCK: &str = "first_block";

/// The account's attribute with the analyses that have a link: one that it does not name has ended.
pub(super) const SHARES: &str = "shares";

/// The condition that the map with this name, for which `:seen` stands, is as it was `seen`; one that was never needed is not
/// there.
pub(super) fn unchanged(map: &str, seen: &BTreeMap<u64, u64>) -> String {
    if seen.is_empty() { format!("(attribute_not_exists({map}) OR {map} = :seen)") } else { format!("{map} = :seen") }
}

/// The account's attribute with the number of issuers that it trusts.
pub(super) const ISSUERS: &str = "issuers";

/// The account's attribute with the number of times that all its tokens were ended.
pub(super) const TOKEN_GENERATION: &str = "token_generation";
/// The account's attribute with those of its tokens that have made others.
pub(super) const MAKERS: &str = "token_makers";
/// What ends all tokens of an account, as parts of `SET` and of `REMOVE`; `:none` is 0 and `:one` 1. Counted up twice,
/// after a lost answer, it does no harm.
pub(super) const END_TOKENS: [&str; 2] =
    ["tokens = :none, token_generation = if_not_exists(token_generation, :none) + :one", MAKERS];

/// An account as every request of its owner reads it.
#[derive(Clone, Debug)]
pub struct Account {
    /// The owner's name.
    pub name: String,
    /// The e-mail address, as registered.
    pub email: String,
    /// Analyses allowed a day.
    pub daily_limit: u64,
    /// The numbers of its analyses.
    pub numbering: Numbering,
    /// How many of them have each outcome.
    pub counts: OutcomeCounts,
    /// The numbers of its analyses that have a link, and when that ends by itself: epoch seconds, 0 for never. Links
    /// that have ended may be among them.
    pub shares: BTreeMap<u64, u64>,
    /// How often its password was changed: a session that began under another one is over.
    pub generation: u64,
    /// How often all its tokens were ended: one that was made before the last time is over.
    pub token_generation: u64,
    /// Those of its tokens that are good and have made others, which end with them.
    pub token_makers: BTreeSet<TokenId>,
    /// How many issuers it trusts.
    pub issuers: u64,
    /// Whether an operator closed it, or its owner is deleting it.
    pub closed: bool,
    /// Whether its owner is deleting it.
    pub deleting: bool,
    /// Whether its address was never shown to be its owner's.
    pub unconfirmed: bool,
    /// Whether it is good for nothing until its address is confirmed.
    pub waiting: bool,
}

/// What a new account starts with.
#[derive(Clone, Debug)]
pub struct NewAccount<'a> {
    /// The owner's name.
    pub name: &'a str,
    /// The e-mail address; unique ignoring case.
    pub email: &'a str,
    /// The password's hash; without one nobody can log in.
    pub password_hash: Option<&'a PasswordHash>,
    /// Analyses allowed a day.
    pub daily_limit: u64,
    /// How sure it is that the address is its owner's.
    pub address: Address,
}

/// How sure it is that a new account's address is its owner's.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Address {
    /// The operator vouches for it.
    Known,
    /// Nobody knows; the account is good for all.
    Unconfirmed,
    /// Nobody knows; the account has no analyses and no tokens until it is confirmed.
    ConfirmationRequired,
}

/// Somebody has registered this e-mail address already.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct EmailTaken;

impl Account {
    /// The account, if it is there and open.
    ///
    /// # Errors
    /// [`Error::Unauthenticated`] otherwise.
    pub(crate) fn open(account: Option<Self>) -> Result<Self, Error> {
        account.filter(|account| !account.closed).ok_or(Error::Unauthenticated)
    }

    pub(super) fn read(item: &Item) -> Result<Self, Error> {
        Ok(Self {
            name: item.text("name")?.to_owned(),
            email: item.text("email")?.to_owned(),
            daily_limit: item.number("daily_limit")?,
            numbering: numbering(item)?,
            counts: OutcomeCounts {
                outcomes: Outcome::ALL.map(|outcome| item.difference(attribute(outcome))),
                comparisons: item.difference(COMPARED),
            },
            shares: item.numbered(SHARES)?,
            generation: item.number("generation")?,
            token_generation: item.number(TOKEN_GENERATION)?,
            token_makers: item.texts(MAKERS)?.iter().filter_map(|id| TokenId::parse(id)).collect(),
            issuers: item.number(ISSUERS)?,
            closed: item.has("disabled") || item.has("deleting"),
            deleting: item.has("deleting"),
            unconfirmed: item.has(UNCONFIRMED),
            waiting: item.has(WAITING),
        })
    }
}

/// The numbers of an account's analyses, as they are stored.
fn numbering(item: &Item) -> Result<Numbering, Error> {
    Ok(Numbering::new(item.number("analyses")?, item.number(FIRST_BLOCK)?, item.numbered(HOLES)?))
}

impl Rows {
    /// The account, if its row was read and is there.
    ///
    /// # Errors
    /// [`Error::Internal`] if the stored item is malformed.
    pub fn account(&self) -> Result<Option<Account>, Error> {
        self.get(Row::Account).map(Account::read).transpose()
    }
}

/// The condition that nobody has ended all tokens of an account since it was read; `:token_generation` is the account's.
/// One that never had them ended has no such number.
pub(super) const SAME_TOKENS: &str =
    "(token_generation = :token_generation OR (attribute_not_exists(token_generation) AND :token_generation = :none))";

impl Store {
    /// Creates an account: the account and its e-mail address together or none.
    ///
    /// # Errors
    /// [`Error::Unavailable`] when the table does not answer in time.
    pub async fn create_account(
        &self,
        new: &NewAccount<'_>,
        now: DateTime<Utc>,
        deadline: Deadline,
    ) -> Result<Result<UserId, EmailTaken>, Error> {
        let user = UserId::random();
        self.settle(self.account_items(user, new, now)?, deadline, Ok(user), |reasons, _| {
            // the account's own id is random: finding it means that an earlier try was stored
            let ours = reasons.found(1).is_some_and(|email| email.optional_text("user") == Some(&user.to_string()));
            if reasons.refused(0) || ours {
                Some(Ok(Ok(user)))
            } else {
                reasons.refused(1).then_some(Ok(Err(EmailTaken)))
            }
        })
        .await
    }

    fn account_items(
        &self,
        user: UserId,
        new: &NewAccount<'_>,
        now: DateTime<Utc>,
    ) -> Result<Vec<TransactWriteItem>, Error> {
        let mut account = put(self, key(user, Row::Account))
            .item("name", text(new.name))
            .item("email", text(new.email))
            .item("daily_limit", number(new.daily_limit))
            .item("analyses", number(0))
            .item("tokens", number(0))
            .item("generation", number(0))
            .item("created_at", instant(now))
            .condition_expression("attribute_not_exists(pk)");
        if let Some(hash) = new.password_hash {
            account = account.item("password_hash", text(hash.as_str()));
        }
        if new.address != Address::Known {
            account = account.item(UNCONFIRMED, AttributeValue::Bool(true));
        }
        if new.address == Address::ConfirmationRequired {
            account = account.item("daily_limit", number(0)).item(WAITING, number(new.daily_limit));
        }
        let email = put(self, email_key(new.email))
            .item("user", text(user.to_string()))
            .condition_expression("attribute_not_exists(pk)");
        Ok(vec![account.part()?, email.part()?])
    }
}
