//! Whether text that is hidden is drawn once more in its place.

use super::page_visibility::says_something;
use crate::content::{PageText, Rectangle, Run};

/// How far a glyph may be from where it was and be the same one, in sizes; and pairs of glyphs that are compared at most.
const AGAIN: f64 = 0.15;
const COMPARED: usize = 1 << 16;
/// Glyphs that stand where hidden ones left gaps, from which on these were drawn once more as a whole.
const HOLES: usize = 3;

/// A glyph's character, and its box.
type PlacedGlyph = (String, Rectangle);

/// Whether each hidden glyph was written once more in its place by these, and nothing before or behind them.
pub(super) fn is_again(page: &PageText, hidden: &[Run], upon: &[Run], size: f64) -> bool {
    let far = AGAIN * size;
    let (old, new) = (glyphs(page, hidden), glyphs(page, upon));
    let ends = |glyphs: &[PlacedGlyph]| {
        let bounds = glyphs.iter().map(|(_, bounds)| *bounds).reduce(Rectangle::with);
        bounds.map_or((f64::MAX, f64::MIN), |bounds| (bounds.left, bounds.right))
    };
    let ((start, end), (from, to)) = (ends(&old), ends(&new));
    // where what is hidden has holes
    let is_added = |(text, bounds): &&PlacedGlyph| {
        let (x, _) = bounds.middle();
        let is_near = |place: &Rectangle| (place.middle().0 - x).abs() <= far;
        let is_within = start < x && x < end && says_something(text);
        is_within && !old.iter().any(|(_, place)| is_near(place))
    };
    are_among(&old, &new, far)
        && ((from >= start - far && to <= end + far) || new.iter().filter(|glyph| is_added(glyph)).count() >= HOLES)
}

/// Whether each hidden glyph was written once more in its place by these, whatever else was.
pub(super) fn is_part(page: &PageText, hidden: &[Run], upon: &[Run], size: f64) -> bool {
    are_among(&glyphs(page, hidden), &glyphs(page, upon), AGAIN * size)
}

fn glyphs(page: &PageText, runs: &[Run]) -> Vec<PlacedGlyph> {
    let glyphs = |run: &Run| -> Vec<PlacedGlyph> {
        let glyphs = 0..page.glyphs(run).len();
        let placed = |glyph| Some((page.glyph_text(run, glyph)?.to_owned(), page.glyph_box(run, glyph)?));
        glyphs.filter_map(placed).collect()
    };
    runs.iter().flat_map(glyphs).collect()
}

/// Whether there are some, and each stands among others, not farther away than this; not if there are too many to compare.
fn are_among(glyphs: &[PlacedGlyph], others: &[PlacedGlyph], far: f64) -> bool {
    let is_among = |(text, bounds): &PlacedGlyph| {
        let (x, y) = bounds.middle();
        others.iter().any(|(other, place)| {
            let (other_x, other_y) = place.middle();
            other == text && (x - other_x).abs() <= far && (y - other_y).abs() <= far
        })
    };
    glyphs.len() * others.len() <= COMPARED && !glyphs.is_empty() && glyphs.iter().all(is_among)
}
