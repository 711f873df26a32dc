//! The items of the transaction and their conditions.

use aws_sdk_dynamodb::types::TransactWriteItem;
use aws_sdk_dynamodb::types::builders::PutBuilder;
use serde_json::json;

use super::{Commit, NewEntry};
use crate::document_key::DocumentKey;
use crate::error::Error;
use crate::outcome::counted_in;
use crate::quota::Day;
use crate::table::accounts::IS_OPEN;
use crate::table::day::{given_on, ticket, used_on};
use crate::table::finding::{FINDING, WRITE_UNIT, size};
use crate::table::idempotency::StoredAnswer;
use crate::table::item::{bytes, instant, number, text};
use crate::table::key::{Row, key};
use crate::table::transact::{AsPart, put, update};

impl Commit<'_> {
    /// The transaction, in the order of [`super`]'s constants.
    pub(super) fn items(&self) -> Result<Vec<TransactWriteItem>, Error> {
        let (new, number) = (&self.new, self.id.number());
        let (analysis, finding) = self.analysis();
        let mut items = vec![self.account()?, analysis.part()?];
        let remaining = self.quota_after().remaining();
        for key in &new.keys {
            let answer = StoredAnswer { key: *key, fingerprint: new.fingerprint, number, remaining };
            items.push(answer.part(self.store, self.user, self.quota.now)?);
        }
        items.extend(finding.map(AsPart::part).transpose()?);
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
        for day in days {
            items.push(self.without_tickets(day)?);
        }
        Ok(items)
    }

    /// Removes the tickets of the staged files from the row of the day on which they were issued.
    fn without_tickets(&self, day: Day) -> Result<TransactWriteItem, Error> {
        let given = self.new.uploads.iter().filter(|upload| given_on(**upload) == day);
        let names: Vec<_> =
            (0..).zip(given).map(|(place, upload)| (format!("#ticket{place}"), ticket(*upload))).collect();
        let places: Vec<&str> = names.iter().map(|(place, _)| place.as_str()).collect();
        let row = update(self.store, key(self.user, Row::Day(day)));
        let row = row.update_expression(format!("REMOVE {}", places.join(", ")));
        names.into_iter().fold(row, |row, (place, name)| row.expression_attribute_names(place, name)).part()
    }

    /// Increments the account's number and the day's count if both are as last read and the account is open.
    fn account(&self) -> Result<TransactWriteItem, Error> {
        let used = self.quota.used;
        let account = update(self.store, key(self.user, Row::Account))
            .expression_attribute_names("#used", used_on(self.quota.day()))
            .expression_attribute_values(":used", number(self.quota_after().used))
            .expression_attribute_values(":next", number(self.analyses + 1))
            .expression_attribute_values(":seen", number(self.analyses));
        let (account, as_read) = if used == 0 {
            (account, "attribute_not_exists(#used)")
        } else {
            (account.expression_attribute_values(":seen_used", number(used)), "#used = :seen_used")
        };
        let mut change = "SET analyses = :next, #used = :used".to_owned();
        let account = match counted_in(&self.summary()) {
            None => account,
            Some(count) => {
                change += " ADD #count :one";
                account.expression_attribute_names("#count", count).expression_attribute_values(":one", number(1))
            }
        };
        let removed = (0..).zip(&self.outdated).map(|(place, day)| (format!("#outdated{place}"), used_on(*day)));
        let account = removed.fold(account, |account, (place, name)| {
            change += if place == "#outdated0" { " REMOVE " } else { ", " };
            change += &place;
            account.expression_attribute_names(place, name)
        });
        account
            .update_expression(change)
            .condition_expression(format!("{IS_OPEN} AND analyses = :seen AND {as_read}"))
            .part()
    }

    /// The analysis, if its number is free, and its finding's own row if both together take more than a write unit.
    fn analysis(&self) -> (PutBuilder, Option<PutBuilder>) {
        let NewEntry { file, document, .. } = &self.new;
        let analysis = self.listed(Row::Analysis(self.id.number())).condition_expression("attribute_not_exists(pk)");
        // a deletion finds the index rows through these attributes
        let analysis = file.iter().fold(analysis, |put, file| put.item("sha256", bytes(file.as_bytes())));
        let analysis = document.iter().fold(analysis, |put, key| put.item("document", bytes(key.as_bytes())));
        let together = analysis.clone().item(FINDING, self.finding.clone());
        if together.get_item().as_ref().is_some_and(|row| size(row) <= WRITE_UNIT) {
            return (together, None);
        }
        let finding = self.put(Row::Metadata(self.id.number())).item(FINDING, self.finding.clone());
        (analysis, Some(finding))
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
