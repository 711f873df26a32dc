//! Stored analyses: one, or a page of them; and the day's counters.

use chrono::TimeDelta;
use serde_json::value::RawValue;

use super::item::{Item, number, text};
use super::key::{Row, partition};
use super::{Rows, Store, failure};
use crate::analysis::{Analysis, Summary, format_size};
use crate::deadline::Deadline;
use crate::error::{Cause, Error};
use crate::ids::{AnalysisId, UserId};
use crate::page::Page;
use crate::quota::{Day, timestamp};

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
        Ok(Some(summary(row)?.with_metadata(raw_json(metadata.text("metadata")?)?)))
    }

    /// Analyses stored and failed on `day`.
    ///
    /// # Errors
    /// [`Error::Internal`] if the stored item is malformed.
    pub fn counts(&self, day: Day) -> Result<(u64, u64), Error> {
        self.get(Row::Day(day)).map_or(Ok((0, 0)), |item| Ok((item.number("used")?, item.number("failed")?)))
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
        let query = self
            .client
            .query()
            .table_name(&self.table)
            .key_condition_expression("pk = :user AND sk BETWEEN :first AND :last")
            .expression_attribute_values(":user", partition(user))
            .expression_attribute_values(":first", text(Row::Analysis(first).to_string()))
            .expression_attribute_values(":last", text(Row::Analysis(last).to_string()))
            .consistent_read(true)
            .scan_index_forward(false);
        // at most 100 items under 1 KB: always one page of DynamoDB's 1 MB
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
        analyzed_at: timestamp(item.instant("analyzed_at")?),
    })
}

fn raw_json(json: &str) -> Result<Box<RawValue>, Error> {
    RawValue::from_string(json.to_owned()).map_err(|error| Error::Internal(Cause::of(&error)))
}
