//! What later paint leaves to be seen of text, glyph by glyph. Rows are laid through the part of a line in which its letters
//! have ink, an eighth of an em apart; of each row the stretches are found that later opaque paint lies over, whatever it is:
//! boxes, outlines by their rule, lines by their width, within their clips. A glyph is covered as far as its rows are.
//!
//! [`Visibility::of`] looks at a page with those of its areas that may hide something (of one painter, or of all), and then
//! tells of every run and glyph how much of it is covered, by which areas, and what is still to be seen. `overlay` asks the other
//! way round: what of a page something lies upon, be it words, paths or pictures.

use std::collections::BTreeMap;

use super::area::{Area, Rule};
use super::drawn::{Baseline, PageText, Run};
use super::geometry::Rectangle;
use super::sight::Areas;

/// Rows through a line.
const ROWS: usize = 6;
/// The part of a glyph from which on it is covered.
const HIDDEN: f32 = 0.5;
/// The part of a glyph from which on hardly anything is left of it.
const WHOLE: f32 = 0.8;
/// The part of which it cannot be told whether enough is left of it.
const DOUBTFUL: std::ops::Range<f32> = 0.35..0.65;
/// Clips within each other that are looked at; what is clipped by more hides nothing.
const CLIPS: usize = 32;
/// What is closer than a pixel of any screen shows nothing, in points.
const NEAR: f64 = 0.05;
/// How wide glyphs are that go nowhere, in sizes: marks above and below others.
const MARK: f32 = 0.1;

/// From where to where on a row, in points from where the line begins.
pub(super) type Stretch = (f32, f32);

/// A row through a line, so far above it.
pub(super) type Row<'l> = (&'l Baseline, f64);

/// What of a page's text is to be seen.
pub(crate) struct Visibility<'p> {
    page: &'p PageText,
    /// By the places of the runs that anything lies over.
    covered: BTreeMap<usize, Covered>,
}

/// A run that something lies over.
#[derive(Debug)]
pub(crate) struct Covered {
    /// How much of each of its glyphs is covered, from 0 to 1.
    parts: Vec<f32>,
    /// The areas that do so, by their places among those of the page, in painting order.
    pub(crate) by: Vec<usize>,
}

impl Covered {
    /// Whether any of its glyphs is covered.
    pub(crate) fn hides(&self) -> bool {
        self.parts.iter().any(|part| *part >= HIDDEN)
    }

    /// Whether hardly anything is left of one of them.
    pub(crate) fn hides_whole_glyphs(&self) -> bool {
        self.parts.iter().any(|part| *part >= WHOLE)
    }
}

impl<'p> Visibility<'p> {
    /// Looks at a page, of whose areas these may hide what lies beneath; none if that takes more than `checks`.
    pub(crate) fn of(page: &'p PageText, may_hide: impl Fn(&Area) -> bool, checks: &mut usize) -> Option<Self> {
        let areas = Areas::new(page, page.areas.iter().filter(|area| area.is_solid && !area.is_off && may_hide(area)));
        let mut covered = BTreeMap::new();
        for (place, run) in page.runs.iter().enumerate() {
            if !run.is_painted() {
                continue;
            }
            let later = areas.later(run.bounds, run.order);
            *checks = checks.checked_sub(later.len())?;
            let over: Vec<&Area> = later.iter().copied().filter(|area| area.bounds.meets(run.bounds)).collect();
            if !over.is_empty()
                && let Some(found) = cover(page, run, &over, checks)?
            {
                covered.insert(place, found);
            }
        }
        Some(Self { page, covered })
    }

    /// Cuts the run in this place to what is to be seen of it, less what is left out. A glyph of which nearly half is
    /// covered stands there as one that cannot be read.
    pub(crate) fn cut(&self, place: usize, is_left_out: impl Fn(usize) -> bool, pieces: &mut Vec<Run>) {
        let Some(run) = self.page.runs.get(place).filter(|run| run.is_painted()) else { return };
        if self.covered.contains_key(&place) || !PageText::is_unclipped(run) {
            let is_doubtful = |glyph| DOUBTFUL.contains(&self.part(place, glyph));
            let is_wanted = |glyph| self.is_seen(place, glyph) && !is_left_out(glyph);
            self.page.cut(run, |glyph| is_wanted(glyph) && !is_doubtful(glyph), pieces);
            let start = pieces.len();
            self.page.cut(run, |glyph| is_doubtful(glyph) && !is_left_out(glyph), pieces);
            pieces.iter_mut().skip(start).for_each(Run::doubt);
            return;
        }
        pieces.push(run.clone());
    }

    /// The runs that something lies over, by their places.
    pub(crate) fn covered(&self) -> impl Iterator<Item = (usize, &Covered)> {
        self.covered.iter().map(|(place, covered)| (*place, covered))
    }

    /// What lies over the run in this place, if anything does.
    pub(crate) fn covered_run(&self, place: usize) -> Option<&Covered> {
        self.covered.get(&place)
    }

    /// How much of a glyph of the run in this place is covered, from 0 to 1.
    pub(crate) fn part(&self, place: usize, glyph: usize) -> f32 {
        self.covered.get(&place).and_then(|covered| covered.parts.get(glyph)).copied().unwrap_or(0.0)
    }

    /// Whether a glyph is covered.
    pub(crate) fn is_hidden(&self, place: usize, glyph: usize) -> bool {
        self.part(place, glyph) >= HIDDEN
    }

    /// Whether a glyph is to be seen: painted, where it is not clipped away, and not covered.
    pub(crate) fn is_seen(&self, place: usize, glyph: usize) -> bool {
        self.page.runs.get(place).is_some_and(|run| run.is_painted() && self.page.is_within_clip(run, glyph))
            && !self.is_hidden(place, glyph)
    }

    /// Whether anything of a run is to be seen.
    pub(crate) fn is_run_seen(&self, place: usize) -> bool {
        let Some(run) = self.page.runs.get(place) else { return false };
        match self.covered.get(&place) {
            Some(_) => (0..run.glyphs.len()).any(|glyph| self.is_seen(place, glyph)),
            None => run.is_painted(),
        }
    }
}

impl PageText {
    /// Which part of the letters in a box these of the page's areas lie upon, from 0 to 1; or cover, so that they are hidden.
    pub(crate) fn covered_part(&self, bounds: Rectangle, covers: impl Fn(&Area) -> bool, hides: bool) -> f64 {
        let line = Baseline { start: (bounds.left, bounds.bottom), direction: (1.0, 0.0), ..Baseline::default() };
        let mut rows: [Vec<Stretch>; ROWS] = Default::default();
        let is_over =
            |area: &&Area| (area.is_solid || !hides) && !area.is_off && covers(area) && area.bounds.meets(bounds);
        for area in self.areas.iter().filter(is_over) {
            for (place, row) in rows.iter_mut().enumerate() {
                let height = (0.2 + 0.6 * (place as f64 + 0.5) / ROWS as f64) * bounds.height();
                stretches(self, area, (&line, height), row);
            }
        }
        rows.iter_mut().for_each(unite);
        let width = bounds.width() as f32;
        f64::from(rows.iter().map(|row| covered(row, 0.0, width)).sum::<f32>() / (ROWS as f32 * width.max(0.01)))
    }
}

/// How much of a run these areas cover; none if nothing. None at all if telling so takes more than `checks`.
#[expect(clippy::option_option, reason = "the outer one says that there is too much to do")]
fn cover(page: &PageText, run: &Run, over: &[&Area], checks: &mut usize) -> Option<Option<Covered>> {
    let mut rows: [Vec<Stretch>; ROWS] = Default::default();
    let mut by = Vec::new();
    let length = page.glyphs(run).iter().map(|glyph| glyph.end).fold(0.0, f32::max);
    for area in over {
        let mut is_over = false;
        for (row, height) in rows.iter_mut().zip(heights(run)) {
            let before = row.len();
            *checks = checks.checked_sub(1 + cost(page, area))?;
            stretches(page, area, (&run.line, height), row);
            is_over |= row.iter().skip(before).any(|(start, end)| *start < length && *end > 0.0);
        }
        if is_over {
            by.extend(page.areas.binary_search_by_key(&area.order, |area| area.order));
        }
    }
    if by.is_empty() {
        return Some(None);
    }
    rows.iter_mut().for_each(unite);
    *checks = checks.checked_sub(run.glyphs.len())?;
    let least = MARK * run.line.em as f32;
    let parts = page.glyphs(run).iter().map(|glyph| {
        let (start, end) = match glyph.end - glyph.start >= least {
            true => (glyph.start, glyph.end),
            false => (glyph.start - least / 2.0, glyph.end + least / 2.0),
        };
        rows.iter().map(|row| covered(row, start, end)).sum::<f32>() / (ROWS as f32 * (end - start).max(f32::EPSILON))
    });
    Some(Some(Covered { parts: parts.collect(), by }))
}

/// The heights of the rows through a run's line.
fn heights(run: &Run) -> impl Iterator<Item = f64> {
    let (bottom, top) = run.line.ink;
    (0..ROWS).map(move |row| bottom + (row as f64 + 0.5) / ROWS as f64 * (top - bottom))
}

/// How many of them an area takes to be looked at.
fn cost(page: &PageText, area: &Area) -> usize {
    clips(page, area).chain([&area.outline]).map(|outline| page.outlines.count(outline)).sum()
}

/// The clips of an area, from the innermost one.
fn clips<'p>(page: &'p PageText, area: &Area) -> impl Iterator<Item = &'p std::ops::Range<u32>> {
    let mut next = area.clip;
    std::iter::from_fn(move || {
        let (outline, within) = page.outlines.clip(next?)?;
        next = within;
        Some(outline)
    })
    .take(CLIPS + 1)
}

/// Where an area lies over a row: so high above a line.
pub(super) fn stretches(page: &PageText, area: &Area, row: Row, found: &mut Vec<Stretch>) {
    let Some((left, right)) = within_box(area.bounds, row) else { return };
    if area.outline.is_empty() && area.clip.is_none() {
        found.push((left, right));
        return;
    }
    if clips(page, area).count() > CLIPS {
        return;
    }
    let mut own = if area.outline.is_empty() { vec![(left, right)] } else { enclosed(page, &area.outline, row) };
    unite(&mut own);
    for clip in clips(page, area) {
        let mut clip = enclosed(page, clip, row);
        unite(&mut clip);
        own = common(&own, &clip);
    }
    found.extend(common(&own, &[(left, right)]));
}

/// Where a row lies within a box.
fn within_box(bounds: Rectangle, (line, height): Row) -> Option<Stretch> {
    let Rectangle { left, bottom, right, top } = bounds;
    let (across, up) = line.direction;
    let (x, y) = (line.start.0 - up * height, line.start.1 + across * height);
    let mut stretch = (f64::NEG_INFINITY, f64::INFINITY);
    for (at, step, low, high) in [(x, across, left, right), (y, up, bottom, top)] {
        if step.abs() < 1e-9 {
            if at < low || at > high {
                return None;
            }
            continue;
        }
        let (one, other) = ((low - at) / step, (high - at) / step);
        stretch = (stretch.0.max(one.min(other)), stretch.1.min(one.max(other)));
    }
    (stretch.0 < stretch.1).then_some((stretch.0 as f32, stretch.1 as f32))
}

/// Where a row lies within what outlines enclose.
fn enclosed(page: &PageText, outline: &std::ops::Range<u32>, (line, height): Row) -> Vec<Stretch> {
    let mut found = Vec::new();
    // to where a point lies along the line, and how far above the row
    let place = |[x, y]: [f32; 2]| {
        let (along, off) = line.measure((f64::from(x), f64::from(y)));
        (along, off - height)
    };
    for (rule, bounds, path) in page.outlines.paths(outline) {
        // nearly all lie elsewhere
        let reach = NEAR + if let Rule::Stroke { width, .. } = rule { f64::from(width) } else { 0.0 };
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

/// Where a side of a polygon crosses a row, and which way.
fn crossing((x, y): (f64, f64), (to_x, to_y): (f64, f64)) -> Option<(f32, i32)> {
    if (y <= 0.0) == (to_y <= 0.0) {
        return None;
    }
    let at = x + (to_x - x) * y / (y - to_y);
    Some((at as f32, if y <= 0.0 { 1 } else { -1 }))
}

/// Where a line of some width lies over a row.
fn stroke((x, y): (f64, f64), (to_x, to_y): (f64, f64), half: f64, has_caps: bool) -> Option<Stretch> {
    // no corner is further from its end than that of a square
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

/// Puts stretches in order and makes one of those that meet.
pub(super) fn unite(stretches: &mut Vec<Stretch>) {
    if stretches.len() < 2 {
        return;
    }
    stretches.sort_by(|one, other| one.0.total_cmp(&other.0));
    stretches.dedup_by(|next, last| {
        let meets = next.0 <= last.1 + NEAR as f32;
        if meets {
            last.1 = last.1.max(next.1);
        }
        meets
    });
}

/// What stretches that were united have in common with others.
pub(super) fn common(these: &[Stretch], those: &[Stretch]) -> Vec<Stretch> {
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

/// How much of what lies between two places is covered by stretches that were united.
fn covered(stretches: &[Stretch], start: f32, end: f32) -> f32 {
    let first = stretches.partition_point(|stretch| stretch.1 <= start);
    let over = stretches.iter().skip(first).take_while(|stretch| stretch.0 < end);
    over.map(|stretch| stretch.1.min(end) - stretch.0.max(start)).sum()
}
