//! API tokens: list, create, revoke, and when one was last used.

use std::time::Duration;

use aws_sdk_dynamodb::types::{AttributeValue, TransactWriteItem};
use chrono::{DateTime, TimeDelta, Utc};
use serde::Serialize;
use tokio::time::timeout;
use utoipa::ToSchema;

use super::accounts::{OPEN, UNCONFIRMED, WAITING, as_confirmed};
use super::item::{Item, bytes, instant, number, text};
use super::key::{Row, SK, TOKENS, key, partition};
use super::transact::{AsPart, delete, put, update};
use super::{Rows, Store, failure};
use crate::deadline::Deadline;
use crate::error::{Cause, Error, Restricted};
use crate::ids::{TokenId, UserId};
use crate::quota::timestamp;
use crate::secret::{ApiToken, SecretHash};

/// Live tokens that an account may have.
pub const MAX_TOKENS: u64 = 100;
/// How far `last_used_at` may lag: it is written at most this often.
const REFRESH: TimeDelta = TimeDelta::hours(1);
/// A request waits no longer than this for `last_used_at`.
const TOUCH: Duration = Duration::from_secs(1);

/// A token as its owner sees it in the list.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[schema(as = Token)]
pub struct TokenRecord {
    /// The token's id, to revoke it by.
    #[schema(format = "uuid")]
    pub id: String,
    /// What its owner called it.
    pub name: String,
    /// The last 4 characters of its value.
    pub hint: String,
    /// ISO 8601, UTC.
    #[schema(format = DateTime)]
    pub created_at: String,
    /// ISO 8601, UTC; `null` if it was never used; up to an hour late.
    #[schema(format = DateTime)]
    pub last_used_at: Option<String>,
    /// When it ends: ISO 8601, UTC; `null` if it does not.
    #[schema(format = DateTime)]
    pub expires_at: Option<String>,
}

/// A token as authentication reads it.
#[derive(Clone, Debug)]
pub struct StoredToken {
    /// SHA-256 of its secret.
    pub hash: SecretHash,
    /// Whether it was made while nobody had confirmed the account's address: it ends when somebody does.
    pub unconfirmed: bool,
    last_used_at: Option<DateTime<Utc>>,
    ends_at: Option<DateTime<Utc>>,
}

/// A token that is about to be stored.
#[derive(Clone, Copy, Debug)]
pub struct NewToken<'a> {
    /// Whose it is, which one, and its secret.
    pub token: &'a ApiToken,
    /// What its owner calls it.
    pub name: &'a str,
    /// When it ends.
    pub ends_at: Option<DateTime<Utc>>,
    /// Whether the account's address is unconfirmed, as authentication read it.
    pub unconfirmed: bool,
}

impl StoredToken {
    /// Whether its time is over.
    #[must_use]
    pub fn has_ended(&self, now: DateTime<Utc>) -> bool {
        self.ends_at.is_some_and(|end| end <= now)
    }

    /// Whether `last_used_at` is due to be written again.
    #[must_use]
    pub fn is_stale(&self, now: DateTime<Utc>) -> bool {
        self.last_used_at.is_none_or(|last| now - last >= REFRESH)
    }
}

impl Rows {
    /// The token, if its row was read and is there.
    ///
    /// # Errors
    /// [`Error::Internal`] if the stored item is malformed.
    pub fn token(&self, id: TokenId) -> Result<Option<StoredToken>, Error> {
        let Some(item) = self.get(Row::Token(id)) else { return Ok(None) };
        let hash = item.hash("secret_sha256", SecretHash::from_slice)?;
        let (last_used_at, ends_at) = (item.optional_instant("last_used_at")?, item.optional_instant("ends_at")?);
        Ok(Some(StoredToken { hash, unconfirmed: item.has(UNCONFIRMED), last_used_at, ends_at }))
    }
}

impl Store {
    /// All tokens of `user`, newest first, those among them that have ended.
    ///
    /// # Errors
    /// [`Error::Unavailable`] when the table does not answer.
    pub async fn tokens(&self, user: UserId, deadline: Deadline) -> Result<Vec<TokenRecord>, Error> {
        self.token_items(user, deadline).await?.iter().map(record).collect()
    }

    /// The tokens of `user` that were made while nobody had confirmed the account's address.
    pub(super) async fn unconfirmed_tokens(&self, user: UserId, deadline: Deadline) -> Result<Vec<TokenId>, Error> {
        let items = self.token_items(user, deadline).await?;
        let unconfirmed = items.iter().filter(|item| item.has(UNCONFIRMED));
        Ok(unconfirmed.filter_map(|item| TokenId::parse(item.text(SK).ok()?.strip_prefix(TOKENS)?)).collect())
    }

    async fn token_items(&self, user: UserId, deadline: Deadline) -> Result<Vec<Item>, Error> {
        let query = self
            .client
            .query()
            .table_name(&self.table)
            .key_condition_expression("pk = :user AND begins_with(sk, :tokens)")
            .expression_attribute_values(":user", partition(user))
            .expression_attribute_values(":tokens", text(TOKENS))
            .consistent_read(true)
            .scan_index_forward(false);
        // at most 100 small items: always one page of DynamoDB's 1 MB
        let answer = deadline.limit(query.send()).await?.map_err(|error| failure(&error))?;
        Ok(answer.items.unwrap_or_default().into_iter().map(Item::new).collect())
    }

    /// Stores a new token and counts it, together or not at all.
    ///
    /// # Errors
    /// [`Error::TokenLimitReached`] at [`MAX_TOKENS`]; [`Error::Unconfirmed`]; [`Error::Unauthenticated`] if the account
    /// is gone or closed by now, or its address confirmed meanwhile; [`Error::Unavailable`].
    pub async fn create_token(
        &self,
        new: &NewToken<'_>,
        now: DateTime<Utc>,
        deadline: Deadline,
    ) -> Result<TokenRecord, Error> {
        let created = TokenRecord {
            id: new.token.id.to_string(),
            name: new.name.to_owned(),
            hint: new.token.hint(),
            created_at: timestamp(now),
            last_used_at: None,
            expires_at: new.ends_at.map(timestamp),
        };
        self.settle(self.creation(new, now)?, deadline, (), |reasons, _| {
            if reasons.refused(1) {
                // the id is new: finding it means that an earlier try was stored
                Some(Ok(()))
            } else {
                reasons.refused(0).then(|| Err(refusal(reasons.found(0).as_ref())))
            }
        })
        .await?;
        Ok(created)
    }

    /// Deletes a token that was just seen to exist, and uncounts it, together.
    ///
    /// # Errors
    /// [`Error::NotFound`] if somebody else revoked it first; [`Error::Unavailable`].
    pub async fn revoke_token(&self, user: UserId, id: TokenId, deadline: Deadline) -> Result<(), Error> {
        self.settle(self.revocation(user, id)?, deadline, (), |reasons, answer_lost| {
            let gone = if answer_lost { Ok(()) } else { Err(Error::NotFound) };
            reasons.refused(0).then_some(gone)
        })
        .await
    }

    /// Removes a token whose time is over. Best effort: it is refused in any case, and the next look removes it.
    pub async fn remove_ended_token(&self, user: UserId, id: TokenId, deadline: Deadline) {
        match self.revoke_token(user, id, deadline).await {
            Ok(()) | Err(Error::NotFound) => {}
            Err(error) => tracing::warn!(cause = %error, "a token that has ended was not removed"),
        }
    }

    /// Writes that the token was used, unless it has been revoked meanwhile.
    ///
    /// Best effort: the request goes on, the next one tries again.
    pub async fn touch_token(&self, user: UserId, id: TokenId, now: DateTime<Utc>) {
        let update = self
            .client
            .update_item()
            .table_name(&self.table)
            .set_key(Some(key(user, Row::Token(id))))
            .update_expression("SET last_used_at = :now")
            .condition_expression("attribute_exists(pk)")
            .expression_attribute_values(":now", instant(now));
        match timeout(TOUCH, update.send()).await {
            Ok(Ok(_)) => {}
            Ok(Err(error)) => tracing::debug!(cause = %Cause::of(&error), "last_used_at was not written"),
            Err(_) => tracing::debug!("last_used_at was not written in time"),
        }
    }

    fn creation(&self, new: &NewToken<'_>, now: DateTime<Utc>) -> Result<Vec<TransactWriteItem>, Error> {
        let NewToken { token, name, ends_at, unconfirmed } = *new;
        let account = update(self, key(token.user, Row::Account))
            .update_expression("ADD tokens :one")
            .condition_expression(format!(
                "{OPEN} AND tokens < :most AND attribute_not_exists(#waiting) AND {}",
                as_confirmed(unconfirmed)
            ))
            .expression_attribute_names("#waiting", WAITING)
            .expression_attribute_values(":one", number(1))
            .expression_attribute_values(":most", number(MAX_TOKENS));
        let row = put(self, key(token.user, Row::Token(token.id)))
            .item("name", text(name))
            .item("secret_sha256", bytes(token.secret().hash().as_bytes()))
            .item("hint", text(token.hint()))
            .item("created_at", instant(now))
            .condition_expression("attribute_not_exists(pk)");
        let row = match ends_at {
            // not the table's time to live: the account counts its tokens
            Some(end) => row.item("ends_at", instant(end)),
            None => row,
        };
        let row = if unconfirmed { row.item(UNCONFIRMED, AttributeValue::Bool(true)) } else { row };
        Ok(vec![account.part()?, row.part()?])
    }

    fn revocation(&self, user: UserId, id: TokenId) -> Result<Vec<TransactWriteItem>, Error> {
        let row = delete(self, key(user, Row::Token(id))).condition_expression("attribute_exists(pk)");
        let account = update(self, key(user, Row::Account))
            .update_expression("ADD tokens :minus_one")
            .condition_expression("attribute_exists(pk)")
            .expression_attribute_values(":minus_one", number(-1));
        Ok(vec![row.part()?, account.part()?])
    }
}

/// Why the account took no further token.
fn refusal(account: Option<&Item>) -> Error {
    if account.is_some_and(|account| account.has(WAITING)) {
        return Error::Unconfirmed(Restricted::Token);
    }
    match account.map(|account| account.number("tokens")) {
        Some(Ok(tokens)) if tokens >= MAX_TOKENS => Error::TokenLimitReached,
        Some(Err(malformed)) => malformed,
        _ => Error::Unauthenticated,
    }
}

fn record(item: &Item) -> Result<TokenRecord, Error> {
    let id = item.text(SK)?.strip_prefix(TOKENS).unwrap_or_default().to_owned();
    Ok(TokenRecord {
        id,
        name: item.text("name")?.to_owned(),
        hint: item.text("hint")?.to_owned(),
        created_at: timestamp(item.instant("created_at")?),
        last_used_at: item.optional_instant("last_used_at")?.map(timestamp),
        expires_at: item.optional_instant("ends_at")?.map(timestamp),
    })
}
