//! The items of the transaction and their conditions.

use aws_sdk_dynamodb::types::TransactWriteItem;
use aws_sdk_dynamodb::types::builders::{PutBuilder, UpdateBuilder};
use serde_json::json;

use super::{Commit, NewEntry};
use crate::analysis::StoredFinding;
use crate::document_key::DocumentKey;
use crate::error::Error;
use crate::outcome::counted_in;
use crate::quota::Day;
use crate::table::accounts::IS_OPEN;
use crate::table::day::{expiry, given_on, ticket};
use crate::table::idempotency::StoredAnswer;
use crate::table::item::{bytes, instant, number, text};
use crate::table::key::{Row, key};
use crate::table::transact::{AsPart, put, update};

impl Commit<'_> {
    /// The transaction, in the order of [`super`]'s constants.
    pub(super) fn items(&self) -> Result<Vec<TransactWriteItem>, Error> {
        let (new, number) = (&self.new, self.id.number());
        let mut items = vec![self.account()?, self.counter()?, self.analysis()?, self.finding()?];
        let remaining = self.quota_after().remaining();
        for key in &new.keys {
            let answer = StoredAnswer { key: *key, fingerprint: new.fingerprint, number, remaining };
            items.push(answer.part(self.store, self.user, self.quota.now)?);
        }
        items.extend(new.file.map(|file| self.listed(Row::File(file, number)).part()).transpose()?);
        items.extend(new.document.map(|document| self.lead_of_document(document)).transpose()?);
        let reference = new.reference.as_ref().map(|reference| Row::Reference(reference.key(), number));
        items.extend(reference.map(|row| self.listed(row).part()).transpose()?);
        if new.compared_with.is_some() {
            items.push(self.put(Row::Comparison(number)).part()?);
        }
        let mut days: Vec<_> = new.uploads.iter().map(|upload| given_on(*upload)).collect();
        days.sort_unstable();
        days.dedup();
        for day in days.into_iter().filter(|day| *day != self.quota.day()) {
            items.push(self.without_tickets(update(self.store, key(self.user, Row::Day(day))), "", day).part()?);
        }
        Ok(items)
    }

    /// Removes the tickets of the staged files from the rows of the days on which they were issued; `change` is that of
    /// the current day.
    fn without_tickets(&self, row: UpdateBuilder, change: &str, day: Day) -> UpdateBuilder {
        let given = self.new.uploads.iter().filter(|upload| given_on(**upload) == day);
        let names: Vec<_> =
            (0..).zip(given).map(|(place, upload)| (format!("#ticket{place}"), ticket(*upload))).collect();
        let places: Vec<&str> = names.iter().map(|(place, _)| place.as_str()).collect();
        let removed = if places.is_empty() { String::new() } else { format!("REMOVE {}", places.join(", ")) };
        let row = row.update_expression(format!("{change} {removed}").trim());
        names.into_iter().fold(row, |row, (place, name)| row.expression_attribute_names(place, name))
    }

    /// Increments the account's number if it is as last read and the account is open.
    fn account(&self) -> Result<TransactWriteItem, Error> {
        let account = update(self.store, key(self.user, Row::Account));
        let account = match counted_in(&self.summary()) {
            None => account.update_expression("SET analyses = :next"),
            Some(count) => account
                .update_expression("SET analyses = :next ADD #count :one")
                .expression_attribute_names("#count", count)
                .expression_attribute_values(":one", number(1)),
        };
        account
            .condition_expression(format!("{IS_OPEN} AND analyses = :seen"))
            .expression_attribute_values(":next", number(self.analyses + 1))
            .expression_attribute_values(":seen", number(self.analyses))
            .part()
    }

    /// Increments the day's counter if it is as last read.
    fn counter(&self) -> Result<TransactWriteItem, Error> {
        let day = self.quota.day();
        let counter = update(self.store, key(self.user, Row::Day(day)))
            .expression_attribute_values(":stored", number(self.new.finding.checks()))
            .expression_attribute_values(":expires", number(expiry(day)));
        let counter = self.without_tickets(counter, "ADD used :stored SET expires = :expires", day);
        let counter = if self.quota.used == 0 {
            // the row may exist because of its `failed` count
            counter.condition_expression("attribute_not_exists(used)")
        } else {
            counter.condition_expression("used = :seen").expression_attribute_values(":seen", number(self.quota.used))
        };
        counter.part()
    }

    /// The analysis, if its number is free.
    fn analysis(&self) -> Result<TransactWriteItem, Error> {
        let NewEntry { file, document, .. } = &self.new;
        let analysis = self.listed(Row::Analysis(self.id.number())).condition_expression("attribute_not_exists(pk)");
        // a deletion finds the index rows through these attributes
        let analysis = file.iter().fold(analysis, |put, file| put.item("sha256", bytes(file.as_bytes())));
        let analysis = document.iter().fold(analysis, |put, key| put.item("document", bytes(key.as_bytes())));
        analysis.part()
    }

    fn finding(&self) -> Result<TransactWriteItem, Error> {
        let row = self.put(Row::Metadata(self.id.number()));
        let row = match &self.new.finding {
            StoredFinding::Analysis { metadata, seen } => seen
                .iter()
                .fold(row.item("metadata", text(metadata.get())), |row, seen| row.item("seen", text(seen.get()))),
            StoredFinding::Comparison { files, comparison } => {
                row.item("files", text(files.get())).item("comparison", text(comparison.get()))
            }
        };
        row.part()
    }

    fn lead_of_document(&self, document: DocumentKey) -> Result<TransactWriteItem, Error> {
        let lead = self
            .put(Row::Document(document, self.id.number()))
            .item("id", text(self.id.to_string()))
            .item("analyzed_at", instant(self.quota.now));
        let lead = self.new.file.iter().fold(lead, |put, file| put.item("sha256", bytes(file.as_bytes())));
        lead.part()
    }

    /// A row with the attributes that lists show.
    fn listed(&self, row: Row) -> PutBuilder {
        let NewEntry { reference, reason, filename, file_size, verdict, compared_with, .. } = &self.new;
        let put = self.put(row);
        let put = verdict.iter().fold(put, |put, verdict| put.item("verdict", text(verdict.to_string())));
        let put = compared_with.iter().fold(put, |put, with| put.item("compared_with", text(json!(with).to_string())));
        let put = reference.iter().fold(put, |put, reference| put.item("reference", text(reference.as_str())));
        let put = reason.iter().fold(put, |put, reason| {
            put.item("reason_signal", text(reason.signal.to_string())).item("reason", text(reason.phrase.as_str()))
        });
        put.item("id", text(self.id.to_string()))
            .item("filename", text(filename.as_str()))
            .item("file_size", number(*file_size))
            .item("analyzed_at", instant(self.quota.now))
    }

    fn put(&self, row: Row) -> PutBuilder {
        put(self.store, key(self.user, row))
    }
}
