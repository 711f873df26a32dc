//! What is seen of a page's text, by what it belongs to: the page's own, and that of each annotation's appearance.

use std::collections::BTreeMap;
use std::collections::hash_map::DefaultHasher;
use std::hash::{Hash, Hasher};

use crate::content::{Areas, COVERED, PageText, Run, around};

/// The part of a run's width that may lie under an area before which of its letters are seen cannot be told.
const TOUCHED: f64 = 0.1;

/// Words on one line, as they are seen.
#[derive(Debug, Clone)]
pub(super) struct SeenLine {
    /// In the order of reading.
    pub(super) words: Vec<SeenWord>,
    /// `[left, bottom, right, top]` in points.
    pub(super) bounds: [f64; 4],
}

/// A word of such a line.
#[derive(Debug, Clone)]
pub(super) struct SeenWord {
    /// U+FFFD for each character that cannot be read.
    pub(super) text: String,
    /// A checksum of the codes of those.
    codes: u32,
    pub(super) bounds: [f64; 4],
}

impl SeenWord {
    /// What tells it from other words.
    pub(super) fn key(&self) -> (&str, u32) {
        (&self.text, self.codes)
    }
}

impl SeenLine {
    pub(super) fn key(&self) -> Vec<(&str, u32)> {
        self.words.iter().map(SeenWord::key).collect()
    }

    /// The box around some of its words; around all of it if there are none.
    pub(super) fn bounds_of(&self, words: &[SeenWord]) -> [f64; 4] {
        around(words.iter().map(|word| word.bounds)).unwrap_or(self.bounds)
    }
}

/// Checksums of what a page draws itself, and of what each of its annotations does.
pub(super) fn checksums(page: &PageText) -> BTreeMap<Option<u32>, u64> {
    let mut sums: BTreeMap<Option<u32>, DefaultHasher> = BTreeMap::new();
    for (place, run) in page.runs.iter().enumerate() {
        let sum = sums.entry(run.annotation).or_default();
        page.text(run).hash(sum);
        page.codes(&[place]).hash(sum);
        (run.bounds.map(f64::to_bits), run.clip.map(f64::to_bits), run.mode, run.is_off).hash(sum);
        (run.alpha.to_bits(), run.color, run.order).hash(sum);
    }
    for area in &page.areas {
        let sum = sums.entry(area.annotation).or_default();
        (area.bounds.map(f64::to_bits), area.is_opaque, area.is_off, area.color, area.order).hash(sum);
    }
    sums.into_iter().map(|(owner, sum)| (owner, sum.finish())).collect()
}

/// The lines that are seen of the page's own text or of an annotation's, from top to bottom; none if telling so takes
/// more than `checks`.
pub(super) fn lines(page: &PageText, owner: Option<u32>, checks: &mut usize) -> Option<Vec<SeenLine>> {
    let areas = Areas::new(page, page.areas.iter().filter(|area| area.hides() && area.annotation == owner));
    // what is not seen, and what is seen in part, by the runs' places in the order of painting
    let mut covered: BTreeMap<u32, bool> = BTreeMap::new();
    for run in page.runs.iter().filter(|run| run.annotation == owner) {
        let later = areas.later(run.bounds, run.order);
        *checks = checks.checked_sub(later.len())?;
        let part = later.iter().map(|area| area.covered_part(run.bounds)).fold(0.0, f64::max);
        if part >= TOUCHED {
            covered.insert(run.order, part >= COVERED);
        }
    }
    let is_seen =
        |run: &Run| run.annotation == owner && run.is_painted() && covered.get(&run.order).is_none_or(|all| !all);
    let is_doubtful = |place: &usize| page.runs.get(*place).is_none_or(|run| covered.contains_key(&run.order));
    let lines = page.lines_of(is_seen).into_iter().map(|line| {
        let words = line.words.into_iter().map(|word| {
            let codes = page.codes(&word.runs);
            let text = match word.runs.iter().any(is_doubtful) {
                // which of its letters are seen cannot be told
                true => word.text.chars().map(|_| char::REPLACEMENT_CHARACTER).collect(),
                false => word.text,
            };
            SeenWord { text, codes, bounds: word.bounds }
        });
        SeenLine { words: words.collect(), bounds: line.bounds }
    });
    Some(lines.collect())
}

/// The page's own words that an annotation's appearance came to lie over, of lines that are seen without it.
pub(super) fn beneath(own: &[SeenLine], annotation: u32, before: &PageText, after: &PageText) -> Vec<SeenLine> {
    let covers = |page: &PageText, word: &SeenWord| {
        let areas = page.areas.iter().filter(|area| area.annotation == Some(annotation));
        areas.filter(|area| area.hides()).any(|area| area.covered_part(word.bounds) >= COVERED)
    };
    let lines = own.iter().filter_map(|line| {
        let is_beneath = |word: &&SeenWord| covers(after, word) && !covers(before, word);
        let words: Vec<SeenWord> = line.words.iter().filter(is_beneath).cloned().collect();
        let bounds = around(words.iter().map(|word| word.bounds))?;
        Some(SeenLine { words, bounds })
    });
    lines.collect()
}
