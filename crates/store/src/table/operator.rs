//! An operator's view of an account, and the changes that an operator makes.

use std::collections::HashMap;

use aws_sdk_dynamodb::types::AttributeValue;
use chrono::{DateTime, Utc};
use hex_simd::AsciiCase;
use serde_json::{Value, json};

use super::accounts::{Account, LIMIT_WHEN_CONFIRMED};
use super::finding::{FINDING, unpacked};
use super::item::{Item, instant, number, text};
use super::key::{ItemKey, PK, Row, email_key, key, partition};
use super::logins::owner_of;
use super::{Rows, Store, failure};
use crate::deadline::Deadline;
use crate::error::{Cause, Error};
use crate::ids::UserId;

/// When an account was created and disabled.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AccountDates {
    /// When it was created.
    pub created_at: DateTime<Utc>,
    /// When an operator disabled it; `None` if it is enabled.
    pub disabled_at: Option<DateTime<Utc>>,
}

impl Rows {
    /// The account's dates, if its row was read and exists.
    ///
    /// # Errors
    /// [`Error::Internal`] if the stored item is malformed.
    pub fn account_dates(&self) -> Result<Option<AccountDates>, Error> {
        let read = |item: &Item| {
            let (created_at, disabled_at) = (item.instant("created_at")?, item.optional_instant("disabled")?);
            Ok(AccountDates { created_at, disabled_at })
        };
        self.get(Row::Account).map(read).transpose()
    }
}

/// The state of an account.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AccountState {
    /// It is in use.
    Open,
    /// An operator disabled it.
    Disabled,
    /// Its deletion has begun and is not complete.
    Deleting,
}

/// An account in the operator's list.
#[derive(Clone, Debug)]
pub struct ListedAccount {
    /// Its id.
    pub user: UserId,
    /// The account as its owner sees it.
    pub account: Account,
    /// When it was created.
    pub created_at: DateTime<Utc>,
}

/// The position of a list: an account's key.
#[derive(Clone, Debug)]
pub struct AccountPlace(ItemKey);

impl AccountPlace {
    /// The position after this account.
    #[must_use]
    pub fn after(user: UserId) -> Self {
        Self(key(user, Row::Account))
    }
}

impl ListedAccount {
    fn read(item: &Item) -> Result<Self, Error> {
        let user = item.text(PK)?.strip_prefix("USER#").and_then(UserId::parse);
        let user = user.ok_or_else(|| Error::Internal(Cause::text("a stored account has no user")))?;
        Ok(Self { user, account: Account::read(item)?, created_at: item.instant("created_at")? })
    }

    /// Its state.
    #[must_use]
    pub fn state(&self) -> AccountState {
        match &self.account {
            account if account.deleting => AccountState::Deleting,
            account if account.closed => AccountState::Disabled,
            _ => AccountState::Open,
        }
    }
}

/// Attributes that are secrets or their hashes, and so no data of the account's owner.
const SECRETS: [&str; 5] = ["password_hash", "secret_sha256", "share_sha256", "csrf", "fingerprint"];
impl Store {
    /// Some of the accounts, in no order, and the position of the next ones; `None` at the end. Scans the table, 1 MB
    /// at a time.
    ///
    /// # Errors
    /// [`Error::Unavailable`] when the table does not answer.
    pub async fn list_accounts(
        &self,
        place: Option<AccountPlace>,
        deadline: Deadline,
    ) -> Result<(Vec<ListedAccount>, Option<AccountPlace>), Error> {
        let scan = self
            .client
            .scan()
            .table_name(&self.table)
            .filter_expression("sk = :account")
            .expression_attribute_values(":account", text(Row::Account.to_string()))
            .set_exclusive_start_key(place.map(|place| place.0));
        let answer = deadline.limit(scan.send()).await?.map_err(|error| failure(&error))?;
        let items = answer.items.unwrap_or_default().into_iter().map(Item::new);
        let accounts = items.map(|item| ListedAccount::read(&item)).collect::<Result<_, _>>()?;
        Ok((accounts, answer.last_evaluated_key.map(AccountPlace)))
    }

    /// Passes every row of an account to `each` as JSON, without secrets and their hashes.
    ///
    /// # Errors
    /// [`Error::Unavailable`] when the table does not answer; what `each` fails with.
    pub async fn export(
        &self,
        user: UserId,
        email: &str,
        mut each: impl FnMut(Value) -> Result<(), Error>,
    ) -> Result<(), Error> {
        for partition in [Some(partition(user)), email_key(email).remove(PK)].into_iter().flatten() {
            let mut pages = self.all_of(partition).into_paginator().send();
            while let Some(page) = Deadline::unhurried().limit(pages.next()).await? {
                let items = page.map_err(|error| failure(&error))?.items.unwrap_or_default();
                items.into_iter().map(readable).try_for_each(&mut each)?;
            }
        }
        Ok(())
    }

    /// The account with this e-mail address, ignoring case.
    ///
    /// # Errors
    /// [`Error::Unavailable`] when the table does not answer.
    pub async fn owner_of_email(&self, email: &str, deadline: Deadline) -> Result<Option<UserId>, Error> {
        let found = self.read_keys(vec![email_key(email)], deadline).await?;
        found.first().map(owner_of).transpose()
    }

    /// Allows the account `limit` analyses a day, from the next one on, whether its address is confirmed or not.
    ///
    /// # Errors
    /// [`Error::NotFound`] if the account is gone or going; [`Error::Unavailable`].
    pub async fn set_daily_limit(&self, user: UserId, limit: u64, deadline: Deadline) -> Result<(), Error> {
        let update = self
            .update(user, Row::Account)
            .update_expression("SET daily_limit = :limit REMOVE #waiting")
            .expression_attribute_names("#waiting", LIMIT_WHEN_CONFIRMED)
            .expression_attribute_values(":limit", number(limit));
        self.change_account(update, deadline).await
    }

    /// Disables the account: its tokens are refused, log-in is refused, and its sessions end permanently. A running
    /// analysis is not stored.
    ///
    /// # Errors
    /// [`Error::NotFound`] if the account is gone or going; [`Error::Unavailable`].
    pub async fn disable_account(&self, user: UserId, now: DateTime<Utc>, deadline: Deadline) -> Result<(), Error> {
        // a new generation ends the sessions; incrementing it twice, after a lost answer, is harmless
        let update = self
            .update(user, Row::Account)
            .update_expression("SET disabled = if_not_exists(disabled, :now) ADD generation :one")
            .expression_attribute_values(":now", instant(now))
            .expression_attribute_values(":one", number(1));
        self.change_account(update, deadline).await
    }

    /// Enables a disabled account again, with its tokens.
    ///
    /// # Errors
    /// [`Error::NotFound`] if the account is gone or going; [`Error::Unavailable`].
    pub async fn enable_account(&self, user: UserId, deadline: Deadline) -> Result<(), Error> {
        let update = self.update(user, Row::Account).update_expression("REMOVE disabled");
        self.change_account(update, deadline).await
    }
}

/// An item as JSON, without secrets; findings have the format of answers, other bytes are hexadecimal digits.
fn readable(item: HashMap<String, AttributeValue>) -> Value {
    let shown = item.into_iter().filter(|(name, _)| !SECRETS.contains(&name.as_str()));
    let values = shown.map(|(name, value)| {
        let value = match value {
            AttributeValue::B(stored) if name == FINDING => {
                let json = unpacked(stored.as_ref()).ok();
                json.and_then(|json| serde_json::from_slice(&json).ok()).unwrap_or(Value::Null)
            }
            AttributeValue::M(parts) => readable(parts),
            AttributeValue::S(text) => Value::String(text),
            AttributeValue::N(digits) => serde_json::from_str(&digits).unwrap_or(Value::String(digits)),
            AttributeValue::Bool(flag) => json!(flag),
            AttributeValue::Ss(texts) => json!(texts),
            AttributeValue::B(bytes) => Value::String(hex_simd::encode_to_string(bytes, AsciiCase::Lower)),
            _ => Value::Null,
        };
        (name, value)
    });
    values.collect()
}
