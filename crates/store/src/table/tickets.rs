//! Limits of upload tickets: per day, and open at a time. Tickets are stored in the day's row, since the commit of an
//! analysis writes that row anyway; it removes the ticket.

use std::time::Duration;

use chrono::{DateTime, Utc};

use super::backoff::Backoff;
use super::day::{TICKET, expiry, ticket};
use super::item::{Item, number};
use super::key::Row;
use super::{Rows, Store};
use crate::deadline::Deadline;
use crate::error::{Attempts, Cause, Error};
use crate::ids::{UploadId, UserId};
use crate::quota::{Day, Quota};

/// Open tickets per account: issued, not expired, their files neither analyzed nor found to need a password.
const MAX_OPEN: usize = 5;
/// Tickets a day, as a multiple of the daily limit.
const PER_ANALYSIS: u64 = 2;
/// The tickets of an account.
struct DayTickets {
    /// Issued today.
    given: u64,
    /// Unused tickets of today, expired or not.
    today: Vec<(String, i64)>,
    /// Tickets of the day before, which may still be open shortly after midnight.
    yesterday: Vec<(String, i64)>,
}

impl DayTickets {
    fn read(rows: &Rows, quota: &Quota, valid: Duration) -> Result<Self, Error> {
        let [today, yesterday] = days(quota, valid);
        let tickets = |day| rows.get(Row::Day(day)).map_or(Ok(Vec::new()), |item| item.numbers(TICKET));
        let yesterday = if yesterday == today { Vec::new() } else { tickets(yesterday)? };
        let given = rows.get(Row::Day(today)).map_or(Ok(0), |item: &Item| item.number("tickets"))?;
        Ok(Self { given, today: tickets(today)?, yesterday })
    }

    /// The expiries of the open tickets.
    fn open(&self, now: DateTime<Utc>) -> impl Iterator<Item = i64> + '_ {
        let all = self.today.iter().chain(&self.yesterday).map(|(_, expires)| *expires);
        all.filter(move |expires| *expires > now.timestamp())
    }

    fn admit(&self, quota: &Quota) -> Result<(), Error> {
        let refused = |what, retry_after| Err(Error::TooMany { what, retry_after });
        if self.given >= quota.limit.saturating_mul(PER_ANALYSIS) {
            return refused(Attempts::Tickets, quota.seconds_to_reset());
        }
        match self.open(quota.now).min() {
            Some(first) if self.open(quota.now).count() >= MAX_OPEN => {
                refused(Attempts::OpenTickets, first - quota.now.timestamp())
            }
            _ => Ok(()),
        }
    }
}

/// The day of `quota`, and the day of the oldest ticket that may be open.
fn days(quota: &Quota, valid: Duration) -> [Day; 2] {
    [quota.day(), Day::of(quota.now - valid)]
}

impl Store {
    /// Counts a ticket for `upload` that is valid for `valid` from `quota.now` on.
    ///
    /// # Errors
    /// [`Error::TooMany`] over twice the daily limit a day or five open ones; [`Error::Unavailable`].
    pub async fn count_ticket(
        &self,
        user: UserId,
        quota: &Quota,
        upload: UploadId,
        valid: Duration,
        deadline: Deadline,
    ) -> Result<(), Error> {
        let mut rows = days(quota, valid).map(Row::Day).to_vec();
        rows.dedup();
        let mut backoff = Backoff::until(deadline);
        loop {
            let tickets = DayTickets::read(&self.read(user, &rows, deadline).await?, quota, valid)?;
            if tickets.today.iter().any(|(name, _)| *name == ticket(upload)) {
                // an earlier attempt was stored but its answer lost
                return Ok(());
            }
            tickets.admit(quota)?;
            if self.give(user, quota, &tickets, upload, valid, deadline).await? {
                return Ok(());
            }
            backoff.wait(|| Cause::text("others take tickets at the same time")).await?;
        }
    }

    /// Counts a ticket if the count is unchanged since it was read, and removes expired tickets.
    async fn give(
        &self,
        user: UserId,
        quota: &Quota,
        tickets: &DayTickets,
        upload: UploadId,
        valid: Duration,
        deadline: Deadline,
    ) -> Result<bool, Error> {
        let now = quota.now.timestamp();
        let mut expression = "ADD tickets :one SET expires = :expires, #new = :until".to_owned();
        let mut update = self
            .update(user, Row::Day(quota.day()))
            .expression_attribute_names("#new", ticket(upload))
            .expression_attribute_values(":one", number(1))
            .expression_attribute_values(":until", number((quota.now + valid).timestamp()))
            .expression_attribute_values(":expires", number(expiry(quota.day())));
        let expired = tickets.today.iter().filter(|(_, expires)| *expires <= now);
        for (index, (name, _)) in expired.enumerate() {
            expression.push_str(if index == 0 { " REMOVE " } else { ", " });
            expression.push_str(&format!("#old{index}"));
            update = update.expression_attribute_names(format!("#old{index}"), name);
        }
        let update = update.update_expression(expression);
        let update = if tickets.given == 0 {
            update.condition_expression("attribute_not_exists(tickets)")
        } else {
            update.condition_expression("tickets = :seen").expression_attribute_values(":seen", number(tickets.given))
        };
        self.change(update, deadline).await
    }
}
