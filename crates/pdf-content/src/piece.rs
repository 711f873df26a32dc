//! Pieces of an area: each subpath by its own outline, so that paint joined to a frame is not taken for the frame.

use super::area::{Area, AreaKind, Rule};
use super::geometry::Rectangle;
use super::page_model::PageText;

/// Maximum thickness of a straight line that is filled, in points.
const LINE_MAX_WIDTH_PT: f64 = 2.0;
/// Tolerance of upright and level lines, in points.
const STRAIGHT_TOLERANCE_PT: f64 = 0.05;

/// A subpath of an area, or a complete area whose outline is its box or unknown.
#[derive(Debug, Clone)]
pub struct Piece {
    /// Its bounding box, in points of the page.
    pub bounds: Rectangle,
    /// Its vertices; none if its content is unknown.
    points: Vec<(f64, f64)>,
}

impl PageText {
    /// Returns the pieces of an area.
    pub fn pieces(&self, area: &Area) -> Vec<Piece> {
        let Rectangle { left, bottom, right, top } = area.bounds;
        if area.kind.is_picture() || area.is_clipped() {
            return vec![Piece { bounds: area.bounds, points: Vec::new() }];
        }
        let mut pieces = Vec::new();
        for (rule, _, points) in self.outlines.paths(&area.outline) {
            let half = if let Rule::Stroke { width, .. } = rule { f64::from(width) / 2.0 } else { 0.0 };
            for subpath in points.split(|point| point[0].is_nan()).filter(|subpath| !subpath.is_empty()) {
                let points: Vec<_> = subpath.iter().map(|[x, y]| (f64::from(*x), f64::from(*y))).collect();
                let bounds = Rectangle::around(points.iter().copied()).grown(half).clipped(area.bounds);
                pieces.push(Piece { bounds, points });
            }
        }
        if pieces.is_empty() {
            let points = match area.kind {
                AreaKind::Block => Vec::new(),
                _ => vec![(left, bottom), (right, bottom), (right, top), (left, top)],
            };
            pieces.push(Piece { bounds: area.bounds, points });
        }
        pieces
    }
}

impl Piece {
    /// Whether it passes a place as a frame or a rule does: it is an upright rectangle, or has only upright and level
    /// lines across the place that do not end or turn there.
    pub fn passes(&self, place: Rectangle) -> bool {
        let is_straight = |(x, y): (f64, f64), (to_x, to_y): (f64, f64)| {
            (x - to_x).abs() <= STRAIGHT_TOLERANCE_PT || (y - to_y).abs() <= STRAIGHT_TOLERANCE_PT
        };
        let mut sides = self.points.iter().zip(self.points.iter().skip(1));
        let around = Rectangle::around(self.points.iter().copied());
        let is_corner = |(x, y): &(f64, f64)| {
            let is_at = |at: f64, ends: [f64; 2]| ends.iter().any(|end| (at - end).abs() <= STRAIGHT_TOLERANCE_PT);
            is_at(*x, [around.left, around.right]) && is_at(*y, [around.bottom, around.top])
        };
        let is_thick = around.width().min(around.height()) > LINE_MAX_WIDTH_PT;
        let is_level = sides.clone().all(|(from, to)| is_straight(*from, *to));
        if is_thick && is_level && matches!(self.points.len(), 4 | 5) && self.points.iter().all(is_corner) {
            return true;
        }
        let is_across = |(from, to): (&(f64, f64), &(f64, f64))| {
            is_straight(*from, *to) || !Rectangle::around([*from, *to]).meets(place)
        };
        !self.points.is_empty() && sides.all(is_across) && !self.points.iter().any(|point| place.has(*point))
    }
}
