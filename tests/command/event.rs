//! `event`: what it prints, a function answers.

use std::collections::BTreeSet;

use lambda_http::{Body, RequestExt, Response};
use samples::small::{pdf, pdf_of_size};
use serde_json::Value;
use shared::function::Function;
use tests::api::Api;
use tests::events::{invoke, root};
use tests::service::TestService;

use crate::{output, refusal, run};

/// The event that a call of the API prints.
fn printed(name: &str, api: &Api, more: &[&str]) -> Value {
    let token = api.token();
    let arguments = [&["event", name, "--token", &token], more].concat();
    serde_json::from_str(&output(&arguments)).unwrap()
}

fn json(answer: &Response<Body>) -> Value {
    serde_json::from_slice(answer.body()).unwrap()
}

/// Whether an answer is one, in the envelope or as a tool's result.
fn succeeded(answer: &Value) -> bool {
    answer["success"] == true || answer["result"]["isError"] == false
}

#[tokio::test]
async fn every_event_of_the_api_is_answered_well() {
    let service = TestService::start().await;
    let ada = service.account("ada").await;
    let analysis = ada.analyze("a.pdf", pdf("A")).await.expect(200).json["data"]["id"].as_str().unwrap().to_owned();
    let token = ada.post("/tokens", &serde_json::json!({"name": "doomed"})).await.expect(201).json["data"]["id"]
        .as_str()
        .unwrap()
        .to_owned();
    let pem = tests::trust::authority("Root");
    let issuer = ada.post("/trust", &serde_json::json!({ "pem": pem })).await.expect(201).json["data"][0]["id"].clone();
    let issuer = issuer.as_str().unwrap().to_owned();
    let cases = [
        ("mcp-message", &[][..], 200),
        ("user-show", &[], 200),
        ("pdf-analyze", &[], 200),
        ("pdf-compare", &[], 200),
        ("pdf-stage", &[], 201),
        ("pdf-list", &[], 200),
        ("pdf-show", &["--id", &analysis], 200),
        ("pdf-reference", &["--id", &analysis], 200),
        ("pdf-share", &["--id", &analysis], 201),
        ("pdf-share-end", &["--id", &analysis], 200),
        ("pdf-delete", &["--id", &analysis], 200),
        ("tokens-list", &[], 200),
        ("tokens-create", &[], 201),
        ("tokens-revoke", &["--id", &token], 200),
        ("trust-add", &[], 201),
        ("trust-list", &[], 200),
        ("trust-remove", &["--id", &issuer], 200),
    ];
    for (name, more, status) in cases {
        let answer = invoke(&service, &printed(name, &ada, more)).await;
        assert_eq!(answer.status(), status, "{name}: {:?}", answer.body());
        assert!(succeeded(&json(&answer)), "{name}");
    }
    let all: BTreeSet<_> = server::events::names().filter(|name| !name.starts_with("web-")).collect();
    assert_eq!(cases.map(|(name, ..)| name).into_iter().collect::<BTreeSet<_>>(), all);
}

#[tokio::test]
async fn the_console_s_events_need_no_token() {
    let service = TestService::start().await;
    for name in server::events::names().filter(|name| name.starts_with("web-")) {
        let event: Value = serde_json::from_str(&output(&["event", name])).unwrap();
        let status = invoke(&service, &event).await.status().as_u16();
        // without a session: a page, the way to the log-in, or what an unknown asset or form gets; without mail: a refusal
        assert!([200, 303, 401, 403, 404, 422].contains(&status), "{name}: {status}");
    }
}

#[tokio::test]
async fn a_file_is_sent_whole_under_its_name() {
    let service = TestService::start().await;
    let ada = service.account("ada").await;
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("r\u{e9}sum\u{e9} \"1\".pdf");
    std::fs::write(&path, pdf_of_size("Large", 3_000_000)).unwrap();
    let file = ["--file", path.to_str().unwrap()];

    let answer = json(&invoke(&service, &printed("pdf-analyze", &ada, &file)).await);
    assert_eq!(answer["data"]["file_size"], 3_000_000, "{answer}");
    assert_eq!(answer["data"]["filename"], "r\u{e9}sum\u{e9} %221%22.pdf");
    assert_eq!(answer["data"]["metadata"]["document"]["title"], "Large");

    let announced = printed("pdf-stage", &ada, &file);
    let body: Value = serde_json::from_str(announced["body"].as_str().unwrap()).unwrap();
    assert_eq!(body["file_size"], 3_000_000);
    assert_eq!(invoke(&service, &announced).await.status(), 201);
}

#[tokio::test]
async fn each_event_is_a_request_of_its_own_made_now() {
    let service = TestService::start().await;
    let ada = service.account("ada").await;
    let before = chrono::Utc::now().timestamp_millis();
    let events = [printed("user-show", &ada, &[]), printed("user-show", &ada, &[])];
    let after = chrono::Utc::now().timestamp_millis();
    for event in &events {
        let context = &event["requestContext"];
        assert!((before..=after).contains(&context["timeEpoch"].as_i64().unwrap()), "{context}");
        let time = chrono::DateTime::parse_from_str(context["time"].as_str().unwrap(), "%d/%b/%Y:%H:%M:%S %z").unwrap();
        assert_eq!(time.timestamp(), context["timeEpoch"].as_i64().unwrap() / 1000);
    }
    let ids = |event: &Value| {
        [&event["requestContext"]["requestId"], &event["headers"]["x-amzn-trace-id"]].map(ToString::to_string)
    };
    let distinct: BTreeSet<_> = events.iter().flat_map(ids).collect();
    assert_eq!(distinct.len(), 4);
}

/// `cargo lambda` sets the same deadline in 1970 for every invocation.
#[tokio::test]
async fn a_deadline_that_had_passed_before_the_request_is_none() {
    let service = TestService::start().await;
    let ada = service.account("ada").await;
    let event = printed("user-show", &ada, &[]).to_string();
    let mut context = lambda_http::Context::default();
    context.deadline = 600_000;
    let request = lambda_http::request::from_str(&event).unwrap().with_lambda_context(context);
    let user = user::App::new(service.service().platform("UserFunction").unwrap().clone());
    assert_eq!(user.handle(request).await.status(), 200);
}

#[test]
fn what_cannot_be_printed_is_said_with_a_way_out() {
    let unknown = refusal(&["event", "user-shwo"]);
    for name in server::events::names() {
        assert!(unknown.contains(name), "{name} is not offered: {unknown}");
    }
    assert!(refusal(&["event", "user-show"]).contains("user-show needs --token"));
    assert!(refusal(&["event", "web-home", "--token", "t"]).contains("web-home takes no --token"));
    assert!(refusal(&["event", "user-show", "--token", "t", "--id", "1"]).contains("user-show takes no --id"));
    assert!(refusal(&["event", "user-show", "--token", "t", "--file", "Cargo.toml"]).contains("takes no --file"));
    assert!(refusal(&["event", "pdf-analyze", "--token", "t", "--file", "no.pdf"]).contains("no.pdf"));
}

#[test]
fn an_event_over_lambda_s_limit_is_warned_of() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("large.pdf");
    std::fs::write(&path, vec![b'x'; 5_000_000]).unwrap();
    let run = run(&["event", "pdf-analyze", "--token", "t", "--file", path.to_str().unwrap()]);
    assert!(run.success && run.output.len() > 6_600_000);
    assert!(run.errors.contains("Lambda takes events of up to 6291456 bytes"), "{}", run.errors);
}

#[test]
fn every_request_of_the_folder_is_embedded() {
    let files = std::fs::read_dir(root().join("events")).unwrap();
    let names = files.map(|entry| entry.unwrap().file_name().into_string().unwrap());
    let found: BTreeSet<_> =
        names.filter(|name| !name.starts_with("local") && !name.starts_with("scheduled")).collect();
    assert_eq!(found, server::events::names().map(|name| format!("{name}.json")).collect());
}
