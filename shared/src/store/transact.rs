//! One TransactWriteItems call, and what its failure means.

use aws_sdk_dynamodb::operation::transact_write_items::TransactWriteItemsError;
use aws_sdk_dynamodb::types::{CancellationReason, TransactWriteItem};

use super::backoff::Backoff;
use super::item::Item;
use super::{Store, failure};
use crate::deadline::Deadline;
use crate::error::{Cause, Error};

/// How one try at a transaction ended.
pub(super) enum Outcome {
    /// All of it is stored.
    Done,
    /// Nothing is stored; why, item by item in the order sent.
    Cancelled(Reasons),
    /// Another attempt at the same work is under way: wait and try again.
    InProgress,
    /// Whether it is stored is not known: the answer was lost.
    Unknown(Cause),
}

/// DynamoDB's cancellation reasons.
pub(super) struct Reasons(Vec<CancellationReason>);

impl Reasons {
    /// Whether item `index` failed its condition.
    pub(super) fn refused(&self, index: usize) -> bool {
        self.code(index) == "ConditionalCheckFailed"
    }

    /// The item as it was found where the condition failed; `None` if there was none.
    pub(super) fn found(&self, index: usize) -> Option<Item> {
        let reason = self.0.get(index).filter(|_| self.refused(index))?;
        reason.item.clone().filter(|attributes| !attributes.is_empty()).map(Item::new)
    }

    /// Whether the transaction met other work on the same items, or too much of it, so that
    /// trying again can help.
    pub(super) fn passing(&self) -> bool {
        (0..self.0.len()).any(|index| {
            matches!(
                self.code(index),
                "TransactionConflict" | "ProvisionedThroughputExceeded" | "ThrottlingError" | "RequestLimitExceeded"
            )
        })
    }

    /// Why to try again, now that what came with the refusal of `parts` is known. Each has a condition that another
    /// try can meet.
    ///
    /// # Errors
    /// [`Error::Internal`] if none of them was refused and nothing will pass.
    pub(super) fn to_try_again(&self, parts: &[usize]) -> Result<Cause, Error> {
        if parts.iter().any(|part| self.refused(*part)) || self.passing() {
            Ok(self.cause())
        } else {
            Err(Error::Internal(self.cause()))
        }
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
    /// Sends `items` as one transaction until it is stored, which gives `stored`, or `refusal` knows
    /// from the failed conditions how it ends. It is also told whether an earlier try may have been
    /// stored without an answer; while that one may be at work on the items just now, it is not asked.
    ///
    /// # Errors
    /// Those of `refusal`; [`Error::Internal`] if it was refused for what another try cannot mend;
    /// [`Error::Unavailable`] when the deadline comes first.
    pub(super) async fn settle<T>(
        &self,
        items: Vec<TransactWriteItem>,
        deadline: Deadline,
        stored: T,
        refusal: impl Fn(&Reasons, bool) -> Option<Result<T, Error>>,
    ) -> Result<T, Error> {
        let mut backoff = Backoff::until(deadline);
        let mut answer_lost = false;
        loop {
            let cause = match self.transact(items.clone(), deadline).await? {
                Outcome::Done => return Ok(stored),
                // the items change one by one: of an earlier try some may be there already, and others in the making
                Outcome::Cancelled(reasons) if answer_lost && reasons.passing() => reasons.cause(),
                Outcome::Cancelled(reasons) => match refusal(&reasons, answer_lost) {
                    Some(end) => return end,
                    None if reasons.passing() => reasons.cause(),
                    None => return Err(Error::Internal(reasons.cause())),
                },
                Outcome::InProgress => {
                    answer_lost = true;
                    Cause::text("transaction in progress")
                }
                Outcome::Unknown(cause) => {
                    answer_lost = true;
                    cause
                }
            };
            backoff.wait(|| cause).await?;
        }
    }

    /// Sends `items` as one transaction. Cancelled ones are not retried here: only the caller
    /// knows what a failed condition means.
    pub(super) async fn transact(&self, items: Vec<TransactWriteItem>, deadline: Deadline) -> Result<Outcome, Error> {
        let transaction = self.client.transact_write_items().set_transact_items(Some(items));
        let sent = deadline.limit(transaction.send()).await?;
        let Err(error) = sent else { return Ok(Outcome::Done) };
        match error.as_service_error() {
            Some(TransactWriteItemsError::TransactionCanceledException(cancelled)) => {
                Ok(Outcome::Cancelled(Reasons(cancelled.cancellation_reasons().to_vec())))
            }
            Some(TransactWriteItemsError::TransactionInProgressException(_)) => Ok(Outcome::InProgress),
            // also when it was throttled: an earlier attempt of the SDK's may have been stored
            _ => match failure(&error) {
                Error::Unavailable(cause) => Ok(Outcome::Unknown(cause)),
                bug => Err(bug),
            },
        }
    }
}

/// Builds one part of a transaction; a builder that lacks a field is a bug.
pub(super) fn built<T>(part: Result<T, aws_sdk_dynamodb::error::BuildError>) -> Result<T, Error> {
    part.map_err(|error| Error::Internal(Cause::of(&error)))
}
