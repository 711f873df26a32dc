//! One line per request: route, outcome and cost. No secrets.

mod metrics;

use std::io::Write;
use std::sync::Arc;

use chrono::{DateTime, SecondsFormat, Utc};
use engine::Verdict;
use serde::{Serialize, Serializer};

use crate::redact_debug::redact_debug;

/// The record of one request.
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
    /// The outcome of an analysis, if one was requested.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub analysis: Option<AnalysisOutcome>,
    /// The verdict of a stored analysis: only for metrics, not in the line.
    #[serde(skip)]
    pub verdict: Option<Verdict>,
    /// The code of the error that was answered.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub error: Option<&'static str>,
    /// Why the analysis failed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<&'static str>,
    /// The account's remaining analyses today, once known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub remaining_checks: Option<u64>,
    /// From the request's arrival in the function to its answer, milliseconds.
    pub latency_ms: f64,
    /// Calls of DynamoDB and S3, retries included.
    pub storage_calls: u32,
    /// Round trips: calls that overlap count once.
    pub storage_rounds: u32,
    /// Bytes of a staged PDF that the engine read.
    pub bytes_read: u64,
    /// Passwords hashed or compared.
    pub password_hashes: u32,
}

/// The outcome of an analysis.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum AnalysisOutcome {
    /// It was stored and counted.
    Stored,
    /// A repeat was answered with the first answer.
    Repeated,
    /// The file could not be read; `reason` is the cause.
    Failed,
    /// The quota or the limit of failures was reached.
    Refused,
}

/// The sink of the entries.
#[derive(Clone)]
pub struct Journal(Arc<dyn Fn(&JournalEntry) + Send + Sync>);

redact_debug!(Journal);

impl Journal {
    /// Passes entries to `write`.
    pub fn new(write: impl Fn(&JournalEntry) + Send + Sync + 'static) -> Self {
        Self(Arc::new(write))
    }

    /// Writes entries as lines of JSON to standard output, with CloudWatch metrics of `namespace`.
    #[must_use]
    pub fn cloudwatch(namespace: String) -> Self {
        Self::new(move |entry| {
            let line = metrics::embedded(entry, &namespace);
            // standard output is closed only when the process ends
            let _ = writeln!(std::io::stdout().lock(), "{line}");
        })
    }

    /// Writes entries to the process's log at level `info`.
    #[must_use]
    pub fn log() -> Self {
        Self::new(|entry| tracing::info!("{}", serde_json::to_string(entry).unwrap_or_default()))
    }

    /// Records a request.
    pub fn record(&self, entry: &JournalEntry) {
        (self.0)(entry);
    }
}

fn milliseconds<S: Serializer>(time: &DateTime<Utc>, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(&time.to_rfc3339_opts(SecondsFormat::Millis, true))
}
