//! DynamoDB's operations by name.

use std::path::Path;

use dynoxide::actions::describe_table::{DescribeTableRequest, DescribeTableResponse};
use dynoxide::actions::vector_lifecycle::VectorIndexLifecycle;
use dynoxide::storage::Storage;
use dynoxide::{DynoxideError, actions};
use futures_util::FutureExt;
use rusqlite::config::DbConfig;
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::json;

/// dynoxide's state.
pub(super) struct Engine {
    pub(super) storage: Storage,
    lifecycle: VectorIndexLifecycle,
}

impl Engine {
    /// Opens `file` or memory.
    pub(super) fn open(file: Option<&Path>) -> Result<Self, DynoxideError> {
        let storage = match file {
            Some(file) => Storage::new(&file.to_string_lossy()),
            None => Storage::memory(),
        }?;
        // otherwise SQLite prepares a statement again for each range of keys
        storage.conn().set_db_config(DbConfig::SQLITE_DBCONFIG_ENABLE_QPSG, true)?;
        Ok(Self { storage, lifecycle: VectorIndexLifecycle::new() })
    }

    /// The description of a table.
    pub(super) fn describe(&self, request: DescribeTableRequest) -> Result<DescribeTableResponse, DynoxideError> {
        completed(actions::describe_table::execute(&self.storage, request, &self.lifecycle))
    }
}

/// Prefix of an operation's name in `X-Amz-Target`.
pub(super) const TARGET_PREFIX: &str = "DynamoDB_20120810.";

/// The media type of requests and answers.
pub(super) const JSON: &str = "application/x-amz-json-1.0";

/// An answer: HTTP status and JSON.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct StoreAnswer {
    pub(super) status: u16,
    pub(super) text: String,
}

impl StoreAnswer {
    /// An error answer, by the name of DynamoDB's exception.
    pub(super) fn refusal(status: u16, kind: &str, message: &str) -> Self {
        let kind = format!("com.amazon.coral.service#{kind}");
        Self { status, text: json!({"__type": kind, "message": message}).to_string() }
    }

    /// The answer of an operation's result.
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

/// The idempotency token of a transaction.
pub(super) fn token(target: &str, body: &[u8]) -> Option<String> {
    #[derive(serde::Deserialize)]
    struct Tokened {
        #[serde(rename = "ClientRequestToken")]
        token: Option<String>,
    }
    if target.strip_prefix(TARGET_PREFIX) != Some("TransactWriteItems") {
        return None;
    }
    serde_json::from_slice::<Tokened>(body).ok()?.token
}

/// Whether an operation needs disk space: one that deletes anything is allowed.
pub(super) fn stores(target: &str, body: &[u8]) -> bool {
    let deletes = || std::str::from_utf8(body).is_ok_and(|body| body.contains("\"Delete"));
    match target.strip_prefix(TARGET_PREFIX) {
        Some("PutItem" | "UpdateItem") => true,
        Some("BatchWriteItem" | "TransactWriteItems") => !deletes(),
        _ => false,
    }
}

/// Executes the operation of `target`, the value of `X-Amz-Target`. It blocks.
pub(super) fn answer(engine: &Engine, target: &str, body: &[u8]) -> StoreAnswer {
    execute(engine, target, body).unwrap_or_else(|| StoreAnswer::refusal(400, "UnknownOperationException", ""))
}

/// The operation's answer; `None` if there is no such operation.
fn execute(engine: &Engine, target: &str, body: &[u8]) -> Option<StoreAnswer> {
    macro_rules! operations {
        ($($name:literal => $module:ident,)* else $($on_tables:literal => $table_module:ident,)*) => {
            match target.strip_prefix(TARGET_PREFIX)? {
                $($name => Some(StoreAnswer::of(parse(body).and_then(|request| {
                    completed(actions::$module::execute(&engine.storage, request))
                }))),)*
                $($on_tables => Some(StoreAnswer::of(parse(body).and_then(|request| {
                    completed(actions::$table_module::execute(&engine.storage, request, &engine.lifecycle))
                }))),)*
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
        "UpdateTimeToLive" => update_time_to_live,
        else
        "DeleteTable" => delete_table,
        "DescribeTable" => describe_table,
        "UpdateTable" => update_table,
    }
}

/// The result of an operation, whose future never waits: SQLite blocks.
pub(super) fn completed<T>(operation: impl Future<Output = Result<T, DynoxideError>>) -> Result<T, DynoxideError> {
    let waits = || Err(DynoxideError::InternalServerError("an operation did not end".to_owned()));
    operation.now_or_never().unwrap_or_else(waits)
}

/// The operation's input.
pub(super) fn parse<Q: DeserializeOwned>(body: &[u8]) -> Result<Q, DynoxideError> {
    serde_json::from_slice(body).map_err(|error| unreadable(&error.to_string()))
}

fn text(answer: &impl Serialize) -> Result<String, DynoxideError> {
    serde_json::to_string(answer).map_err(|error| DynoxideError::InternalServerError(error.to_string()))
}

/// dynoxide distinguishes invalid values from invalid JSON.
fn unreadable(message: &str) -> DynoxideError {
    let marked = ["VALIDATION:", "VALIDATION_REQUEST:"].iter().find_map(|mark| message.strip_prefix(mark));
    match marked {
        Some(message) => DynoxideError::ValidationException(message.to_owned()),
        None => DynoxideError::SerializationException(message.to_owned()),
    }
}
