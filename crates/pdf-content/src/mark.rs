//! Marks of check boxes and radio buttons that are drawn as paths (12.7.4.2.3): a check mark, a cross, a star or a dot.

use super::field_frame::{PAPER, is_frame, is_light, is_side, is_visible};
use super::geometry::Rectangle;
use super::line::Line;
use super::mark_grid::{has_thick_frame, is_seen};
use super::page_model::PageText;
use super::subpath::{Subpath, subpaths_of};

/// Maximum paths of a mark, besides the button's frame: the lines of a star.
const MAX_PATHS: usize = 4;
/// Width to height of a filled and of a stroked dot: digits are narrower.
const FILLED_ASPECTS: std::ops::RangeInclusive<f64> = 0.6..=1.7;
const STROKED_ASPECTS: std::ops::RangeInclusive<f64> = 0.8..=1.25;
/// Tolerance of positions, as a share of a mark's size.
const TOLERANCE: f64 = 0.15;
/// Minimum share of its convex hull that a diamond with hollow sides takes: an 8 takes less.
const DIAMOND_MIN_FILL: f64 = 0.95;
/// Where a diamond touches the sides of its box, as a share of their length, and what counts as touching.
const DIAMOND_CORNERS: std::ops::RangeInclusive<f64> = 0.3..=0.7;
const DIAMOND_EDGE: f64 = 0.02;

/// What a button draws as paths in addition to its frame.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PathMark {
    /// Nothing.
    None,
    /// A check mark, a cross, a star or a dot.
    Plain,
    /// One of these that can hardly be seen: too small, too light, clipped or painted over.
    Faint,
    /// Something else, which may be a letter or a digit.
    Other,
}

/// Returns what a button draws visibly when it is on and not when it is off. A frame alone is no mark.
pub fn path_mark(on: &PageText, off: &PageText, button: Rectangle) -> PathMark {
    let (Some(drawn), Some(frame)) = (subpaths_of(on), subpaths_of(off)) else { return PathMark::Other };
    let mut marks: Vec<Subpath> = Vec::new();
    let (mut ground, mut is_filled, mut is_erased) = (Some(PAPER), false, false);
    for stroke in drawn {
        let is_known = frame.contains(&stroke);
        if is_known || is_frame(&stroke, button) {
            if !stroke.is_stroked {
                is_filled = !is_known && is_visible(stroke.color, Some(PAPER));
                ground = stroke.color;
                marks.clear();
            }
        } else if !is_visible(stroke.color, ground) {
            // what it leaves of a mark may be a letter
            is_erased |= marks.iter().any(|mark| mark.bounds().meets(stroke.bounds()));
        } else if !marks.iter().any(|known| known.points == stroke.points) {
            // once, if it is filled and stroked
            marks.push(stroke);
        }
    }
    if marks.is_empty() && !is_filled {
        PathMark::None
    } else if !marks.is_empty() && !is_plain(&marks) {
        PathMark::Other
    } else if is_erased || !is_seen(on, off, button) {
        PathMark::Faint
    } else {
        PathMark::Plain
    }
}

/// Whether a button that is off draws no more than it did when the file was signed, or a light ground and a thin frame;
/// and still what it drew then, unless it draws nothing.
pub fn is_unmarked(off: &PageText, signed: &PageText, button: Rectangle) -> bool {
    let words = |page: &PageText| page.lines().iter().map(Line::text).collect::<String>();
    let (written, had) = (words(off), words(signed));
    // a single one may be a mark
    let is_label = |text: &str| text.chars().filter(|letter| letter.is_alphanumeric()).count() > 1;
    let (Some(now), Some(before)) = (subpaths_of(off), subpaths_of(signed)) else { return off.areas.is_empty() };
    let is_seen = |stroke: &Subpath| is_visible(stroke.color, Some(PAPER));
    // the shadow and the light of a border are gray
    let is_shadow = |stroke: &Subpath| !stroke.is_stroked && is_side(stroke, button) && is_light(stroke.color);
    let is_frame =
        |stroke: &Subpath| is_frame(stroke, button) && (stroke.is_stroked || !is_seen(stroke)) || is_shadow(stroke);
    let is_ground = |stroke: &Subpath| !stroke.is_stroked && is_frame(stroke) && !is_shadow(stroke);
    let ground = now.iter().rposition(is_ground).unwrap_or(0);
    let shown = now.get(ground..).unwrap_or_default();
    let is_kept = |stroke: &Subpath| {
        !is_seen(stroke)
            || shown.contains(stroke)
            || is_frame(stroke) && shown.iter().any(|it| is_frame(it) && is_seen(it))
    };
    (written == had || written.is_empty() && !is_label(&had))
        && now.iter().all(|stroke| before.contains(stroke) || is_frame(stroke))
        && (now.is_empty() || before.iter().all(is_kept))
        && (now == before || !has_thick_frame(off, signed, button))
}

fn is_plain(marks: &[Subpath]) -> bool {
    match marks {
        [mark] if mark.is_line() => mark.is_slanted(),
        [mark] if mark.is_dot() && !mark.is_stroked => true,
        [mark] => mark.is_diamond() || mark.is_check() || mark.is_filled_check() || mark.is_star(),
        [one, two] if one.is_line() && two.is_line() && one.meets(two) => one.joined(two).is_check(),
        marks => {
            let is_cross = marks.iter().all(Subpath::is_line) && are_concentric(marks);
            // rings without a dot look like an empty box
            let is_ring = marks.iter().all(Subpath::is_dot) && are_concentric(marks);
            let is_ring = is_ring && marks.iter().any(|mark| !mark.is_stroked);
            marks.len() <= MAX_PATHS && (is_ring || is_cross && marks.iter().any(Subpath::is_slanted))
        }
    }
}

/// Whether the middles of paths coincide.
fn are_concentric(marks: &[Subpath]) -> bool {
    let all = marks.iter().map(Subpath::bounds).reduce(Rectangle::with);
    let Some(all) = all else { return false };
    let (x, y) = all.middle();
    marks.iter().all(|mark| {
        let (own_x, own_y) = mark.bounds().middle();
        (own_x - x).abs() <= TOLERANCE * all.width() && (own_y - y).abs() <= TOLERANCE * all.height()
    })
}

impl Subpath {
    /// Whether it is a convex shape about as wide as high: a circle, a square, a diamond.
    pub(super) fn is_dot(&self) -> bool {
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

    /// Whether it is a filled shape that is nearly convex and touches each side of its box in the middle only: letters and
    /// digits do so along a stem, or are hollow.
    fn is_diamond(&self) -> bool {
        let bounds = self.bounds();
        let is_middle = |along: f64, across: f64| {
            (DIAMOND_EDGE..=1.0 - DIAMOND_EDGE).contains(&across) || DIAMOND_CORNERS.contains(&along)
        };
        let is_cornered = self.points.iter().all(|[x, y]| {
            let (x, y) = ((x - bounds.left) / bounds.width(), (y - bounds.bottom) / bounds.height());
            is_middle(x, y) && is_middle(y, x)
        });
        self.is_closed
            && !self.is_stroked
            && FILLED_ASPECTS.contains(&(bounds.width() / bounds.height()))
            && is_cornered
            && self.area() >= DIAMOND_MIN_FILL * self.hull().area()
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
            // a diamond whose sides are not straight
            (
                "10.5 7 m 9.4 5.7 l 6.6 1.6 l 5.1 3.8 l 3.6 5.8 l 2.7 7 l 3.8 8.4 l 6.6 12.3 l 7.7 10.4 9.1 8.7 10.5 7 c h f",
                PathMark::Plain,
            ),
            ("7 3 m 7.8 6.2 l 11 7 l 7.8 7.8 l 7 11 l 6.2 7.8 l 3 7 l f", PathMark::Other),
            // the outlines of an 8 and of a B
            (
                "7 2 m 10 2 10.6 6.4 8.8 7 c 10.6 7.6 10 12 7 12 c 4 12 3.4 7.6 5.2 7 c 3.4 6.4 4 2 7 2 c f",
                PathMark::Other,
            ),
            ("4 2 m 10 2 11 6 9.6 7 c 10.6 8 10 12 4 12 c f", PathMark::Other),
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
