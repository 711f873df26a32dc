//! The pages that saves touched, and what each did to them, numbered through the whole report.

use std::collections::BTreeMap;

use super::place::is_change;
use super::{EvidenceView, Report};

/// Places whose evidence is in words.
const WORDS: [&str; 2] = ["text", "text moved"];

/// A page that saves touched.
pub(super) struct ChangedPage<'r> {
    /// From 1.
    pub(super) page: u32,
    /// By save.
    pub(super) spots: Vec<Spot<'r>>,
}

impl ChangedPage<'_> {
    /// The places that are known, by their numbers.
    pub(super) fn marks(&self) -> Vec<(usize, [f64; 4])> {
        self.spots.iter().filter_map(|spot| Some((spot.number, spot.evidence.r#box?))).collect()
    }
}

/// Something on a page that a save changed.
pub(super) struct Spot<'r> {
    /// From 1, on all pages together.
    pub(super) number: usize,
    pub(super) evidence: &'r EvidenceView,
}

/// All that is known by its words or by its place, each once, however many signals name it.
pub(super) fn touched(report: &Report) -> Vec<ChangedPage<'_>> {
    let mut pages: BTreeMap<u32, Vec<&EvidenceView>> = BTreeMap::new();
    for signal in report.deciding().chain(report.others()) {
        for evidence in signal.evidence.iter().filter(|evidence| is_change(signal, evidence)) {
            let is_seen = evidence.r#box.is_some() || evidence.place.as_deref().is_some_and(|it| WORDS.contains(&it));
            let Some(page) = evidence.page.filter(|_| is_seen) else { continue };
            let found = pages.entry(page).or_default();
            if !found.contains(&evidence) {
                found.push(evidence);
            }
        }
    }
    let mut number = 0;
    let mut numbered = |evidence| {
        number += 1;
        Spot { number, evidence }
    };
    pages
        .into_iter()
        .map(|(page, mut found)| {
            found.sort_by_key(|evidence| evidence.revision);
            ChangedPage { page, spots: found.into_iter().map(&mut numbered).collect() }
        })
        .collect()
}

/// The number of a piece of evidence, if it is among those.
pub(super) fn number_of(touched: &[ChangedPage<'_>], evidence: &EvidenceView) -> Option<usize> {
    let mut spots = touched.iter().flat_map(|page| &page.spots);
    spots.find(|spot| spot.evidence == evidence).map(|spot| spot.number)
}
