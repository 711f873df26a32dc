//! A change of one item, through whatever else is at work on it.

use aws_sdk_dynamodb::error::ProvideErrorMetadata;
use aws_sdk_dynamodb::operation::update_item::UpdateItemError;
pub(super) use aws_sdk_dynamodb::operation::update_item::builders::UpdateItemFluentBuilder as ItemUpdate;
use aws_sdk_dynamodb::types::ReturnValuesOnConditionCheckFailure;

use super::accounts::STAYING;
use super::backoff::Backoff;
use super::item::Item;
use super::key::{Row, key};
use super::{Store, failure};
use crate::deadline::Deadline;
use crate::error::{Cause, Error};
use crate::ids::UserId;

impl Store {
    /// A change of the user's item, to be described and sent with [`Store::change`].
    pub(super) fn update(&self, user: UserId, row: Row) -> ItemUpdate {
        self.client.update_item().table_name(&self.table).set_key(Some(key(user, row)))
    }

    /// Sends `update`, again if a transaction is at the item just then; `false` if its condition
    /// does not hold.
    pub(super) async fn change(&self, update: ItemUpdate, deadline: Deadline) -> Result<bool, Error> {
        self.change_once(update, deadline, |_| false).await
    }

    /// The same for a change that cannot be made twice: the condition may not hold because an earlier try, whose answer
    /// was lost on the way, was carried out. Whether it was, `ours` tells of the item as it is.
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

    /// Sends an `update` of an account on condition that it stays.
    ///
    /// # Errors
    /// [`Error::NotFound`] if it is gone or going; [`Error::Unavailable`].
    pub(super) async fn change_account(&self, update: ItemUpdate, deadline: Deadline) -> Result<(), Error> {
        if self.change(update.condition_expression(STAYING), deadline).await? { Ok(()) } else { Err(Error::NotFound) }
    }
}
