//! First answers to requests for analyses and comparisons, kept for 24 hours so that a repeat gets them again.

use aws_sdk_dynamodb::types::TransactWriteItem;
use aws_sdk_dynamodb::types::builders::PutBuilder;
use chrono::{DateTime, TimeDelta, Utc};

use super::backoff::Backoff;
use super::item::{Item, bytes, number};
use super::key::{EXPIRES, Row, key};
use super::transact::{AsPart, put};
use super::{Rows, Store};
use crate::analysis::Entry;
use crate::deadline::Deadline;
use crate::error::{Cause, Error};
use crate::idempotency::{Fingerprint, RequestKey};
use crate::ids::UserId;

/// Retention of the first answer.
const ANSWER_RETENTION: TimeDelta = TimeDelta::hours(24);
/// The condition that there is no unexpired answer. (Time-to-live deletes late: an expired item may still exist.)
const NO_ANSWER: &str = "attribute_not_exists(pk) OR expires <= :now";
/// Reads of an answer's analysis before it counts as deleted.
const MAX_READS: u32 = 3;

/// A reference to the first answer to a request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StoredAnswer {
    /// The key that it was found under.
    pub key: RequestKey,
    /// The fingerprint of the first request.
    pub fingerprint: Fingerprint,
    /// Its analysis.
    pub number: u64,
    /// Its `remaining_checks`.
    pub remaining: u64,
}

impl StoredAnswer {
    pub(super) fn read(key: RequestKey, item: &Item) -> Result<Self, Error> {
        Ok(Self {
            key,
            fingerprint: item.hash("fingerprint", Fingerprint::from_slice)?,
            number: item.number("number")?,
            remaining: item.number("remaining")?,
        })
    }

    /// The item of a commit that stores this answer under its key, unless there is one.
    pub(super) fn part(&self, store: &Store, user: UserId, now: DateTime<Utc>) -> Result<TransactWriteItem, Error> {
        self.put(store, user, now).condition_expression(NO_ANSWER).part()
    }

    /// The item that stores it; its condition uses `:now`.
    fn put(&self, store: &Store, user: UserId, now: DateTime<Utc>) -> PutBuilder {
        put(store, key(user, Row::Request(self.key)))
            .item("fingerprint", bytes(self.fingerprint.as_bytes()))
            .item("number", number(self.number))
            .item("remaining", number(self.remaining))
            .item(EXPIRES, number((now + ANSWER_RETENTION).timestamp()))
            .expression_attribute_values(":now", number(now.timestamp()))
    }
}

impl Rows {
    /// The answer stored under the first of `requests` whose row was read, exists and has not expired.
    ///
    /// # Errors
    /// [`Error::Internal`] if a stored item is malformed.
    pub fn stored_answer(&self, requests: &[RequestKey], now: DateTime<Utc>) -> Result<Option<StoredAnswer>, Error> {
        for request in requests {
            if let Some(item) = self.get(Row::Request(*request))
                && !item.has_expired(now)?
            {
                return StoredAnswer::read(*request, item).map(Some);
            }
        }
        Ok(None)
    }
}

impl Store {
    /// Reads the answer stored under one of `requests`.
    ///
    /// # Errors
    /// [`Error::Unavailable`] when the table does not answer.
    pub async fn answer_to(
        &self,
        user: UserId,
        requests: &[RequestKey],
        now: DateTime<Utc>,
        deadline: Deadline,
    ) -> Result<Option<StoredAnswer>, Error> {
        let rows: Vec<_> = requests.iter().map(|request| Row::Request(*request)).collect();
        self.read(user, &rows, deadline).await?.stored_answer(requests, now)
    }

    /// Stores `answer`, found under another key, under `request` as well; `false` if that key has another answer by
    /// now.
    ///
    /// # Errors
    /// [`Error::Unavailable`] when the table does not answer.
    pub async fn keep_answer(
        &self,
        user: UserId,
        request: RequestKey,
        answer: StoredAnswer,
        now: DateTime<Utc>,
        deadline: Deadline,
    ) -> Result<bool, Error> {
        let kept = StoredAnswer { key: request, ..answer }
            .put(self, user, now)
            // this same answer, if an earlier attempt was carried out
            .condition_expression(format!("{NO_ANSWER} OR #number = :number"))
            // a reserved word
            .expression_attribute_names("#number", "number")
            .expression_attribute_values(":number", number(answer.number));
        self.settle(vec![kept.part()?], deadline, true, |reasons, _| reasons.refused(0).then_some(Ok(false))).await
    }

    /// The entry that a first answer gave.
    ///
    /// # Errors
    /// [`Error::NotFound`] if it was deleted since; [`Error::Unavailable`] when the table does not answer.
    pub async fn replay(&self, user: UserId, answer: StoredAnswer, deadline: Deadline) -> Result<Entry, Error> {
        let rows = [Row::Analysis(answer.number), Row::Metadata(answer.number)];
        let mut backoff = Backoff::until(deadline);
        for _ in 0..MAX_READS {
            let found = self.read(user, &rows, deadline).await?;
            if let Some(entry) = found.entry_numbered(answer.number)? {
                return Ok(entry);
            }
            // a transaction becomes readable item by item: the analysis may follow
            backoff.wait(|| Cause::text("a kept answer has no analysis")).await?;
        }
        Err(Error::NotFound)
    }
}
