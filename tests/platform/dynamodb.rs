//! The embedded DynamoDB, as the template's table.

use aws_sdk_dynamodb::types::AttributeValue;
use chrono::Utc;
use reqwest::{Client, Method, RequestBuilder};
use server::{Options, Service};

use crate::start::kept;

fn text(value: &str) -> AttributeValue {
    AttributeValue::S(value.to_owned())
}

#[tokio::test]
async fn a_restart_keeps_every_acknowledged_item() {
    let folder = tempfile::tempdir().unwrap();
    for start in 0..3 {
        let service = kept(&folder).await;
        assert_eq!(service.embedded().unwrap().first_start(), start == 0);
        let table = &service.template().table.name;
        let put = service.dynamodb().put_item().table_name(table);
        put.item("pk", text("a")).item("sk", text(&start.to_string())).send().await.unwrap();
        let all = service.dynamodb().scan().table_name(table).send().await.unwrap();
        assert_eq!(all.count, start + 1);
        if start == 1 {
            service.shutdown().await;
        }
    }
}

#[tokio::test]
async fn expired_items_are_swept() {
    let service = Service::start(Options::default()).await.unwrap();
    let table = service.template().table.clone();
    let expires = table.ttl_attribute;
    let now = Utc::now().timestamp();
    for (sk, time) in [("past", now - 1), ("future", now + 3600)] {
        let put = service.dynamodb().put_item().table_name(&table.name).item("pk", text("a")).item("sk", text(sk));
        put.item(&expires, AttributeValue::N(time.to_string())).send().await.unwrap();
    }
    service.sweep().await;
    let left = service.dynamodb().scan().table_name(&table.name).send().await.unwrap();
    let left: Vec<_> = left.items().iter().map(|item| item["sk"].clone()).collect();
    assert_eq!(left, [text("future")]);
}

/// The date is long past: the store checks only the key.
const SIGNED: &str = "AWS4-HMAC-SHA256 Credential=local/19700101/eu-central-1/dynamodb/aws4_request, \
    SignedHeaders=host;x-amz-date, Signature=00";

/// A request of another program of this machine, before it is modified.
fn list_tables(service: &Service) -> RequestBuilder {
    operation(service, "ListTables")
}

fn operation(service: &Service, name: &str) -> RequestBuilder {
    let request = Client::new()
        .post(service.embedded().unwrap().dynamodb_endpoint())
        .header("x-amz-target", format!("DynamoDB_20120810.{name}"));
    request.header("content-type", "application/x-amz-json-1.0").body("{}")
}

#[tokio::test]
async fn programs_with_the_key_are_answered() {
    let service = Service::start(Options::default()).await.unwrap();
    let answer = list_tables(&service).header("authorization", SIGNED).send().await.unwrap();
    assert_eq!(answer.status(), 200);
    assert!(answer.text().await.unwrap().contains(&service.template().table.name));
    for (name, kind) in [("Nothing", "UnknownOperationException"), ("PutItem", "ValidationException")] {
        let answer = operation(&service, name).header("authorization", SIGNED).send().await.unwrap();
        assert_eq!(answer.status(), 400, "{name}");
        let text = answer.text().await.unwrap();
        assert!(text.contains(kind), "{name}: {text}");
    }
}

#[tokio::test]
async fn pages_in_a_browser_are_not() {
    let service = Service::start(Options::default()).await.unwrap();
    let preflight = Client::new().request(Method::OPTIONS, service.embedded().unwrap().dynamodb_endpoint());
    let preflight = preflight.header("origin", "https://example.org").header("access-control-request-method", "POST");
    let signed = || list_tables(&service).header("authorization", SIGNED);
    let name = &service.template().table.name;
    for (what, request, status) in [
        ("preflight", preflight, 403),
        ("foreign origin", signed().header("origin", "https://example.org"), 403),
        ("opaque origin", signed().header("origin", "null"), 403),
        ("its own origin", signed().header("origin", service.embedded().unwrap().dynamodb_endpoint()), 403),
        ("rebound name", signed().header("host", "example.org:8000"), 403),
        ("address in a name", signed().header("host", "127.0.0.1.example.org"), 403),
        ("unsigned", list_tables(&service), 400),
        ("another scheme", list_tables(&service).header("authorization", "Basic bG9jYWw6bG9jYWw="), 400),
        ("another key", list_tables(&service).header("authorization", SIGNED.replace("local/", "other/")), 400),
        ("navigation", Client::new().get(service.embedded().unwrap().dynamodb_endpoint()), 404),
    ] {
        let answer = request.send().await.unwrap();
        assert_eq!(answer.status(), status, "{what}");
        assert!(!answer.headers().keys().any(|name| name.as_str().starts_with("access-control-")), "{what}");
        assert!(!answer.text().await.unwrap().contains(name), "{what}");
    }
}
