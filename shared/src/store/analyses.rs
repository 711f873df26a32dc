//! Stored analyses: one, or a page of them; and the day's counters.

use chrono::TimeDelta;
use engine::Verdict;

use super::item::{Item, number, text};
use super::key::{Row, partition};
use super::{Rows, Store, failure};
use crate::analysis::{Analysis, Summary, completed, format_size};
use crate::deadline::Deadline;
use crate::error::{Cause, Error};
use crate::ids::{AnalysisId, UserId};
use crate::page::Page;
use crate::quota::{Day, timestamp};
use crate::verdict;

/// How many analyses are looked at for those with a verdict: few first, in case that most have it, then many.
const LOOKED_AT: [u64; 2] = [100, 900];
/// How long a day's counters are kept after its end.
const KEEP_DAY: TimeDelta = TimeDelta::days(3);

impl Rows {
    /// The analysis, if its two rows were read, are there, and carry exactly this id.
    ///
    /// # Errors
    /// [`Error::Internal`] if a stored item is malformed.
    pub fn analysis(&self, id: AnalysisId) -> Result<Option<Analysis>, Error> {
        let analysis = self.analysis_numbered(id.number())?;
        Ok(analysis.filter(|analysis| analysis.id == id))
    }

    /// The analysis of this number, whatever its id.
    pub(super) fn analysis_numbered(&self, number: u64) -> Result<Option<Analysis>, Error> {
        let (Some(row), Some(metadata)) = (self.get(Row::Analysis(number)), self.get(Row::Metadata(number))) else {
            return Ok(None);
        };
        let metadata = completed(metadata.text("metadata")?).map_err(|error| Error::Internal(Cause::of(&error)))?;
        Ok(Some(summary(row)?.with_metadata(metadata)))
    }

    /// Whether this id marks a place in the list of a user with `total` analyses, if its row was read: it is one of
    /// them, or the number of one that is gone.
    ///
    /// # Errors
    /// [`Error::Internal`] if a stored item is malformed.
    pub fn marks(&self, id: AnalysisId, total: u64) -> Result<bool, Error> {
        match self.get(Row::Analysis(id.number())) {
            Some(row) => Ok(summary(row)?.id == id),
            None => Ok((1..=total).contains(&id.number())),
        }
    }

    /// Analyses stored and failed on `day`.
    ///
    /// # Errors
    /// [`Error::Internal`] if the stored item is malformed.
    pub fn counts(&self, day: Day) -> Result<(u64, u64), Error> {
        self.get(Row::Day(day)).map_or(Ok((0, 0)), |item| Ok((item.number("used")?, item.number("failed")?)))
    }
}

/// A stretch of the list, walked from newer to older analyses.
#[derive(Clone, Debug, Default)]
pub struct Stretch {
    /// The analyses, newest first.
    pub analyses: Vec<Summary>,
    /// The last one looked at; none if no older one is left.
    pub last: Option<AnalysisId>,
}

impl Stretch {
    /// Takes of what was `found` down to number `oldest` what has the verdict, up to `most` analyses in all.
    fn take(&mut self, found: Vec<Summary>, oldest: u64, most: u64, verdict: Option<Verdict>) {
        let edge = found.iter().find(|row| row.id.number() == oldest).map(|row| row.id);
        // any id of a number that is gone marks its place
        let edge = edge.unwrap_or_else(|| AnalysisId::new(oldest));
        self.last = (oldest > 1).then_some(edge);
        for row in found.into_iter().filter(|row| verdict.is_none() || row.verdict == verdict) {
            let id = row.id;
            self.analyses.push(row);
            if self.analyses.len() as u64 == most {
                self.last = (id.number() > 1).then_some(id);
                return;
            }
        }
    }
}

impl Store {
    /// One page of `user`'s analyses, newest first, of the `total` that the account has.
    /// One Query over a key range: page 500 costs what page 1 costs.
    ///
    /// # Errors
    /// [`Error::Unavailable`] when the table does not answer.
    pub async fn analyses(
        &self,
        user: UserId,
        page: Page,
        total: u64,
        deadline: Deadline,
    ) -> Result<Vec<Summary>, Error> {
        let Some((first, last)) = page.numbers(total) else { return Ok(Vec::new()) };
        self.between(user, first, last, None, deadline).await
    }

    /// `user`'s analyses from number `newest` down to older ones: `per_page` of them or, with a `verdict`, as many of
    /// those that have it as are among the first 1,000. Those without are left out by DynamoDB.
    ///
    /// # Errors
    /// [`Error::Unavailable`] when the table does not answer.
    pub async fn walk(
        &self,
        user: UserId,
        mut newest: u64,
        per_page: u64,
        verdict: Option<Verdict>,
        deadline: Deadline,
    ) -> Result<Stretch, Error> {
        let mut stretch = Stretch::default();
        let unfiltered = [per_page];
        for most in if verdict.is_some() { LOOKED_AT.as_slice() } else { &unfiltered } {
            if newest == 0 {
                break;
            }
            let oldest = newest.saturating_sub(most - 1).max(1);
            let found = self.between(user, oldest, newest, verdict, deadline).await?;
            stretch.take(found, oldest, per_page, verdict);
            if stretch.analyses.len() as u64 == per_page {
                break;
            }
            newest = oldest - 1;
        }
        Ok(stretch)
    }

    /// The analyses numbered `first` to `last`, newest first. With a verdict, those that have it and, whatever it has,
    /// the one numbered `first`.
    async fn between(
        &self,
        user: UserId,
        first: u64,
        last: u64,
        verdict: Option<Verdict>,
        deadline: Deadline,
    ) -> Result<Vec<Summary>, Error> {
        let mut query = self
            .client
            .query()
            .table_name(&self.table)
            .key_condition_expression("pk = :user AND sk BETWEEN :first AND :last")
            .expression_attribute_values(":user", partition(user))
            .expression_attribute_values(":first", text(Row::Analysis(first).to_string()))
            .expression_attribute_values(":last", text(Row::Analysis(last).to_string()))
            .consistent_read(true)
            .scan_index_forward(false);
        if let Some(verdict) = verdict {
            query = query
                // a key may not stand here, but the id begins with the number too
                .filter_expression("verdict = :verdict OR begins_with(id, :oldest)")
                .expression_attribute_values(":verdict", text(verdict::name(verdict)))
                .expression_attribute_values(":oldest", text(AnalysisId::prefix(first)));
        }
        // at most 900 items of some 500 bytes: always one page of DynamoDB's 1 MB
        let answer = deadline.limit(query.send()).await?.map_err(|error| failure(&error))?;
        answer.items.unwrap_or_default().into_iter().map(|item| summary(&Item::new(item))).collect()
    }

    /// Counts a failed analysis. Best effort: the caller's answer does not depend on it.
    pub async fn count_failure(&self, user: UserId, day: Day, deadline: Deadline) {
        let update = self
            .update(user, Row::Day(day))
            .update_expression("ADD failed :one SET expires = :expires")
            .expression_attribute_values(":one", number(1))
            .expression_attribute_values(":expires", number(day_expiry(day)));
        if let Err(error) = self.change(update, deadline).await {
            tracing::warn!(cause = %error, "a failed analysis was not counted");
        }
    }
}

/// When a day's counters may be deleted, epoch seconds.
pub(super) fn day_expiry(day: Day) -> i64 {
    (day.end() + KEEP_DAY).timestamp()
}

pub(super) fn summary(item: &Item) -> Result<Summary, Error> {
    let id = AnalysisId::parse(item.text("id")?);
    let file_size = item.number("file_size")?;
    Ok(Summary {
        id: id.ok_or_else(|| Error::Internal(Cause::text("a stored analysis id is malformed")))?,
        filename: item.text("filename")?.to_owned(),
        file_size,
        file_size_formatted: format_size(file_size),
        verdict: item.optional_text("verdict").and_then(verdict::parse),
        analyzed_at: timestamp(item.instant("analyzed_at")?),
    })
}
