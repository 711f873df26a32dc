//! Metrics for Prometheus (text format 0.0.4), and their listener. No ids, no addresses of callers.

use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use http::{Method, Request, Response, StatusCode, header};
use http_body_util::Full;
use prometheus::{
    Gauge, HistogramOpts, HistogramVec, IntCounterVec, IntGauge, Opts, Registry, TEXT_FORMAT, TextEncoder,
};
use shared::clock::Clock;
use shared::deadline::Deadline;
use shared::disk_space::DiskSpace;
use shared::journal::{AnalysisOutcome, Journal, JournalEntry};
use shared::store::Store;

use crate::http::Responder;
use crate::http::body::RequestBody;
use crate::http::connections::Connections;

/// Upper bounds of the histogram's buckets, seconds: from one round trip to a gateway's timeout.
const LATENCY_BUCKETS_SECONDS: [f64; 12] = [0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 10.0, 30.0];

/// The counters. They start at 0 with the process.
#[derive(Debug)]
pub(crate) struct Metrics {
    registry: Registry,
    requests: IntCounterVec,
    seconds: HistogramVec,
    errors: IntCounterVec,
    analyses: IntCounterVec,
    verdicts: IntCounterVec,
    connections: IntGauge,
    waiting_mails: Gauge,
    free_bytes: Gauge,
}

impl Metrics {
    /// # Errors
    /// A name that Prometheus refuses, which is a bug.
    pub(crate) fn new() -> Result<Self, prometheus::Error> {
        let counter = |name: &str, help: &str, labels: &[&str]| IntCounterVec::new(Opts::new(name, help), labels);
        let seconds = HistogramOpts::new(
            "pdf_analysis_http_request_duration_seconds",
            "From a request's head to its answer, its body's way here included.",
        );
        let metrics = Self {
            registry: Registry::new(),
            requests: counter(
                "pdf_analysis_http_requests_total",
                "Requests that were answered, by route and class of status.",
                &["route", "status"],
            )?,
            seconds: HistogramVec::new(seconds.buckets(LATENCY_BUCKETS_SECONDS.to_vec()), &["route"])?,
            errors: counter("pdf_analysis_errors_total", "Errors that were answered, by code.", &["code"])?,
            analyses: counter("pdf_analysis_analyses_total", "What became of analyses.", &["outcome"])?,
            verdicts: counter("pdf_analysis_verdicts_total", "Analyses that were stored, by verdict.", &["verdict"])?,
            connections: IntGauge::new("pdf_analysis_connections", "Connections of clients.")?,
            waiting_mails: Gauge::new(
                "pdf_analysis_waiting_mails",
                "Mails that wait to be sent; NaN where the table does not answer.",
            )?,
            free_bytes: Gauge::new(
                "pdf_analysis_free_bytes",
                "Bytes that are free on the disk of the data folder; NaN with AWS's stores.",
            )?,
        };
        let Self { registry, requests, seconds, errors, analyses, verdicts, connections, waiting_mails, free_bytes } =
            &metrics;
        for counter in [requests, errors, analyses, verdicts] {
            registry.register(Box::new(counter.clone()))?;
        }
        registry.register(Box::new(seconds.clone()))?;
        registry.register(Box::new(connections.clone()))?;
        registry.register(Box::new(waiting_mails.clone()))?;
        registry.register(Box::new(free_bytes.clone()))?;
        Ok(metrics)
    }

    /// Counts an answered request. `route` is the template's, so that the number of series is limited.
    pub(crate) fn answered(&self, route: &str, status: StatusCode, took: Duration) {
        let class = format!("{}xx", status.as_u16() / 100);
        self.requests.with_label_values(&[route, &class]).inc();
        self.seconds.with_label_values(&[route]).observe(took.as_secs_f64());
    }

    /// A journal that counts entries and passes them to `then`.
    pub(crate) fn counting(self: &Arc<Self>, then: Journal) -> Journal {
        let metrics = Arc::clone(self);
        Journal::new(move |entry| {
            metrics.record(entry);
            then.record(entry);
        })
    }

    fn record(&self, entry: &JournalEntry) {
        if let Some(code) = entry.error {
            self.errors.with_label_values(&[code]).inc();
        }
        if let Some(outcome) = entry.analysis {
            let outcome = match outcome {
                AnalysisOutcome::Stored => "stored",
                AnalysisOutcome::Repeated => "repeated",
                AnalysisOutcome::Failed => "failed",
                AnalysisOutcome::Refused => "refused",
            };
            self.analyses.with_label_values(&[outcome]).inc();
        }
        if let Some(verdict) = entry.verdict {
            self.verdicts.with_label_values(&[verdict.to_string()]).inc();
        }
    }
}

/// Serves `/metrics` to Prometheus.
pub(crate) struct Exporter {
    pub(crate) metrics: Arc<Metrics>,
    /// The gateway's connections.
    pub(crate) connections: Connections,
    pub(crate) store: Store,
    pub(crate) clock: Clock,
    pub(crate) disk_space: DiskSpace,
}

impl Exporter {
    async fn text(&self) -> Result<String, prometheus::Error> {
        self.metrics.connections.set(i64::try_from(self.connections.count()).unwrap_or(i64::MAX));
        let mails = self.store.waiting_mails(self.clock.now(), Deadline::unhurried()).await;
        self.metrics.waiting_mails.set(mails.map_or(f64::NAN, |mails| mails.len() as f64));
        self.metrics.free_bytes.set(self.disk_space.free().map_or(f64::NAN, |free| free as f64));
        TextEncoder::new().encode_to_string(&self.metrics.registry.gather())
    }
}

impl Responder for Exporter {
    type Body = Full<Bytes>;

    async fn answer(self: Arc<Self>, request: Request<RequestBody>, _: SocketAddr) -> Response<Full<Bytes>> {
        let mut response = Response::new(Full::default());
        if request.method() != Method::GET || request.uri().path() != "/metrics" {
            *response.status_mut() = StatusCode::NOT_FOUND;
            return response;
        }
        match self.text().await {
            Ok(text) => {
                *response.body_mut() = Full::from(text);
                response.headers_mut().insert(header::CONTENT_TYPE, header::HeaderValue::from_static(TEXT_FORMAT));
            }
            Err(error) => {
                tracing::error!(%error, "the metrics cannot be told");
                *response.status_mut() = StatusCode::INTERNAL_SERVER_ERROR;
            }
        }
        response
    }
}
