//! Paths (8.5), as far as they are made of rectangles and of straight lines along the sides of the page.

use super::geometry::{Matrix, Rectangle};

/// Rectangles of one path that are kept.
const RECTANGLES: usize = 64;
/// Points of an outline that can be a rectangle: its corners, the first one again, and one more on a side.
const POINTS: usize = 6;
/// How far a side may lean, in points.
const LEANING: f64 = 0.05;

/// The path that is being made.
#[derive(Debug, Default)]
pub(super) struct Path {
    rectangles: Vec<Rectangle>,
    /// Of the outline that is being made.
    points: Vec<(f64, f64)>,
    /// The box around it.
    outline: Option<Rectangle>,
    has_more_points: bool,
    /// The box around the outlines that are no rectangles.
    others: Option<Rectangle>,
    /// Straight lines.
    lines: Vec<Rectangle>,
    bounds: Option<Rectangle>,
}

impl Path {
    /// `re`: a rectangle of its own.
    pub(super) fn rectangle(&mut self, [x, y, width, height]: [f64; 4], matrix: Matrix) {
        self.finish();
        let corners = [(x, y), (x + width, y), (x + width, y + height), (x, y + height)];
        let placed = Rectangle::around(corners.map(|(x, y)| matrix.point(x, y)));
        self.bounds = Some(self.bounds.map_or(placed, |bounds| bounds.with(placed)));
        if matrix.is_upright() { self.push(placed) } else { self.push_other(placed) }
    }

    /// `m`: another outline.
    pub(super) fn start(&mut self, x: f64, y: f64, matrix: Matrix) {
        self.finish();
        self.line(x, y, matrix);
    }

    /// `l`.
    pub(super) fn line(&mut self, x: f64, y: f64, matrix: Matrix) {
        let point = matrix.point(x, y);
        let placed = Rectangle::around([point]);
        let with = |bounds: Option<Rectangle>| Some(bounds.map_or(placed, |bounds| bounds.with(placed)));
        (self.bounds, self.outline) = (with(self.bounds), with(self.outline));
        if self.points.len() < POINTS { self.points.push(point) } else { self.has_more_points = true }
    }

    /// `c`, `v`, `y`: a curve, by the coordinates of its control points and of its end, within which it lies.
    pub(super) fn curve(&mut self, points: &[f64], matrix: Matrix) {
        for point in points.chunks_exact(2) {
            if let [x, y] = point {
                self.line(*x, *y, matrix);
            }
        }
        self.has_more_points = true;
    }

    /// Takes the path as it is painted.
    pub(super) fn take(&mut self) -> Self {
        self.finish();
        std::mem::take(self)
    }

    /// The box around all of it; none if there is nothing.
    pub(super) fn bounds(&self) -> Option<Rectangle> {
        self.bounds
    }

    /// Whether it is one rectangle.
    pub(super) fn is_rectangle(&self) -> bool {
        self.rectangles.len() == 1 && self.others.is_none()
    }

    /// The box around all that is filled and no rectangle of its own.
    pub(super) fn others(&self) -> Option<Rectangle> {
        self.others
    }

    /// What its straight lines cover that are stroked so wide, and whether all of that is.
    pub(super) fn stroked(&self, width: f64) -> impl Iterator<Item = (Rectangle, bool)> {
        let half = width / 2.0;
        self.lines.iter().map(move |line| {
            let Rectangle { left, bottom, right, top } = *line;
            match (line.width() > 0.0, line.height() > line.width()) {
                (_, true) => (Rectangle { left: left - half, right: right + half, ..*line }, true),
                (true, _) => (Rectangle { bottom: bottom - half, top: top + half, ..*line }, true),
                // a dot, if its ends are round (8.4.3.3)
                _ => (
                    Rectangle { left: left - half, bottom: bottom - half, right: right + half, top: top + half },
                    false,
                ),
            }
        })
    }

    /// Its rectangles, and whether all of each is filled: where one meets another there may be a hole.
    pub(super) fn rectangles(&self) -> impl Iterator<Item = (Rectangle, bool)> {
        let meets = |index: usize, one: &Rectangle| {
            self.rectangles.iter().enumerate().any(|(other, that)| other != index && !one.clipped(*that).is_empty())
        };
        let each = self.rectangles.iter().enumerate();
        each.map(move |(index, one)| (*one, self.others.is_none() && !meets(index, one)))
    }

    fn push(&mut self, rectangle: Rectangle) {
        if self.rectangles.len() < RECTANGLES { self.rectangles.push(rectangle) } else { self.push_other(rectangle) }
    }

    fn push_other(&mut self, bounds: Rectangle) {
        self.others = Some(self.others.map_or(bounds, |others| others.with(bounds)));
    }

    /// Ends the outline that is being made.
    fn finish(&mut self) {
        let bounds = Rectangle::around(self.points.iter().copied());
        match self.points.len() {
            0 | 1 => {}
            // a line has no inside
            2 if !self.has_more_points => {
                let is_straight = bounds.width() <= LEANING || bounds.height() <= LEANING;
                if is_straight && self.lines.len() < RECTANGLES {
                    self.lines.push(bounds);
                }
            }
            _ if self.has_more_points || !is_rectangle(&self.points, bounds) => {
                self.push_other(self.outline.unwrap_or(bounds));
            }
            _ => self.push(bounds),
        }
        self.points.clear();
        self.outline = None;
        self.has_more_points = false;
    }
}

/// Whether points go around this box once: each in a corner, each next to the one before.
fn is_rectangle(points: &[(f64, f64)], bounds: Rectangle) -> bool {
    let near = |one: f64, other: f64| (one - other).abs() <= LEANING;
    let corner = |&(x, y): &(f64, f64)| match (near(x, bounds.left), near(x, bounds.right)) {
        (true, false) if near(y, bounds.bottom) => Some(0),
        (false, true) if near(y, bounds.bottom) => Some(1),
        (false, true) if near(y, bounds.top) => Some(2),
        (true, false) if near(y, bounds.top) => Some(3),
        _ => None,
    };
    let Some(mut corners) = points.iter().map(corner).collect::<Option<Vec<u8>>>() else { return false };
    corners.dedup();
    if corners.len() == 5 && corners.first() == corners.last() {
        corners.pop();
    }
    let steps = corners.windows(2).map(|pair| match pair {
        [from, to] => (4 + to - from) % 4,
        _ => 0,
    });
    let steps: Vec<u8> = steps.collect();
    corners.len() == 4 && (steps.iter().all(|step| *step == 1) || steps.iter().all(|step| *step == 3))
}

#[cfg(test)]
mod tests {
    use super::{Matrix, Path};

    fn outlined(points: &[(f64, f64)]) -> Path {
        let mut path = Path::default();
        for (index, (x, y)) in points.iter().enumerate() {
            if index == 0 { path.start(*x, *y, Matrix::IDENTITY) } else { path.line(*x, *y, Matrix::IDENTITY) }
        }
        path.take()
    }

    #[test]
    fn outlines_are_rectangles_or_not() {
        let square = [(0.0, 0.0), (9.0, 0.0), (9.0, 9.0), (0.0, 9.0)];
        assert!(outlined(&square).is_rectangle());
        assert!(outlined(&[&square[..], &[(0.0, 0.0)]].concat()).is_rectangle());
        assert!(outlined(&[(0.0, 0.0), (0.0, 9.0), (9.0, 9.0), (9.0, 0.0)]).is_rectangle());
        for other in [
            &[(0.0, 0.0), (9.0, 0.0), (9.0, 9.0)][..],
            &[(0.0, 0.0), (9.0, 9.0), (9.0, 0.0), (0.0, 9.0)],
            &[(0.0, 0.0), (9.0, 1.0), (9.0, 9.0), (0.0, 9.0)],
            &[(0.0, 0.0), (9.0, 0.0)],
            &[(0.0, 0.0), (0.0, 0.0), (0.0, 0.0), (0.0, 0.0)],
        ] {
            assert!(!outlined(other).is_rectangle(), "{other:?}");
        }
    }

    #[test]
    fn straight_lines_are_as_wide_as_they_are_stroked() {
        let stroked =
            |points: &[(f64, f64)]| outlined(points).stroked(4.0).map(|(line, _)| line.rounded()).collect::<Vec<_>>();
        assert_eq!(stroked(&[(1.0, 5.0), (9.0, 5.0)]), [[1.0, 3.0, 9.0, 7.0]]);
        assert_eq!(stroked(&[(5.0, 9.0), (5.0, 1.0)]), [[3.0, 1.0, 7.0, 9.0]]);
        assert_eq!(stroked(&[(5.0, 5.0), (5.0, 5.0)]), [[3.0, 3.0, 7.0, 7.0]]);
        assert_eq!(stroked(&[(1.0, 1.0), (9.0, 9.0)]), [[0.0; 4]; 0]);
        assert_eq!(stroked(&[(1.0, 1.0), (9.0, 1.0), (9.0, 9.0)]), [[0.0; 4]; 0]);
    }

    #[test]
    fn a_frame_is_not_filled() {
        let mut path = Path::default();
        path.rectangle([0.0, 0.0, 9.0, 9.0], Matrix::IDENTITY);
        path.rectangle([1.0, 1.0, 7.0, 7.0], Matrix::IDENTITY);
        path.rectangle([20.0, 0.0, 9.0, 9.0], Matrix::IDENTITY);
        let path = path.take();
        assert_eq!(path.rectangles().map(|(_, is_filled)| is_filled).collect::<Vec<_>>(), [false, false, true]);
    }
}
