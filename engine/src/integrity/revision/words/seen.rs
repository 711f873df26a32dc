//! What is seen of a page's text, by what it belongs to: the page's own, and that of each annotation's appearance.

use std::collections::{BTreeMap, BTreeSet};

use crate::content::{Area, PageText, Rectangle, Run, Visibility};

/// The part of a word that must lie under an area for it not to be seen.
const COVERED: f64 = 0.5;
/// How much of a glyph must lie under another one for it not to be read.
const OVERPRINTED: f64 = 0.5;

/// Words on one line, as they are seen.
#[derive(Debug, Clone)]
pub(crate) struct SeenLine {
    /// In the order of reading.
    pub(crate) words: Vec<SeenWord>,
    /// In points.
    pub(super) bounds: Rectangle,
}

/// A word of such a line.
#[derive(Debug, Clone)]
pub(crate) struct SeenWord {
    /// U+FFFD for each character that cannot be read.
    pub(crate) text: String,
    /// A checksum of the codes of those.
    codes: u32,
    /// When it was painted: its place among all that the page draws.
    pub(crate) order: u32,
    pub(crate) bounds: Rectangle,
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
    pub(super) fn bounds_of(&self, words: &[SeenWord]) -> Rectangle {
        words.iter().map(|word| word.bounds).reduce(Rectangle::with).unwrap_or(self.bounds)
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
pub(crate) fn lines(page: &PageText, owner: Option<u32>, checks: &mut usize) -> Option<Vec<SeenLine>> {
    let visibility = Visibility::of(page, |area| area.annotation == owner, checks)?;
    let mut runs = Vec::with_capacity(page.runs.len());
    for (place, run) in page.runs.iter().enumerate().filter(|(_, run)| run.annotation == owner) {
        let is_touched = visibility.covered_run(place).is_some();
        if is_touched {
            *checks = checks.checked_sub(page.runs.len())?;
        }
        let over = if is_touched { later(page, run) } else { Vec::new() };
        visibility.cut(place, |glyph| is_overprinted(page, run, glyph, &over), &mut runs);
    }
    let lines = page.lines_of(&runs).into_iter().map(|line| {
        let words = line.words.into_iter().map(|word| {
            let codes = PageText::codes(&runs, &word.runs);
            let order =
                word.runs.iter().filter_map(|place| runs.get(*place)).map(|run| run.order).min().unwrap_or_default();
            SeenWord { text: word.text, codes, order, bounds: word.bounds }
        });
        SeenLine { words: words.collect(), bounds: line.bounds }
    });
    Some(lines.collect())
}

/// The runs that were written later over a run.
fn later<'p>(page: &'p PageText, run: &Run) -> Vec<&'p Run> {
    let is_over = |other: &&Run| {
        other.order > run.order
            && other.annotation == run.annotation
            && other.is_painted()
            && run.bounds.meets(other.bounds)
    };
    page.runs.iter().filter(is_over).collect()
}

/// Whether what is left of a glyph beside what covers its run cannot be read for what was written over it.
fn is_overprinted(page: &PageText, run: &Run, glyph: usize, over: &[&Run]) -> bool {
    let Some(bounds) = page.glyph_box(run, glyph).filter(|_| !over.is_empty()) else { return false };
    let glyphs = over.iter().flat_map(|run| (0..page.glyphs(run).len()).filter_map(|glyph| page.glyph_box(run, glyph)));
    let common = glyphs.map(|other| bounds.right.min(other.right) - bounds.left.max(other.left));
    common.fold(0.0, f64::max) >= OVERPRINTED * bounds.width()
}

/// The page's own words that an annotation's appearance came to lie over, of lines that are seen without it.
pub(super) fn beneath(own: &[SeenLine], annotation: u32, before: &PageText, after: &PageText) -> Vec<SeenLine> {
    let covers = |page: &PageText, word: &SeenWord| {
        page.covered_part(word.bounds, |area| area.annotation == Some(annotation), true) >= COVERED
    };
    let lines = own.iter().filter_map(|line| {
        let is_beneath = |word: &&SeenWord| covers(after, word) && !covers(before, word);
        let words: Vec<SeenWord> = line.words.iter().filter(is_beneath).cloned().collect();
        let bounds = words.iter().map(|word| word.bounds).reduce(Rectangle::with)?;
        Some(SeenLine { words, bounds })
    });
    lines.collect()
}
