//! What is told of an analysis: in short, what shows it, or all of it.

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

/// Most bytes of an answer's JSON, unless all of the metadata is asked for.
pub(crate) const LARGEST: usize = 4096;

/// An error in words that name what a tool takes, where the API's name something else.
#[must_use]
pub fn described_for_tools<'a>(error: &Error, request_id: &'a str) -> Described<'a> {
    let told = described(error, request_id);
    let message = match error {
        Error::NotFound => "There is no such analysis or upload. Use an id that another tool has answered.",
        Error::AnalysisFailed(Reason::PasswordRequired) => {
            "The PDF is password-protected: call the tool again with `password`."
        }
        _ => return told,
    };
    told.saying(message)
}

/// Whether words are told that pages hide or no longer show. They are the owner's: an agent gets them if the owner says so.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum HiddenWords {
    /// They are left out.
    #[default]
    Withheld,
    /// They are told as any text of the file.
    Told,
}

impl HiddenWords {
    /// Told, if that is wanted.
    #[must_use]
    pub fn told_if(wanted: bool) -> Self {
        if wanted { Self::Told } else { Self::Withheld }
    }
}

/// What is asked for of an analysis.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ReportPart {
    /// The verdict, why, and what kind of file it is.
    #[default]
    Summary,
    /// What was found, weightiest first, and where.
    Signals,
    /// Everything.
    Metadata,
}

impl ReportPart {
    /// Their names, in this order.
    pub const NAMES: [&str; 3] = ["summary", "signals", "metadata"];

    /// The `part` of a tool's arguments; what is wrong is added to `errors`.
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

/// An analysis to tell of. Keys that it does not have are left out.
#[derive(Clone, Debug, Default)]
pub struct ReportedAnalysis {
    /// The analysis id.
    pub id: Option<String>,
    /// When it was made.
    pub analyzed_at: Option<String>,
    /// What the file is called.
    pub filename: Option<String>,
    /// Its bytes.
    pub file_size: u64,
    /// Its metadata, as the API answers it.
    pub metadata: Value,
    /// What else the account had analysed of the same file and document.
    pub seen: Option<Value>,
    /// What is left of today's quota, right after it was stored.
    pub remaining_checks: Option<u64>,
}

impl ReportedAnalysis {
    /// The answer: at most 4,096 bytes of JSON, unless it is [`ReportPart::Metadata`].
    #[must_use]
    pub fn told(mut self, part: ReportPart, words: HiddenWords) -> Value {
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
        answer.insert("signatures".to_owned(), signatures.iter().take(SIGNATURES).map(status).collect());
        for (key, pointer) in IN_SHORT {
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

/// What a summary says beside the verdict, and where it stands in the metadata.
const IN_SHORT: [(&str, &str); 12] = [
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

/// Signatures of a summary.
const SIGNATURES: usize = 5;

/// What is told of a signature in short.
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

/// How much is told, of whatever there may be much of.
#[derive(Clone, Copy, Debug)]
pub(crate) struct DetailLevel {
    /// Characters of a text.
    pub(crate) text: usize,
    /// Places of a signal.
    places: usize,
    signals: usize,
}

/// From much to little: at the last one, every answer fits.
const LEVELS: [DetailLevel; 5] = [
    DetailLevel { text: LONGEST, places: 3, signals: 40 },
    DetailLevel { text: 120, places: 2, signals: 40 },
    DetailLevel { text: 60, places: 1, signals: 40 },
    DetailLevel { text: 30, places: 0, signals: 20 },
    DetailLevel { text: 8, places: 0, signals: 10 },
];

/// The first answer of at most [`LARGEST`] bytes.
pub(crate) fn within(answer: impl Fn(DetailLevel) -> Value) -> Value {
    let fits = |answer: &Value| answer.to_string().len() <= LARGEST;
    let [.., last] = LEVELS;
    LEVELS.into_iter().map(&answer).find(fits).unwrap_or_else(|| answer(last))
}

fn headline(signal: &Value) -> Map<String, Value> {
    let keys = ["id", "strength", "basis", "summary"];
    keys.into_iter().map(|key| (key.to_owned(), field(signal, key))).collect()
}

fn with_evidence(signal: &Value, step: DetailLevel) -> Value {
    let told = |place: &Value| {
        let mut told = place.clone();
        if let Some(told) = told.as_object_mut() {
            told.retain(|_, value| !value.is_null());
        }
        told
    };
    let evidence: Value = list(signal.get("evidence")).iter().take(step.places).map(told).collect();
    let mut answer = headline(signal);
    answer.insert("evidence".to_owned(), evidence);
    answer.insert("evidence_total".to_owned(), field(signal, "evidence_total"));
    answer.into()
}
