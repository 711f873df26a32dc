//! The template's tree, and the resources in it.

use std::collections::BTreeMap;
use std::fmt::Display;

use serde::Deserialize;
use yaml_serde::Value;

use super::names::Names;
use super::tree::Reading;

pub(super) const API: &str = "AWS::Serverless::HttpApi";
pub(super) const BUCKET: &str = "AWS::S3::Bucket";
pub(super) const FUNCTION: &str = "AWS::Serverless::Function";
pub(super) const TABLE: &str = "AWS::DynamoDB::Table";

/// A template that cannot be read.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[error("template.yaml: {place}: {problem}")]
pub struct TemplateError {
    place: String,
    problem: String,
}

impl TemplateError {
    pub(super) fn new(place: String, problem: impl Display) -> Self {
        Self { place, problem: problem.to_string() }
    }
}

/// A template to read from.
pub(super) struct TemplateSource<'t> {
    root: &'t Value,
    names: Names<'t>,
    /// The resources, by logical id.
    resources: BTreeMap<String, Resource>,
}

#[derive(Deserialize)]
#[serde(rename_all = "PascalCase")]
struct Parameter {
    /// A parameter without a default must not be needed locally.
    default: Option<String>,
}

#[derive(Deserialize)]
#[serde(rename_all = "PascalCase")]
struct Resource {
    #[serde(rename = "Type")]
    kind: String,
    condition: Option<String>,
}

impl<'t> TemplateSource<'t> {
    pub(super) fn new(root: &'t Value) -> Result<Self, TemplateError> {
        let mut source = Self { root, names: Names::new(root.get("Conditions")), resources: BTreeMap::new() };
        let parameters: BTreeMap<String, Parameter> = source.read(&["Parameters"])?;
        let defaults = parameters.into_iter().filter_map(|(name, parameter)| Some((name, parameter.default?)));
        source.names.values.extend(defaults);
        source.resources = source.read(&["Resources"])?;
        for (id, resource) in &source.resources {
            let local = match resource.kind.as_str() {
                API | TABLE => id.clone(),
                // a bucket's name has no capitals
                BUCKET => id.to_ascii_lowercase(),
                _ => continue,
            };
            source.names.values.insert(id.clone(), local);
        }
        Ok(source)
    }

    /// The logical ids of the resources of a type.
    pub(super) fn of_type(&self, kind: &str) -> impl Iterator<Item = &str> {
        self.resources.iter().filter(move |(_, resource)| resource.kind == kind).map(|(id, _)| id.as_str())
    }

    /// The local name and the properties of the one resource of a type.
    pub(super) fn one<P: for<'de> Deserialize<'de>>(&self, kind: &str) -> Result<(String, P), TemplateError> {
        let ids: Vec<_> = self.of_type(kind).collect();
        let [id] = ids.as_slice() else {
            let problem = format!("must have one resource of type {kind}, and has {}", ids.len());
            return Err(TemplateError::new("Resources".to_owned(), problem));
        };
        if let Some(condition) = &self.resources[*id].condition
            && self.names.holds(condition) != Ok(true)
        {
            let problem = format!("`{condition}` has to hold with the parameters' defaults");
            return Err(TemplateError::new(format!("Resources.{id}.Condition"), problem));
        }
        Ok((self.names.values[*id].clone(), self.read(&["Resources", id, "Properties"])?))
    }

    /// Reads a value; unsupported constructs are errors.
    pub(super) fn read<T: for<'de> Deserialize<'de>>(&self, place: &[&str]) -> Result<T, TemplateError> {
        let value = place.iter().try_fold(self.root, |value, key| value.get(key)).unwrap_or(&Value::Null);
        serde_path_to_error::deserialize(Reading { names: &self.names, value }).map_err(|error| {
            let within = error.path().iter().map(ToString::to_string);
            let place = place.iter().map(ToString::to_string).chain(within);
            TemplateError::new(place.collect::<Vec<_>>().join("."), error.inner())
        })
    }
}
