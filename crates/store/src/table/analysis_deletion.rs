//! Deletes an analysis: its rows and its link are removed and its number is counted as deleted, in one transaction.

use aws_sdk_dynamodb::types::TransactWriteItem;
use aws_sdk_dynamodb::types::builders::UpdateBuilder;

use super::accounts::{Account, DELETED_COUNTS, FIRST_BLOCK, IS_OPEN, SHARES, unchanged};
use super::analyses::summary;
use super::finding::FINDING;
use super::item::{bytes, number, numbered, text};
use super::key::{Row, key};
use super::related_analyses::IndexRows;
use super::retry::{RefusalOutcome, RetriedTransaction};
use super::shares::{Share, with_link};
use super::transact::{AsPart, Reasons, delete, update};
use super::{Rows, Store};
use crate::deadline::Deadline;
use crate::error::{Error, FieldErrors};
use crate::ids::{AnalysisId, UserId};
use crate::numbering::{BLOCK, MAX_BLOCKS_WITH_DELETIONS, Numbering, TOO_SCATTERED, block_of};
use crate::outcome::counted_in;

/// Positions of the transaction's items, and so of their cancellation reasons.
const ANALYSIS: usize = 0;
const ACCOUNT: usize = 1;

/// An analysis to delete, with the items deleted together with it, as stored.
#[derive(Clone, Debug)]
pub struct AnalysisToDelete {
    id: AnalysisId,
    share: Option<Share>,
    index_rows: IndexRows,
    counted_in: Option<&'static str>,
    /// Whether its finding is in a separate row.
    has_finding_row: bool,
}

impl Rows {
    /// The analysis with this id, if its row was read and exists.
    ///
    /// # Errors
    /// [`Error::Internal`] if the stored item is malformed.
    pub fn to_delete(&self, id: AnalysisId) -> Result<AnalysisToDelete, Error> {
        let row = self.get(Row::Analysis(id.number()));
        let counted_in = row.map(summary).transpose()?.as_ref().and_then(counted_in);
        let has_finding_row = row.is_none_or(|row| !row.has(FINDING));
        let (share, index_rows) = (self.stored_share(id)?, self.index_rows(id)?);
        Ok(AnalysisToDelete { id, share, index_rows, counted_in, has_finding_row })
    }
}

/// The deletion of an analysis, from the last known state of the table.
struct Removal {
    user: UserId,
    analysis: AnalysisToDelete,
    seen: Numbering,
}

impl Store {
    /// Deletes an analysis with its index rows and counts its number as deleted. The analysis and the numbering `seen`
    /// are as authentication read them: without contention nothing is read again. Returns the numbering after the
    /// deletion.
    ///
    /// # Errors
    /// [`Error::NotFound`] if it does not exist; [`Error::Invalid`] if deleted numbers are spread over too many blocks;
    /// [`Error::Unauthenticated`] if the account was closed meanwhile; [`Error::Unavailable`].
    pub async fn delete_analysis(
        &self,
        user: UserId,
        analysis: AnalysisToDelete,
        seen: &Numbering,
        deadline: Deadline,
    ) -> Result<Numbering, Error> {
        self.run_transaction(Some(user), Removal { user, analysis, seen: seen.clone() }, deadline).await
    }

    /// The transaction, in the order of the constants.
    fn removal(&self, removal: &Removal, after: &Numbering) -> Result<Vec<TransactWriteItem>, Error> {
        let Removal { user, analysis, seen } = removal;
        let AnalysisToDelete { id, share, index_rows, counted_in, has_finding_row } = analysis;
        let its_number = id.number();
        let analysis = delete(self, key(*user, Row::Analysis(its_number)))
            .condition_expression(format!("{} AND {}", with_link(share.as_ref()), with_reference(index_rows)))
            // a reserved word
            .expression_attribute_names("#reference", "reference")
            .expression_attribute_values(":id", text(id.to_string()));
        let reference = index_rows.reference().into_iter();
        let analysis = reference
            .fold(analysis, |delete, seen| delete.expression_attribute_values(":reference", text(seen.as_str())));
        let analysis = match share {
            Some(share) => analysis.expression_attribute_values(":seen", bytes(share.hash.as_bytes())),
            None => analysis,
        };
        let account = update(self, key(*user, Row::Account));
        let mut change = Clauses::default();
        let mut account = count_deletion(account, &mut change, its_number, [seen, after]);
        if let Some(count) = counted_in {
            change.adds.push(format!("{count} :less"));
            account = account.expression_attribute_values(":less", number(-1));
        }
        if share.is_some() {
            change.removes.push(format!("{SHARES}.#number"));
            account = account.expression_attribute_names("#number", its_number.to_string());
        }
        let mut items = vec![analysis.part()?, change.of(account).part()?];
        if *has_finding_row {
            items.push(delete(self, key(*user, Row::Metadata(its_number))).part()?);
        }
        if let Some(share) = share {
            items.push(self.lead_away(share)?);
        }
        for deletion in self.index_deletions(*user, its_number, index_rows) {
            items.push(deletion?);
        }
        Ok(items)
    }
}

/// The condition that the analysis' reference, or its absence, is unchanged since it was read.
fn with_reference(index_rows: &IndexRows) -> &'static str {
    match index_rows.reference() {
        Some(_) => "#reference = :reference",
        None => "attribute_not_exists(#reference)",
    }
}

impl Removal {
    /// The numbering after the deletion.
    fn after(&self) -> Result<Numbering, Error> {
        let after = self.seen.after_delete(self.analysis.id.number());
        after.ok_or_else(|| Error::Invalid(FieldErrors::one("id", TOO_SCATTERED)))
    }
}

impl RetriedTransaction for Removal {
    type End = Numbering;

    fn attempt(&self, store: &Store) -> Result<(Vec<TransactWriteItem>, Numbering), Error> {
        let after = self.after()?;
        Ok((store.removal(self, &after)?, after))
    }

    fn apply_refusal(&mut self, reasons: &Reasons, answer_lost: bool) -> Result<RefusalOutcome<Numbering>, Error> {
        if reasons.refused(ANALYSIS) {
            let found =
                reasons.found(ANALYSIS).filter(|item| summary(item).is_ok_and(|row| row.id == self.analysis.id));
            let Some(found) = found else {
                // most likely deleted by an earlier attempt
                return if answer_lost { Ok(RefusalOutcome::End(self.after()?)) } else { Err(Error::NotFound) };
            };
            self.analysis.share = Share::read(&found)?;
            self.analysis.index_rows = IndexRows::read(&found)?;
        }
        if reasons.refused(ACCOUNT) {
            self.seen = Account::open(reasons.found(ACCOUNT).as_ref().map(Account::read).transpose()?)?.numbering;
        }
        Ok(if reasons.refused(ANALYSIS) || reasons.refused(ACCOUNT) {
            RefusalOutcome::Changed
        } else {
            RefusalOutcome::Nothing
        })
    }
}

/// The changes of the account and their conditions.
#[derive(Default)]
struct Clauses {
    sets: Vec<String>,
    removes: Vec<String>,
    adds: Vec<String>,
    conditions: Vec<String>,
}

impl Clauses {
    fn of(self, account: UpdateBuilder) -> UpdateBuilder {
        let clause = |verb: &str, parts: Vec<String>| {
            if parts.is_empty() { String::new() } else { format!("{verb} {} ", parts.join(", ")) }
        };
        let changes = clause("SET", self.sets) + &clause("REMOVE", self.removes) + &clause("ADD", self.adds);
        account.update_expression(changes.trim_end()).condition_expression(self.conditions.join(" AND "))
    }
}

/// Counts the number as deleted, if the account is open.
fn count_deletion(account: UpdateBuilder, change: &mut Clauses, of: u64, counted: [&Numbering; 2]) -> UpdateBuilder {
    let [seen, after] = counted;
    let block = block_of(of);
    let account = account.expression_attribute_values(":none", number(0));
    change.conditions.push(IS_OPEN.to_owned());
    if seen.deleted_counts().is_empty() || after.deleted_counts().get(&block).is_none_or(|deleted| *deleted == BLOCK) {
        // the first deletion ever, or the last of its block, which may be dropped: the map is replaced
        change.conditions.push(unchanged(DELETED_COUNTS, seen.deleted_counts()));
        change.conditions.push(format!(
            "({FIRST_BLOCK} = :seen_first OR (attribute_not_exists({FIRST_BLOCK}) AND :seen_first = :none))"
        ));
        change.sets.push(format!("{DELETED_COUNTS} = :holes, {FIRST_BLOCK} = :first"));
        return account
            .expression_attribute_values(":seen", numbered(seen.deleted_counts()))
            .expression_attribute_values(":seen_first", number(seen.first_block()))
            .expression_attribute_values(":holes", numbered(after.deleted_counts()))
            .expression_attribute_values(":first", number(after.first_block()));
    }
    let deleted = format!("{DELETED_COUNTS}.#block");
    change.sets.push(format!("{deleted} = if_not_exists({deleted}, :none) + :one"));
    change
        .conditions
        .push(format!("(size({DELETED_COUNTS}) < :most AND attribute_not_exists({deleted}) OR {deleted} < :last)"));
    account
        .expression_attribute_names("#block", block.to_string())
        .expression_attribute_values(":one", number(1))
        .expression_attribute_values(":most", number(MAX_BLOCKS_WITH_DELETIONS))
        .expression_attribute_values(":last", number(BLOCK - 1))
}
