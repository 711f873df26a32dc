//! The usual operations, by prepared statements: reads of complete items by key, queries of a range of sort keys, and
//! transactions of puts and updates with simple conditions. Items stay JSON; only attributes named in a request are
//! parsed.
//!
//! dynoxide handles all other requests. It also executes each expression for the first time, as only expressions that
//! it accepted are executed here; and transactions with failed conditions, to report the reasons.

mod expression;
mod item;
mod read;
mod request;
mod write;

use std::collections::HashMap;

use dynoxide::storage::Storage;

use super::operations::TARGET_PREFIX;
use expression::{Change, Condition};
use request::{BatchGet, Query, Transaction};

/// Expressions remembered at most; the service has some fifty.
const MAX_EXPRESSIONS: usize = 1_000;

/// A request, or an item, is not of the usual shape: dynoxide has to execute the operation.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Unusual;

/// The expressions that dynoxide has accepted, parsed; `None` for those that are not of the usual shape.
#[derive(Debug)]
pub(super) struct UsualOperations {
    /// The only table; `None` after an operation on tables, which may have changed it.
    table: Option<String>,
    conditions: HashMap<String, Option<Condition>>,
    changes: HashMap<String, Option<Change>>,
    /// Key conditions with projections.
    queries: HashMap<(String, String), Option<read::Selection>>,
}

impl UsualOperations {
    /// For the table `name` with the keys `pk` and `sk`, both texts.
    pub(super) fn new(storage: &Storage, name: &str) -> Self {
        let plain = name.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"_.-".contains(&byte));
        let table = Some(name.to_owned()).filter(|name| plain && is_simple(storage, name));
        Self { table, conditions: HashMap::new(), changes: HashMap::new(), queries: HashMap::new() }
    }

    /// The answer to a successful operation; nothing is changed if there is none.
    ///
    /// # Errors
    /// [`Unusual`].
    pub(super) fn answer(&self, storage: &Storage, target: &str, body: &[u8]) -> Result<String, Unusual> {
        let table = self.table.as_deref().ok_or(Unusual)?;
        match target.strip_prefix(TARGET_PREFIX) {
            Some("BatchGetItem") => read::batch(storage, table, &BatchGet::parse(body)?),
            Some("Query") => read::query(self, storage, table, &Query::parse(body)?),
            Some("TransactWriteItems") => write::transact(self, storage, table, &Transaction::parse(body)?),
            _ => Err(Unusual),
        }
    }

    /// Remembers the expressions of an operation that dynoxide executed successfully.
    pub(super) fn learn(&mut self, target: &str, body: &[u8]) {
        match target.strip_prefix(TARGET_PREFIX) {
            Some("Query") => {
                if let Ok(query) = Query::parse(body) {
                    let (condition, projection) = query.expressions();
                    let key = (condition.to_owned(), projection.unwrap_or_default().to_owned());
                    let selection = read::Selection::parse(condition, projection).ok();
                    remember(&mut self.queries, key, selection);
                }
            }
            Some("TransactWriteItems") => {
                for action in Transaction::parse(body).iter().flat_map(Transaction::actions) {
                    if let Some(condition) = action.condition() {
                        remember(&mut self.conditions, condition.to_owned(), Condition::parse(condition).ok());
                    }
                    if let Some(change) = action.change() {
                        remember(&mut self.changes, change.to_owned(), Change::parse(change).ok());
                    }
                }
            }
            Some("CreateTable" | "DeleteTable" | "UpdateTable" | "UpdateTimeToLive") => self.table = None,
            _ => {}
        }
    }
}

fn remember<K: Eq + std::hash::Hash, V>(known: &mut HashMap<K, V>, key: K, value: V) {
    if known.len() < MAX_EXPRESSIONS {
        known.entry(key).or_insert(value);
    }
}

/// Whether a table has neither indexes nor a stream: a write is one row.
fn is_simple(storage: &Storage, name: &str) -> bool {
    let keys: Result<serde_json::Value, _> = match storage.get_table_metadata(name) {
        Ok(Some(table)) => {
            let none = |definitions: &Option<String>| definitions.as_deref().is_none_or(|text| text == "[]");
            let indexes = [&table.gsi_definitions, &table.lsi_definitions, &table.vector_index_definitions];
            if table.stream_enabled || !indexes.into_iter().all(none) {
                return false;
            }
            serde_json::from_str(&table.attribute_definitions)
        }
        _ => return false,
    };
    let expected = |name: &str| serde_json::json!({"AttributeName": name, "AttributeType": "S"});
    keys.is_ok_and(|keys| keys == serde_json::json!([expected("pk"), expected("sk")]))
}

#[cfg(test)]
mod tests;
