//! Reads: the stored JSON is the answer's.

use dynoxide::storage::Storage;
use rusqlite::{OptionalExtension, params};

use super::item::{Attributes, Value};
use super::request::{BatchGet, Query};
use super::{Unusual, UsualOperations};

/// Largest answer to a query.
const MAX_QUERY_BYTES: usize = 1_048_576;
/// Most items of a batch, and largest answer to one.
const MAX_BATCH: (usize, usize) = (100, 16 * 1024 * 1024);

/// The selection of a query.
#[derive(Debug)]
pub(super) struct Selection {
    /// The placeholders of partition key, lowest and highest sort key.
    range: [String; 3],
    /// The names of the attributes; `None` for all.
    projection: Option<Vec<String>>,
}

impl Selection {
    pub(super) fn parse(condition: &str, projection: Option<&str>) -> Result<Self, Unusual> {
        let words: Vec<&str> = condition.split(' ').collect();
        let ["pk", "=", user, "AND", "sk", "BETWEEN", lowest, "AND", highest] = words.as_slice() else {
            return Err(Unusual);
        };
        let range = [user, lowest, highest].map(|placeholder| (*placeholder).to_owned());
        let is_plain = |name: &str| {
            let name = name.strip_prefix('#').unwrap_or(name);
            !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
        };
        let projection = projection.map(|names| names.split(", ").map(ToOwned::to_owned).collect::<Vec<_>>());
        let plain = projection.iter().flatten().all(|name| is_plain(name));
        let values = range.iter().all(|placeholder| placeholder.starts_with(':'));
        if plain && values { Ok(Self { range, projection }) } else { Err(Unusual) }
    }
}

/// Reads items by their keys.
pub(super) fn batch(storage: &Storage, table: &str, request: &BatchGet<'_>) -> Result<String, Unusual> {
    let [(name, wanted)] = request.request_items.iter().collect::<Vec<_>>()[..] else { return Err(Unusual) };
    let (most, largest) = MAX_BATCH;
    if name != table || !(1..=most).contains(&wanted.keys.len()) {
        return Err(Unusual);
    }
    let keys = wanted.keys.iter().map(super::item::Key::columns).collect::<Result<Vec<_>, _>>()?;
    if keys.iter().enumerate().any(|(place, key)| keys.iter().take(place).any(|other| other == key)) {
        return Err(Unusual);
    }
    let sql = format!("SELECT item_json FROM \"{table}\" WHERE pk = ?1 AND sk = ?2");
    let mut select = storage.conn().prepare_cached(&sql).map_err(|_| Unusual)?;
    let mut answer = format!(r#"{{"Responses":{{"{table}":["#);
    let start = answer.len();
    for [pk, sk] in keys {
        let found: Option<String> =
            select.query_row(params![pk, sk], |row| row.get(0)).optional().map_err(|_| Unusual)?;
        let Some(found) = found else { continue };
        if answer.len() > start {
            answer.push(',');
        }
        answer += &found;
    }
    if answer.len() > largest {
        return Err(Unusual);
    }
    answer += r#"]},"UnprocessedKeys":{}}"#;
    Ok(answer)
}

/// Reads the items of a range of sort keys.
pub(super) fn query(
    usual: &UsualOperations,
    storage: &Storage,
    table: &str,
    request: &Query<'_>,
) -> Result<String, Unusual> {
    let (condition, projection) = request.expressions();
    let known = (condition.to_owned(), projection.unwrap_or_default().to_owned());
    let selection = usual.queries.get(&known).and_then(Option::as_ref).ok_or(Unusual)?;
    let bindings = request.bindings();
    let projected = selection.projection.iter().flatten().map(String::as_str);
    bindings.check_used(selection.range.iter().map(String::as_str).chain(projected.clone()))?;
    let names = projected.map(|name| bindings.name(name)).collect::<Result<Vec<_>, _>>()?;
    if names.iter().enumerate().any(|(place, name)| names.iter().take(place).any(|other| other == name)) {
        return Err(Unusual);
    }
    let [user, lowest, highest] = &selection.range;
    let text = |placeholder: &String| match Value::parse(bindings.value(placeholder)?)? {
        Value::S(text) if !text.is_empty() => Ok(format!("S:{text}")),
        _ => Err(Unusual),
    };
    let (user, lowest, highest) = (text(user)?, text(lowest)?, text(highest)?);
    // an empty range is an error
    if request.table_name != table || request.limit == Some(0) || lowest > highest {
        return Err(Unusual);
    }
    let limit = request.limit.map_or(-1, i64::from);
    let direction = if request.scan_index_forward { "ASC" } else { "DESC" };
    let sql = format!(
        "SELECT item_json, item_size FROM \"{table}\" WHERE pk = ?1 AND sk BETWEEN ?2 AND ?3 ORDER BY sk {direction} LIMIT ?4"
    );
    let mut select = storage.conn().prepare_cached(&sql).map_err(|_| Unusual)?;
    let mut rows = select.query(params![user, lowest, highest, limit]).map_err(|_| Unusual)?;
    let (mut answer, mut count, mut bytes, mut last) = (r#"{"Items":["#.to_owned(), 0, 0, String::new());
    while let Some(row) = rows.next().map_err(|_| Unusual)? {
        let json = row.get_ref(0).ok().and_then(|json| json.as_str().ok()).ok_or(Unusual)?;
        bytes += row.get::<_, usize>(1).map_err(|_| Unusual)?;
        if bytes > MAX_QUERY_BYTES {
            return Err(Unusual);
        }
        if count > 0 {
            answer.push(',');
        }
        count += 1;
        if selection.projection.is_none() {
            answer += json;
        } else {
            let item = Attributes::parse(json)?;
            let chosen = names.iter().filter_map(|name| Some(((*name).into(), item.get(name)?)));
            answer += &Attributes(chosen.collect()).to_json()?;
        }
        if Some(count) == request.limit {
            last = key_of(json)?;
        }
    }
    answer += &format!(r#"],"Count":{count},"ScannedCount":{count}"#);
    if !last.is_empty() {
        answer += &format!(r#","LastEvaluatedKey":{last}"#);
    }
    answer.push('}');
    Ok(answer)
}

/// The key of a stored item, as JSON.
fn key_of(json: &str) -> Result<String, Unusual> {
    let item = Attributes::parse(json)?;
    let keys = ["pk", "sk"].into_iter().filter_map(|name| Some((name.into(), item.get(name)?)));
    Attributes(keys.collect()).to_json()
}
