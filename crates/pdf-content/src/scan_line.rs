//! Scan lines: the intervals of a line parallel to a baseline that areas cover, by boxes, by the winding rules of outlines
//! (8.5.3.3), by the width of strokes and within clips.

use std::ops::Range;

use super::area::{Area, Rule};
use super::geometry::Rectangle;
use super::page_model::PageText;
use super::run::Baseline;

/// Maximum nesting of clips that is evaluated; paint in deeper clips hides nothing.
pub(super) const MAX_NESTED_CLIPS: usize = 32;
/// Sub-pixel gaps are ignored, in points.
const MAX_GAP_PT: f64 = 0.05;

/// Start and end on a scan line, in points from the start of the baseline.
pub(super) type Interval = (f32, f32);

/// A scan line: a baseline and the height above it.
pub(super) type Row<'l> = (&'l Baseline, f64);

/// Returns the checks that evaluating an area takes.
pub(super) fn cost(page: &PageText, area: &Area) -> usize {
    clips(page, area.clip).chain([&area.outline]).map(|outline| page.outlines.count(outline)).sum()
}

/// Returns the nested clips, innermost first.
pub(super) fn clips(page: &PageText, innermost: Option<u32>) -> impl Iterator<Item = &Range<u32>> {
    let mut next = innermost;
    std::iter::from_fn(move || {
        let (outline, within) = page.outlines.clip(next?)?;
        next = within;
        Some(outline)
    })
    .take(MAX_NESTED_CLIPS + 1)
}

/// Adds the intervals of a scan line that an area covers.
pub(super) fn intervals(page: &PageText, area: &Area, row: Row, found: &mut Vec<Interval>) {
    let Some((left, right)) = within_box(area.bounds, row) else { return };
    if area.outline.is_empty() && area.clip.is_none() {
        found.push((left, right));
        return;
    }
    if clips(page, area.clip).count() > MAX_NESTED_CLIPS {
        return;
    }
    let mut own = if area.outline.is_empty() { vec![(left, right)] } else { enclosed(page, &area.outline, row) };
    unite(&mut own);
    for clip in clips(page, area.clip) {
        let mut clip = enclosed(page, clip, row);
        unite(&mut clip);
        own = common(&own, &clip);
    }
    found.extend(common(&own, &[(left, right)]));
}

impl PageText {
    /// Whether an area is painted at a point.
    pub(super) fn is_painted_at(&self, area: &Area, (x, y): (f64, f64)) -> bool {
        if !area.bounds.has((x, y)) {
            return false;
        }
        let line = Baseline { start: (area.bounds.left, y), direction: (1.0, 0.0), ..Baseline::default() };
        let mut painted = Vec::new();
        intervals(self, area, (&line, 0.0), &mut painted);
        let at = (x - area.bounds.left) as f32;
        painted.iter().any(|(start, end)| (*start..=*end).contains(&at))
    }
}

/// Returns the interval of a scan line inside a box.
pub(super) fn within_box(bounds: Rectangle, (line, height): Row) -> Option<Interval> {
    let Rectangle { left, bottom, right, top } = bounds;
    let (across, up) = line.direction;
    let (x, y) = (line.start.0 - up * height, line.start.1 + across * height);
    let mut interval = (f64::NEG_INFINITY, f64::INFINITY);
    for (at, step, low, high) in [(x, across, left, right), (y, up, bottom, top)] {
        if step.abs() < 1e-9 {
            if at < low || at > high {
                return None;
            }
            continue;
        }
        let (one, other) = ((low - at) / step, (high - at) / step);
        interval = (interval.0.max(one.min(other)), interval.1.min(one.max(other)));
    }
    (interval.0 < interval.1).then_some((interval.0 as f32, interval.1 as f32))
}

/// Returns the intervals of a scan line inside outlines.
pub(super) fn enclosed(page: &PageText, outline: &Range<u32>, (line, height): Row) -> Vec<Interval> {
    let mut found = Vec::new();
    // position along the baseline, and height above the scan line
    let place = |[x, y]: [f32; 2]| {
        let (along, off) = line.measure((f64::from(x), f64::from(y)));
        (along, off - height)
    };
    for (rule, bounds, path) in page.outlines.paths(outline) {
        // nearly all are elsewhere
        let reach = MAX_GAP_PT + if let Rule::Stroke { width, .. } = rule { f64::from(width) } else { 0.0 };
        if within_box(bounds.grown(reach), (line, height)).is_none() {
            continue;
        }
        let mut crossings: Vec<(f32, i32)> = Vec::new();
        for polygon in path.split(|point| point[0].is_nan()) {
            if let Rule::Stroke { width, has_caps } = rule {
                let lines = polygon.iter().zip(polygon.iter().skip(1));
                let lines = lines.map(|(start, end)| (place(*start), place(*end)));
                let half = f64::from(width) / 2.0;
                found.extend(lines.filter_map(|(start, end)| stroke(start, end, half, has_caps)));
                continue;
            }
            let is_above = |point: &[f32; 2]| place(*point).1 > 0.0;
            let Some(mut last) = polygon.last().map(|point| (point, is_above(point))) else { continue };
            for point in polygon {
                let next = (point, is_above(point));
                if last.1 != next.1 {
                    crossings.extend(crossing(place(*last.0), place(*point)));
                }
                last = next;
            }
        }
        crossings.sort_by(|one, other| one.0.total_cmp(&other.0));
        let mut winding = 0;
        for pair in crossings.windows(2) {
            let [(start, step), (end, _)] = pair else { continue };
            winding += if rule == Rule::EvenOdd { 1 } else { *step };
            let is_inside = if rule == Rule::EvenOdd { winding % 2 != 0 } else { winding != 0 };
            if is_inside {
                found.push((*start, *end));
            }
        }
    }
    found
}

/// Returns where a polygon's edge crosses a scan line, and its winding direction.
fn crossing((x, y): (f64, f64), (to_x, to_y): (f64, f64)) -> Option<(f32, i32)> {
    if (y <= 0.0) == (to_y <= 0.0) {
        return None;
    }
    let at = x + (to_x - x) * y / (y - to_y);
    Some((at as f32, if y <= 0.0 { 1 } else { -1 }))
}

/// Returns the interval of a scan line under a stroked segment.
fn stroke((x, y): (f64, f64), (to_x, to_y): (f64, f64), half: f64, has_caps: bool) -> Option<Interval> {
    // a square cap's corner is the farthest
    let reach = 1.5 * half;
    if y.min(to_y) > reach || y.max(to_y) < -reach {
        return None;
    }
    let (across, up) = (to_x - x, to_y - y);
    let length = across.hypot(up);
    let (across, up) = if length > 0.0 { (across / length * half, up / length * half) } else { (half, 0.0) };
    let (cap_across, cap_up) = if has_caps { (across, up) } else { (0.0, 0.0) };
    let (start, end) = ((x - cap_across, y - cap_up), (to_x + cap_across, to_y + cap_up));
    let corners = [
        (start.0 - up, start.1 + across),
        (end.0 - up, end.1 + across),
        (end.0 + up, end.1 - across),
        (start.0 + up, start.1 - across),
    ];
    let next = corners.iter().cycle().skip(1);
    let crossings = corners.iter().zip(next).filter_map(|(one, other)| crossing(*one, *other)).map(|(at, _)| at);
    let (left, right) =
        crossings.fold((f32::INFINITY, f32::NEG_INFINITY), |(left, right), at| (left.min(at), right.max(at)));
    (left < right).then_some((left, right))
}

/// Sorts intervals and merges those that touch.
pub(super) fn unite(intervals: &mut Vec<Interval>) {
    if intervals.len() < 2 {
        return;
    }
    intervals.sort_by(|one, other| one.0.total_cmp(&other.0));
    intervals.dedup_by(|next, last| {
        let meets = next.0 <= last.1 + MAX_GAP_PT as f32;
        if meets {
            last.1 = last.1.max(next.1);
        }
        meets
    });
}

/// Returns the intersection of merged intervals.
pub(super) fn common(these: &[Interval], those: &[Interval]) -> Vec<Interval> {
    let mut found = Vec::new();
    let (mut at, mut to) = (0, 0);
    while let (Some(one), Some(other)) = (these.get(at), those.get(to)) {
        let both = (one.0.max(other.0), one.1.min(other.1));
        if both.0 < both.1 {
            found.push(both);
        }
        if one.1 < other.1 { at += 1 } else { to += 1 }
    }
    found
}

/// Returns the length of a range that merged intervals cover.
pub(super) fn covered_length(intervals: &[Interval], start: f32, end: f32) -> f32 {
    let first = intervals.partition_point(|interval| interval.1 <= start);
    let over = intervals.iter().skip(first).take_while(|interval| interval.0 < end);
    over.map(|interval| interval.1.min(end) - interval.0.max(start)).sum()
}
