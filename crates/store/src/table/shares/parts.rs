//! The items of the transactions about links, and their conditions.

use std::collections::BTreeMap;

use aws_sdk_dynamodb::types::builders::UpdateBuilder;
use aws_sdk_dynamodb::types::{AttributeValue, TransactWriteItem};

use super::{LinkChange, MAX_SHARES, NewShare, Share};
use crate::error::Error;
use crate::table::Store;
use crate::table::accounts::{IS_OPEN, SAME_TOKENS, SHARES, unchanged};
use crate::table::item::{bytes, instant, number, numbered, text};
use crate::table::key::{EXPIRES, Row, key, share_key};
use crate::table::transact::{AsPart, delete, put, update};

impl Store {
    /// Sets the analysis' link, updates the account to the `counted` links, adds the index item of the secret's hash
    /// and deletes the old one.
    pub(super) fn sharing(
        &self,
        seen: &LinkChange<'_>,
        new: &NewShare,
        counted: &BTreeMap<u64, u64>,
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
        let account = counting(update(self, key(seen.user, Row::Account)), seen, counted);
        let lead = put(self, share_key(&new.hash))
            .item("user", text(seen.user.to_string()))
            .item("number", number(seen.id.number()));
        // expired by the table's time to live: these items are not counted
        let lead = ends.into_iter().fold(lead, |lead, end| lead.item(EXPIRES, number(end)));
        let mut items = vec![analysis.part()?, account.part()?, lead.part()?];
        if let Some(old) = &seen.share {
            items.push(self.lead_away(old)?);
        }
        Ok(items)
    }

    /// Removes the analysis' link, its count in the account and its index item.
    pub(super) fn unsharing(&self, seen: &LinkChange<'_>, share: &Share) -> Result<Vec<TransactWriteItem>, Error> {
        let analysis = self
            .if_unchanged(seen)
            .update_expression("REMOVE share_sha256, shared_at, share_ends, share_unconfirmed, share_words");
        let account = update(self, key(seen.user, Row::Account))
            .update_expression(format!("REMOVE {SHARES}.#number"))
            .condition_expression(format!("attribute_exists({SHARES}) AND attribute_not_exists(deleting)"))
            .expression_attribute_names("#number", seen.id.number().to_string());
        Ok(vec![analysis.part()?, account.part()?, self.lead_away(share)?])
    }

    /// Deletes the index item of this link.
    pub(in crate::table) fn lead_away(&self, share: &Share) -> Result<TransactWriteItem, Error> {
        delete(self, share_key(&share.hash)).part()
    }

    /// An update of the analysis, if it exists and its link, or its absence, is unchanged since it was read.
    fn if_unchanged(&self, seen: &LinkChange<'_>) -> UpdateBuilder {
        let analysis = update(self, key(seen.user, Row::Analysis(seen.id.number())))
            .condition_expression(with_link(seen.share.as_ref()))
            .expression_attribute_values(":id", text(seen.id.to_string()));
        match &seen.share {
            Some(share) => analysis.expression_attribute_values(":seen", bytes(share.hash.as_bytes())),
            None => analysis,
        }
    }
}

/// The condition that an analysis exists and its link, or its absence, is unchanged since it was read.
pub(in crate::table) fn with_link(seen: Option<&Share>) -> &'static str {
    match seen {
        Some(_) => "id = :id AND share_sha256 = :seen",
        None => "id = :id AND attribute_not_exists(share_sha256)",
    }
}

/// Updates the account to the `counted` links, if it is still below the limit.
fn counting(account: UpdateBuilder, seen: &LinkChange<'_>, counted: &BTreeMap<u64, u64>) -> UpdateBuilder {
    let (before, of) = (&seen.account.shares, seen.id.number());
    let open = format!("{IS_OPEN} AND {SAME_TOKENS}");
    let account = account
        .expression_attribute_values(":none", number(0))
        .expression_attribute_values(":token_generation", number(seen.account.token_generation));
    if before.is_empty() || before.keys().any(|other| !counted.contains_key(other)) {
        // the first link, or expired ones are dropped
        return account
            .update_expression(format!("SET {SHARES} = :counted"))
            .condition_expression(format!("{open} AND {}", unchanged(SHARES, before)))
            .expression_attribute_values(":seen", numbered(before))
            .expression_attribute_values(":counted", numbered(counted));
    }
    account
        .update_expression(format!("SET {SHARES}.#number = :ends"))
        .condition_expression(format!("{open} AND (attribute_exists({SHARES}.#number) OR size({SHARES}) < :most)"))
        .expression_attribute_names("#number", of.to_string())
        .expression_attribute_values(":ends", number(counted.get(&of).copied().unwrap_or_default()))
        .expression_attribute_values(":most", number(MAX_SHARES))
}
