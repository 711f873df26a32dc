//! `metadata.integrity` and `metadata.hidden` as an analysis keeps them, on the engine's own types.

use engine::{
    Change, Evidence, Examined, Hidden, Outcome, PageOutline, Revision, SignalId, Signature, Strength, TextOrigin,
    Verdict,
};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Deserializer};
use serde_json::Value;

/// Was a file changed after it was made, and what shows it. What other versions of the rules say, and this one does not
/// know, is `None`, or left out where only a whole makes sense.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub struct Report {
    /// The answer in one word.
    #[serde(deserialize_with = "known")]
    pub verdict: Option<Verdict>,
    /// What that asks of who reads it; of an analysis that was stored before there were outcomes, by its verdict.
    #[serde(deserialize_with = "known")]
    pub outcome: Option<Outcome>,
    /// The answer in one sentence.
    pub summary: String,
    /// The signals that decided, in order of weight.
    #[serde(deserialize_with = "all_known")]
    pub because: Vec<SignalId>,
    /// What later saves changed, in all.
    pub changes: Vec<Known<Change>>,
    /// The same since the newest signature that covers its whole revision.
    pub changed_after_signing: Option<Vec<Known<Change>>>,
    /// The states that the file was saved in, oldest first.
    #[serde(deserialize_with = "all_known")]
    pub revisions: Vec<Revision>,
    /// Its signatures, oldest first.
    #[serde(deserialize_with = "all_known")]
    pub signatures: Vec<Signature>,
    /// All that was found, weightiest first.
    #[serde(deserialize_with = "all_known")]
    pub signals: Vec<FoundSignal>,
    /// The first pages on which something was found, as they are drawn.
    #[serde(deserialize_with = "all_known")]
    pub pages: Vec<PageOutline>,
    /// What the answer rests on.
    #[serde(deserialize_with = "known")]
    pub examined: Option<Examined>,
    /// The version of the rules.
    pub rules: u32,
    /// What the answer is not good for.
    pub usage_caution: String,
    /// Whether the file's end is missing, which stands beside the report in the metadata.
    #[serde(skip)]
    pub is_truncated: bool,
    /// Whether its pages are pictures alone; the same.
    #[serde(skip)]
    pub is_image_only: bool,
    /// Text that pages hide, which stands beside the report in the metadata.
    #[serde(skip)]
    pub hidden: Option<Hidden>,
}

/// Something found in the file that bears on whether it was changed.
#[derive(Debug, Clone, Deserialize)]
pub struct FoundSignal {
    /// Which one; none that this version knows.
    #[serde(default, deserialize_with = "known")]
    pub id: Option<SignalId>,
    /// How much it weighs.
    pub strength: Strength,
    /// What it means, in one sentence.
    pub summary: String,
    /// Where it shows; the first places.
    #[serde(default, deserialize_with = "all_known")]
    pub evidence: Vec<Evidence>,
    /// How many places there are in all.
    #[serde(default)]
    pub evidence_total: u32,
}

/// A value of a closed list, if it is one that this version knows.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Known<T>(pub Option<T>);

impl<'d, T: DeserializeOwned> Deserialize<'d> for Known<T> {
    fn deserialize<D: Deserializer<'d>>(input: D) -> Result<Self, D::Error> {
        Ok(Self(serde_json::from_value(Value::deserialize(input)?).ok()))
    }
}

/// The verdict by whose name and mark an answer is shown: one that is inconclusive looks like no other.
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
    /// The report in an analysis' metadata; none in one that was stored before there were any.
    #[must_use]
    pub fn of(metadata: &Value) -> Option<Self> {
        let report = Self::deserialize(metadata.get("integrity")?).ok()?;
        let hidden = metadata.get("hidden").and_then(|hidden| Hidden::deserialize(hidden).ok());
        let is = |pointer: &str| metadata.pointer(pointer).and_then(Value::as_bool).unwrap_or_default();
        let (is_truncated, is_image_only) = (is("/structure/truncated"), is("/features/image_only"));
        let outcome = report.outcome.or(report.verdict.map(|verdict| Outcome::of(verdict, false)));
        Some(Self { outcome, hidden, is_truncated, is_image_only, ..report })
    }

    /// What people call the answer: the verdict, or that there is none where pages are images.
    #[must_use]
    pub fn shown_verdict(&self) -> Option<Verdict> {
        self.verdict.map(|verdict| shown_verdict(verdict, self.outcome))
    }

    /// The signals that decided, in order of weight.
    pub fn deciding(&self) -> impl Iterator<Item = &FoundSignal> {
        self.because.iter().filter_map(|id| self.signals.iter().find(|signal| signal.id == Some(*id)))
    }

    /// All others.
    pub fn others(&self) -> impl Iterator<Item = &FoundSignal> {
        self.signals.iter().filter(|signal| !signal.id.is_some_and(|id| self.because.contains(&id)))
    }

    /// A signal that came before this one, among those shown, and names the same places.
    #[must_use]
    pub fn same_before(&self, signal: &FoundSignal) -> Option<&FoundSignal> {
        let before = self.deciding().chain(self.others()).take_while(|other| other.id != signal.id);
        before.into_iter().find(|other| !other.evidence.is_empty() && other.evidence == signal.evidence)
    }

    /// Whether a signal decided and its strength says nothing: what good signatures rest on is no sign of anything bad.
    #[must_use]
    pub fn is_plain(&self, signal: &FoundSignal) -> bool {
        signal.strength == Strength::Neutral && signal.id.is_some_and(|id| self.because.contains(&id))
    }

    /// Whether all that this signal rests on is listed with what the pages hide; of what was retyped, that is only the half
    /// that is hidden.
    #[must_use]
    pub fn lists_hidden(&self, signal: &FoundSignal) -> bool {
        let is_of_hidden = signal.id.is_some_and(|id| id.origin() == TextOrigin::HiddenText);
        let is_listed = self.hidden.as_ref().is_some_and(|hidden| !hidden.items.is_empty());
        is_listed && is_of_hidden && signal.id != Some(SignalId::TextRetyped)
    }
}
