//! `metadata.integrity` for people: was the file changed after it was made, and what shows it. The same report as a part
//! of a page and, by `Display`, as text.
//!
//! It is read as it was stored, so that reports of other rules stay readable: what is not known here is shown by its id.

mod allowance;
mod comparison;
mod difference;
mod evidence;
mod hidden;
pub(crate) mod mark;
mod outline;
mod page;
mod place;
mod revisions;
mod signatures;
mod text;
mod timeline;
mod touched;
mod versions;
pub(crate) mod words;

use std::collections::BTreeMap;

use serde::{Deserialize, Deserializer};
use serde_json::Value;
use shared::withheld::public_summary;

use hidden::HiddenView;
use outline::Paper;
pub(crate) use page::{section, short};

/// Was a file changed after it was made, and what shows it: `metadata.integrity` as the engine answers it.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub struct Report {
    verdict: String,
    summary: String,
    because: Vec<String>,
    changes: Vec<String>,
    changed_after_signing: Option<Vec<String>>,
    revisions: Vec<RevisionView>,
    signatures: Vec<SignatureView>,
    signals: Vec<SignalView>,
    examined: ExaminedView,
    rules: u32,
    /// These stand beside the report in the metadata.
    #[serde(skip)]
    first_page: Paper,
    #[serde(skip)]
    hidden: HiddenView,
    /// The answer in one sentence for others than the owner, if that is another one.
    #[serde(skip)]
    public_summary: Option<String>,
}

/// A state that the file was saved in.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct RevisionView {
    number: u32,
    end: u64,
    saved_at: Option<String>,
    producer: Option<String>,
    objects: ObjectCounts,
    changes: Vec<String>,
    pages: Vec<u32>,
    signed: bool,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct ObjectCounts {
    added: u32,
    changed: u32,
    removed: u32,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct SignatureView {
    field: Option<String>,
    kind: String,
    status: String,
    reason: Option<String>,
    sub_filter: Option<String>,
    algorithm: Option<String>,
    signer: Option<String>,
    issuer: Option<String>,
    self_signed: Option<bool>,
    certificate: Option<CertificateView>,
    claimed_at: Option<String>,
    timestamped_at: Option<String>,
    revision: u32,
    covers: String,
    permits: Option<u8>,
    after: Option<String>,
}

/// What a signer's certificate is recognised by.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct CertificateView {
    serial: Option<String>,
    valid_from: Option<String>,
    valid_until: Option<String>,
    sha256: Option<String>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct SignalView {
    id: String,
    strength: String,
    summary: String,
    evidence: Vec<EvidenceView>,
    evidence_total: u32,
}

/// A place that shows a signal, and what is or was there.
#[derive(Debug, Default, PartialEq, Deserialize)]
#[serde(default)]
struct EvidenceView {
    revision: Option<u32>,
    object: Option<u32>,
    page: Option<u32>,
    place: Option<String>,
    before: Option<String>,
    after: Option<String>,
    /// Left, bottom, right and top on the page, in points; none in what is no box.
    #[serde(deserialize_with = "bounds")]
    r#box: Option<[f64; 4]>,
    /// Keys of other rules.
    #[serde(flatten)]
    others: BTreeMap<String, Value>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct ExaminedView {
    revisions: String,
    bytes: String,
    /// What pages draw; none by rules that did not look at it.
    content: Option<String>,
}

fn bounds<'d, D: Deserializer<'d>>(input: D) -> Result<Option<[f64; 4]>, D::Error> {
    Ok(serde_json::from_value(Value::deserialize(input)?).unwrap_or_default())
}

impl Report {
    /// The report in an analysis' metadata; none in one that was stored before there were any.
    #[must_use]
    pub fn of(metadata: &Value) -> Option<Self> {
        let report = Self::deserialize(metadata.get("integrity")?).ok()?;
        let public_summary = public_summary(metadata).filter(|summary| *summary != report.summary);
        Some(Self {
            first_page: Paper::of_first_page(metadata),
            hidden: HiddenView::of(metadata),
            public_summary,
            ..report
        })
    }

    /// The signals that decided, in order of weight.
    fn deciding(&self) -> impl Iterator<Item = &SignalView> {
        self.because.iter().filter_map(|id| self.signals.iter().find(|signal| signal.id == *id))
    }

    /// All others.
    fn others(&self) -> impl Iterator<Item = &SignalView> {
        self.signals.iter().filter(|signal| !self.because.contains(&signal.id))
    }

    /// A signal that came before this one, among those shown, and names the same places.
    fn same_before(&self, signal: &SignalView) -> Option<&SignalView> {
        let before = self.deciding().chain(self.others()).take_while(|other| other.id != signal.id);
        before.into_iter().find(|other| !other.evidence.is_empty() && other.evidence == signal.evidence)
    }
}
