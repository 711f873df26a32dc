//! GET, POST and DELETE of trusted issuers, and what analyses make of them.

use std::sync::Arc;

use engine::{Anchor, AnchorSource};
use futures_util::future::join_all;
use serde_json::{Value, json};
use server::Options;
use tests::api::{Answer, Api};
use tests::browser::Browser;
use tests::invariants::Snapshot;
use tests::service::{TestService, roomy};
use tests::trust::{authority, signed_under};

async fn trust(api: &Api, name: &str) -> String {
    let added = api.post("/trust", &json!({ "pem": authority(name) })).await.expect(201);
    added.json["data"][0]["id"].as_str().unwrap().to_owned()
}

/// What an account is told of a signature under the issuer `name`.
async fn told(api: &Api, name: &str) -> Value {
    api.analyze("contract.pdf", signed_under(name)).await.expect(200).json["data"]["metadata"]["integrity"].clone()
}

fn names(list: &Answer) -> Vec<&str> {
    list.json["data"].as_array().unwrap().iter().map(|issuer| issuer["name"].as_str().unwrap()).collect()
}

#[tokio::test]
async fn an_issuer_is_trusted_listed_and_removed() {
    let service = TestService::start().await;
    let ada = service.account("ada").await;
    let before = told(&ada, "Root").await;
    assert_eq!(before["signatures"][0]["trust"], Value::Null);
    let both = format!("a note\n{}\n{}", authority("Root"), authority("Other"));
    let added = ada.post("/trust", &json!({ "pem": both, "name": " Suppliers " })).await.expect(201);
    let issuer = &added.json["data"][0];
    assert_eq!((&issuer["name"], &issuer["subject"]), (&json!("Suppliers"), &json!("Root")));
    assert_eq!(issuer["valid_from"], "2020-01-01T00:00:00Z");
    let id = issuer["id"].as_str().unwrap();
    // once more changes nothing
    trust(&ada, "Root").await;
    assert_eq!(names(&ada.get("/trust").await.expect(200)), ["Suppliers", "Suppliers"]);

    let after = told(&ada, "Root").await;
    let found = &after["signatures"][0]["trust"];
    assert_eq!((&found["status"], &found["anchor"]["source"]), (&json!("trusted"), &json!("account")));
    assert_eq!(found["anchor"]["sha256"], id);
    assert_eq!(after["verdict"], before["verdict"], "whom somebody trusts changes nothing about what was done");
    assert_eq!(
        after["summary"],
        "The file is unchanged since \u{201c}Ann Signer\u{201d} signed it; you trust its issuer, \u{201c}Root\u{201d}."
    );
    assert_eq!(told(&ada, "Stranger").await["signatures"][0]["trust"]["status"], "not_trusted");

    ada.delete(&format!("/trust/{id}")).await.expect(200);
    ada.delete(&format!("/trust/{id}")).await.expect(404);
    assert_eq!(told(&ada, "Root").await["signatures"][0]["trust"]["status"], "not_trusted");
    Snapshot::of(&service).await.check();
}

#[tokio::test]
async fn what_is_no_issuer_is_refused_and_changes_nothing() {
    let service = TestService::start().await;
    let ada = service.account("ada").await;
    let no_pem = "-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----";
    let long = "x".repeat(101);
    let root = authority("Root");
    for (body, field) in [
        (json!({}), "pem"),
        (json!({ "pem": 5 }), "pem"),
        (json!({ "pem": "hello" }), "pem"),
        (json!({ "pem": no_pem }), "pem"),
        (json!({ "pem": format!("{root}{no_pem}") }), "pem"),
        (json!({ "pem": root, "name": long }), "name"),
    ] {
        let refused = ada.post("/trust", &body).await.expect(422);
        assert!(refused.json["error"]["details"]["fields"][field].is_array(), "{body}: {}", refused.text);
    }
    ada.delete("/trust/nothing").await.expect(404);
    assert!(names(&ada.get("/trust").await).is_empty());
}

#[tokio::test]
async fn an_account_trusts_fifty_and_no_more() {
    let service = TestService::start().await;
    let ada = service.account("ada").await;
    let all: String = (0..50).map(|number| authority(&format!("Root {number}"))).collect();
    ada.post("/trust", &json!({ "pem": all })).await.expect(201);
    let refused = ada.post("/trust", &json!({ "pem": authority("Root 50") })).await.expect(422);
    assert!(refused.text.contains("remove some first"), "{}", refused.text);
    assert_eq!(told(&ada, "Root 49").await["signatures"][0]["trust"]["status"], "trusted");
}

#[tokio::test]
async fn changes_at_once_are_all_there() {
    let service = TestService::start().await;
    let ada = service.account("ada").await;
    let names: Vec<String> = (0..4).map(|number| format!("Root {number}")).collect();
    join_all(names.iter().map(|name| trust(&ada, name))).await;
    assert_eq!(ada.get("/trust").await.json["data"].as_array().unwrap().len(), 4);
    Snapshot::of(&service).await.check();
}

#[tokio::test]
async fn nobody_elses_issuers_count_or_are_shown() {
    let service = TestService::start().await;
    let (ada, bob) = (service.account("ada").await, service.account("bob").await);
    let id = trust(&ada, "Root").await;
    assert_eq!(told(&bob, "Root").await["signatures"][0]["trust"], Value::Null);
    assert!(names(&bob.get("/trust").await).is_empty());
    bob.delete(&format!("/trust/{id}")).await.expect(404);
    assert_eq!(names(&ada.get("/trust").await), ["Root"]);
}

#[tokio::test]
async fn a_shared_report_says_whose_issuers_were_trusted() {
    let service = TestService::start().await;
    let ada = service.account("ada").await;
    trust(&ada, "Root").await;
    let analysis = ada.analyze("contract.pdf", signed_under("Root")).await.expect(200).json["data"]["id"].clone();
    let path = format!("/pdf/{}/share", analysis.as_str().unwrap());
    let shared = ada.post(&path, &json!({})).await.expect(201);
    let anybody = Browser::new(&service);
    let link = shared.json["data"]["url"].as_str().unwrap().strip_prefix(anybody.origin()).unwrap().to_owned();
    let json = anybody.get(&format!("{link}/json")).await.expect(200);
    let integrity = &json.json["metadata"]["integrity"];
    let summary = integrity["summary"].as_str().unwrap();
    assert!(summary.ends_with("whoever shared it trusts its issuer, \u{201c}Root\u{201d}."), "{summary}");
    assert_eq!(integrity["summary_shared"], Value::Null);
    let because = integrity["signatures"][0]["trust"]["because"].as_str().unwrap();
    assert!(because.starts_with("By the issuers whom whoever shared this trusts"), "{because}");
    let page = anybody.get(&link).await.expect(200);
    assert!(!page.text.contains("you trust"), "{}", page.text);
}

#[tokio::test]
async fn the_operators_issuers_count_for_everybody() {
    let anchors = Anchor::read(authority("Root").as_bytes(), AnchorSource::Operator).unwrap();
    let service = TestService::start_with(Options { trust: Arc::from(anchors), ..roomy() }).await;
    let ada = service.account("ada").await;
    let told = told(&ada, "Root").await;
    assert_eq!(told["signatures"][0]["trust"]["anchor"]["source"], "operator");
    assert!(told["summary"].as_str().unwrap().ends_with("its issuer, \u{201c}Root\u{201d}, is trusted here."));
}

#[tokio::test]
async fn the_console_shows_what_certificates_are_before_it_keeps_them() {
    let service = TestService::start().await;
    let mut browser = Browser::registered(&service, "ada").await;
    let pem = authority("Root");
    let page = browser.post("/trust", &[("pem", &pem)]).await.expect(200);
    assert!(page.text.contains("Do you trust them?") && page.text.contains("SHA-256"), "{}", page.text);
    assert!(browser.get("/trust").await.text.contains("No issuers yet"), "nothing is kept yet");
    let kept = [("pem", pem.as_str()), ("name", "Ours"), ("confirmed", "yes")];
    browser.post("/trust", &kept).await.expect(303);
    let page = browser.get("/trust").await.expect(200);
    assert!(page.text.contains("Ours"), "{}", page.text);
    let (_, rest) = page.text.split_once("action=\"/trust/").unwrap();
    let (id, _) = rest.split_once('/').unwrap();
    browser.post(&format!("/trust/{id}/remove"), &[]).await.expect(303);
    assert!(browser.get("/trust").await.text.contains("No issuers yet"));
    browser.post("/trust", &[("pem", "hello")]).await.expect(422);
}

#[tokio::test]
async fn issuers_that_are_removed_at_once_are_all_gone() {
    let service = TestService::start().await;
    let ada = service.account("ada").await;
    let mut ids = Vec::new();
    for number in 0..25 {
        ids.push(trust(&ada, &format!("Issuer {number}")).await);
    }
    let removals = ids.iter().map(|id| {
        let (ada, path) = (ada.clone(), format!("/trust/{id}"));
        tokio::spawn(async move { ada.delete(&path).await.status })
    });
    for removal in removals.collect::<Vec<_>>() {
        assert_eq!(removal.await.unwrap(), 200);
    }
    assert!(names(&ada.get("/trust").await.expect(200)).is_empty());
}
