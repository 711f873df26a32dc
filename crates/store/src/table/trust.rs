//! The issuers that an account trusts: one item, and their number in the account row, so that an account without any
//! needs no other read.

use std::collections::HashMap;

use aws_sdk_dynamodb::types::AttributeValue;
use chrono::{DateTime, Utc};
use engine::{Anchor, AnchorSource};
use serde::Serialize;
use utoipa::ToSchema;
use uuid::Uuid;

use super::accounts::{Account, IS_OPEN, ISSUERS};
use super::backoff::Backoff;
use super::item::{Item, bytes, instant, number, text};
use super::key::{Row, key};
use super::transact::{AsPart, put, update};
use super::{Rows, Store};
use crate::deadline::Deadline;
use crate::error::{Cause, Error, FieldErrors};
use crate::ids::UserId;
use crate::quota::timestamp;

/// Issuers that an account may trust.
pub const MAX_ISSUERS: usize = 50;
/// Total bytes of their certificates: an item of DynamoDB has at most 400 KB.
const MAX_CERTIFICATE_BYTES: usize = 300_000;
/// The row's attribute with the id of the change that wrote it.
const LAST_CHANGE: &str = "last_change";

/// An issuer that an account trusts.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[schema(as = TrustedIssuer)]
pub struct TrustedIssuer {
    /// SHA-256 of the certificate, with which it is removed.
    #[schema(pattern = "^[0-9a-f]{64}$")]
    pub id: String,
    /// The name given by the account's owner, otherwise its subject.
    pub name: String,
    /// The name in the certificate.
    pub subject: String,
    /// Start of the certificate's validity: ISO 8601, UTC.
    #[schema(format = DateTime)]
    pub valid_from: Option<String>,
    /// End of the certificate's validity.
    #[schema(format = DateTime)]
    pub valid_until: Option<String>,
    /// When it was added.
    #[schema(format = DateTime)]
    pub added_at: String,
}

/// An issuer as stored.
#[derive(Clone, Debug)]
struct StoredIssuer {
    name: String,
    added_at: DateTime<Utc>,
    anchor: Anchor,
}

/// All issuers that an account trusts, in the order in which they were added.
#[derive(Clone, Debug, Default)]
pub struct TrustedIssuers {
    stored: Vec<StoredIssuer>,
    /// The change that wrote them.
    change: Option<String>,
}

impl TrustedIssuers {
    /// The anchors for validation.
    #[must_use]
    pub fn anchors(self) -> Vec<Anchor> {
        self.stored.into_iter().map(|stored| stored.anchor).collect()
    }

    /// The list for its owner, newest first.
    #[must_use]
    pub fn records(&self) -> Vec<TrustedIssuer> {
        self.stored.iter().rev().map(StoredIssuer::record).collect()
    }

    fn read(item: &Item) -> Result<Self, Error> {
        let mut stored = Vec::new();
        for one in item.items(ISSUERS)? {
            let mut anchors =
                Anchor::read(one.bytes("certificate")?, AnchorSource::Account).map_err(Error::internal)?;
            let anchor = anchors.pop().ok_or(Error::NotFound)?;
            stored.push(StoredIssuer {
                name: one.text("name")?.to_owned(),
                added_at: one.instant("added_at")?,
                anchor,
            });
        }
        stored.sort_by_key(|one| one.added_at);
        Ok(Self { stored, change: item.optional_text(LAST_CHANGE).map(str::to_owned) })
    }
}

impl StoredIssuer {
    fn record(&self) -> TrustedIssuer {
        let Self { name, added_at, anchor } = self;
        TrustedIssuer {
            id: anchor.sha256.clone(),
            name: name.clone(),
            subject: anchor.name.clone(),
            valid_from: anchor.valid_from.map(|at| timestamp(at.to_utc())),
            valid_until: anchor.valid_until.map(|at| timestamp(at.to_utc())),
            added_at: timestamp(*added_at),
        }
    }

    fn item(&self) -> AttributeValue {
        AttributeValue::M(HashMap::from([
            ("name".to_owned(), text(&self.name)),
            ("added_at".to_owned(), instant(self.added_at)),
            ("certificate".to_owned(), bytes(&self.anchor.certificate)),
        ]))
    }
}

impl Rows {
    /// The issuers that the account trusts, if their row was read and exists.
    ///
    /// # Errors
    /// [`Error::Internal`] if the stored item is malformed.
    pub fn issuers(&self) -> Result<TrustedIssuers, Error> {
        Ok(self.get(Row::Trust).map(TrustedIssuers::read).transpose()?.unwrap_or_default())
    }
}

impl Store {
    /// The anchors for the signatures of an account's files; read only if there are any.
    ///
    /// # Errors
    /// [`Error::Unavailable`] when the table does not answer.
    pub async fn anchors(&self, user: UserId, account: &Account, deadline: Deadline) -> Result<Vec<Anchor>, Error> {
        if account.issuers == 0 {
            return Ok(Vec::new());
        }
        Ok(self.read(user, &[Row::Trust], deadline).await?.issuers()?.anchors())
    }

    /// Adds issuers under one name, or each under its own; existing ones stay unchanged. Returns them as stored, in the
    /// order given.
    ///
    /// # Errors
    /// [`Error::Invalid`] beyond [`MAX_ISSUERS`]; [`Error::Unauthenticated`] if the account is gone or closed by now;
    /// [`Error::Unavailable`].
    pub async fn trust(
        &self,
        user: UserId,
        anchors: &[Anchor],
        name: Option<&str>,
        now: DateTime<Utc>,
        deadline: Deadline,
    ) -> Result<Vec<TrustedIssuer>, Error> {
        let changed = self.change_issuers(user, deadline, |stored| {
            for anchor in anchors {
                if stored.iter().all(|known| known.anchor.sha256 != anchor.sha256) {
                    let name = name.unwrap_or(&anchor.name).to_owned();
                    stored.push(StoredIssuer { name, added_at: now, anchor: anchor.clone() });
                }
            }
            let bytes: usize = stored.iter().map(|one| one.anchor.certificate.len()).sum();
            if stored.len() > MAX_ISSUERS || bytes > MAX_CERTIFICATE_BYTES {
                let reason = "is more than an account may trust: 50 issuers, 300 KB of certificates; remove some first";
                return Err(Error::Invalid(FieldErrors::one("pem", reason)));
            }
            Ok(())
        });
        let records = changed.await?.records();
        let ids = anchors.iter().map(|anchor| &anchor.sha256);
        Ok(ids.filter_map(|id| records.iter().find(|record| record.id == *id).cloned()).collect())
    }

    /// Removes an issuer.
    ///
    /// # Errors
    /// [`Error::NotFound`] if it does not exist; otherwise as [`Store::trust`].
    pub async fn distrust(&self, user: UserId, id: &str, deadline: Deadline) -> Result<(), Error> {
        let changed = self.change_issuers(user, deadline, |stored| {
            let before = stored.len();
            stored.retain(|one| one.anchor.sha256 != id);
            if stored.len() == before { Err(Error::NotFound) } else { Ok(()) }
        });
        changed.await.map(drop)
    }

    /// Reads, changes and writes the issuers with their number. A concurrent change makes it start again, after a pause
    /// and until the deadline. Changes within a process are serialized.
    async fn change_issuers(
        &self,
        user: UserId,
        deadline: Deadline,
        change: impl Fn(&mut Vec<StoredIssuer>) -> Result<(), Error>,
    ) -> Result<TrustedIssuers, Error> {
        let mut backoff = Backoff::until(deadline);
        loop {
            let guard = self.queues.lock(user, deadline).await?;
            let mut issuers = self.read(user, &[Row::Trust], deadline).await?.issuers()?;
            change(&mut issuers.stored)?;
            let own = Uuid::new_v4().to_string();
            let items = issuers.stored.iter().map(StoredIssuer::item).collect();
            let row =
                put(self, key(user, Row::Trust)).item(ISSUERS, AttributeValue::L(items)).item(LAST_CHANGE, text(&own));
            let row = match &issuers.change {
                Some(before) => {
                    let row = row.condition_expression("last_change = :before");
                    row.expression_attribute_values(":before", text(before))
                }
                None => row.condition_expression("attribute_not_exists(pk)"),
            };
            let account = update(self, key(user, Row::Account))
                .update_expression(format!("SET {ISSUERS} = :count"))
                .condition_expression(IS_OPEN)
                .expression_attribute_values(":count", number(issuers.stored.len()));
            let written = self.settle(vec![row.part()?, account.part()?], deadline, true, |reasons, _| {
                if reasons.refused(1) {
                    return Some(Err(Error::Unauthenticated));
                }
                // an earlier attempt, whose answer was lost, may have been stored
                let ours = reasons.found(0).is_some_and(|found| found.optional_text(LAST_CHANGE) == Some(&own));
                reasons.refused(0).then_some(Ok(ours))
            });
            if written.await? {
                return Ok(issuers);
            }
            drop(guard);
            backoff.wait(|| Cause::text("the issuers that an account trusts are being changed by others")).await?;
        }
    }
}
