//! API tokens as authentication and their owner's list read them.

mod changes;

use aws_sdk_dynamodb::types::AttributeValue;
use chrono::{DateTime, TimeDelta, Utc};
use serde::Serialize;
use utoipa::ToSchema;

use super::accounts::{Account, UNCONFIRMED};
use super::batch::found;
use super::item::{Item, text};
use super::key::{Row, SK, TOKENS, partition};
use super::{Rows, Store};
use crate::deadline::Deadline;
use crate::error::{Cause, Error};
use crate::ids::{TokenId, UserId};
use crate::quota::timestamp;
use crate::secret::{ApiToken, SecretHash};

/// Live tokens that an account may have.
pub const MAX_TOKENS: u64 = 100;
/// Granularity of `last_used_at`: it is written at most this often.
const LAST_USED_INTERVAL: TimeDelta = TimeDelta::hours(1);
/// Attribute of a token that a token created: the chain of its creators, the direct one last.
const MADE_BY: &str = "made_by";

/// A token without its value.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[schema(as = Token)]
pub struct TokenRecord {
    /// The token's id, with which it is revoked.
    #[schema(format = "uuid")]
    pub id: String,
    /// Its name.
    pub name: String,
    /// The last 4 characters of its value.
    pub hint: String,
    /// ISO 8601, UTC.
    #[schema(format = DateTime)]
    pub created_at: String,
    /// ISO 8601, UTC; `null` if it was never used; up to an hour late.
    #[schema(format = DateTime)]
    pub last_used_at: Option<String>,
    /// When it expires: ISO 8601, UTC; `null` if it does not.
    #[schema(format = DateTime)]
    pub expires_at: Option<String>,
    /// The id of the token with which it was created, and with which it ends; `null` for none.
    #[schema(format = "uuid")]
    pub made_by: Option<String>,
}

/// A token as authentication reads it.
#[derive(Clone, Debug)]
pub struct StoredToken {
    /// Which one.
    pub id: TokenId,
    /// SHA-256 of its secret.
    pub hash: SecretHash,
    /// When it ends.
    pub ends_at: Option<DateTime<Utc>>,
    /// The account's token generation when it was created.
    generation: u64,
    /// Its creators, with which it ends: each created the next, the last one created this token.
    made_by: Vec<TokenId>,
    /// Whether an earlier version created it while the account's address was unconfirmed.
    unconfirmed: bool,
    last_used_at: Option<DateTime<Utc>>,
}

/// A token that is about to be stored.
#[derive(Clone, Copy, Debug)]
pub struct NewToken<'a> {
    /// Account, id and secret.
    pub token: &'a ApiToken,
    /// What its owner calls it.
    pub name: &'a str,
    /// When it ends.
    pub ends_at: Option<DateTime<Utc>>,
    /// The token that creates it, if one does; it was just verified.
    pub maker: Option<&'a StoredToken>,
    /// The account's token generation, as authentication read it.
    pub generation: u64,
}

impl StoredToken {
    fn read(item: &Item) -> Result<Self, Error> {
        let id = item.text(SK)?.strip_prefix(TOKENS).and_then(TokenId::parse);
        let made_by = item.optional_text(MADE_BY).unwrap_or_default().split_whitespace().map(TokenId::parse);
        let malformed = || Error::Internal(Cause::text("a stored token's id is malformed"));
        Ok(Self {
            id: id.ok_or_else(malformed)?,
            hash: item.hash("secret_sha256", SecretHash::from_slice)?,
            ends_at: item.optional_instant("ends_at")?,
            generation: item.number("generation")?,
            made_by: made_by.collect::<Option<_>>().ok_or_else(malformed)?,
            unconfirmed: item.has(UNCONFIRMED),
            last_used_at: item.optional_instant("last_used_at")?,
        })
    }

    /// Whether it has ended: by expiry, with one of its creators, or with its generation.
    #[must_use]
    pub fn has_ended(&self, account: &Account, now: DateTime<Utc>) -> bool {
        self.ends_at.is_some_and(|end| end <= now)
            || self.is_outdated(account)
            || !self.made_by.iter().all(|maker| account.token_makers.contains(maker))
            || (self.unconfirmed && !account.unconfirmed)
    }

    /// Whether all tokens of its account were ended since it was created, so that the account no longer counts it.
    #[must_use]
    pub fn is_outdated(&self, account: &Account) -> bool {
        self.generation != account.token_generation
    }

    /// Whether `last_used_at` is due to be written again.
    #[must_use]
    pub fn is_stale(&self, now: DateTime<Utc>) -> bool {
        self.last_used_at.is_none_or(|last| now - last >= LAST_USED_INTERVAL)
    }
}

impl Rows {
    /// The token, if its row was read and is there.
    ///
    /// # Errors
    /// [`Error::Internal`] if the stored item is malformed.
    pub fn token(&self, id: TokenId) -> Result<Option<StoredToken>, Error> {
        self.get(Row::Token(id)).map(StoredToken::read).transpose()
    }
}

/// All rows of an account's tokens, newest first.
#[derive(Debug)]
pub struct TokenRows(Vec<Item>);

impl TokenRows {
    /// Those that `account` counts, expired ones included.
    ///
    /// # Errors
    /// [`Error::Internal`] if a stored item is malformed.
    pub fn of(&self, account: &Account) -> Result<Vec<TokenRecord>, Error> {
        let tokens = self.0.iter().map(|item| Ok((StoredToken::read(item)?, item)));
        let tokens = tokens.filter(|read| read.as_ref().map_or(true, |(token, _)| !token.is_outdated(account)));
        tokens.map(|read: Result<_, Error>| read.and_then(|(token, item)| record(&token, item))).collect()
    }

    fn stored(&self) -> Result<Vec<StoredToken>, Error> {
        self.0.iter().map(StoredToken::read).collect()
    }
}

impl Store {
    /// The rows of all tokens of `user`.
    ///
    /// # Errors
    /// [`Error::Unavailable`] when the table does not answer.
    pub async fn tokens(&self, user: UserId, deadline: Deadline) -> Result<TokenRows, Error> {
        // at most some hundred
        found(self.all_with(partition(user), TOKENS).scan_index_forward(false), deadline).await.map(TokenRows)
    }
}

fn record(token: &StoredToken, item: &Item) -> Result<TokenRecord, Error> {
    Ok(TokenRecord {
        id: token.id.to_string(),
        name: item.text("name")?.to_owned(),
        hint: item.text("hint")?.to_owned(),
        created_at: timestamp(item.instant("created_at")?),
        last_used_at: token.last_used_at.map(timestamp),
        expires_at: token.ends_at.map(timestamp),
        made_by: token.made_by.last().map(TokenId::to_string),
    })
}

/// The ids of the creators of a token that `maker` creates.
fn makers(maker: &StoredToken) -> AttributeValue {
    let ids: Vec<_> = maker.made_by.iter().chain([&maker.id]).map(TokenId::to_string).collect();
    text(ids.join(" "))
}
