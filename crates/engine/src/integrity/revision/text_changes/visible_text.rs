//! The visible text of a page, by owner: page content and each annotation's appearance.

use std::collections::{BTreeMap, BTreeSet};

use pdf_content::{Area, PageText, Rectangle, Run, Visibility};

/// Minimum covered share of an invisible word.
const MIN_COVERED_SHARE: f64 = 0.5;
/// Minimum overprinted share of an unreadable glyph.
const MIN_OVERPRINTED_SHARE: f64 = 0.5;

/// A line of visible words.
#[derive(Debug, Clone)]
pub(crate) struct VisibleLine {
    /// In reading order.
    pub(crate) words: Vec<VisibleWord>,
    /// In points.
    pub(super) bounds: Rectangle,
}

/// A visible word.
#[derive(Debug, Clone)]
pub(crate) struct VisibleWord {
    /// U+FFFD for each undecodable character.
    pub(crate) text: String,
    /// A checksum of the codes of those.
    codes: u32,
    /// Its painting order on the page.
    pub(crate) order: u32,
    pub(crate) bounds: Rectangle,
}

impl VisibleWord {
    /// Returns the comparison key of a word.
    pub(super) fn key(&self) -> (&str, u32) {
        (&self.text, self.codes)
    }
}

impl VisibleLine {
    pub(super) fn key(&self) -> Vec<(&str, u32)> {
        self.words.iter().map(VisibleWord::key).collect()
    }

    /// The box around some of its words, or around the line if there are none.
    pub(super) fn bounds_of(&self, words: &[VisibleWord]) -> Rectangle {
        words.iter().map(|word| word.bounds).reduce(Rectangle::with).unwrap_or(self.bounds)
    }
}

/// Returns the annotations with changed paint; `None` is the page content.
pub(super) fn changed(before: &PageText, after: &PageText) -> Vec<Option<u32>> {
    let (was, is) = (drawn(before), drawn(after));
    let owners: BTreeSet<Option<u32>> = was.keys().chain(is.keys()).copied().collect();
    let is_same = |owner: &Option<u32>| match (was.get(owner), is.get(owner)) {
        (Some((old_runs, old_areas)), Some((runs, areas))) => {
            old_runs.len() == runs.len()
                && old_areas.len() == areas.len()
                && old_runs.iter().zip(runs).all(|(old, new)| visible_run(before, old) == visible_run(after, new))
                && old_areas.iter().zip(areas).all(|(old, new)| visible_area(old) == visible_area(new))
        }
        _ => false,
    };
    owners.into_iter().filter(|owner| !is_same(owner)).collect()
}

/// The paint of each annotation of a page and of the page content.
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

/// The visible properties of a run, and its painting order.
fn visible_run<'p>(page: &'p PageText, run: &'p Run) -> impl PartialEq + use<'p> {
    let text = (page.text(run), run.unread());
    (text, run.bounds, run.clip, run.mode, run.is_off, (run.alpha, run.color, run.order))
}

/// The same of an area.
fn visible_area(area: &Area) -> impl PartialEq + use<> {
    (area.bounds, area.is_opaque, area.is_off, area.color, area.order)
}

/// The visible lines of the page content or an annotation, from top to bottom; `None` if that takes more than `checks`.
pub(crate) fn lines(page: &PageText, owner: Option<u32>, checks: &mut usize) -> Option<Vec<VisibleLine>> {
    let visibility = Visibility::of(page, |area| area.annotation == owner, checks)?;
    let mut runs = Vec::with_capacity(page.runs.len());
    for (place, run) in page.runs.iter().enumerate().filter(|(_, run)| run.annotation == owner) {
        let is_touched = visibility.covered_run(place).is_some();
        if is_touched {
            *checks = checks.checked_sub(page.runs.len())?;
        }
        // along the baseline: the boxes of turned glyphs overlap those beside them
        let (own, over) = match is_touched {
            true => (page.extents(run, run), later(page, run)),
            false => (Vec::new(), Vec::new()),
        };
        visibility.cut(place, |glyph| own.get(glyph).is_some_and(|own| is_overprinted(*own, &over)), &mut runs);
    }
    let lines = page.lines_of(&runs).into_iter().map(|line| {
        let words = line.words.into_iter().map(|word| {
            let codes = PageText::codes(&runs, &word.runs);
            let order =
                word.runs.iter().filter_map(|place| runs.get(*place)).map(|run| run.order).min().unwrap_or_default();
            VisibleWord { text: word.text, codes, order, bounds: word.bounds }
        });
        VisibleLine { words: words.collect(), bounds: line.bounds }
    });
    Some(lines.collect())
}

/// The extents, along a run, of the glyphs painted later over it.
fn later(page: &PageText, run: &Run) -> Vec<(f64, f64)> {
    let is_over = |other: &&Run| {
        other.order > run.order
            && other.annotation == run.annotation
            && other.is_painted()
            && run.bounds.meets(other.bounds)
    };
    page.runs.iter().filter(is_over).flat_map(|other| page.extents(other, run)).collect()
}

/// Whether the visible part of a glyph is unreadable due to text painted over it.
fn is_overprinted((start, end): (f64, f64), over: &[(f64, f64)]) -> bool {
    let common = over.iter().map(|(from, to)| end.min(*to) - start.max(*from));
    common.fold(0.0, f64::max) >= MIN_OVERPRINTED_SHARE * (end - start)
}

/// The words of the page content that an annotation's appearance now covers, on lines visible without it.
pub(super) fn beneath(own: &[VisibleLine], annotation: u32, before: &PageText, after: &PageText) -> Vec<VisibleLine> {
    let covers = |page: &PageText, word: &VisibleWord| {
        page.covered_part(word.bounds, |area| area.annotation == Some(annotation), true) >= MIN_COVERED_SHARE
    };
    let lines = own.iter().filter_map(|line| {
        let is_beneath = |word: &&VisibleWord| covers(after, word) && !covers(before, word);
        let words: Vec<VisibleWord> = line.words.iter().filter(is_beneath).cloned().collect();
        let bounds = words.iter().map(|word| word.bounds).reduce(Rectangle::with)?;
        Some(VisibleLine { words, bounds })
    });
    lines.collect()
}
