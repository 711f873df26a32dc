//! The HTTP API: its stage and its CORS configuration.

use super::node::{TemplateError, YamlNode};
use super::values::Resolver;

/// `CorsConfiguration` of the HTTP API.
#[derive(Clone, Debug, PartialEq)]
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
    /// Whether cookies may be sent along.
    pub allow_credentials: bool,
}

pub(super) struct Api {
    pub(super) logical_id: String,
    pub(super) cors: Option<Cors>,
}

pub(super) fn read(resources: &YamlNode<'_>, values: &Resolver) -> Result<Api, TemplateError> {
    let (id, api) = resources.one_of_type("AWS::Serverless::HttpApi")?;
    let properties = api.require("Properties")?;
    let stage = properties.require("StageName")?;
    if values.text(&stage)? != "$default" {
        return Err(stage.error("must be $default: any other stage becomes part of every path"));
    }
    for key in ["Auth", "DefinitionBody", "DefinitionUri"] {
        if let Some(node) = properties.get(key)? {
            return Err(
                node.error("the server takes routes from the functions' events and knows no authorizers; remove it")
            );
        }
    }
    let cors = properties.get("CorsConfiguration")?;
    Ok(Api { logical_id: id.to_owned(), cors: cors.map(|cors| read_cors(&cors, values)).transpose()? })
}

fn read_cors(cors: &YamlNode<'_>, values: &Resolver) -> Result<Cors, TemplateError> {
    cors.only(&["AllowOrigins", "AllowMethods", "AllowHeaders", "ExposeHeaders", "MaxAge", "AllowCredentials"])?;
    let max_age = cors.get("MaxAge")?;
    let allow_credentials = cors.get("AllowCredentials")?;
    Ok(Cors {
        allow_origins: values.optional_texts(cors, "AllowOrigins")?,
        allow_methods: values.optional_texts(cors, "AllowMethods")?,
        allow_headers: values.optional_texts(cors, "AllowHeaders")?,
        expose_headers: values.optional_texts(cors, "ExposeHeaders")?,
        max_age: max_age.map(|node| values.number(&node)).transpose()?,
        allow_credentials: match allow_credentials {
            Some(node) => values.text(&node)? == "true",
            None => false,
        },
    })
}
