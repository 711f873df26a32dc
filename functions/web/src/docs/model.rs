//! The API's document, as the pages about the API read it.

use std::sync::LazyLock;

use indexmap::IndexMap;
use serde::Deserialize;
use serde_json::Value;
use serde_json::value::RawValue;
use shared::error::{Cause, Error};

use super::openapi::DOCUMENT;

/// The page beside those of the calls.
pub(crate) const CLIENT: &str = "client";

static API: LazyLock<Result<ApiDocument, serde_json::Error>> = LazyLock::new(|| serde_json::from_str(DOCUMENT));

/// What the pages show of an OpenAPI document.
#[derive(Debug, Deserialize)]
pub(crate) struct ApiDocument {
    pub(crate) info: ApiInfo,
    pub(crate) tags: Vec<Tag>,
    paths: IndexMap<String, IndexMap<String, Operation>>,
    components: Components,
}

#[derive(Debug, Deserialize)]
pub(crate) struct ApiInfo {
    pub(crate) description: String,
    pub(crate) version: String,
}

#[derive(Debug, Deserialize)]
pub(crate) struct Tag {
    pub(crate) name: String,
    pub(crate) description: String,
}

#[derive(Debug, Deserialize)]
struct Components {
    schemas: IndexMap<String, Schema>,
    responses: IndexMap<String, ApiResponse>,
    headers: IndexMap<String, ResponseHeader>,
}

/// One call: a method at a path.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Operation {
    operation_id: String,
    tags: Vec<String>,
    pub(crate) summary: String,
    pub(crate) description: String,
    #[serde(default)]
    pub(crate) parameters: Vec<Parameter>,
    pub(crate) request_body: Option<OperationBody>,
    responses: IndexMap<String, ApiResponse>,
}

#[derive(Debug, Deserialize)]
pub(crate) struct Parameter {
    pub(crate) name: String,
    #[serde(rename = "in")]
    pub(crate) place: String,
    #[serde(default)]
    pub(crate) required: bool,
    pub(crate) description: String,
    pub(crate) schema: Schema,
}

#[derive(Debug, Deserialize)]
pub(crate) struct OperationBody {
    pub(crate) content: IndexMap<String, MediaType>,
}

/// An answer, or a reference to one.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(crate) struct ApiResponse {
    #[serde(rename = "$ref")]
    target: Option<String>,
    pub(crate) description: String,
    headers: IndexMap<String, ComponentRef>,
    pub(crate) content: IndexMap<String, MediaType>,
}

#[derive(Debug, Deserialize)]
pub(crate) struct MediaType {
    pub(crate) schema: Schema,
    pub(crate) example: Option<Box<RawValue>>,
}

#[derive(Debug, Deserialize)]
pub(crate) struct ResponseHeader {
    pub(crate) description: String,
}

#[derive(Debug, Deserialize)]
struct ComponentRef {
    #[serde(rename = "$ref")]
    target: String,
}

/// What a value may be.
#[derive(Debug, Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub(crate) struct Schema {
    #[serde(rename = "$ref")]
    target: Option<String>,
    #[serde(rename = "type")]
    pub(crate) types: Value,
    pub(crate) format: Option<String>,
    pub(crate) description: String,
    #[serde(rename = "enum")]
    pub(crate) values: Vec<Value>,
    pub(crate) properties: IndexMap<String, Schema>,
    pub(crate) required: Vec<String>,
    pub(crate) items: Option<Box<Schema>>,
    pub(crate) one_of: Vec<Schema>,
    pub(crate) all_of: Vec<Schema>,
    pub(crate) minimum: Option<u64>,
    pub(crate) maximum: Option<u64>,
    pub(crate) default: Option<Value>,
}

/// A call with its place.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ApiCall<'d> {
    /// In small letters.
    pub(crate) method: &'d str,
    /// Below the base address.
    pub(crate) path: &'d str,
    pub(crate) operation: &'d Operation,
}

impl ApiDocument {
    /// The document, read when the first page asks for it.
    pub(crate) fn read() -> Result<&'static Self, Error> {
        API.as_ref().map_err(|error| Error::Internal(Cause::of(error)))
    }

    /// All calls under a tag.
    pub(crate) fn calls<'d>(&'d self, tag: &'d str) -> impl Iterator<Item = ApiCall<'d>> {
        self.all().filter(move |call| call.operation.tags.iter().any(|found| found == tag))
    }

    /// The call whose page has this name.
    pub(crate) fn call(&self, page: &str) -> Option<ApiCall<'_>> {
        self.all().find(|call| call.page() == page)
    }

    fn all(&self) -> impl Iterator<Item = ApiCall<'_>> {
        self.paths.iter().flat_map(|(path, methods)| {
            methods.iter().map(move |(method, operation)| ApiCall { method, path, operation })
        })
    }

    /// The schema itself, where it stands for one of the components.
    pub(crate) fn resolve<'d>(&'d self, schema: &'d Schema) -> &'d Schema {
        let target = schema.target.as_deref().and_then(last_segment);
        target.and_then(|name| self.components.schemas.get(name)).unwrap_or(schema)
    }

    /// A component by its name.
    #[cfg(test)]
    pub(crate) fn schema(&self, name: &str) -> Option<&Schema> {
        self.components.schemas.get(name)
    }

    /// Status and answer of every outcome of a call.
    pub(crate) fn answers<'d>(&'d self, call: ApiCall<'d>) -> impl Iterator<Item = (&'d str, &'d ApiResponse)> {
        call.operation.responses.iter().map(|(status, answer)| {
            let shared = answer.target.as_deref().and_then(last_segment);
            (status.as_str(), shared.and_then(|name| self.components.responses.get(name)).unwrap_or(answer))
        })
    }

    /// Names and descriptions of an answer's headers.
    pub(crate) fn headers<'d>(&'d self, answer: &'d ApiResponse) -> impl Iterator<Item = (&'d str, &'d str)> {
        answer.headers.iter().filter_map(|(name, reference)| {
            let header = self.components.headers.get(last_segment(&reference.target)?)?;
            Some((name.as_str(), header.description.as_str()))
        })
    }
}

impl ApiCall<'_> {
    /// The name of the call's page: `analyze-pdf` for `analyzePdf`.
    pub(crate) fn page(&self) -> String {
        let mut name = String::new();
        for letter in self.operation.operation_id.chars() {
            if letter.is_ascii_uppercase() {
                name.push('-');
            }
            name.push(letter.to_ascii_lowercase());
        }
        name
    }
}

impl Schema {
    /// The component that this stands for.
    pub(crate) fn component(&self) -> Option<&str> {
        self.target.as_deref().and_then(last_segment)
    }
}

fn last_segment(reference: &str) -> Option<&str> {
    reference.rsplit('/').next()
}
