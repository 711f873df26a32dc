//! The table out of memory: one account with a token, a session and an analysis. Whatever is written is taken and
//! forgotten.

use std::collections::BTreeMap;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use chrono::{DateTime, TimeDelta, Utc};
use engine::{Memory, Options, analyze};
use samples::pdf::Pdf;
use serde_json::{Value, json};
use shared::ids::{AnalysisId, TokenId, UserId};
use shared::secret::{ApiToken, SecretHash, SessionToken};
use shared::store::Row;

/// The table's name.
pub(crate) const TABLE: &str = "Table";
/// The ids that the events of `events/` ask for.
pub(crate) const TOKEN: &str = "019aa0b2-7c1d-7e3f-8a4b-5c6d7e8f9a0b";
pub(crate) const ANALYSIS: &str = "00000000-0001-8c3f-9d2e-5b7a1f0e6d4c";
/// What the console's forms in `events/` carry.
pub(crate) const CSRF: &str = "none";

/// What the table holds, by partition and sort key, and whose it is.
#[derive(Debug)]
pub(crate) struct Table {
    items: BTreeMap<(String, String), Value>,
    /// The account's API token and session, as their owner has them.
    pub(crate) secrets: [String; 2],
}

/// The time, always.
pub(crate) fn now() -> DateTime<Utc> {
    DateTime::from_timestamp(1_795_158_938, 0).expect("a time")
}

/// A document of one page.
pub(crate) fn document() -> Vec<u8> {
    Pdf::new(1).classic()
}

impl Table {
    pub(crate) fn new() -> Self {
        let user = UserId::random();
        let token = ApiToken::new(user, TokenId::parse(TOKEN).expect("a token's id")).expect("random bytes");
        let session = SessionToken::new(user).expect("random bytes");
        let analysis = AnalysisId::parse(ANALYSIS).expect("an analysis id");
        let pdf = document();
        let size = pdf.len();
        let metadata = analyze(&Memory(pdf.into()), &Options::default()).expect("a PDF");
        let metadata = serde_json::to_string(&metadata).expect("metadata has a JSON form");
        let time = json!({"S": now().to_rfc3339()});
        let digest = |hash: SecretHash| json!({"B": STANDARD.encode(hash.as_bytes())});
        let rows = [
            (
                Row::Account,
                json!({
                    "name": {"S": "Ada"}, "email": {"S": "ada@example.org"}, "daily_limit": {"N": "50"},
                    "analyses": {"N": "1"}, "tokens": {"N": "1"}, "generation": {"N": "0"}, "created_at": time,
                }),
            ),
            (
                Row::Token(token.id),
                json!({
                    "name": {"S": "laptop"}, "secret_sha256": digest(token.secret().hash()),
                    "hint": {"S": token.hint()}, "created_at": time, "last_used_at": time,
                }),
            ),
            (
                Row::Session(session.id),
                json!({
                    "secret_sha256": digest(session.secret().hash()), "csrf": {"S": CSRF}, "generation": {"N": "0"},
                    "expires": {"N": (now() + TimeDelta::hours(1)).timestamp().to_string()},
                }),
            ),
            (
                Row::Analysis(analysis.number()),
                json!({
                    "id": {"S": ANALYSIS}, "filename": {"S": "a.pdf"}, "file_size": {"N": size.to_string()},
                    "analyzed_at": time,
                }),
            ),
            (Row::Metadata(analysis.number()), json!({"metadata": {"S": metadata}})),
        ];
        let partition = format!("USER#{user}");
        let items = rows.map(|(row, item)| ((partition.clone(), row.to_string()), item)).into();
        Self { items, secrets: [token.reveal(), session.reveal()] }
    }

    /// What DynamoDB would answer to a call (both JSON).
    pub(crate) fn answer(&self, operation: &str, request: &Value) -> Value {
        match operation {
            "BatchGetItem" => {
                let keys = request["RequestItems"][TABLE]["Keys"].as_array().expect("keys are asked for");
                let found: Vec<Value> = keys.iter().filter_map(|key| self.get(key)).collect();
                json!({"Responses": {TABLE: found}})
            }
            "Query" => json!({"Items": self.query(&request["ExpressionAttributeValues"])}),
            "TransactWriteItems" | "UpdateItem" | "DeleteItem" | "BatchWriteItem" => json!({}),
            other => panic!("nothing is known of {other}"),
        }
    }

    fn get(&self, key: &Value) -> Option<Value> {
        let (partition, row) = (key["pk"]["S"].as_str()?, key["sk"]["S"].as_str()?);
        if row.starts_with("LOGIN#") {
            // used up: comparing a password takes longer than a thousand other requests
            return Some(whole(partition, row, &json!({"failed": {"N": "1000"}})));
        }
        let item = self.items.get(&(partition.to_owned(), row.to_owned()))?;
        Some(whole(partition, row, item))
    }

    /// The rows of `:user` that begin with `:tokens` or lie between `:first` and `:last`; an account's deletion asks
    /// in other words and finds nothing.
    fn query(&self, values: &Value) -> Vec<Value> {
        let value = |name: &str| values[name]["S"].as_str();
        let Some(user) = value(":user") else { return Vec::new() };
        let wanted = |row: &str| {
            value(":tokens").is_some_and(|start| row.starts_with(start))
                || value(":first").zip(value(":last")).is_some_and(|(first, last)| (first..=last).contains(&row))
        };
        let items = self.items.iter().filter(|((partition, row), _)| partition == user && wanted(row));
        items.map(|((partition, row), item)| whole(partition, row, item)).collect()
    }
}

/// The item with its key.
fn whole(partition: &str, row: &str, item: &Value) -> Value {
    let mut item = item.clone();
    item["pk"] = json!({"S": partition});
    item["sk"] = json!({"S": row});
    item
}
