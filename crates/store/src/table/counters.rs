//! Rate limits: counters per time window, incremented together or not at all.

use aws_sdk_dynamodb::types::TransactWriteItem;
use chrono::{DateTime, Utc};

use super::Store;
use super::item::{Item, number};
use super::key::{EXPIRES, ItemKey};
use super::transact::{AsPart, update};
use crate::deadline::Deadline;
use crate::error::{Attempts, Error};
use crate::quota::timestamp;

/// A counter of attempts in a window.
#[derive(Debug)]
pub(super) struct Counter {
    /// Its row, one per window.
    key: ItemKey,
    /// The limit.
    limit: u64,
    /// When the window ends: epoch seconds, and seconds from now.
    ends: i64,
    left: i64,
}

impl Counter {
    /// The counter of the window of `seconds` that contains `now`; `key` derives the row's key from the window's start.
    pub(crate) fn new(seconds: i64, limit: u64, now: DateTime<Utc>, key: impl FnOnce(&str) -> ItemKey) -> Self {
        let begin = now.timestamp() - now.timestamp().rem_euclid(seconds);
        let text = DateTime::from_timestamp(begin, 0).map(timestamp).unwrap_or_default();
        let ends = begin + seconds;
        Self { key: key(&text), limit, ends, left: ends - now.timestamp() }
    }

    /// Its row's key.
    pub(super) fn key(&self) -> &ItemKey {
        &self.key
    }

    /// Whether it is at its limit, given the items `found`.
    pub(super) fn is_full(&self, found: &[Item]) -> Result<bool, Error> {
        let item = found.iter().find(|item| item.is_at(&self.key));
        Ok(item.map_or(Ok(0), |item| item.number("counted"))? >= self.limit)
    }

    /// The error for an attempt over the limit, until the window ends.
    pub(super) fn refusal(&self, what: Attempts) -> Error {
        Error::TooMany { what, retry_after: self.left }
    }
}

impl Store {
    /// Increments each of `counters` for an attempt at `what`, or none if one is at its limit. A refusal costs one
    /// read.
    ///
    /// # Errors
    /// [`Error::TooMany`]; [`Error::Unavailable`] when the table does not answer.
    pub(super) async fn count_in(&self, counters: &[Counter], what: Attempts, deadline: Deadline) -> Result<(), Error> {
        self.count_reading(counters, what, &[], deadline).await.map(drop)
    }

    /// The same, with the items at `others`, which are read along with the counters.
    ///
    /// # Errors
    /// As [`Store::count_in`].
    pub(super) async fn count_reading(
        &self,
        counters: &[Counter],
        what: Attempts,
        others: &[ItemKey],
        deadline: Deadline,
    ) -> Result<Vec<Item>, Error> {
        let keys = counters.iter().map(Counter::key).chain(others).cloned().collect();
        let found = self.read_keys(keys, deadline).await?;
        for counter in counters {
            if counter.is_full(&found)? {
                return Err(counter.refusal(what));
            }
        }
        let items = counters.iter().map(|counter| self.one_more(counter)).collect::<Result<_, Error>>()?;
        self.settle(items, deadline, (), |reasons, _| {
            let mut places = counters.iter().enumerate();
            places.find(|(index, _)| reasons.refused(*index)).map(|(_, full)| Err(full.refusal(what)))
        })
        .await?;
        Ok(found)
    }

    /// Decrements each of `counters`, unless one of them is 0.
    ///
    /// # Errors
    /// [`Error::Unavailable`] when the table does not answer.
    pub(super) async fn uncount(&self, counters: &[Counter], deadline: Deadline) -> Result<(), Error> {
        let items = counters.iter().map(|counter| {
            update(self, counter.key.clone())
                .update_expression("ADD counted :minus_one")
                .condition_expression("counted > :none")
                .expression_attribute_values(":minus_one", number(-1))
                .expression_attribute_values(":none", number(0))
                .part()
        });
        let most = counters.len();
        self.settle(items.collect::<Result<_, Error>>()?, deadline, (), move |reasons, _| {
            (0..most).any(|index| reasons.refused(index)).then_some(Ok(()))
        })
        .await
    }

    /// The item of a transaction that increments `counter`, unless it is at its limit.
    pub(super) fn one_more(&self, counter: &Counter) -> Result<TransactWriteItem, Error> {
        update(self, counter.key.clone())
            .update_expression(format!("ADD counted :one SET {EXPIRES} = :ends"))
            .condition_expression("attribute_not_exists(counted) OR counted < :limit")
            .expression_attribute_values(":one", number(1))
            .expression_attribute_values(":limit", number(counter.limit))
            .expression_attribute_values(":ends", number(counter.ends))
            .part()
    }
}
