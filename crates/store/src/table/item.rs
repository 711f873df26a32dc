//! Reading an item's attributes, and writing new items.

use std::collections::{BTreeMap, HashMap};

use aws_sdk_dynamodb::types::AttributeValue;
use chrono::{DateTime, Utc};

use super::key::{EXPIRES, ItemKey, PK, SK};
use crate::error::{Cause, Error};
use crate::quota::timestamp;

/// An item as DynamoDB returns it.
#[derive(Clone, Debug)]
pub(super) struct Item(HashMap<String, AttributeValue>);

impl Item {
    pub(crate) fn new(attributes: HashMap<String, AttributeValue>) -> Self {
        Self(attributes)
    }

    /// A required text.
    pub(super) fn text(&self, name: &'static str) -> Result<&str, Error> {
        self.optional_text(name).ok_or_else(|| malformed(name))
    }

    pub(super) fn optional_text(&self, name: &str) -> Option<&str> {
        self.0.get(name)?.as_s().ok().map(String::as_str)
    }

    /// An integer; 0 if it is missing, as DynamoDB's `ADD` counts.
    pub(super) fn number(&self, name: &'static str) -> Result<u64, Error> {
        match self.0.get(name) {
            None => Ok(0),
            Some(AttributeValue::N(digits)) => digits.parse().map_err(|_| malformed(name)),
            Some(_) => Err(malformed(name)),
        }
    }

    /// A signed integer; 0 if it is missing.
    pub(super) fn difference(&self, name: &str) -> i64 {
        let digits = self.0.get(name).and_then(|value| value.as_n().ok());
        digits.and_then(|digits| digits.parse().ok()).unwrap_or_default()
    }

    /// The numbers whose names start with `prefix`, with those names.
    pub(super) fn numbers(&self, prefix: &'static str) -> Result<Vec<(String, i64)>, Error> {
        let named = self.0.iter().filter(|(name, _)| name.starts_with(prefix));
        let read = named.map(|(name, value)| Some((name.clone(), value.as_n().ok()?.parse().ok()?)));
        read.collect::<Option<_>>().ok_or_else(|| malformed(prefix))
    }

    /// A map of numbers by numbers; empty if it is missing.
    pub(super) fn numbered(&self, name: &'static str) -> Result<BTreeMap<u64, u64>, Error> {
        let Some(value) = self.0.get(name) else { return Ok(BTreeMap::new()) };
        let pairs = value.as_m().map_err(|_| malformed(name))?.iter();
        let read = pairs.map(|(key, value)| Some((key.parse().ok()?, value.as_n().ok()?.parse().ok()?)));
        read.collect::<Option<_>>().ok_or_else(|| malformed(name))
    }

    /// The texts of a set; none if it is missing.
    pub(super) fn texts(&self, name: &'static str) -> Result<&[String], Error> {
        self.0.get(name).map_or(Ok(&[]), |value| value.as_ss().map(Vec::as_slice).map_err(|_| malformed(name)))
    }

    /// The items of a list; none if it is missing.
    pub(super) fn items(&self, name: &'static str) -> Result<Vec<Self>, Error> {
        let Some(value) = self.0.get(name) else { return Ok(Vec::new()) };
        let items = value.as_l().map_err(|_| malformed(name))?.iter();
        items.map(|item| Ok(Self(item.as_m().map_err(|_| malformed(name))?.clone()))).collect()
    }

    /// Whether this is the item with this key.
    pub(super) fn is_at(&self, key: &ItemKey) -> bool {
        [PK, SK].iter().all(|part| self.0.get(*part) == key.get(*part))
    }

    /// Its attributes with these names.
    pub(super) fn some(
        &self,
        names: &'static [&'static str],
    ) -> impl Iterator<Item = (&'static str, AttributeValue)> + '_ {
        names.iter().filter_map(|name| Some((*name, self.0.get(*name)?.clone())))
    }

    pub(super) fn has(&self, name: &str) -> bool {
        self.0.contains_key(name)
    }

    /// Whether the flag exists and is set.
    pub(super) fn is_true(&self, name: &str) -> bool {
        self.0.get(name) == Some(&AttributeValue::Bool(true))
    }

    pub(super) fn bytes(&self, name: &'static str) -> Result<&[u8], Error> {
        self.0.get(name).and_then(|value| value.as_b().ok()).map(AsRef::as_ref).ok_or_else(|| malformed(name))
    }

    /// A required value that is stored as bytes.
    pub(super) fn hash<T>(&self, name: &'static str, read: impl FnOnce(&[u8]) -> Option<T>) -> Result<T, Error> {
        read(self.bytes(name)?).ok_or_else(|| malformed(name))
    }

    /// A required value that is stored as text.
    pub(super) fn id<T>(&self, name: &'static str, read: impl FnOnce(&str) -> Option<T>) -> Result<T, Error> {
        read(self.text(name)?).ok_or_else(|| malformed(name))
    }

    /// Whether it has expired: DynamoDB deletes late.
    pub(super) fn has_expired(&self, now: DateTime<Utc>) -> Result<bool, Error> {
        Ok(self.number(EXPIRES)? <= now.timestamp().unsigned_abs())
    }

    /// A required instant.
    pub(super) fn instant(&self, name: &'static str) -> Result<DateTime<Utc>, Error> {
        self.optional_instant(name)?.ok_or_else(|| malformed(name))
    }

    pub(super) fn optional_instant(&self, name: &'static str) -> Result<Option<DateTime<Utc>>, Error> {
        let Some(text) = self.optional_text(name) else { return Ok(None) };
        let instant = DateTime::parse_from_rfc3339(text).map_err(|_| malformed(name))?;
        Ok(Some(instant.to_utc()))
    }
}

/// The error for an item that this code did not write.
pub(super) fn malformed(name: &'static str) -> Error {
    Error::Internal(Cause::text(format!("stored attribute {name} is missing or malformed")))
}

pub(super) fn text(value: impl Into<String>) -> AttributeValue {
    AttributeValue::S(value.into())
}

pub(super) fn number(value: impl std::fmt::Display) -> AttributeValue {
    AttributeValue::N(value.to_string())
}

/// A map of numbers by numbers.
pub(super) fn numbered(map: &BTreeMap<u64, u64>) -> AttributeValue {
    AttributeValue::M(map.iter().map(|(key, value)| (key.to_string(), number(value))).collect())
}

pub(super) fn instant(value: DateTime<Utc>) -> AttributeValue {
    AttributeValue::S(timestamp(value))
}

pub(super) fn bytes(value: &[u8]) -> AttributeValue {
    AttributeValue::B(value.to_vec().into())
}
