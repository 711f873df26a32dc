//! Whether a hidden text is cut off by the layout of a page: by cells, panels and areas of one size.

use super::hidden_line::{HiddenLine, PATCH_TOLERANCE_EM};
use super::similarity::is_of_kind;
use crate::{Area, Rectangle, Word};

/// Minimum gap (em) between the rest of a clipped word and the next word.
const CLIPPED_WORD_MIN_GAP_EM: f64 = 0.15;
/// Maximum distance (em) of the starts of a hidden word and of those that replace it.
const ALIGNMENT_TOLERANCE_EM: f64 = 0.1;
/// Minimum further areas of the same size that show a table or form layout, and tolerance of their sides, in points.
const LAYOUT_MIN_AREAS: usize = 2;
const LAYOUT_TOLERANCE_PT: f64 = 0.5;

impl HiddenLine<'_> {
    /// Whether it is overflow: the end of a text too long for its cell, under the next cell, each cell painted before
    /// its text.
    pub(super) fn is_overflow(&self, around: &[usize]) -> bool {
        let [cover] = self.covers.as_slice() else { return false };
        let Rectangle { left, bottom, top, .. } = cover.bounds;
        let is_near = |one: f64, other: f64| (one - other).abs() <= LAYOUT_TOLERANCE_PT;
        let is_cell = |area: &&&Area| {
            let cell = area.bounds;
            area.hides() && is_near(cell.right, left) && is_near(cell.bottom, bottom) && is_near(cell.top, top)
        };
        let Some(cell) = self.visible.areas.earlier(self.bounds, cover.order).iter().find(is_cell) else {
            return false;
        };
        // visible words of the cell to the right of the cover: its text was not cut off
        let goes_on = |place: &usize| {
            let Some(run) = self.visible.page.runs.get(*place) else { return false };
            (cell.order..cover.order).contains(&run.order)
                && run.bounds.left >= cover.bounds.right - LAYOUT_TOLERANCE_PT
                && self.visible.visibility.is_run_seen(*place)
        };
        // words that continue under the cover
        let is_begun = |place: &usize| {
            let Some(run) = self.visible.page.runs.get(*place) else { return false };
            let is_in_cell = (cell.order..cover.order).contains(&run.order) && run.bounds.left < left;
            is_in_cell && run.bounds.right >= self.bounds.left - PATCH_TOLERANCE_EM * self.size
        };
        around.iter().any(is_begun) && !around.iter().any(goes_on)
    }

    /// Whether the cover clips words: text continues under it from inside a word to its end or into another word, and
    /// other text starts at a distance. Numbers may have gaps.
    pub(super) fn is_clipped_mid_word(&self, around: &[usize]) -> bool {
        let (page, visibility) = (self.visible.page, &self.visible.visibility);
        let first_box = |place: &usize| page.runs.get(*place).and_then(|run| page.glyph_box(run, 0));
        let written: Vec<Rectangle> = self.overprint(around).iter().filter_map(first_box).collect();
        let is_hidden = |place: usize, glyph: usize| visibility.is_hidden(place, glyph);
        // where visible text ends or starts again: run and following glyph
        let ends = self.runs.iter().flat_map(|place| {
            let count = page.runs.get(*place).map_or(0, |run| page.glyphs(run).len());
            let ends = (1..count).filter(|glyph| is_hidden(*place, glyph - 1) != is_hidden(*place, *glyph));
            ends.map(|glyph| (*place, glyph))
        });
        let mut ends: Vec<(f64, usize, usize)> = ends
            .filter_map(|(place, glyph)| Some((page.glyph_box(page.runs.get(place)?, glyph - 1)?.right, place, glyph)))
            .collect();
        ends.sort_by(|one, other| one.0.total_cmp(&other.0));
        let is_within_word = |(_, place, glyph): &(f64, usize, usize)| {
            let is_letter = |glyph| {
                let text = page.runs.get(*place).and_then(|run| page.glyph_text(run, glyph));
                text.is_some_and(|text| text.chars().any(char::is_alphabetic))
            };
            is_letter(glyph - 1) && is_letter(*glyph)
        };
        let Some((left, place, glyph)) = ends.first() else { return false };
        self.level.is_upright()
            && !is_hidden(*place, glyph - 1)
            && *left <= self.bounds.left + LAYOUT_TOLERANCE_PT
            && ends.iter().all(is_within_word)
            && written.iter().all(|first| first.left >= left + CLIPPED_WORD_MIN_GAP_EM * self.size)
    }

    /// Whether the hidden text starts or ends between two letters of a word.
    pub(super) fn cuts_into_words(&self) -> bool {
        !self.cuts().is_empty()
    }

    /// Returns where the hidden text starts or ends between two letters of a word.
    fn cuts(&self) -> Vec<f64> {
        let (page, visibility) = (self.visible.page, &self.visible.visibility);
        let runs = self.runs.iter().filter_map(|place| Some((*place, page.runs.get(*place)?)));
        let cuts = runs.flat_map(|(place, run)| {
            let is_letter =
                move |glyph| page.glyph_text(run, glyph).is_some_and(|text| text.chars().any(char::is_alphabetic));
            let is_hidden = move |glyph| visibility.is_hidden(place, glyph);
            let ends = 1..page.glyphs(run).len();
            let ends = ends.filter(move |glyph| is_hidden(glyph - 1) != is_hidden(*glyph));
            let ends = ends.filter(move |glyph| is_letter(glyph - 1) && is_letter(*glyph));
            ends.filter_map(move |glyph| Some(page.glyph_box(run, glyph)?.left))
        });
        cuts.collect()
    }

    /// Whether the words on the cover replace hidden ones: words of their kind, or words that start where a hidden one
    /// does, on a patch in the color of the background. How neatly it was cut shows nothing: people draw it a little too
    /// wide. The next cell of a table, which clips a text that is too long, has other words at its own place.
    pub(super) fn is_replaced(&self, around: &[usize], overprint: &str) -> bool {
        let words = self.complete_words();
        let hidden: String = words.iter().map(|word| word.text.as_str()).collect();
        let (page, far) = (self.visible.page, ALIGNMENT_TOLERANCE_EM * self.size);
        let starts = || self.overprint(around).into_iter().filter_map(|place| page.runs.get(place));
        let first = starts().map(|run| run.bounds.left).reduce(f64::min);
        let is_aligned = |word: &Word| first.is_some_and(|first| (word.bounds.left - first).abs() <= far);
        let is_instead = is_of_kind(&hidden, overprint) || self.level.is_upright() && words.iter().any(is_aligned);
        is_instead && self.matches_background() && !self.is_laid_out()
    }

    /// Returns the hidden words of which nothing is visible.
    fn complete_words(&self) -> Vec<Word> {
        let cuts = self.cuts();
        let is_cut = |word: &Word| {
            let bounds = word.bounds.grown(LAYOUT_TOLERANCE_PT);
            cuts.iter().any(|cut| (bounds.left..=bounds.right).contains(cut))
        };
        let lines = self.visible.page.lines_of(&self.pieces());
        lines.into_iter().flat_map(|line| line.words).filter(|word| !is_cut(word)).collect()
    }

    /// Whether it was cut off by a layout area: the end of a text too long for its cell, under one of several areas of
    /// the same size.
    pub(super) fn is_layout_area(&self) -> bool {
        let visibility = &self.visible.visibility;
        let is_cut = |place: &usize| {
            let count = self.visible.page.runs.get(*place).map_or(0, |run| self.visible.page.glyphs(run).len());
            let first = (0..count).find(|glyph| visibility.is_hidden(*place, *glyph)).unwrap_or(0);
            first > 0 && (first..count).all(|glyph| visibility.is_hidden(*place, glyph))
        };
        self.runs.iter().all(is_cut) && self.is_laid_out()
    }

    /// Whether there are other areas of the size of its covers in their row or column.
    pub(super) fn is_laid_out(&self) -> bool {
        let is_near = |one: f64, other: f64| (one - other).abs() <= LAYOUT_TOLERANCE_PT;
        let is_alike = |area: &Area, other: &Area| {
            let (one, two) = (area.bounds, other.bounds);
            let is_as_high = is_near(one.height(), two.height());
            let is_in_row =
                is_near(one.bottom, two.bottom) || (is_near(one.left, two.left) && is_near(one.right, two.right));
            area.order != other.order && is_as_high && is_in_row && area.color == other.color && other.hides()
        };
        let has_others = |area: &&Area| {
            self.visible.page.areas.iter().filter(|other| is_alike(area, other)).take(LAYOUT_MIN_AREAS).count()
                >= LAYOUT_MIN_AREAS
        };
        self.covers.iter().all(has_others)
    }
}
