//! `template.yaml`, read: the routes, functions, CORS rules, table and bucket it declares. A construct that is not
//! supported is an error, never skipped.

mod api;
mod bucket;
mod functions;
mod names;
mod source;
mod table;
mod tree;

pub use api::Cors;
pub use bucket::{Bucket, BucketCorsRule, Expiry};
pub use functions::{FunctionResource, Route};
pub(crate) use names::REGION;
pub use source::TemplateError;
use source::TemplateSource;
pub use table::TableResource;

/// The text of the service's `template.yaml`, embedded so that the binary runs from any folder.
pub const TEXT: &str = include_str!("../../template.yaml");

/// The parts of a template that the one-process server uses.
#[derive(Clone, Debug)]
pub struct Template {
    /// The HTTP API's CORS configuration.
    pub cors: Cors,
    /// The functions, by their names.
    pub functions: Vec<FunctionResource>,
    /// The routes of all functions.
    pub routes: Vec<Route>,
    /// The table.
    pub table: TableResource,
    /// The bucket of staged uploads.
    pub bucket: Bucket,
}

impl Template {
    /// Reads a template's text.
    ///
    /// # Errors
    /// Names the place in the template that is missing or not supported.
    pub fn parse(text: &str) -> Result<Self, TemplateError> {
        let tree = yaml_serde::from_str(text).map_err(|error| TemplateError::new("the file".to_owned(), error))?;
        let source = TemplateSource::new(&tree)?;
        let (api, cors) = api::read(&source)?;
        let (functions, routes) = functions::read(&source, &api)?;
        Ok(Self { cors, functions, routes, table: table::read(&source)?, bucket: bucket::read(&source)? })
    }
}

#[cfg(test)]
mod tests;
