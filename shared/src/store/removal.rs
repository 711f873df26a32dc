//! The end of an analysis: its rows go and its number becomes a hole, together or not at all.

use aws_sdk_dynamodb::types::builders::UpdateBuilder;
use aws_sdk_dynamodb::types::{AttributeValue, Delete, ReturnValuesOnConditionCheckFailure, TransactWriteItem, Update};

use super::Store;
use super::accounts::{Account, FIRST_BLOCK, HOLES};
use super::backoff::Backoff;
use super::item::{number, text};
use super::key::{Row, key};
use super::transact::{Outcome, built};
use crate::deadline::Deadline;
use crate::error::{Cause, Error, FieldErrors};
use crate::ids::{AnalysisId, UserId};
use crate::numbering::{BLOCK, Deletion, MOST_BLOCKS, Numbering, TOO_SCATTERED};

/// Where the transaction's parts are, and so their cancellation reasons.
const ANALYSIS: usize = 0;
const ACCOUNT: usize = 1;

impl Store {
    /// Deletes the analysis with this id and counts the hole. `seen` is what authentication read: without others at
    /// work nothing is read again. Gives the numbering as it is after that.
    ///
    /// # Errors
    /// [`Error::NotFound`] if it is not there; [`Error::Invalid`] if holes are spread over too many blocks;
    /// [`Error::Unauthenticated`] if the account was closed meanwhile; [`Error::Unavailable`].
    pub async fn delete_analysis(
        &self,
        user: UserId,
        id: AnalysisId,
        seen: &Numbering,
        deadline: Deadline,
    ) -> Result<Numbering, Error> {
        let mut seen = seen.clone();
        let mut backoff = Backoff::until(deadline);
        let mut answer_lost = false;
        loop {
            let deletion = seen.without(id.number());
            let deletion = deletion.ok_or_else(|| Error::Invalid(FieldErrors::one("id", TOO_SCATTERED)))?;
            let turn = self.queues.turn(user, deadline).await?;
            let tried = self.transact(self.removal(user, id, &seen, &deletion)?, deadline).await?;
            drop(turn);
            let cause = match tried {
                Outcome::Done => return Ok(deletion.after),
                // an earlier try did it, as far as anybody can tell
                Outcome::Cancelled(reasons) if reasons.refused(ANALYSIS) && answer_lost => return Ok(deletion.after),
                Outcome::Cancelled(reasons) if reasons.refused(ANALYSIS) => return Err(Error::NotFound),
                Outcome::Cancelled(reasons) => {
                    if reasons.refused(ACCOUNT) {
                        let account = reasons.found(ACCOUNT).as_ref().map(Account::read).transpose()?;
                        let open = account.filter(|account| !account.closed);
                        seen = open.ok_or(Error::Unauthenticated)?.numbering;
                    } else if !reasons.passing() {
                        return Err(Error::Internal(reasons.cause()));
                    }
                    reasons.cause()
                }
                Outcome::InProgress => Cause::text("transaction in progress"),
                Outcome::Unknown(cause) => {
                    answer_lost = true;
                    cause
                }
            };
            backoff.wait(|| cause).await?;
        }
    }

    /// The transaction, in the order of the constants.
    fn removal(
        &self,
        user: UserId,
        id: AnalysisId,
        seen: &Numbering,
        deletion: &Deletion,
    ) -> Result<Vec<TransactWriteItem>, Error> {
        let delete = |row: Row| Delete::builder().table_name(&self.table).set_key(Some(key(user, row)));
        let analysis = delete(Row::Analysis(id.number()))
            .condition_expression("id = :id")
            .expression_attribute_values(":id", text(id.to_string()));
        let account = Update::builder()
            .table_name(&self.table)
            .set_key(Some(key(user, Row::Account)))
            .return_values_on_condition_check_failure(ReturnValuesOnConditionCheckFailure::AllOld);
        Ok(vec![
            TransactWriteItem::builder().delete(built(analysis.build())?).build(),
            TransactWriteItem::builder().update(built(one_hole_more(account, seen, deletion).build())?).build(),
            TransactWriteItem::builder().delete(built(delete(Row::Metadata(id.number())).build())?).build(),
        ])
    }
}

/// Counts the hole, if the account is open and what is to be dropped with it is as it was `seen`.
fn one_hole_more(account: UpdateBuilder, seen: &Numbering, deletion: &Deletion) -> UpdateBuilder {
    let mut conditions =
        vec!["attribute_exists(pk) AND attribute_not_exists(deleting) AND attribute_not_exists(disabled)".to_owned()];
    let block = deletion.block;
    let holes = |block: u64| format!("{HOLES}.#b{block}");
    if !seen.has_holes() {
        // the first ones, or the first since all that had any were dropped
        conditions.push(format!("(attribute_not_exists({HOLES}) OR size({HOLES}) = :none)"));
        let first = [(block.to_string(), number(1))].into_iter().collect();
        return account
            .update_expression(format!("SET {HOLES} = :holes"))
            .condition_expression(conditions.join(" AND "))
            .expression_attribute_values(":none", number(0))
            .expression_attribute_values(":holes", AttributeValue::M(first));
    }
    let mut account = account.expression_attribute_names(format!("#b{block}"), block.to_string());
    let mut changes = String::new();
    if deletion.dropped.contains(&block) {
        conditions.push(format!("{} = :last", holes(block)));
        account = account.expression_attribute_values(":last", number(BLOCK - 1));
    } else {
        changes = format!("SET {0} = if_not_exists({0}, :none) + :one", holes(block));
        conditions.push(format!("(attribute_exists({}) OR size({HOLES}) < :most)", holes(block)));
        account = account
            .expression_attribute_values(":none", number(0))
            .expression_attribute_values(":one", number(1))
            .expression_attribute_values(":most", number(MOST_BLOCKS + deletion.dropped.len()));
        if block == seen.first_block() {
            // whoever empties the oldest block drops it, too
            conditions.push(format!("(attribute_not_exists({0}) OR {0} < :last)", holes(block)));
            account = account.expression_attribute_values(":last", number(BLOCK - 1));
        }
    }
    if let Some(newest) = deletion.dropped.last() {
        for dropped in deletion.dropped.iter().filter(|dropped| **dropped != block) {
            account = account.expression_attribute_names(format!("#b{dropped}"), dropped.to_string());
        }
        let first = format!("{FIRST_BLOCK} = :first");
        changes = if changes.is_empty() { format!("SET {first}") } else { format!("{changes}, {first}") };
        let dropped: Vec<_> = deletion.dropped.iter().map(|block| holes(*block)).collect();
        changes = format!("{changes} REMOVE {}", dropped.join(", "));
        conditions.push(match seen.first_block() {
            0 => format!("attribute_not_exists({FIRST_BLOCK})"),
            _ => format!("{FIRST_BLOCK} = :seen"),
        });
        account = account.expression_attribute_values(":first", number(newest + 1));
        if seen.first_block() > 0 {
            account = account.expression_attribute_values(":seen", number(seen.first_block()));
        }
    }
    account.update_expression(changes).condition_expression(conditions.join(" AND "))
}
