//! GET, POST and DELETE of tokens, and what authentication makes of them.

use reqwest::Method;
use serde_json::{Value, json};
use tests::api::{Answer, Api, persistently, send};
use tests::browser::Browser;
use tests::clock::TestClock;
use tests::invariants::Snapshot;
use tests::service::TestService;
use tests::wire::Fault;

#[tokio::test]
async fn a_token_is_made_used_listed_and_revoked() {
    let service = TestService::start().await;
    let ada = service.account("ada").await;
    let made = ada.post("/tokens", &json!({ "name": "  laptop " })).await.expect(201);
    let record = &made.json["data"];
    let (id, token) = (record["id"].as_str().unwrap(), record["token"].as_str().unwrap());
    assert_eq!(record["name"], "laptop");
    assert!(token.starts_with("pdfa_") && token.ends_with(record["hint"].as_str().unwrap()));
    assert_eq!(made.header("location"), format!("/api/v1/tokens/{id}"));
    assert_eq!(record["last_used_at"], Value::Null);

    let laptop = ada.with_token(token);
    laptop.get("/user").await.expect(200);
    let list = ada.get("/tokens").await.expect(200);
    let names: Vec<_> = list.json["data"].as_array().unwrap().iter().map(|row| row["name"].as_str().unwrap()).collect();
    assert_eq!(names, ["laptop", "first"]);
    assert!(list.json["data"][0]["last_used_at"].is_string());
    assert!(!list.text.contains(token) && list.json["data"][0].get("token").is_none());

    let revoked = ada.delete(&format!("/tokens/{id}")).await.expect(200);
    assert_eq!(revoked.text, format!("{{\"success\":true,\"data\":{{\"id\":\"{id}\",\"revoked\":true}}}}"));
    laptop.get("/user").await.expect(401);
    ada.delete(&format!("/tokens/{id}")).await.expect(404);
    ada.get("/user").await.expect(200);
    Snapshot::of(&service).await.check();
}

#[tokio::test]
async fn a_token_with_an_end_is_refused_and_removed_from_then_on() {
    let clock = TestClock::at("10:00:00");
    let service = TestService::start_at(&clock).await;
    let ada = service.account("ada").await;
    let made = ada.post("/tokens", &json!({ "name": "brief", "expires_in_days": 2 })).await.expect(201);
    let end = (clock.now() + chrono::TimeDelta::days(2)).format("%Y-%m-%dT%H:%M:%SZ").to_string();
    assert_eq!(made.json["data"]["expires_at"], end);
    let brief = ada.with_token(made.json["data"]["token"].as_str().unwrap());
    let list = ada.get("/tokens").await.expect(200);
    assert_eq!((&list.json["data"][0]["expires_at"], &list.json["data"][1]["expires_at"]), (&json!(end), &Value::Null));
    clock.advance(2 * 24 * 3600 - 1);
    brief.get("/user").await.expect(200);
    clock.advance(1);
    let refused = brief.get("/user").await.expect(401);
    assert_eq!(refused.code(), "unauthenticated");
    // it was removed when it was seen, and is counted no more
    assert_eq!(ada.get("/tokens").await.json["data"].as_array().unwrap().len(), 1);
    Snapshot::of(&service).await.check();
    brief.get("/user").await.expect(401);
}

#[tokio::test]
async fn a_token_s_life_is_one_to_365_days_or_without_end() {
    let service = TestService::start().await;
    let ada = service.account("ada").await;
    for days in [json!(0), json!(366), json!(-1), json!(1.5), json!("x"), json!("030"), json!(true), json!([1])] {
        let refused = ada.post("/tokens", &json!({ "name": "a", "expires_in_days": days })).await.expect(422);
        assert!(refused.json["error"]["details"]["fields"]["expires_in_days"].is_array(), "{days}: {}", refused.text);
    }
    for (days, ends) in [(json!(1), true), (json!(365), true), (json!(30.0), true), (Value::Null, false)] {
        let made = ada.post("/tokens", &json!({ "name": "a", "expires_in_days": days })).await.expect(201);
        assert_eq!(made.json["data"]["expires_at"].is_string(), ends, "{days}");
    }
    let form = |body: &'static str| {
        let request = ada.request(Method::POST, "/tokens").header("content-type", "application/x-www-form-urlencoded");
        send(request.body(body))
    };
    assert!(form("name=a&expires_in_days=90").await.expect(201).json["data"]["expires_at"].is_string());
    assert!(form("name=a&expires_in_days=").await.expect(201).json["data"]["expires_at"].is_null());
    form("name=a&expires_in_days=999").await.expect(422);
}

#[tokio::test]
async fn a_token_can_revoke_itself_but_no_stranger_s() {
    let service = TestService::start().await;
    let (ada, bob) = (service.account("ada").await, service.account("bob").await);
    bob.delete(&format!("/tokens/{}", ada.token_id())).await.expect(404);
    ada.delete(&format!("/tokens/{}", ada.token_id())).await.expect(200);
    ada.get("/user").await.expect(401);
    Snapshot::of(&service).await.check();
}

#[tokio::test]
async fn names_and_bodies_are_checked() {
    let service = TestService::start().await;
    let ada = service.account("ada").await;
    for (body, status, code) in [
        (json!({}), 422, "validation_failed"),
        (json!({ "name": "" }), 422, "validation_failed"),
        (json!({ "name": " \t" }), 422, "validation_failed"),
        (json!({ "name": 5 }), 422, "validation_failed"),
        (json!({ "name": null }), 422, "validation_failed"),
        (json!({ "name": "a\u{0}b" }), 422, "validation_failed"),
        (json!({ "name": "a\u{202e}b" }), 422, "validation_failed"),
        (json!({ "name": "\u{e9}".repeat(256) }), 422, "validation_failed"),
        (json!(["name"]), 400, "bad_request"),
        (json!({ "name": "\u{e9}".repeat(255) }), 201, ""),
    ] {
        let answer = ada.post("/tokens", &body).await;
        assert_eq!((answer.status, answer.code()), (status, code), "{body}: {}", answer.text);
    }
    let raw = async |content_type: &str, body: String| -> Answer {
        send(ada.request(Method::POST, "/tokens").header("content-type", content_type).body(body)).await
    };
    assert_eq!(raw("application/json", "{\"name\":\"a\",\"name\":\"b\"}".to_owned()).await.code(), "bad_request");
    assert_eq!(raw("application/json", "{".to_owned()).await.code(), "bad_request");
    assert_eq!(raw("application/json", "[".repeat(1_000)).await.code(), "bad_request");
    let large = format!("{{\"name\":\"{}\"}}", "a".repeat(65_536));
    assert_eq!(raw("application/json", large).await.expect(413).code(), "file_too_large");
    assert_eq!(raw("text/plain", "name=a".to_owned()).await.expect(415).code(), "unsupported_media_type");
    assert_eq!(raw("application/json", String::new()).await.expect(415).code(), "unsupported_media_type");
    let form = raw("application/x-www-form-urlencoded", "name=my+laptop".to_owned()).await.expect(201);
    assert_eq!(form.json["data"]["name"], "my laptop");
    Snapshot::of(&service).await.check();
}

/// What the tokens of one account make in an hour is limited, and one that was given it by an operator or the console is
/// none of those.
#[tokio::test]
async fn tokens_make_twenty_tokens_an_hour_together() {
    let clock = TestClock::at("10:00:00");
    let service = TestService::start_at(&clock).await;
    let (ada, bob) = (service.account("ada").await, service.account("bob").await);
    let made = ada.post("/tokens", &json!({ "name": "maker" })).await.expect(201);
    let maker = ada.with_token(made.json["data"]["token"].as_str().unwrap());
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
async fn a_token_made_by_a_token_ends_with_it_and_no_later() {
    let clock = TestClock::at("10:00:00");
    let service = TestService::start_at(&clock).await;
    let ada = service.account("ada").await;
    let make = async |maker: &Api, body: Value| {
        let made = maker.post("/tokens", &body).await.expect(201).json["data"].clone();
        (maker.with_token(made["token"].as_str().unwrap()), made)
    };
    let (brief, brief_record) = make(&ada, json!({ "name": "brief", "expires_in_days": 1 })).await;
    assert_eq!(brief_record["made_by"], ada.token_id());
    // whatever it asks for
    for days in [Value::Null, json!(1), json!(365)] {
        let (_, made) = make(&brief, json!({ "name": "child", "expires_in_days": days })).await;
        assert_eq!(made["expires_at"], brief_record["expires_at"], "{days}");
    }
    let (child, child_record) = make(&brief, json!({ "name": "child" })).await;
    let (grandchild, _) = make(&child, json!({ "name": "grandchild" })).await;
    let (sibling, _) = make(&ada, json!({ "name": "sibling" })).await;
    let list = ada.get("/tokens").await.json["data"].clone();
    let made_by = |name: &str| {
        let row = list.as_array().unwrap().iter().find(|row| row["name"] == name).unwrap();
        row["made_by"].clone()
    };
    assert_eq!(made_by("grandchild"), child_record["id"]);
    assert_eq!((made_by("sibling"), made_by("first")), (json!(ada.token_id()), Value::Null));

    ada.delete(&format!("/tokens/{}", brief_record["id"].as_str().unwrap())).await.expect(200);
    for ended in [&brief, &child, &grandchild] {
        ended.get("/user").await.expect(401);
        ended.post("/tokens", &json!({ "name": "again" })).await.expect(401);
    }
    sibling.get("/user").await.expect(200);
    let names: Vec<_> =
        ada.get("/tokens").await.json["data"].as_array().unwrap().iter().map(|t| t["name"].clone()).collect();
    assert_eq!(names, ["sibling", "first"]);
    Snapshot::of(&service).await.check();

    // the first goes last, by its own hand, and all with it
    let (last, _) = make(&sibling, json!({ "name": "last" })).await;
    ada.delete(&format!("/tokens/{}", ada.token_id())).await.expect(200);
    for ended in [&ada, &sibling, &last] {
        ended.get("/user").await.expect(401);
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
    let maker = ada.post("/tokens", &json!({ "name": "maker" })).await.expect(201).json["data"].clone();
    let child = ada.with_token(maker["token"].as_str().unwrap());
    let child = child.post("/tokens", &json!({ "name": "child" })).await.expect(201).json["data"].clone();
    let child = ada.with_token(child["token"].as_str().unwrap());
    service.wire.plan(|call| match call.operation.as_str() {
        "Query" => Fault::ServerError,
        _ => Fault::None,
    });
    ada.delete(&format!("/tokens/{}", maker["id"].as_str().unwrap())).await.expect(200);
    service.wire.heal();
    child.get("/user").await.expect(401);
    // whoever tries it has cleared it
    Snapshot::of(&service).await.check();
    assert_eq!(ada.get("/tokens").await.json["data"].as_array().unwrap().len(), 1);
}

#[tokio::test]
async fn a_hundred_tokens_are_the_most_also_in_a_race() {
    let service = TestService::start().await;
    let browser = Browser::registered(&service, "ada").await;
    let csrf = browser.csrf().await;
    let create = |name: String| {
        let request = browser.request(Method::POST, "/tokens").header("origin", browser.origin());
        send(request.form(&[("csrf", csrf.clone()), ("name", name)]))
    };
    let tries: Vec<_> = (0..120).map(|index| tokio::spawn(create(format!("t{index}")))).collect();
    let (mut made, mut unsure) = (0, 0);
    for attempt in tries {
        let answer = attempt.await.unwrap();
        match answer.status {
            200 => made += 1,
            // a slow machine does not get to all of them in time; what became of these is not known
            503 => unsure += 1,
            _ => assert!(answer.expect(422).text.contains("100 tokens are the most")),
        }
    }
    for _ in 0..unsure {
        persistently(|| create("again".to_owned())).await;
    }
    assert!((100 - unsure..=100).contains(&made), "{made}");
    assert!(browser.get("/tokens").await.expect(200).text.contains("Your tokens <span class=\"count\">100</span>"));
    Snapshot::of(&service).await.check();
}
