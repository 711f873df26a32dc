//! The HTTP API: its stage and its CORS configuration.

use serde::Deserialize;
use serde::de::IgnoredAny;

use super::source::{API, TemplateError, TemplateSource};

/// `CorsConfiguration` of the HTTP API.
#[derive(Clone, Debug, Default, Deserialize, PartialEq)]
#[serde(default, deny_unknown_fields, rename_all = "PascalCase")]
pub struct Cors {
    /// Origins, or `*`.
    pub allow_origins: Vec<String>,
    /// Methods, or `*`.
    pub allow_methods: Vec<String>,
    /// Request headers, or `*`.
    pub allow_headers: Vec<String>,
    /// Response headers a browser shows to scripts.
    pub expose_headers: Vec<String>,
    /// Seconds a browser may keep a preflight's answer.
    pub max_age: Option<u64>,
}

/// Authorizers and definitions are none of these: routes are the functions' events.
#[derive(Deserialize)]
#[serde(deny_unknown_fields, rename_all = "PascalCase")]
struct ApiProperties {
    #[serde(rename = "StageName")]
    _stage: Stage,
    cors_configuration: Cors,
    // used only in the cloud
    _access_log_settings: Option<IgnoredAny>,
    _default_route_settings: Option<IgnoredAny>,
    _disable_execute_api_endpoint: Option<IgnoredAny>,
    _route_settings: Option<IgnoredAny>,
}

/// Any other stage becomes part of every path.
#[derive(Deserialize)]
enum Stage {
    #[serde(rename = "$default")]
    Default,
}

/// The API's name, and its CORS configuration.
pub(super) fn read(source: &TemplateSource<'_>) -> Result<(String, Cors), TemplateError> {
    let (name, api) = source.one::<ApiProperties>(API)?;
    Ok((name, api.cors_configuration))
}
