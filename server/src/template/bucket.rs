//! The S3 bucket: its CORS rules and when its objects expire.

use std::time::Duration;

use serde::Deserialize;
use serde::de::IgnoredAny;

use super::source::{BUCKET, TemplateError, TemplateSource};

/// The bucket as the embedded S3 serves it.
#[derive(Clone, Debug, PartialEq)]
pub struct Bucket {
    /// Its local name.
    pub name: String,
    /// Its CORS rules; the first that matches a request applies.
    pub cors: Vec<BucketCorsRule>,
    /// The lifecycle rules.
    pub expiries: Vec<Expiry>,
}

/// One rule of `CorsConfiguration`.
#[derive(Clone, Debug, Deserialize, PartialEq)]
#[serde(deny_unknown_fields, rename_all = "PascalCase")]
pub struct BucketCorsRule {
    /// Origins; `*` within one matches anything.
    pub allowed_origins: Vec<String>,
    /// Methods.
    pub allowed_methods: Vec<String>,
    /// Request headers; `*` within one matches anything.
    #[serde(default)]
    pub allowed_headers: Vec<String>,
    /// Response headers a browser shows to scripts.
    #[serde(default)]
    pub exposed_headers: Vec<String>,
    /// Seconds a browser may keep a preflight's answer.
    pub max_age: Option<u64>,
}

/// One rule of `LifecycleConfiguration`.
#[derive(Clone, Debug, Deserialize, PartialEq)]
#[serde(deny_unknown_fields, rename_all = "PascalCase")]
pub struct Expiry {
    /// Prefix of the keys.
    pub prefix: String,
    expiration_in_days: u64,
    #[serde(rename = "Status")]
    _status: Status,
    _id: Option<IgnoredAny>,
    // the embedded S3 takes no multipart uploads, so none is ever left incomplete
    _abort_incomplete_multipart_upload: Option<IgnoredAny>,
}

#[derive(Clone, Debug, Deserialize, PartialEq)]
enum Status {
    Enabled,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields, rename_all = "PascalCase")]
struct BucketProperties {
    cors_configuration: CorsConfiguration,
    lifecycle_configuration: LifecycleConfiguration,
    // these protect the bucket in the cloud and do not change answers
    _bucket_encryption: Option<IgnoredAny>,
    _logging_configuration: Option<IgnoredAny>,
    _ownership_controls: Option<IgnoredAny>,
    _public_access_block_configuration: Option<IgnoredAny>,
    _tags: Option<IgnoredAny>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields, rename_all = "PascalCase")]
struct CorsConfiguration {
    cors_rules: Vec<BucketCorsRule>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields, rename_all = "PascalCase")]
struct LifecycleConfiguration {
    rules: Vec<Expiry>,
}

impl Expiry {
    /// The age at which an object may be deleted.
    #[must_use]
    pub fn after(&self) -> Duration {
        Duration::from_secs(self.expiration_in_days.saturating_mul(86_400))
    }
}

pub(super) fn read(source: &TemplateSource<'_>) -> Result<Bucket, TemplateError> {
    let (name, bucket) = source.one::<BucketProperties>(BUCKET)?;
    let (cors, expiries) = (bucket.cors_configuration.cors_rules, bucket.lifecycle_configuration.rules);
    Ok(Bucket { name, cors, expiries })
}
