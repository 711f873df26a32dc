//! Collects signals during the examination: each once, with its greatest strength and its strongest places.

use super::report::{Evidence, PublicTexts, Signal, Strength};
use super::signal::{SignalId, TextOrigin};
use pdf_syntax::text::shorten;

/// Maximum places kept per signal.
const MAX_PLACES: usize = 10;

/// The signals so far, strongest evidence first, each with the strengths of its places.
#[derive(Debug, Default)]
pub(crate) struct Findings(Vec<(Signal, Vec<Strength>)>);

impl Findings {
    /// Adds a piece of evidence to a signal.
    pub(crate) fn add(&mut self, id: SignalId, strength: Strength, mut evidence: Evidence) {
        evidence.public = match id.origin() {
            TextOrigin::Revisions => evidence.public,
            TextOrigin::Metadata => PublicTexts::Both,
            TextOrigin::HiddenText => PublicTexts::Now,
            TextOrigin::Unknown => PublicTexts::None,
        };
        // the absence of text is always public
        if evidence.after.is_none() {
            evidence.public = evidence.public.max(PublicTexts::Now);
        }
        if evidence.before.is_none() && evidence.public == PublicTexts::Now {
            evidence.public = PublicTexts::Both;
        }
        let (signal, strengths) = self.signal(id, strength);
        signal.evidence_total = signal.evidence_total.saturating_add(1);
        let place = strengths.partition_point(|&known| known >= strength);
        if place < MAX_PLACES {
            strengths.insert(place, strength);
            signal.evidence.insert(place, evidence.shortened());
            strengths.truncate(MAX_PLACES);
            signal.evidence.truncate(MAX_PLACES);
        }
    }

    /// Records a signal without a place.
    pub(crate) fn record(&mut self, id: SignalId, strength: Strength) {
        self.signal(id, strength);
    }

    fn signal(&mut self, id: SignalId, strength: Strength) -> &mut (Signal, Vec<Strength>) {
        let place = self.0.iter().position(|(signal, _)| signal.id == id).unwrap_or(self.0.len());
        if place == self.0.len() {
            let signal = Signal {
                id,
                strength,
                basis: id.basis(),
                summary: String::new(),
                evidence: Vec::new(),
                evidence_total: 0,
            };
            self.0.push((signal, Vec::new()));
        }
        // found or inserted above
        #[expect(clippy::indexing_slicing, reason = "the place is in the list")]
        let found = &mut self.0[place];
        found.0.strength = found.0.strength.max(strength);
        found
    }

    /// Whether all signals so far are neutral.
    pub(crate) fn are_neutral(&self) -> bool {
        self.0.iter().all(|(signal, _)| signal.strength == Strength::Neutral)
    }

    /// All signals, strongest first, with their sentences.
    pub(crate) fn finish(self) -> Vec<Signal> {
        let mut signals: Vec<Signal> = self.0.into_iter().map(|(signal, _)| signal).collect();
        for signal in &mut signals {
            signal.summary = signal.id.sentence(signal.strength).to_owned();
        }
        signals.sort_by_key(|signal| (std::cmp::Reverse(signal.strength), signal.id));
        signals
    }
}

impl Evidence {
    /// With its texts shortened for display.
    fn shortened(mut self) -> Self {
        for text in [&mut self.place, &mut self.before, &mut self.after].into_iter().flatten() {
            shorten(text);
        }
        self
    }
}
