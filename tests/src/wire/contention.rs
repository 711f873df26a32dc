//! Conflicting writes: DynamoDB refuses a transaction if another write holds one of its items, and a single write if a
//! transaction holds its item. A store that serializes calls never does.

use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};

use aws_smithy_runtime_api::client::orchestrator::HttpResponse;
use serde_json::{Value, json};

use super::{WireCall, cancelled, dynamodb_error};

/// Partition and sort key.
type Key = (String, String);

/// The items that are being written.
#[derive(Default)]
pub(super) struct Contention {
    on: AtomicBool,
    held: Arc<Mutex<HashMap<Key, Held>>>,
}

/// The number of calls that write an item, and whether they are transactions.
#[derive(Default)]
struct Held {
    transactions: usize,
    others: usize,
}

/// A permitted call; its items are held until this is dropped.
pub(super) struct WriteGuard {
    call: WireCall,
    held: Arc<Mutex<HashMap<Key, Held>>>,
}

/// A conflict.
pub(super) enum Conflict {
    /// A transaction; whether each of its items conflicts.
    Transaction(Vec<bool>),
    /// A write of one item.
    Item,
}

impl Contention {
    pub(super) fn begin(&self) {
        self.on.store(true, Ordering::SeqCst);
    }

    /// Acquires the items that `call` writes, if no other call holds them.
    pub(super) fn acquire(&self, call: &WireCall) -> Result<WriteGuard, Conflict> {
        let mut guard = WriteGuard { call: call.clone(), held: Arc::clone(&self.held) };
        if !self.on.load(Ordering::SeqCst) {
            guard.call.writes.clear();
            return Ok(guard);
        }
        let mut held = self.held.lock().unwrap();
        let meets = |key: &Key| {
            held.get(key).is_some_and(|held| held.transactions > 0 || is_transaction(call) && held.others > 0)
        };
        let met: Vec<_> = call.writes.iter().map(meets).collect();
        if met.contains(&true) {
            guard.call.writes.clear();
            return Err(if is_transaction(call) { Conflict::Transaction(met) } else { Conflict::Item });
        }
        for key in &call.writes {
            let held = held.entry(key.clone()).or_default();
            *(if is_transaction(call) { &mut held.transactions } else { &mut held.others }) += 1;
        }
        drop(held);
        Ok(guard)
    }
}

impl Drop for WriteGuard {
    fn drop(&mut self) {
        let mut held = self.held.lock().unwrap();
        for key in &self.call.writes {
            let of_key = held.get_mut(key).unwrap();
            *(if is_transaction(&self.call) { &mut of_key.transactions } else { &mut of_key.others }) -= 1;
            if of_key.transactions + of_key.others == 0 {
                held.remove(key);
            }
        }
    }
}

impl Conflict {
    /// DynamoDB's error.
    pub(super) fn answer(&self) -> HttpResponse {
        match self {
            Self::Transaction(met) => {
                let codes = met.iter().map(|met| if *met { "TransactionConflict" } else { "None" });
                cancelled(&codes.map(|code| json!({ "Code": code })).collect())
            }
            Self::Item => dynamodb_error(400, "TransactionConflictException", json!({})),
        }
    }
}

fn is_transaction(call: &WireCall) -> bool {
    call.parts > 0
}

/// The keys of the items that a call writes; none of a BatchWriteItem, whose items are independent.
pub(super) fn writes(operation: &str, body: &Value) -> Vec<Key> {
    let whole = |kind: &str, body: &Value| {
        let key = if kind.starts_with("Put") { &body["Item"] } else { &body["Key"] };
        let text = |name: &str| key[name]["S"].as_str().map(str::to_owned);
        Some((text("pk")?, text("sk")?))
    };
    if let Some(parts) = body["TransactItems"].as_array() {
        let parts = parts.iter().filter_map(Value::as_object).flatten();
        return parts.filter_map(|(kind, part)| whole(kind, part)).collect();
    }
    match operation {
        "PutItem" | "UpdateItem" | "DeleteItem" => whole(operation, body).into_iter().collect(),
        _ => Vec::new(),
    }
}
