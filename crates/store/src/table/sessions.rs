//! Browser sessions: begun, found, ended. Each is a row of its owner's partition.

use std::cmp::Reverse;

use aws_sdk_dynamodb::types::TransactWriteItem;
use chrono::{DateTime, TimeDelta, Utc};

use super::accounts::IS_OPEN;
use super::batch::found;
use super::item::{Item, bytes, instant, number, text};
use super::key::{EXPIRES, Row, SESSIONS, SK, key, partition};
use super::transact::{AsPart, delete, put, update};
use super::{Rows, Store, failure};
use crate::deadline::Deadline;
use crate::error::Error;
use crate::ids::{SessionId, UserId};
use crate::secret::{Csrf, SecretHash, SessionToken};

/// How long a session lasts.
pub const LIFETIME: TimeDelta = TimeDelta::hours(12);
/// Older sessions that stay when another begins, so that there are at most 20.
const OLDER_SESSIONS_KEPT: usize = 19;
/// Sessions ended with it, at most: a transaction has up to 100 items.
const MAX_ENDED: usize = 90;

/// A session as the table has it.
#[derive(Clone, Debug)]
pub struct StoredSession {
    /// SHA-256 of the cookie's secret.
    pub hash: SecretHash,
    /// The CSRF token of its forms.
    pub csrf: Csrf,
    /// The account's generation when it began; it differs if the password was changed since.
    pub generation: u64,
}

impl Rows {
    /// The session, if its row was read, is there and has not expired.
    ///
    /// # Errors
    /// [`Error::Internal`] if the stored item is malformed.
    pub fn session(&self, id: SessionId, now: DateTime<Utc>) -> Result<Option<StoredSession>, Error> {
        let Some(item) = self.get(Row::Session(id)) else { return Ok(None) };
        if item.has_expired(now)? {
            return Ok(None);
        }
        let hash = item.hash("secret_sha256", SecretHash::from_slice)?;
        let csrf = Csrf::stored(item.text("csrf")?);
        Ok(Some(StoredSession { hash, csrf, generation: item.number("generation")? }))
    }
}

impl Store {
    /// The oldest sessions of `user`, to be ended when another one begins, so that about 20 stay: concurrent ones are
    /// not counted.
    ///
    /// # Errors
    /// [`Error::Unavailable`] when the table does not answer.
    pub async fn outnumbered_sessions(&self, user: UserId, deadline: Deadline) -> Result<Vec<SessionId>, Error> {
        let rows = found(self.all_with(partition(user), SESSIONS), deadline).await?;
        let read = |item: &Item| {
            let id = item.text(SK)?.strip_prefix(SESSIONS).and_then(SessionId::parse);
            Ok((item.number(EXPIRES)?, id))
        };
        let mut ends = rows.iter().map(read).collect::<Result<Vec<_>, Error>>()?;
        ends.sort_unstable_by_key(|(ends_at, _)| Reverse(*ends_at));
        Ok(ends.into_iter().skip(OLDER_SESSIONS_KEPT).rev().filter_map(|(_, id)| id).take(MAX_ENDED).collect())
    }

    /// Begins a session of an account that is open and still at `generation`; ends the sessions `ended`.
    ///
    /// # Errors
    /// [`Error::Unauthenticated`] if it is not; [`Error::Unavailable`].
    pub async fn create_session(
        &self,
        token: &SessionToken,
        csrf: &Csrf,
        generation: u64,
        ended: &[SessionId],
        now: DateTime<Utc>,
        deadline: Deadline,
    ) -> Result<(), Error> {
        let mut parts = self.beginning(token, csrf, generation, now)?;
        for id in ended {
            parts.push(delete(self, key(token.user, Row::Session(*id))).part()?);
        }
        self.settle(parts, deadline, (), |reasons, _| {
            if reasons.refused(1) {
                // the id is random, so finding it means that an earlier attempt was stored
                Some(Ok(()))
            } else {
                reasons.refused(0).then_some(Err(Error::Unauthenticated))
            }
        })
        .await
    }

    /// Ends a session; the next request with its cookie is unauthenticated.
    ///
    /// # Errors
    /// [`Error::Unavailable`] when the table does not answer.
    pub async fn delete_session(&self, user: UserId, id: SessionId, deadline: Deadline) -> Result<(), Error> {
        let delete = self.client.delete_item().table_name(&self.table).set_key(Some(key(user, Row::Session(id))));
        deadline.limit(delete.send()).await?.map(|_| ()).map_err(|error| failure(&error))
    }

    fn beginning(
        &self,
        token: &SessionToken,
        csrf: &Csrf,
        generation: u64,
        now: DateTime<Utc>,
    ) -> Result<Vec<TransactWriteItem>, Error> {
        let account = update(self, key(token.user, Row::Account))
            .update_expression("SET logged_in_at = :now")
            .condition_expression(format!("{IS_OPEN} AND generation = :generation"))
            .expression_attribute_values(":now", instant(now))
            .expression_attribute_values(":generation", number(generation));
        let row = put(self, key(token.user, Row::Session(token.id)))
            .item("secret_sha256", bytes(token.secret().hash().as_bytes()))
            .item("csrf", text(csrf.reveal()))
            .item("generation", number(generation))
            .item(EXPIRES, number((now + LIFETIME).timestamp()))
            .condition_expression("attribute_not_exists(pk)");
        Ok(vec![account.part()?, row.part()?])
    }
}
