//! The S3 bucket: its CORS rules and when its objects expire.

use std::time::Duration;

use super::node::{TemplateError, YamlNode};
use super::values::Resolver;

/// The bucket as the embedded S3 serves it.
#[derive(Clone, Debug, PartialEq)]
pub struct Bucket {
    /// Its local name: the logical id in small letters.
    pub name: String,
    /// Its CORS rules; the first that fits a request decides.
    pub cors: Vec<BucketCorsRule>,
    /// When objects go.
    pub expiries: Vec<Expiry>,
}

/// One rule of `CorsConfiguration`.
#[derive(Clone, Debug, PartialEq)]
pub struct BucketCorsRule {
    /// Origins; `*` within one stands for anything.
    pub allowed_origins: Vec<String>,
    /// Methods.
    pub allowed_methods: Vec<String>,
    /// Request headers; `*` within one stands for anything.
    pub allowed_headers: Vec<String>,
    /// Response headers a browser shows to scripts.
    pub exposed_headers: Vec<String>,
    /// Seconds a browser may keep a preflight's answer.
    pub max_age: Option<u64>,
}

/// One enabled rule of `LifecycleConfiguration`.
#[derive(Clone, Debug, PartialEq)]
pub struct Expiry {
    /// Keys that begin with this.
    pub prefix: String,
    /// The age at which an object may be deleted.
    pub after: Duration,
}

/// Properties that protect the bucket in the cloud and change no answer.
const CLOUD_ONLY: [&str; 5] =
    ["BucketEncryption", "LoggingConfiguration", "OwnershipControls", "PublicAccessBlockConfiguration", "Tags"];

pub(super) fn read(resources: &YamlNode<'_>, values: &Resolver) -> Result<Bucket, TemplateError> {
    let (id, resource) = resources.one_of_type("AWS::S3::Bucket")?;
    values.check_made(&resource)?;
    let mut bucket = Bucket { name: values.local_name(id), cors: Vec::new(), expiries: Vec::new() };
    let Some(properties) = resource.get("Properties")? else {
        return Ok(bucket);
    };
    properties.only(&[&CLOUD_ONLY[..], &["CorsConfiguration", "LifecycleConfiguration"]].concat())?;
    if let Some(cors) = properties.get("CorsConfiguration")? {
        cors.only(&["CorsRules"])?;
        for rule in cors.require("CorsRules")?.items()? {
            bucket.cors.push(read_cors_rule(&rule, values)?);
        }
    }
    if let Some(lifecycle) = properties.get("LifecycleConfiguration")? {
        lifecycle.only(&["Rules"])?;
        for rule in lifecycle.require("Rules")?.items()? {
            bucket.expiries.extend(read_expiry(&rule, values)?);
        }
    }
    Ok(bucket)
}

fn read_cors_rule(rule: &YamlNode<'_>, values: &Resolver) -> Result<BucketCorsRule, TemplateError> {
    rule.only(&["AllowedOrigins", "AllowedMethods", "AllowedHeaders", "ExposedHeaders", "Id", "MaxAge"])?;
    let max_age = rule.get("MaxAge")?;
    Ok(BucketCorsRule {
        allowed_origins: values.texts(&rule.require("AllowedOrigins")?)?,
        allowed_methods: values.texts(&rule.require("AllowedMethods")?)?,
        allowed_headers: values.optional_texts(rule, "AllowedHeaders")?,
        exposed_headers: values.optional_texts(rule, "ExposedHeaders")?,
        max_age: max_age.map(|node| values.number(&node)).transpose()?,
    })
}

fn read_expiry(rule: &YamlNode<'_>, values: &Resolver) -> Result<Option<Expiry>, TemplateError> {
    // The embedded S3 takes no multipart uploads, so none is ever left incomplete.
    rule.only(&["AbortIncompleteMultipartUpload", "ExpirationInDays", "Id", "Prefix", "Status"])?;
    let (Some(days), "Enabled") = (rule.get("ExpirationInDays")?, values.text(&rule.require("Status")?)?.as_str())
    else {
        return Ok(None);
    };
    let prefix = rule.get("Prefix")?;
    Ok(Some(Expiry {
        prefix: prefix.map_or(Ok(String::new()), |node| values.text(&node))?,
        after: Duration::from_secs(values.number(&days)?.saturating_mul(86_400)),
    }))
}
