//! Paths (8.5) as polygons in page coordinates, and which of them are axis-aligned rectangles.

use std::ops::Range;

use super::geometry::{Matrix, Rectangle};

/// Maximum rectangles of a path that become separate areas.
const MAX_RECTANGLES: usize = 64;
/// Maximum points of a path; beyond, only the box is known.
const MAX_POINTS: usize = 1 << 17;
/// Tolerance for axis-aligned sides, in points.
const AXIS_TOLERANCE_PT: f64 = 0.05;
/// Segments of a flattened curve: short and long ones.
const CURVE_SEGMENTS: [u32; 2] = [3, 10];
/// Maximum extent of a curve that is a point, in points.
const POINT_MAX_EXTENT_PT: f64 = 1e-3;
/// Maximum extent of a short curve, in points.
const SHORT_CURVE_MAX_EXTENT_PT: f64 = 4.0;

/// The current path.
#[derive(Debug, Default)]
pub(super) struct Path {
    points: Vec<[f32; 2]>,
    outlines: Vec<Outline>,
    bounds: Option<Rectangle>,
    /// Bounding box of the current subpath; none before the first point.
    making: Option<Rectangle>,
    /// The current point, and the index of the current subpath's first point.
    at: (f64, f64),
    start: usize,
    /// Whether the subpath has curves, and whether points were dropped.
    is_curved: bool,
    is_cut: bool,
    /// Whether the last subpath was closed, so that the next segment starts a new one.
    is_closed: bool,
}

#[derive(Debug)]
struct Outline {
    points: Range<usize>,
    bounds: Rectangle,
    is_rectangle: bool,
}

impl Path {
    /// `re`: a rectangle as a complete subpath.
    pub(super) fn rectangle(&mut self, [x, y, width, height]: [f64; 4], matrix: Matrix) {
        self.start(x, y, matrix);
        for (x, y) in [(x + width, y), (x + width, y + height), (x, y + height), (x, y)] {
            self.push(matrix.point(x, y));
        }
        self.finish();
        self.is_closed = true;
    }

    /// `m`: starts a subpath.
    pub(super) fn start(&mut self, x: f64, y: f64, matrix: Matrix) {
        self.finish();
        (self.is_closed, self.making) = (false, None);
        self.push(matrix.point(x, y));
    }

    /// `l`.
    pub(super) fn line(&mut self, x: f64, y: f64, matrix: Matrix) {
        if self.is_begun() {
            self.go_on();
            self.push(matrix.point(x, y));
        }
    }

    /// Whether there is a current point.
    pub(super) fn is_begun(&self) -> bool {
        self.making.is_some()
    }

    /// Transforms the path, as when the matrix changes before it is painted.
    pub(super) fn transform(&mut self, by: Matrix) {
        for point in &mut self.points {
            let (x, y) = by.point(f64::from(point[0]), f64::from(point[1]));
            *point = [x as f32, y as f32];
        }
        for outline in &mut self.outlines {
            outline.bounds = around(self.points.get(outline.points.clone()).unwrap_or_default());
            outline.is_rectangle &= by.is_upright();
        }
        self.at = by.point(self.at.0, self.at.1);
        self.bounds = self.bounds.map(|bounds| by.rectangle(bounds));
        self.making = self.making.map(|bounds| by.rectangle(bounds));
    }

    /// How long its lines are together, in points.
    pub(super) fn length(&self) -> f64 {
        let length = |line: &[[f32; 2]]| match line {
            [[x, y], [to_x, to_y]] => f64::from(to_x - x).hypot(f64::from(to_y - y)),
            _ => 0.0,
        };
        self.outlines().into_iter().flatten().flat_map(|outline| outline.windows(2)).map(length).sum()
    }

    /// `h`.
    pub(super) fn close(&mut self) {
        if let Some([x, y]) = self.points.get(self.start).copied() {
            self.push((f64::from(x), f64::from(y)));
            self.finish();
            self.is_closed = true;
        }
    }

    fn go_on(&mut self) {
        if std::mem::take(&mut self.is_closed) {
            self.push(self.at);
        }
    }

    /// `c`, `v`, `y`: a curve, given by control points and end in page coordinates.
    pub(super) fn curve(&mut self, [one, two, to]: [(f64, f64); 3]) {
        if !self.is_begun() {
            return;
        }
        self.go_on();
        let from = self.at;
        let bounds = Rectangle::around([from, one, two, to]);
        // the corners of boxes without a radius are curves without an extent
        if bounds.width().max(bounds.height()) <= POINT_MAX_EXTENT_PT {
            self.push(to);
            return;
        }
        self.is_curved = true;
        let [few, many] = CURVE_SEGMENTS;
        let steps = if bounds.width() + bounds.height() <= SHORT_CURVE_MAX_EXTENT_PT { few } else { many };
        for step in 1..=steps {
            let part = f64::from(step) / f64::from(steps);
            let rest = 1.0 - part;
            let along = |from: f64, one: f64, two: f64, to: f64| {
                rest * rest * (rest * from + 3.0 * part * one) + part * part * (3.0 * rest * two + part * to)
            };
            self.push((along(from.0, one.0, two.0, to.0), along(from.1, one.1, two.1, to.1)));
        }
    }

    /// Returns the current point, in page coordinates.
    pub(super) fn at(&self) -> (f64, f64) {
        self.at
    }

    /// Takes the path to paint it.
    pub(super) fn take(&mut self) -> Self {
        self.finish();
        std::mem::take(self)
    }

    /// Clears the path, keeping its buffers.
    pub(super) fn emptied(mut self) -> Self {
        self.points.clear();
        self.outlines.clear();
        let Self { points, outlines, .. } = self;
        Self { points, outlines, ..Self::default() }
    }

    /// Returns the bounding box of all subpaths; none if all are single points.
    pub(super) fn bounds(&self) -> Option<Rectangle> {
        self.bounds
    }

    /// Whether it is a single rectangle.
    pub(super) fn is_rectangle(&self) -> bool {
        matches!(self.outlines.as_slice(), [only] if only.is_rectangle)
    }

    /// Returns its subpaths; none if points were dropped.
    pub(super) fn outlines(&self) -> Option<impl Iterator<Item = &[[f32; 2]]>> {
        let points = |outline: &Outline| self.points.get(outline.points.clone()).unwrap_or_default();
        (!self.is_cut && self.bounds.is_some_and(Rectangle::is_finite)).then(|| self.outlines.iter().map(points))
    }

    /// Returns its rectangles if it has only a few, disjoint ones: intersections may be holes.
    pub(super) fn rectangles(&self) -> Option<impl Iterator<Item = Rectangle>> {
        let outlines = self.outlines.as_slice();
        let is_apart = |(place, one): (usize, &Outline)| {
            let later = outlines.get(place + 1..).unwrap_or_default();
            one.is_rectangle && later.iter().all(|other| one.bounds.clipped(other.bounds).is_empty())
        };
        let are_apart = outlines.len() <= MAX_RECTANGLES && outlines.iter().enumerate().all(is_apart);
        (are_apart && !self.is_cut).then(|| outlines.iter().map(|outline| outline.bounds))
    }

    /// Returns the box of a stroke of this width if the path is one axis-aligned line.
    pub(super) fn straight(&self, width: f64) -> Option<Rectangle> {
        let [Outline { points, bounds, .. }] = self.outlines.as_slice() else { return None };
        let half = width / 2.0;
        let Rectangle { left, bottom, right, top } = *bounds;
        match points.len() {
            2 if bounds.width() <= AXIS_TOLERANCE_PT && bounds.height() > AXIS_TOLERANCE_PT => {
                Some(Rectangle { left: left - half, right: right + half, ..*bounds })
            }
            2 if bounds.height() <= AXIS_TOLERANCE_PT && bounds.width() > AXIS_TOLERANCE_PT => {
                Some(Rectangle { bottom: bottom - half, top: top + half, ..*bounds })
            }
            _ => None,
        }
    }

    fn push(&mut self, (x, y): (f64, f64)) {
        self.at = (x, y);
        let placed = Rectangle::around([(x, y)]);
        self.making = Some(self.making.map_or(placed, |bounds| bounds.with(placed)));
        if self.points.len() < MAX_POINTS { self.points.push([x as f32, y as f32]) } else { self.is_cut = true }
    }

    /// Ends the current subpath.
    fn finish(&mut self) {
        let range = self.start..self.points.len();
        let points = self.points.get(range.clone()).unwrap_or_default();
        if let Some(making) = self.making.filter(|_| points.len() > 1 || self.is_cut) {
            self.bounds = Some(self.bounds.map_or(making, |bounds| bounds.with(making)));
        }
        if points.len() > 1 {
            let bounds = around(points);
            let is_rectangle = !self.is_curved && is_rectangle(points, bounds);
            self.outlines.push(Outline { points: range, bounds, is_rectangle });
        }
        self.start = self.points.len();
        self.is_curved = false;
        // the next subpath starts at the current point
        self.making = self.making.map(|_| Rectangle::around([self.at]));
    }
}

/// Returns the bounding box of points.
fn around(points: &[[f32; 2]]) -> Rectangle {
    Rectangle::around(points.iter().map(|[x, y]| (f64::from(*x), f64::from(*y))))
}

/// Whether the polygon traces its bounding box once: along its sides, with its area.
fn is_rectangle(points: &[[f32; 2]], bounds: Rectangle) -> bool {
    /// Four corners, the first one repeated, and one more point on each side.
    const MAX_CORNERS: usize = 10;
    /// With points that are repeated.
    const MAX_POINTS: usize = 64;
    if points.len() > MAX_POINTS || points.len() < 4 {
        return false;
    }
    let is_moved = |pair: &&[[f32; 2]]| matches!(pair, [one, other] if one != other);
    if points.windows(2).filter(is_moved).count() >= MAX_CORNERS {
        return false;
    }
    let near = |one: f32, other: f64| (f64::from(one) - other).abs() <= AXIS_TOLERANCE_PT;
    let sides = |[x, y]: &[f32; 2]| {
        [near(*x, bounds.left), near(*x, bounds.right), near(*y, bounds.bottom), near(*y, bounds.top)]
    };
    let next = points.iter().cycle().skip(1);
    let is_along =
        |one: &[f32; 2], other: &[f32; 2]| sides(one).iter().zip(sides(other)).any(|(one, other)| *one && other);
    let twice = |[x, y]: &[f32; 2], [next_x, next_y]: &[f32; 2]| {
        (f64::from(*x) - bounds.left) * (f64::from(*next_y) - bounds.bottom)
            - (f64::from(*next_x) - bounds.left) * (f64::from(*y) - bounds.bottom)
    };
    let are_along = points.iter().zip(next.clone()).all(|(one, other)| is_along(one, other));
    let area: f64 = points.iter().zip(next).map(|(one, other)| twice(one, other)).sum::<f64>().abs() / 2.0;
    let full = bounds.width() * bounds.height();
    are_along && full > 0.0 && (area - full).abs() <= AXIS_TOLERANCE_PT * (bounds.width() + bounds.height())
}

#[cfg(test)]
mod tests {
    use super::{Matrix, Path, Rectangle};

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
        // corners that are repeated
        assert!(outlined(&square.map(|corner| [corner; 4]).concat()).is_rectangle());
        // starts in the middle of a side
        assert!(outlined(&[(4.0, 0.0), (0.0, 0.0), (0.0, 9.0), (9.0, 9.0), (9.0, 0.0), (4.0, 0.0)]).is_rectangle());
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
        let stroked = |points: &[(f64, f64)]| outlined(points).straight(4.0).map(Rectangle::rounded);
        assert_eq!(stroked(&[(1.0, 5.0), (9.0, 5.0)]), Some([1.0, 3.0, 9.0, 7.0].into()));
        assert_eq!(stroked(&[(5.0, 9.0), (5.0, 1.0)]), Some([3.0, 1.0, 7.0, 9.0].into()));
        assert_eq!(stroked(&[(5.0, 5.0), (5.0, 5.0)]), None);
        assert_eq!(stroked(&[(1.0, 1.0), (9.0, 9.0)]), None);
        assert_eq!(stroked(&[(1.0, 1.0), (9.0, 1.0), (9.0, 9.0)]), None);
    }

    #[test]
    fn a_frame_is_not_filled() {
        let mut path = Path::default();
        path.rectangle([0.0, 0.0, 9.0, 9.0], Matrix::IDENTITY);
        path.rectangle([20.0, 0.0, 9.0, 9.0], Matrix::IDENTITY);
        assert_eq!(path.take().rectangles().map(Iterator::count), Some(2));
        path.rectangle([0.0, 0.0, 9.0, 9.0], Matrix::IDENTITY);
        path.rectangle([1.0, 1.0, 7.0, 7.0], Matrix::IDENTITY);
        assert!(path.take().rectangles().is_none());
    }

    #[test]
    fn a_box_with_curves_without_an_extent_at_its_corners_is_a_rectangle() {
        let mut path = Path::default();
        let square = [(0.0, 0.0), (9.0, 0.0), (9.0, 9.0), (0.0, 9.0)];
        path.start(0.0, 0.0, Matrix::IDENTITY);
        for (x, y) in square {
            path.line(x, y, Matrix::IDENTITY);
            path.curve([(x, y); 3]);
        }
        assert!(path.take().is_rectangle());
    }

    #[test]
    fn curves_are_lines_in_the_end() {
        let mut path = Path::default();
        path.start(0.0, 0.0, Matrix::IDENTITY);
        path.curve([(0.0, 9.0), (9.0, 9.0), (9.0, 0.0)]);
        let path = path.take();
        let highest = path.outlines().unwrap().flatten().map(|[_, y]| *y).fold(0.0, f32::max);
        assert!(!path.is_rectangle() && (6.5..=6.8).contains(&highest), "{highest}");
    }
}
