//! Queued mails: rows that one process at a time sends, after the requests that queued them are answered.

use aws_sdk_dynamodb::error::ProvideErrorMetadata;
use chrono::{DateTime, TimeDelta, Utc};
use serde::{Deserialize, Serialize};
use uuid::Uuid;

use super::batch::found;
use super::item::{Item, number, text};
use super::key::{EXPIRES, SK, outbox_key, outbox_partition};
use super::{Store, failure};
use crate::deadline::Deadline;
use crate::error::{Cause, Error};
use crate::ids::UserId;

/// Time after which a mail is no longer sent.
const MAIL_RETENTION: TimeDelta = TimeDelta::hours(1);
/// Sort key of the sender's lease, and the lease's duration: longer than a request and the work after its answer.
const SENDER: &str = "SENDER";
const SENDER_LEASE: TimeDelta = TimeDelta::seconds(30);
/// Sort key prefix of mails, followed by the time of the request.
const MAIL: &str = "MAIL#";

/// A mail to be sent, without a secret: its link's secret is created when it is sent.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct QueuedMail {
    /// Its occasion.
    pub about: Occasion,
    /// The console's origin, for its link.
    pub origin: String,
}

/// The occasion of a mail.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Occasion {
    /// A registration with `email`: a link to confirm it if that created the account of `user`, otherwise a notice that
    /// the address has an account.
    Registration {
        /// The address.
        email: String,
        /// The account that the registration created, if any.
        user: Option<UserId>,
    },
    /// A forgotten password of `email`: a link to set another one, if an account has the address.
    Reset {
        /// The address.
        email: String,
    },
    /// The requested address `new` for the account of `user`: a link to confirm it, or a notice that another account
    /// has it.
    NewAddress {
        /// The account.
        user: UserId,
        /// Its current address, to which the link is bound.
        email: String,
        /// The address to come.
        new: String,
    },
    /// To `email`: notice that the address `new` was requested for its account.
    AddressAsked {
        /// The address.
        email: String,
        /// The address to come.
        new: String,
    },
    /// To `email`: notice that the account's address changed from `old` to `new`.
    AddressChanged {
        /// The recipient.
        email: String,
        /// The former address.
        old: String,
        /// The present one.
        new: String,
    },
    /// To `email`: notice that the password of its account has changed.
    PasswordChanged {
        /// The address.
        email: String,
    },
}

/// A mail in the outbox.
#[derive(Clone, Debug)]
pub struct WaitingMail {
    /// Its sort key.
    pub id: String,
    /// The mail.
    pub mail: QueuedMail,
}

impl Store {
    /// Queues a mail.
    ///
    /// # Errors
    /// [`Error::Unavailable`] when the table does not answer.
    pub async fn queue_mail(&self, mail: &QueuedMail, now: DateTime<Utc>, deadline: Deadline) -> Result<(), Error> {
        let content = serde_json::to_string(mail).map_err(Error::internal)?;
        // in the order of the requests, as far as clocks agree
        let id = format!("{MAIL}{:020}#{}", now.timestamp_micros(), Uuid::new_v4().simple());
        let put = self
            .client
            .put_item()
            .table_name(&self.table)
            .set_item(Some(outbox_key(&id)))
            .item("mail", text(content))
            .item(EXPIRES, number((now + MAIL_RETENTION).timestamp()));
        deadline.limit(put.send()).await?.map(|_| ()).map_err(|error| failure(&error))
    }

    /// The queued mails, oldest first, at most 1 MB.
    ///
    /// # Errors
    /// [`Error::Unavailable`] when the table does not answer.
    pub async fn waiting_mails(&self, now: DateTime<Utc>, deadline: Deadline) -> Result<Vec<WaitingMail>, Error> {
        let query = self
            .all_with(outbox_partition(), MAIL)
            // time-to-live deletes late: an expired item may still be there
            .filter_expression("expires > :now")
            .expression_attribute_values(":now", number(now.timestamp()));
        let rows = found(query, deadline).await?;
        // a row of another version may be unreadable: it does not block the others, and expires
        let readable =
            |row: Result<_, Error>| row.inspect_err(|cause| tracing::error!(%cause, "a mail is skipped")).ok();
        Ok(rows.iter().map(WaitingMail::read).filter_map(readable).collect())
    }

    /// Removes a mail from the queue.
    ///
    /// # Errors
    /// [`Error::Unavailable`] when the table does not answer.
    pub async fn mail_is_done(&self, id: &str, deadline: Deadline) -> Result<(), Error> {
        let delete = self.client.delete_item().table_name(&self.table).set_key(Some(outbox_key(id)));
        deadline.limit(delete.send()).await?.map(|_| ()).map_err(|error| failure(&error))
    }

    /// Acquires the sender's lease for `sender`; `false` if another process has it.
    ///
    /// # Errors
    /// [`Error::Unavailable`] when the table does not answer.
    pub async fn begin_sending(&self, sender: Uuid, now: DateTime<Utc>, deadline: Deadline) -> Result<bool, Error> {
        let update = self
            .client
            .update_item()
            .table_name(&self.table)
            .set_key(Some(outbox_key(SENDER)))
            .update_expression("SET sender = :sender, #expires = :until")
            // the same sender, if an earlier attempt was carried out
            .condition_expression("attribute_not_exists(pk) OR sender = :sender OR #expires <= :now")
            .expression_attribute_names("#expires", EXPIRES)
            .expression_attribute_values(":sender", text(sender.to_string()))
            .expression_attribute_values(":until", number((now + SENDER_LEASE).timestamp()))
            .expression_attribute_values(":now", number(now.timestamp()));
        self.change(update, deadline).await
    }

    /// Releases the lease. If that fails, it expires.
    pub async fn end_sending(&self, sender: Uuid, deadline: Deadline) {
        let delete = self
            .client
            .delete_item()
            .table_name(&self.table)
            .set_key(Some(outbox_key(SENDER)))
            .condition_expression("sender = :sender")
            .expression_attribute_values(":sender", text(sender.to_string()));
        match deadline.limit(delete.send()).await {
            Ok(Ok(_)) => {}
            Ok(Err(error)) if error.code() == Some("ConditionalCheckFailedException") => {}
            Ok(Err(error)) => tracing::warn!(cause = %Cause::of(&error), "the outbox was not let go"),
            Err(cause) => tracing::warn!(%cause, "the outbox was not let go"),
        }
    }
}

impl WaitingMail {
    fn read(item: &Item) -> Result<Self, Error> {
        let mail = serde_json::from_str(item.text("mail")?).map_err(Error::internal)?;
        Ok(Self { id: item.text(SK)?.to_owned(), mail })
    }
}
