//! Marks of check boxes and radio buttons that are drawn as paths (12.7.4.2.3): a check mark, a cross, a star or a dot.

use super::area::{Area, AreaKind, Rule};
use super::geometry::Rectangle;
use super::line::Line;
use super::page_model::PageText;

/// Maximum paths of a mark, besides the button's frame: the lines of a star.
const MAX_PATHS: usize = 4;
/// Maximum points of a path that is examined.
const MAX_POINTS: usize = 2_000;
/// Minimum share of the button's width and height that a frame or ground takes.
const FRAME_MIN_PART: f64 = 0.7;
/// Minimum shares of its box that a rectangle fills, and maximum difference of a circle's from π/4.
const RECTANGLE_MIN_FILL: f64 = 0.95;
const CIRCLE_TOLERANCE: f64 = 0.04;
/// Width to height of a filled and of a stroked dot: digits are narrower.
const FILLED_ASPECTS: std::ops::RangeInclusive<f64> = 0.6..=1.7;
const STROKED_ASPECTS: std::ops::RangeInclusive<f64> = 0.8..=1.25;
/// Tolerance of positions, as a share of a mark's size.
const TOLERANCE: f64 = 0.15;
/// Minimum difference of the component sums of a visible mark and its ground, of 765.
const MARK_MIN_CONTRAST: u32 = 200;
/// Minimum sum of the components of the shadow of a border.
const SHADOW_MIN_SUM: u32 = 350;
const PAPER: [u8; 3] = [u8::MAX; 3];
/// Maximum distance of the frame of a field from its sides, in points.
const SIDE_MAX_DISTANCE_PT: f64 = 3.0;
/// Minimum sides of a field whose frame is no sign by itself, such as a digit 0 or a box to tick, in points.
const FRAMED_MIN_WIDTH_PT: f64 = 30.0;
const FRAMED_MIN_HEIGHT_PT: f64 = 10.0;

/// What a button draws as paths in addition to its frame.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PathMark {
    /// Nothing.
    None,
    /// A check mark, a cross, a star or a dot.
    Plain,
    /// Something else, which may be a letter or a digit.
    Other,
}

/// A subpath.
#[derive(Debug, Clone, PartialEq)]
struct Stroke {
    points: Vec<[f64; 2]>,
    color: Option<[u8; 3]>,
    is_stroked: bool,
    is_closed: bool,
}

/// Returns what a button draws visibly when it is on and not when it is off. A frame alone is no mark.
pub fn path_mark(on: &PageText, off: &PageText, button: Rectangle) -> PathMark {
    let (Some(drawn), Some(frame)) = (strokes(on), strokes(off)) else { return PathMark::Other };
    let mut marks: Vec<Stroke> = Vec::new();
    let (mut ground, mut is_filled) = (Some(PAPER), false);
    for stroke in drawn {
        let is_known = frame.contains(&stroke);
        if is_known || is_frame(&stroke, button) {
            if !stroke.is_stroked {
                is_filled = !is_known && is_visible(stroke.color, Some(PAPER));
                ground = stroke.color;
                marks.clear();
            }
        } else if is_visible(stroke.color, ground) && !marks.iter().any(|known| known.points == stroke.points) {
            // once, if it is filled and stroked
            marks.push(stroke);
        }
    }
    match is_plain(&marks) {
        _ if marks.is_empty() && is_filled => PathMark::Plain,
        _ if marks.is_empty() => PathMark::None,
        true => PathMark::Plain,
        false => PathMark::Other,
    }
}

/// Whether a button that is off draws no more than it did when the file was signed, or a ground and a frame; and still
/// what it drew then, unless it draws nothing.
pub fn is_unmarked(off: &PageText, signed: &PageText, button: Rectangle) -> bool {
    let words = |page: &PageText| page.lines().iter().map(Line::text).collect::<String>();
    let (written, had) = (words(off), words(signed));
    // a single one may be a mark
    let is_label = |text: &str| text.chars().filter(|letter| letter.is_alphanumeric()).count() > 1;
    let (Some(now), Some(before)) = (strokes(off), strokes(signed)) else { return off.areas.is_empty() };
    let is_seen = |stroke: &Stroke| is_visible(stroke.color, Some(PAPER));
    // the shadow and the light of a border are gray
    let is_shadow = |stroke: &Stroke| !stroke.is_stroked && is_side(stroke, button) && is_light(stroke.color);
    let is_frame =
        |stroke: &Stroke| is_frame(stroke, button) && (stroke.is_stroked || !is_seen(stroke)) || is_shadow(stroke);
    let is_ground = |stroke: &Stroke| !stroke.is_stroked && is_frame(stroke) && !is_shadow(stroke);
    let ground = now.iter().rposition(is_ground).unwrap_or(0);
    let shown = now.get(ground..).unwrap_or_default();
    let is_kept = |stroke: &Stroke| {
        !is_seen(stroke)
            || shown.contains(stroke)
            || is_frame(stroke) && shown.iter().any(|it| is_frame(it) && is_seen(it))
    };
    (written == had || written.is_empty() && !is_label(&had))
        && now.iter().all(|stroke| before.contains(stroke) || is_frame(stroke))
        && (now.is_empty() || before.iter().all(is_kept))
}

/// Whether a field draws no more than a light ground and a frame along its own sides, and is larger than a sign.
pub fn is_framed(page: &PageText, field: Rectangle) -> bool {
    let Some(strokes) = strokes(page) else { return false };
    let is_frame = |stroke: &Stroke| {
        let is_ground = is_frame(stroke, field);
        is_side(stroke, field) && (stroke.is_stroked || !is_visible(stroke.color, Some(PAPER)) || !is_ground)
    };
    page.runs.is_empty()
        && !page.is_part
        && strokes.iter().all(is_frame)
        && (strokes.is_empty() || is_larger_than_a_sign(field))
}

/// Whether a path runs along the sides of a field, and is thin if it does not enclose it.
fn is_side(stroke: &Stroke, field: Rectangle) -> bool {
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
fn is_light(color: Option<[u8; 3]>) -> bool {
    color.is_none_or(|color| color.iter().map(|part| u32::from(*part)).sum::<u32>() >= SHADOW_MIN_SUM)
}

/// Whether a field is so large that its frame is no digit 0 and no box to tick.
pub fn is_larger_than_a_sign(field: Rectangle) -> bool {
    field.width() >= FRAMED_MIN_WIDTH_PT && field.height() >= FRAMED_MIN_HEIGHT_PT
}

fn is_visible(color: Option<[u8; 3]>, ground: Option<[u8; 3]>) -> bool {
    let (Some(color), Some(ground)) = (color, ground) else { return true };
    color.iter().zip(ground).map(|(one, other)| u32::from(one.abs_diff(other))).sum::<u32>() >= MARK_MIN_CONTRAST
}

/// Returns the subpaths of everything painted; none if anything is no path.
fn strokes(page: &PageText) -> Option<Vec<Stroke>> {
    let mut strokes = Vec::new();
    // block characters are text
    for area in page.areas.iter().filter(|area| !area.is_off && area.kind != AreaKind::Block) {
        let has_paths = matches!(area.kind, AreaKind::Rectangle | AreaKind::Shape | AreaKind::Stroke);
        if !has_paths || area.is_clipped() {
            return None;
        }
        strokes.extend(subpaths(page, area)?);
    }
    Some(strokes)
}

/// Returns the bounds of an area's subpaths; none if it is no path or has too many points.
pub fn subpath_boxes(page: &PageText, area: &Area) -> Option<Vec<Rectangle>> {
    Some(subpaths(page, area)?.iter().map(Stroke::bounds).collect())
}

fn subpaths(page: &PageText, area: &Area) -> Option<Vec<Stroke>> {
    if area.outline.is_empty() {
        let Rectangle { left, bottom, right, top } = area.bounds;
        let points = vec![[left, bottom], [right, bottom], [right, top], [left, top]];
        let stroke = Stroke { points, color: area.color_on_paper(), is_stroked: false, is_closed: true };
        return (area.kind == AreaKind::Rectangle).then(|| vec![stroke]);
    }
    let mut found = Vec::new();
    for (rule, _, points) in page.outlines.paths(&area.outline) {
        if points.len() > MAX_POINTS {
            return None;
        }
        for subpath in points.split(|[x, _]| x.is_nan()) {
            let mut points: Vec<[f64; 2]> = subpath.iter().map(|point| point.map(f64::from)).collect();
            points.dedup();
            let is_stroked = matches!(rule, Rule::Stroke { .. });
            let is_closed = !is_stroked || points.len() > 2 && points.first() == points.last();
            if is_closed && points.first() == points.last() {
                points.pop();
            }
            let color = area.color_on_paper();
            found.extend((points.len() > 1).then_some(Stroke { points, color, is_stroked, is_closed }));
        }
    }
    Some(found)
}

/// Whether a path is the ground or border of a button: a rectangle or circle of nearly its size.
fn is_frame(stroke: &Stroke, button: Rectangle) -> bool {
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

fn is_plain(marks: &[Stroke]) -> bool {
    match marks {
        [mark] if mark.is_line() => mark.is_slanted(),
        [mark] => mark.is_dot() && !mark.is_stroked || mark.is_check() || mark.is_filled_check() || mark.is_star(),
        [one, two] if one.is_line() && two.is_line() && one.meets(two) => one.joined(two).is_check(),
        marks => {
            let is_cross = marks.iter().all(Stroke::is_line) && are_concentric(marks);
            // rings without a dot look like an empty box
            let is_ring = marks.iter().all(Stroke::is_dot) && are_concentric(marks);
            let is_ring = is_ring && marks.iter().any(|mark| !mark.is_stroked);
            marks.len() <= MAX_PATHS && (is_ring || is_cross && marks.iter().any(Stroke::is_slanted))
        }
    }
}

/// Whether the middles of paths coincide.
fn are_concentric(marks: &[Stroke]) -> bool {
    let all = marks.iter().map(Stroke::bounds).reduce(Rectangle::with);
    let Some(all) = all else { return false };
    let (x, y) = all.middle();
    marks.iter().all(|mark| {
        let (own_x, own_y) = mark.bounds().middle();
        (own_x - x).abs() <= TOLERANCE * all.width() && (own_y - y).abs() <= TOLERANCE * all.height()
    })
}

impl Stroke {
    fn bounds(&self) -> Rectangle {
        Rectangle::around(self.points.iter().map(|[x, y]| (*x, *y)))
    }

    fn sides(&self) -> impl Iterator<Item = ([f64; 2], [f64; 2])> {
        self.points.iter().copied().zip(self.points.iter().copied().cycle().skip(1))
    }

    fn area(&self) -> f64 {
        self.sides().map(|([x, y], [u, v])| x * v - u * y).sum::<f64>().abs() / 2.0
    }

    fn is_line(&self) -> bool {
        self.is_stroked && self.points.len() == 2
    }

    /// Whether a line is neither horizontal nor vertical.
    fn is_slanted(&self) -> bool {
        let bounds = self.bounds();
        bounds.width().min(bounds.height()) >= TOLERANCE * bounds.width().max(bounds.height())
    }

    /// Whether two lines share an end.
    fn meets(&self, other: &Self) -> bool {
        self.points.iter().any(|point| other.points.contains(point))
    }

    /// Joins two lines that share an end.
    fn joined(&self, other: &Self) -> Self {
        let mut points = self.points.clone();
        if points.first().is_some_and(|first| other.points.contains(first)) {
            points.reverse();
        }
        points.extend(other.points.iter().filter(|point| !self.points.contains(point)));
        Self { points, ..self.clone() }
    }

    /// Whether it is a convex shape about as wide as high: a circle, a square, a diamond.
    fn is_dot(&self) -> bool {
        let bounds = self.bounds();
        let aspects = if self.is_stroked { STROKED_ASPECTS } else { FILLED_ASPECTS };
        let least = -1e-3 * bounds.area();
        let turns = |sign: f64| {
            let next = self.points.iter().cycle().skip(1);
            let after = self.points.iter().cycle().skip(2);
            let mut corners = self.points.iter().zip(next).zip(after);
            corners.all(|(([a, b], [x, y]), [u, v])| sign * ((x - a) * (v - y) - (y - b) * (u - x)) >= least)
        };
        self.is_closed
            && self.points.len() > 2
            && aspects.contains(&(bounds.width() / bounds.height()))
            && (turns(1.0) || turns(-1.0))
    }

    /// Whether a stroke goes down and then, further, up to the right.
    fn is_check(&self) -> bool {
        let mut points = self.points.clone();
        if points.first().zip(points.last()).is_some_and(|([first, _], [last, _])| first > last) {
            points.reverse();
        }
        let bounds = self.bounds();
        let ([Some([_, start]), Some([_, end])], Some(lowest)) =
            ([points.first(), points.last()], points.iter().position(|[_, y]| *y == bounds.bottom))
        else {
            return false;
        };
        let Some(([x, _], width)) = points.get(lowest).zip(Some(bounds.width())) else { return false };
        let share = (x - bounds.left) / width;
        let falls = |pair: &[[f64; 2]]| matches!(pair, [[a, b], [x, y]] if x >= a && y <= b);
        let rises = |pair: &[[f64; 2]]| matches!(pair, [[a, b], [x, y]] if x >= a && y >= b);
        self.is_stroked
            && !self.is_closed
            && (TOLERANCE..=1.0 - 2.0 * TOLERANCE).contains(&share)
            && end - start >= TOLERANCE * bounds.height()
            && points.get(..=lowest).is_some_and(|left| left.windows(2).all(falls))
            && points.get(lowest..).is_some_and(|right| right.windows(2).all(rises))
    }

    /// Whether the outline is the one of a check mark: lowest in the middle, highest at the right, and nothing above on
    /// the left nor below on the right.
    fn is_filled_check(&self) -> bool {
        let bounds = self.bounds();
        let place = |[x, y]: [f64; 2]| ((x - bounds.left) / bounds.width(), (y - bounds.bottom) / bounds.height());
        let at = |x: f64, y: f64| self.has([bounds.left + x * bounds.width(), bounds.bottom + y * bounds.height()]);
        let places = || self.points.iter().copied().map(place);
        let is_lowest = places().filter(|(_, y)| *y <= 0.02).all(|(x, _)| (0.1..=0.65).contains(&x));
        let is_highest = places().filter(|(_, y)| *y >= 0.98).all(|(x, _)| x >= 0.7);
        let is_left = places().filter(|(x, _)| *x <= 0.02).all(|(_, y)| (0.1..=0.8).contains(&y));
        let is_right = places().filter(|(x, _)| *x >= 0.98).all(|(_, y)| y >= 0.6);
        self.is_closed
            && !self.is_stroked
            && is_lowest
            && is_highest
            && is_left
            && is_right
            && !at(0.3, 0.85)
            && !at(0.85, 0.15)
    }

    /// Whether every point of the outline is seen from its middle, as in stars and crosses.
    fn is_star(&self) -> bool {
        let bounds = self.bounds();
        let (x, y) = bounds.middle();
        let turn = |([a, b], [u, v]): ([f64; 2], [f64; 2])| (a - x) * (v - y) - (b - y) * (u - x);
        let least = -1e-3 * bounds.area();
        let is_seen = |sign: f64| self.sides().all(|side| sign * turn(side) >= least);
        self.is_closed
            && !self.is_stroked
            && self.points.len() >= 8
            && STROKED_ASPECTS.contains(&(bounds.width() / bounds.height()))
            && (is_seen(1.0) || is_seen(-1.0))
    }

    /// Whether a point is inside (8.5.3.3.3).
    fn has(&self, [x, y]: [f64; 2]) -> bool {
        let crossings =
            self.sides().filter(|([a, b], [u, v])| (*b > y) != (*v > y) && x < (u - a) * (y - b) / (v - b) + a);
        crossings.count() % 2 == 1
    }
}

#[cfg(test)]
mod tests {
    use super::{PathMark, path_mark};
    use crate::geometry::Rectangle;
    use crate::page_model::PageText;
    use samples::texts::drawing;

    fn drawn(content: &str) -> PageText {
        crate::first_page(drawing(content, "").classic())
    }

    #[test]
    fn marks_are_no_letters() {
        let button = Rectangle { left: 0.0, bottom: 0.0, right: 14.0, top: 14.0 };
        for (content, expected) in [
            ("", PathMark::None),
            ("1 g 0 0 14 14 re f 0 G 0.5 0.5 13 13 re S", PathMark::None),
            // check marks, crosses, dots and stars
            ("3 7 m 6 3 l 12 12 l S", PathMark::Plain),
            ("3 7 m 6 3 l S 6 3 m 12 12 l S", PathMark::Plain),
            ("2 7 m 4 8.5 l 6 5.5 l 11 12 l 12 11.5 l 6 2 l f", PathMark::Plain),
            ("2 2 m 12 12 l S 2 12 m 12 2 l S", PathMark::Plain),
            ("4 4 6 6 re f", PathMark::Plain),
            ("7 3 m 11 7 l 7 11 l 3 7 l f", PathMark::Plain),
            ("10 7 m 10 8.7 8.7 10 7 10 c 5.3 10 4 8.7 4 7 c 4 5.3 5.3 4 7 4 c 8.7 4 10 5.3 10 7 c f", PathMark::Plain),
            ("7 12 m 8 8 l 12 8 l 9 6 l 10 2 l 7 4.5 l 4 2 l 5 6 l 2 8 l 6 8 l f", PathMark::Plain),
            // letters and digits
            ("12.5 6 m 12.5 14 l 8 14 l 8 10 l 12.5 10 l S", PathMark::Other),
            ("1 1 m 1 12 l 6 1 l 6 12 l S 8 1 m 8 12 l 12 12 l S", PathMark::Other),
            ("3 12 m 11 12 l 6 2 l S", PathMark::Other),
            ("7 2 m 7 12 l S", PathMark::Other),
            ("3 7 m 11 7 l S", PathMark::Other),
            ("6 2 3 10 re f", PathMark::Other),
            ("3 12 m 11 12 l 11 11 l 7 2 l 5 2 l 9 11 l 3 11 l f", PathMark::Other),
            ("3 12 m 5 12 l 5 4 l 11 4 l 11 2 l 3 2 l f", PathMark::Other),
        ] {
            assert_eq!(path_mark(&drawn(content), &PageText::default(), button), expected, "{content}");
        }
    }
}
