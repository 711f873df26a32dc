//! A day's counters: analyses stored, in the account's row, where they change with its number; analyses failed and upload
//! tickets issued, in a row of the day.

use std::collections::BTreeMap;

use aws_sdk_dynamodb::operation::update_item::builders::UpdateItemFluentBuilder as ItemUpdate;
use chrono::{DateTime, TimeDelta, Utc};

use super::item::{Item, malformed, number};
use super::key::Row;
use super::{Rows, Store};
use crate::deadline::Deadline;
use crate::error::Error;
use crate::ids::{UploadId, UserId};
use crate::quota::Day;

/// Prefix of the account's attributes that count the analyses stored on a day, before the day.
const USED: &str = "used:";
/// How long a day's counters are kept after its end.
const COUNTER_RETENTION: TimeDelta = TimeDelta::days(3);
/// Prefix of the attributes of open tickets; their values are expiry times in epoch seconds.
pub(super) const TICKET: &str = "ticket:";

/// The attribute of a ticket.
pub(super) fn ticket(upload: UploadId) -> String {
    format!("{TICKET}{upload}")
}

/// The day in whose row the ticket is.
pub(super) fn given_on(upload: UploadId) -> Day {
    Day::of(upload.given_at())
}

/// The account's attribute with the analyses stored on a day.
pub(super) fn used_on(day: Day) -> String {
    format!("{USED}{day}")
}

/// Analyses stored by day, as the account's row has them.
///
/// # Errors
/// [`Error::Internal`] if one is malformed.
pub(super) fn usage(account: &Item) -> Result<BTreeMap<Day, u64>, Error> {
    let counts = account.numbers(USED)?.into_iter();
    let read = counts.map(|(name, count)| Some((Day::parse(name.strip_prefix(USED)?)?, u64::try_from(count).ok()?)));
    read.collect::<Option<_>>().ok_or_else(|| malformed(USED))
}

/// The days whose counts need not be kept at `now`.
pub(super) fn outdated(usage: &BTreeMap<Day, u64>, now: DateTime<Utc>) -> impl Iterator<Item = Day> {
    usage.keys().copied().filter(move |day| expiry(*day) <= now.timestamp())
}

/// When a day's row may be deleted, epoch seconds.
pub(super) fn expiry(day: Day) -> i64 {
    (day.end() + COUNTER_RETENTION).timestamp()
}

impl Rows {
    /// Analyses stored and failed on `day`, if the rows of the account and of the day were read.
    ///
    /// # Errors
    /// [`Error::Internal`] if a stored item is malformed.
    pub fn counts(&self, day: Day) -> Result<(u64, u64), Error> {
        let used = self.get(Row::Account).map_or(0, |account| account.difference(&used_on(day)));
        let failed = self.get(Row::Day(day)).map_or(Ok(0), |item| item.number("failed"))?;
        Ok((u64::try_from(used).map_err(|_| malformed(USED))?, failed))
    }
}

impl Store {
    /// Counts a failed analysis; the tickets of `uploads` are no longer open. Best effort: the caller's answer does not
    /// depend on it. Returns whether it is known to be counted.
    pub async fn count_failure(&self, user: UserId, day: Day, uploads: &[UploadId], deadline: Deadline) -> bool {
        let (today, earlier): (Vec<_>, Vec<_>) = uploads.iter().copied().partition(|upload| given_on(*upload) == day);
        let update = self
            .update(user, Row::Day(day))
            .expression_attribute_values(":one", number(1))
            .expression_attribute_values(":expires", number(expiry(day)));
        let counted = self.change(closing(update, "ADD failed :one SET expires = :expires", &today), deadline).await;
        if let Err(error) = &counted {
            tracing::warn!(cause = %error, "a failed analysis was not counted");
        }
        for upload in earlier {
            // the row of a deleted account would be created again and stay
            let update = self.update(user, Row::Day(given_on(upload))).condition_expression("attribute_exists(pk)");
            if let Err(error) = self.change(closing(update, "", &[upload]), deadline).await {
                tracing::warn!(cause = %error, "a ticket was not closed");
            }
        }
        counted.is_ok()
    }

    /// Removes a failure that was counted before the outcome was known. Best effort: one that stays counted counts like
    /// any other.
    pub async fn take_back_failure(&self, user: UserId, day: Day, deadline: Deadline) {
        let update = self
            .update(user, Row::Day(day))
            .update_expression("ADD failed :less")
            .condition_expression("failed >= :one")
            .expression_attribute_values(":less", number(-1))
            .expression_attribute_values(":one", number(1));
        if let Err(error) = self.change(update, deadline).await {
            tracing::warn!(cause = %error, "an analysis that ended stays counted as failed");
        }
    }
}

/// The update, which also removes the tickets of `uploads`.
fn closing(update: ItemUpdate, expression: &str, uploads: &[UploadId]) -> ItemUpdate {
    let places: Vec<_> = (0..uploads.len()).map(|place| format!("#ticket{place}")).collect();
    let remove = if places.is_empty() { String::new() } else { format!("REMOVE {}", places.join(", ")) };
    let update = update.update_expression(format!("{expression} {remove}").trim());
    let named = places.into_iter().zip(uploads);
    named.fold(update, |update, (place, upload)| update.expression_attribute_names(place, ticket(*upload)))
}
