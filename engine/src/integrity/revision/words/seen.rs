//! What is seen of a page's text, by what it belongs to: the page's own, and that of each annotation's appearance.

use std::collections::{BTreeMap, BTreeSet};

use crate::content::{Area, Areas, COVERED, PageText, Run, around};

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

/// The annotations that draw other things after than before; none stands for the page itself.
pub(super) fn changed(before: &PageText, after: &PageText) -> Vec<Option<u32>> {
    let (was, is) = (drawn(before), drawn(after));
    let owners: BTreeSet<Option<u32>> = was.keys().chain(is.keys()).copied().collect();
    let is_same = |owner: &Option<u32>| match (was.get(owner), is.get(owner)) {
        (Some((old_runs, old_areas)), Some((runs, areas))) => {
            old_runs.len() == runs.len()
                && old_areas.len() == areas.len()
                && old_runs.iter().zip(runs).all(|(old, new)| look(before, old) == look(after, new))
                && old_areas.iter().zip(areas).all(|(old, new)| fill(old) == fill(new))
        }
        _ => false,
    };
    owners.into_iter().filter(|owner| !is_same(owner)).collect()
}

/// What each annotation of a page draws, and the page itself.
fn drawn(page: &PageText) -> BTreeMap<Option<u32>, (Vec<&Run>, Vec<&Area>)> {
    let mut drawn: BTreeMap<_, (Vec<_>, Vec<_>)> = BTreeMap::new();
    for run in &page.runs {
        drawn.entry(run.annotation).or_default().0.push(run);
    }
    for area in &page.areas {
        drawn.entry(area.annotation).or_default().1.push(area);
    }
    drawn
}

/// What of a run can be seen, and when it was painted.
fn look<'p>(page: &'p PageText, run: &'p Run) -> impl PartialEq + use<'p> {
    let text = (page.text(run), run.unread());
    (text, run.bounds, run.clip, run.mode, run.is_off, (run.alpha, run.color, run.order))
}

/// The same of an area.
fn fill(area: &Area) -> impl PartialEq + use<> {
    (area.bounds, area.is_opaque, area.is_off, area.color, area.order)
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
