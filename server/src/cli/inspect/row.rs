//! Table rows, from answers or lines of earlier runs.

use engine::{Outcome, Verdict};
use report::words::{self, cut, is_unseen};
use serde_json::Value;

use super::outcome::InspectOutcome;
use super::problem::FAILURE_CODE;

/// Maximum characters of a reason in a table.
const MAX_REASON_CHARACTERS: usize = 70;

/// A file's row.
#[derive(Debug, Clone)]
pub(super) struct FileRow {
    pub(super) path: String,
    pub(super) outcome: InspectOutcome,
    /// The code of the failure.
    pub(super) failure: Option<String>,
    /// The deciding reason or the failure, in a few words.
    reason: String,
    signal: String,
    pages: String,
    signatures: String,
    sha256: String,
}

const HEAD: [&str; 8] = ["outcome", "verdict", "path", "reason", "signal", "pages", "signatures", "sha256"];

impl FileRow {
    /// Parses the row of an answer's line; `None` if it is no answer.
    pub(super) fn of(answer: &Value) -> Option<Self> {
        let text = |pointer: &str| answer.pointer(pointer).and_then(Value::as_str);
        let integrity = "/metadata/integrity";
        let path = text("/path")?.to_owned();
        let number = |pointer: &str| answer.pointer(pointer).filter(|value| !value.is_null()).map(Value::to_string);
        let Some(verdict) = text(&format!("{integrity}/verdict")) else {
            let code = text("/error/code")?;
            return Some(Self {
                path,
                outcome: if code == FAILURE_CODE { InspectOutcome::Failed } else { InspectOutcome::Unreadable },
                failure: text("/error/details/reason").map(str::to_owned),
                reason: text("/error/message").unwrap_or_default().to_owned(),
                signal: String::new(),
                pages: String::new(),
                signatures: String::new(),
                sha256: String::new(),
            });
        };
        let verdict: Verdict = verdict.parse().ok()?;
        let outcome = text(&format!("{integrity}/outcome")).and_then(|outcome| outcome.parse().ok());
        let signatures = answer.pointer(&format!("{integrity}/signatures")).and_then(Value::as_array).map(Vec::len);
        Some(Self {
            path,
            outcome: InspectOutcome::Verdict(verdict, outcome.unwrap_or_else(|| Outcome::of(verdict, false))),
            failure: None,
            reason: text(&format!("{integrity}/reason/phrase")).unwrap_or_default().to_owned(),
            signal: text(&format!("{integrity}/reason/signal")).unwrap_or_default().to_owned(),
            pages: number("/metadata/page_count").unwrap_or_default(),
            signatures: signatures.unwrap_or_default().to_string(),
            sha256: text("/metadata/file/sha256").unwrap_or_default().to_owned(),
        })
    }

    fn cells(&self) -> [String; 8] {
        let verdict = self.failure.clone().unwrap_or_else(|| self.outcome.to_string());
        let outcome = match self.outcome {
            InspectOutcome::Verdict(_, outcome) => outcome.to_string(),
            failed => failed.to_string(),
        };
        let [reason, signal, pages] = [&self.reason, &self.signal, &self.pages].map(Clone::clone);
        [outcome, verdict, self.path.clone(), reason, signal, pages, self.signatures.clone(), self.sha256.clone()]
    }
}

/// All rows for a spreadsheet, in the order of the files.
pub(super) fn csv(rows: &[FileRow]) -> String {
    let head = report::csv::line(&HEAD.map(str::to_owned));
    rows.iter().fold(head, |table, row| table + &report::csv::line(&row.cells()))
}

/// All rows for people, the most urgent first.
pub(super) fn table(rows: &[FileRow]) -> String {
    let mut sorted: Vec<&FileRow> = rows.iter().collect();
    sorted.sort_by_key(|row| row.outcome);
    let what = |row: &FileRow| match row.outcome {
        InspectOutcome::Verdict(verdict, outcome) => {
            words::verdict(Some(report::shown_verdict(verdict, Some(outcome))))
        }
        InspectOutcome::Failed => "Not analyzed",
        InspectOutcome::Unreadable => "Not read",
    };
    let label = |row: &FileRow| words::outcome(row.outcome.outcome());
    let width =
        |texts: &mut dyn Iterator<Item = &'static str>| texts.map(|text| text.chars().count()).max().unwrap_or(0);
    let first = width(&mut sorted.iter().map(|row| label(row)));
    let second = width(&mut sorted.iter().map(|row| what(row)));
    let line = |row: &&FileRow| {
        let path = row.path.replace(is_unseen, "\u{fffd}");
        let reason = cut(&row.reason, MAX_REASON_CHARACTERS);
        let reason = if reason.is_empty() { reason } else { format!("  ({reason})") };
        format!("{:first$}  {:second$}  {path}{reason}\n", label(row), what(row))
    };
    sorted.iter().map(line).collect()
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::{FileRow, csv, table};

    fn rows() -> Vec<FileRow> {
        let analyzed = |path: &str, verdict: &str, outcome: Value, phrase: Option<&str>| {
            let reason = phrase.map(|phrase| json!({ "signal": "pages_changed", "phrase": phrase }));
            let integrity = json!({ "verdict": verdict, "outcome": outcome, "reason": reason, "signatures": [] });
            json!({ "path": path, "ok": true, "metadata": { "page_count": 2, "integrity": integrity } })
        };
        let failed = json!({ "code": "analysis_failed", "message": "Too bad.", "details": { "reason": "corrupt" } });
        let answers = [
            analyzed("a.pdf", "no_signs", json!("no_findings"), None),
            analyzed("b.pdf", "no_signs", json!("inconclusive"), Some("Pages are images")),
            json!({ "path": "c.pdf", "ok": false, "error": failed }),
            json!({ "path": "d.pdf", "ok": false, "error": { "code": "unreadable", "message": "no such file" } }),
            analyzed("=e\u{1b}.pdf", "changed", Value::Null, Some("Pages were added")),
        ];
        answers.iter().map(|answer| FileRow::of(answer).unwrap()).collect()
    }

    #[test]
    fn people_see_the_most_urgent_first_and_why() {
        let expected = "\
Needs review  Changed             =e\u{fffd}.pdf  (Pages were added)
Inconclusive  Not analyzed        c.pdf  (Too bad.)
Inconclusive  Not read            d.pdf  (no such file)
Inconclusive  Inconclusive        b.pdf  (Pages are images)
No findings   No signs of change  a.pdf
";
        let shown = table(&rows());
        let mut lines: Vec<&str> = shown.lines().collect();
        let mut wanted: Vec<&str> = expected.lines().collect();
        assert_eq!((lines.first(), lines.last()), (wanted.first(), wanted.last()));
        lines.sort_unstable();
        wanted.sort_unstable();
        assert_eq!(lines, wanted);
    }

    #[test]
    fn a_spreadsheet_has_them_in_order_and_no_formula() {
        let table = csv(&rows());
        let lines: Vec<&str> = table.split("\r\n").collect();
        assert_eq!(lines.len(), 7, "{table}");
        assert_eq!(lines[1], "\"no_findings\",\"no_signs\",\"a.pdf\",\"\",\"\",\"2\",\"0\",\"\"");
        assert!(lines[3].starts_with("\"analysis_failed\",\"corrupt\",\"c.pdf\",\"Too bad.\""), "{table}");
        assert!(lines[5].contains("\"'=e"), "{table}");
    }

    #[test]
    fn what_is_no_answer_is_no_row() {
        for odd in
            [json!({}), json!({ "path": "a" }), json!({ "path": "a", "metadata": { "integrity": { "verdict": "x" } } })]
        {
            assert!(FileRow::of(&odd).is_none(), "{odd}");
        }
    }
}
