//! The one service that all bad requests go to: two accounts, each with an analysis and two tokens.

use std::collections::HashMap;

use aws_sdk_dynamodb::types::AttributeValue;
use samples::small::pdf;
use serde_json::{Value, json};
use tests::api::Api;
use tests::invariants::Snapshot;
use tests::service::TestService;

/// A service and what is in it.
pub(super) struct World {
    pub(super) service: TestService,
    /// Who sends the bad requests.
    pub(super) ada: Api,
    /// Whose things they are after.
    pub(super) bob: Api,
    /// An analysis of Bob's.
    pub(super) foreign_analysis: String,
    /// A token id of Bob's.
    pub(super) foreign_token: String,
    /// A token of Ada's that was revoked.
    pub(super) revoked: String,
}

/// What a request may change.
pub(super) struct State {
    text: String,
    pub(super) failed: u64,
    pub(super) used: u64,
    pub(super) tokens: usize,
}

impl State {
    /// The whole table and bucket, but for the day's count of failures.
    pub(super) fn without_failures(&self) -> String {
        self.text.replace(&format!("\"failed\": N(\"{}\")", self.failed), "\"failed\"")
    }
}

impl World {
    pub(super) async fn new() -> Self {
        let service = TestService::start().await;
        let (ada, bob) = (service.account_limited_to(10_000, "ada").await, service.account("bob").await);
        let analyzed = bob.analyze("bob.pdf", pdf("Bob's")).await.expect(200);
        let created = ada.post("/tokens", &json!({ "name": "short-lived" })).await.expect(201);
        ada.delete(&format!("/tokens/{}", text(&created.json, "id"))).await.expect(200);
        // both counters of the day exist from here on, and the key is taken
        ada.analyze_once("taken", "first.pdf", pdf("Ada's")).await.expect(200);
        ada.analyze("bad.pdf", b"no PDF".to_vec()).await.expect(422);
        Self {
            foreign_analysis: text(&analyzed.json, "id"),
            foreign_token: bob.token_id(),
            revoked: text(&created.json, "token"),
            ada,
            bob,
            service,
        }
    }

    /// What Ada's requests may change, and everything else; the state `before` was checked.
    pub(super) async fn state(&self, before: Option<&State>) -> State {
        let snapshot = Snapshot::of(&self.service).await;
        let text = format!("{}{:?}", snapshot.text(), snapshot.objects());
        if before.is_none_or(|before| before.text != text) {
            snapshot.check();
        }
        let user = self.ada.user().to_string();
        let count = |name: &str| snapshot.rows(&user, "DAY#").map(|day| number(day, name)).sum();
        State {
            failed: count("failed"),
            used: snapshot.rows(&user, "ACCOUNT").flat_map(used).sum(),
            tokens: snapshot.rows(&user, "TOKEN#").count(),
            text,
        }
    }

    /// After everything, good requests are answered as ever.
    pub(super) async fn still_works(&self) {
        self.ada.get("/user").await.expect(200);
        self.ada.analyze("good.pdf", pdf("Good")).await.expect(200);
        assert_eq!(self.bob.used().await, 1);
        self.bob.get(&format!("/pdf/{}", self.foreign_analysis)).await.expect(200);
    }
}

fn text(answer: &Value, name: &str) -> String {
    answer["data"][name].as_str().unwrap().to_owned()
}

/// The analyses that an account's row counts, day by day.
fn used(account: &HashMap<String, AttributeValue>) -> impl Iterator<Item = u64> {
    account.keys().filter(|name| name.starts_with("used:")).map(|name| number(account, name))
}

fn number(item: &HashMap<String, AttributeValue>, name: &str) -> u64 {
    item.get(name).and_then(|value| value.as_n().ok()).map_or(0, |digits| digits.parse().unwrap())
}
