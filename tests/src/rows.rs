//! Items written straight into the table, as this service or an earlier version of it leaves them.

use std::collections::HashMap;

use aws_sdk_dynamodb::types::{AttributeValue, PutRequest, WriteRequest};
use chrono::Utc;
use shared::ids::AnalysisId;
use shared::quota::timestamp;

use crate::api::Api;
use crate::service::TestService;

/// An attribute's value that is a text.
#[must_use]
pub fn text(value: &str) -> AttributeValue {
    AttributeValue::S(value.to_owned())
}

/// Gives the account `count` analyses without metadata; `verdict` tells what each number's is.
pub async fn fill(service: &TestService, api: &Api, count: u64, verdict: impl Fn(u64) -> Option<&'static str>) {
    let table = &service.service().template().table.name;
    let pk = AttributeValue::S(format!("USER#{}", api.user()));
    let numbers: Vec<u64> = (1..=count).collect();
    for chunk in numbers.chunks(25) {
        let rows = chunk.iter().map(|number| {
            let mut put = PutRequest::builder()
                .item("pk", pk.clone())
                .item("sk", AttributeValue::S(format!("ANALYSIS#{number:012}")))
                .item("id", AttributeValue::S(AnalysisId::new(*number).to_string()))
                .item("filename", AttributeValue::S(format!("{number}.pdf")))
                .item("file_size", AttributeValue::N("1".to_owned()))
                .item("analyzed_at", AttributeValue::S(timestamp(Utc::now())));
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
