//! What a process gives its functions: AWS clients, configuration, the clock.

use crate::clock::Clock;
use crate::journal::Journal;

/// A function's surroundings, built once in `main` (Lambda) or in `server`
/// (one process) and passed in. Nothing deeper down reads the environment.
#[derive(Clone, Debug)]
pub struct Platform {
    /// Table access.
    pub dynamodb: aws_sdk_dynamodb::Client,
    /// How staged uploads are reached: functions that never do build no client.
    pub s3: aws_sdk_s3::Config,
    /// The values of the function's `Environment` in `template.yaml`.
    pub config: Config,
    /// The clock.
    pub clock: Clock,
    /// Where requests are noted.
    pub journal: Journal,
}

/// A function's configuration: its `Environment` in `template.yaml`, parsed.
#[derive(Clone, Debug)]
pub struct Config {
    /// `TABLE_NAME`: the DynamoDB table.
    pub table: String,
    /// `UPLOAD_BUCKET`: the S3 bucket of staged uploads.
    pub upload_bucket: String,
    /// `DAILY_LIMIT`: analyses a day of a new account.
    pub daily_limit: u64,
    /// `METRICS_NAMESPACE`: where CloudWatch keeps the service's metrics.
    pub metrics_namespace: String,
}

/// An environment value is missing or not of its form.
#[derive(Debug, thiserror::Error)]
#[error("the environment value {0} is missing or malformed; template.yaml sets it")]
pub struct ConfigError(&'static str);

impl Config {
    /// Reads the configuration through `get`, which looks one environment value up.
    ///
    /// # Errors
    /// Names the first value that is missing or malformed.
    pub fn read(get: impl Fn(&str) -> Option<String>) -> Result<Self, ConfigError> {
        let value = |name| get(name).ok_or(ConfigError(name));
        Ok(Self {
            table: value("TABLE_NAME")?,
            upload_bucket: value("UPLOAD_BUCKET")?,
            daily_limit: value("DAILY_LIMIT")?.parse().map_err(|_| ConfigError("DAILY_LIMIT"))?,
            metrics_namespace: value("METRICS_NAMESPACE")?,
        })
    }
}
