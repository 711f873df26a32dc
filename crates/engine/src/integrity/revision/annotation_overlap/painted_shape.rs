//! The shape that an annotation paints, and which share of a glyph it covers.

use pdf_content::Rectangle;

/// Minimum share of a glyph that counts as touched, and as hidden.
pub(super) const MIN_TOUCHED_SHARE: f64 = 0.05;
pub(super) const MIN_HIDDEN_SHARE: f64 = 0.5;
/// Sample points across and up a glyph.
const SAMPLES_ACROSS: usize = 6;
const SAMPLES_UP: usize = 10;
/// Maximum lines, and maximum other shapes, with sample points.
pub(super) const MAX_SAMPLED: usize = 200;
/// Minimum contrast of words under a highlight, of 1, and on paper.
const MIN_LEGIBLE_CONTRAST: f64 = 0.15;
const MIN_SEEN_CONTRAST: f64 = 0.3;

/// Maximum width of a line that hides nothing, in points.
pub(super) const MAX_THIN_LINE_PT: f64 = 3.0;

pub(super) type Point = (f64, f64);

/// The painted shape, in user space of the page.
#[derive(Debug, Default)]
pub(super) struct Shape {
    /// Lines with their widths.
    pub(super) lines: Vec<(Point, Point, f64)>,
    /// Filled polygons, and filled ellipses by their bounds.
    pub(super) polygons: Vec<Vec<Point>>,
    pub(super) ellipses: Vec<Rectangle>,
    /// The color that darkens what it is over, of 1; none if it paints over it.
    pub(super) multiplied: Option<[f64; 3]>,
    /// Whether it is opaque.
    pub(super) is_opaque: bool,
    /// Whether it has a background.
    pub(super) has_ground: bool,
    /// Whether it has only thin lines, which hide nothing.
    pub(super) is_line: bool,
}

impl Shape {
    /// A shape that fills a rectangle, such as the text of a field.
    pub(super) fn filling(rectangle: Rectangle) -> Self {
        Self { polygons: vec![corners(rectangle)], ..Self::default() }
    }

    /// Whether it has only thin lines.
    pub(super) fn has_thin_lines_only(&self) -> bool {
        let is_thin = |(_, _, width): &(Point, Point, f64)| *width <= MAX_THIN_LINE_PT;
        self.polygons.is_empty() && self.ellipses.is_empty() && self.lines.iter().all(is_thin)
    }

    /// The box around all paint; `None` if there is none.
    pub(super) fn bounds(&self) -> Option<Rectangle> {
        let lines = self.lines.iter().map(|&(from, to, width)| Rectangle::around([from, to]).grown(width / 2.0));
        let polygons = self.polygons.iter().map(|polygon| Rectangle::around(polygon.iter().copied()));
        lines.chain(polygons).chain(self.ellipses.iter().copied()).reduce(Rectangle::with)
    }

    /// Whether it hides content in a color that it is over: with the blend mode Multiply, what has its own color.
    pub(super) fn hides(&self, color: Option<[u8; 3]>) -> bool {
        let Some(multiplied) = self.multiplied else { return true };
        let Some(color) = color.map(|color| color.map(|part| 1.0 - f64::from(part) / f64::from(u8::MAX))) else {
            return false;
        };
        let contrast = multiplied.iter().zip(color).map(|(part, dark)| part * dark).fold(0.0, f64::max);
        contrast < MIN_LEGIBLE_CONTRAST && color.into_iter().fold(0.0, f64::max) >= MIN_SEEN_CONTRAST
    }

    /// The painted share of a rectangle, from 0 to 1.
    pub(super) fn part_of(&self, bounds: Rectangle) -> f64 {
        let painted = samples(bounds).filter(|point| self.has(*point));
        painted.count() as f64 / (SAMPLES_ACROSS * SAMPLES_UP) as f64
    }

    /// Points that are painted.
    pub(super) fn points(&self) -> Vec<Point> {
        let along = |&((x, y), (to_x, to_y), _): &(Point, Point, f64)| {
            (0..SAMPLES_UP).map(move |place| (sample(place, SAMPLES_UP, x, to_x), sample(place, SAMPLES_UP, y, to_y)))
        };
        let lines = self.lines.iter().filter(|(_, _, width)| *width > 0.0).take(MAX_SAMPLED).flat_map(along);
        let bounds = self.polygons.iter().map(|polygon| Rectangle::around(polygon.iter().copied()));
        let within = bounds.chain(self.ellipses.iter().copied()).take(MAX_SAMPLED).flat_map(samples);
        lines.chain(within.filter(|point| self.has(*point))).collect()
    }

    fn has(&self, point: Point) -> bool {
        self.lines.iter().any(|&(from, to, width)| distance(point, from, to) <= width / 2.0)
            || self.ellipses.iter().any(|bounds| is_within_ellipse(point, *bounds))
            || self.polygons.iter().any(|polygon| is_within(point, polygon))
    }

    pub(super) fn line(&mut self, points: &[Point], width: f64, is_closed: bool) {
        let ends = points.iter().copied().zip(points.iter().copied().skip(1));
        self.lines.extend(ends.map(|(from, to)| (from, to, width)));
        if let (true, [first, .., last]) = (is_closed, points) {
            self.lines.push((*last, *first, width));
        }
    }

    /// Adds the arcs of a cloudy border (12.5.4) around all polygons and ellipses, which are filled as the shape is.
    pub(super) fn cloud(&mut self, reach: f64, is_filled: bool) {
        let polygons = if is_filled { self.polygons.clone() } else { Vec::new() };
        for polygon in polygons {
            self.line(&polygon, 2.0 * reach, true);
        }
        self.ellipses.iter_mut().filter(|_| is_filled).for_each(|ellipse| *ellipse = ellipse.grown(reach));
    }

    /// Adds a border inside a rectangle.
    pub(super) fn border(&mut self, rectangle: Rectangle, width: f64) {
        self.line(&corners(rectangle.grown(-width / 2.0)), width, true);
    }

    /// Adds a border inside an ellipse, as a polygon.
    pub(super) fn ring(&mut self, rectangle: Rectangle, width: f64) {
        const SIDES: usize = 48;
        let (x, y) = rectangle.middle();
        let (across, up) = ((rectangle.width() - width) / 2.0, (rectangle.height() - width) / 2.0);
        let point = |side: usize| {
            let angle = side as f64 / SIDES as f64 * std::f64::consts::TAU;
            (x + across * angle.cos(), y + up * angle.sin())
        };
        self.line(&(0..SIDES).map(point).collect::<Vec<_>>(), width, true);
    }
}

/// The middles of the cells of a grid over a rectangle.
fn samples(Rectangle { left, bottom, right, top }: Rectangle) -> impl Iterator<Item = Point> {
    let cells = (0..SAMPLES_ACROSS).flat_map(|x| (0..SAMPLES_UP).map(move |y| (x, y)));
    cells.map(move |(x, y)| (sample(x, SAMPLES_ACROSS, left, right), sample(y, SAMPLES_UP, bottom, top)))
}

/// The middle of one of equal parts of a distance.
fn sample(place: usize, all: usize, from: f64, to: f64) -> f64 {
    from + (to - from) * (place as f64 + 0.5) / all as f64
}

pub(super) fn corners(Rectangle { left, bottom, right, top }: Rectangle) -> Vec<Point> {
    vec![(left, bottom), (right, bottom), (right, top), (left, top)]
}

fn distance((x, y): Point, (from_x, from_y): Point, (to_x, to_y): Point) -> f64 {
    let (across, up) = (to_x - from_x, to_y - from_y);
    let length = across * across + up * up;
    let along = if length > 0.0 { (((x - from_x) * across + (y - from_y) * up) / length).clamp(0.0, 1.0) } else { 0.0 };
    (x - from_x - along * across).hypot(y - from_y - along * up)
}

fn is_within_ellipse((x, y): Point, bounds: Rectangle) -> bool {
    let (middle_x, middle_y) = bounds.middle();
    let (across, up) = ((x - middle_x) / (bounds.width() / 2.0), (y - middle_y) / (bounds.height() / 2.0));
    across * across + up * up <= 1.0
}

/// Whether a point is in a polygon, by the even-odd rule.
fn is_within((x, y): Point, polygon: &[Point]) -> bool {
    let sides = polygon.iter().zip(polygon.iter().cycle().skip(1));
    let crossed = sides.filter(|((from_x, from_y), (to_x, to_y))| {
        (*from_y > y) != (*to_y > y) && x < (to_x - from_x) * (y - from_y) / (to_y - from_y) + from_x
    });
    crossed.count() % 2 == 1
}

#[cfg(test)]
mod tests {
    use super::{MIN_HIDDEN_SHARE, MIN_TOUCHED_SHARE, Rectangle, Shape, corners};

    fn glyph(left: f64, bottom: f64) -> Rectangle {
        Rectangle { left, bottom, right: left + 6.0, top: bottom + 10.0 }
    }

    #[test]
    fn lines_hide_what_they_are_thicker_than() {
        let mut shape = Shape::default();
        shape.line(&[(0.0, 5.0), (100.0, 5.0)], 1.0, false);
        assert!(shape.part_of(glyph(20.0, 0.0)) < MIN_HIDDEN_SHARE);
        shape.line(&[(0.0, 5.0), (100.0, 5.0)], 12.0, false);
        assert!(shape.part_of(glyph(20.0, 0.0)) > MIN_HIDDEN_SHARE);
        assert!(shape.part_of(glyph(120.0, 0.0)) < MIN_TOUCHED_SHARE);
    }

    #[test]
    fn the_box_contains_everything_that_is_painted() {
        let mut shape = Shape { ellipses: vec![glyph(-5.0, 20.0)], ..Shape::default() };
        assert!(Shape::default().bounds().is_none());
        shape.line(&[(0.0, 5.0), (100.0, 5.0)], 4.0, false);
        shape.polygons.push(corners(glyph(200.0, -8.0)));
        let bounds = shape.bounds().expect("paint");
        assert_eq!(bounds, Rectangle { left: -5.0, bottom: -8.0, right: 206.0, top: 30.0 });
    }

    #[test]
    fn borders_hide_by_their_width() {
        let bounds = Rectangle { left: 0.0, bottom: 0.0, right: 100.0, top: 20.0 };
        for (width, is_hidden) in [(1.0, false), (10.0, true)] {
            let mut border = Shape::default();
            border.border(bounds, width);
            assert_eq!(border.part_of(glyph(50.0, 5.0)) >= MIN_HIDDEN_SHARE, is_hidden, "{width}");
        }
        let mut ring = Shape::default();
        ring.ring(bounds, 10.0);
        assert!(ring.part_of(glyph(50.0, 12.0)) >= MIN_HIDDEN_SHARE);
    }
}
