//! The capacity units that calls consume, as DynamoDB counts them if it is asked.

use aws_smithy_runtime_api::client::orchestrator::{HttpRequest, HttpResponse};
use aws_smithy_types::body::SdkBody;
use serde_json::Value;

/// Asks DynamoDB for what the request consumes.
pub(super) fn ask(request: &mut HttpRequest) {
    if request.headers().get("x-amz-target").is_none() {
        return;
    }
    let body: Option<Value> = request.body().bytes().and_then(|body| serde_json::from_slice(body).ok());
    if let Some(Value::Object(mut body)) = body {
        body.insert("ReturnConsumedCapacity".to_owned(), "TOTAL".into());
        *request.body_mut() = SdkBody::from(Value::Object(body).to_string());
    }
}

/// What an answer says that its request consumed.
pub(super) fn consumed(answer: &HttpResponse) -> f64 {
    let body: Option<Value> = answer.body().bytes().and_then(|body| serde_json::from_slice(body).ok());
    let consumed = body.map(|body| body["ConsumedCapacity"].clone()).unwrap_or_default();
    // a list by table, or one table's
    let tables = consumed.as_array().cloned().unwrap_or_else(|| vec![consumed]);
    tables.iter().filter_map(|table| table["CapacityUnits"].as_f64()).sum()
}

/// Whether an operation consumes write units.
pub(super) fn writes(operation: &str) -> bool {
    ["TransactWriteItems", "UpdateItem", "PutItem", "DeleteItem", "BatchWriteItem"].contains(&operation)
}
