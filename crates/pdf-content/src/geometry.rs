//! Coordinates (8.3): matrices and axis-aligned rectangles.

use serde::{Deserialize, Serialize};

use pdf_syntax::syntax::object::Object;

/// Maximum coordinate: a page has at most 14,400 units (annex C), and clips may have a million.
const MAX_COORDINATE: f64 = 1e7;

/// A transformation matrix `[a b c d e f]` (8.3.3).
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Matrix(pub(crate) [f64; 6]);

impl Matrix {
    pub(crate) const IDENTITY: Self = Self([1.0, 0.0, 0.0, 1.0, 0.0, 0.0]);

    /// Reads six numbers; otherwise the identity.
    pub(crate) fn read(object: &Object) -> Self {
        let mut numbers = [0.0; 6];
        let elements = object.elements();
        for (number, element) in numbers.iter_mut().zip(elements) {
            *number = element.as_number().unwrap_or(f64::NAN);
        }
        let is_read = elements.len() == 6 && numbers.iter().all(|number| number.is_finite());
        if is_read { Self(numbers) } else { Self::IDENTITY }
    }

    pub(crate) fn translation(x: f64, y: f64) -> Self {
        Self([1.0, 0.0, 0.0, 1.0, x, y])
    }

    /// Concatenates: this transformation first, then the other.
    pub(crate) fn then(self, other: Self) -> Self {
        let (Self([a, b, c, d, e, f]), Self([k, l, m, n, o, p])) = (self, other);
        Self([a * k + b * m, a * l + b * n, c * k + d * m, c * l + d * n, e * k + f * m + o, e * l + f * n + p])
    }

    /// Returns the inverse, if there is one.
    pub(crate) fn inverse(self) -> Option<Self> {
        let Self([a, b, c, d, e, f]) = self;
        let area = a * d - b * c;
        let inverse = [d, -b, -c, a, c * f - d * e, b * e - a * f].map(|number| number / area);
        inverse.iter().all(|number| number.is_finite()).then_some(Self(inverse))
    }

    pub(crate) fn point(self, x: f64, y: f64) -> (f64, f64) {
        let Self([a, b, c, d, e, f]) = self;
        (a * x + c * y + e, b * x + d * y + f)
    }

    /// Transforms a vector, without translation.
    pub(crate) fn vector(self, x: f64, y: f64) -> (f64, f64) {
        let Self([a, b, c, d, ..]) = self;
        (a * x + c * y, b * x + d * y)
    }

    /// Returns the bounding box of a transformed rectangle.
    pub(crate) fn rectangle(self, rectangle: Rectangle) -> Rectangle {
        let Rectangle { left, bottom, right, top } = rectangle;
        Rectangle::around([(left, bottom), (left, top), (right, bottom), (right, top)].map(|(x, y)| self.point(x, y)))
    }

    /// Returns the transformed corners of a rectangle, the first one repeated.
    pub(crate) fn quad(self, rectangle: Rectangle) -> [[f32; 2]; 5] {
        let Rectangle { left, bottom, right, top } = rectangle;
        let corners = [(left, bottom), (right, bottom), (right, top), (left, top), (left, bottom)];
        corners.map(|(x, y)| self.point(x, y)).map(|(x, y)| [x as f32, y as f32])
    }

    /// Whether it keeps rectangles axis-aligned: rotations by quarter turns only.
    pub(crate) fn is_upright(self) -> bool {
        let Self([a, b, c, d, ..]) = self;
        let slight = 1e-3 * (a.abs() + b.abs() + c.abs() + d.abs());
        (b.abs() <= slight && c.abs() <= slight) || (a.abs() <= slight && d.abs() <= slight)
    }

    /// Returns the mean scale factor of lengths.
    pub(crate) fn scale(self) -> f64 {
        let Self([a, b, c, d, ..]) = self;
        (a * d - b * c).abs().sqrt()
    }

    /// Returns the greatest and the least scale factor of lengths: its singular values.
    pub(crate) fn scales(self) -> [f64; 2] {
        let Self([a, b, c, d, ..]) = self;
        let (sum, product) = (a * a + b * b + c * c + d * d, a * d - b * c);
        let root = (sum * sum - 4.0 * product * product).max(0.0).sqrt();
        [(sum + root) / 2.0, (sum - root).max(0.0) / 2.0].map(f64::sqrt)
    }

    /// Returns the matrix that maps one rectangle to another (12.5.5, algorithm 8.1).
    pub(crate) fn between(from: Rectangle, to: Rectangle) -> Self {
        let scale = |from: f64, to: f64| if from > 0.0 { to / from } else { 1.0 };
        let across = scale(from.width(), to.width());
        let up = scale(from.height(), to.height());
        Self([across, 0.0, 0.0, up, to.left - from.left * across, to.bottom - from.bottom * up])
    }
}

/// A rectangle (7.9.5), its corners in order. It is written as `[left, bottom, right, top]`.
#[derive(Debug, Clone, Copy, Default, PartialEq, Deserialize, Serialize)]
#[serde(from = "[f64; 4]", into = "[f64; 4]")]
pub struct Rectangle {
    /// Where it begins across.
    pub left: f64,
    /// Where it begins upwards.
    pub bottom: f64,
    /// Where it ends across.
    pub right: f64,
    /// Where it ends upwards.
    pub top: f64,
}

impl Rectangle {
    /// Reads four numbers, any two opposite corners.
    pub fn read(object: &Object) -> Option<Self> {
        let [x, y, other_x, other_y] = object.elements() else { return None };
        let corners = [(x.as_number()?, y.as_number()?), (other_x.as_number()?, other_y.as_number()?)];
        let is_read = corners.iter().all(|(x, y)| x.is_finite() && y.is_finite());
        Some(Self::around(corners)).filter(|rectangle| is_read && rectangle.is_finite())
    }

    /// Returns the bounding box of points.
    ///
    /// NaN is ignored; without other points the box is not finite.
    pub fn around(points: impl IntoIterator<Item = (f64, f64)>) -> Self {
        let (far, near) = (f64::NEG_INFINITY, f64::INFINITY);
        let nothing = Self { left: near, bottom: near, right: far, top: far };
        points.into_iter().fold(nothing, |all, (x, y)| Self {
            left: all.left.min(x),
            bottom: all.bottom.min(y),
            right: all.right.max(x),
            top: all.top.max(y),
        })
    }

    /// Returns the union's bounding box.
    pub fn with(self, other: Self) -> Self {
        Self {
            left: self.left.min(other.left),
            bottom: self.bottom.min(other.bottom),
            right: self.right.max(other.right),
            top: self.top.max(other.top),
        }
    }

    /// Returns the rectangle, translated.
    pub fn moved(self, x: f64, y: f64) -> Self {
        Self { left: self.left + x, bottom: self.bottom + y, right: self.right + x, top: self.top + y }
    }

    /// Returns the intersection; empty if there is none.
    pub fn clipped(self, other: Self) -> Self {
        let (left, bottom) = (self.left.max(other.left), self.bottom.max(other.bottom));
        Self { left, bottom, right: self.right.min(other.right).max(left), top: self.top.min(other.top).max(bottom) }
    }

    /// Returns the rectangle, enlarged on every side.
    pub fn grown(self, by: f64) -> Self {
        Self { left: self.left - by, bottom: self.bottom - by, right: self.right + by, top: self.top + by }
    }

    /// Width, in its unit.
    pub fn width(self) -> f64 {
        self.right - self.left
    }

    /// Height, in its unit.
    pub fn height(self) -> f64 {
        self.top - self.bottom
    }

    /// Area, in its unit squared.
    pub fn area(self) -> f64 {
        self.width() * self.height()
    }

    /// Its center.
    pub fn middle(self) -> (f64, f64) {
        ((self.left + self.right) / 2.0, (self.bottom + self.top) / 2.0)
    }

    /// Whether both intersect.
    pub fn meets(self, other: Self) -> bool {
        self.left < other.right && other.left < self.right && self.bottom < other.top && other.bottom < self.top
    }

    /// Whether it contains another one.
    pub fn holds(self, other: Self) -> bool {
        self.left <= other.left && other.right <= self.right && self.bottom <= other.bottom && other.top <= self.top
    }

    /// Whether it contains a point.
    pub fn has(self, (x, y): (f64, f64)) -> bool {
        (self.left..=self.right).contains(&x) && (self.bottom..=self.top).contains(&y)
    }

    /// Whether it has no area.
    pub fn is_empty(self) -> bool {
        self.left >= self.right || self.bottom >= self.top
    }

    /// Whether its corners are finite and in range.
    pub(crate) fn is_finite(self) -> bool {
        // NaN is not below the limit either
        self.corners().iter().all(|corner| corner.abs() <= MAX_COORDINATE)
    }

    /// Returns the rectangle rounded to 0.01.
    pub fn rounded(self) -> Self {
        // adding zero makes -0.0 positive
        self.corners().map(|corner| nearest(corner * 100.0) / 100.0 + 0.0).into()
    }

    /// Returns `[left, bottom, right, top]`.
    pub fn corners(self) -> [f64; 4] {
        [self.left, self.bottom, self.right, self.top]
    }
}

impl From<[f64; 4]> for Rectangle {
    fn from([left, bottom, right, top]: [f64; 4]) -> Self {
        Self { left, bottom, right, top }
    }
}

impl From<Rectangle> for [f64; 4] {
    fn from(rectangle: Rectangle) -> Self {
        rectangle.corners()
    }
}

/// The nearest integer, the one farther from zero between two: as `f64::round`, which not every processor has an
/// instruction for.
pub(crate) fn nearest(value: f64) -> f64 {
    // the largest number below 0.5, so that no sum is rounded up to the next integer
    const BELOW_HALF: f64 = 0.499_999_999_999_999_94;
    const MAX_EXACT: f64 = (1_u64 << 52) as f64;
    if value.abs() < MAX_EXACT { (value + BELOW_HALF.copysign(value)) as i64 as f64 } else { value }
}

#[cfg(test)]
mod tests {
    use super::{Matrix, Rectangle, nearest};
    use pdf_syntax::syntax::object::Object;

    const UNIT: Rectangle = Rectangle { left: 0.0, bottom: 0.0, right: 1.0, top: 1.0 };

    #[test]
    fn the_nearest_integer_is_that_of_the_standard_library() {
        let halves = (-9..=9).map(|half| f64::from(half) / 2.0);
        let near = [0.499_999_999_999_999_94, 4_503_599_627_370_497.5, 1e300, -1e18, f64::INFINITY, 59_527.559_1];
        for value in halves.chain(near) {
            assert_eq!(nearest(value), value.round(), "{value}");
        }
        assert!(nearest(f64::NAN).is_nan());
    }

    #[test]
    fn matrices_work_from_left_to_right() {
        let scaled = Matrix([2.0, 0.0, 0.0, 3.0, 0.0, 0.0]);
        let moved = Matrix::translation(10.0, 20.0);
        assert_eq!(scaled.then(moved).point(1.0, 1.0), (12.0, 23.0));
        assert_eq!(moved.then(scaled).point(1.0, 1.0), (22.0, 63.0));
        let turned = Matrix([0.0, 1.0, -1.0, 0.0, 5.0, 0.0]);
        assert_eq!(turned.rectangle(UNIT).corners(), [4.0, 0.0, 5.0, 1.0]);
        assert!(turned.is_upright() && scaled.is_upright());
        assert!(!Matrix([0.7, 0.7, -0.7, 0.7, 0.0, 0.0]).is_upright());
    }

    #[test]
    fn what_is_no_matrix_changes_nothing() {
        let numbers = |numbers: &[f64]| Object::Array(numbers.iter().map(|number| Object::Real(*number)).collect());
        assert_eq!(Matrix::read(&numbers(&[1.0, 2.0])), Matrix::IDENTITY);
        assert_eq!(Matrix::read(&numbers(&[f64::INFINITY, 0.0, 0.0, 1.0, 0.0, 0.0])), Matrix::IDENTITY);
        assert_eq!(Matrix::read(&numbers(&[1.0, 2.0, 3.0, 4.0, 5.0, 6.0])), Matrix([1.0, 2.0, 3.0, 4.0, 5.0, 6.0]));
        assert_eq!(Rectangle::read(&numbers(&[9.0, 8.0, 1.0, 2.0])), Some([1.0, 2.0, 9.0, 8.0].into()));
        assert_eq!(Rectangle::read(&numbers(&[9.0, f64::NAN, 1.0, 2.0])), None);
    }

    #[test]
    fn one_rectangle_becomes_another() {
        let to = Rectangle { left: 10.0, bottom: 10.0, right: 30.0, top: 15.0 };
        assert_eq!(Matrix::between(UNIT, to).rectangle(UNIT), to);
        assert!(UNIT.clipped(to).is_empty());
    }
}
