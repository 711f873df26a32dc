//! Updates of one item, retried while transactions lock it.

use aws_sdk_dynamodb::error::ProvideErrorMetadata;
use aws_sdk_dynamodb::operation::update_item::UpdateItemError;
pub(super) use aws_sdk_dynamodb::operation::update_item::builders::UpdateItemFluentBuilder as ItemUpdate;
use aws_sdk_dynamodb::types::ReturnValuesOnConditionCheckFailure;

use super::accounts::NOT_DELETING;
use super::backoff::Backoff;
use super::item::Item;
use super::key::{Row, key};
use super::{Store, failure};
use crate::deadline::Deadline;
use crate::error::{Cause, Error};
use crate::ids::UserId;

impl Store {
    /// An update of the user's item, to be completed and sent with [`Store::change`].
    pub(super) fn update(&self, user: UserId, row: Row) -> ItemUpdate {
        self.client.update_item().table_name(&self.table).set_key(Some(key(user, row)))
    }

    /// Sends `update` and retries if it conflicts with a transaction; `false` if its condition fails.
    pub(super) async fn change(&self, update: ItemUpdate, deadline: Deadline) -> Result<bool, Error> {
        self.change_once(update, deadline, |_| false).await
    }

    /// The same for an update that is not idempotent: its condition may fail because an earlier attempt succeeded but
    /// its answer was lost. `ours` recognizes that in the current item.
    pub(super) async fn change_once(
        &self,
        update: ItemUpdate,
        deadline: Deadline,
        ours: impl Fn(&Item) -> bool,
    ) -> Result<bool, Error> {
        let update = update.return_values_on_condition_check_failure(ReturnValuesOnConditionCheckFailure::AllOld);
        let mut backoff = Backoff::until(deadline);
        loop {
            match deadline.limit(update.clone().send()).await? {
                Ok(_) => return Ok(true),
                Err(error) if error.code() == Some("ConditionalCheckFailedException") => {
                    let found = match error.into_service_error() {
                        UpdateItemError::ConditionalCheckFailedException(refusal) => refusal.item,
                        _ => None,
                    };
                    return Ok(found.is_some_and(|found| ours(&Item::new(found))));
                }
                Err(error) if error.code() == Some("TransactionConflictException") => {
                    backoff.wait(|| Cause::of(&error)).await?;
                }
                Err(error) => return Err(failure(&error)),
            }
        }
    }

    /// Sends an `update` of an account that is not being deleted.
    ///
    /// # Errors
    /// [`Error::NotFound`] if it is deleted or being deleted; [`Error::Unavailable`].
    pub(super) async fn change_account(&self, update: ItemUpdate, deadline: Deadline) -> Result<(), Error> {
        if self.change(update.condition_expression(NOT_DELETING), deadline).await? {
            Ok(())
        } else {
            Err(Error::NotFound)
        }
    }
}
