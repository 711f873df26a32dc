//! The usual requests. A request with any other member is unusual.

use std::borrow::Cow;
use std::collections::HashMap;

use serde::Deserialize;
use serde_json::value::RawValue;

use super::Unusual;
use super::item::{Attributes, Key};

/// Reads of complete items.
#[derive(Deserialize)]
#[serde(deny_unknown_fields, rename_all = "PascalCase")]
pub(super) struct BatchGet<'j> {
    #[serde(borrow)]
    pub(super) request_items: HashMap<String, Keys<'j>>,
}

/// The items of one table.
#[derive(Deserialize)]
#[serde(deny_unknown_fields, rename_all = "PascalCase")]
pub(super) struct Keys<'j> {
    #[serde(borrow)]
    pub(super) keys: Vec<Key<'j>>,
    #[serde(default, rename = "ConsistentRead")]
    _consistent_read: bool,
}

/// Reads of a range of sort keys.
#[derive(Deserialize)]
#[serde(deny_unknown_fields, rename_all = "PascalCase")]
pub(super) struct Query<'j> {
    #[serde(borrow)]
    pub(super) table_name: Cow<'j, str>,
    #[serde(borrow)]
    key_condition_expression: Cow<'j, str>,
    #[serde(borrow, default)]
    projection_expression: Option<Cow<'j, str>>,
    #[serde(default)]
    pub(super) expression_attribute_names: Option<HashMap<String, String>>,
    #[serde(borrow)]
    pub(super) expression_attribute_values: Attributes<'j>,
    #[serde(default)]
    pub(super) limit: Option<u32>,
    #[serde(default, rename = "ConsistentRead")]
    _consistent_read: bool,
    #[serde(default = "forward")]
    pub(super) scan_index_forward: bool,
}

/// Writes that are all stored or none.
#[derive(Deserialize)]
#[serde(deny_unknown_fields, rename_all = "PascalCase")]
pub(super) struct Transaction<'j> {
    #[serde(borrow)]
    transact_items: Vec<Action<'j>>,
    /// The token that identifies a repeat; this module's caller handles it.
    #[serde(default, rename = "ClientRequestToken")]
    _client_request_token: Option<String>,
}

/// The write of one item.
#[derive(Deserialize)]
pub(super) enum Action<'j> {
    #[serde(borrow)]
    Put(Put<'j>),
    #[serde(borrow)]
    Update(Update<'j>),
}

/// A complete item.
#[derive(Deserialize)]
#[serde(deny_unknown_fields, rename_all = "PascalCase")]
pub(super) struct Put<'j> {
    #[serde(borrow)]
    pub(super) table_name: Cow<'j, str>,
    #[serde(borrow)]
    pub(super) item: Attributes<'j>,
    #[serde(borrow, default)]
    condition_expression: Option<Cow<'j, str>>,
    #[serde(default)]
    expression_attribute_names: Option<HashMap<String, String>>,
    #[serde(borrow, default)]
    expression_attribute_values: Option<Attributes<'j>>,
    #[serde(default, rename = "ReturnValuesOnConditionCheckFailure")]
    _returned: Option<Returned>,
}

/// A change of an item.
#[derive(Deserialize)]
#[serde(deny_unknown_fields, rename_all = "PascalCase")]
pub(super) struct Update<'j> {
    #[serde(borrow)]
    pub(super) table_name: Cow<'j, str>,
    #[serde(borrow)]
    pub(super) key: Key<'j>,
    #[serde(borrow)]
    pub(super) update_expression: Cow<'j, str>,
    #[serde(borrow, default)]
    condition_expression: Option<Cow<'j, str>>,
    #[serde(default)]
    expression_attribute_names: Option<HashMap<String, String>>,
    #[serde(borrow, default)]
    expression_attribute_values: Option<Attributes<'j>>,
    #[serde(default, rename = "ReturnValuesOnConditionCheckFailure")]
    _returned: Option<Returned>,
}

/// The values returned by a failed condition; dynoxide answers these requests.
#[derive(Deserialize)]
enum Returned {
    #[serde(rename = "ALL_OLD")]
    AllOld,
    #[serde(rename = "NONE")]
    None,
}

/// The names and values that expressions refer to.
#[derive(Clone, Copy)]
pub(super) struct Bindings<'r, 'j> {
    names: Option<&'r HashMap<String, String>>,
    values: Option<&'r Attributes<'j>>,
}

impl<'j> BatchGet<'j> {
    pub(super) fn parse(body: &'j [u8]) -> Result<Self, Unusual> {
        serde_json::from_slice(body).map_err(|_| Unusual)
    }
}

impl<'j> Query<'j> {
    pub(super) fn parse(body: &'j [u8]) -> Result<Self, Unusual> {
        serde_json::from_slice(body).map_err(|_| Unusual)
    }

    /// Key condition and projection.
    pub(super) fn expressions(&self) -> (&str, Option<&str>) {
        (&self.key_condition_expression, self.projection_expression.as_deref())
    }

    pub(super) fn bindings(&self) -> Bindings<'_, 'j> {
        Bindings { names: self.expression_attribute_names.as_ref(), values: Some(&self.expression_attribute_values) }
    }
}

impl<'j> Transaction<'j> {
    pub(super) fn parse(body: &'j [u8]) -> Result<Self, Unusual> {
        serde_json::from_slice(body).map_err(|_| Unusual)
    }

    pub(super) fn actions(&self) -> &[Action<'j>] {
        &self.transact_items
    }
}

impl<'j> Action<'j> {
    pub(super) fn condition(&self) -> Option<&str> {
        match self {
            Self::Put(put) => put.condition_expression.as_deref(),
            Self::Update(update) => update.condition_expression.as_deref(),
        }
    }

    pub(super) fn change(&self) -> Option<&str> {
        match self {
            Self::Put(_) => None,
            Self::Update(update) => Some(&update.update_expression),
        }
    }

    pub(super) fn bindings(&self) -> Bindings<'_, 'j> {
        let (names, values) = match self {
            Self::Put(put) => (&put.expression_attribute_names, &put.expression_attribute_values),
            Self::Update(update) => (&update.expression_attribute_names, &update.expression_attribute_values),
        };
        Bindings { names: names.as_ref(), values: values.as_ref() }
    }
}

impl<'r, 'j> Bindings<'r, 'j> {
    /// The attribute of a name or `#placeholder`.
    pub(super) fn name(self, name: &'r str) -> Result<&'r str, Unusual> {
        if name.starts_with('#') {
            self.names.and_then(|names| names.get(name)).map(String::as_str).ok_or(Unusual)
        } else {
            Ok(name)
        }
    }

    /// The value of `:placeholder`.
    pub(super) fn value(self, placeholder: &str) -> Result<&'j RawValue, Unusual> {
        self.values.and_then(|values| values.get(placeholder)).ok_or(Unusual)
    }

    /// Checks that all bound placeholders are `used`: DynamoDB refuses unused ones.
    pub(super) fn check_used<'u>(self, used: impl Iterator<Item = &'u str>) -> Result<(), Unusual> {
        let used: Vec<&str> = used.collect();
        let is_used = |placeholder: &str| used.contains(&placeholder);
        let names = self.names.is_none_or(|names| !names.is_empty() && names.keys().all(|name| is_used(name)));
        let values = self.values.map(|values| &values.0);
        let values = values.is_none_or(|values| !values.is_empty() && values.iter().all(|(name, _)| is_used(name)));
        if names && values { Ok(()) } else { Err(Unusual) }
    }
}

fn forward() -> bool {
    true
}
