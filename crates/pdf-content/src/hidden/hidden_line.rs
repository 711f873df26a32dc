//! The hidden text of a line, with what covers it.

use std::collections::BTreeSet;

use super::invisible_text::BAR_MAX_PAGE_PART;
use super::page_visibility::{PageVisibility, is_meaningful};
use crate::{Area, AreaKind, BaselineKey, Rectangle, Run, covered_part};

/// Maximum size ratio of a text and its replacement.
const MAX_SIZE_RATIO: f64 = 2.0;
/// Baseline tolerance (em) for other words of a line.
const LINE_TOLERANCE_EM: f64 = 0.6;
/// Distance (em) at which words still count as written on a patch.
pub(super) const PATCH_TOLERANCE_EM: f64 = 0.5;
/// Minimum overlap of a visible glyph that is unreadably overprinted.
pub(super) const OVERPRINTED_MIN_PART: f64 = 0.5;

/// The hidden text of a line.
pub(super) struct HiddenLine<'p> {
    pub(super) visible: &'p PageVisibility<'p>,
    /// Indices of runs with hidden glyphs, ascending.
    pub(super) runs: Vec<usize>,
    pub(super) level: BaselineKey,
    pub(super) size: f64,
    /// Its covers, in painting order.
    pub(super) covers: Vec<&'p Area>,
    /// Bounding box and characters of the hidden text.
    pub(super) bounds: Rectangle,
    pub(super) text: String,
}

impl<'p> HiddenLine<'p> {
    pub(super) fn new(
        visible: &'p PageVisibility<'p>,
        level: BaselineKey,
        size: f64,
        mut runs: Vec<usize>,
    ) -> Option<Self> {
        runs.sort_unstable();
        let (bounds, text, covers) = (Rectangle::default(), String::new(), Vec::new());
        let mut line = Self { visible, runs, level, size: size.max(0.1), covers, bounds, text };
        let pieces = line.pieces();
        line.bounds = pieces.iter().map(|piece| piece.bounds).reduce(Rectangle::with)?;
        line.text = pieces.iter().map(|piece| visible.page.text(piece)).collect();
        // undecoded text of a single code is most likely blank
        let codes = || pieces.iter().flat_map(|piece| visible.page.glyphs(piece)).map(|glyph| glyph.code);
        let is_readable = line.text.chars().any(char::is_alphanumeric);
        if !is_readable && (!is_meaningful(&line.text) || codes().all(|code| Some(code) == codes().next())) {
            return None;
        }
        let over = line.runs.iter().filter_map(|place| visible.visibility.covered_run(*place));
        let mut covers: Vec<usize> = over.flat_map(|covered| covered.by.iter().copied()).collect();
        covers.sort_unstable();
        covers.dedup();
        let covers = covers.into_iter().filter_map(|place| visible.page.areas.get(place));
        line.covers = covers.filter(|area| pieces.iter().any(|piece| piece.bounds.meets(area.bounds))).collect();
        (!line.covers.is_empty()).then_some(line)
    }

    /// Returns the hidden pieces of its runs.
    pub(super) fn pieces(&self) -> Vec<Run> {
        let mut pieces = Vec::new();
        for place in &self.runs {
            let Some(run) = self.visible.page.runs.get(*place) else { continue };
            self.visible.page.cut(run, |glyph| self.visible.visibility.is_hidden(*place, glyph), &mut pieces);
        }
        pieces
    }

    /// Returns its covers that are neither images nor page backgrounds.
    pub(super) fn bars(&self) -> Vec<&'p Area> {
        let [width, height] = self.visible.page.size;
        let is_bar =
            |area: &&Area| area.kind != AreaKind::Image && area.bounds.area() <= BAR_MAX_PAGE_PART * width * height;
        self.covers.iter().copied().filter(is_bar).collect()
    }

    /// Returns the pieces of its runs under these areas.
    pub(super) fn pieces_under(&self, bars: &[&Area]) -> Vec<Run> {
        let page = self.visible.page;
        let mut pieces = Vec::new();
        for place in &self.runs {
            let Some(run) = page.runs.get(*place) else { continue };
            let is_under = |glyph| {
                let bounds = page.glyph_box(run, glyph).unwrap_or_default();
                bars.iter().any(|bar| covered_part(bounds, bar.bounds) >= OVERPRINTED_MIN_PART)
            };
            page.cut(run, is_under, &mut pieces);
        }
        pieces
    }

    /// Returns the runs on this line, by index.
    pub(super) fn around(&self, levels: &[(BaselineKey, usize)]) -> Vec<usize> {
        let far = LINE_TOLERANCE_EM * self.size;
        let start = levels.partition_point(|(level, _)| level.is_below(self.level, far));
        let near = levels.iter().skip(start).take_while(|(level, _)| self.level.is_near(*level, far));
        let is_as_large = |place: &usize| {
            let size = self.visible.page.runs.get(*place).map_or(0.0, |run| run.size);
            size <= MAX_SIZE_RATIO * self.size && self.size <= MAX_SIZE_RATIO * size
        };
        let mut places: Vec<usize> = near.map(|(_, place)| *place).filter(is_as_large).collect();
        places.sort_unstable();
        places
    }

    /// Returns the runs written over its covers: those that start there, or continue one that does.
    pub(super) fn overprint(&self, around: &[usize]) -> BTreeSet<usize> {
        let mut overprint = BTreeSet::new();
        let mut last: Option<&Run> = None;
        for place in around {
            let Some(run) = self.visible.page.runs.get(*place) else { continue };
            let goes_on = last.is_some_and(|last| {
                let gap = run.bounds.left - last.bounds.right;
                run.order == last.order + 1 && (-self.size..=self.size).contains(&gap)
            });
            let is_overprint = self.visible.page.glyph_box(run, 0).is_some_and(|first| self.is_over(run, first));
            if is_overprint || (goes_on && self.level.is_upright()) {
                overprint.insert(*place);
                last = Some(run);
            }
        }
        overprint
    }

    /// Whether a glyph of a run is over its covers.
    pub(super) fn is_over(&self, run: &Run, glyph: Rectangle) -> bool {
        let (x, y) = glyph.middle();
        let is_over = |area: &Area| {
            let near = area.bounds.grown(PATCH_TOLERANCE_EM * self.size);
            near.has((x, y)) || self.level.is_upright() && (near.left..=near.right).contains(&x)
        };
        self.covers.iter().take_while(|area| area.order < run.order).any(|area| is_over(area))
    }

    /// Whether a run is itself a cover, made of block characters.
    pub(super) fn is_block(&self, run: &Run) -> bool {
        let mut covers = self.covers.iter();
        let is_own_block = |area: &Area| area.kind == AreaKind::Block && area.bounds.meets(run.bounds);
        covers.any(|area| is_own_block(area)) && !self.visible.page.text(run).chars().any(char::is_alphanumeric)
    }

    /// Returns the share of a box, from 0 to 1, inside another one along the line.
    pub(super) fn overlap(&self, one: Rectangle, other: Rectangle) -> f64 {
        let common = one.clipped(other);
        let across = common.width() / one.width().max(0.01);
        if self.level.is_upright() { across } else { across.min(common.height() / one.height().max(0.01)) }
    }
}
