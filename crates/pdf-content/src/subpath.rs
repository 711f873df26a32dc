//! Subpaths of what a page paints, as polygons and lines (ISO 32000-1, 8.5.2).

use super::area::{Area, AreaKind, Rule};
use super::geometry::Rectangle;
use super::page_model::PageText;

/// Maximum points of a path that is examined.
const MAX_POINTS: usize = 2_000;
/// Minimum shorter side of the box of a slanted line, as a share of its longer side.
const MIN_SLANT: f64 = 0.15;

/// A subpath.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Subpath {
    pub(super) points: Vec<[f64; 2]>,
    pub(super) color: Option<[u8; 3]>,
    pub(super) is_stroked: bool,
    pub(super) is_closed: bool,
}

/// Returns the subpaths of everything painted; none if anything is no path.
pub(super) fn subpaths_of(page: &PageText) -> Option<Vec<Subpath>> {
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
    Some(subpaths(page, area)?.iter().map(Subpath::bounds).collect())
}

pub(super) fn subpaths(page: &PageText, area: &Area) -> Option<Vec<Subpath>> {
    if area.outline.is_empty() {
        let Rectangle { left, bottom, right, top } = area.bounds;
        let points = vec![[left, bottom], [right, bottom], [right, top], [left, top]];
        let stroke = Subpath { points, color: area.color_on_paper(), is_stroked: false, is_closed: true };
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
            found.extend((points.len() > 1).then_some(Subpath { points, color, is_stroked, is_closed }));
        }
    }
    Some(found)
}

impl Subpath {
    pub(super) fn bounds(&self) -> Rectangle {
        Rectangle::around(self.points.iter().map(|[x, y]| (*x, *y)))
    }

    pub(super) fn sides(&self) -> impl Iterator<Item = ([f64; 2], [f64; 2])> {
        self.points.iter().copied().zip(self.points.iter().copied().cycle().skip(1))
    }

    pub(super) fn area(&self) -> f64 {
        self.sides().map(|([x, y], [u, v])| x * v - u * y).sum::<f64>().abs() / 2.0
    }

    /// Its convex hull, by Andrew's monotone chain.
    pub(super) fn hull(&self) -> Self {
        let mut points = self.points.clone();
        points.sort_by(|[x, y], [u, v]| x.total_cmp(u).then(y.total_cmp(v)));
        let mut hull = half_hull(points.iter());
        hull.extend(half_hull(points.iter().rev()));
        Self { points: hull, ..self.clone() }
    }

    pub(super) fn is_line(&self) -> bool {
        self.is_stroked && self.points.len() == 2
    }

    /// Whether a line is neither horizontal nor vertical.
    pub(super) fn is_slanted(&self) -> bool {
        let bounds = self.bounds();
        bounds.width().min(bounds.height()) >= MIN_SLANT * bounds.width().max(bounds.height())
    }

    /// Whether two lines share an end.
    pub(super) fn meets(&self, other: &Self) -> bool {
        self.points.iter().any(|point| other.points.contains(point))
    }

    /// Joins two lines that share an end.
    pub(super) fn joined(&self, other: &Self) -> Self {
        let mut points = self.points.clone();
        if points.first().is_some_and(|first| other.points.contains(first)) {
            points.reverse();
        }
        points.extend(other.points.iter().filter(|point| !self.points.contains(point)));
        Self { points, ..self.clone() }
    }

    /// Whether a point is inside (8.5.3.3.3).
    pub(super) fn has(&self, [x, y]: [f64; 2]) -> bool {
        let crossings =
            self.sides().filter(|([a, b], [u, v])| (*b > y) != (*v > y) && x < (u - a) * (y - b) / (v - b) + a);
        crossings.count() % 2 == 1
    }
}

/// The lower half of the convex hull of sorted points, without the last one; of reversed ones, the upper half.
fn half_hull<'p>(points: impl Iterator<Item = &'p [f64; 2]>) -> Vec<[f64; 2]> {
    let mut hull: Vec<[f64; 2]> = Vec::new();
    for &[x, y] in points {
        while let [.., [a, b], [u, v]] = hull[..]
            && (u - a) * (y - b) - (v - b) * (x - a) <= 0.0
        {
            hull.pop();
        }
        hull.push([x, y]);
    }
    hull.pop();
    hull
}
