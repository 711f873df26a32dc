//! Metrics in the log line itself: CloudWatch's embedded metric format, version 1. CloudWatch
//! reads `_aws`; no call is made, and nothing is waited for.

use serde_json::{Map, Value, json};

use super::{Entry, Outcome};

/// The entry as one line of JSON, with the metrics that its outcome gives.
pub(super) fn embedded(entry: &Entry, namespace: &str) -> String {
    let mut line = match serde_json::to_value(entry) {
        Ok(Value::Object(fields)) => fields,
        _ => Map::new(),
    };
    let directives: Vec<Value> = measured(entry)
        .into_iter()
        .map(|(name, unit, value, dimensions)| {
            line.insert(name.to_owned(), value);
            let metrics = [json!({ "Name": name, "Unit": unit })];
            json!({ "Namespace": namespace, "Dimensions": dimensions, "Metrics": metrics })
        })
        .collect();
    line.insert(
        "_aws".to_owned(),
        json!({ "Timestamp": entry.time.timestamp_millis(), "CloudWatchMetrics": directives }),
    );
    Value::Object(line).to_string()
}

/// Name, unit, value, and sets of the entry's fields to divide by.
type Metric = (&'static str, &'static str, Value, Value);

fn measured(entry: &Entry) -> Vec<Metric> {
    let whole = json!([[]]);
    let mut metrics = vec![
        ("Latency", "Milliseconds", json!(entry.latency_ms), whole.clone()),
        ("StorageRounds", "Count", json!(entry.storage_rounds), whole.clone()),
    ];
    match entry.analysis {
        Some(Outcome::Stored) => {
            metrics.push(("Analyses", "Count", json!(1), whole.clone()));
            metrics.push(("AnalysisLatency", "Milliseconds", json!(entry.latency_ms), whole));
        }
        Some(Outcome::Failed) => metrics.push(("AnalysisFailures", "Count", json!(1), json!([[], ["reason"]]))),
        Some(Outcome::Refused) => metrics.push(("QuotaRefusals", "Count", json!(1), whole)),
        Some(Outcome::Repeated) | None => {}
    }
    metrics
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::embedded;
    use crate::journal::{Entry, Outcome};

    fn entry(analysis: Option<Outcome>) -> Entry {
        Entry {
            time: "2026-11-20T07:15:38.250Z".parse().unwrap(),
            request_id: "r".to_owned(),
            route: "POST /api/v1/pdf/analyze".to_owned(),
            status: 200,
            user: Some("u".to_owned()),
            analysis,
            error: None,
            reason: analysis.filter(|outcome| *outcome == Outcome::Failed).map(|_| "corrupt"),
            latency_ms: 12.5,
            storage_calls: 3,
            storage_rounds: 2,
            bytes_read: 0,
            trace: None,
        }
    }

    fn names(line: &Value) -> Vec<&str> {
        let directives = line["_aws"]["CloudWatchMetrics"].as_array().unwrap();
        directives.iter().map(|directive| directive["Metrics"][0]["Name"].as_str().unwrap()).collect()
    }

    #[test]
    fn every_metric_named_has_its_value_and_its_dimensions_in_the_line() {
        for outcome in [None, Some(Outcome::Stored), Some(Outcome::Failed), Some(Outcome::Refused)] {
            let text = embedded(&entry(outcome), "pdf-analysis");
            assert!(!text.contains('\n'));
            let line: Value = serde_json::from_str(&text).unwrap();
            assert_eq!(line["_aws"]["Timestamp"], 1_795_158_938_250_i64);
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
        assert_eq!(names(&of(Some(Outcome::Stored))), ["Latency", "StorageRounds", "Analyses", "AnalysisLatency"]);
        let failed = of(Some(Outcome::Failed));
        assert_eq!(names(&failed), ["Latency", "StorageRounds", "AnalysisFailures"]);
        assert_eq!(failed["_aws"]["CloudWatchMetrics"][2]["Dimensions"], json!([[], ["reason"]]));
        assert_eq!(names(&of(Some(Outcome::Refused))), ["Latency", "StorageRounds", "QuotaRefusals"]);
        assert_eq!(names(&of(Some(Outcome::Repeated))), ["Latency", "StorageRounds"]);
    }
}
