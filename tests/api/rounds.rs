//! How many times each endpoint goes over the wire: what a user pays in latency.

use std::time::Duration;

use chrono::Utc;
use samples::small::pdf;
use serde_json::{Value, json};
use tests::api::{Api, send};
use tests::service::TestService;
use tests::wire::Traffic;

/// A service with a little latency, so that calls sent together overlap, and an account whose
/// token was just used, so that `last_used_at` is not written again.
async fn prepared() -> (TestService, Api) {
    let service = TestService::start().await;
    let ada = service.account("ada").await;
    ada.get("/user").await.expect(200);
    service.wire.set_latency(Duration::from_millis(20));
    let _ = service.wire.take();
    (service, ada)
}

fn assert_traffic(traffic: &Traffic, rounds: usize, operations: &[&str]) {
    let mut sent = traffic.operations.clone();
    sent.sort();
    assert_eq!((traffic.rounds, sent), (rounds, operations.iter().map(ToString::to_string).collect()));
}

#[tokio::test]
async fn every_endpoint_keeps_to_its_round_trips() {
    let (service, ada) = prepared().await;
    ada.get("/user").await.expect(200);
    assert_traffic(&service.wire.take(), 1, &["BatchGetItem"]);

    let analyzed = ada.analyze("a.pdf", pdf("A")).await.expect(200);
    assert_traffic(&service.wire.take(), 2, &["BatchGetItem", "TransactWriteItems"]);

    let id = analyzed.json["data"]["id"].as_str().unwrap();
    ada.get(&format!("/pdf/{id}")).await.expect(200);
    assert_traffic(&service.wire.take(), 1, &["BatchGetItem"]);

    ada.get("/pdf").await.expect(200);
    assert_traffic(&service.wire.take(), 2, &["BatchGetItem", "Query"]);

    ada.get("/tokens").await.expect(200);
    assert_traffic(&service.wire.take(), 1, &["BatchGetItem", "Query"]);

    let created = ada.post("/tokens", &json!({ "name": "second" })).await.expect(201);
    assert_traffic(&service.wire.take(), 2, &["BatchGetItem", "TransactWriteItems"]);

    let id = created.json["data"]["id"].as_str().unwrap();
    ada.delete(&format!("/tokens/{id}")).await.expect(200);
    assert_traffic(&service.wire.take(), 2, &["BatchGetItem", "TransactWriteItems"]);

    let file = pdf("A");
    let ticket = ada.ticket("a.pdf", file.len()).await;
    assert_traffic(&service.wire.take(), 1, &["BatchGetItem"]);

    ada.put(&ticket, file).await.expect(200);
    ada.analyze_staged(ticket["upload_id"].as_str().unwrap()).await.expect(200);
    assert_traffic(
        &service.wire.take(),
        4,
        &["BatchGetItem", "DeleteObject", "GetObject", "GetObject", "TransactWriteItems"],
    );
}

#[tokio::test]
async fn last_used_at_is_one_write_an_hour() {
    let service = TestService::start().await;
    let ada = service.account("ada").await;
    let _ = service.wire.take();
    ada.get("/user").await.expect(200);
    assert_traffic(&service.wire.take(), 2, &["BatchGetItem", "UpdateItem"]);
    ada.get("/user").await.expect(200);
    assert_traffic(&service.wire.take(), 1, &["BatchGetItem"]);
}

#[tokio::test]
async fn page_500_reads_as_many_items_as_page_1() {
    let service = TestService::start().await;
    let ada = service.account("ada").await;
    fill(&service, &ada, 10_000).await;
    for page in [1, 500] {
        let _ = service.wire.take();
        let answer = ada.get(&format!("/pdf?page={page}")).await.expect(200);
        let rows = answer.json["data"].as_array().unwrap();
        assert_eq!((rows.len(), answer.json["meta"]["last_page"].as_u64()), (20, Some(500)));
        assert_eq!(rows[0]["filename"], format!("{}.pdf", 10_000 - (page - 1) * 20));
        let queries = service.wire.take().queries;
        assert_eq!(queries.len(), 1);
        assert_eq!(examined(&service, &queries[0]).await, 20, "page {page}");
    }
}

/// How many items DynamoDB examines for a query, by its own count.
async fn examined(service: &TestService, query: &Value) -> u64 {
    let request = reqwest::Client::new()
        .post(service.service().embedded().unwrap().dynamodb_endpoint())
        .header("x-amz-target", "DynamoDB_20120810.Query")
        .header("content-type", "application/x-amz-json-1.0")
        // the embedded DynamoDB wants to see a signature, but does not check it, nor the day
        .header(
            "authorization",
            "AWS4-HMAC-SHA256 Credential=local/19700101/r/dynamodb/aws4_request, SignedHeaders=host, Signature=0",
        )
        .header("x-amz-date", "19700101T000000Z")
        .body(query.to_string());
    send(request).await.expect(200).json["ScannedCount"].as_u64().unwrap()
}

/// Writes `count` analyses straight into the table.
async fn fill(service: &TestService, api: &Api, count: u64) {
    use aws_sdk_dynamodb::types::{AttributeValue, PutRequest, WriteRequest};
    let table = &service.service().template().table.name;
    let pk = AttributeValue::S(format!("USER#{}", api.user()));
    let numbers: Vec<u64> = (1..=count).collect();
    for chunk in numbers.chunks(25) {
        let rows = chunk.iter().map(|number| {
            let put = PutRequest::builder()
                .item("pk", pk.clone())
                .item("sk", AttributeValue::S(format!("ANALYSIS#{number:012}")))
                .item("id", AttributeValue::S(shared::ids::AnalysisId::new(*number).to_string()))
                .item("filename", AttributeValue::S(format!("{number}.pdf")))
                .item("file_size", AttributeValue::N("1".to_owned()))
                .item("analyzed_at", AttributeValue::S(shared::quota::timestamp(Utc::now())));
            WriteRequest::builder().put_request(put.build().unwrap()).build()
        });
        let batch = service.service().dynamodb().batch_write_item().request_items(table, rows.collect());
        batch.send().await.unwrap();
    }
    let account = service.service().dynamodb().update_item().table_name(table);
    let account = account
        .key("pk", pk)
        .key("sk", AttributeValue::S("ACCOUNT".to_owned()))
        .update_expression("SET analyses = :count")
        .expression_attribute_values(":count", AttributeValue::N(count.to_string()));
    account.send().await.unwrap();
}
