//! Whether hidden text is drawn again in its place.

use super::page_visibility::is_meaningful;
use crate::{PageText, Rectangle, Run};

/// Position tolerance (em) for redrawn glyphs; comparison limit.
const GLYPH_TOLERANCE_EM: f64 = 0.15;
const MAX_COMPARISONS: usize = 1 << 16;
/// Minimum visible glyphs in the gaps of hidden text that show that the whole text was drawn again.
const MIN_FILLED_GAPS: usize = 3;

/// A glyph's text and box.
type PlacedGlyph = (String, Rectangle);

/// Whether these runs draw each hidden glyph again in its place, and nothing before or after them.
pub(super) fn is_redrawn(page: &PageText, hidden: &[Run], redrawn: &[Run], size: f64) -> bool {
    let far = GLYPH_TOLERANCE_EM * size;
    let (old, new) = (glyphs(page, hidden), glyphs(page, redrawn));
    let ends = |glyphs: &[PlacedGlyph]| {
        let bounds = glyphs.iter().map(|(_, bounds)| *bounds).reduce(Rectangle::with);
        bounds.map_or((f64::MAX, f64::MIN), |bounds| (bounds.left, bounds.right))
    };
    let ((start, end), (from, to)) = (ends(&old), ends(&new));
    // in a gap of the hidden text
    let is_added = |(text, bounds): &&PlacedGlyph| {
        let (x, _) = bounds.middle();
        let is_near = |place: &Rectangle| (place.middle().0 - x).abs() <= far;
        let is_within = start < x && x < end && is_meaningful(text);
        is_within && !old.iter().any(|(_, place)| is_near(place))
    };
    are_among(&old, &new, far)
        && ((from >= start - far && to <= end + far)
            || new.iter().filter(|glyph| is_added(glyph)).count() >= MIN_FILLED_GAPS)
}

/// Whether these runs redraw each hidden glyph in its place, possibly among other glyphs.
pub(super) fn is_partly_redrawn(page: &PageText, hidden: &[Run], redrawn: &[Run], size: f64) -> bool {
    are_among(&glyphs(page, hidden), &glyphs(page, redrawn), GLYPH_TOLERANCE_EM * size)
}

fn glyphs(page: &PageText, runs: &[Run]) -> Vec<PlacedGlyph> {
    let glyphs = |run: &Run| -> Vec<PlacedGlyph> {
        let glyphs = 0..page.glyphs(run).len();
        let placed = |glyph| Some((page.glyph_text(run, glyph)?.to_owned(), page.glyph_box(run, glyph)?));
        glyphs.filter_map(placed).collect()
    };
    runs.iter().flat_map(glyphs).collect()
}

/// Whether there are glyphs and each has a match within this distance; false if there are too many to compare.
fn are_among(glyphs: &[PlacedGlyph], others: &[PlacedGlyph], far: f64) -> bool {
    let is_among = |(text, bounds): &PlacedGlyph| {
        let (x, y) = bounds.middle();
        others.iter().any(|(other, place)| {
            let (other_x, other_y) = place.middle();
            other == text && (x - other_x).abs() <= far && (y - other_y).abs() <= far
        })
    };
    glyphs.len() * others.len() <= MAX_COMPARISONS && !glyphs.is_empty() && glyphs.iter().all(is_among)
}
