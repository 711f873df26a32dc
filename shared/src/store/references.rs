//! The change of an entry's reference: in its own row, in the row that leads there from its file, and in the one that leads there
//! from the reference, together or not at all.

use aws_sdk_dynamodb::types::TransactWriteItem;
use aws_sdk_dynamodb::types::builders::UpdateBuilder;

use super::accounts::{Account, OPEN};
use super::analyses::{LISTED, summary};
use super::item::{Item, text};
use super::key::{Row, key};
use super::seen::Leads;
use super::transact::{AsPart, Reasons, check, delete, put, update};
use super::work::{Learnt, Work};
use super::{Rows, Store};
use crate::deadline::Deadline;
use crate::error::Error;
use crate::ids::{AnalysisId, UserId};
use crate::reference::Reference;

/// Where the transaction's parts are, and so their cancellation reasons.
const ENTRY: usize = 0;
const ACCOUNT: usize = 1;

/// An entry whose reference is to change, as its row says.
#[derive(Clone, Debug)]
pub struct EntryToRefer {
    id: AnalysisId,
    row: Item,
}

impl Rows {
    /// The entry with this id, if its row was read and is there.
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

/// A change: of whose entry, and what it believes the table to hold.
struct ReferenceChange {
    user: UserId,
    entry: EntryToRefer,
    /// The reference that it gets; none if it is to have none.
    new: Option<Reference>,
}

impl Store {
    /// Gives an entry another reference, or none. What is known of it is what authentication read: without others at work
    /// nothing is read again, and nothing is written if it has that reference.
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
        self.carry_out(Some(user), ReferenceChange { user, entry, new }, deadline).await
    }
}

impl ReferenceChange {
    /// The transaction, in the order of the constants.
    fn items(&self, store: &Store) -> Result<Vec<TransactWriteItem>, Error> {
        let (number, leads) = (self.entry.id.number(), Leads::read(&self.entry.row)?);
        let entry = self.referring(update(store, key(self.user, Row::Analysis(number))));
        let entry = match self.entry.row.optional_text("reference") {
            Some(seen) => entry
                .condition_expression("id = :id AND #reference = :seen")
                .expression_attribute_values(":seen", text(seen)),
            None => entry.condition_expression("id = :id AND attribute_not_exists(#reference)"),
        };
        let account = check(store, key(self.user, Row::Account)).condition_expression(OPEN);
        let mut items = vec![entry.part()?, account.part()?];
        if let Some(file) = leads.file() {
            let lead = self.referring(update(store, key(self.user, Row::File(file, number))));
            items.push(lead.condition_expression("id = :id").part()?);
        }
        let [old, new] = [self.entry.reference(), self.new.clone()].map(|reference| reference.map(|it| it.key()));
        if let Some(old) = old.filter(|old| new != Some(*old)) {
            items.push(delete(store, key(self.user, Row::Reference(old, number))).part()?);
        }
        if let (Some(new), Some(reference)) = (new, &self.new) {
            let lead = put(store, key(self.user, Row::Reference(new, number)));
            let lead = self.entry.row.some(&LISTED).fold(lead, |lead, (name, value)| lead.item(name, value));
            items.push(lead.item("reference", text(reference.as_str())).part()?);
        }
        Ok(items)
    }

    /// A change of one of its rows, whose condition asks for `:id`.
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

impl Work for ReferenceChange {
    type End = ();

    fn attempt(&self, store: &Store) -> Result<(Vec<TransactWriteItem>, ()), Error> {
        Ok((self.items(store)?, ()))
    }

    fn learn(&mut self, reasons: &Reasons, _: bool) -> Result<Learnt<()>, Error> {
        if reasons.refused(ACCOUNT) {
            Account::open(reasons.found(ACCOUNT).as_ref().map(Account::read).transpose()?)?;
        }
        if reasons.refused(ENTRY) {
            let there = reasons.found(ENTRY).filter(|item| summary(item).is_ok_and(|row| row.id == self.entry.id));
            self.entry.row = there.ok_or(Error::NotFound)?;
            if self.entry.reference() == self.new {
                // an earlier try has left it so, or somebody else
                return Ok(Learnt::End(()));
            }
        }
        Ok(if reasons.refused(ENTRY) || reasons.refused(ACCOUNT) { Learnt::News } else { Learnt::Nothing })
    }
}
