//! The report of an analysis for a model: summary, signals, or all metadata.

mod comparison;
mod schema;
#[cfg(test)]
mod tests;

use ::report::untrusted::{LONGEST, separated};
use ::report::withheld::withhold_from_agents;
use ::report::{Report, words};
use engine::Reason;
use serde_json::{Map, Value, json};
use shared::error::{Error, FieldErrors};
use shared::http::{Described, Fields, described};

pub use comparison::{ReportedComparison, comparison_schema};
pub use schema::schema;
pub(crate) use schema::{outcomes, verdicts};

/// Maximum bytes of an answer's JSON, unless all metadata is requested.
pub(crate) const MAX_ANSWER_BYTES: usize = 4096;

/// An error's sentence with the names of the tool's arguments.
#[must_use]
pub fn described_for_tools<'a>(error: &Error, request_id: &'a str) -> Described<'a> {
    let reported = described(error, request_id);
    let message = match error {
        Error::NotFound => "There is no such analysis. Use an id that another tool has answered.",
        Error::UploadNotFound => {
            "No uploaded file has this upload_id: it was not uploaded yet or has expired. Finish the upload, or prepare another one."
        }
        Error::AnalysisFailed(Reason::PasswordRequired) => {
            "The PDF is password-protected: call the tool again with `password`."
        }
        _ => return reported,
    };
    reported.saying(message)
}

/// Whether to report words that pages hide or no longer show: only if the owner allows it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum HiddenWords {
    /// They are omitted.
    #[default]
    Withheld,
    /// They are reported like any text of the file.
    Reported,
}

impl HiddenWords {
    /// Reported, if `included`.
    #[must_use]
    pub fn reported_if(wanted: bool) -> Self {
        if wanted { Self::Reported } else { Self::Withheld }
    }
}

/// The requested part of an analysis.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ReportPart {
    /// The verdict, its reason, and the kind of file.
    #[default]
    Summary,
    /// The signals, strongest first, with their places.
    Signals,
    /// All metadata.
    Metadata,
}

impl ReportPart {
    /// Their names, in this order.
    pub const NAMES: [&str; 3] = ["summary", "signals", "metadata"];

    /// Reads `part` of a tool's arguments; errors are added to `errors`.
    pub fn of(arguments: &Fields, errors: &mut FieldErrors) -> Self {
        let parse = |name| [Self::Summary, Self::Signals, Self::Metadata].into_iter().find(|part| part.name() == name);
        let named = arguments.optional("part", errors).map(parse);
        if named == Some(None) {
            errors.add("part", "must be one of summary, signals, metadata");
        }
        named.flatten().unwrap_or_default()
    }

    fn name(self) -> &'static str {
        let [summary, signals, metadata] = Self::NAMES;
        match self {
            Self::Summary => summary,
            Self::Signals => signals,
            Self::Metadata => metadata,
        }
    }
}

/// An analysis to report. Missing keys are omitted.
#[derive(Clone, Debug, Default)]
pub struct ReportedAnalysis {
    /// The analysis id.
    pub id: Option<String>,
    /// Its time.
    pub analyzed_at: Option<String>,
    /// The file name.
    pub filename: Option<String>,
    /// Its size in bytes.
    pub file_size: u64,
    /// Its metadata, as the API answers it.
    pub metadata: Value,
    /// The account's other analyses of the same file and document.
    pub seen: Option<Value>,
    /// The quota left right after it was stored.
    pub remaining_checks: Option<u64>,
}

impl ReportedAnalysis {
    /// The answer: at most 4,096 bytes of JSON, unless it is [`ReportPart::Metadata`].
    #[must_use]
    pub fn report(mut self, part: ReportPart, words: HiddenWords) -> Value {
        if words == HiddenWords::Withheld {
            withhold_from_agents(&mut self.metadata);
        }
        match part {
            ReportPart::Summary => within(|step| separated(self.summary(), step.text)),
            ReportPart::Signals => within(|step| separated(self.signals(step), step.text)),
            ReportPart::Metadata => separated(self.whole(), LONGEST),
        }
    }

    fn base(&self, part: ReportPart) -> Map<String, Value> {
        let mut base = Map::new();
        base.insert("part".to_owned(), part.name().into());
        let texts = [("id", &self.id), ("analyzed_at", &self.analyzed_at), ("filename", &self.filename)];
        for (key, text) in texts {
            base.extend(text.clone().map(|text| (key.to_owned(), text.into())));
        }
        base.insert("file_size".to_owned(), self.file_size.into());
        base.extend(self.remaining_checks.map(|left| ("remaining_checks".to_owned(), left.into())));
        base.insert("verdict".to_owned(), self.at("/integrity/verdict"));
        let report = Report::of(&self.metadata);
        let outcome = report.as_ref().and_then(|report| report.outcome);
        base.insert("outcome".to_owned(), serde_json::to_value(outcome).unwrap_or_default());
        if let Some(report) = report.filter(|_| part == ReportPart::Summary) {
            base.insert("meaning".to_owned(), words::verdict_meaning(report.verdict).into());
            base.insert("examined".to_owned(), words::examined(&report).into());
        }
        base
    }

    /// A value of the metadata, by its JSON Pointer (RFC 6901); null if it is missing.
    fn at(&self, pointer: &str) -> Value {
        self.metadata.pointer(pointer).cloned().unwrap_or_default()
    }

    fn summary(&self) -> Value {
        let mut answer = self.base(ReportPart::Summary);
        let because = self.at("/integrity/because");
        let decided =
            |signal: &&Value| because.as_array().is_some_and(|ids| signal.get("id").is_some_and(|id| ids.contains(id)));
        let reasons: Vec<Value> =
            self.found().iter().filter(decided).take(5).map(|signal| headline(signal).into()).collect();
        answer.insert("reasons".to_owned(), reasons.into());
        let signatures = list(self.metadata.pointer("/integrity/signatures"));
        answer.insert("signatures".to_owned(), signatures.iter().take(MAX_SIGNATURES).map(status).collect());
        for (key, pointer) in SUMMARY_FIELDS {
            answer.insert(key.to_owned(), self.at(pointer));
        }
        answer.retain(|key, value| !value.is_null() || ["verdict", "outcome"].contains(&key.as_str()));
        answer.into()
    }

    fn signals(&self, step: DetailLevel) -> Value {
        let mut answer = self.base(ReportPart::Signals);
        let found = self.found();
        let signals: Vec<_> = found.iter().take(step.signals).map(|signal| with_evidence(signal, step)).collect();
        let left_out = found.len() - signals.len();
        answer.insert("signals".to_owned(), signals.into());
        answer.insert("signals_left_out".to_owned(), left_out.into());
        answer.insert("usage_caution".to_owned(), self.at("/integrity/usage_caution"));
        answer.into()
    }

    fn whole(&self) -> Value {
        let mut answer = self.base(ReportPart::Metadata);
        answer.insert("metadata".to_owned(), self.metadata.clone());
        answer.extend(self.seen.clone().map(|seen| ("seen".to_owned(), seen)));
        answer.into()
    }

    fn found(&self) -> &[Value] {
        list(self.metadata.pointer("/integrity/signals"))
    }
}

/// The fields of a summary beside the verdict, with their JSON pointers in the metadata.
const SUMMARY_FIELDS: [(&str, &str); 12] = [
    ("summary", "/integrity/summary"),
    ("pages", "/page_count"),
    ("revisions", "/structure/revisions"),
    ("encrypted", "/security/encrypted"),
    ("repaired", "/structure/repaired"),
    ("truncated", "/structure/truncated"),
    ("image_only", "/features/image_only"),
    ("title", "/document/title"),
    ("author", "/document/author"),
    ("creator", "/document/creator"),
    ("producer", "/document/producer"),
    ("usage_caution", "/integrity/usage_caution"),
];

/// Maximum signatures in a summary.
const MAX_SIGNATURES: usize = 5;

/// A signature in a summary.
fn status(signature: &Value) -> Value {
    let trust = signature.pointer("/trust/status").cloned();
    json!({
        "kind": field(signature, "kind"), "status": field(signature, "status"), "after": field(signature, "after"), "trust": trust
    })
}

fn list(value: Option<&Value>) -> &[Value] {
    value.and_then(Value::as_array).map_or(&[], Vec::as_slice)
}

fn field(value: &Value, key: &str) -> Value {
    value.get(key).cloned().unwrap_or_default()
}

/// Limits of the parts of a report.
#[derive(Clone, Copy, Debug)]
pub(crate) struct DetailLevel {
    /// Characters per text.
    pub(crate) text: usize,
    /// Places per signal.
    places: usize,
    signals: usize,
}

/// From high to low; with the last one, every answer is small enough.
const LEVELS: [DetailLevel; 5] = [
    DetailLevel { text: LONGEST, places: 3, signals: 40 },
    DetailLevel { text: 120, places: 2, signals: 40 },
    DetailLevel { text: 60, places: 1, signals: 40 },
    DetailLevel { text: 30, places: 0, signals: 20 },
    DetailLevel { text: 8, places: 0, signals: 10 },
];

/// The most detailed answer of at most [`MAX_ANSWER_BYTES`] bytes.
pub(crate) fn within(answer: impl Fn(DetailLevel) -> Value) -> Value {
    let fits = |answer: &Value| answer.to_string().len() <= MAX_ANSWER_BYTES;
    let [.., last] = LEVELS;
    LEVELS.into_iter().map(&answer).find(fits).unwrap_or_else(|| answer(last))
}

fn headline(signal: &Value) -> Map<String, Value> {
    let keys = ["id", "strength", "basis", "summary"];
    keys.into_iter().map(|key| (key.to_owned(), field(signal, key))).collect()
}

fn with_evidence(signal: &Value, step: DetailLevel) -> Value {
    let reported = |place: &Value| {
        let mut reported = place.clone();
        if let Some(reported) = reported.as_object_mut() {
            reported.retain(|_, value| !value.is_null());
        }
        reported
    };
    let evidence: Value = list(signal.get("evidence")).iter().take(step.places).map(reported).collect();
    let mut answer = headline(signal);
    answer.insert("evidence".to_owned(), evidence);
    answer.insert("evidence_total".to_owned(), field(signal, "evidence_total"));
    answer.into()
}
