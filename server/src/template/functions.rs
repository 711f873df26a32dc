//! The functions, their environment and the routes their events declare.

use std::collections::BTreeMap;
use std::fmt;
use std::time::Duration;

use yaml_serde::Value;

use super::node::{TemplateError, YamlNode};
use super::values::Resolver;

/// One `AWS::Serverless::Function`.
#[derive(Clone, Debug, PartialEq)]
pub struct Function {
    /// Its name in the template, `PdfFunction`.
    pub logical_id: String,
    /// The binary it is built from (`Metadata.BuildProperties.Binary`), `pdf`.
    pub binary: String,
    /// Its environment: `Globals` and its own, every value resolved.
    pub environment: BTreeMap<String, String>,
    /// How long Lambda lets one invocation run.
    pub timeout: Duration,
}

/// One route of the HTTP API.
#[derive(Clone, Debug, PartialEq)]
pub struct Route {
    /// The route key as functions see it: `GET /api/v1/pdf/{id}` or `$default`.
    pub key: String,
    /// The method; `None` for `$default`.
    pub method: Option<Method>,
    /// The path with its `{parameters}`; empty for `$default`.
    pub path: String,
    /// The logical id of the function that answers.
    pub function: String,
}

/// A route's method.
#[derive(Clone, Debug, PartialEq)]
pub enum Method {
    /// `ANY`: every method that no other route of the same path takes.
    Any,
    /// One method, in capitals.
    One(String),
}

impl fmt::Display for Method {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Any => f.write_str("ANY"),
            Self::One(name) => f.write_str(name),
        }
    }
}

/// What Lambda takes when neither the function nor `Globals` says.
const DEFAULT_TIMEOUT_SECONDS: u64 = 3;

pub(super) fn read(
    resources: &YamlNode<'_>,
    globals: Option<&YamlNode<'_>>,
    values: &Resolver,
    api: &str,
) -> Result<(Vec<Function>, Vec<Route>), TemplateError> {
    let globals = match globals {
        Some(globals) => globals.get("Function")?,
        None => None,
    };
    let mut functions = Vec::new();
    let mut routes: Vec<Route> = Vec::new();
    for (id, resource) in resources.of_type("AWS::Serverless::Function")? {
        functions.push(read_function(id, &resource, globals.as_ref(), values)?);
        let Some(events) = resource.require("Properties")?.get("Events")? else {
            continue;
        };
        for (_, event) in events.entries()? {
            let kind = event.require("Type")?;
            match values.text(&kind)?.as_str() {
                "HttpApi" => {}
                // the server has a clock of its own
                "ScheduleV2" => continue,
                _ => return Err(kind.error("the server understands events of type HttpApi and ScheduleV2 only")),
            }
            let route = read_route(id, &event, values, api)?;
            if routes.iter().any(|other| other.key == route.key) {
                return Err(event.error(format!("the route `{}` is there twice; remove one", route.key)));
            }
            routes.push(route);
        }
    }
    Ok((functions, routes))
}

fn read_function(
    id: &str,
    resource: &YamlNode<'_>,
    globals: Option<&YamlNode<'_>>,
    values: &Resolver,
) -> Result<Function, TemplateError> {
    let properties = resource.require("Properties")?;
    let build = resource.require("Metadata")?.require("BuildProperties")?;
    let mut environment = BTreeMap::new();
    let mut timeout = DEFAULT_TIMEOUT_SECONDS;
    for source in globals.into_iter().chain([&properties]) {
        if let Some(variables) = source.get("Environment")? {
            for (name, value) in variables.require("Variables")?.entries()? {
                environment.insert(name.to_owned(), values.text(&value)?);
            }
        }
        if let Some(seconds) = source.get("Timeout")? {
            timeout = values.number(&seconds)?;
        }
    }
    Ok(Function {
        logical_id: id.to_owned(),
        binary: values.text(&build.require("Binary")?)?,
        environment,
        timeout: Duration::from_secs(timeout),
    })
}

fn read_route(function: &str, event: &YamlNode<'_>, values: &Resolver, api: &str) -> Result<Route, TemplateError> {
    let properties = event.require("Properties")?;
    properties.only(&["ApiId", "Method", "Path"])?;
    let id = properties.require("ApiId")?;
    if !matches!(id.value, Value::Tagged(tagged) if tagged.tag == "Ref" && tagged.value == api) {
        return Err(id.error(format!("must be `!Ref {api}`")));
    }
    let (method, path) = match (properties.get("Method")?, properties.get("Path")?) {
        (None, None) => return Ok(default_route(function)),
        (Some(method), Some(path)) => (read_method(&method, values)?, read_path(&path, values)?),
        _ => return Err(properties.error("needs both Method and Path, or neither ($default)")),
    };
    Ok(Route { key: format!("{method} {path}"), method: Some(method), path, function: function.to_owned() })
}

fn default_route(function: &str) -> Route {
    Route { key: "$default".to_owned(), method: None, path: String::new(), function: function.to_owned() }
}

fn read_method(node: &YamlNode<'_>, values: &Resolver) -> Result<Method, TemplateError> {
    let name = values.text(node)?.to_ascii_uppercase();
    Ok(match name.as_str() {
        "ANY" => Method::Any,
        "DELETE" | "GET" | "HEAD" | "OPTIONS" | "PATCH" | "POST" | "PUT" => Method::One(name),
        _ => return Err(node.error("is not a method of an HTTP API")),
    })
}

fn read_path(node: &YamlNode<'_>, values: &Resolver) -> Result<String, TemplateError> {
    let path = values.text(node)?;
    let parameter = |segment: &str| segment.starts_with('{') && segment.ends_with('}');
    for segment in path.split('/') {
        if segment.contains(['{', '}']) && (!parameter(segment) || segment.contains('+')) {
            return Err(
                node.error(format!("`{segment}` is not understood; a parameter is a whole segment, `{{name}}`"))
            );
        }
    }
    if path.starts_with('/') { Ok(path) } else { Err(node.error("must begin with a slash")) }
}
