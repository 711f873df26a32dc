//! The parts of the transactions about links: what each changes, and on what condition.

use aws_sdk_dynamodb::types::builders::UpdateBuilder;
use aws_sdk_dynamodb::types::{AttributeValue, TransactWriteItem};

use super::{ExpectedShare, MAX_SHARES, NewShare, Share};
use crate::error::Error;
use crate::store::Store;
use crate::store::accounts::{OPEN, SAME_TOKENS, SHARES};
use crate::store::item::{bytes, instant, number, text};
use crate::store::key::{EXPIRES, Row, key, share_key};
use crate::store::transact::{AsPart, delete, put, update};

impl Store {
    /// The analysis gets its link, the account counts it, the secret's hash leads there and the old one's no longer.
    pub(super) fn sharing(
        &self,
        seen: &ExpectedShare,
        new: &NewShare,
        swept: &[(u64, u64)],
    ) -> Result<Vec<TransactWriteItem>, Error> {
        let ends = new.ends_at.map(|end| end.timestamp());
        let change = "SET share_sha256 = :hash, shared_at = :now, share_words = :words";
        let analysis = self.if_unchanged(seen);
        let analysis = match ends {
            Some(end) => analysis
                .update_expression(format!("{change}, share_ends = :end REMOVE share_unconfirmed"))
                .expression_attribute_values(":end", number(end)),
            None => analysis.update_expression(format!("{change} REMOVE share_ends, share_unconfirmed")),
        };
        let analysis = analysis
            .expression_attribute_values(":hash", bytes(new.hash.as_bytes()))
            .expression_attribute_values(":now", instant(new.since))
            .expression_attribute_values(":words", AttributeValue::Bool(new.with_hidden_words));
        let account = counted(update(self, key(seen.user, Row::Account)), (ends.unwrap_or(0), swept), seen);
        let lead = put(self, share_key(&new.hash))
            .item("user", text(seen.user.to_string()))
            .item("number", number(seen.id.number()));
        // the table's time to live: nothing counts these items
        let lead = ends.into_iter().fold(lead, |lead, end| lead.item(EXPIRES, number(end)));
        let mut items = vec![analysis.part()?, account.part()?, lead.part()?];
        if let Some(old) = &seen.share {
            items.push(self.lead_away(old)?);
        }
        Ok(items)
    }

    /// The analysis loses its link, the account counts it no longer, nothing leads there.
    pub(super) fn unsharing(&self, seen: &ExpectedShare, share: &Share) -> Result<Vec<TransactWriteItem>, Error> {
        let analysis = self
            .if_unchanged(seen)
            .update_expression("REMOVE share_sha256, shared_at, share_ends, share_unconfirmed, share_words");
        let account = update(self, key(seen.user, Row::Account))
            .update_expression("REMOVE #shares.#number")
            .condition_expression("attribute_exists(#shares) AND attribute_not_exists(deleting)")
            .expression_attribute_names("#shares", SHARES)
            .expression_attribute_names("#number", seen.id.number().to_string());
        Ok(vec![analysis.part()?, account.part()?, self.lead_away(share)?])
    }

    /// The item that leads to this link goes.
    pub(in crate::store) fn lead_away(&self, share: &Share) -> Result<TransactWriteItem, Error> {
        delete(self, share_key(share.hash())).part()
    }

    /// A change of the analysis, if it is there and has the link that was seen, or none if none was.
    fn if_unchanged(&self, seen: &ExpectedShare) -> UpdateBuilder {
        let analysis = update(self, key(seen.user, Row::Analysis(seen.id.number())))
            .condition_expression(with_link(seen.share.as_ref()))
            .expression_attribute_values(":id", text(seen.id.to_string()));
        match &seen.share {
            Some(share) => analysis.expression_attribute_values(":seen", bytes(share.hash().as_bytes())),
            None => analysis,
        }
    }
}

/// The condition that an analysis is there and has the link that was seen, or none if none was.
pub(in crate::store) fn with_link(seen: Option<&Share>) -> &'static str {
    match seen {
        Some(_) => "id = :id AND share_sha256 = :seen",
        None => "id = :id AND attribute_not_exists(share_sha256)",
    }
}

/// The account counts the analysis' link, if it has room for it, and no longer those `swept`.
fn counted(account: UpdateBuilder, (ends, swept): (i64, &[(u64, u64)]), seen: &ExpectedShare) -> UpdateBuilder {
    let of = seen.id.number().to_string();
    let open = format!("{OPEN} AND {SAME_TOKENS}");
    let account = account
        .expression_attribute_names("#shares", SHARES)
        .expression_attribute_values(":none", number(0))
        .expression_attribute_values(":token_generation", number(seen.account.token_generation));
    if seen.account.shares.is_empty() {
        let first = [(of, number(ends))].into_iter().collect();
        return account
            .update_expression("SET #shares = :shares")
            .condition_expression(format!("{open} AND (attribute_not_exists(#shares) OR size(#shares) = :none)"))
            .expression_attribute_values(":shares", AttributeValue::M(first));
    }
    let room = "(attribute_exists(#shares.#number) OR size(#shares) < :most)";
    let (mut change, mut condition) = ("SET #shares.#number = :ends".to_owned(), format!("{open} AND {room}"));
    let mut account = account
        .expression_attribute_names("#number", of)
        .expression_attribute_values(":ends", number(ends))
        .expression_attribute_values(":most", number(MAX_SHARES + swept.len()));
    for (index, (other, end)) in swept.iter().enumerate() {
        change.push_str(if index == 0 { " REMOVE " } else { ", " });
        change.push_str(&format!("#shares.#s{index}"));
        // whoever swept it before has made room only once
        condition.push_str(&format!(" AND #shares.#s{index} = :s{index}"));
        account = account
            .expression_attribute_names(format!("#s{index}"), other.to_string())
            .expression_attribute_values(format!(":s{index}"), number(end));
    }
    account.update_expression(change).condition_expression(condition)
}
