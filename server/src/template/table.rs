//! The DynamoDB table.

use serde::Deserialize;
use serde::de::IgnoredAny;
use serde_json::{Value, json};

use super::source::{TABLE, TemplateError, TemplateSource};

/// The table for the embedded DynamoDB.
#[derive(Clone, Debug, PartialEq)]
pub struct TableResource {
    /// Its local name.
    pub name: String,
    /// The body of a `CreateTable` request.
    pub create: Value,
    /// The time-to-live attribute.
    pub ttl_attribute: String,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields, rename_all = "PascalCase")]
struct TableProperties {
    attribute_definitions: Value,
    billing_mode: Value,
    key_schema: Value,
    time_to_live_specification: TimeToLive,
    // these protect the table in the cloud and do not change answers
    _contributor_insights_specification: Option<IgnoredAny>,
    _deletion_protection_enabled: Option<IgnoredAny>,
    _point_in_time_recovery_specification: Option<IgnoredAny>,
    #[serde(rename = "SSESpecification")]
    _encryption: Option<IgnoredAny>,
    _table_class: Option<IgnoredAny>,
    _tags: Option<IgnoredAny>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields, rename_all = "PascalCase")]
struct TimeToLive {
    attribute_name: String,
    #[serde(rename = "Enabled")]
    _enabled: Enabled,
}

#[derive(Deserialize)]
enum Enabled {
    #[serde(rename = "true")]
    True,
}

pub(super) fn read(source: &TemplateSource<'_>) -> Result<TableResource, TemplateError> {
    let (name, table) = source.one::<TableProperties>(TABLE)?;
    let create = json!({
        "TableName": name,
        "AttributeDefinitions": table.attribute_definitions,
        "BillingMode": table.billing_mode,
        "KeySchema": table.key_schema,
    });
    Ok(TableResource { name, create, ttl_attribute: table.time_to_live_specification.attribute_name })
}
