//! The platform of functions: AWS clients, configuration, the clock.

use std::str::FromStr;
use std::sync::Arc;

use engine::Anchor;
use tokio::sync::Notify;

use crate::clock::Clock;
use crate::disk_space::DiskSpace;
use crate::journal::Journal;
use crate::mail::Mail;
use crate::registration::{Policy, RegistrationLimits};
use crate::store::{Queues, Store};
use crate::uploads::{UploadAddress, Uploads};
use crate::worker::Worker;

/// A function's surroundings, built once in `main` (Lambda) or in `server`
/// (one process) and passed in. Nothing deeper down reads the environment.
#[derive(Clone, Debug)]
pub struct Platform {
    /// Table access.
    pub dynamodb: aws_sdk_dynamodb::Client,
    /// Access to staged uploads: the client is built when it is first used.
    pub s3: aws_sdk_s3::Config,
    /// The values of the function's `Environment` in `template.yaml`.
    pub config: Config,
    /// How mail is sent.
    pub mail: Mail,
    /// The clock.
    pub clock: Clock,
    /// The journal of requests.
    pub journal: Journal,
    /// State shared by the functions of a process.
    pub process: Process,
}

impl Platform {
    /// The function's table.
    #[must_use]
    pub fn store(&self) -> Store {
        Store::with_queues(self.dynamodb.clone(), self.config.table.clone(), self.process.queues.clone())
    }

    /// The bucket of staged uploads.
    #[must_use]
    pub fn uploads(&self) -> Uploads {
        let uploads = Uploads::new(&self.s3, self.config.upload_bucket.as_str());
        uploads.reached_at(self.config.upload_address.clone())
    }
}

/// State of a process that its functions share: the worker of extractions, and the locks of commits.
#[derive(Clone, Debug)]
pub struct Process {
    /// The worker of extractions.
    pub extractions: Worker,
    /// Notified when a mail is queued, in a process without a schedule.
    pub mail_waits: Arc<Notify>,
    /// The issuers that the operator trusts.
    pub anchors: Arc<[Anchor]>,
    /// Free space of its stores.
    pub disk_space: DiskSpace,
    pub(crate) queues: Queues,
}

impl Process {
    /// Maximum concurrent extractions per account: each may take up to 48 MB.
    const MAX_EXTRACTIONS_PER_ACCOUNT: usize = 8;
}

impl Default for Process {
    /// An account may run one extraction per core, at least two, because one may wait for a staged file. One more is
    /// reserved for other accounts, whose small files would otherwise wait for its large ones. More would starve the
    /// rest of the process.
    fn default() -> Self {
        let cores = std::thread::available_parallelism()
            .map_or(2, |cores| cores.get().clamp(2, Self::MAX_EXTRACTIONS_PER_ACCOUNT));
        Self {
            extractions: Worker::new(cores + 1, cores),
            mail_waits: Arc::default(),
            anchors: Arc::default(),
            disk_space: DiskSpace::default(),
            queues: Queues::default(),
        }
    }
}

/// A function's configuration: its `Environment` in `template.yaml`, parsed.
#[derive(Clone, Debug)]
pub struct Config {
    /// `TABLE_NAME`: the DynamoDB table.
    pub table: String,
    /// `UPLOAD_BUCKET`: the S3 bucket of staged uploads.
    pub upload_bucket: String,
    /// The address of tickets: in the cloud the bucket itself.
    pub upload_address: UploadAddress,
    /// `DAILY_LIMIT`: analyses a day of a new account.
    pub daily_limit: u64,
    /// `REGISTRATION`: who may open accounts.
    pub registration: Policy,
    /// `REGISTRATIONS_PER_HOUR`, `REGISTRATIONS_PER_NETWORK`: limits of new accounts.
    pub registration_limits: RegistrationLimits,
    /// `TRUSTED_ISSUERS`: the object in the bucket with issuers that are trusted for all accounts; for functions that
    /// analyze.
    pub trusted_issuers: Option<String>,
    /// `METRICS_NAMESPACE`: where CloudWatch keeps the service's metrics.
    pub metrics_namespace: String,
}

/// An environment value is missing or malformed.
#[derive(Debug, thiserror::Error)]
#[error("the environment value {0} is missing or malformed; template.yaml sets it")]
pub struct ConfigError(&'static str);

impl Config {
    /// Reads the configuration through `get`, which returns an environment value.
    ///
    /// # Errors
    /// Names the first value that is missing or malformed.
    pub fn read(get: impl Fn(&str) -> Option<String>) -> Result<Self, ConfigError> {
        let value = |name| get(name).ok_or(ConfigError(name));
        Ok(Self {
            table: value("TABLE_NAME")?,
            upload_bucket: value("UPLOAD_BUCKET")?,
            upload_address: UploadAddress::Bucket,
            daily_limit: parsed("DAILY_LIMIT", &get)?,
            registration: parsed("REGISTRATION", &get)?,
            registration_limits: RegistrationLimits {
                in_all: parsed("REGISTRATIONS_PER_HOUR", &get)?,
                per_network: parsed("REGISTRATIONS_PER_NETWORK", &get)?,
            },
            trusted_issuers: get("TRUSTED_ISSUERS").filter(|key| !key.is_empty()),
            metrics_namespace: value("METRICS_NAMESPACE")?,
        })
    }
}

/// A parsed value.
fn parsed<T: FromStr>(name: &'static str, get: impl Fn(&str) -> Option<String>) -> Result<T, ConfigError> {
    get(name).and_then(|text| text.parse().ok()).ok_or(ConfigError(name))
}
