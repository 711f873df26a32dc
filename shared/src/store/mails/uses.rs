//! The use of a link: the change and the end of its secret in one transaction, so that two clicks are one use.

use aws_sdk_dynamodb::types::TransactWriteItem;
use aws_sdk_dynamodb::types::builders::UpdateBuilder;
use chrono::{DateTime, Utc};

use super::super::Store;
use super::super::accounts::{OPEN, UNCONFIRMED, WAITING};
use super::super::item::{Item, bytes, number, text};
use super::super::key::{EXPIRES, Row, email_key, key};
use super::super::transact::{AsPart, delete, put, update};
use super::{MailLink, as_it_was};
use crate::deadline::Deadline;
use crate::error::Error;
use crate::ids::UserId;
use crate::secret::PasswordHash;

/// Whoever reads a mail has its address: the account waits no longer.
const CONFIRMED: &str = "SET daily_limit = if_not_exists(#waiting, daily_limit)";

impl Store {
    /// Confirms the account's address, which ends the sessions, tokens and links that were made before; `false` if
    /// somebody was faster, or the account has changed.
    ///
    /// # Errors
    /// [`Error::Unavailable`].
    pub async fn confirm_address(
        &self,
        link: &MailLink,
        now: DateTime<Utc>,
        deadline: Deadline,
    ) -> Result<bool, Error> {
        let condition = format!("{OPEN} AND email = :email AND attribute_exists(#unconfirmed)");
        let account = self
            .account_of(link, &format!("{CONFIRMED}, generation = generation + :one"), &condition)
            .expression_attribute_values(":one", number(1));
        let ours = |account: &Item| !account.has(UNCONFIRMED);
        self.use_link(vec![account.part()?, self.end_of(link, now)?], deadline, ours).await
    }

    /// Gives the account the password with the hash `new` and ends its sessions, and if its address was not confirmed its
    /// tokens and links; `false` if somebody was faster, or the account has changed.
    ///
    /// # Errors
    /// [`Error::Unavailable`].
    pub async fn reset_password(
        &self,
        link: &MailLink,
        new: &PasswordHash,
        now: DateTime<Utc>,
        deadline: Deadline,
    ) -> Result<bool, Error> {
        let change = format!("{CONFIRMED}, password_hash = :new, generation = :next");
        let account = self
            .account_of(link, &change, &as_it_was())
            .expression_attribute_values(":generation", number(link.generation))
            .expression_attribute_values(":next", number(link.generation + 1))
            .expression_attribute_values(":new", text(new.as_str()));
        // a hash has a salt of its own: finding it means that an earlier try was stored
        let ours = |account: &Item| account.optional_text("password_hash") == Some(new.as_str());
        self.use_link(vec![account.part()?, self.end_of(link, now)?], deadline, ours).await
    }

    /// Puts the link's new address in the place of the account's, and if that was not confirmed ends its sessions, tokens
    /// and links; `false` if somebody was faster, the account has changed, or the address is another account's by now.
    ///
    /// # Errors
    /// [`Error::Unavailable`].
    pub async fn change_address(&self, link: &MailLink, now: DateTime<Utc>, deadline: Deadline) -> Result<bool, Error> {
        let Some(new_email) = link.new_email.as_deref() else { return Ok(false) };
        let account = self
            .account_of(link, &format!("{CONFIRMED}, email = :new, generation = :next"), &as_it_was())
            .expression_attribute_values(":generation", number(link.generation))
            .expression_attribute_values(":next", number(link.generation + u64::from(link.unconfirmed)))
            .expression_attribute_values(":new", text(new_email));
        let mut items = vec![account.part()?, self.end_of(link, now)?];
        if email_key(new_email) != email_key(&link.email) {
            items.extend(self.addresses(link, new_email)?);
        }
        let ours = |account: &Item| account.optional_text("email") == Some(new_email);
        self.use_link(items, deadline, ours).await
    }

    /// Removes the tokens and links that ended if the account's address was confirmed by this link. Best effort: they are
    /// good for nothing in any case.
    pub async fn remove_unconfirmed(&self, link: &MailLink, deadline: Deadline) {
        if !link.unconfirmed {
            return;
        }
        if let Err(cause) = self.remove_all_unconfirmed(link.secret.user, deadline).await {
            tracing::warn!(%cause, "tokens or links from before an address was confirmed were not removed");
        }
    }

    async fn remove_all_unconfirmed(&self, user: UserId, deadline: Deadline) -> Result<(), Error> {
        for token in self.unconfirmed_tokens(user, deadline).await? {
            self.remove_ended_token(user, token, deadline).await;
        }
        let Some(account) = self.read(user, &[Row::Account], deadline).await?.account()? else { return Ok(()) };
        let numbers: Vec<_> = account.shares.keys().map(|number| Row::Analysis(*number)).collect();
        // an account has at most 100 links, and a round trip takes as many rows
        if !numbers.is_empty() {
            let rows = self.read(user, &numbers, deadline).await?;
            for (id, share) in rows.unconfirmed_shares()? {
                match self.end_share((user, &account), (id, share), deadline).await {
                    Ok(()) | Err(Error::NotFound) => {}
                    Err(error) => return Err(error),
                }
            }
        }
        Ok(())
    }

    /// Sends the transaction; refused, it was carried out if an answer was lost and the account is found as `ours` says.
    async fn use_link(
        &self,
        items: Vec<TransactWriteItem>,
        deadline: Deadline,
        ours: impl Fn(&Item) -> bool,
    ) -> Result<bool, Error> {
        let parts = items.len();
        self.settle(items, deadline, true, |reasons, answer_lost| {
            let refused = (0..parts).any(|index| reasons.refused(index));
            refused.then(|| Ok(answer_lost && reasons.found(0).as_ref().is_some_and(&ours)))
        })
        .await
    }

    /// The change of the link's account, which is no longer unconfirmed after it.
    fn account_of(&self, link: &MailLink, change: &str, condition: &str) -> UpdateBuilder {
        update(self, key(link.secret.user, Row::Account))
            .update_expression(format!("{change} REMOVE #unconfirmed, #waiting"))
            .condition_expression(condition)
            .expression_attribute_names("#unconfirmed", UNCONFIRMED)
            .expression_attribute_names("#waiting", WAITING)
            .expression_attribute_values(":email", text(&link.email))
    }

    /// The end of the secret, if it is there and not expired.
    fn end_of(&self, link: &MailLink, now: DateTime<Utc>) -> Result<TransactWriteItem, Error> {
        delete(self, key(link.secret.user, Row::Mail(link.purpose, link.secret.hash())))
            .condition_expression("secret_sha256 = :hash AND #expires > :now")
            .expression_attribute_names("#expires", EXPIRES)
            .expression_attribute_values(":hash", bytes(link.secret.hash().as_bytes()))
            .expression_attribute_values(":now", number(now.timestamp()))
            .part()
    }

    /// The new address becomes the account's, if it is nobody's, and the old one nobody's.
    fn addresses(&self, link: &MailLink, new_email: &str) -> Result<[TransactWriteItem; 2], Error> {
        let user = text(link.secret.user.to_string());
        let taken =
            put(self, email_key(new_email)).item("user", user.clone()).condition_expression("attribute_not_exists(pk)");
        let given = delete(self, email_key(&link.email))
            .condition_expression("#user = :user")
            // a reserved word
            .expression_attribute_names("#user", "user")
            .expression_attribute_values(":user", user);
        Ok([taken.part()?, given.part()?])
    }
}
