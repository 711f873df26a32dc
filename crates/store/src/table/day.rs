//! A day's row: counts of stored and failed analyses, and the upload tickets issued.

use chrono::TimeDelta;

use super::item::number;
use super::key::Row;
use super::{Rows, Store};
use crate::deadline::Deadline;
use crate::error::Error;
use crate::ids::{UploadId, UserId};
use crate::quota::Day;

/// How long a day's counters are kept after its end.
const COUNTER_RETENTION: TimeDelta = TimeDelta::days(3);
/// What the names of the attributes of open tickets start with; their values are when they expire, epoch seconds.
pub(super) const TICKET: &str = "ticket:";

/// The attribute of a ticket.
pub(super) fn ticket(upload: UploadId) -> String {
    format!("{TICKET}{upload}")
}

/// The day in whose row the ticket is.
pub(super) fn given_on(upload: UploadId) -> Day {
    Day::of(upload.given_at())
}

/// When a day's row may be deleted, epoch seconds.
pub(super) fn expiry(day: Day) -> i64 {
    (day.end() + COUNTER_RETENTION).timestamp()
}

impl Rows {
    /// Analyses stored and failed on `day`.
    ///
    /// # Errors
    /// [`Error::Internal`] if the stored item is malformed.
    pub fn counts(&self, day: Day) -> Result<(u64, u64), Error> {
        self.get(Row::Day(day)).map_or(Ok((0, 0)), |item| Ok((item.number("used")?, item.number("failed")?)))
    }
}

impl Store {
    /// Counts a failed analysis; the ticket of `upload` is no longer open. Best effort: the caller's answer does not
    /// depend on it. Returns whether it is known to be counted.
    pub async fn count_failure(&self, user: UserId, day: Day, upload: Option<UploadId>, deadline: Deadline) -> bool {
        let update = self.update(user, Row::Day(day));
        let update = match upload {
            None => update.update_expression("ADD failed :one SET expires = :expires"),
            Some(upload) => update
                .update_expression("ADD failed :one SET expires = :expires REMOVE #ticket")
                .expression_attribute_names("#ticket", ticket(upload)),
        };
        let update = update
            .expression_attribute_values(":one", number(1))
            .expression_attribute_values(":expires", number(expiry(day)));
        let counted = self.change(update, deadline).await;
        if let Err(error) = &counted {
            tracing::warn!(cause = %error, "a failed analysis was not counted");
        }
        let earlier = upload.map(|upload| (upload, given_on(upload))).filter(|(_, given)| *given != day);
        if let Some((upload, given)) = earlier {
            let update = self
                .update(user, Row::Day(given))
                .update_expression("REMOVE #ticket")
                // the row of a deleted account would be created again and stay
                .condition_expression("attribute_exists(pk)")
                .expression_attribute_names("#ticket", ticket(upload));
            if let Err(error) = self.change(update, deadline).await {
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
