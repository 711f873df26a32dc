//! DynamoDB's operations, by the names that its clients send.

use dynoxide::{Database, DynoxideError};
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::json;

/// What every client puts before an operation's name in `X-Amz-Target`.
const TARGET: &str = "DynamoDB_20120810.";

/// The media type of requests and answers.
pub(super) const JSON: &str = "application/x-amz-json-1.0";

/// What DynamoDB answers: an HTTP status and JSON.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct StoreAnswer {
    pub(super) status: u16,
    pub(super) text: String,
}

impl StoreAnswer {
    /// A refusal of the front's, by the name of DynamoDB's exception.
    pub(super) fn refusal(status: u16, kind: &str, message: &str) -> Self {
        let kind = format!("com.amazon.coral.service#{kind}");
        Self { status, text: json!({"__type": kind, "message": message}).to_string() }
    }

    /// What an operation gave.
    pub(super) fn of(result: Result<impl Serialize, DynoxideError>) -> Self {
        match result.and_then(|answer| text(&answer)) {
            Ok(text) => Self { status: 200, text },
            Err(error) => Self::failure(&error),
        }
    }

    pub(super) fn failure(error: &DynoxideError) -> Self {
        Self { status: error.status_code(), text: error.to_json() }
    }

    pub(super) fn is_success(&self) -> bool {
        self.status == 200
    }
}

/// Whether `target` names the operation that repeats carry a token of.
pub(super) fn is_transaction(target: &str) -> bool {
    target.strip_prefix(TARGET) == Some("TransactWriteItems")
}

/// Whether an operation needs more room than it gives back: one that deletes anything is let through.
pub(super) fn stores(target: &str, body: &[u8]) -> bool {
    let deletes = || std::str::from_utf8(body).is_ok_and(|body| body.contains("\"Delete"));
    match target.strip_prefix(TARGET) {
        Some("PutItem" | "UpdateItem") => true,
        Some("BatchWriteItem" | "TransactWriteItems") => !deletes(),
        _ => false,
    }
}

/// Carries out the operation that `target`, the value of `X-Amz-Target`, names. It blocks.
pub(super) fn answer(database: &Database, target: &str, body: &[u8]) -> StoreAnswer {
    carry_out(database, target, body).unwrap_or_else(|| StoreAnswer::refusal(400, "UnknownOperationException", ""))
}

/// The operation's answer; `None` if there is no such operation.
fn carry_out(database: &Database, target: &str, body: &[u8]) -> Option<StoreAnswer> {
    macro_rules! operations {
        ($($name:literal => $method:ident,)*) => {
            match target.strip_prefix(TARGET)? {
                $($name => Some(StoreAnswer::of(parse(body).and_then(|request| database.$method(request)))),)*
                _ => None,
            }
        };
    }
    operations! {
        "BatchExecuteStatement" => batch_execute_statement,
        "BatchGetItem" => batch_get_item,
        "BatchWriteItem" => batch_write_item,
        "CreateTable" => create_table,
        "DeleteItem" => delete_item,
        "DeleteTable" => delete_table,
        "DescribeTable" => describe_table,
        "DescribeTimeToLive" => describe_time_to_live,
        "ExecuteStatement" => execute_statement,
        "ExecuteTransaction" => execute_transaction,
        "GetItem" => get_item,
        "ListTables" => list_tables,
        "ListTagsOfResource" => list_tags_of_resource,
        "PutItem" => put_item,
        "Query" => query,
        "Scan" => scan,
        "TagResource" => tag_resource,
        "TransactGetItems" => transact_get_items,
        "TransactWriteItems" => transact_write_items,
        "UntagResource" => untag_resource,
        "UpdateItem" => update_item,
        "UpdateTable" => update_table,
        "UpdateTimeToLive" => update_time_to_live,
    }
}

/// The operation's input.
pub(super) fn parse<Q: DeserializeOwned>(body: &[u8]) -> Result<Q, DynoxideError> {
    serde_json::from_slice(body).map_err(|error| unreadable(&error.to_string()))
}

fn text(answer: &impl Serialize) -> Result<String, DynoxideError> {
    serde_json::to_string(answer).map_err(|error| DynoxideError::InternalServerError(error.to_string()))
}

/// dynoxide marks what is wrong with a value, rather than with the JSON.
fn unreadable(message: &str) -> DynoxideError {
    let marked = ["VALIDATION:", "VALIDATION_REQUEST:"].iter().find_map(|mark| message.strip_prefix(mark));
    match marked {
        Some(message) => DynoxideError::ValidationException(message.to_owned()),
        None => DynoxideError::SerializationException(message.to_owned()),
    }
}
