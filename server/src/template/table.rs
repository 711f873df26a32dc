//! The DynamoDB table.

use super::node::{TemplateError, YamlNode};
use super::values::Resolver;

/// The table as the embedded DynamoDB is asked to create it.
#[derive(Clone, Debug, PartialEq)]
pub struct Table {
    /// Its local name: the logical id.
    pub name: String,
    /// The body of a `CreateTable` request.
    pub create: serde_json::Value,
    /// The attribute whose time deletes an item, if there is one.
    pub ttl_attribute: Option<String>,
}

/// Properties that `CreateTable` takes in the same shape.
const CREATED: [&str; 6] = [
    "AttributeDefinitions",
    "BillingMode",
    "GlobalSecondaryIndexes",
    "KeySchema",
    "LocalSecondaryIndexes",
    "ProvisionedThroughput",
];

/// Properties that protect the table in the cloud and change no answer.
const CLOUD_ONLY: [&str; 6] = [
    "ContributorInsightsSpecification",
    "DeletionProtectionEnabled",
    "PointInTimeRecoverySpecification",
    "SSESpecification",
    "TableClass",
    "Tags",
];

pub(super) fn read(resources: &YamlNode<'_>, values: &Resolver) -> Result<Table, TemplateError> {
    let (id, resource) = resources.one_of_type("AWS::DynamoDB::Table")?;
    values.check_made(&resource)?;
    let properties = resource.require("Properties")?;
    let known = [&CREATED[..], &CLOUD_ONLY, &["TimeToLiveSpecification"]].concat();
    properties.only(&known)?;
    let name = values.local_name(id);
    let mut create = serde_json::Map::new();
    create.insert("TableName".to_owned(), name.clone().into());
    for key in CREATED {
        if let Some(node) = properties.get(key)? {
            create.insert(key.to_owned(), values.json(&node)?);
        }
    }
    Ok(Table { name, create: create.into(), ttl_attribute: read_ttl(&properties, values)? })
}

fn read_ttl(properties: &YamlNode<'_>, values: &Resolver) -> Result<Option<String>, TemplateError> {
    let Some(ttl) = properties.get("TimeToLiveSpecification")? else {
        return Ok(None);
    };
    ttl.only(&["AttributeName", "Enabled"])?;
    if values.text(&ttl.require("Enabled")?)? != "true" {
        return Ok(None);
    }
    Ok(Some(values.text(&ttl.require("AttributeName")?)?))
}
