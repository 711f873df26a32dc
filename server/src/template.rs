//! `template.yaml`, read: the routes, functions, CORS rules, table and bucket it declares.
//! A construct that is not understood where this reads is an error, never a skip.

mod api;
mod bucket;
mod conditions;
mod functions;
mod node;
mod table;
mod values;

pub use api::Cors;
pub use bucket::{Bucket, BucketCorsRule, Expiry};
pub use functions::{Function, Method, Route};
pub use node::TemplateError;
pub use table::Table;

use node::YamlNode;
pub(crate) use values::REGION;
use values::Resolver;

/// The text of the service's `template.yaml`, embedded so that the binary runs from any folder.
pub const TEXT: &str = include_str!("../../template.yaml");

/// What the one-process server needs to know of a template.
#[derive(Clone, Debug)]
pub struct Template {
    /// The HTTP API's CORS configuration, if it has one.
    pub cors: Option<Cors>,
    /// The functions, in the order of the template.
    pub functions: Vec<Function>,
    /// The routes of all functions, in the order of the template.
    pub routes: Vec<Route>,
    /// The table.
    pub table: Table,
    /// The bucket of staged uploads.
    pub bucket: Bucket,
}

impl Template {
    /// Reads a template's text.
    ///
    /// # Errors
    /// Says where in the template something is missing or not understood, and what to do.
    pub fn parse(text: &str) -> Result<Self, TemplateError> {
        let value = yaml_serde::from_str(text).map_err(|error| TemplateError::not_yaml(&error))?;
        let root = YamlNode::root(&value);
        let resources = root.require("Resources")?;
        let values = Resolver::read(&root)?;
        let api = api::read(&resources, &values)?;
        let globals = root.get("Globals")?;
        let (functions, routes) = functions::read(&resources, globals.as_ref(), &values, &api.logical_id)?;
        Ok(Self {
            cors: api.cors,
            functions,
            routes,
            table: table::read(&resources, &values)?,
            bucket: bucket::read(&resources, &values)?,
        })
    }
}

#[cfg(test)]
mod tests;
