//! Tokens that tokens have made: how many, by which, and until when.

use std::collections::BTreeMap;

use serde_json::{Value, json};
use tests::api::Api;
use tests::clock::TestClock;
use tests::invariants::Snapshot;
use tests::service::TestService;
use tests::wire::Fault;

use super::{made, names, path, with};

/// What the tokens of one account make in an hour is limited, and one that was given it by an operator or the console is
/// none of those.
#[tokio::test]
async fn tokens_make_twenty_tokens_an_hour_together() {
    let clock = TestClock::at("10:00:00");
    let service = TestService::start_at(&clock).await;
    let (ada, bob) = (service.account("ada").await, service.account("bob").await);
    let maker = with(&ada, &made(&ada, json!({ "name": "maker" })).await);
    let tries = (0..30).map(|index| {
        let api = if index % 2 == 0 { ada.clone() } else { maker.clone() };
        tokio::spawn(async move { api.patient().post("/tokens", &json!({ "name": format!("t{index}") })).await })
    });
    let (mut made, mut refused) = (1, 0);
    for attempt in tries.collect::<Vec<_>>() {
        let answer = attempt.await.unwrap();
        match answer.status {
            201 => made += 1,
            _ => {
                let answer = answer.expect(429);
                assert_eq!((answer.code(), answer.header("retry-after")), ("rate_limited", "3600"));
                refused += 1;
            }
        }
    }
    assert_eq!((made, refused), (20, 11));
    bob.post("/tokens", &json!({ "name": "bob's" })).await.expect(201);
    clock.advance(3600);
    ada.post("/tokens", &json!({ "name": "later" })).await.expect(201);
    Snapshot::of(&service).await.check();
}

#[tokio::test]
async fn a_token_made_by_a_token_lives_no_longer_whatever_it_asks_for() {
    let service = TestService::start_at(&TestClock::at("10:00:00")).await;
    let ada = service.account("ada").await;
    let brief = made(&ada, json!({ "name": "brief", "expires_in_days": 1 })).await;
    for days in [Value::Null, json!(1), json!(365)] {
        let child = made(&with(&ada, &brief), json!({ "name": "child", "expires_in_days": days })).await;
        assert_eq!(child["expires_at"], brief["expires_at"], "{days}");
    }
}

/// Ada's first token has made `parent` and `sibling`, the parent `child`, and that `grandchild`: their records in this
/// order.
async fn family(ada: &Api) -> [Value; 4] {
    let parent = made(ada, json!({ "name": "parent" })).await;
    let child = made(&with(ada, &parent), json!({ "name": "child" })).await;
    let grandchild = made(&with(ada, &child), json!({ "name": "grandchild" })).await;
    [parent, made(ada, json!({ "name": "sibling" })).await, child, grandchild]
}

#[tokio::test]
async fn a_token_and_the_list_say_which_token_has_made_it() {
    let service = TestService::start().await;
    let ada = service.account("ada").await;
    let [parent, _, child, _] = family(&ada).await;
    assert_eq!(parent["made_by"], ada.token_id());
    let list = ada.get("/tokens").await.expect(200).json["data"].clone();
    let made_by: BTreeMap<_, _> =
        list.as_array().unwrap().iter().map(|row| (row["name"].as_str().unwrap(), &row["made_by"])).collect();
    assert_eq!(made_by["grandchild"], &child["id"]);
    assert_eq!((made_by["sibling"], made_by["first"]), (&json!(ada.token_id()), &Value::Null));
}

#[tokio::test]
async fn a_revoked_token_ends_all_that_come_from_it_and_no_other() {
    let service = TestService::start().await;
    let ada = service.account("ada").await;
    let [parent, sibling, child, grandchild] = family(&ada).await;
    ada.delete(&path(&parent)).await.expect(200);
    for ended in [&parent, &child, &grandchild] {
        let ended = with(&ada, ended);
        ended.get("/user").await.expect(401);
        ended.post("/tokens", &json!({ "name": "again" })).await.expect(401);
    }
    with(&ada, &sibling).get("/user").await.expect(200);
    assert_eq!(names(&ada.get("/tokens").await), ["sibling", "first"]);
    Snapshot::of(&service).await.check();
}

#[tokio::test]
async fn the_first_token_ends_all_with_it_by_its_own_hand() {
    let service = TestService::start().await;
    let ada = service.account("ada").await;
    let family = family(&ada).await;
    ada.delete(&format!("/tokens/{}", ada.token_id())).await.expect(200);
    ada.get("/user").await.expect(401);
    for ended in &family {
        with(&ada, ended).get("/user").await.expect(401);
    }
    let left = Snapshot::of(&service).await;
    left.check();
    assert_eq!(left.rows(&ada.user().to_string(), "TOKEN#").count(), 0);
}

/// What is left to be cleared when a token was revoked is not needed for the end of those that it has made.
#[tokio::test]
async fn what_a_token_made_ends_with_it_also_if_nothing_is_cleared() {
    let service = TestService::start().await;
    let ada = service.account("ada").await;
    let maker = made(&ada, json!({ "name": "maker" })).await;
    let child = with(&ada, &made(&with(&ada, &maker), json!({ "name": "child" })).await);
    service.wire.plan(|call| match call.operation.as_str() {
        "Query" => Fault::ServerError,
        _ => Fault::None,
    });
    ada.delete(&path(&maker)).await.expect(200);
    service.wire.heal();
    child.get("/user").await.expect(401);
    // whoever tries it has cleared it
    Snapshot::of(&service).await.check();
    assert_eq!(ada.get("/tokens").await.json["data"].as_array().unwrap().len(), 1);
}
