//! The parts of the transaction: what each changes, and on what condition.

use aws_sdk_dynamodb::types::TransactWriteItem;
use aws_sdk_dynamodb::types::builders::PutBuilder;

use super::{Commit, NewAnalysis};
use crate::attention::Attention;
use crate::document_key::DocumentKey;
use crate::error::Error;
use crate::store::accounts::OPEN;
use crate::store::day::{expiry, given_on, ticket};
use crate::store::idempotency::StoredAnswer;
use crate::store::item::{bytes, instant, number, text};
use crate::store::key::{Row, key};
use crate::store::transact::{AsPart, put, update};

impl Commit<'_> {
    /// The transaction, in the order of [`super`]'s constants.
    pub(super) fn items(&self) -> Result<Vec<TransactWriteItem>, Error> {
        let (new, number) = (&self.new, self.id.number());
        let mut items = vec![self.account()?, self.counter()?, self.analysis()?, self.metadata()?];
        let remaining = self.quota.remaining().saturating_sub(1);
        for key in &new.keys {
            let answer = StoredAnswer { key: *key, fingerprint: new.fingerprint, number, remaining };
            items.push(answer.part(self.store, self.user, self.quota.now)?);
        }
        items.extend(new.file.map(|file| self.listed(Row::File(file, number)).part()).transpose()?);
        items.extend(new.document.map(|document| self.lead_of_document(document)).transpose()?);
        let reference = new.reference.as_ref().map(|reference| Row::Reference(reference.key(), number));
        items.extend(reference.map(|row| self.listed(row).part()).transpose()?);
        items.extend(self.earlier_ticket()?);
        Ok(items)
    }

    /// The ticket of a staged file is in the row of the day that it was given on, from where it goes as well.
    fn earlier_ticket(&self) -> Result<Option<TransactWriteItem>, Error> {
        let given = self.new.upload.map(|upload| (upload, given_on(upload)));
        let Some((upload, day)) = given.filter(|(_, day)| *day != self.quota.day()) else { return Ok(None) };
        let row = update(self.store, key(self.user, Row::Day(day)))
            .update_expression("REMOVE #ticket")
            .expression_attribute_names("#ticket", ticket(upload));
        Ok(Some(row.part()?))
    }

    /// The account's analyses go up, if they are as last seen and the account is open.
    fn account(&self) -> Result<TransactWriteItem, Error> {
        update(self.store, key(self.user, Row::Account))
            .update_expression("SET analyses = :next ADD #attention :one")
            .expression_attribute_names("#attention", Attention::of(self.new.verdict).attribute())
            .expression_attribute_values(":one", number(1))
            .condition_expression(format!("{OPEN} AND analyses = :seen"))
            .expression_attribute_values(":next", number(self.analyses + 1))
            .expression_attribute_values(":seen", number(self.analyses))
            .part()
    }

    /// The day's counter goes up, if it is as last seen.
    fn counter(&self) -> Result<TransactWriteItem, Error> {
        let day = self.quota.day();
        let counter = update(self.store, key(self.user, Row::Day(day)))
            .expression_attribute_values(":stored", number(1))
            .expression_attribute_values(":expires", number(expiry(day)));
        let counter = match self.new.upload {
            None => counter.update_expression("ADD used :stored SET expires = :expires"),
            Some(upload) => counter
                .update_expression("ADD used :stored SET expires = :expires REMOVE #ticket")
                .expression_attribute_names("#ticket", ticket(upload)),
        };
        let counter = if self.quota.used == 0 {
            // the item may be there for its `failed`
            counter.condition_expression("attribute_not_exists(used)")
        } else {
            counter.condition_expression("used = :seen").expression_attribute_values(":seen", number(self.quota.used))
        };
        counter.part()
    }

    /// The analysis, if its number is free.
    fn analysis(&self) -> Result<TransactWriteItem, Error> {
        let NewAnalysis { file, document, .. } = &self.new;
        let analysis = self.listed(Row::Analysis(self.id.number())).condition_expression("attribute_not_exists(pk)");
        // whoever deletes it has to know what leads here
        let analysis = file.iter().fold(analysis, |put, file| put.item("sha256", bytes(file.as_bytes())));
        let analysis = document.iter().fold(analysis, |put, key| put.item("document", bytes(key.as_bytes())));
        analysis.part()
    }

    fn metadata(&self) -> Result<TransactWriteItem, Error> {
        self.put(Row::Metadata(self.id.number()))
            .item("metadata", text(self.new.metadata.get()))
            .item("seen", text(self.new.seen.get()))
            .part()
    }

    fn lead_of_document(&self, document: DocumentKey) -> Result<TransactWriteItem, Error> {
        let lead = self
            .put(Row::Document(document, self.id.number()))
            .item("id", text(self.id.to_string()))
            .item("analyzed_at", instant(self.quota.now));
        let lead = self.new.file.iter().fold(lead, |put, file| put.item("sha256", bytes(file.as_bytes())));
        lead.part()
    }

    /// A row with all that lists show of the analysis.
    fn listed(&self, row: Row) -> PutBuilder {
        let NewAnalysis { reference, reason, filename, file_size, verdict, .. } = &self.new;
        let put = self.put(row);
        let put = reference.iter().fold(put, |put, reference| put.item("reference", text(reference.as_str())));
        let put = reason.iter().fold(put, |put, reason| {
            put.item("reason_signal", text(reason.signal.to_string())).item("reason", text(reason.phrase.as_str()))
        });
        put.item("id", text(self.id.to_string()))
            .item("filename", text(filename.as_str()))
            .item("file_size", number(*file_size))
            .item("verdict", text(verdict.to_string()))
            .item("analyzed_at", instant(self.quota.now))
    }

    fn put(&self, row: Row) -> PutBuilder {
        put(self.store, key(self.user, row))
    }
}
