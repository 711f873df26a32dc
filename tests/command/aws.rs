//! `--aws`: a server without stores of its own, beside another one on the same table and bucket.
//! The embedded stores of the other one play AWS.

use reqwest::Method;
use samples::small::{pdf, pdf_of_size};
use tests::api::{Answer, Api, send};
use tests::command::{Serving, run};
use tests::invariants::{Snapshot, all_readable};
use tests::service::TestService;

use crate::{PROGRAM, surroundings};

/// A second server on the table and bucket of `service`.
fn second(service: &TestService, more: &[&str]) -> Serving {
    let template = service.service().template();
    let stores = ["--aws", "--table", &template.table.name, "--bucket", &template.bucket.name];
    let environment = surroundings(service);
    let environment: Vec<_> = environment.iter().map(|(name, value)| (*name, value.as_str())).collect();
    Serving::start(PROGRAM, &[&stores, more].concat(), &environment)
}

#[tokio::test(flavor = "multi_thread")]
async fn two_servers_on_one_table_are_one_service() {
    let service = TestService::start().await;
    let here = service.account("ada").await;
    let other = second(&service, &[]);
    let there = here.at(other.origin.clone());

    let mut stored = Vec::new();
    // far beyond what API Gateway takes: this server takes it in one request
    let large = there.analyze("large.pdf", pdf_of_size("Large", 20 * 1024 * 1024)).await.expect(200);
    assert_eq!((&large.json["data"]["file_size"], &large.json["remaining_checks"]), (&(20 << 20).into(), &49.into()));
    stored.push(large.json["data"].clone());
    stored.push(here.analyze("a.pdf", pdf("A")).await.expect(200).json["data"].clone());
    let staged = there.stage("staged.pdf", pdf("B")).await;
    let staged = here.analyze_staged(&staged).await.expect(200);
    assert_eq!(staged.json["remaining_checks"], 47);
    stored.push(staged.json["data"].clone());

    for api in [&here, &there] {
        all_readable(api, &stored).await;
        assert_eq!(api.get("/pdf").await.json["meta"]["total"], 3);
        assert_eq!(api.used().await, 3);
    }
    assert_tokens_serve_both(&here, &there).await;
    there.delete(&format!("/tokens/{}", here.token_id())).await.expect(200);
    here.get("/user").await.expect(401);
    Snapshot::of(&service).await.check();
    assert!(other.stop(), "it did not end well");
}

/// A token made at one is good at the other.
async fn assert_tokens_serve_both(here: &Api, there: &Api) {
    let made = here.post("/tokens", &serde_json::json!({"name": "both"})).await.expect(201);
    let token = made.json["data"]["token"].as_str().unwrap();
    there.with_token(token).get("/user").await.expect(200);
}

#[tokio::test(flavor = "multi_thread")]
async fn it_makes_nothing_and_shows_what_it_uses() {
    let service = TestService::start().await;
    let other = second(&service, &[]);
    assert!(other.greeting.contains("DynamoDB  table Table in AWS"), "{}", other.greeting);
    assert!(other.greeting.contains("S3        bucket uploads in AWS"), "{}", other.greeting);
    assert!(!other.greeting.contains("pdfa_"), "{}", other.greeting);
    assert!(Snapshot::of(&service).await.is_empty(), "no account was asked for");
    // the same names from the environment, as the functions on Lambda have them
    let mut environment = surroundings(&service);
    environment.extend([("TABLE_NAME", "Table".to_owned()), ("UPLOAD_BUCKET", "uploads".to_owned())]);
    let environment: Vec<_> = environment.iter().map(|(name, value)| (*name, value.as_str())).collect();
    let third = Serving::start(PROGRAM, &["--aws"], &environment);
    let ada = service.account("ada").await.at(third.origin.clone());
    ada.get("/user").await.expect(200);
}

#[tokio::test(flavor = "multi_thread")]
async fn behind_a_proxy_the_console_s_cookie_is_for_https() {
    let service = TestService::start().await;
    let set_cookie = async |origin: &str, proxied: bool| -> Answer {
        let name = if proxied { "proxied" } else { "direct" };
        let email = format!("{name}{}@example.com", origin.len());
        let form = [("name", name), ("email", &email), ("password", "correct horse battery")];
        let client = reqwest::Client::builder().redirect(reqwest::redirect::Policy::none()).build().unwrap();
        let request = client.request(Method::POST, format!("{origin}/register")).form(&form);
        let request = request.header("x-forwarded-for", "203.0.113.7").header("x-forwarded-proto", "https");
        send(request.header("sec-fetch-site", "same-origin")).await.expect(303)
    };
    let behind = second(&service, &["--behind-proxy"]);
    let cookie = set_cookie(&behind.origin, true).await;
    assert!(cookie.header("set-cookie").starts_with("__Host-session="), "{:?}", cookie.headers);
    let before = second(&service, &[]);
    let cookie = set_cookie(&before.origin, false).await;
    assert!(cookie.header("set-cookie").starts_with("session="), "{:?}", cookie.headers);
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_missing_is_said_at_the_start() {
    let service = TestService::start().await;
    let said = |arguments: &[&str], without: &str, table: &str| {
        let mut environment = surroundings(&service);
        environment.retain(|(name, _)| *name != without);
        environment.extend([("TABLE_NAME", table.to_owned()), ("UPLOAD_BUCKET", "uploads".to_owned())]);
        environment.push(("AWS_EC2_METADATA_DISABLED", "true".to_owned()));
        let environment: Vec<_> = environment.iter().map(|(name, value)| (*name, value.as_str())).collect();
        let run = run(PROGRAM, &[&["--listen", "127.0.0.1:0"], arguments].concat(), &environment, "");
        assert!(!run.success);
        run.errors
    };
    assert!(said(&["--aws"], "", "").contains("--aws needs --table NAME, or TABLE_NAME in the environment"));
    assert!(said(&["--aws"], "AWS_REGION", "Table").contains("no AWS region is set; set AWS_REGION"));
    let nowhere = said(&["--aws"], "", "Nowhere");
    assert!(nowhere.contains("the table Nowhere cannot be read"), "{nowhere}");
    let bucketless = said(&["--aws", "--bucket", "nowhere"], "", "Table");
    assert!(
        bucketless.contains("the bucket nowhere cannot be read") && bucketless.contains("NoSuchBucket"),
        "{bucketless}"
    );
    let nobody = said(&["--aws"], "AWS_SECRET_ACCESS_KEY", "Table");
    assert!(nobody.contains("the table Table cannot be read") && nobody.contains("credentials"), "{nobody}");
    assert!(said(&["--table", "Table"], "", "").contains("--aws"));
    assert!(said(&["--aws", "--fresh"], "", "").contains("cannot be used with '--fresh'"));
}
