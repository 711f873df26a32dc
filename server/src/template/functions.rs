//! The functions, their environment and the routes their events declare.

use std::collections::BTreeMap;
use std::time::Duration;

use serde::Deserialize;
use serde::de::IgnoredAny;

use super::source::{FUNCTION, TemplateError, TemplateSource};

/// One `AWS::Serverless::Function`.
#[derive(Clone, Debug, PartialEq)]
pub struct FunctionResource {
    /// Its name in the template, `PdfFunction`.
    pub logical_id: String,
    /// The binary it is built from (`Metadata.BuildProperties.Binary`), `pdf`.
    pub binary: String,
    /// Its environment: `Globals` and its own, every value resolved.
    pub environment: BTreeMap<String, String>,
    /// Lambda's timeout of an invocation.
    pub timeout: Duration,
}

/// One route of the HTTP API.
#[derive(Clone, Debug, PartialEq)]
pub struct Route {
    /// The route key as functions see it: `GET /api/v1/pdf/{id}`, `ANY` in the method's place for those that no other route of
    /// the path takes, or `$default`.
    pub key: String,
    /// The path with its `{parameters}`; empty for `$default`.
    pub path: String,
    /// The logical id of the function that answers.
    pub function: String,
}

/// Lambda's default if neither the function nor `Globals` sets it.
const DEFAULT_TIMEOUT_SECONDS: u64 = 3;

const METHODS: [&str; 8] = ["ANY", "DELETE", "GET", "HEAD", "OPTIONS", "PATCH", "POST", "PUT"];

/// The properties of a function, and of `Globals`.
#[derive(Deserialize)]
#[serde(rename_all = "PascalCase")]
struct FunctionProperties {
    timeout: Option<u64>,
    environment: Option<Environment>,
    #[serde(default)]
    events: BTreeMap<String, FunctionEvent>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields, rename_all = "PascalCase")]
struct Environment {
    variables: BTreeMap<String, String>,
}

#[derive(Deserialize)]
#[serde(tag = "Type", content = "Properties")]
enum FunctionEvent {
    HttpApi(HttpApi),
    /// Ignored: the server has its own schedule.
    ScheduleV2(IgnoredAny),
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields, rename_all = "PascalCase")]
struct HttpApi {
    api_id: String,
    method: Option<String>,
    path: Option<String>,
}

/// Reads the functions and their routes of the HTTP API `api`.
pub(super) fn read(
    source: &TemplateSource<'_>,
    api: &str,
) -> Result<(Vec<FunctionResource>, Vec<Route>), TemplateError> {
    let globals: FunctionProperties = source.read(&["Globals", "Function"])?;
    let mut functions = Vec::new();
    let mut routes: Vec<Route> = Vec::new();
    for id in source.of_type(FUNCTION) {
        let own: FunctionProperties = source.read(&["Resources", id, "Properties"])?;
        let environments = [&globals.environment, &own.environment].into_iter().flatten();
        let timeout = own.timeout.or(globals.timeout).unwrap_or(DEFAULT_TIMEOUT_SECONDS);
        functions.push(FunctionResource {
            logical_id: id.to_owned(),
            binary: source.read(&["Resources", id, "Metadata", "BuildProperties", "Binary"])?,
            environment: environments.flat_map(|environment| environment.variables.clone()).collect(),
            timeout: Duration::from_secs(timeout),
        });
        for (name, event) in own.events {
            let FunctionEvent::HttpApi(event) = event else { continue };
            let place = || format!("Resources.{id}.Properties.Events.{name}");
            let route = event.route(id, api).map_err(|problem| TemplateError::new(place(), problem))?;
            if routes.iter().any(|other| other.key == route.key) {
                return Err(TemplateError::new(place(), format!("the route `{}` is there twice", route.key)));
            }
            routes.push(route);
        }
    }
    Ok((functions, routes))
}

impl HttpApi {
    fn route(self, function: &str, api: &str) -> Result<Route, String> {
        if self.api_id != api {
            return Err(format!("ApiId must be `!Ref {api}`"));
        }
        let function = function.to_owned();
        match (self.method, self.path) {
            (None, None) => Ok(Route { key: "$default".to_owned(), path: String::new(), function }),
            (Some(method), Some(path)) => {
                check(&method, &path)?;
                Ok(Route { key: format!("{method} {path}"), path, function })
            }
            _ => Err("needs both Method and Path, or neither ($default)".to_owned()),
        }
    }
}

/// Refuses a route that API Gateway or the router does not support.
fn check(method: &str, path: &str) -> Result<(), String> {
    if !METHODS.contains(&method) {
        return Err(format!("`{method}` is not a method of an HTTP API; it is one of {}", METHODS.join(", ")));
    }
    if !path.starts_with('/') {
        return Err(format!("the path `{path}` must begin with a slash"));
    }
    let is_parameter = |segment: &str| segment.starts_with('{') && segment.ends_with('}') && !segment.contains('+');
    match path.split('/').find(|segment| segment.contains(['{', '}']) && !is_parameter(segment)) {
        Some(segment) => Err(format!("`{segment}` is not understood; a parameter is a whole segment, `{{name}}`")),
        None => Ok(()),
    }
}
