//! Redeems links: the change and the deletion of the secret are one transaction, so that two clicks count once. The
//! first proof of an account's address also ends its earlier sessions, tokens and links.

use std::collections::HashMap;

use aws_sdk_dynamodb::types::builders::UpdateBuilder;
use aws_sdk_dynamodb::types::{AttributeValue, TransactWriteItem};
use chrono::{DateTime, Utc};

use super::super::Store;
use super::super::accounts::{END_TOKENS, IS_OPEN, LIMIT_WHEN_CONFIRMED, SHARES, UNCONFIRMED};
use super::super::item::{Item, bytes, number, text};
use super::super::key::{EXPIRES, Row, email_key, key};
use super::super::transact::{AsPart, delete, put, update};
use super::{MailLink, as_it_was};
use crate::deadline::Deadline;
use crate::error::Error;
use crate::ids::UserId;
use crate::secret::PasswordHash;

/// Whether a link ends sessions and tokens, beyond the ones ended by the first proof of an address.
#[derive(Clone, Copy)]
struct Ends {
    sessions: bool,
    tokens: bool,
}

impl Store {
    /// Confirms the account's address; `false` if another request was faster or the account has changed.
    ///
    /// # Errors
    /// [`Error::Unavailable`].
    pub async fn confirm_address(
        &self,
        link: &MailLink,
        now: DateTime<Utc>,
        deadline: Deadline,
    ) -> Result<bool, Error> {
        let condition = format!("{IS_OPEN} AND email = :email AND attribute_exists(#unconfirmed)");
        let account = self.account_of(link, "", &condition, Ends { sessions: true, tokens: false });
        let ours = |account: &Item| !account.has(UNCONFIRMED);
        self.use_link(vec![account.part()?, self.end_of(link, now)?], deadline, ours).await
    }

    /// Sets the account's password hash to `new` and ends its sessions, with `end_tokens` its tokens, too; `false` if
    /// another request was faster or the account has changed.
    ///
    /// # Errors
    /// [`Error::Unavailable`].
    pub async fn reset_password(
        &self,
        link: &MailLink,
        new: &PasswordHash,
        end_tokens: bool,
        now: DateTime<Utc>,
        deadline: Deadline,
    ) -> Result<bool, Error> {
        let ends = Ends { sessions: true, tokens: end_tokens };
        let account = self
            .account_of(link, ", password_hash = :new", &as_it_was(), ends)
            .expression_attribute_values(":generation", number(link.generation))
            .expression_attribute_values(":new", text(new.as_str()));
        // hashes are salted, so finding this one means that an earlier attempt was stored
        let ours = |account: &Item| account.optional_text("password_hash") == Some(new.as_str());
        self.use_link(vec![account.part()?, self.end_of(link, now)?], deadline, ours).await
    }

    /// Changes the account's address to the link's; `false` if another request was faster, the account has changed or
    /// another account has the address.
    ///
    /// # Errors
    /// [`Error::Unavailable`].
    pub async fn change_address(&self, link: &MailLink, now: DateTime<Utc>, deadline: Deadline) -> Result<bool, Error> {
        let Some(new_email) = link.new_email.as_deref() else { return Ok(false) };
        let ends = Ends { sessions: link.unconfirmed, tokens: false };
        let account = self
            .account_of(link, ", email = :new", &as_it_was(), ends)
            .expression_attribute_values(":generation", number(link.generation))
            .expression_attribute_values(":new", text(new_email));
        let mut items = vec![account.part()?, self.end_of(link, now)?];
        if email_key(new_email) != email_key(&link.email) {
            items.extend(self.addresses(link, new_email)?);
        }
        let ours = |account: &Item| account.optional_text("email") == Some(new_email);
        self.use_link(items, deadline, ours).await
    }

    /// Removes the rows of the tokens and links that this link ended. Best effort: they are invalid already.
    pub async fn clear_ended(&self, link: &MailLink, deadline: Deadline) {
        self.clear_outdated_tokens(link.secret.user, deadline).await;
        // an account has at most 100 links, and a round trip takes as many rows
        if link.unconfirmed
            && !link.shared.is_empty()
            && let Err(cause) = self.clear_links(link.secret.user, &link.shared, deadline).await
        {
            tracing::warn!(%cause, "links from before an address was confirmed were not removed");
        }
    }

    async fn clear_links(&self, user: UserId, shared: &[u64], deadline: Deadline) -> Result<(), Error> {
        let Some(account) = self.read(user, &[Row::Account], deadline).await?.account()? else { return Ok(()) };
        let analyses: Vec<_> = shared.iter().map(|number| Row::Analysis(*number)).collect();
        let rows = self.read(user, &analyses, deadline).await?;
        for (id, share) in rows.ended_shares(&account)? {
            match self.end_share((user, &account), (id, share), deadline).await {
                Ok(()) | Err(Error::NotFound) => {}
                Err(error) => return Err(error),
            }
        }
        Ok(())
    }

    /// Sends the transaction; a refused one was carried out if an answer was lost and `ours` recognizes the account's
    /// state.
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

    /// The update of the link's account. The use of a link proves the address, so the account is confirmed. If it was
    /// not before, its tokens and links end.
    fn account_of(&self, link: &MailLink, change: &str, condition: &str, ends: Ends) -> UpdateBuilder {
        let mut sets = format!(
            "daily_limit = if_not_exists(#waiting, daily_limit), generation = generation + :generations{change}"
        );
        let mut removes = "#unconfirmed, #waiting".to_owned();
        let mut account = update(self, key(link.secret.user, Row::Account))
            .condition_expression(condition)
            .expression_attribute_names("#unconfirmed", UNCONFIRMED)
            .expression_attribute_names("#waiting", LIMIT_WHEN_CONFIRMED)
            .expression_attribute_values(":generations", number(u8::from(ends.sessions)))
            .expression_attribute_values(":email", text(&link.email));
        if link.unconfirmed || ends.tokens {
            let [set, remove] = END_TOKENS;
            sets.push_str(&format!(", {set}"));
            removes.push_str(&format!(", {remove}"));
            account =
                account.expression_attribute_values(":none", number(0)).expression_attribute_values(":one", number(1));
        }
        if link.unconfirmed {
            sets.push_str(&format!(", {SHARES} = :no_shares"));
            account = account.expression_attribute_values(":no_shares", AttributeValue::M(HashMap::new()));
        }
        account.update_expression(format!("SET {sets} REMOVE {removes}"))
    }

    /// Deletes the secret, if it exists and has not expired.
    fn end_of(&self, link: &MailLink, now: DateTime<Utc>) -> Result<TransactWriteItem, Error> {
        delete(self, key(link.secret.user, Row::Mail(link.purpose, link.secret.hash())))
            .condition_expression("secret_sha256 = :hash AND #expires > :now")
            .expression_attribute_names("#expires", EXPIRES)
            .expression_attribute_values(":hash", bytes(link.secret.hash().as_bytes()))
            .expression_attribute_values(":now", number(now.timestamp()))
            .part()
    }

    /// Claims the new address for the account, if it is free, and releases the old one.
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
