//! Marks of check boxes and radio buttons that are drawn as paths (12.7.4.2.3): a check mark, a cross, a star or a dot.

use super::area::{Area, AreaKind, Rule};
use super::geometry::Rectangle;
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
    is_stroked: bool,
    is_closed: bool,
}

/// Returns what a button draws when it is on and not when it is off.
pub fn path_mark(on: &PageText, off: &PageText, button: Rectangle) -> PathMark {
    let (Some(drawn), Some(frame)) = (strokes(on), strokes(off)) else { return PathMark::Other };
    let mut marks: Vec<Stroke> = Vec::new();
    for stroke in drawn.into_iter().filter(|stroke| !frame.contains(stroke) && !is_frame(stroke, button)) {
        // a path that is filled and stroked
        if !marks.iter().any(|known| known.points == stroke.points) {
            marks.push(stroke);
        }
    }
    match is_plain(&marks) {
        _ if marks.is_empty() => PathMark::None,
        true => PathMark::Plain,
        false => PathMark::Other,
    }
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
        return (area.kind == AreaKind::Rectangle).then(|| vec![Stroke { points, is_stroked: false, is_closed: true }]);
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
            found.extend((points.len() > 1).then_some(Stroke { points, is_stroked, is_closed }));
        }
    }
    Some(found)
}

/// Whether a path is the ground or border of a button: a rectangle or circle of nearly its size.
fn is_frame(stroke: &Stroke, button: Rectangle) -> bool {
    let bounds = stroke.bounds();
    let share = stroke.area() / bounds.area();
    stroke.is_closed
        && bounds.width() >= FRAME_MIN_PART * button.width()
        && bounds.height() >= FRAME_MIN_PART * button.height()
        && (share >= RECTANGLE_MIN_FILL || (share - std::f64::consts::FRAC_PI_4).abs() <= CIRCLE_TOLERANCE)
}

fn is_plain(marks: &[Stroke]) -> bool {
    match marks {
        [mark] if mark.is_line() => mark.is_slanted(),
        [mark] => mark.is_dot() || mark.is_check() || mark.is_filled_check() || mark.is_star(),
        [one, two] if one.is_line() && two.is_line() && one.meets(two) => one.joined(two).is_check(),
        marks => {
            let is_cross = marks.iter().all(Stroke::is_line) && are_concentric(marks);
            let is_ring = marks.iter().all(Stroke::is_dot) && are_concentric(marks);
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
