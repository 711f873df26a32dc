//! DynamoDB's operations, by the names that its clients send.

use dynoxide::{Database, DynoxideError};
use serde::Serialize;
use serde::de::DeserializeOwned;

/// What every client puts before an operation's name in `X-Amz-Target`.
const TARGET: &str = "DynamoDB_20120810.";

/// Carries out the operation that `target` names and gives its answer as JSON; `None` if there
/// is no such operation.
pub(super) fn carry_out(database: &Database, target: &str, body: &[u8]) -> Option<Result<String, DynoxideError>> {
    macro_rules! operations {
        ($($name:literal => $method:ident,)*) => {
            match target.strip_prefix(TARGET)? {
                $($name => Some(run(body, |request| database.$method(request))),)*
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

fn run<Q: DeserializeOwned, A: Serialize>(
    body: &[u8],
    operation: impl FnOnce(Q) -> Result<A, DynoxideError>,
) -> Result<String, DynoxideError> {
    let request = serde_json::from_slice(body).map_err(|error| unreadable(&error.to_string()))?;
    let answer = operation(request)?;
    serde_json::to_string(&answer).map_err(|error| DynoxideError::InternalServerError(error.to_string()))
}

/// dynoxide marks what is wrong with a value, rather than with the JSON.
fn unreadable(message: &str) -> DynoxideError {
    let marked = ["VALIDATION:", "VALIDATION_REQUEST:"].iter().find_map(|mark| message.strip_prefix(mark));
    match marked {
        Some(message) => DynoxideError::ValidationException(message.to_owned()),
        None => DynoxideError::SerializationException(message.to_owned()),
    }
}
