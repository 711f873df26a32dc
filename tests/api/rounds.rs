//! How many times each endpoint goes over the wire: what a user pays in latency.

use std::time::Duration;

use chrono::Utc;
use tests::api::Api;
use tests::sample::pdf;
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

/// The items that DynamoDB examined for a page of a large account.
#[tokio::test]
async fn page_500_reads_as_many_items_as_page_1() {
    let service = TestService::start().await;
    let ada = service.account("ada").await;
    fill(&service, &ada, 10_000).await;
    let mut lengths = Vec::new();
    for page in [1, 500] {
        let answer = ada.get(&format!("/pdf?page={page}")).await.expect(200);
        let rows = answer.json["data"].as_array().unwrap();
        assert_eq!(answer.json["meta"]["last_page"], 500);
        assert_eq!(rows[0]["filename"], format!("{}.pdf", 10_000 - (page - 1) * 20));
        lengths.push((rows.len(), examined(&service, &ada, page).await));
    }
    assert_eq!(lengths, [(20, 20), (20, 20)]);
}

/// DynamoDB's own count (`ScannedCount`) for the key range that a page asks for.
async fn examined(service: &TestService, api: &Api, page: i64) -> i32 {
    let last = 10_000 - (page - 1) * 20;
    let text = |text: String| aws_sdk_dynamodb::types::AttributeValue::S(text);
    let query = service.service().dynamodb().query().table_name(&service.service().template().table.name);
    let query = query
        .key_condition_expression("pk = :user AND sk BETWEEN :first AND :last")
        .expression_attribute_values(":user", text(format!("USER#{}", api.user())))
        .expression_attribute_values(":first", text(format!("ANALYSIS#{:012}", last - 19)))
        .expression_attribute_values(":last", text(format!("ANALYSIS#{last:012}")));
    query.send().await.unwrap().scanned_count()
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
