//! Grounds and frames of form fields (ISO 32000-1, 12.5.4 and 12.5.6.19): what is painted along the sides of a field, and
//! behind what it shows.

use super::color::component_sum;
use super::geometry::Rectangle;
use super::page_model::PageText;
use super::subpath::{Subpath, subpaths_of};

/// Minimum share of the field's width and height that a frame or ground takes.
pub(super) const FRAME_MIN_PART: f64 = 0.7;
/// Minimum share of its box that a rectangle fills, and maximum difference of a circle's from π/4.
const RECTANGLE_MIN_FILL: f64 = 0.95;
const CIRCLE_TOLERANCE: f64 = 0.04;
/// Minimum difference of the component sums of visible paint and its ground, of 765.
const MIN_CONTRAST: u32 = 200;
/// Minimum sum of the components of the shadow of a border.
const SHADOW_MIN_SUM: u32 = 350;
/// White paper.
pub(super) const PAPER: [u8; 3] = [u8::MAX; 3];
/// Maximum distance of the frame of a field from its sides, in points.
const SIDE_MAX_DISTANCE_PT: f64 = 3.0;
/// Minimum size of a field whose frame is neither a digit 0 nor a printed check box, in points.
const FRAMED_MIN_WIDTH_PT: f64 = 30.0;
const FRAMED_MIN_HEIGHT_PT: f64 = 10.0;
/// Maximum distance of a divider from the sides of its comb cell, in cells.
const DIVIDER_TOLERANCE: f64 = 0.1;

/// Whether a field draws no more than a light ground and a frame along its own sides, and is larger than a sign.
pub fn is_framed(page: &PageText, field: Rectangle) -> bool {
    let Some(strokes) = subpaths_of(page) else { return false };
    let is_frame = |stroke: &Subpath| {
        let is_ground = is_frame(stroke, field);
        is_side(stroke, field) && (stroke.is_stroked || !is_visible(stroke.color, Some(PAPER)) || !is_ground)
    };
    page.runs.is_empty()
        && !page.is_part
        && strokes.iter().all(is_frame)
        && (strokes.is_empty() || is_larger_than_a_sign(field))
}

/// Whether a path runs along the sides of a field, and is thin if it does not enclose it.
pub(super) fn is_side(stroke: &Subpath, field: Rectangle) -> bool {
    let is_along = |([x, y], [u, v]): ([f64; 2], [f64; 2])| {
        let near = |at: f64, side: f64| (at - side).abs() <= SIDE_MAX_DISTANCE_PT;
        [field.left, field.right].iter().any(|side| near(x, *side) && near(u, *side))
            || [field.bottom, field.top].iter().any(|side| near(y, *side) && near(v, *side))
    };
    let is_thin = stroke.area() <= 2.0 * SIDE_MAX_DISTANCE_PT * (field.width() + field.height());
    let sides = stroke.points.len() - usize::from(!stroke.is_closed);
    stroke.sides().take(sides).all(is_along) && (stroke.is_stroked || is_thin || is_frame(stroke, field))
}

/// Whether it is no dark color; shapes of several colors have none.
pub(super) fn is_light(color: Option<[u8; 3]>) -> bool {
    color.is_none_or(|color| component_sum(color) >= SHADOW_MIN_SUM)
}

/// Whether a field is so large that its frame is no digit 0 and no box to tick.
pub fn is_larger_than_a_sign(field: Rectangle) -> bool {
    field.width() >= FRAMED_MIN_WIDTH_PT && field.height() >= FRAMED_MIN_HEIGHT_PT
}

/// Whether everything that a field paints, besides its text, is the ground behind that, a frame along the field's sides,
/// a divider of its comb cells, the bar or frame of a row, or other furniture of such a field, known among all its paths.
pub(super) fn is_text_framed(
    page: &PageText,
    field: Rectangle,
    (cells, has_rows): (Option<i64>, bool),
    is_furniture: impl Fn(&[Subpath], &Subpath) -> bool,
) -> bool {
    let Some(subpaths) = subpaths_of(page) else { return false };
    subpaths.iter().all(|subpath| {
        let is_ground = !subpath.is_stroked && is_frame(subpath, field);
        is_ground
            || is_side(subpath, field) && is_long(subpath, field)
            || cells.is_some_and(|cells| is_divider(subpath, field, cells))
            || has_rows && is_row(subpath, field)
            || is_furniture(&subpaths, subpath)
    })
}

/// Whether a path is nearly as long as the field is wide or high.
fn is_long(subpath: &Subpath, field: Rectangle) -> bool {
    let bounds = subpath.bounds();
    bounds.width() >= FRAME_MIN_PART * field.width() || bounds.height() >= FRAME_MIN_PART * field.height()
}

/// Whether it is a rectangle nearly as wide as the field.
fn is_row(subpath: &Subpath, field: Rectangle) -> bool {
    let bounds = subpath.bounds();
    bounds.width() >= FRAME_MIN_PART * field.width() && subpath.area() >= RECTANGLE_MIN_FILL * bounds.area()
}

/// Whether a line divides two cells of a comb field (12.7.4.3), which divide the field or what is inside its border.
fn is_divider(subpath: &Subpath, field: Rectangle, cells: i64) -> bool {
    let bounds = subpath.bounds();
    let width = field.width() / cells as f64;
    let cell = (bounds.left - field.left) / width;
    // by a border the first cells lie farther to the right, and the last ones to the left
    let farthest = SIDE_MAX_DISTANCE_PT * (1.0 - 2.0 * cell.round() / cells as f64) / width;
    let is_between =
        |shift: f64| (farthest.min(0.0) - DIVIDER_TOLERANCE..=farthest.max(0.0) + DIVIDER_TOLERANCE).contains(&shift);
    bounds.width() == 0.0
        && bounds.bottom <= field.bottom + SIDE_MAX_DISTANCE_PT
        && bounds.top >= field.top - SIDE_MAX_DISTANCE_PT
        && is_between(cell - cell.round())
}

/// Whether a path is the ground or border of a field: a rectangle or circle of nearly its size.
pub(super) fn is_frame(stroke: &Subpath, button: Rectangle) -> bool {
    let bounds = stroke.bounds();
    let share = stroke.area() / bounds.area();
    let has_size = |width: f64, height: f64| {
        bounds.width() >= FRAME_MIN_PART * width && bounds.height() >= FRAME_MIN_PART * height
    };
    let is_rectangle = share >= RECTANGLE_MIN_FILL;
    let is_round = (share - std::f64::consts::FRAC_PI_4).abs() <= CIRCLE_TOLERANCE;
    // MuPDF draws a square box in a high button
    let side = button.width().min(button.height());
    stroke.is_closed
        && (has_size(button.width(), button.height()) && (is_rectangle || is_round)
            || is_rectangle && has_size(side, side))
}

pub(super) fn is_visible(color: Option<[u8; 3]>, ground: Option<[u8; 3]>) -> bool {
    let (Some(color), Some(ground)) = (color, ground) else { return true };
    color.iter().zip(ground).map(|(one, other)| u32::from(one.abs_diff(other))).sum::<u32>() >= MIN_CONTRAST
}
