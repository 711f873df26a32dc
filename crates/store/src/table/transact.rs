//! One TransactWriteItems call, its parts, and its failures.

use aws_sdk_dynamodb::error::ProvideErrorMetadata;
use aws_sdk_dynamodb::operation::transact_write_items::TransactWriteItemsError;
use aws_sdk_dynamodb::types::builders::{ConditionCheckBuilder, DeleteBuilder, PutBuilder, UpdateBuilder};
use aws_sdk_dynamodb::types::{
    CancellationReason, ConditionCheck, Delete, Put, ReturnValuesOnConditionCheckFailure, TransactWriteItem, Update,
};

use super::item::Item;
use super::key::ItemKey;
use super::{STORAGE_FULL, Store, failure};
use crate::deadline::Deadline;
use crate::error::{Cause, Error};

/// The outcome of one attempt at a transaction.
pub(super) enum Tried {
    /// All of it is stored.
    Stored,
    /// Nothing is stored; the reasons by item, in the order sent.
    Refused(Reasons),
    /// Unknown: the answer was lost, and it may be stored or in progress.
    Unknown(Cause),
}

/// DynamoDB's cancellation reasons.
pub(super) struct Reasons(Vec<CancellationReason>);

impl Reasons {
    /// Whether item `index` failed its condition.
    pub(super) fn refused(&self, index: usize) -> bool {
        self.code(index) == "ConditionalCheckFailed"
    }

    /// The current item of a failed condition; `None` if there was none.
    pub(super) fn found(&self, index: usize) -> Option<Item> {
        let reason = self.0.get(index).filter(|_| self.refused(index))?;
        reason.item.clone().filter(|attributes| !attributes.is_empty()).map(Item::new)
    }

    /// Whether the transaction conflicted with another one or was throttled, so that a retry can succeed.
    pub(super) fn passing(&self) -> bool {
        (0..self.0.len()).any(|index| {
            matches!(
                self.code(index),
                "TransactionConflict" | "ProvisionedThroughputExceeded" | "ThrottlingError" | "RequestLimitExceeded"
            )
        })
    }

    /// For the log.
    pub(super) fn cause(&self) -> Cause {
        let codes: Vec<_> = (0..self.0.len()).map(|index| self.code(index)).collect();
        Cause::text(format!("transaction cancelled: {}", codes.join(", ")))
    }

    fn code(&self, index: usize) -> &str {
        self.0.get(index).and_then(|reason| reason.code.as_deref()).unwrap_or("None")
    }
}

impl Store {
    /// Sends `items` as one transaction. Canceled ones are not retried here: only the caller knows the meaning of a
    /// failed condition.
    pub(super) async fn transact(&self, items: Vec<TransactWriteItem>, deadline: Deadline) -> Result<Tried, Error> {
        let transaction = self.client.transact_write_items().set_transact_items(Some(items));
        let sent = deadline.limit(transaction.send()).await?;
        let Err(error) = sent else { return Ok(Tried::Stored) };
        match error.as_service_error() {
            Some(TransactWriteItemsError::TransactionCanceledException(cancelled)) => {
                Ok(Tried::Refused(Reasons(cancelled.cancellation_reasons().to_vec())))
            }
            Some(TransactWriteItemsError::TransactionInProgressException(_)) => {
                Ok(Tried::Unknown(Cause::text("transaction in progress")))
            }
            // also when it was throttled: an earlier attempt of the SDK may have been stored
            _ if error.code() == Some(STORAGE_FULL) => Err(failure(&error)),
            _ => match failure(&error) {
                Error::Unavailable(cause) => Ok(Tried::Unknown(cause)),
                bug => Err(bug),
            },
        }
    }
}

/// A refusal returns the current item.
const RETURN_CURRENT: ReturnValuesOnConditionCheckFailure = ReturnValuesOnConditionCheckFailure::AllOld;

/// A new item with this key, to be completed and converted by [`AsPart`].
pub(super) fn put(store: &Store, key: ItemKey) -> PutBuilder {
    Put::builder().table_name(&store.table).set_item(Some(key)).return_values_on_condition_check_failure(RETURN_CURRENT)
}

/// An update of the item with this key.
pub(super) fn update(store: &Store, key: ItemKey) -> UpdateBuilder {
    Update::builder()
        .table_name(&store.table)
        .set_key(Some(key))
        .return_values_on_condition_check_failure(RETURN_CURRENT)
}

/// The deletion of the item with this key.
pub(super) fn delete(store: &Store, key: ItemKey) -> DeleteBuilder {
    Delete::builder()
        .table_name(&store.table)
        .set_key(Some(key))
        .return_values_on_condition_check_failure(RETURN_CURRENT)
}

/// A condition check of the item with this key.
pub(super) fn check(store: &Store, key: ItemKey) -> ConditionCheckBuilder {
    ConditionCheck::builder()
        .table_name(&store.table)
        .set_key(Some(key))
        .return_values_on_condition_check_failure(RETURN_CURRENT)
}

/// A builder of a transaction's item.
pub(super) trait AsPart {
    /// The part.
    ///
    /// # Errors
    /// [`Error::Internal`]: a field is missing, which is a bug.
    fn part(self) -> Result<TransactWriteItem, Error>;
}

impl AsPart for PutBuilder {
    fn part(self) -> Result<TransactWriteItem, Error> {
        Ok(TransactWriteItem::builder().put(built(self.build())?).build())
    }
}

impl AsPart for UpdateBuilder {
    fn part(self) -> Result<TransactWriteItem, Error> {
        Ok(TransactWriteItem::builder().update(built(self.build())?).build())
    }
}

impl AsPart for ConditionCheckBuilder {
    fn part(self) -> Result<TransactWriteItem, Error> {
        Ok(TransactWriteItem::builder().condition_check(built(self.build())?).build())
    }
}

impl AsPart for DeleteBuilder {
    fn part(self) -> Result<TransactWriteItem, Error> {
        Ok(TransactWriteItem::builder().delete(built(self.build())?).build())
    }
}

/// Builds the request's item; a builder that lacks a field is a bug.
pub(super) fn built<T>(part: Result<T, aws_sdk_dynamodb::error::BuildError>) -> Result<T, Error> {
    part.map_err(Error::internal)
}
