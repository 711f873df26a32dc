//! A line before it was covered, and now.

use super::finding::{joined, text};
use super::hidden_line::{HiddenLine, OVERPRINTED_MIN_PART};
use super::indeterminate;
use super::page_visibility::is_meaningful;
use super::redrawn::is_redrawn;
use crate::{Rectangle, Run};

/// A line before it was covered, and its visible version.
pub(super) struct Versions {
    pub(super) before: String,
    pub(super) now: String,
    /// Complete words with hidden glyphs.
    pub(super) words: String,
    /// The text over the cover, and whether any of it is in the place of hidden glyphs.
    pub(super) overprint: String,
    pub(super) is_in_place: bool,
    /// Whether other words of the line are visible.
    pub(super) has_rest: bool,
    /// Whether all hidden text is visible again in its place, without other text.
    pub(super) is_redrawn: bool,
    /// Whether words of either version overlap so that they cannot be read.
    pub(super) is_interleaved: bool,
}

impl HiddenLine<'_> {
    /// Returns the line before and now.
    pub(super) fn versions(&self, around: &[usize]) -> Versions {
        let (page, visibility) = (self.visible.page, &self.visible.visibility);
        let written = self.overprint(around);
        let is_hidden =
            |place: usize, glyph: usize| self.runs.binary_search(&place).is_ok() && visibility.is_hidden(place, glyph);
        let is_overprint = |place, glyph| written.contains(&place) && visibility.is_seen(place, glyph);
        let cut = |is_wanted: &dyn Fn(usize, usize) -> bool| {
            let mut pieces = Vec::new();
            for place in around {
                let Some(run) = page.runs.get(*place).filter(|run| !self.is_block(run)) else { continue };
                page.cut(run, |glyph| is_wanted(*place, glyph), &mut pieces);
            }
            // all pieces are one line
            pieces.iter_mut().for_each(|piece| piece.snap_to_baseline(self.level));
            pieces
        };
        let overprint = cut(&is_overprint);
        let row = Row::of(&overprint);
        let is_over = |bounds: Rectangle, is_enough: fn(f64) -> bool| {
            row.any(bounds, |piece| is_enough(self.overlap(bounds, piece)))
        };
        let glyph_box = |place: usize, glyph| page.runs.get(place).and_then(|run| page.glyph_box(run, glyph));
        let is_visible_now = |place, glyph| {
            let bounds = glyph_box(place, glyph);
            let is_overprinted = bounds.is_some_and(|bounds| is_over(bounds, |part| part >= OVERPRINTED_MIN_PART));
            visibility.is_seen(place, glyph) && (is_overprint(place, glyph) || !is_overprinted)
        };
        let was = |place, glyph| {
            let is_there = visibility.is_seen(place, glyph) || is_hidden(place, glyph);
            is_there && !written.contains(&place)
        };
        let (before, now) = (cut(&was), cut(&is_visible_now));
        let is_interleaved = [&before, &now].into_iter().any(|line| indeterminate::is_interleaved(page, line));
        let (before, now) = (page.lines_of(&before), page.lines_of(&now));
        let is_in_place = |place: &usize| {
            let run = page.runs.get(*place);
            (0..run.map_or(0, |run| page.glyphs(run).len())).any(|glyph| {
                let bounds = glyph_box(*place, glyph).filter(|_| is_hidden(*place, glyph));
                bounds.is_some_and(|bounds| is_over(bounds, |part| part > 0.0))
            })
        };
        let rest = cut(&|place, glyph| visibility.is_seen(place, glyph) && !is_overprint(place, glyph));
        let words = before.iter().flat_map(|line| &line.words);
        let hidden = Row::of(&self.pieces());
        let is_changed = |bounds: Rectangle| hidden.any(bounds, |piece| self.overlap(piece, bounds) > 0.01);
        Versions {
            words: joined(words.filter(|word| is_changed(word.bounds))),
            before: text(&before),
            now: text(&now),
            overprint: overprint.iter().map(|piece| page.text(piece)).collect(),
            is_in_place: self.runs.iter().any(is_in_place),
            is_redrawn: is_redrawn(page, &self.pieces(), &overprint, self.size),
            is_interleaved,
            has_rest: rest.iter().any(|piece| piece.annotation.is_none() && is_meaningful(page.text(piece))),
        }
    }
}

/// Boxes sorted by left side, to look up intersections.
struct Row {
    boxes: Vec<Rectangle>,
    /// Maximum right side up to each box.
    reach: Vec<f64>,
}

impl Row {
    fn of(pieces: &[Run]) -> Self {
        let mut boxes: Vec<Rectangle> = pieces.iter().map(|piece| piece.bounds).collect();
        boxes.sort_by(|one, other| one.left.total_cmp(&other.left));
        let mut farthest = f64::MIN;
        let reach = boxes.iter().map(|bounds| {
            farthest = farthest.max(bounds.right);
            farthest
        });
        Self { reach: reach.collect(), boxes }
    }

    /// Whether any box that overlaps `bounds` horizontally is wanted.
    fn any(&self, bounds: Rectangle, is_wanted: impl Fn(Rectangle) -> bool) -> bool {
        let behind = self.boxes.partition_point(|found| found.left < bounds.right);
        let before = self.boxes.iter().zip(&self.reach).take(behind).rev();
        before.take_while(|(_, reach)| **reach > bounds.left).any(|(found, _)| is_wanted(*found))
    }
}
