//! Strokes (8.5.3.2) that are more than lines of one width: under an uneven scale, with sharp corners, thick dashes or
//! subpaths without length. Their outline is made in the coordinates of the content, as viewers do, and then transformed.

use std::rc::Rc;

use kurbo::{BezPath, Cap, Join, PathEl, Point, StrokeOpts};

use super::geometry::Matrix;
use super::path::Path;

/// Minimum difference of the widths of a stroke along and across an uneven scale, in points.
const UNEVEN_MIN_PT: f64 = 0.5;
/// Minimum reach of a corner beyond the line, in points.
const TIP_MIN_PT: f64 = 1.0;
/// Minimum width of a line whose dashes are painted one by one, in points.
const DASHED_MIN_WIDTH_PT: f64 = 2.0;
/// Maximum dashes of a path, and maximum points of a path that is outlined.
const MAX_DASHES: f64 = 10_000.0;
const MAX_POINTS: usize = 20_000;
/// Tolerance of outlines, in points.
const TOLERANCE_PT: f64 = 0.05;
/// Length of a subpath without length, in line widths: caps need a direction.
const POINT_LENGTH: f64 = 1e-4;

/// How lines are stroked (8.4.3).
#[derive(Debug, Clone)]
pub(super) struct LineStyle {
    /// In units of the content.
    pub(super) width: f64,
    pub(super) cap: LineCap,
    pub(super) join: LineJoin,
    pub(super) miter_limit: f64,
    /// None for solid lines.
    pub(super) dashes: Option<Rc<Dashes>>,
}

/// Line cap styles (table 54).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum LineCap {
    Butt,
    Round,
    Square,
}

/// Line join styles (table 55).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum LineJoin {
    Miter,
    Round,
    Bevel,
}

/// The dashes of a line (8.4.3.6).
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Dashes {
    /// Lengths of dashes and gaps in turns, in units of the content.
    lengths: Vec<f64>,
    phase: f64,
}

impl Default for LineStyle {
    fn default() -> Self {
        Self { width: 1.0, cap: LineCap::Butt, join: LineJoin::Miter, miter_limit: 10.0, dashes: None }
    }
}

impl From<f64> for LineCap {
    fn from(style: f64) -> Self {
        match style as i64 {
            1 => Self::Round,
            2 => Self::Square,
            _ => Self::Butt,
        }
    }
}

impl From<f64> for LineJoin {
    fn from(style: f64) -> Self {
        match style as i64 {
            1 => Self::Round,
            2 => Self::Bevel,
            _ => Self::Miter,
        }
    }
}

impl Dashes {
    /// Reads alternating dashes and gaps, starting at a phase; none for a solid line.
    pub(super) fn read(lengths: &[f64], phase: f64) -> Option<Rc<Self>> {
        let lengths: Vec<f64> = lengths.iter().map(|length| length.max(0.0)).collect();
        // readers treat dashes of no length as solid
        (lengths.iter().sum::<f64>() > 0.0).then(|| Rc::new(Self { lengths, phase }))
    }

    /// The painted share of a line.
    pub(super) fn share(&self) -> f64 {
        // an odd number of lengths is repeated with dashes and gaps exchanged
        if self.lengths.len() % 2 == 1 {
            return 0.5;
        }
        self.lengths.iter().step_by(2).sum::<f64>() / self.lengths.iter().sum::<f64>()
    }

    /// The length of the first dash, after the phase.
    pub(super) fn first(&self) -> f64 {
        self.lengths.first().map_or(0.0, |first| (first - self.phase).max(0.0))
    }
}

impl LineStyle {
    /// The width of lines, in points, where it is greatest.
    pub(super) fn max_width(&self, matrix: Matrix) -> f64 {
        let [most, _] = matrix.scales();
        self.width.abs() * most
    }

    pub(super) fn has_caps(&self) -> bool {
        self.cap != LineCap::Butt
    }

    /// Returns the outline of a stroked path as polygons, in points of the page; none if it is a line of one width, or
    /// has too many parts.
    pub(super) fn outline(&self, path: &Path, matrix: Matrix) -> Option<Vec<Vec<[f32; 2]>>> {
        let [most, least] = matrix.scales();
        let width = self.width.abs();
        let is_uneven = width * (most - least) >= UNEVEN_MIN_PT;
        let is_dashed = self.dashes.is_some() && width * most >= DASHED_MIN_WIDTH_PT;
        let half = width * most / 2.0;
        let is_special = |points: &[[f32; 2]]| self.has_point(points) || self.has_tip(points, half);
        if !is_uneven && !is_dashed && !path.outlines()?.any(is_special) {
            return None;
        }
        let back = matrix.inverse()?;
        let dashes = self.dashes.as_ref().filter(|_| is_dashed);
        let period = dashes.map_or(f64::INFINITY, |dashes| dashes.lengths.iter().sum::<f64>() * least);
        let points: usize = path.outlines()?.map(<[_]>::len).sum();
        if points > MAX_POINTS || path.length() / period > MAX_DASHES {
            return None;
        }
        let mut line = BezPath::new();
        for points in path.outlines()? {
            let mut points = points.iter().map(|[x, y]| back.point(f64::from(*x), f64::from(*y)));
            let Some(first) = points.next() else { continue };
            line.move_to(first);
            let (mut last, mut is_point) = (first, true);
            for point in points {
                is_point &= point == first;
                if point != last {
                    line.line_to(point);
                    last = point;
                }
            }
            if is_point {
                line.line_to((first.0 + POINT_LENGTH * width, first.1));
            } else if last == first {
                line.close_path();
            }
        }
        let tolerance = TOLERANCE_PT / most.max(f64::MIN_POSITIVE);
        let outline = kurbo::stroke(line, &self.as_kurbo(dashes.map(Rc::as_ref)), &StrokeOpts::default(), tolerance);
        Some(polygons(&outline, matrix, tolerance))
    }

    /// Whether any subpath is a point, which caps make visible.
    fn has_point(&self, points: &[[f32; 2]]) -> bool {
        self.has_caps() && points.windows(2).all(|pair| matches!(pair, [one, other] if one == other))
    }

    /// Whether a mitered corner reaches far beyond the line (8.4.3.5).
    fn has_tip(&self, points: &[[f32; 2]], half: f64) -> bool {
        if self.join != LineJoin::Miter || (self.miter_limit - 1.0) * half < TIP_MIN_PT {
            return false;
        }
        let is_closed = points.len() > 2 && points.first() == points.last();
        let corners = points.iter().chain(points.iter().skip(1).take(usize::from(is_closed)));
        let mut directions = corners.clone().zip(corners.skip(1)).filter_map(|([x, y], [to_x, to_y])| {
            let (across, up) = (f64::from(to_x - x), f64::from(to_y - y));
            let length = across.hypot(up);
            (length > 0.0).then(|| (across / length, up / length))
        });
        let Some(mut last) = directions.next() else { return false };
        directions.any(|next| {
            // the sine of half the angle between the lines
            let sine = ((1.0 + last.0 * next.0 + last.1 * next.1) / 2.0).max(0.0).sqrt();
            last = next;
            let ratio = sine.recip();
            ratio <= self.miter_limit && (ratio - 1.0) * half >= TIP_MIN_PT
        })
    }

    fn as_kurbo(&self, dashes: Option<&Dashes>) -> kurbo::Stroke {
        let cap = match self.cap {
            LineCap::Butt => Cap::Butt,
            LineCap::Round => Cap::Round,
            LineCap::Square => Cap::Square,
        };
        let join = match self.join {
            LineJoin::Miter => Join::Miter,
            LineJoin::Round => Join::Round,
            LineJoin::Bevel => Join::Bevel,
        };
        let stroke = kurbo::Stroke::new(self.width.abs());
        let stroke = stroke.with_caps(cap).with_join(join).with_miter_limit(self.miter_limit.max(1.0));
        // dashes without length have caps, too
        let least = if self.has_caps() { POINT_LENGTH * self.width.abs() } else { 0.0 };
        match dashes {
            Some(dashes) => stroke.with_dashes(dashes.phase, dashes.lengths.iter().map(|length| length.max(least))),
            None => stroke,
        }
    }
}

/// Returns a path as polygons, transformed.
fn polygons(path: &BezPath, matrix: Matrix, tolerance: f64) -> Vec<Vec<[f32; 2]>> {
    let mut polygons: Vec<Vec<[f32; 2]>> = Vec::new();
    kurbo::flatten(path.iter(), tolerance, |element| {
        let place = |point: Point| {
            let (x, y) = matrix.point(point.x, point.y);
            [x as f32, y as f32]
        };
        match element {
            PathEl::MoveTo(point) => polygons.push(vec![place(point)]),
            PathEl::LineTo(point) => {
                if let Some(polygon) = polygons.last_mut() {
                    polygon.push(place(point));
                }
            }
            PathEl::QuadTo(..) | PathEl::CurveTo(..) | PathEl::ClosePath => {}
        }
    });
    polygons
}
