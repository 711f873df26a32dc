//! The database with its lock. Operations block.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant, SystemTime};

use rusqlite::params;

use super::operations::{self, Engine, StoreAnswer};
use super::repeats::Repeats;
use super::usual::UsualOperations;

/// Rows that a sweep examines before other requests have their turn.
const SWEEP_ROWS: u32 = 500;
/// The pause of a sweep for these.
const SWEEP_PAUSE: Duration = Duration::from_millis(1);
/// Items that expired longer ago are kept, as DynamoDB does.
const LONGEST_EXPIRED: Duration = Duration::from_secs(5 * 365 * 86_400);

/// The database, shared by clones.
#[derive(Clone)]
pub(crate) struct Store(Arc<Mutex<State>>);

/// The database, and state kept between requests.
struct State {
    engine: Engine,
    usual: Option<UsualOperations>,
    repeats: Repeats,
}

impl State {
    fn answer(&mut self, target: &str, body: &[u8], now: Instant) -> StoreAnswer {
        let token = operations::token(target, body);
        if let Some(answer) = token.as_ref().and_then(|token| self.repeats.answer(token, now)) {
            return answer;
        }
        let usual = self.usual.as_ref().and_then(|usual| usual.answer(&self.engine.storage, target, body).ok());
        let answer = match usual {
            Some(text) => StoreAnswer { status: 200, text },
            None => self.execute(target, body),
        };
        if let Some(token) = token.filter(|_| answer.is_success()) {
            self.repeats.keep(token, &answer, now);
        }
        answer
    }

    fn execute(&mut self, target: &str, body: &[u8]) -> StoreAnswer {
        let answer = operations::answer(&self.engine, target, body);
        if let Some(usual) = self.usual.as_mut().filter(|_| answer.is_success()) {
            usual.learn(target, body);
        }
        answer
    }

    /// Deletes the expired items among the next rows; returns the last row that was examined.
    fn sweep(&self, table: &str, attribute: &str, after: i64) -> rusqlite::Result<Option<i64>> {
        let connection = self.engine.storage.conn();
        let sql = format!(
            "SELECT max(rowid) FROM (SELECT rowid FROM \"{table}\" WHERE rowid > ?1 ORDER BY rowid LIMIT {SWEEP_ROWS})"
        );
        let Some(last) = connection.query_row(&sql, [after], |row| row.get::<_, Option<i64>>(0))? else {
            return Ok(None);
        };
        let now = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default();
        let [now, oldest] = [now, now.saturating_sub(LONGEST_EXPIRED)].map(|time| time.as_secs());
        let sql = format!(
            "DELETE FROM \"{table}\" WHERE rowid > ?1 AND rowid <= ?2 \
             AND CAST(json_extract(item_json, ?3) AS INTEGER) BETWEEN ?4 AND ?5"
        );
        let path = format!("$.\"{attribute}\".N");
        connection.execute(&sql, params![after, last, path, oldest, now.saturating_sub(1)])?;
        Ok(Some(last))
    }
}

impl Store {
    /// The store whose usual operations are those on `table`.
    pub(super) fn new(engine: Engine, table: &str) -> Self {
        let usual = Some(UsualOperations::new(&engine.storage, table));
        Self::with(State { engine, usual, repeats: Repeats::default() })
    }

    fn with(state: State) -> Self {
        Self(Arc::new(Mutex::new(state)))
    }

    /// Executes the operation of `target`, the value of `X-Amz-Target`, or repeats the answer of a completed transaction.
    pub(super) fn answer(&self, target: &str, body: &[u8], now: Instant) -> StoreAnswer {
        self.lock().answer(target, body, now)
    }

    /// Deletes the items of `table` that have expired by `attribute`, in parts, so that other requests wait for one
    /// part at most.
    pub(crate) fn sweep(&self, table: &str, attribute: &str) -> rusqlite::Result<()> {
        let mut after = i64::MIN;
        loop {
            let swept = self.lock().sweep(table, attribute, after)?;
            let Some(last) = swept else { return Ok(()) };
            after = last;
            std::thread::sleep(SWEEP_PAUSE);
        }
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.0.lock().unwrap_or_else(|panicked: PoisonError<_>| {
            let state: MutexGuard<'_, State> = panicked.into_inner();
            // discards the uncommitted write
            let _ = state.engine.storage.rollback();
            self.0.clear_poison();
            state
        })
    }
}

#[cfg(test)]
impl Store {
    /// The store without usual operations, for comparison.
    pub(super) fn without_usual(engine: Engine) -> Self {
        Self::with(State { engine, usual: None, repeats: Repeats::default() })
    }

    /// The answer to a usual operation only.
    pub(super) fn usual_answer(&self, target: &str, body: &[u8]) -> Result<String, super::usual::Unusual> {
        let state = self.lock();
        state.usual.as_ref().unwrap().answer(&state.engine.storage, target, body)
    }

    /// The rows as stored: keys, item, size and hash.
    pub(super) fn rows(&self, table: &str) -> Vec<(String, String, serde_json::Value, i64, String)> {
        let state = self.lock();
        let sql = format!("SELECT pk, sk, item_json, item_size, hash_prefix FROM \"{table}\" ORDER BY pk, sk");
        let mut select = state.engine.storage.conn().prepare(&sql).unwrap();
        let row = |row: &rusqlite::Row<'_>| {
            let item = serde_json::from_str(&row.get::<_, String>(2)?).unwrap();
            Ok((row.get(0)?, row.get(1)?, item, row.get(3)?, row.get(4)?))
        };
        select.query_map([], row).unwrap().map(Result::unwrap).collect()
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use serde_json::json;

    use super::{Engine, Instant, Store, StoreAnswer};

    fn things() -> Store {
        let store = Store::new(Engine::open(None).unwrap(), "Things");
        let table = json!({
            "TableName": "Things",
            "KeySchema": [{"AttributeName": "pk", "KeyType": "HASH"}],
            "AttributeDefinitions": [{"AttributeName": "pk", "AttributeType": "S"}],
            "BillingMode": "PAY_PER_REQUEST",
        });
        assert_eq!(ask(&store, "CreateTable", table.to_string().as_bytes(), Instant::now()).status, 200);
        store
    }

    fn ask(store: &Store, operation: &str, body: &[u8], now: Instant) -> StoreAnswer {
        store.answer(&format!("DynamoDB_20120810.{operation}"), body, now)
    }

    /// Puts item `key`, which must not be there yet.
    fn put(key: &str, token: &str) -> Vec<u8> {
        let put = json!({
            "TableName": "Things", "Item": {"pk": {"S": key}}, "ConditionExpression": "attribute_not_exists(pk)",
        });
        json!({"TransactItems": [{"Put": put}], "ClientRequestToken": token}).to_string().into_bytes()
    }

    #[test]
    fn a_transaction_is_carried_out_once_for_each_token() {
        let (store, start) = (things(), Instant::now());
        let transact =
            |body: &[u8], seconds| ask(&store, "TransactWriteItems", body, start + Duration::from_secs(seconds));
        let first = transact(&put("a", "one"), 0);
        assert_eq!(first.status, 200, "{}", first.text);
        assert_eq!(transact(&put("a", "one"), 30), first, "it is answered again and not carried out again");
        let other = transact(&put("a", "two"), 30);
        assert!(other.status == 400 && other.text.contains("ConditionalCheckFailed"), "{}", other.text);
        assert_eq!(transact(&put("b", "two"), 30).status, 200, "a refusal does not use up its token");
        assert_eq!(transact(&put("a", "one"), 31).status, 400, "by now the token is forgotten");
        assert_eq!(transact(b"{", 31).status, 400);
    }

    #[test]
    fn a_sweep_deletes_what_has_expired_and_nothing_else() {
        let store = things();
        let now = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).unwrap().as_secs();
        let ends = [
            ("expired", json!({"N": (now - 60).to_string()}), false),
            ("later", json!({"N": (now + 3_600).to_string()}), true),
            ("long ago", json!({"N": "1000"}), true),
            ("text", json!({"S": (now - 60).to_string()}), true),
        ];
        // more than one part
        for filler in 0..1_200 {
            let body = json!({"TableName": "Things", "Item": {"pk": {"S": format!("filler {filler}")}}});
            assert_eq!(ask(&store, "PutItem", body.to_string().as_bytes(), Instant::now()).status, 200);
        }
        for (key, expires, _) in &ends {
            let body = json!({"TableName": "Things", "Item": {"pk": {"S": key}, "expires": expires}});
            assert_eq!(ask(&store, "PutItem", body.to_string().as_bytes(), Instant::now()).status, 200);
        }
        store.sweep("Things", "expires").unwrap();
        for (key, _, stays) in ends {
            let body = json!({"TableName": "Things", "Key": {"pk": {"S": key}}});
            let found = ask(&store, "GetItem", body.to_string().as_bytes(), Instant::now());
            assert_eq!(found.text.contains("Item"), stays, "{key}: {}", found.text);
        }
        let all = ask(&store, "Scan", br#"{"TableName":"Things","Select":"COUNT"}"#, Instant::now());
        assert!(all.text.contains("\"Count\":1203"), "{}", all.text);
    }
}
