//! Changes an entry's reference in its own row and in its index rows by file and by reference, in one transaction.

use aws_sdk_dynamodb::types::TransactWriteItem;
use aws_sdk_dynamodb::types::builders::UpdateBuilder;

use super::accounts::{Account, IS_OPEN};
use super::analyses::{LISTED_ATTRIBUTES, summary};
use super::item::{Item, text};
use super::key::{Row, key};
use super::related_analyses::IndexRows;
use super::retry::{RefusalOutcome, RetriedTransaction};
use super::transact::{AsPart, Reasons, check, delete, put, update};
use super::{Rows, Store};
use crate::deadline::Deadline;
use crate::error::Error;
use crate::ids::{AnalysisId, UserId};
use crate::reference::Reference;

/// Positions of the transaction's items, and so of their cancellation reasons.
const ENTRY: usize = 0;
const ACCOUNT: usize = 1;

/// An entry whose reference will be changed, as stored.
#[derive(Clone, Debug)]
pub struct EntryToRefer {
    id: AnalysisId,
    row: Item,
}

impl Rows {
    /// The entry with this id, if its row was read and exists.
    ///
    /// # Errors
    /// [`Error::NotFound`] if it is not; [`Error::Internal`] if the stored item is malformed.
    pub fn to_refer(&self, id: AnalysisId) -> Result<EntryToRefer, Error> {
        let row = self.get(Row::Analysis(id.number())).ok_or(Error::NotFound)?;
        if summary(row)?.id == id { Ok(EntryToRefer { id, row: row.clone() }) } else { Err(Error::NotFound) }
    }
}

impl EntryToRefer {
    fn reference(&self) -> Option<Reference> {
        self.row.optional_text("reference").and_then(Reference::stored)
    }
}

/// The change of an entry's reference, from the last known state of its row.
struct ReferenceChange {
    user: UserId,
    entry: EntryToRefer,
    /// The new reference; `None` removes it.
    new: Option<Reference>,
}

impl Store {
    /// Sets or removes an entry's reference. The entry is as authentication read it: without contention nothing is read
    /// again, and nothing is written if the reference is the same.
    ///
    /// # Errors
    /// [`Error::NotFound`] if the entry is not there any more; [`Error::Unauthenticated`] if the account was closed
    /// meanwhile; [`Error::Unavailable`].
    pub async fn refer(
        &self,
        user: UserId,
        entry: EntryToRefer,
        new: Option<Reference>,
        deadline: Deadline,
    ) -> Result<(), Error> {
        if entry.reference() == new {
            return Ok(());
        }
        self.run_transaction(Some(user), ReferenceChange { user, entry, new }, deadline).await
    }
}

impl ReferenceChange {
    /// The transaction, in the order of the constants.
    fn items(&self, store: &Store) -> Result<Vec<TransactWriteItem>, Error> {
        let (number, index_rows) = (self.entry.id.number(), IndexRows::read(&self.entry.row)?);
        let entry = self.referring(update(store, key(self.user, Row::Analysis(number))));
        let entry = match self.entry.row.optional_text("reference") {
            Some(seen) => entry
                .condition_expression("id = :id AND #reference = :seen")
                .expression_attribute_values(":seen", text(seen)),
            None => entry.condition_expression("id = :id AND attribute_not_exists(#reference)"),
        };
        let account = check(store, key(self.user, Row::Account)).condition_expression(IS_OPEN);
        let mut items = vec![entry.part()?, account.part()?];
        if let Some(file) = index_rows.file() {
            let row = self.referring(update(store, key(self.user, Row::File(file, number))));
            items.push(row.condition_expression("id = :id").part()?);
        }
        let [old, new] = [self.entry.reference(), self.new.clone()].map(|reference| reference.map(|it| it.key()));
        if let Some(old) = old.filter(|old| new != Some(*old)) {
            items.push(delete(store, key(self.user, Row::Reference(old, number))).part()?);
        }
        if let (Some(new), Some(reference)) = (new, &self.new) {
            let row = put(store, key(self.user, Row::Reference(new, number)));
            let row = self.entry.row.some(&LISTED_ATTRIBUTES).fold(row, |row, (name, value)| row.item(name, value));
            items.push(row.item("reference", text(reference.as_str())).part()?);
        }
        Ok(items)
    }

    /// The update of one of its rows, with `:id` for its condition.
    fn referring(&self, row: UpdateBuilder) -> UpdateBuilder {
        let row = row
            // a reserved word
            .expression_attribute_names("#reference", "reference")
            .expression_attribute_values(":id", text(self.entry.id.to_string()));
        match &self.new {
            Some(new) => row
                .update_expression("SET #reference = :reference")
                .expression_attribute_values(":reference", text(new.as_str())),
            None => row.update_expression("REMOVE #reference"),
        }
    }
}

impl RetriedTransaction for ReferenceChange {
    type End = ();

    fn attempt(&self, store: &Store) -> Result<(Vec<TransactWriteItem>, ()), Error> {
        Ok((self.items(store)?, ()))
    }

    fn apply_refusal(&mut self, reasons: &Reasons, _: bool) -> Result<RefusalOutcome<()>, Error> {
        if reasons.refused(ACCOUNT) {
            Account::open(reasons.found(ACCOUNT).as_ref().map(Account::read).transpose()?)?;
        }
        if reasons.refused(ENTRY) {
            let there = reasons.found(ENTRY).filter(|item| summary(item).is_ok_and(|row| row.id == self.entry.id));
            self.entry.row = there.ok_or(Error::NotFound)?;
            if self.entry.reference() == self.new {
                // set by an earlier attempt or by another request
                return Ok(RefusalOutcome::End(()));
            }
        }
        Ok(if reasons.refused(ENTRY) || reasons.refused(ACCOUNT) {
            RefusalOutcome::Changed
        } else {
            RefusalOutcome::Nothing
        })
    }
}
