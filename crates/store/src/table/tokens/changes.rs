//! Creation, use, revocation and end of tokens.

use std::time::Duration;

use aws_sdk_dynamodb::types::{AttributeValue, TransactWriteItem};
use chrono::{DateTime, Utc};
use tokio::time::timeout;

use super::super::Store;
use super::super::accounts::{Account, END_TOKENS, IS_OPEN, LIMIT_WHEN_CONFIRMED, SAME_TOKENS, TOKEN_CREATORS};
use super::super::counters::Counter;
use super::super::item::{Item, bytes, instant, number, text};
use super::super::key::{Row, key, tokens_by_tokens_key};
use super::super::transact::{AsPart, delete, put, update};
use super::{MADE_BY, MAX_TOKENS, NewToken, StoredToken, TokenRecord, makers};
use crate::deadline::Deadline;
use crate::error::{Attempts, Cause, Error, Restricted};
use crate::ids::{TokenId, UserId};
use crate::quota::timestamp;
use crate::secret::SecretHash;

const HOUR: i64 = 60 * 60;
/// Tokens that all tokens of an account may create per hour.
const MAX_BY_TOKENS_PER_HOUR: u64 = 20;
/// Time limit of the update of `last_used_at`.
const TOUCH_TIMEOUT: Duration = Duration::from_secs(1);
/// Positions of a creation's items, and so of their cancellation reasons.
const ACCOUNT: usize = 0;
const TOKEN: usize = 1;
const CREATOR: usize = 2;
const COUNTER: usize = 3;

impl Store {
    /// Stores a new token and counts it, in one transaction.
    ///
    /// # Errors
    /// [`Error::IdempotencyKeyReused`] if its id is another token's; [`Error::TokenLimitReached`] at [`MAX_TOKENS`]; [`Error::TooMany`] of tokens made by tokens;
    /// [`Error::Unconfirmed`]; [`Error::Unauthenticated`] if the account was deleted or closed, or its creator or all
    /// its tokens were ended; [`Error::Unavailable`].
    pub async fn create_token(
        &self,
        new: &NewToken<'_>,
        now: DateTime<Utc>,
        deadline: Deadline,
    ) -> Result<TokenRecord, Error> {
        let hourly =
            Counter::new(HOUR, MAX_BY_TOKENS_PER_HOUR, now, |window| tokens_by_tokens_key(new.token.user, window));
        let created = TokenRecord {
            id: new.token.id.to_string(),
            name: new.name.to_owned(),
            hint: new.token.hint(),
            created_at: timestamp(now),
            last_used_at: None,
            expires_at: new.ends_at.map(timestamp),
            made_by: new.maker.map(|maker| maker.id.to_string()),
        };
        self.settle(self.creation(new, &hourly, now)?, deadline, (), |reasons, _| {
            if reasons.refused(TOKEN) {
                // an earlier attempt was stored, unless the id was used for another token before
                let found = reasons.found(TOKEN).map(|item| item.hash("secret_sha256", SecretHash::from_slice));
                let is_ours = matches!(found, Some(Ok(hash)) if hash == new.token.secret().hash());
                Some(if is_ours { Ok(()) } else { Err(Error::IdempotencyKeyReused) })
            } else if reasons.refused(ACCOUNT) {
                Some(Err(refusal(new, reasons.found(ACCOUNT).as_ref())))
            } else if reasons.refused(CREATOR) {
                Some(Err(Error::Unauthenticated))
            } else {
                reasons.refused(COUNTER).then(|| Err(hourly.refusal(Attempts::Tokens)))
            }
        })
        .await?;
        Ok(created)
    }

    /// Deletes a token that was just read and its count, in one transaction. The tokens that it created end with it.
    ///
    /// # Errors
    /// [`Error::NotFound`] if another request revoked it first; [`Error::Unavailable`].
    pub async fn revoke_token(
        &self,
        user: UserId,
        account: &Account,
        token: &StoredToken,
        deadline: Deadline,
    ) -> Result<(), Error> {
        self.remove_token(user, token, deadline).await?;
        if account.token_makers.contains(&token.id) {
            // they are refused by now: the cleanup is best effort
            let made = async {
                for made in self.tokens(user, deadline).await?.stored()? {
                    if made.made_by.contains(&token.id) {
                        self.remove_ended_token(user, &made, deadline).await;
                    }
                }
                Ok::<_, Error>(())
            };
            if let Err(cause) = made.await {
                tracing::warn!(%cause, "tokens that have ended with another were not removed");
            }
        }
        Ok(())
    }

    /// Removes a token that has ended. Best effort: it is refused in any case, and the next read removes it.
    pub async fn remove_ended_token(&self, user: UserId, token: &StoredToken, deadline: Deadline) {
        match self.remove_token(user, token, deadline).await {
            Ok(()) | Err(Error::NotFound) => {}
            Err(error) => tracing::warn!(cause = %error, "a token that has ended was not removed"),
        }
    }

    /// Ends all tokens of the account, concurrent creations included: the next request with any of them is refused.
    ///
    /// # Errors
    /// [`Error::NotFound`] if the account is deleted or being deleted; [`Error::Unavailable`].
    pub async fn end_all_tokens(&self, user: UserId, deadline: Deadline) -> Result<(), Error> {
        let [set, remove] = END_TOKENS;
        let update = self
            .update(user, Row::Account)
            .update_expression(format!("SET {set} REMOVE {remove}"))
            .expression_attribute_values(":none", number(0))
            .expression_attribute_values(":one", number(1));
        self.change_account(update, deadline).await?;
        self.clear_outdated_tokens(user, deadline).await;
        Ok(())
    }

    /// Removes the rows of tokens that ended with all of the account. Best effort: they are no longer read.
    pub async fn clear_outdated_tokens(&self, user: UserId, deadline: Deadline) {
        let cleared = async {
            let rows = self.tokens(user, deadline).await?.stored()?;
            let Some(account) = self.read(user, &[Row::Account], deadline).await?.account()? else { return Ok(()) };
            let outdated = rows.iter().filter(|token| token.is_outdated(&account));
            let keys: Vec<_> = outdated.map(|token| key(user, Row::Token(token.id))).collect();
            self.delete_all(&keys, deadline).await
        };
        if let Err(cause) = cleared.await {
            tracing::warn!(%cause, "the rows of tokens that have ended were not removed");
        }
    }

    /// Records that the token was used, unless it has been revoked meanwhile.
    ///
    /// Best effort: on failure the request continues, and the next one retries.
    pub async fn touch_token(&self, user: UserId, id: TokenId, now: DateTime<Utc>) {
        let update = self
            .update(user, Row::Token(id))
            .update_expression("SET last_used_at = :now")
            .condition_expression("attribute_exists(pk)")
            .expression_attribute_values(":now", instant(now));
        match timeout(TOUCH_TIMEOUT, update.send()).await {
            Ok(Ok(_)) => {}
            Ok(Err(error)) => tracing::debug!(cause = %Cause::of(&error), "last_used_at was not written"),
            Err(_) => tracing::debug!("last_used_at was not written in time"),
        }
    }

    fn creation(
        &self,
        new: &NewToken<'_>,
        hourly: &Counter,
        now: DateTime<Utc>,
    ) -> Result<Vec<TransactWriteItem>, Error> {
        let NewToken { token, name, ends_at, maker, generation } = *new;
        let account = update(self, key(token.user, Row::Account))
            .condition_expression(format!(
                "{IS_OPEN} AND tokens < :most AND attribute_not_exists(#waiting) AND {SAME_TOKENS}"
            ))
            .expression_attribute_names("#waiting", LIMIT_WHEN_CONFIRMED)
            .expression_attribute_values(":one", number(1))
            .expression_attribute_values(":most", number(MAX_TOKENS))
            .expression_attribute_values(":token_generation", number(generation))
            .expression_attribute_values(":none", number(0));
        let row = put(self, key(token.user, Row::Token(token.id)))
            .item("name", text(name))
            .item("secret_sha256", bytes(token.secret().hash().as_bytes()))
            .item("hint", text(token.hint()))
            .item("created_at", instant(now))
            .item("generation", number(generation))
            .condition_expression("attribute_not_exists(pk)");
        // not by the table's time to live: the account counts its tokens
        let row = ends_at.into_iter().fold(row, |row, end| row.item("ends_at", instant(end)));
        let Some(maker) = maker else {
            return Ok(vec![account.update_expression("ADD tokens :one").part()?, row.part()?]);
        };
        let account = account
            .update_expression(format!("ADD tokens :one, {TOKEN_CREATORS} :maker"))
            .expression_attribute_values(":maker", AttributeValue::Ss(vec![maker.id.to_string()]));
        // it must still exist: its revocation reads the tokens that it created afterwards
        let still = update(self, key(token.user, Row::Token(maker.id)))
            .update_expression("SET last_used_at = :now")
            .condition_expression("attribute_exists(pk)")
            .expression_attribute_values(":now", instant(now));
        Ok(vec![account.part()?, row.item(MADE_BY, makers(maker)).part()?, still.part()?, self.one_more(hourly)?])
    }

    /// Deletes a token's row and its count, if the account counts it.
    async fn remove_token(&self, user: UserId, token: &StoredToken, deadline: Deadline) -> Result<(), Error> {
        let row = delete(self, key(user, Row::Token(token.id))).condition_expression("attribute_exists(pk)");
        let account = update(self, key(user, Row::Account))
            .update_expression(format!("ADD tokens :minus_one DELETE {TOKEN_CREATORS} :token"))
            .condition_expression(format!("attribute_exists(pk) AND {SAME_TOKENS}"))
            .expression_attribute_values(":minus_one", number(-1))
            .expression_attribute_values(":token", AttributeValue::Ss(vec![token.id.to_string()]))
            .expression_attribute_values(":token_generation", number(token.generation))
            .expression_attribute_values(":none", number(0));
        self.settle(vec![row.part()?, account.part()?], deadline, (), |reasons, answer_lost| {
            // it has ended with all others
            let gone = if answer_lost || reasons.refused(1) { Ok(()) } else { Err(Error::NotFound) };
            (reasons.refused(0) || reasons.refused(1)).then_some(gone)
        })
        .await
    }
}

/// The reason why the account accepted no further token.
fn refusal(new: &NewToken<'_>, account: Option<&Item>) -> Error {
    let Some(item) = account else { return Error::Unauthenticated };
    match Account::read(item).and_then(|account| Ok((account, item.number("tokens")?))) {
        Ok((account, _)) if account.closed || account.token_generation != new.generation => Error::Unauthenticated,
        Ok((account, _)) if account.waiting => Error::Unconfirmed(Restricted::Token),
        Ok((_, tokens)) if tokens >= MAX_TOKENS => Error::TokenLimitReached,
        Ok(_) => Error::Unauthenticated,
        Err(malformed) => malformed,
    }
}
