//! The button that opens the list of a combo box (ISO 32000-1, 12.7.4.4), which some programs paint into its appearance: a
//! light rectangle at the field's right side, with a border and an arrow that points down.

use super::field_frame::{is_light, is_side};
use super::geometry::Rectangle;
use super::page_model::PageText;
use super::subpath::Subpath;

/// Sizes of the button: its greatest width, and its least height as a share of the field's.
const BUTTON_MAX_WIDTH_PT: f64 = 20.0;
const BUTTON_MIN_HEIGHT_PART: f64 = 0.7;
/// Maximum distance of the button from the field's right side, and tolerance of its borders, in points.
const MAX_DISTANCE_PT: f64 = 3.0;
const TOLERANCE_PT: f64 = 0.1;
/// Width of the arrow, as a share of the button's, and its maximum distance from the button's center.
const ARROW_WIDTHS: std::ops::RangeInclusive<f64> = 0.3..=0.7;
const CENTER_MAX_DISTANCE_PT: f64 = 1.0;

/// Whether a path is this button or a part of it.
pub(super) fn is_part_of_arrow(page: &PageText, subpaths: &[Subpath], subpath: &Subpath, field: Rectangle) -> bool {
    let Some(button) = button(subpaths, field) else { return false };
    let bounds = subpath.bounds();
    let is_within = button.grown(TOLERANCE_PT).holds(bounds);
    let is_free = page.runs.iter().all(|run| run.bounds.right <= button.left);
    let is_part = |part: &Subpath| part.bounds() == button || is_side(part, button);
    is_within && is_free && (is_part(subpath) || is_arrow(subpath, button))
}

/// The bounds of the light rectangle with the only arrow.
fn button(subpaths: &[Subpath], field: Rectangle) -> Option<Rectangle> {
    let is_ground = |part: &&Subpath| {
        let bounds = part.bounds();
        !part.is_stroked
            && part.color.is_some()
            && is_light(part.color)
            && (part.area() - bounds.area()).abs() <= TOLERANCE_PT
            && bounds.width() <= BUTTON_MAX_WIDTH_PT
            && bounds.height() >= BUTTON_MIN_HEIGHT_PART * field.height()
            && (field.right - bounds.right).abs() <= MAX_DISTANCE_PT
    };
    let button = subpaths.iter().find(is_ground)?.bounds();
    (subpaths.iter().filter(|part| is_arrow(part, button)).count() == 1).then_some(button)
}

/// Whether a path is a triangle in the middle of a button that points down.
fn is_arrow(part: &Subpath, button: Rectangle) -> bool {
    let [one, two, three] = part.points[..] else { return false };
    let (bounds, (across, up)) = (part.bounds(), button.middle());
    let is_at = |[_, y]: [f64; 2], height: f64| (y - height).abs() <= TOLERANCE_PT;
    let tips: Vec<[f64; 2]> = [one, two, three].into_iter().filter(|point| is_at(*point, bounds.bottom)).collect();
    let base = [one, two, three].into_iter().filter(|point| is_at(*point, bounds.top)).count();
    let is_central = |at: f64, middle: f64| (at - middle).abs() <= CENTER_MAX_DISTANCE_PT;
    matches!(tips[..], [[x, _]] if is_central(x, across))
        && base == 2
        && is_central(bounds.middle().0, across)
        && is_central(bounds.middle().1, up)
        && ARROW_WIDTHS.contains(&(bounds.width() / button.width()))
}
