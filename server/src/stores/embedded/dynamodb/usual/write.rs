//! Transactions: all conditions are evaluated, then all items are written.

use std::borrow::Cow;

use dynoxide::storage::{Storage, compute_hash_prefix};
use dynoxide::types::AttributeValue;
use rusqlite::{OptionalExtension, params};
use serde_json::value::RawValue;

use super::expression::{Change, Condition, Step};
use super::item::{Attributes, MAX_ITEM, Value};
use super::request::{Action, Transaction, Update};
use super::{Unusual, UsualOperations};

/// Most writes of a transaction that are executed here; the service has fewer.
const MAX_ACTIONS: usize = 12;

/// A row to write, with keys as in its columns.
struct Row {
    pk: String,
    sk: String,
    json: String,
    size: usize,
}

/// An existing row.
struct Stored {
    json: String,
    size: usize,
}

/// Executes the transaction if all of its conditions are true.
pub(super) fn transact(
    usual: &UsualOperations,
    storage: &Storage,
    table: &str,
    request: &Transaction<'_>,
) -> Result<String, Unusual> {
    let actions = request.actions();
    if !(1..=MAX_ACTIONS).contains(&actions.len()) {
        return Err(Unusual);
    }
    let mut rows: Vec<Row> = Vec::with_capacity(actions.len());
    for action in actions {
        let row = evaluate(usual, storage, table, action)?;
        if row.size > MAX_ITEM || rows.iter().any(|other| other.pk == row.pk && other.sk == row.sk) {
            return Err(Unusual);
        }
        rows.push(row);
    }
    if store(storage, table, &rows).is_err() {
        // what failed, dynoxide meets again and answers
        let _ = storage.rollback();
        return Err(Unusual);
    }
    Ok("{}".to_owned())
}

/// The row that an action writes.
fn evaluate(usual: &UsualOperations, storage: &Storage, table: &str, action: &Action<'_>) -> Result<Row, Unusual> {
    let condition = match action.condition() {
        Some(text) => Some(usual.conditions.get(text).and_then(Option::as_ref).ok_or(Unusual)?),
        None => None,
    };
    let change = match action.change() {
        Some(text) => Some(usual.changes.get(text).and_then(Option::as_ref).ok_or(Unusual)?),
        None => None,
    };
    let placeholders = condition.iter().flat_map(|condition| condition.placeholders());
    action.bindings().check_used(placeholders.chain(change.iter().flat_map(|change| change.placeholders())))?;
    match action {
        Action::Put(put) if put.table_name == table => {
            let key = put.item.key()?;
            let [pk, sk] = key.columns()?;
            if let Some(condition) = condition {
                let stored = stored(storage, table, [&pk, &sk])?;
                check(condition, action, stored.as_ref().map(|stored| stored.json.as_str()))?;
            }
            let size = put.item.size()?;
            Ok(Row { pk, sk, json: put.item.to_json()?, size })
        }
        Action::Update(update) if update.table_name == table => {
            changed(storage, table, (action, update), condition, change.ok_or(Unusual)?)
        }
        Action::Put(_) | Action::Update(_) => Err(Unusual),
    }
}

fn check(condition: &Condition, action: &Action<'_>, stored: Option<&str>) -> Result<(), Unusual> {
    let item = Attributes::parse(stored.unwrap_or("{}"))?;
    if condition.holds(&item, action.bindings())? { Ok(()) } else { Err(Unusual) }
}

/// The row of an item that exists, with its changes.
fn changed(
    storage: &Storage,
    table: &str,
    (action, update): (&Action<'_>, &Update<'_>),
    condition: Option<&Condition>,
    change: &Change,
) -> Result<Row, Unusual> {
    let [pk, sk] = update.key.columns()?;
    let stored = stored(storage, table, [&pk, &sk])?.ok_or(Unusual)?;
    if let Some(condition) = condition {
        check(condition, action, Some(&stored.json))?;
    }
    let bindings = action.bindings();
    // sums outlive the item that has them
    let mut sums: Vec<Option<Box<RawValue>>> = Vec::with_capacity(change.steps.len());
    let mut item = Attributes::parse(&stored.json)?;
    for step in &change.steps {
        sums.push(match step {
            Step::Add(name, value) => Some(sum(item.get(bindings.name(name)?), bindings.value(value)?)?),
            Step::Set(..) | Step::Remove(_) => None,
        });
    }
    let mut size = stored.size;
    let mut names: Vec<&str> = Vec::with_capacity(change.steps.len());
    for (step, sum) in change.steps.iter().zip(&sums) {
        let name = bindings.name(step.name())?;
        if ["pk", "sk"].contains(&name) || names.contains(&name) {
            return Err(Unusual);
        }
        names.push(name);
        if let Some(place) = item.0.iter().position(|(other, _)| other == name) {
            let (name, old) = item.0.remove(place);
            size = size.checked_sub(name.len() + Value::parse(old)?.size()).ok_or(Unusual)?;
        }
        let new = match step {
            Step::Set(_, value) => bindings.value(value)?,
            Step::Add(..) => sum.as_deref().ok_or(Unusual)?,
            Step::Remove(_) => continue,
        };
        size += name.len() + Value::parse(new)?.size();
        item.0.push((Cow::Borrowed(name), new));
    }
    Ok(Row { pk, sk, json: item.to_json()?, size })
}

/// The sum of an integer, 0 if it is missing, and another.
fn sum(found: Option<&RawValue>, added: &RawValue) -> Result<Box<RawValue>, Unusual> {
    let found = found.map_or(Ok(0), |found| Value::parse(found)?.integer())?;
    let sum = found.checked_add(Value::parse(added)?.integer()?).ok_or(Unusual)?;
    RawValue::from_string(format!(r#"{{"N":"{sum}"}}"#)).map_err(|_| Unusual)
}

fn stored(storage: &Storage, table: &str, [pk, sk]: [&str; 2]) -> Result<Option<Stored>, Unusual> {
    let sql = format!("SELECT item_json, item_size FROM \"{table}\" WHERE pk = ?1 AND sk = ?2");
    let mut select = storage.conn().prepare_cached(&sql).map_err(|_| Unusual)?;
    let row = select.query_row(params![pk, sk], |row| Ok(Stored { json: row.get(0)?, size: row.get(1)? }));
    row.optional().map_err(|_| Unusual)
}

fn store(storage: &Storage, table: &str, rows: &[Row]) -> rusqlite::Result<()> {
    let connection = storage.conn();
    connection.prepare_cached("BEGIN IMMEDIATE")?.execute([])?;
    let sql = format!(
        "INSERT INTO \"{table}\" (pk, sk, item_json, item_size, hash_prefix) VALUES (?1, ?2, ?3, ?4, ?5) \
         ON CONFLICT (pk, sk) DO UPDATE SET item_json = excluded.item_json, item_size = excluded.item_size"
    );
    let mut insert = connection.prepare_cached(&sql)?;
    for Row { pk, sk, json, size } in rows {
        let partition = pk.strip_prefix("S:").unwrap_or(pk).to_owned();
        let prefix = compute_hash_prefix(&AttributeValue::S(partition));
        insert.execute(params![pk, sk, json, size, prefix])?;
    }
    connection.prepare_cached("COMMIT")?.execute([])?;
    Ok(())
}
