//! Collects signals while the file is examined: each once, with its weightiest strength and its first places.

use super::report::{Evidence, Signal, Strength};
use super::signal::SignalId;
use crate::budget::SHOWN;

/// Places kept of one signal.
const PLACES: usize = 10;

/// The signals so far.
#[derive(Debug, Default)]
pub(crate) struct Findings(Vec<Signal>);

impl Findings {
    /// Notes one more place that shows a signal.
    pub(crate) fn add(&mut self, id: SignalId, strength: Strength, evidence: Evidence) {
        let signal = self.signal(id, strength);
        signal.evidence_total = signal.evidence_total.saturating_add(1);
        if signal.evidence.len() < PLACES {
            signal.evidence.push(evidence.shortened());
        }
    }

    /// Notes a signal that has no place of its own.
    pub(crate) fn note(&mut self, id: SignalId, strength: Strength) {
        self.signal(id, strength);
    }

    fn signal(&mut self, id: SignalId, strength: Strength) -> &mut Signal {
        let place = self.0.iter().position(|signal| signal.id == id).unwrap_or(self.0.len());
        if place == self.0.len() {
            self.0.push(Signal { id, strength, summary: String::new(), evidence: Vec::new(), evidence_total: 0 });
        }
        // just made sure of
        #[expect(clippy::indexing_slicing, reason = "the place is in the list")]
        let signal = &mut self.0[place];
        signal.strength = signal.strength.max(strength);
        signal
    }

    /// All of them, weightiest first, each with its sentence.
    pub(crate) fn finish(mut self) -> Vec<Signal> {
        for signal in &mut self.0 {
            signal.summary = signal.id.sentence(signal.strength).to_owned();
        }
        self.0.sort_by_key(|signal| (std::cmp::Reverse(signal.strength), signal.id));
        self.0
    }
}

impl Evidence {
    /// With its texts cut to what is shown.
    fn shortened(mut self) -> Self {
        for text in [&mut self.place, &mut self.before, &mut self.after].into_iter().flatten() {
            shorten(text);
        }
        self
    }
}

/// Cuts a text to what is shown of it.
pub(crate) fn shorten(text: &mut String) {
    if let Some((end, _)) = text.char_indices().nth(SHOWN) {
        let last = text.char_indices().nth(SHOWN - 1).map_or(end, |(last, _)| last);
        text.truncate(last);
        text.push('…');
    }
}
