//! The parts of the transaction: what each changes, and on what condition.

use aws_sdk_dynamodb::types::TransactWriteItem;
use aws_sdk_dynamodb::types::builders::PutBuilder;

use super::{Commit, Member, NewAnalysis};
use crate::attention::Attention;
use crate::document_key::DocumentKey;
use crate::error::Error;
use crate::file_hash::FileHash;
use crate::store::accounts::OPEN;
use crate::store::day::{expiry, given_on, ticket};
use crate::store::idempotency::StoredAnswer;
use crate::store::item::{bytes, instant, number, text};
use crate::store::key::{Row, key};
use crate::store::transact::{AsPart, put, update};

impl Commit<'_> {
    /// The transaction, in the order of [`super`]'s constants; what is taken along comes last.
    pub(super) fn items(&self) -> Result<Vec<TransactWriteItem>, Error> {
        let mut items = vec![self.account()?, self.counter()?];
        for (member, used) in self.members.iter().zip(self.quota.used + 1..) {
            let (new, number) = (&member.new, member.id.number());
            items.extend([self.analysis(member)?, self.metadata(member)?]);
            let remaining = self.quota.limit.saturating_sub(used);
            for key in &new.keys {
                let answer = StoredAnswer { key: *key, fingerprint: new.fingerprint, number, remaining };
                items.push(answer.part(self.store, self.user, member.quota.now)?);
            }
            items.extend(new.file.map(|file| self.lead_of_file(member, file)).transpose()?);
            items.extend(new.document.map(|document| self.lead_of_document(member, document)).transpose()?);
            let reference = new.reference.as_ref().map(|reference| Row::Reference(reference.key(), number));
            items.extend(reference.map(|row| listed(self.put(row), member).part()).transpose()?);
        }
        items.extend(self.earlier_ticket()?);
        Ok(items)
    }

    /// The ticket of a staged file is in the row of the day that it was given on, from where it goes as well.
    fn earlier_ticket(&self) -> Result<Option<TransactWriteItem>, Error> {
        let given = self.members.own.new.upload.map(|upload| (upload, given_on(upload)));
        let Some((upload, day)) = given.filter(|(_, day)| *day != self.quota.day()) else { return Ok(None) };
        let row = update(self.store, key(self.user, Row::Day(day)))
            .update_expression("REMOVE #ticket")
            .expression_attribute_names("#ticket", ticket(upload));
        Ok(Some(row.part()?))
    }

    /// The account's analyses go up, if they are as last seen and the account is open.
    fn account(&self) -> Result<TransactWriteItem, Error> {
        let counts = Attention::ALL.map(|attention| {
            let is_in = |member: &&Member| Attention::of(member.new.verdict) == attention;
            (attention.attribute(), self.members.iter().filter(is_in).count())
        });
        let counted: Vec<_> = counts.iter().filter(|(_, count)| *count > 0).collect();
        let added: Vec<String> = counted.iter().map(|(name, _)| format!("{name} :{name}")).collect();
        counted
            .into_iter()
            .fold(update(self.store, key(self.user, Row::Account)), |account, (name, count)| {
                account.expression_attribute_values(format!(":{name}"), number(*count))
            })
            .update_expression(format!("SET analyses = :next ADD {}", added.join(", ")))
            .condition_expression(format!("{OPEN} AND analyses = :seen"))
            .expression_attribute_values(":next", number(self.analyses + self.members.count()))
            .expression_attribute_values(":seen", number(self.analyses))
            .part()
    }

    /// The day's counter goes up, if it is as last seen.
    fn counter(&self) -> Result<TransactWriteItem, Error> {
        let day = self.quota.day();
        let counter = update(self.store, key(self.user, Row::Day(day)))
            .expression_attribute_values(":stored", number(self.members.count()))
            .expression_attribute_values(":expires", number(expiry(day)));
        let counter = match self.members.own.new.upload {
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
    fn analysis(&self, member: &Member) -> Result<TransactWriteItem, Error> {
        let analysis = listed(self.put(Row::Analysis(member.id.number())), member)
            .condition_expression("attribute_not_exists(pk)");
        // whoever deletes it has to know what leads here
        let (file, document) = (member.new.file, member.new.document);
        let analysis = file.iter().fold(analysis, |put, file| put.item("sha256", bytes(file.as_bytes())));
        let analysis = document.iter().fold(analysis, |put, key| put.item("document", bytes(key.as_bytes())));
        analysis.part()
    }

    fn metadata(&self, member: &Member) -> Result<TransactWriteItem, Error> {
        self.put(Row::Metadata(member.id.number()))
            .item("metadata", text(member.new.metadata.get()))
            .item("seen", text(member.new.seen.get()))
            .part()
    }

    /// The analysis as a row of the list of its file.
    fn lead_of_file(&self, member: &Member, file: FileHash) -> Result<TransactWriteItem, Error> {
        let lead = listed(self.put(Row::File(file, member.id.number())), member);
        lead.part()
    }

    fn lead_of_document(&self, member: &Member, document: DocumentKey) -> Result<TransactWriteItem, Error> {
        let lead = self
            .put(Row::Document(document, member.id.number()))
            .item("id", text(member.id.to_string()))
            .item("analyzed_at", instant(member.quota.now));
        let lead = member.new.file.iter().fold(lead, |put, file| put.item("sha256", bytes(file.as_bytes())));
        lead.part()
    }

    fn put(&self, row: Row) -> PutBuilder {
        put(self.store, key(self.user, row))
    }
}

/// With all that lists show of an analysis.
fn listed(put: PutBuilder, member: &Member) -> PutBuilder {
    let NewAnalysis { reference, reason, .. } = &*member.new;
    let put = reference.iter().fold(put, |put, reference| put.item("reference", text(reference.as_str())));
    let put = reason.iter().fold(put, |put, reason| {
        put.item("reason_signal", text(reason.signal.to_string())).item("reason", text(reason.phrase.as_str()))
    });
    put.item("id", text(member.id.to_string()))
        .item("filename", text(member.new.filename.as_str()))
        .item("file_size", number(member.new.file_size))
        .item("verdict", text(member.new.verdict.to_string()))
        .item("analyzed_at", instant(member.quota.now))
}
