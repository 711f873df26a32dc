//! Metrics in the log line itself: CloudWatch's embedded metric format, version 1. CloudWatch
//! reads `_aws`; no call is made, and nothing is waited for.

use serde::ser::{Serialize, SerializeMap, Serializer};

use super::{AnalysisOutcome, JournalEntry};

/// The entry as one line of JSON, with the metrics that its outcome gives.
pub(super) fn embedded(entry: &JournalEntry, namespace: &str) -> String {
    let metrics = measured(entry);
    let directives = metrics.iter().map(|metric| Directive {
        namespace,
        dimensions: metric.dimensions,
        metrics: [Definition { name: metric.name, unit: metric.value.unit() }],
    });
    let aws = Aws { timestamp: entry.time.timestamp_millis(), cloud_watch_metrics: directives.collect() };
    serde_json::to_string(&MetricLine { entry, values: MetricValues(&metrics), aws }).unwrap_or_default()
}

#[derive(serde::Serialize)]
struct MetricLine<'a> {
    #[serde(flatten)]
    entry: &'a JournalEntry,
    #[serde(flatten)]
    values: MetricValues<'a>,
    #[serde(rename = "_aws")]
    aws: Aws<'a>,
}

#[derive(serde::Serialize)]
#[serde(rename_all = "PascalCase")]
struct Aws<'a> {
    timestamp: i64,
    cloud_watch_metrics: Vec<Directive<'a>>,
}

#[derive(serde::Serialize)]
#[serde(rename_all = "PascalCase")]
struct Directive<'a> {
    namespace: &'a str,
    dimensions: Dimensions,
    metrics: [Definition; 1],
}

#[derive(serde::Serialize)]
#[serde(rename_all = "PascalCase")]
struct Definition {
    name: &'static str,
    unit: &'static str,
}

/// Sets of the entry's fields to divide a metric by.
type Dimensions = &'static [&'static [&'static str]];

struct Metric {
    name: &'static str,
    value: Measure,
    dimensions: Dimensions,
}

#[derive(serde::Serialize)]
#[serde(untagged)]
enum Measure {
    Count(u32),
    Milliseconds(f64),
}

impl Measure {
    /// CloudWatch's name of the unit.
    fn unit(&self) -> &'static str {
        match self {
            Self::Count(_) => "Count",
            Self::Milliseconds(_) => "Milliseconds",
        }
    }
}

/// The metrics' values, by name.
struct MetricValues<'a>(&'a [Metric]);

impl Serialize for MetricValues<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(Some(self.0.len()))?;
        for metric in self.0 {
            map.serialize_entry(metric.name, &metric.value)?;
        }
        map.end()
    }
}

fn measured(entry: &JournalEntry) -> Vec<Metric> {
    let metric = |name, value| Metric { name, value, dimensions: &[&[]] };
    let latency = |name| metric(name, Measure::Milliseconds(entry.latency_ms));
    let one = |name| metric(name, Measure::Count(1));
    let mut metrics = vec![latency("Latency"), metric("StorageRounds", Measure::Count(entry.storage_rounds))];
    match entry.analysis {
        Some(AnalysisOutcome::Stored) => metrics.extend([one("Analyses"), latency("AnalysisLatency")]),
        Some(AnalysisOutcome::Failed) => {
            metrics.push(Metric { dimensions: &[&[], &["reason"]], ..one("AnalysisFailures") });
        }
        Some(AnalysisOutcome::Refused) => metrics.push(one("QuotaRefusals")),
        Some(AnalysisOutcome::Repeated) | None => {}
    }
    metrics
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::embedded;
    use crate::journal::{AnalysisOutcome, JournalEntry};

    fn entry(analysis: Option<AnalysisOutcome>) -> JournalEntry {
        JournalEntry {
            time: "2026-11-20T07:15:38.250Z".parse().unwrap(),
            analysis,
            reason: analysis.filter(|outcome| *outcome == AnalysisOutcome::Failed).map(|_| "corrupt"),
            latency_ms: 12.5,
            storage_rounds: 2,
            ..JournalEntry::default()
        }
    }

    fn names(line: &Value) -> Vec<&str> {
        let directives = line["_aws"]["CloudWatchMetrics"].as_array().unwrap();
        directives.iter().map(|directive| directive["Metrics"][0]["Name"].as_str().unwrap()).collect()
    }

    #[test]
    fn every_metric_named_has_its_value_and_its_dimensions_in_the_line() {
        for outcome in
            [None, Some(AnalysisOutcome::Stored), Some(AnalysisOutcome::Failed), Some(AnalysisOutcome::Refused)]
        {
            let text = embedded(&entry(outcome), "pdf-analysis");
            assert!(!text.contains('\n'));
            let line: Value = serde_json::from_str(&text).unwrap();
            assert_eq!(line["_aws"]["Timestamp"], 1_795_158_938_250_i64);
            assert_eq!(line["StorageRounds"], 2);
            for directive in line["_aws"]["CloudWatchMetrics"].as_array().unwrap() {
                assert_eq!(directive["Namespace"], "pdf-analysis");
                let name = directive["Metrics"][0]["Name"].as_str().unwrap();
                assert!(line[name].is_number(), "{name}");
                for set in directive["Dimensions"].as_array().unwrap() {
                    assert!(set.as_array().unwrap().iter().all(|field| line[field.as_str().unwrap()].is_string()));
                }
            }
        }
    }

    #[test]
    fn the_outcome_decides_what_is_counted() {
        let of = |outcome| serde_json::from_str::<Value>(&embedded(&entry(outcome), "n")).unwrap();
        assert_eq!(names(&of(None)), ["Latency", "StorageRounds"]);
        assert_eq!(
            names(&of(Some(AnalysisOutcome::Stored))),
            ["Latency", "StorageRounds", "Analyses", "AnalysisLatency"]
        );
        let failed = of(Some(AnalysisOutcome::Failed));
        assert_eq!(names(&failed), ["Latency", "StorageRounds", "AnalysisFailures"]);
        assert_eq!(failed["_aws"]["CloudWatchMetrics"][2]["Dimensions"], json!([[], ["reason"]]));
        assert_eq!(names(&of(Some(AnalysisOutcome::Refused))), ["Latency", "StorageRounds", "QuotaRefusals"]);
        assert_eq!(names(&of(Some(AnalysisOutcome::Repeated))), ["Latency", "StorageRounds"]);
    }
}
