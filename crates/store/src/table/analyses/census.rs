//! The counts of a list: how many entries it has, and how many are newer than one of them.

use aws_sdk_dynamodb::types::Select;

use crate::deadline::Deadline;
use crate::error::Error;
use crate::ids::UserId;
use crate::listing::EntryKind;
use crate::numbering::Numbering;
use crate::table::accounts::Account;
use crate::table::batch::found;
use crate::table::key::Row;
use crate::table::{Store, failure};

/// The counts of a list of one kind. Analyses and comparisons share one series of numbers.
pub(super) struct Census {
    pub(super) kind: EntryKind,
    /// The account's numbering; comparisons count as deleted where only analyses are listed.
    pub(super) numbering: Numbering,
    /// The numbers of comparisons, newest first, where they matter.
    pub(super) comparisons: Vec<u64>,
}

impl Census {
    pub(super) fn total(&self) -> u64 {
        if self.kind == EntryKind::Comparison { self.comparisons.len() as u64 } else { self.numbering.total() }
    }

    /// Comparisons among the `analyses` from number `newest` down, if none of these is deleted.
    pub(super) fn comparisons_among(&self, newest: u64, analyses: u64) -> u64 {
        let mut passed = 0;
        for number in self.comparisons.iter().filter(|number| **number <= newest) {
            if newest - number - passed >= analyses {
                break;
            }
            passed += 1;
        }
        passed
    }
}

impl Store {
    pub(super) async fn census(
        &self,
        user: UserId,
        account: &Account,
        kind: EntryKind,
        deadline: Deadline,
    ) -> Result<Census, Error> {
        let numbering = &account.numbering;
        let matter = account.counts.comparisons > 0 && kind != EntryKind::All;
        let comparisons = if matter { self.comparisons(user, numbering, deadline).await? } else { Vec::new() };
        let deleted = if kind == EntryKind::Analysis { comparisons.as_slice() } else { &[] };
        Ok(Census { kind, numbering: numbering.excluding(deleted), comparisons })
    }

    /// The numbers of `user`'s comparisons, newest first.
    async fn comparisons(&self, user: UserId, numbering: &Numbering, deadline: Deadline) -> Result<Vec<u64>, Error> {
        let query = self.down(user, Row::Comparison(numbering.given()), Row::Comparison(numbering.oldest()));
        let rows = found(query.projection_expression("sk"), deadline).await?;
        Ok(rows.iter().filter_map(|row| Row::compared(row.optional_text("sk")?)).collect())
    }

    /// The number of entries in a list with numbers above `number`. Only entries of one block are counted by a query.
    pub(super) async fn newer(
        &self,
        user: UserId,
        census: &Census,
        number: u64,
        deadline: Deadline,
    ) -> Result<u64, Error> {
        if census.kind == EntryKind::Comparison {
            return Ok(census.comparisons.iter().filter(|of| **of > number).count() as u64);
        }
        let newer = census.numbering.newer_than(number);
        let Some(range) = newer.uncounted else { return Ok(newer.known) };
        let query = self.down_from(user, *range.end(), *range.start()).select(Select::Count);
        let answer = deadline.limit(query.send()).await?.map_err(|error| failure(&error))?;
        let others = census.comparisons.iter().filter(|of| range.contains(of)).count() as u64;
        Ok(newer.known + u64::try_from(answer.count).unwrap_or_default().saturating_sub(others))
    }
}
