//! Mails that wait to be sent: rows that one process at a time sends, after the requests that asked for them are
//! answered.

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

/// A mail that was not sent by then is not sent any more.
const KEPT: TimeDelta = TimeDelta::hours(1);
/// The sort key of the item that says who sends, and until when at most: longer than a request and what it leaves to be
/// done after its answer.
const SENDER: &str = "SENDER";
const TURN: TimeDelta = TimeDelta::seconds(30);
/// What the sort keys of the mails begin with, when they were asked for behind it.
const MAIL: &str = "MAIL#";

/// A mail that is to be sent, without any secret: that of its link is made when it is sent.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct QueuedMail {
    /// What it is about.
    pub about: About,
    /// The console's origin, which its link leads to.
    pub origin: String,
}

/// What a mail is about.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum About {
    /// Somebody has registered with `email`: a link to confirm it, if that made the account of `user`, or else the word
    /// that its owner has an account.
    Registration {
        /// The address.
        email: String,
        /// The account, if there is one of this registration.
        user: Option<UserId>,
    },
    /// Somebody has forgotten the password of `email`: a link to another one, if the address is anybody's.
    Reset {
        /// The address.
        email: String,
    },
    /// The account of `user` is to have the address `new`: a link to confirm it, or the word that it is another's.
    NewAddress {
        /// The account.
        user: UserId,
        /// Its address, to which the link is bound.
        email: String,
        /// The address to come.
        new: String,
    },
    /// To `email`: its account is to have the address `new`.
    AddressAsked {
        /// The address.
        email: String,
        /// The address to come.
        new: String,
    },
    /// To `email`: the account that had the address `old` has `new`.
    AddressChanged {
        /// Whom it is sent to.
        email: String,
        /// The former address.
        old: String,
        /// The present one.
        new: String,
    },
    /// To `email`: the password of its account has changed.
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
    /// Puts a mail into the outbox.
    ///
    /// # Errors
    /// [`Error::Unavailable`] when the table does not answer.
    pub async fn queue_mail(&self, mail: &QueuedMail, now: DateTime<Utc>, deadline: Deadline) -> Result<(), Error> {
        let content = serde_json::to_string(mail).map_err(Error::internal)?;
        // in the order in which they were asked for, as far as clocks agree
        let id = format!("{MAIL}{:020}#{}", now.timestamp_micros(), Uuid::new_v4().simple());
        let put = self
            .client
            .put_item()
            .table_name(&self.table)
            .set_item(Some(outbox_key(&id)))
            .item("mail", text(content))
            .item(EXPIRES, number((now + KEPT).timestamp()));
        deadline.limit(put.send()).await?.map(|_| ()).map_err(|error| failure(&error))
    }

    /// The mails that wait, the oldest ones first; a megabyte of them at most.
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
        // another version may have left what this one cannot read: it holds up nothing else, and goes by its time
        let readable =
            |row: Result<_, Error>| row.inspect_err(|cause| tracing::error!(%cause, "a mail is skipped")).ok();
        Ok(rows.iter().map(WaitingMail::read).filter_map(readable).collect())
    }

    /// Takes a mail out of the outbox.
    ///
    /// # Errors
    /// [`Error::Unavailable`] when the table does not answer.
    pub async fn mail_is_done(&self, id: &str, deadline: Deadline) -> Result<(), Error> {
        let delete = self.client.delete_item().table_name(&self.table).set_key(Some(outbox_key(id)));
        deadline.limit(delete.send()).await?.map(|_| ()).map_err(|error| failure(&error))
    }

    /// Makes `sender` the one who sends what waits; `false` if somebody else is that.
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
            // this very one, if an earlier try was carried out
            .condition_expression("attribute_not_exists(pk) OR sender = :sender OR #expires <= :now")
            .expression_attribute_names("#expires", EXPIRES)
            .expression_attribute_values(":sender", text(sender.to_string()))
            .expression_attribute_values(":until", number((now + TURN).timestamp()))
            .expression_attribute_values(":now", number(now.timestamp()));
        self.change(update, deadline).await
    }

    /// Lets others send. Where that fails, they may when the time of `sender` is over.
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
