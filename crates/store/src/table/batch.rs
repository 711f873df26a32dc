//! Reading several items of one user in one round trip, strongly consistent.

use std::collections::HashMap;

use aws_sdk_dynamodb::operation::query::builders::QueryFluentBuilder;
use aws_sdk_dynamodb::types::{AttributeValue, KeysAndAttributes};

use super::backoff::Backoff;
use super::item::{Item, text};
use super::key::{ItemKey, Row, SK, key};
use super::{Store, failure};
use crate::deadline::Deadline;
use crate::error::{Cause, Error};
use crate::ids::UserId;

/// The rows that exist, by sort key.
#[derive(Clone, Debug, Default)]
pub struct Rows(HashMap<String, Item>);

impl Rows {
    /// The row, if it exists.
    pub(super) fn get(&self, row: Row) -> Option<&Item> {
        self.0.get(&row.to_string())
    }

    /// All of them, in no order.
    pub(super) fn iter(&self) -> impl Iterator<Item = &Item> {
        self.0.values()
    }

    fn of(items: Vec<Item>) -> Self {
        let keyed = items.into_iter().filter_map(|item| Some((item.optional_text(SK)?.to_owned(), item)));
        Self(keyed.collect())
    }
}

impl Store {
    /// Reads `rows` of `user` with one BatchGetItem (at most 100 rows). Keys that DynamoDB leaves unprocessed under
    /// load are requested again.
    ///
    /// # Errors
    /// [`Error::Unavailable`] when it does not answer within `deadline`.
    pub async fn read(&self, user: UserId, rows: &[Row], deadline: Deadline) -> Result<Rows, Error> {
        let keys = rows.iter().map(|row| key(user, *row)).collect();
        self.read_keys(keys, deadline).await.map(Rows::of)
    }

    /// A query of all that is in a partition, to be read page by page.
    pub(super) fn all_of(&self, partition: AttributeValue) -> QueryFluentBuilder {
        let query = self.client.query().table_name(&self.table).consistent_read(true);
        query.key_condition_expression("pk = :pk").expression_attribute_values(":pk", partition)
    }

    /// A query of that whose sort keys begin with `prefix`.
    pub(super) fn all_with(&self, partition: AttributeValue, prefix: &str) -> QueryFluentBuilder {
        let query = self.all_of(partition).key_condition_expression("pk = :pk AND begins_with(sk, :prefix)");
        query.expression_attribute_values(":prefix", text(prefix))
    }

    /// Reads items of any partition, as [`Store::read`] does; those that exist, in no order.
    pub(super) async fn read_keys(&self, mut keys: Vec<ItemKey>, deadline: Deadline) -> Result<Vec<Item>, Error> {
        let mut found = Vec::new();
        let mut backoff = Backoff::until(deadline);
        loop {
            let wanted = KeysAndAttributes::builder().set_keys(Some(keys)).consistent_read(true).build();
            let wanted = wanted.map_err(Error::internal)?;
            let request = self.client.batch_get_item().request_items(&self.table, wanted);
            let answer = deadline.limit(request.send()).await?.map_err(|error| failure(&error))?;
            let items = answer.responses.unwrap_or_default().remove(&self.table).unwrap_or_default();
            found.extend(items.into_iter().map(Item::new));
            match answer.unprocessed_keys.unwrap_or_default().remove(&self.table) {
                Some(rest) if !rest.keys.is_empty() => keys = rest.keys,
                _ => return Ok(found),
            }
            backoff.wait(|| Cause::text("DynamoDB left keys unprocessed")).await?;
        }
    }
}

/// The items that a query finds, up to its limit of examined ones. One answer of DynamoDB has at most 1 MB, some
/// thousands of small rows: usually all.
pub(super) async fn found(mut query: QueryFluentBuilder, deadline: Deadline) -> Result<Vec<Item>, Error> {
    let mut found = Vec::new();
    loop {
        let left = *query.get_limit();
        let answer = deadline.limit(query.clone().send()).await?.map_err(|error| failure(&error))?;
        found.extend(answer.items.unwrap_or_default().into_iter().map(Item::new));
        let left = left.map(|left| left - answer.scanned_count);
        if answer.last_evaluated_key.is_none() || left.is_some_and(|left| left <= 0) {
            return Ok(found);
        }
        query = query.set_exclusive_start_key(answer.last_evaluated_key).set_limit(left);
    }
}
