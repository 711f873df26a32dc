//! Stored entries, analyses and comparisons: one, or a part of the list.

mod census;
mod page;
mod query;
mod row;
mod walk;

use super::Rows;
use super::item::Item;
use super::key::Row;
use crate::analysis::Entry;
use crate::error::Error;
use crate::ids::AnalysisId;
use crate::listing::{ListWalk, not_yours};
use crate::numbering::Numbering;
pub use page::ListedPage;
pub(super) use row::{LISTED_ATTRIBUTES, summary};
pub use walk::WalkedPart;

impl Rows {
    /// The entry, if its row and its finding's row were read, exist and have exactly this id.
    ///
    /// # Errors
    /// [`Error::Internal`] if a stored item is malformed.
    pub fn entry(&self, id: AnalysisId) -> Result<Option<Entry>, Error> {
        let entry = self.entry_numbered(id.number())?;
        Ok(entry.filter(|entry| entry.id() == id))
    }

    /// The entry with this number, regardless of its id.
    pub(super) fn entry_numbered(&self, number: u64) -> Result<Option<Entry>, Error> {
        let Some(row) = self.get(Row::Analysis(number)) else { return Ok(None) };
        let finding = match row.finding()? {
            None => self.get(Row::Metadata(number)).map(Item::finding).transpose()?.flatten(),
            inside => inside,
        };
        finding.map(|finding| Ok(summary(row)?.with(finding))).transpose()
    }

    /// Whether an analysis with exactly this id exists, if its row was read.
    ///
    /// # Errors
    /// [`Error::Internal`] if the stored item is malformed.
    pub fn has_analysis(&self, id: AnalysisId) -> Result<bool, Error> {
        self.get(Row::Analysis(id.number())).map_or(Ok(false), |row| Ok(summary(row)?.id == id))
    }

    /// Checks that a walk starts within a list with this numbering, if the row of [`ListWalk::before`] was read: at one
    /// of its analyses or at the number of a deleted one.
    ///
    /// # Errors
    /// [`Error::Invalid`] if it does not; [`Error::Internal`] if a stored item is malformed.
    pub fn check_start(&self, walk: &ListWalk, numbering: &Numbering) -> Result<(), Error> {
        let Some(id) = walk.before() else { return Ok(()) };
        let is_within = match self.get(Row::Analysis(id.number())) {
            Some(row) => summary(row)?.id == id,
            None => (1..=numbering.given()).contains(&id.number()),
        };
        if is_within { Ok(()) } else { Err(not_yours()) }
    }
}
