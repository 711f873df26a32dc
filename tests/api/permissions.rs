//! The template's policies: least privilege, proven by use. Every service of these tests is held to
//! them call by call; here everything that the service can do is done, and nothing may be left over.

use chrono::Utc;
use samples::small::pdf;
use serde_json::json;
use shared::deadline::Deadline;
use shared::ids::TokenId;
use shared::secret::ApiToken;
use shared::store::tokens::NewToken;
use tests::api::Api;
use tests::browser::Browser;
use tests::service::TestService;
use tests::trust::authority;

use crate::mcp::Client;

#[tokio::test]
async fn no_permission_goes_unused() {
    let service = TestService::start().await;
    api(&service).await;
    agent(&service).await;
    console(&service).await;
    assert_eq!(service.iam.used(), service.iam.allowed());
}

async fn api(service: &TestService) {
    let ada = service.account("ada").await;
    ada.get("/user").await.expect(200);
    let id = ada.analyze("a.pdf", pdf("A")).await.expect(200).json["data"]["id"].as_str().unwrap().to_owned();
    let upload = ada.stage("b.pdf", pdf("B")).await;
    ada.post("/pdf/analyze", &json!({ "upload_id": upload })).await.expect(200);
    let missing = ada.ticket("c.pdf", 1).await["upload_id"].clone();
    ada.post("/pdf/analyze", &json!({ "upload_id": missing })).await.expect(404);
    ada.analyze("c.pdf", b"no PDF".to_vec()).await.expect(422);
    ada.get("/pdf").await.expect(200);
    ada.get(&format!("/pdf/{id}")).await.expect(200);
    ada.replace(&format!("/pdf/{id}/reference"), &json!({ "reference": "CLM-7" })).await.expect(200);
    let issuers = ada.post("/trust", &json!({ "pem": authority("Root") })).await.expect(201);
    let issuer = issuers.json["data"][0]["id"].as_str().unwrap();
    ada.delete(&format!("/trust/{issuer}")).await.expect(200);
    let made = ada.post("/tokens", &json!({ "name": "laptop" })).await.expect(201);
    let fresh = ada.with_token(made.json["data"]["token"].as_str().unwrap());
    // a token's first use is written down, whatever function it is used with
    fresh.get("/tokens").await.expect(200);
    fresh.delete(&format!("/tokens/{}", ada.token_id())).await.expect(200);
    // a token that has ended is removed by whichever function meets it
    for path in ["/user", "/pdf"] {
        ended_token(service, &ada).await.get(path).await.expect(401);
    }
}

async fn agent(service: &TestService) {
    let (bob, cleo) = (service.account("bob").await, service.account("cleo").await);
    let client = Client::of(service, &bob);
    let ticket = client.call("prepare_upload", json!({ "filename": "a.pdf", "size": pdf("A").len() })).await;
    bob.put(ticket.data(), pdf("A")).await.expect(200);
    client.call("analyze", json!({ "upload_id": ticket.data()["upload_id"] })).await;
    let missing = client.call("prepare_upload", json!({ "filename": "b.pdf", "size": 1 })).await;
    client.call("analyze", json!({ "upload_id": missing.data()["upload_id"] })).await.error();
    client.call("list_analyses", json!({})).await;
    let ended = ended_token(service, &cleo).await;
    Client::of(service, &ended).ask("ping", json!({})).await.expect(401);
}

/// The same account by a token that has ended.
async fn ended_token(service: &TestService, api: &Api) -> Api {
    let ended = ApiToken::new(api.user(), TokenId::new(Utc::now())).unwrap();
    let new = NewToken { token: &ended, name: "ended", ends_at: Some(Utc::now()), maker: None, generation: 0 };
    service.store().create_token(&new, Utc::now(), Deadline::unhurried()).await.unwrap();
    api.with_token(&ended.reveal())
}

async fn console(service: &TestService) {
    let mut browser = Browser::registered(service, "eve").await;
    browser.get("/dashboard").await.expect(200);
    browser.upload("a.pdf", pdf("A")).await.expect(303);
    let path = browser.upload("r.pdf", pdf("R")).await.expect(303).header("location").to_owned();
    browser.post(&format!("{path}/reference"), &[("reference", "CLM-7")]).await.expect(303);
    let upload = browser.stage("s.pdf", pdf("S")).await;
    browser.script("/dashboard/analyses", &json!({ "upload_id": upload })).await.expect(200);
    let missing =
        browser.script("/dashboard/uploads", &json!({ "filename": "m.pdf", "file_size": 1 })).await.expect(201);
    let missing = json!({ "upload_id": missing.json["data"]["upload_id"] });
    browser.script("/dashboard/analyses", &missing).await.expect(404);
    browser.upload("b.pdf", b"no PDF".to_vec()).await.expect(422);
    browser.post("/tokens", &[("name", "laptop")]).await.expect(200);
    browser.get("/tokens").await.expect(200);
    browser.post("/logout", &[]).await.expect(303);
    browser.log_in("eve@example.com", "not the password").await.expect(422);
    browser.log_in("eve@example.com", tests::browser::PASSWORD).await.expect(303);
    let passwords = [("current_password", tests::browser::PASSWORD), ("password", "another good password")];
    browser.post("/account/password", &passwords).await.expect(303);
    browser.post("/account/delete", &[("confirm_password", "another good password")]).await.expect(200);
}

#[tokio::test]
async fn a_call_without_a_permission_is_refused() {
    let service = TestService::start().await;
    let platform = service.service().platform("UserFunction").unwrap();
    let query = platform.dynamodb.query().table_name(&platform.config.table).key_condition_expression("pk = :pk");
    let refused = format!("{:?}", query.send().await.unwrap_err());
    assert!(refused.contains("UserFunction is not authorized to perform: dynamodb:Query"), "{refused}");
    let platform = service.service().platform("PdfFunction").unwrap();
    let get = aws_sdk_s3::Client::from_conf(platform.s3.clone())
        .get_object()
        .bucket(&platform.config.upload_bucket)
        .key("elsewhere/1");
    let refused = format!("{:?}", get.send().await.unwrap_err());
    assert!(refused.contains("PdfFunction is not authorized to perform: s3:GetObject"), "{refused}");
}
