//! Pieces of an area: each subpath by its own outline, so that paint joined to a frame is not taken for the frame.

use super::area::{Area, AreaKind, Rule};
use super::geometry::Rectangle;
use super::page_model::PageText;
use super::run::Run;

/// Maximum thickness of a straight line that is filled, in points.
const LINE_MAX_WIDTH_PT: f64 = 2.0;
/// Tolerance of upright and level lines, in points.
const STRAIGHT_TOLERANCE_PT: f64 = 0.05;
/// Minimum share of the box of a block, and tolerance of the full turn of a convex outline, in radians.
const BLOCK_MIN_PART: f64 = 0.85;
const TURN_TOLERANCE: f64 = 0.2;
/// Maximum size of a subpath that reads by itself, as a letter or a mark does, in points.
const MARK_MAX_SIZE_PT: f64 = 36.0;

/// A subpath of an area, or a complete area whose outline is its box or unknown.
#[derive(Debug, Clone)]
pub struct Piece {
    /// Its bounding box, in points of the page.
    pub bounds: Rectangle,
    /// Its vertices; none if its content is unknown.
    points: Vec<(f64, f64)>,
    /// Half of its line width; none if it is filled.
    stroke: Option<f64>,
}

/// A part of a drawing that reads by itself.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Ink {
    /// Its bounding box, in points of the page.
    pub bounds: Rectangle,
    /// Whether it is only the border of that box.
    pub is_frame: bool,
}

impl PageText {
    /// Returns the pieces of an area.
    pub fn pieces(&self, area: &Area) -> Vec<Piece> {
        let Rectangle { left, bottom, right, top } = area.bounds;
        if area.kind.is_picture() || area.is_clipped() {
            return vec![Piece { bounds: area.bounds, points: Vec::new(), stroke: None }];
        }
        let mut pieces = Vec::new();
        for (rule, _, points) in self.outlines.paths(&area.outline) {
            let stroke = if let Rule::Stroke { width, .. } = rule { Some(f64::from(width) / 2.0) } else { None };
            for subpath in points.split(|point| point[0].is_nan()).filter(|subpath| !subpath.is_empty()) {
                let points: Vec<_> = subpath.iter().map(|[x, y]| (f64::from(*x), f64::from(*y))).collect();
                let bounds =
                    Rectangle::around(points.iter().copied()).grown(stroke.unwrap_or(0.0)).clipped(area.bounds);
                pieces.push(Piece { bounds, points, stroke });
            }
        }
        if pieces.is_empty() {
            let points = match area.kind {
                AreaKind::Block => Vec::new(),
                _ => vec![(left, bottom), (right, bottom), (right, top), (left, top)],
            };
            pieces.push(Piece { bounds: area.bounds, points, stroke: None });
        }
        pieces
    }

    /// Returns the parts of a drawing that read by themselves: subpaths of the size of letters, rectangles, and the
    /// lines of larger outlines. A long level line is none, for text is written on it, nor is a large frame.
    pub fn ink(&self, area: &Area) -> Vec<Ink> {
        let is_turned = matches!(self.rotation, 90 | 270);
        let is_long = |bounds: Rectangle| bounds.width().max(bounds.height()) > MARK_MAX_SIZE_PT;
        let is_written_on = |bounds: Rectangle| {
            let (length, width) =
                if is_turned { (bounds.height(), bounds.width()) } else { (bounds.width(), bounds.height()) };
            is_long(bounds) && width <= LINE_MAX_WIDTH_PT && length > width
        };
        let mut ink = Vec::new();
        for piece in self.pieces(area) {
            let is_frame = piece.is_frame();
            match piece.stroke {
                _ if is_written_on(piece.bounds) => {}
                _ if !is_long(piece.bounds) => ink.push(Ink { bounds: piece.bounds, is_frame }),
                Some(half) if !is_frame => {
                    let lines = piece.points.iter().zip(piece.points.iter().skip(1));
                    let lines = lines.map(|(from, to)| Rectangle::around([*from, *to]).grown(half));
                    let lines =
                        lines.map(|bounds| bounds.clipped(area.bounds)).filter(|bounds| !is_written_on(*bounds));
                    ink.extend(lines.map(|bounds| Ink { bounds, is_frame: false }));
                }
                None if area.kind == AreaKind::Rectangle => ink.push(Ink { bounds: piece.bounds, is_frame }),
                _ => {}
            }
        }
        ink
    }
}

impl Piece {
    /// Whether it passes a place as a frame or a rule does: it is an upright rectangle, or has only upright and level
    /// lines across the place that do not end or turn there.
    pub fn passes(&self, place: Rectangle) -> bool {
        if self.is_rectangle() {
            return true;
        }
        let mut sides = self.points.iter().zip(self.points.iter().skip(1));
        let is_across = |(from, to): (&(f64, f64), &(f64, f64))| {
            is_straight(*from, *to) || !Rectangle::around([*from, *to]).meets(place)
        };
        !self.points.is_empty() && sides.all(is_across) && !self.points.iter().any(|point| place.has(*point))
    }

    /// Whether it is the border of an upright box.
    pub fn is_frame(&self) -> bool {
        self.stroke.is_some() && self.is_rectangle()
    }

    /// Whether it is a filled block, with rounded ends or without: convex, and most of its box.
    pub fn is_block(&self) -> bool {
        let Some(first) = self.points.first() else { return false };
        let from_first = |(x, y): &(f64, f64)| (x - first.0, y - first.1);
        let points: Vec<_> = self.points.iter().map(from_first).collect();
        let next = points.iter().cycle().skip(1);
        let sides = points.iter().zip(next.clone()).map(|(one, other)| (other.0 - one.0, other.1 - one.1));
        let sides: Vec<_> = sides.filter(|(x, y)| x.abs() + y.abs() > 0.0).collect();
        let cross = |one: &(f64, f64), other: &(f64, f64)| one.0 * other.1 - one.1 * other.0;
        let turn =
            |(one, other): (&(f64, f64), &(f64, f64))| cross(one, other).atan2(one.0 * other.0 + one.1 * other.1).abs();
        let turned: f64 = sides.iter().zip(sides.iter().cycle().skip(1)).map(turn).sum();
        let area = points.iter().zip(next).map(|(one, other)| cross(one, other)).sum::<f64>().abs() / 2.0;
        // any other outline turns farther
        let is_convex = turned <= TURN_TOLERANCE + std::f64::consts::TAU;
        self.stroke.is_none() && is_convex && area >= BLOCK_MIN_PART * self.bounds.area()
    }

    /// Returns it in the coordinates of a run: along its baseline and above it.
    #[must_use]
    pub fn turned(&self, run: &Run) -> Self {
        if self.points.is_empty() {
            return Self { bounds: run.turned(self.bounds), ..self.clone() };
        }
        let points: Vec<_> = self.points.iter().map(|point| run.line.measure(*point)).collect();
        let bounds = Rectangle::around(points.iter().copied()).grown(self.stroke.unwrap_or(0.0));
        Self { bounds, points, stroke: self.stroke }
    }

    /// Whether it is nothing but thin lines: the border of an upright box, no thicker than this.
    pub fn is_thin_frame(&self, max_width: f64) -> bool {
        self.is_frame() && self.stroke.is_some_and(|half| 2.0 * half <= max_width)
    }

    /// Whether it is an upright rectangle, thicker than a line.
    fn is_rectangle(&self) -> bool {
        let mut sides = self.points.iter().zip(self.points.iter().skip(1));
        let around = Rectangle::around(self.points.iter().copied());
        let is_corner = |(x, y): &(f64, f64)| {
            let is_at = |at: f64, ends: [f64; 2]| ends.iter().any(|end| (at - end).abs() <= STRAIGHT_TOLERANCE_PT);
            is_at(*x, [around.left, around.right]) && is_at(*y, [around.bottom, around.top])
        };
        around.width().min(around.height()) > LINE_MAX_WIDTH_PT
            && sides.all(|(from, to)| is_straight(*from, *to))
            && matches!(self.points.len(), 4 | 5)
            && self.points.iter().all(is_corner)
    }
}

/// Whether a line is upright or level.
fn is_straight((x, y): (f64, f64), (to_x, to_y): (f64, f64)) -> bool {
    (x - to_x).abs() <= STRAIGHT_TOLERANCE_PT || (y - to_y).abs() <= STRAIGHT_TOLERANCE_PT
}
