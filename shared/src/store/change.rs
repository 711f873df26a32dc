//! A change of one item, through whatever else is at work on it.

use aws_sdk_dynamodb::error::ProvideErrorMetadata;
pub(super) use aws_sdk_dynamodb::operation::update_item::builders::UpdateItemFluentBuilder as ItemUpdate;

use super::backoff::Backoff;
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
        let mut backoff = Backoff::until(deadline);
        loop {
            match deadline.limit(update.clone().send()).await? {
                Ok(_) => return Ok(true),
                Err(error) if error.code() == Some("ConditionalCheckFailedException") => return Ok(false),
                Err(error) if error.code() == Some("TransactionConflictException") => {
                    backoff.wait(|| Cause::of(&error)).await?;
                }
                Err(error) => return Err(failure(&error)),
            }
        }
    }
}
