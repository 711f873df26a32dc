//! Metrics in the log line itself: CloudWatch's embedded metric format, version 1. CloudWatch reads `_aws`; no call is
//! made.

use std::collections::BTreeMap;

use serde::Serialize;
use serde_json::{Value, json};

use super::{AnalysisOutcome, JournalEntry};

/// The entry as one line of JSON, with the metrics of its outcome.
pub(super) fn embedded(entry: &JournalEntry, namespace: &str) -> String {
    let metrics = measured(entry);
    let directives = metrics.iter().map(|Metric { name, unit, dimensions, .. }| {
        let metrics = [json!({ "Name": name, "Unit": unit })];
        json!({ "Namespace": namespace, "Dimensions": dimensions, "Metrics": metrics })
    });
    let directives: Vec<_> = directives.collect();
    let aws = json!({ "Timestamp": entry.time.timestamp_millis(), "CloudWatchMetrics": directives });
    let values = metrics.into_iter().map(|metric| (metric.name, metric.value)).collect();
    serde_json::to_string(&MetricLine { entry, values, aws }).unwrap_or_default()
}

#[derive(Serialize)]
struct MetricLine<'a> {
    #[serde(flatten)]
    entry: &'a JournalEntry,
    #[serde(flatten)]
    values: BTreeMap<&'static str, Value>,
    #[serde(rename = "_aws")]
    aws: Value,
}

struct Metric {
    name: &'static str,
    value: Value,
    /// CloudWatch's name of it.
    unit: &'static str,
    /// Dimension sets: fields of the entry.
    dimensions: &'static [&'static [&'static str]],
}

fn measured(entry: &JournalEntry) -> Vec<Metric> {
    let metric = |name, value, unit| Metric { name, value, unit, dimensions: &[&[]] };
    let count = |name, times: u32| metric(name, times.into(), "Count");
    let latency = |name| metric(name, entry.latency_ms.into(), "Milliseconds");
    let mut metrics = vec![latency("Latency"), count("StorageRounds", entry.storage_rounds)];
    match entry.analysis {
        Some(AnalysisOutcome::Stored) => metrics.extend([count("Analyses", 1), latency("AnalysisLatency")]),
        Some(AnalysisOutcome::Failed) => {
            metrics.push(Metric { dimensions: &[&[], &["reason"]], ..count("AnalysisFailures", 1) });
        }
        Some(AnalysisOutcome::Refused) => metrics.push(count("QuotaRefusals", 1)),
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
