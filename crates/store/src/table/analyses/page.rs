//! A page of the list.

use super::census::Census;
use super::query::{limit, summaries};
use super::row::summary;
use crate::analysis::Summary;
use crate::deadline::Deadline;
use crate::error::Error;
use crate::ids::UserId;
use crate::listing::{EntryKind, ListPage};
use crate::page::PageRequest;
use crate::table::Store;
use crate::table::accounts::Account;
use crate::table::key::Row;

/// A page of the list.
#[derive(Clone, Debug, Default)]
pub struct ListedPage {
    /// Its entries, newest first.
    pub entries: Vec<Summary>,
    /// Entries of this kind in the complete list.
    pub total: u64,
}

impl Store {
    /// A page of `user`'s list, newest first. One Query of fewer than 256 + `per_page` small rows: page 500 costs what
    /// page 1 costs. If the account has comparisons, another Query reads their numbers, and the first one reads those
    /// on the page too.
    ///
    /// # Errors
    /// [`Error::Unavailable`] when the table does not answer.
    pub async fn page(
        &self,
        user: UserId,
        account: &Account,
        asked: ListPage,
        deadline: Deadline,
    ) -> Result<ListedPage, Error> {
        let census = self.census(user, account, asked.kind(), deadline).await?;
        let entries = if asked.kind() == EntryKind::Comparison {
            self.comparisons_on(user, &census, asked.page(), deadline).await?
        } else {
            self.entries_on(user, &census, asked.page(), deadline).await?
        };
        Ok(ListedPage { entries, total: census.total() })
    }

    async fn entries_on(
        &self,
        user: UserId,
        census: &Census,
        page: PageRequest,
        deadline: Deadline,
    ) -> Result<Vec<Summary>, Error> {
        let numbering = &census.numbering;
        let Some(start) = numbering.start(page.skipped()) else { return Ok(Vec::new()) };
        let left = numbering.total().saturating_sub(page.skipped());
        let wanted = start.skipped + page.per_page().min(left);
        let (mut found, mut newest) = (Vec::new(), start.newest);
        while let Some(missing) = wanted.checked_sub(found.len() as u64).filter(|missing| *missing > 0) {
            let most = missing + census.comparisons_among(newest, missing);
            let rows = self.down_from(user, newest, numbering.oldest()).limit(limit(most));
            let rows = summaries(rows, deadline).await?;
            let last = rows.last().map(|row| row.id.number());
            found.extend(rows.into_iter().filter(|row| census.kind.takes(row.compared_with.is_some())));
            // none are found if they are being deleted concurrently
            let Some(last) = last.filter(|last| *last > numbering.oldest()) else { break };
            newest = last - 1;
        }
        let skipped = usize::try_from(start.skipped).unwrap_or_default();
        let per_page = usize::try_from(page.per_page()).unwrap_or_default();
        Ok(found.into_iter().skip(skipped).take(per_page).collect())
    }

    async fn comparisons_on(
        &self,
        user: UserId,
        census: &Census,
        page: PageRequest,
        deadline: Deadline,
    ) -> Result<Vec<Summary>, Error> {
        let [skipped, most] = [page.skipped(), page.per_page()].map(|rows| usize::try_from(rows).unwrap_or(usize::MAX));
        let rows: Vec<Row> = census.comparisons.iter().skip(skipped).take(most).copied().map(Row::Analysis).collect();
        if rows.is_empty() {
            return Ok(Vec::new());
        }
        let found = self.read(user, &rows, deadline).await?;
        rows.iter().filter_map(|row| found.get(*row)).map(summary).collect()
    }
}
