//! Idempotency of transactions. An SDK client retries a transaction without an answer with the same
//! `ClientRequestToken`, and it must not be carried out twice. dynoxide implements that as well, but scans the tokens
//! of ten minutes for each new one.

use std::collections::{HashMap, VecDeque};
use std::time::{Duration, Instant};

use dynoxide::Database;
use dynoxide::actions::transact_write_items::TransactWriteItemsRequest;

use super::operations::{self, StoreAnswer};

/// Retention of tokens: the SDK's time limit of an operation, retries included, is eight seconds.
const TOKEN_RETENTION: Duration = Duration::from_secs(30);

/// The answers to completed transactions, by token.
#[derive(Debug, Default)]
pub(super) struct Repeats {
    answers: HashMap<String, StoreAnswer>,
    /// The tokens with their times, oldest first.
    tokens: VecDeque<(Instant, String)>,
}

impl Repeats {
    /// Executes the operation `target` at the time `now`, or repeats the answer of a completed transaction. It blocks.
    pub(super) fn answer(&mut self, database: &Database, target: &str, body: &[u8], now: Instant) -> StoreAnswer {
        if !operations::is_transaction(target) {
            return operations::answer(database, target, body);
        }
        let (token, request) = match operations::parse::<TransactWriteItemsRequest>(body) {
            Ok(mut request) => (request.client_request_token.take(), request),
            Err(error) => return StoreAnswer::failure(&error),
        };
        self.forget(now);
        if let Some(answer) = token.as_ref().and_then(|token| self.answers.get(token)) {
            return answer.clone();
        }
        let answer = StoreAnswer::of(database.transact_write_items(request));
        if let Some(token) = token.filter(|_| answer.is_success()) {
            self.answers.insert(token.clone(), answer.clone());
            self.tokens.push_back((now, token));
        }
        answer
    }

    fn forget(&mut self, now: Instant) {
        while let Some((_, token)) = self.tokens.pop_front_if(|(came, _)| now.duration_since(*came) > TOKEN_RETENTION) {
            self.answers.remove(&token);
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    /// Puts item `key`, which must not be there yet.
    fn put(key: &str, token: &str) -> Vec<u8> {
        let put = json!({
            "TableName": "Things", "Item": {"pk": {"S": key}}, "ConditionExpression": "attribute_not_exists(pk)",
        });
        json!({"TransactItems": [{"Put": put}], "ClientRequestToken": token}).to_string().into_bytes()
    }

    #[test]
    fn a_transaction_is_carried_out_once_for_each_token() {
        let database = Database::memory().unwrap();
        let table = json!({
            "TableName": "Things",
            "KeySchema": [{"AttributeName": "pk", "KeyType": "HASH"}],
            "AttributeDefinitions": [{"AttributeName": "pk", "AttributeType": "S"}],
            "BillingMode": "PAY_PER_REQUEST",
        });
        let mut repeats = Repeats::default();
        let start = Instant::now();
        let mut ask = |operation: &str, body: &[u8], seconds: u64| {
            let target = format!("DynamoDB_20120810.{operation}");
            repeats.answer(&database, &target, body, start + Duration::from_secs(seconds))
        };
        assert_eq!(ask("CreateTable", table.to_string().as_bytes(), 0).status, 200);
        let mut transact = |body: &[u8], seconds| ask("TransactWriteItems", body, seconds);

        let first = transact(&put("a", "one"), 0);
        assert_eq!(first.status, 200, "{}", first.text);
        assert_eq!(transact(&put("a", "one"), 30), first, "it is answered again and not carried out again");
        let other = transact(&put("a", "two"), 30);
        assert!(other.status == 400 && other.text.contains("ConditionalCheckFailed"), "{}", other.text);
        assert_eq!(transact(&put("b", "two"), 30).status, 200, "a refusal does not use up its token");
        assert_eq!(transact(&put("a", "one"), 31).status, 400, "by now the token is forgotten");
        assert_eq!(transact(b"{", 31).status, 400);
    }
}
