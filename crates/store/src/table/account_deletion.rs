//! Deletes an account in steps that can be repeated.

use aws_sdk_dynamodb::types::{AttributeValue, DeleteRequest, WriteRequest};
use futures_util::future::try_join_all;

use super::backoff::Backoff;
use super::item::text;
use super::key::{ItemKey, PK, Row, SK, email_key, key, share_key};
use super::transact::{AsPart, built, delete};
use super::{Store, failure};
use crate::deadline::Deadline;
use crate::error::{Cause, Error};
use crate::ids::{SessionId, UserId};
use crate::secret::SecretHash;

/// Items that DynamoDB deletes per call.
const BATCH_ITEMS: usize = 25;
/// Concurrent calls.
const CONCURRENT_BATCHES: usize = 16;

impl Store {
    /// Deletes the account of `user`: marks it, which closes it immediately, then deletes its rows, then its e-mail
    /// address and account row. `session`, if given, is deleted last, so that the owner can repeat a deletion that the
    /// deadline interrupted.
    ///
    /// # Errors
    /// [`Error::Unavailable`] at the deadline: a repeat continues from there.
    pub async fn delete_account(
        &self,
        user: UserId,
        session: Option<SessionId>,
        deadline: Deadline,
    ) -> Result<(), Error> {
        self.close_for_deletion(user, deadline).await?;
        // read only now, as the account can no longer change
        let account = self.read(user, &[Row::Account], deadline).await?.account()?;
        let Some(email) = account.map(|account| account.email) else { return Err(Error::Unauthenticated) };
        let email = email.as_str();
        let last = session.map(Row::Session).into_iter().chain([Row::Account]);
        let kept: Vec<_> = last.map(|row| row.to_string()).collect();
        self.clear(AttributeValue::S(format!("USER#{user}")), &kept, deadline).await?;
        let was_ours = self.delete_last(user, email, session, deadline).await?;
        if let Some(partition) = email_key(email).remove(PK).filter(|_| was_ours) {
            // the counters of log-in attempts contain the address, too
            self.clear(partition, &["EMAIL".to_owned()], deadline).await?;
        }
        Ok(())
    }

    /// Marks the account: from here on only its deletion can continue.
    pub async fn close_for_deletion(&self, user: UserId, deadline: Deadline) -> Result<(), Error> {
        let update = self
            .update(user, Row::Account)
            .update_expression("SET deleting = :yes")
            .condition_expression("attribute_exists(pk)")
            .expression_attribute_values(":yes", AttributeValue::Bool(true));
        if self.change(update, deadline).await? { Ok(()) } else { Err(Error::Unauthenticated) }
    }

    /// Deletes every item of a partition except those with the sort keys `kept`.
    async fn clear(&self, partition: AttributeValue, kept: &[String], deadline: Deadline) -> Result<(), Error> {
        let query = self.all_of(partition).projection_expression("pk, sk, share_sha256");
        let mut pages = query.into_paginator().send();
        while let Some(page) = deadline.limit(pages.next()).await? {
            let rows = page.map_err(|error| failure(&error))?.items.unwrap_or_default().into_iter();
            let (rows, leads): (Vec<ItemKey>, Vec<_>) =
                rows.filter(|row| !is_kept(row, kept)).map(without_lead).unzip();
            // a row is deleted after its link's index item, so that an interrupted deletion finds both again
            let leads: Vec<ItemKey> = leads.into_iter().flatten().collect();
            self.delete_all(&leads, deadline).await?;
            self.delete_all(&rows, deadline).await?;
        }
        Ok(())
    }

    /// Deletes the items with these keys.
    pub(super) async fn delete_all(&self, keys: &[ItemKey], deadline: Deadline) -> Result<(), Error> {
        for batches in keys.chunks(BATCH_ITEMS * CONCURRENT_BATCHES) {
            try_join_all(batches.chunks(BATCH_ITEMS).map(|batch| self.delete_batch(batch, deadline))).await?;
        }
        Ok(())
    }

    async fn delete_batch(&self, keys: &[ItemKey], deadline: Deadline) -> Result<(), Error> {
        let mut backoff = Backoff::until(deadline);
        let requests = keys.iter().map(|key| {
            let delete = built(DeleteRequest::builder().set_key(Some(key.clone())).build())?;
            Ok(WriteRequest::builder().delete_request(delete).build())
        });
        let mut rest = requests.collect::<Result<Vec<_>, Error>>()?;
        loop {
            let deletion = self.client.batch_write_item().request_items(&self.table, rest);
            let unprocessed =
                deadline.limit(deletion.send()).await?.map_err(|error| failure(&error))?.unprocessed_items;
            match unprocessed.unwrap_or_default().remove(&self.table) {
                Some(left) if !left.is_empty() => rest = left,
                _ => break,
            }
            backoff.wait(|| Cause::text("DynamoDB left deletions unprocessed")).await?;
        }
        if tokio::time::Instant::now() >= deadline.instant() {
            return Err(Error::Unavailable(Cause::text("an account's deletion takes longer than a request")));
        }
        Ok(())
    }

    /// Deletes the account row, e-mail address and last session in one transaction; `false` if another account has the
    /// address, so that another request has done this before.
    async fn delete_last(
        &self,
        user: UserId,
        email: &str,
        session: Option<SessionId>,
        deadline: Deadline,
    ) -> Result<bool, Error> {
        let address = delete(self, email_key(email))
            .condition_expression("attribute_not_exists(pk) OR #user = :user")
            // a reserved word
            .expression_attribute_names("#user", "user")
            .expression_attribute_values(":user", text(user.to_string()));
        let session = session.map(|session| delete(self, key(user, Row::Session(session))));
        let parts = [delete(self, key(user, Row::Account)), address].into_iter().chain(session);
        let items = parts.map(AsPart::part).collect::<Result<_, Error>>()?;
        self.settle(items, deadline, true, |reasons, _| reasons.refused(1).then_some(Ok(false))).await
    }
}

/// The key of a row, and the key of its link's index item, if any.
fn without_lead(mut row: ItemKey) -> (ItemKey, Option<ItemKey>) {
    let hash = row.remove("share_sha256").and_then(|hash| SecretHash::from_slice(hash.as_b().ok()?.as_ref()));
    (row, hash.map(|hash| share_key(&hash)))
}

fn is_kept(key: &ItemKey, kept: &[String]) -> bool {
    kept.iter().any(|sort_key| key.get(SK) == Some(&text(sort_key)))
}
