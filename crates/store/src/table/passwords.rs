//! Passwords: the hash of an account's, and its change.

use super::accounts::END_TOKENS;
use super::item::{Item, number, text};
use super::key::Row;
use super::{Rows, Store};
use crate::deadline::Deadline;
use crate::error::Error;
use crate::ids::UserId;
use crate::secret::PasswordHash;

impl Rows {
    /// The hash of the account's password, if the account was read and has one.
    #[must_use]
    pub fn password_hash(&self) -> Option<PasswordHash> {
        self.get(Row::Account)?.optional_text("password_hash").map(PasswordHash::new)
    }
}

impl Store {
    /// Replaces the hash `old` by another of the same password; sessions continue. Best effort: the next log-in tries
    /// again.
    pub async fn renew_password_hash(&self, user: UserId, old: &PasswordHash, new: &PasswordHash, deadline: Deadline) {
        let update = self
            .update(user, Row::Account)
            .update_expression("SET password_hash = :new")
            .condition_expression("password_hash = :old")
            .expression_attribute_values(":new", text(new.as_str()))
            .expression_attribute_values(":old", text(old.as_str()));
        if let Err(error) = self.change(update, deadline).await {
            tracing::warn!(cause = %error, "a password's hash was not renewed");
        }
    }

    /// Sets the account's password hash unconditionally and ends its sessions.
    ///
    /// # Errors
    /// [`Error::NotFound`] if the account is deleted or being deleted; [`Error::Unavailable`].
    pub async fn set_password(&self, user: UserId, new: &PasswordHash, deadline: Deadline) -> Result<(), Error> {
        // a new generation ends the sessions; incrementing it twice, after a lost answer, is harmless
        let update = self
            .update(user, Row::Account)
            .update_expression("SET password_hash = :new ADD generation :one")
            .expression_attribute_values(":new", text(new.as_str()))
            .expression_attribute_values(":one", number(1));
        self.change_account(update, deadline).await
    }

    /// Replaces the password hash `old` and returns the account's new generation, which ends every earlier session;
    /// with `end_tokens` its API tokens, too.
    ///
    /// # Errors
    /// [`Error::Unauthenticated`] if the password or the account changed meanwhile; [`Error::Unavailable`].
    pub async fn change_password(
        &self,
        user: UserId,
        old: &PasswordHash,
        new: &PasswordHash,
        (generation, end_tokens): (u64, bool),
        deadline: Deadline,
    ) -> Result<u64, Error> {
        let next = generation + 1;
        let change = "SET password_hash = :new, generation = :next";
        let update = self.update(user, Row::Account);
        let update = if end_tokens {
            let [set, remove] = END_TOKENS;
            let update = update.update_expression(format!("{change}, {set} REMOVE {remove}"));
            update.expression_attribute_values(":none", number(0)).expression_attribute_values(":one", number(1))
        } else {
            update.update_expression(change)
        };
        let update = update
            .condition_expression(
                "password_hash = :old AND generation = :generation AND attribute_not_exists(deleting)",
            )
            .expression_attribute_values(":new", text(new.as_str()))
            .expression_attribute_values(":old", text(old.as_str()))
            .expression_attribute_values(":next", number(next))
            .expression_attribute_values(":generation", number(generation));
        // hashes are salted, so finding this one means that an earlier attempt was stored
        let ours = |account: &Item| account.optional_text("password_hash") == Some(new.as_str());
        if self.change_once(update, deadline, ours).await? { Ok(next) } else { Err(Error::Unauthenticated) }
    }
}
