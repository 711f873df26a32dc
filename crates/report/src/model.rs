//! `metadata.integrity` and `metadata.hidden` as stored in an analysis, on the engine's own types.

use engine::{
    Change, Evidence, Examined, Hidden, Outcome, PageOutline, Revision, SignalId, Signature, Strength, TextOrigin,
    Verdict,
};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Deserializer};
use serde_json::Value;

/// Whether a file was changed after it was made, and the evidence. Values of other rule versions that this version does
/// not know are `None`, or omitted if a part of them would make no sense.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub struct Report {
    /// The verdict.
    #[serde(deserialize_with = "known")]
    pub verdict: Option<Verdict>,
    /// The outcome; for analyses stored before there were outcomes, derived from the verdict.
    #[serde(deserialize_with = "known")]
    pub outcome: Option<Outcome>,
    /// The answer in one sentence.
    pub summary: String,
    /// The signals that decided, in order of weight.
    #[serde(deserialize_with = "all_known")]
    pub because: Vec<SignalId>,
    /// All changes of later revisions.
    pub changes: Vec<Known<Change>>,
    /// The same since the newest signature that covers its complete revision.
    pub changed_after_signing: Option<Vec<Known<Change>>>,
    /// The revisions of the file, oldest first.
    #[serde(deserialize_with = "all_known")]
    pub revisions: Vec<Revision>,
    /// Its signatures, oldest first.
    #[serde(deserialize_with = "all_known")]
    pub signatures: Vec<Signature>,
    /// All signals, strongest first.
    #[serde(deserialize_with = "all_known")]
    pub signals: Vec<FoundSignal>,
    /// Outlines of the first pages with findings.
    #[serde(deserialize_with = "all_known")]
    pub pages: Vec<PageOutline>,
    /// What was examined.
    #[serde(deserialize_with = "known")]
    pub examined: Option<Examined>,
    /// The version of the rules.
    pub rules: u32,
    /// What the answer must not be used for.
    pub usage_caution: String,
    /// Whether the end of the file is missing, which is stored beside the report.
    #[serde(skip)]
    pub is_truncated: bool,
    /// Whether its pages are images without text; stored there, too.
    #[serde(skip)]
    pub is_image_only: bool,
    /// Hidden text of pages; stored there, too.
    #[serde(skip)]
    pub hidden: Option<Hidden>,
}

/// A signal.
#[derive(Debug, Clone, Deserialize)]
pub struct FoundSignal {
    /// Its id; `None` if this version does not know it.
    #[serde(default, deserialize_with = "known")]
    pub id: Option<SignalId>,
    /// Its strength.
    pub strength: Strength,
    /// Its meaning in one sentence.
    pub summary: String,
    /// The first pieces of evidence.
    #[serde(default, deserialize_with = "all_known")]
    pub evidence: Vec<Evidence>,
    /// The number of all pieces of evidence.
    #[serde(default)]
    pub evidence_total: u32,
}

/// A value of a closed list; `None` if this version does not know it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Known<T>(pub Option<T>);

impl<'d, T: DeserializeOwned> Deserialize<'d> for Known<T> {
    fn deserialize<D: Deserializer<'d>>(input: D) -> Result<Self, D::Error> {
        Ok(Self(serde_json::from_value(Value::deserialize(input)?).ok()))
    }
}

/// The verdict that an answer is displayed as: every inconclusive one is `undetermined`.
#[must_use]
pub fn shown_verdict(verdict: Verdict, outcome: Option<Outcome>) -> Verdict {
    if outcome == Some(Outcome::Inconclusive) { Verdict::Undetermined } else { verdict }
}

fn known<'d, T: DeserializeOwned, D: Deserializer<'d>>(input: D) -> Result<Option<T>, D::Error> {
    Ok(Known::deserialize(input)?.0)
}

fn all_known<'d, T: DeserializeOwned, D: Deserializer<'d>>(input: D) -> Result<Vec<T>, D::Error> {
    Ok(Vec::<Known<T>>::deserialize(input)?.into_iter().filter_map(|known| known.0).collect())
}

impl Report {
    /// The report in an analysis' metadata; `None` if it was stored before there were reports.
    #[must_use]
    pub fn of(metadata: &Value) -> Option<Self> {
        let report = Self::deserialize(metadata.get("integrity")?).ok()?;
        let hidden = metadata.get("hidden").and_then(|hidden| Hidden::deserialize(hidden).ok());
        let is = |pointer: &str| metadata.pointer(pointer).and_then(Value::as_bool).unwrap_or_default();
        let (is_truncated, is_image_only) = (is("/structure/truncated"), is("/features/image_only"));
        let outcome = report.outcome.or(report.verdict.map(|verdict| Outcome::of(verdict, false)));
        Some(Self { outcome, hidden, is_truncated, is_image_only, ..report })
    }

    /// The displayed verdict: undetermined if the pages are images.
    #[must_use]
    pub fn shown_verdict(&self) -> Option<Verdict> {
        self.verdict.map(|verdict| shown_verdict(verdict, self.outcome))
    }

    /// The signals that decided, in order of weight.
    pub fn deciding(&self) -> impl Iterator<Item = &FoundSignal> {
        self.because.iter().filter_map(|id| self.signals.iter().find(|signal| signal.id == Some(*id)))
    }

    /// All other signals.
    pub fn others(&self) -> impl Iterator<Item = &FoundSignal> {
        self.signals.iter().filter(|signal| !signal.id.is_some_and(|id| self.because.contains(&id)))
    }

    /// An earlier displayed signal with the same evidence.
    #[must_use]
    pub fn same_before(&self, signal: &FoundSignal) -> Option<&FoundSignal> {
        let before = self.deciding().chain(self.others()).take_while(|other| other.id != signal.id);
        before.into_iter().find(|other| !other.evidence.is_empty() && other.evidence == signal.evidence)
    }

    /// Whether a signal decided without being a finding: intact signatures are no sign of a change.
    #[must_use]
    pub fn is_plain(&self, signal: &FoundSignal) -> bool {
        signal.strength == Strength::Neutral && signal.id.is_some_and(|id| self.because.contains(&id))
    }

    /// Whether all evidence of this signal is listed with the hidden text. For overprinted text, that list has only the
    /// hidden half.
    #[must_use]
    pub fn lists_hidden(&self, signal: &FoundSignal) -> bool {
        let is_of_hidden = signal.id.is_some_and(|id| id.origin() == TextOrigin::HiddenText);
        let is_listed = self.hidden.as_ref().is_some_and(|hidden| !hidden.items.is_empty());
        is_listed && is_of_hidden && signal.id != Some(SignalId::TextRetyped)
    }
}
