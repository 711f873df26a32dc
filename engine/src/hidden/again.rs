//! Whether text that is hidden is drawn once more in its place.

use super::sight::says_something;
use crate::content::{PageText, Rectangle, Run};

/// How far a glyph may be from where it was and be the same one, in sizes; and pairs of glyphs that are compared at most.
const AGAIN: f64 = 0.15;
const COMPARED: usize = 1 << 16;
/// Glyphs that stand where hidden ones left gaps, from which on these were drawn once more as a whole.
const HOLES: usize = 3;

/// Whether each hidden glyph was written once more in its place by these, and nothing before or behind them.
pub(super) fn is_again(page: &PageText, hidden: &[Run], upon: &[Run], size: f64) -> bool {
    let far = AGAIN * size;
    let boxes = |run: &Run| -> Vec<(String, Rectangle)> {
        let glyphs = 0..page.glyphs(run).len();
        let placed = |glyph| Some((page.glyph_text(run, glyph)?.to_owned(), page.glyph_box(run, glyph)?));
        glyphs.filter_map(placed).collect()
    };
    let hidden: Vec<_> = hidden.iter().flat_map(boxes).collect();
    let written: Vec<_> = upon.iter().flat_map(boxes).collect();
    let ends = |glyphs: &[(String, Rectangle)]| {
        let bounds = glyphs.iter().map(|(_, bounds)| *bounds).reduce(Rectangle::with);
        bounds.map_or((f64::MAX, f64::MIN), |bounds| (bounds.left, bounds.right))
    };
    let ((start, end), (from, to)) = (ends(&hidden), ends(&written));
    let is_written = |(text, bounds): &(String, Rectangle)| {
        let (x, y) = bounds.middle();
        let is_near = |other: Rectangle| {
            let (other_x, other_y) = other.middle();
            (x - other_x).abs() <= far && (y - other_y).abs() <= far
        };
        written.iter().any(|(other, place)| other == text && is_near(*place))
    };
    // where what is hidden has holes
    let is_added = |(text, bounds): &&(String, Rectangle)| {
        let (x, _) = bounds.middle();
        let is_near = |place: &Rectangle| (place.middle().0 - x).abs() <= far;
        let is_within = start < x && x < end && says_something(text);
        is_within && !hidden.iter().any(|(_, place)| is_near(place))
    };
    hidden.len() * written.len() <= COMPARED
        && ((from >= start - far && to <= end + far) || written.iter().filter(|glyph| is_added(glyph)).count() >= HOLES)
        && !hidden.is_empty()
        && hidden.iter().all(is_written)
}
