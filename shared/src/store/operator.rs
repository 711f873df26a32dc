//! What an operator sees and does of somebody's account.

use chrono::{DateTime, Utc};

use super::change::ItemUpdate;
use super::item::{Item, instant, number};
use super::key::{Row, email_key};
use super::logins::owner_of;
use super::{Rows, Store};
use crate::deadline::Deadline;
use crate::error::Error;
use crate::ids::UserId;

/// An account that is being deleted is its owner's business.
const NOT_LEAVING: &str = "attribute_exists(pk) AND attribute_not_exists(deleting)";

/// Since when an account is there, and since when it is disabled.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Standing {
    /// When it was created.
    pub created_at: DateTime<Utc>,
    /// When an operator disabled it; `None` if it is not.
    pub disabled_at: Option<DateTime<Utc>>,
}

impl Rows {
    /// The account's standing, if its row was read and is there.
    ///
    /// # Errors
    /// [`Error::Internal`] if the stored item is malformed.
    pub fn standing(&self) -> Result<Option<Standing>, Error> {
        let read = |item: &Item| {
            let (created_at, disabled_at) = (item.instant("created_at")?, item.optional_instant("disabled")?);
            Ok(Standing { created_at, disabled_at })
        };
        self.get(Row::Account).map(read).transpose()
    }
}

impl Store {
    /// Who has registered this e-mail address, in any case of its letters.
    ///
    /// # Errors
    /// [`Error::Unavailable`] when the table does not answer.
    pub async fn owner_of_email(&self, email: &str, deadline: Deadline) -> Result<Option<UserId>, Error> {
        let found = self.read_keys(vec![email_key(email)], deadline).await?;
        found.first().map(owner_of).transpose()
    }

    /// Allows the account `limit` analyses a day, from the next one on.
    ///
    /// # Errors
    /// [`Error::NotFound`] if the account is gone or going; [`Error::Unavailable`].
    pub async fn set_daily_limit(&self, user: UserId, limit: u64, deadline: Deadline) -> Result<(), Error> {
        let update = self
            .update(user, Row::Account)
            .update_expression("SET daily_limit = :limit")
            .condition_expression(NOT_LEAVING)
            .expression_attribute_values(":limit", number(limit));
        self.supervise(update, deadline).await
    }

    /// Disables the account: from now on none of its tokens is good, nobody can log in, and the
    /// sessions there are end for ever. An analysis under way is not stored any more.
    ///
    /// # Errors
    /// [`Error::NotFound`] if the account is gone or going; [`Error::Unavailable`].
    pub async fn disable_account(&self, user: UserId, now: DateTime<Utc>, deadline: Deadline) -> Result<(), Error> {
        // another generation ends the sessions; counting it up twice, after a lost answer, does no harm
        let update = self
            .update(user, Row::Account)
            .update_expression("SET disabled = if_not_exists(disabled, :now) ADD generation :one")
            .condition_expression(NOT_LEAVING)
            .expression_attribute_values(":now", instant(now))
            .expression_attribute_values(":one", number(1));
        self.supervise(update, deadline).await
    }

    /// Opens a disabled account again, with the tokens it has.
    ///
    /// # Errors
    /// [`Error::NotFound`] if the account is gone or going; [`Error::Unavailable`].
    pub async fn enable_account(&self, user: UserId, deadline: Deadline) -> Result<(), Error> {
        let update = self.update(user, Row::Account).update_expression("REMOVE disabled");
        self.supervise(update.condition_expression(NOT_LEAVING), deadline).await
    }

    async fn supervise(&self, update: ItemUpdate, deadline: Deadline) -> Result<(), Error> {
        if self.change(update, deadline).await? { Ok(()) } else { Err(Error::NotFound) }
    }
}
