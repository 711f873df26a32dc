//! Transactions that are retried until they commit or fail: items change concurrently, and answers get lost.

use aws_sdk_dynamodb::types::TransactWriteItem;

use super::Store;
use super::backoff::Backoff;
use super::transact::{Reasons, Tried};
use crate::deadline::Deadline;
use crate::error::Error;
use crate::ids::UserId;

/// A transaction built from the last known state of the table.
pub(super) trait RetriedTransaction {
    /// The result.
    type End;

    /// Builds the items from the known state, and the result if they are stored.
    ///
    /// # Errors
    /// The result where no transaction is needed or possible.
    fn attempt(&self, store: &Store) -> Result<(Vec<TransactWriteItem>, Self::End), Error>;

    /// Updates the known state from the cancellation reasons. `answer_lost`: an earlier attempt may have been stored.
    ///
    /// # Errors
    /// A refusal that no other attempt can change.
    fn apply_refusal(&mut self, reasons: &Reasons, answer_lost: bool) -> Result<RefusalOutcome<Self::End>, Error>;
}

/// What cancellation reasons mean for the transaction.
pub(super) enum RefusalOutcome<T> {
    /// It is done, with this result.
    End(T),
    /// The known state was out of date and is updated; the next attempt uses it.
    Changed,
    /// The known state is unchanged.
    Nothing,
}

impl Store {
    /// Retries until `transaction` has a result. With a `user`, each attempt acquires the account's commit lock to
    /// avoid conflicts with its commits.
    ///
    /// # Errors
    /// Those of `transaction`; [`Error::Internal`] if it was refused for a permanent reason; [`Error::Unavailable`] at
    /// the deadline.
    pub(super) async fn run_transaction<W: RetriedTransaction>(
        &self,
        user: Option<UserId>,
        mut transaction: W,
        deadline: Deadline,
    ) -> Result<W::End, Error> {
        let mut backoff = Backoff::until(deadline);
        let mut answer_lost = false;
        loop {
            let (items, end) = transaction.attempt(self)?;
            let cause = match self.transact_locked(user, items, deadline).await? {
                Tried::Stored => return Ok(end),
                // items become visible one by one: some of an earlier attempt may be readable before the others
                Tried::Refused(reasons) if answer_lost && reasons.passing() => reasons.cause(),
                Tried::Refused(reasons) => match transaction.apply_refusal(&reasons, answer_lost)? {
                    RefusalOutcome::End(end) => return Ok(end),
                    RefusalOutcome::Nothing if !reasons.passing() => return Err(Error::Internal(reasons.cause())),
                    RefusalOutcome::Changed | RefusalOutcome::Nothing => reasons.cause(),
                },
                Tried::Unknown(cause) => {
                    answer_lost = true;
                    cause
                }
            };
            backoff.wait(|| cause).await?;
        }
    }

    async fn transact_locked(
        &self,
        user: Option<UserId>,
        items: Vec<TransactWriteItem>,
        deadline: Deadline,
    ) -> Result<Tried, Error> {
        let _guard = match user {
            Some(user) => Some(self.queues.lock(user, deadline).await?),
            None => None,
        };
        self.transact(items, deadline).await
    }

    /// Sends the same `items` at each attempt. Returns `stored` once they are stored; `refusal` may derive another
    /// result from the failed conditions and from whether an earlier attempt may have been stored.
    ///
    /// # Errors
    /// As [`Store::run_transaction`].
    pub(super) async fn settle<T: Clone>(
        &self,
        items: Vec<TransactWriteItem>,
        deadline: Deadline,
        stored: T,
        refusal: impl Fn(&Reasons, bool) -> Option<Result<T, Error>>,
    ) -> Result<T, Error> {
        self.run_transaction(None, FixedItems { items, stored, refusal }, deadline).await
    }
}

struct FixedItems<T, F> {
    items: Vec<TransactWriteItem>,
    stored: T,
    refusal: F,
}

impl<T: Clone, F: Fn(&Reasons, bool) -> Option<Result<T, Error>>> RetriedTransaction for FixedItems<T, F> {
    type End = T;

    fn attempt(&self, _: &Store) -> Result<(Vec<TransactWriteItem>, T), Error> {
        Ok((self.items.clone(), self.stored.clone()))
    }

    fn apply_refusal(&mut self, reasons: &Reasons, answer_lost: bool) -> Result<RefusalOutcome<T>, Error> {
        Ok((self.refusal)(reasons, answer_lost).transpose()?.map_or(RefusalOutcome::Nothing, RefusalOutcome::End))
    }
}
