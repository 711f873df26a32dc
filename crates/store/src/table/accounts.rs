//! Accounts, and the items that make their e-mail addresses unique.

use std::collections::{BTreeMap, BTreeSet};

use aws_sdk_dynamodb::types::{AttributeValue, TransactWriteItem};
use chrono::{DateTime, Utc};

use engine::Outcome;

use super::day::usage;
use super::item::{Item, instant, number, text};
use super::key::{Row, email_key, key};
use super::transact::{AsPart, put};
use super::{Rows, Store};
use crate::deadline::Deadline;
use crate::error::Error;
use crate::ids::{TokenId, UserId};
use crate::numbering::Numbering;
use crate::outcome::{COMPARED, OutcomeCounts, attribute};
use crate::quota::Day;
use crate::secret::PasswordHash;

/// Attribute of an account whose address is unconfirmed: it may have been registered by another person.
pub(super) const UNCONFIRMED: &str = "unconfirmed";
/// Attribute of an account that is suspended until confirmed: its daily limit afterwards.
pub(super) const LIMIT_WHEN_CONFIRMED: &str = "limit_when_confirmed";

/// The condition that an account exists and is open.
pub(super) const IS_OPEN: &str =
    "attribute_exists(pk) AND attribute_not_exists(deleting) AND attribute_not_exists(disabled)";

/// The condition that an account exists and is not being deleted.
pub(super) const NOT_DELETING: &str = "attribute_exists(pk) AND attribute_not_exists(deleting)";

/// The account's attribute with the deleted numbers per block of analyses; blocks without any are omitted.
pub(super) const DELETED_COUNTS: &str = "holes";
/// The account's attribute with the number of its oldest blocks, which are empty.
pub(super) const FIRST_BLOCK: &str = "first_block";

/// The account's attribute with the analyses that have a link; a link that is not listed has ended.
pub(super) const SHARES: &str = "shares";

/// The condition that the map with this name equals `seen`, bound to `:seen`; an empty one may not exist.
pub(super) fn unchanged(map: &str, seen: &BTreeMap<u64, u64>) -> String {
    if seen.is_empty() { format!("(attribute_not_exists({map}) OR {map} = :seen)") } else { format!("{map} = :seen") }
}

/// The account's attribute with the number of issuers that it trusts.
pub(super) const ISSUERS: &str = "issuers";

/// The account's attribute with its token generation: the number of times that all its tokens were ended.
pub(super) const TOKEN_GENERATION: &str = "token_generation";
/// The account's attribute with the tokens that have created others.
pub(super) const TOKEN_CREATORS: &str = "token_makers";
/// Expressions that end all tokens of an account, for `SET` and `REMOVE`; `:none` is 0 and `:one` 1. Incrementing
/// twice, after a lost answer, is harmless.
pub(super) const END_TOKENS: [&str; 2] =
    ["tokens = :none, token_generation = if_not_exists(token_generation, :none) + :one", TOKEN_CREATORS];

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
    /// Analyses stored on each of the last days; a comparison counts for two.
    pub usage: BTreeMap<Day, u64>,
    /// How many of them have each outcome.
    pub counts: OutcomeCounts,
    /// The numbers of its analyses that have a link, with its expiry in epoch seconds, 0 for never. May include expired
    /// links.
    pub shares: BTreeMap<u64, u64>,
    /// How often its password was changed: a session that began under another one is over.
    pub generation: u64,
    /// How often all its tokens were ended: one that was made before the last time is over.
    pub token_generation: u64,
    /// Its valid tokens that have created others, which end with them.
    pub token_makers: BTreeSet<TokenId>,
    /// How many issuers it trusts.
    pub issuers: u64,
    /// Whether an operator closed it, or its owner is deleting it.
    pub closed: bool,
    /// Whether its owner is deleting it.
    pub deleting: bool,
    /// Whether its address was never confirmed.
    pub unconfirmed: bool,
    /// Whether it is suspended until its address is confirmed.
    pub waiting: bool,
}

/// The initial values of a new account.
#[derive(Clone, Debug)]
pub struct NewAccount<'a> {
    /// The owner's name.
    pub name: &'a str,
    /// The e-mail address; unique ignoring case.
    pub email: &'a str,
    /// The password's hash; `None` disables log-in.
    pub password_hash: Option<&'a PasswordHash>,
    /// Analyses allowed a day.
    pub daily_limit: u64,
    /// How far the address is confirmed.
    pub address: Address,
}

/// How far a new account's address is confirmed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Address {
    /// The operator vouches for it.
    Known,
    /// Unconfirmed; the account can be used without limits.
    Unconfirmed,
    /// Unconfirmed; no analyses and no tokens until it is confirmed.
    ConfirmationRequired,
}

/// An account has this e-mail address already.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct EmailTaken;

impl Account {
    /// The account, if it exists and is open.
    ///
    /// # Errors
    /// [`Error::Unauthenticated`] otherwise.
    pub fn open(account: Option<Self>) -> Result<Self, Error> {
        account.filter(|account| !account.closed).ok_or(Error::Unauthenticated)
    }

    pub(super) fn read(item: &Item) -> Result<Self, Error> {
        Ok(Self {
            name: item.text("name")?.to_owned(),
            email: item.text("email")?.to_owned(),
            daily_limit: item.number("daily_limit")?,
            numbering: numbering(item)?,
            usage: usage(item)?,
            counts: OutcomeCounts {
                outcomes: Outcome::ALL.map(|outcome| item.difference(attribute(outcome))),
                comparisons: item.difference(COMPARED),
            },
            shares: item.numbered(SHARES)?,
            generation: item.number("generation")?,
            token_generation: item.number(TOKEN_GENERATION)?,
            token_makers: item.texts(TOKEN_CREATORS)?.iter().filter_map(|id| TokenId::parse(id)).collect(),
            issuers: item.number(ISSUERS)?,
            closed: item.has("disabled") || item.has("deleting"),
            deleting: item.has("deleting"),
            unconfirmed: item.has(UNCONFIRMED),
            waiting: item.has(LIMIT_WHEN_CONFIRMED),
        })
    }
}

/// The numbering of an account's analyses, as stored.
fn numbering(item: &Item) -> Result<Numbering, Error> {
    Ok(Numbering::new(item.number("analyses")?, item.number(FIRST_BLOCK)?, item.numbered(DELETED_COUNTS)?))
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

/// The condition that an account's token generation is unchanged since it was read, as `:token_generation`. The
/// attribute does not exist before the first change.
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
            // the id is random, so finding it means that an earlier attempt was stored
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
            account = account.item("daily_limit", number(0)).item(LIMIT_WHEN_CONFIRMED, number(new.daily_limit));
        }
        let email = put(self, email_key(new.email))
            .item("user", text(user.to_string()))
            .condition_expression("attribute_not_exists(pk)");
        Ok(vec![account.part()?, email.part()?])
    }
}
