//! One line for every request: what was asked, what came of it, what it cost. No secrets.

mod metrics;

use std::io::Write;
use std::sync::Arc;

use chrono::{DateTime, SecondsFormat, Utc};
use engine::Verdict;
use serde::{Serialize, Serializer};

use crate::opaque::opaque_debug;

/// What is noted of one request.
#[derive(Clone, Debug, Default, Serialize)]
pub struct JournalEntry {
    /// When it began; ISO 8601 with milliseconds in the line.
    #[serde(serialize_with = "milliseconds")]
    pub time: DateTime<Utc>,
    /// The gateway's id of it.
    pub request_id: String,
    /// The template's route that took it.
    pub route: String,
    /// The answer's status.
    pub status: u16,
    /// The account, once known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub user: Option<String>,
    /// What became of an analysis, if one was asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub analysis: Option<AnalysisOutcome>,
    /// The verdict of an analysis that was stored: for counts alone, in no line.
    #[serde(skip)]
    pub verdict: Option<Verdict>,
    /// The code of the error that was answered.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub error: Option<&'static str>,
    /// Why the analysis failed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<&'static str>,
    /// What is left of the account's analyses today, once known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub remaining_checks: Option<u64>,
    /// From the request's arrival in the function to its answer, milliseconds.
    pub latency_ms: f64,
    /// Calls of DynamoDB and S3, retries included.
    pub storage_calls: u32,
    /// How often they were waited for: calls that overlap count once.
    pub storage_rounds: u32,
    /// Bytes of a staged PDF that the engine read.
    pub bytes_read: u64,
    /// Passwords hashed or compared.
    pub password_hashes: u32,
}

/// What became of an analysis.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum AnalysisOutcome {
    /// It was stored and counted.
    Stored,
    /// A repeat got the first answer.
    Repeated,
    /// The file could not be read; `reason` says why.
    Failed,
    /// The quota, or the number of failures, was used up.
    Refused,
}

/// Where the entries go.
#[derive(Clone)]
pub struct Journal(Arc<dyn Fn(&JournalEntry) + Send + Sync>);

opaque_debug!(Journal);

impl Journal {
    /// Entries go to `write`.
    pub fn new(write: impl Fn(&JournalEntry) + Send + Sync + 'static) -> Self {
        Self(Arc::new(write))
    }

    /// A line of JSON on standard output each, in which CloudWatch finds the metrics of
    /// `namespace`.
    #[must_use]
    pub fn cloudwatch(namespace: String) -> Self {
        Self::new(move |entry| {
            let line = metrics::embedded(entry, &namespace);
            // standard output is gone only when the process is about to go
            let _ = writeln!(std::io::stdout().lock(), "{line}");
        })
    }

    /// Into the process's log, at the level `info`.
    #[must_use]
    pub fn log() -> Self {
        Self::new(|entry| tracing::info!("{}", serde_json::to_string(entry).unwrap_or_default()))
    }

    /// Notes a request.
    pub fn note(&self, entry: &JournalEntry) {
        (self.0)(entry);
    }
}

fn milliseconds<S: Serializer>(time: &DateTime<Utc>, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(&time.to_rfc3339_opts(SecondsFormat::Millis, true))
}
