//! Items written straight into the table, as this service or an earlier version of it leaves them.

use std::collections::HashMap;

use aws_sdk_dynamodb::types::{AttributeValue, PutRequest, WriteRequest};
use chrono::Utc;
use serde_json::Value;
use shared::ids::AnalysisId;
use shared::quota::{Day, timestamp};

use crate::api::{Api, send};
use crate::service::TestService;

/// An attribute's value that is a text.
#[must_use]
pub fn text(value: &str) -> AttributeValue {
    AttributeValue::S(value.to_owned())
}

/// The account's attribute that counts the analyses stored today.
#[must_use]
pub fn used_today() -> String {
    format!("used:{}", Day::of(Utc::now()))
}

/// Gives the account `count` analyses without metadata; `verdict` returns that of each number.
pub async fn fill(service: &TestService, api: &Api, count: u64, verdict: impl Fn(u64) -> Option<&'static str>) {
    let table = &service.service().template().table.name;
    let pk = AttributeValue::S(format!("USER#{}", api.user()));
    let numbers: Vec<u64> = (1..=count).collect();
    for chunk in numbers.chunks(25) {
        let rows = chunk.iter().map(|number| {
            let mut put = PutRequest::builder().set_item(Some(analysis(api, *number)));
            if let Some(verdict) = verdict(*number) {
                put = put.item("verdict", text(verdict));
            }
            WriteRequest::builder().put_request(put.build().unwrap()).build()
        });
        let batch = service.service().dynamodb().batch_write_item().request_items(table, rows.collect());
        batch.send().await.unwrap();
    }
    let account = service.service().dynamodb().update_item().table_name(table);
    let account = account
        .key("pk", pk)
        .key("sk", text("ACCOUNT"))
        .update_expression("SET analyses = :count")
        .expression_attribute_values(":count", AttributeValue::N(count.to_string()));
    account.send().await.unwrap();
}

/// The account's analysis of this number, without a verdict.
#[must_use]
pub fn analysis(api: &Api, number: u64) -> HashMap<String, AttributeValue> {
    HashMap::from([
        ("pk".to_owned(), AttributeValue::S(format!("USER#{}", api.user()))),
        ("sk".to_owned(), AttributeValue::S(format!("ANALYSIS#{number:012}"))),
        ("id".to_owned(), AttributeValue::S(AnalysisId::new(number).to_string())),
        ("filename".to_owned(), AttributeValue::S(format!("{number}.pdf"))),
        ("file_size".to_owned(), AttributeValue::N("1".to_owned())),
        ("analyzed_at".to_owned(), AttributeValue::S(timestamp(Utc::now()))),
    ])
}

/// Gives the account deleted numbers in as many blocks as it may have, one of which has one analysis left: returns the
/// ids of that analysis and of one in a block without deleted numbers.
pub async fn scatter(service: &TestService, api: &Api) -> (String, String) {
    let number = |number: u64| AttributeValue::N(number.to_string());
    let holes = (0..2_000).map(|block: u64| (block.to_string(), number(if block == 0 { 255 } else { 1 })));
    let mut account = read(service, api, "ACCOUNT").await;
    account.insert("holes".to_owned(), AttributeValue::M(holes.collect()));
    account.insert("analyses".to_owned(), number(2_001 * 256));
    let (old, new) = (analysis(api, 1), analysis(api, 2_000 * 256 + 1));
    let ids = (old["id"].as_s().unwrap().clone(), new["id"].as_s().unwrap().clone());
    for item in [account, old, new] {
        write(service, item).await;
    }
    ids
}

/// An item of the account's.
pub async fn read(service: &TestService, api: &Api, sort_key: &str) -> HashMap<String, AttributeValue> {
    let table = &service.service().template().table.name;
    let get = service.service().dynamodb().get_item().table_name(table).consistent_read(true);
    let get = get.key("pk", AttributeValue::S(format!("USER#{}", api.user()))).key("sk", text(sort_key));
    get.send().await.unwrap().item.unwrap()
}

/// Writes an item as it is.
pub async fn write(service: &TestService, item: HashMap<String, AttributeValue>) {
    let table = &service.service().template().table.name;
    service.service().dynamodb().put_item().table_name(table).set_item(Some(item)).send().await.unwrap();
}

/// Deletes an item of the account's.
pub async fn delete(service: &TestService, api: &Api, sort_key: &str) {
    let table = &service.service().template().table.name;
    let delete = service.service().dynamodb().delete_item().table_name(table);
    let delete = delete.key("pk", AttributeValue::S(format!("USER#{}", api.user()))).key("sk", text(sort_key));
    delete.send().await.unwrap();
}

/// How many items DynamoDB examines for a query, by its own count.
/// # Panics
/// When it does not answer.
pub async fn examined(service: &TestService, query: &Value) -> u64 {
    let request = service
        .http
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
