//! The end of an analysis: its rows and its link go and its number becomes a hole, together or not at all.

use aws_sdk_dynamodb::types::TransactWriteItem;
use aws_sdk_dynamodb::types::builders::UpdateBuilder;

use super::accounts::{Account, FIRST_BLOCK, HOLES, OPEN, SHARES, unchanged};
use super::analyses::summary;
use super::item::{bytes, number, numbered, text};
use super::key::{Row, key};
use super::seen::Leads;
use super::shares::{Share, with_link};
use super::transact::{AsPart, Reasons, delete, update};
use super::work::{Learnt, Work};
use super::{Rows, Store};
use crate::deadline::Deadline;
use crate::error::{Error, FieldErrors};
use crate::ids::{AnalysisId, UserId};
use crate::numbering::{BLOCK, MOST_BLOCKS, Numbering, TOO_SCATTERED, block_of};
use crate::outcome::counted_in;

/// Where the transaction's parts are, and so their cancellation reasons.
const ANALYSIS: usize = 0;
const ACCOUNT: usize = 1;

/// An analysis that is to go, and what goes with it, as its row says.
#[derive(Clone, Debug)]
pub struct AnalysisToDelete {
    id: AnalysisId,
    share: Option<Share>,
    leads: Leads,
    counted_in: Option<&'static str>,
}

impl Rows {
    /// The analysis with this id, to be deleted, if its row was read and is there.
    ///
    /// # Errors
    /// [`Error::Internal`] if the stored item is malformed.
    pub fn to_delete(&self, id: AnalysisId) -> Result<AnalysisToDelete, Error> {
        let row = self.get(Row::Analysis(id.number())).map(summary).transpose()?;
        let counted_in = row.as_ref().and_then(counted_in);
        Ok(AnalysisToDelete { id, share: self.stored_share(id)?, leads: self.leads(id)?, counted_in })
    }
}

/// A deletion: of whose analysis, and what it believes the table to hold.
struct Removal {
    user: UserId,
    analysis: AnalysisToDelete,
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
        analysis: AnalysisToDelete,
        seen: &Numbering,
        deadline: Deadline,
    ) -> Result<Numbering, Error> {
        self.carry_out(Some(user), Removal { user, analysis, seen: seen.clone() }, deadline).await
    }

    /// The transaction, in the order of the constants.
    fn removal(&self, removal: &Removal, after: &Numbering) -> Result<Vec<TransactWriteItem>, Error> {
        let Removal { user, analysis: AnalysisToDelete { id, share, leads, counted_in }, seen } = removal;
        let its_number = id.number();
        let analysis = delete(self, key(*user, Row::Analysis(its_number)))
            .condition_expression(format!("{} AND {}", with_link(share.as_ref()), with_reference(leads)))
            // a reserved word
            .expression_attribute_names("#reference", "reference")
            .expression_attribute_values(":id", text(id.to_string()));
        let reference = leads.reference().into_iter();
        let analysis = reference
            .fold(analysis, |delete, seen| delete.expression_attribute_values(":reference", text(seen.as_str())));
        let analysis = match share {
            Some(share) => analysis.expression_attribute_values(":seen", bytes(share.hash.as_bytes())),
            None => analysis,
        };
        let account = update(self, key(*user, Row::Account));
        let mut change = Clauses::default();
        let mut account = one_hole_more(account, &mut change, its_number, [seen, after]);
        if let Some(count) = counted_in {
            change.adds.push(format!("{count} :less"));
            account = account.expression_attribute_values(":less", number(-1));
        }
        if share.is_some() {
            change.removes.push(format!("{SHARES}.#number"));
            account = account.expression_attribute_names("#number", its_number.to_string());
        }
        let mut items = vec![
            analysis.part()?,
            change.of(account).part()?,
            delete(self, key(*user, Row::Metadata(its_number))).part()?,
        ];
        if let Some(share) = share {
            items.push(self.lead_away(share)?);
        }
        for lead in self.without_leads(*user, its_number, leads) {
            items.push(lead?);
        }
        Ok(items)
    }
}

/// The condition that an analysis has the reference that was seen, or none if none was.
fn with_reference(seen: &Leads) -> &'static str {
    match seen.reference() {
        Some(_) => "#reference = :reference",
        None => "attribute_not_exists(#reference)",
    }
}

impl Removal {
    /// The numbering without the analysis.
    fn after(&self) -> Result<Numbering, Error> {
        let after = self.seen.without(self.analysis.id.number());
        after.ok_or_else(|| Error::Invalid(FieldErrors::one("id", TOO_SCATTERED)))
    }
}

impl Work for Removal {
    type End = Numbering;

    fn attempt(&self, store: &Store) -> Result<(Vec<TransactWriteItem>, Numbering), Error> {
        let after = self.after()?;
        Ok((store.removal(self, &after)?, after))
    }

    fn learn(&mut self, reasons: &Reasons, answer_lost: bool) -> Result<Learnt<Numbering>, Error> {
        if reasons.refused(ANALYSIS) {
            let found =
                reasons.found(ANALYSIS).filter(|item| summary(item).is_ok_and(|row| row.id == self.analysis.id));
            let Some(found) = found else {
                // an earlier try did it, as far as anybody can tell
                return if answer_lost { Ok(Learnt::End(self.after()?)) } else { Err(Error::NotFound) };
            };
            self.analysis.share = Share::read(&found)?;
            self.analysis.leads = Leads::read(&found)?;
        }
        if reasons.refused(ACCOUNT) {
            self.seen = Account::open(reasons.found(ACCOUNT).as_ref().map(Account::read).transpose()?)?.numbering;
        }
        Ok(if reasons.refused(ANALYSIS) || reasons.refused(ACCOUNT) { Learnt::News } else { Learnt::Nothing })
    }
}

/// What is changed of the account, and on what conditions.
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

/// Counts the hole, if the account is open.
fn one_hole_more(account: UpdateBuilder, change: &mut Clauses, of: u64, counted: [&Numbering; 2]) -> UpdateBuilder {
    let [seen, after] = counted;
    let block = block_of(of);
    let account = account.expression_attribute_values(":none", number(0));
    change.conditions.push(OPEN.to_owned());
    if seen.holes().is_empty() || after.holes().get(&block).is_none_or(|holes| *holes == BLOCK) {
        // the first one of all or the last one of its block, which may be dropped: the map changes as a whole
        change.conditions.push(unchanged(HOLES, seen.holes()));
        change.conditions.push(format!(
            "({FIRST_BLOCK} = :seen_first OR (attribute_not_exists({FIRST_BLOCK}) AND :seen_first = :none))"
        ));
        change.sets.push(format!("{HOLES} = :holes, {FIRST_BLOCK} = :first"));
        return account
            .expression_attribute_values(":seen", numbered(seen.holes()))
            .expression_attribute_values(":seen_first", number(seen.first_block()))
            .expression_attribute_values(":holes", numbered(after.holes()))
            .expression_attribute_values(":first", number(after.first_block()));
    }
    let holes = format!("{HOLES}.#block");
    change.sets.push(format!("{holes} = if_not_exists({holes}, :none) + :one"));
    change.conditions.push(format!("(size({HOLES}) < :most AND attribute_not_exists({holes}) OR {holes} < :last)"));
    account
        .expression_attribute_names("#block", block.to_string())
        .expression_attribute_values(":one", number(1))
        .expression_attribute_values(":most", number(MOST_BLOCKS))
        .expression_attribute_values(":last", number(BLOCK - 1))
}
