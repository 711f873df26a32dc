//! The end of an analysis: its rows and its link go and its number becomes a hole, together or not at all.

use aws_sdk_dynamodb::types::builders::UpdateBuilder;
use aws_sdk_dynamodb::types::{AttributeValue, Delete, ReturnValuesOnConditionCheckFailure, TransactWriteItem, Update};

use super::accounts::{Account, FIRST_BLOCK, HOLES, SHARES};
use super::analyses::summary;
use super::backoff::Backoff;
use super::item::{bytes, number, text};
use super::key::{Row, key};
use super::seen::Leads;
use super::shares::Share;
use super::transact::{Outcome, Reasons, built};
use super::{Rows, Store};
use crate::deadline::Deadline;
use crate::error::{Cause, Error, FieldErrors};
use crate::ids::{AnalysisId, UserId};
use crate::numbering::{BLOCK, Deletion, MOST_BLOCKS, Numbering, TOO_SCATTERED};

/// Where the transaction's parts are, and so their cancellation reasons.
const ANALYSIS: usize = 0;
const ACCOUNT: usize = 1;

/// An analysis that is to go, and what goes with it, as its row says.
#[derive(Clone, Debug)]
pub struct Doomed {
    id: AnalysisId,
    share: Option<Share>,
    leads: Leads,
}

impl Rows {
    /// The analysis with this id, to be deleted, if its row was read and is there.
    ///
    /// # Errors
    /// [`Error::Internal`] if the stored item is malformed.
    pub fn doomed(&self, id: AnalysisId) -> Result<Doomed, Error> {
        Ok(Doomed { id, share: self.stored_share(id)?, leads: self.leads(id)? })
    }
}

/// A deletion: of whose analysis, and what it believes the table to hold.
struct Removal {
    user: UserId,
    doomed: Doomed,
    seen: Numbering,
}

impl Store {
    /// Deletes an analysis with what leads there and counts the hole. What is known of it and the numbering `seen` are what
    /// authentication read: without others at work nothing is read again. Gives the numbering as it is after that.
    ///
    /// # Errors
    /// [`Error::NotFound`] if it is not there; [`Error::Invalid`] if holes are spread over too many blocks;
    /// [`Error::Unauthenticated`] if the account was closed meanwhile; [`Error::Unavailable`].
    pub async fn delete_analysis(
        &self,
        user: UserId,
        doomed: Doomed,
        seen: &Numbering,
        deadline: Deadline,
    ) -> Result<Numbering, Error> {
        let id = doomed.id;
        let mut removal = Removal { user, doomed, seen: seen.clone() };
        let mut backoff = Backoff::until(deadline);
        let mut answer_lost = false;
        loop {
            let deletion = removal.seen.without(id.number());
            let deletion = deletion.ok_or_else(|| Error::Invalid(FieldErrors::one("id", TOO_SCATTERED)))?;
            let turn = self.queues.turn(user, deadline).await?;
            let tried = self.transact(self.removal(&removal, &deletion)?, deadline).await?;
            drop(turn);
            let cause = match tried {
                Outcome::Done => return Ok(deletion.after),
                Outcome::Cancelled(reasons) => match removal.learn(&reasons) {
                    // an earlier try did it, as far as anybody can tell
                    Err(Error::NotFound) if answer_lost => return Ok(deletion.after),
                    learnt => learnt?,
                },
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
    fn removal(&self, removal: &Removal, deletion: &Deletion) -> Result<Vec<TransactWriteItem>, Error> {
        let Removal { user, doomed: Doomed { id, share, leads }, seen } = removal;
        let number = id.number();
        let delete = |row: Row| Delete::builder().table_name(&self.table).set_key(Some(key(*user, row)));
        let analysis = delete(Row::Analysis(number))
            .expression_attribute_values(":id", text(id.to_string()))
            .return_values_on_condition_check_failure(ReturnValuesOnConditionCheckFailure::AllOld);
        let analysis = match share {
            Some(share) => analysis
                .condition_expression("id = :id AND share_sha256 = :seen")
                .expression_attribute_values(":seen", bytes(share.hash().as_bytes())),
            None => analysis.condition_expression("id = :id AND attribute_not_exists(share_sha256)"),
        };
        let account = Update::builder()
            .table_name(&self.table)
            .set_key(Some(key(*user, Row::Account)))
            .return_values_on_condition_check_failure(ReturnValuesOnConditionCheckFailure::AllOld);
        let mut change = Change::default();
        let account = one_hole_more(account, &mut change, seen, deletion);
        let account = match share {
            Some(_) => {
                change.removes.push("#shares.#number".to_owned());
                account
                    .expression_attribute_names("#shares", SHARES)
                    .expression_attribute_names("#number", number.to_string())
            }
            None => account,
        };
        let mut items = vec![
            TransactWriteItem::builder().delete(built(analysis.build())?).build(),
            TransactWriteItem::builder().update(built(change.of(account).build())?).build(),
            TransactWriteItem::builder().delete(built(delete(Row::Metadata(number)).build())?).build(),
        ];
        if let Some(share) = share {
            items.push(self.lead_away(share)?);
        }
        for lead in self.without_leads(*user, number, *leads) {
            items.push(lead?);
        }
        Ok(items)
    }
}

impl Removal {
    /// Takes over what came with the refusal; why it has to be tried again.
    fn learn(&mut self, reasons: &Reasons) -> Result<Cause, Error> {
        if reasons.refused(ANALYSIS) {
            let found = reasons.found(ANALYSIS).filter(|item| summary(item).is_ok_and(|row| row.id == self.doomed.id));
            self.doomed.share = Share::read(&found.ok_or(Error::NotFound)?)?;
        }
        if reasons.refused(ACCOUNT) {
            self.seen = Account::open(reasons.found(ACCOUNT).as_ref().map(Account::read).transpose()?)?.numbering;
        }
        reasons.to_try_again(&[ANALYSIS, ACCOUNT])
    }
}

/// What is changed of the account, and on what conditions.
#[derive(Default)]
struct Change {
    sets: Vec<String>,
    removes: Vec<String>,
    conditions: Vec<String>,
}

impl Change {
    fn of(self, account: UpdateBuilder) -> UpdateBuilder {
        let clause = |verb: &str, parts: Vec<String>| {
            if parts.is_empty() { String::new() } else { format!("{verb} {} ", parts.join(", ")) }
        };
        let changes = clause("SET", self.sets) + &clause("REMOVE", self.removes);
        account.update_expression(changes.trim_end()).condition_expression(self.conditions.join(" AND "))
    }
}

/// Counts the hole, if the account is open and what is to be dropped with it is as it was `seen`.
fn one_hole_more(account: UpdateBuilder, change: &mut Change, seen: &Numbering, deletion: &Deletion) -> UpdateBuilder {
    let Deletion { block, dropped, .. } = deletion;
    let open = "attribute_exists(pk) AND attribute_not_exists(deleting) AND attribute_not_exists(disabled)";
    change.conditions.push(open.to_owned());
    let holes = |block: &u64| format!("{HOLES}.#b{block}");
    if !seen.has_holes() {
        // the first ones, or the first since all that had any were dropped
        change.conditions.push(format!("(attribute_not_exists({HOLES}) OR size({HOLES}) = :none)"));
        change.sets.push(format!("{HOLES} = :holes"));
        let first = [(block.to_string(), number(1))].into_iter().collect();
        return account
            .expression_attribute_values(":none", number(0))
            .expression_attribute_values(":holes", AttributeValue::M(first));
    }
    let mut account = account.expression_attribute_names(format!("#b{block}"), block.to_string());
    if dropped.contains(block) {
        change.conditions.push(format!("{} = :last", holes(block)));
        account = account.expression_attribute_values(":last", number(BLOCK - 1));
    } else {
        change.sets.push(format!("{0} = if_not_exists({0}, :none) + :one", holes(block)));
        change.conditions.push(format!("(attribute_exists({}) OR size({HOLES}) < :most)", holes(block)));
        account = account
            .expression_attribute_values(":none", number(0))
            .expression_attribute_values(":one", number(1))
            .expression_attribute_values(":most", number(MOST_BLOCKS + dropped.len()));
        if *block == seen.first_block() {
            // whoever empties the oldest block drops it, too
            change.conditions.push(format!("(attribute_not_exists({0}) OR {0} < :last)", holes(block)));
            account = account.expression_attribute_values(":last", number(BLOCK - 1));
        }
    }
    let Some(newest) = dropped.last() else { return account };
    change.sets.push(format!("{FIRST_BLOCK} = :first"));
    account = account.expression_attribute_values(":first", number(newest + 1));
    for other in dropped {
        change.removes.push(holes(other));
        account = account.expression_attribute_names(format!("#b{other}"), other.to_string());
    }
    if seen.first_block() == 0 {
        change.conditions.push(format!("attribute_not_exists({FIRST_BLOCK})"));
        return account;
    }
    change.conditions.push(format!("{FIRST_BLOCK} = :seen"));
    account.expression_attribute_values(":seen", number(seen.first_block()))
}
