//! Tokens made, used, revoked and ended.

use std::time::Duration;

use aws_sdk_dynamodb::types::{AttributeValue, TransactWriteItem};
use chrono::{DateTime, Utc};
use tokio::time::timeout;

use super::super::Store;
use super::super::accounts::{Account, END_TOKENS, MAKERS, OPEN, SAME_TOKENS, WAITING};
use super::super::counters::Counter;
use super::super::item::{Item, bytes, instant, number, text};
use super::super::key::{Row, key, tokens_by_tokens_key};
use super::super::transact::{AsPart, delete, put, update};
use super::{MADE_BY, MAX_TOKENS, NewToken, StoredToken, TokenRecord, makers};
use crate::deadline::Deadline;
use crate::error::{Attempts, Cause, Error, Restricted};
use crate::ids::{TokenId, UserId};
use crate::quota::timestamp;

const HOUR: i64 = 60 * 60;
/// Tokens that the tokens of an account may make in an hour, together.
const MADE_BY_TOKENS: u64 = 20;
/// A request waits no longer than this for `last_used_at`.
const TOUCH: Duration = Duration::from_secs(1);
/// Where the parts of a creation are, and so their cancellation reasons.
const ACCOUNT: usize = 0;
const TOKEN: usize = 1;
const MAKER: usize = 2;
const COUNTER: usize = 3;

impl Store {
    /// Stores a new token and counts it, together or not at all.
    ///
    /// # Errors
    /// [`Error::TokenLimitReached`] at [`MAX_TOKENS`]; [`Error::TooMany`] of tokens made by tokens;
    /// [`Error::Unconfirmed`]; [`Error::Unauthenticated`] if the account is gone or closed by now, or its maker or all
    /// its tokens were ended meanwhile; [`Error::Unavailable`].
    pub async fn create_token(
        &self,
        new: &NewToken<'_>,
        now: DateTime<Utc>,
        deadline: Deadline,
    ) -> Result<TokenRecord, Error> {
        let hourly = Counter::new(HOUR, MADE_BY_TOKENS, now, |window| tokens_by_tokens_key(new.token.user, window));
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
                // the id is new: finding it means that an earlier try was stored
                Some(Ok(()))
            } else if reasons.refused(ACCOUNT) {
                Some(Err(refusal(new, reasons.found(ACCOUNT).as_ref())))
            } else if reasons.refused(MAKER) {
                Some(Err(Error::Unauthenticated))
            } else {
                reasons.refused(COUNTER).then(|| Err(hourly.refusal(Attempts::Tokens)))
            }
        })
        .await?;
        Ok(created)
    }

    /// Deletes a token that was just seen to exist, and uncounts it, together. Those that it has made end with it.
    ///
    /// # Errors
    /// [`Error::NotFound`] if somebody else revoked it first; [`Error::Unavailable`].
    pub async fn revoke_token(
        &self,
        user: UserId,
        account: &Account,
        token: &StoredToken,
        deadline: Deadline,
    ) -> Result<(), Error> {
        self.remove_token(user, token, deadline).await?;
        if account.token_makers.contains(&token.id) {
            // they are refused by now: what is left to do is best effort
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

    /// Removes a token that has ended. Best effort: it is refused in any case, and the next look removes it.
    pub async fn remove_ended_token(&self, user: UserId, token: &StoredToken, deadline: Deadline) {
        match self.remove_token(user, token, deadline).await {
            Ok(()) | Err(Error::NotFound) => {}
            Err(error) => tracing::warn!(cause = %error, "a token that has ended was not removed"),
        }
    }

    /// Ends all tokens of the account that there are: the next request with any of them is refused.
    ///
    /// # Errors
    /// [`Error::NotFound`] if the account is gone or going; [`Error::Unavailable`].
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

    /// Removes the rows of tokens that ended with all of the account. Best effort: nobody reads them any more.
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

    /// Writes that the token was used, unless it has been revoked meanwhile.
    ///
    /// Best effort: the request goes on, the next one tries again.
    pub async fn touch_token(&self, user: UserId, id: TokenId, now: DateTime<Utc>) {
        let update = self
            .update(user, Row::Token(id))
            .update_expression("SET last_used_at = :now")
            .condition_expression("attribute_exists(pk)")
            .expression_attribute_values(":now", instant(now));
        match timeout(TOUCH, update.send()).await {
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
                "{OPEN} AND tokens < :most AND attribute_not_exists(#waiting) AND {SAME_TOKENS}"
            ))
            .expression_attribute_names("#waiting", WAITING)
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
        // not the table's time to live: the account counts its tokens
        let row = ends_at.into_iter().fold(row, |row, end| row.item("ends_at", instant(end)));
        let Some(maker) = maker else {
            return Ok(vec![account.update_expression("ADD tokens :one").part()?, row.part()?]);
        };
        let account = account
            .update_expression(format!("ADD tokens :one, {MAKERS} :maker"))
            .expression_attribute_values(":maker", AttributeValue::Ss(vec![maker.id.to_string()]));
        // it has to be there still: whoever revokes it looks for what it has made after that
        let still = update(self, key(token.user, Row::Token(maker.id)))
            .update_expression("SET last_used_at = :now")
            .condition_expression("attribute_exists(pk)")
            .expression_attribute_values(":now", instant(now));
        Ok(vec![account.part()?, row.item(MADE_BY, makers(maker)).part()?, still.part()?, self.one_more(hourly)?])
    }

    /// Deletes a token's row and uncounts it, if the account counts it.
    async fn remove_token(&self, user: UserId, token: &StoredToken, deadline: Deadline) -> Result<(), Error> {
        let row = delete(self, key(user, Row::Token(token.id))).condition_expression("attribute_exists(pk)");
        let account = update(self, key(user, Row::Account))
            .update_expression(format!("ADD tokens :minus_one DELETE {MAKERS} :token"))
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

/// Why the account took no further token.
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
