//! Analyzes a bucket by three tasks: plan, work on a shard, finish. `batch/template.yaml` deploys the function, and
//! `batch/states.asl.json` calls it.
//!
//! A *run* is one execution of the state machine. Its planner lists the bucket and writes *shards*, lists of objects that
//! have no row yet. A worker analyzes a shard and writes its rows as one Parquet object, whose existence says that the shard
//! is done. A worker that is killed earlier leaves no rows, and one that is repeated writes the same object again.

#![warn(clippy::expect_used, clippy::indexing_slicing, clippy::panic)]

mod config;
mod created;
mod examine;
mod finish;
mod layout;
mod manifest;
mod parquet_file;
mod plan;
mod work;

pub mod row;

pub use config::{Config, ConfigError};

use std::time::Duration;

use aws_sdk_s3::config::retry::{RetryConfig, RetryPartition, TokenBucket};
use aws_sdk_s3::config::timeout::TimeoutConfig;
use lambda_runtime::{Diagnostic, LambdaEvent, Runtime, service_fn};
use serde::Deserialize;
use serde_json::Value;
use shared::aws;
use shared::bucket::{Bucket, BucketError};
use shared::deadline::Remaining;
use tracing_subscriber::layer::SubscriberExt;
use tracing_subscriber::util::SubscriberInitExt;

use created::Created;
use plan::Cursor;

/// Attempts of a request to S3.
const ATTEMPTS: u32 = 8;
/// The pause after the first of them, which doubles up to the longest.
const BACKOFF_FIRST: Duration = Duration::from_millis(200);
const BACKOFF_MAX: Duration = Duration::from_secs(10);
const CONNECT_TIME: Duration = Duration::from_secs(2);
/// How long S3 may take to answer an attempt.
const ATTEMPT_TIME: Duration = Duration::from_secs(15);

/// A task of the state machine.
#[derive(Debug, Deserialize)]
#[serde(tag = "task", rename_all = "snake_case")]
enum Task {
    /// Lists the bucket from `cursor` on and writes shards.
    Plan { run: String, cursor: Option<Cursor> },
    /// Analyzes the shard whose list is the object `shard`.
    Work { run: String, shard: String },
    /// Counts the results of a run and releases the lock.
    Finish { run: String },
}

/// An event: a task of the state machine, or a new object that S3 reports through EventBridge.
#[derive(Debug, Deserialize)]
#[serde(untagged)]
enum Event {
    Task(Task),
    Created(Created),
}

/// A failed task; the state machine or Lambda repeats it.
#[derive(Debug, thiserror::Error)]
pub enum BatchError {
    /// S3 failed.
    #[error("{0}: {1}")]
    Bucket(String, BucketError),
    /// Another run has the lock of the output.
    #[error("the run {0} has the lock; if its execution has ended, delete lock.json from the output")]
    Locked(String),
    /// The event is neither a task nor a new object.
    #[error("the event is neither a task of the state machine nor a new object: {0}")]
    Event(String),
    /// An object of the output is malformed.
    #[error("{0} is malformed: {1}")]
    Malformed(String, String),
    /// The rows cannot be encoded.
    #[error("the rows could not be written as Parquet: {0}")]
    Parquet(#[from] parquet::errors::ParquetError),
    /// An object could not be read; another attempt may succeed.
    #[error("{0} could not be read: {1}")]
    Unreadable(String, String),
}

/// The error's name, which `Retry` and `Catch` of the state machine match.
impl From<BatchError> for Diagnostic {
    fn from(error: BatchError) -> Self {
        let error_type = if matches!(error, BatchError::Locked(_)) { "Locked" } else { "TaskFailed" };
        Self { error_type: error_type.to_owned(), error_message: error.to_string() }
    }
}

/// The function: its buckets and its configuration.
#[derive(Clone, Debug)]
pub struct Batch {
    source: Bucket,
    output: Bucket,
    config: Config,
}

impl Batch {
    /// The function for the buckets of `config`. It overrides the client's timeouts with longer ones: S3 answers
    /// `SlowDown` to many readers until it has split their prefix.
    #[must_use]
    pub fn new(s3: &aws_sdk_s3::Config, config: Config) -> Self {
        let retries = RetryConfig::standard().with_max_attempts(ATTEMPTS);
        let retries = retries.with_initial_backoff(BACKOFF_FIRST).with_max_backoff(BACKOFF_MAX);
        let timeouts = TimeoutConfig::builder().connect_timeout(CONNECT_TIME).operation_attempt_timeout(ATTEMPT_TIME);
        // the default retry budget is used up if all concurrent requests are throttled
        let budget = RetryPartition::custom("batch").token_bucket(TokenBucket::unlimited()).build();
        let s3 = s3.to_builder().retry_config(retries).retry_partition(budget).timeout_config(timeouts.build());
        let client = aws_sdk_s3::Client::from_conf(s3.build());
        let source = Bucket::new(client.clone(), config.source_bucket.as_str());
        let output = Bucket::new(client, config.output_bucket.as_str());
        Self { source, output, config }
    }

    /// Answers one event.
    ///
    /// # Errors
    /// [`BatchError`]; a problem of one object is a failure in the output and no error.
    pub async fn answer(&self, event: Value, remaining: Remaining) -> Result<Value, BatchError> {
        let event = serde_json::from_value(event).map_err(|error| BatchError::Event(error.to_string()))?;
        match event {
            Event::Task(Task::Plan { run, cursor }) => plan::plan(self, &run, cursor, remaining).await,
            Event::Task(Task::Work { run, shard }) => work::work(self, &run, &shard, remaining).await,
            Event::Task(Task::Finish { run }) => finish::finish(self, &run).await,
            Event::Created(created) => created::created(self, &created).await,
        }
    }
}

/// Reads the environment and answers events until Lambda ends the process.
///
/// # Errors
/// A value of the environment is missing, or the Runtime API failed.
pub async fn run() -> Result<(), lambda_runtime::Error> {
    let level = std::env::var("LOG_LEVEL").unwrap_or_else(|_| "info".to_owned());
    let lines = tracing_subscriber::fmt::layer().json().without_time();
    tracing_subscriber::registry().with(lines).with(shared::runtime::filter(&level)).init();
    let value = |name: &str| std::env::var(name).ok();
    let config = Config::read(value)?;
    let s3 = shared::runtime::s3(&aws::config().await, value);
    let batch = Batch::new(&s3, config);
    let batch = &batch;
    let answering = service_fn(|event: LambdaEvent<Value>| {
        Box::pin(async move {
            let remaining = Remaining::until(event.context.deadline());
            let answer = batch.answer(event.payload, remaining).await;
            answer.inspect_err(|error| tracing::error!(%error, "the task failed"))
        })
    });
    Runtime::new(answering).run().await
}
