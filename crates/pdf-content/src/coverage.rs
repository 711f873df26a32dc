//! Coverage of text by later paint, glyph by glyph. Scan lines run an eighth of an em apart through the inked part of a
//! line of text. The intervals that later paint covers are computed on each: boxes, outlines by their winding rule,
//! strokes by their width, within their clips. A glyph's coverage is the covered share of its width on these scan
//! lines.
//!
//! Opaque paint covers. Transparent paint is composited: text without enough contrast to its background is covered.
//! Where the result is unknown, the text is *perhaps* covered and counts as neither.
//!
//! [`Visibility::of`] computes for every run and glyph of a page how much is covered, by which areas, and what remains
//! visible. `occlusion` computes the reverse: which words, paths and pictures later paint touches.

use std::collections::BTreeMap;

use super::area::{Area, AreaKind, Effect};
use super::blend::Blend;
use super::geometry::Rectangle;
use super::graphics::OPAQUE;
use super::page_model::PageText;
use super::run::{Baseline, Run};
use super::scan_line::{
    Interval, MAX_NESTED_CLIPS, clips, common, cost, covered_length, enclosed, intervals, unite, within_box,
};
use super::text_contrast::{Background, IMPERCEPTIBLE_CONTRAST, TextVisibility, text_visibility};
use super::visibility::{Areas, Bands};

/// Scan lines through a line of text.
const SCAN_ROWS: usize = 6;
/// Minimum coverage of a hidden glyph.
const HIDDEN_MIN_PART: f32 = 0.5;
/// Minimum coverage of a completely hidden glyph.
const COMPLETE_MIN_PART: f32 = 0.8;
/// Coverage range treated as indeterminate.
const INDETERMINATE_PART: std::ops::Range<f32> = 0.35..0.65;
/// Assumed width of glyphs without an advance, such as combining marks.
const MIN_GLYPH_WIDTH_EM: f32 = 0.1;

/// Maximum transparent areas that are composited over a text; with more the result is unknown.
const MAX_BLENDED_LAYERS: usize = 32;
/// Minimum stroke width of letters that may fill their boxes.
const THICK_STROKE_EM: f32 = 0.15;
/// Minimum size ratio of a symbol that may cover letters.
const SYMBOL_MIN_SIZE_RATIO: f64 = 1.2;
/// Minimum of each component of a color that may be paper.
const PAPER_MIN_COMPONENT: u8 = 235;

/// Visibility of a page's text.
pub struct Visibility<'p> {
    page: &'p PageText,
    /// Runs that are covered or clipped in part, by index.
    covered: BTreeMap<usize, Covered>,
}

/// Coverage of a run.
#[derive(Debug, Default)]
pub struct Covered {
    /// Covered or clipped share of each glyph, from 0 to 1.
    parts: Vec<f32>,
    /// Share that is or may be covered; empty if nothing is uncertain.
    perhaps: Vec<f32>,
    /// Indices of the covering areas, in painting order.
    pub by: Vec<usize>,
}

impl Covered {
    /// Whether any glyph is hidden.
    pub fn hides(&self) -> bool {
        self.parts.iter().any(|part| *part >= HIDDEN_MIN_PART)
    }

    /// Whether any glyph may be hidden.
    pub fn may_hide(&self) -> bool {
        self.hides() || self.perhaps.iter().any(|part| *part >= HIDDEN_MIN_PART)
    }

    /// Whether any glyph is completely hidden.
    pub(crate) fn hides_complete_glyphs(&self) -> bool {
        self.parts.iter().any(|part| *part >= COMPLETE_MIN_PART)
    }
}

impl<'p> Visibility<'p> {
    /// Computes the visibility of a page whose areas hide the backdrop if `may_hide` says so; none if that takes more
    /// than `checks`.
    pub fn of(page: &'p PageText, may_hide: impl Fn(&Area) -> bool, checks: &mut usize) -> Option<Self> {
        let areas = Areas::new(page, page.areas.iter().filter(|area| covers(area) && !area.is_off && may_hide(area)));
        // what hides nothing may be the ground of text
        let grounds = Areas::new(page, page.areas.iter().filter(|area| covers(area) && !area.is_off));
        let letters = page.runs.iter().filter(|run| run.annotation.is_none() && may_cover(run));
        let letters = Bands::new(page, letters);
        let mut covered = BTreeMap::new();
        for (place, run) in page.runs.iter().enumerate() {
            if !run.is_painted() {
                continue;
            }
            let later = areas.later(run.bounds, run.order);
            let letters_over = letters.later(run.bounds, run.order);
            *checks = checks.checked_sub(later.len() + letters_over.len())?;
            // a block area is drawn by its own run; what a glyph procedure paints is no cover of other such glyphs
            let is_own = |area: &Area| {
                let is_glyph = run.is_type3 && area.effect == Effect::Unknown;
                area.kind == AreaKind::Block && (is_glyph || area.order == run.order + 1)
            };
            let is_over = |area: &&Area| area.bounds.meets(run.bounds) && !is_own(area);
            let over: Vec<&Area> = later.iter().copied().filter(is_over).collect();
            let letters_over: Vec<&Run> =
                letters_over.iter().copied().filter(|other| may_cover_run(other, run)).collect();
            if (!over.is_empty() || !letters_over.is_empty() || run.clip_shape.is_some())
                && let Some(found) = coverage(page, run, &grounds, (&over, &letters_over), checks)?
            {
                covered.insert(place, found);
            }
        }
        Some(Self { page, covered })
    }

    /// Adds the visible pieces of a run, without excluded glyphs. Glyphs with indeterminate coverage become pieces that
    /// cannot be decoded.
    pub fn cut(&self, place: usize, is_excluded: impl Fn(usize) -> bool, pieces: &mut Vec<Run>) {
        let Some(run) = self.page.runs.get(place).filter(|run| run.is_painted()) else { return };
        if self.covered.contains_key(&place) || !PageText::is_unclipped(run) {
            let is_indeterminate = |glyph| INDETERMINATE_PART.contains(&self.part(place, glyph));
            let is_wanted = |glyph| self.is_seen(place, glyph) && !is_excluded(glyph);
            self.page.cut(run, |glyph| is_wanted(glyph) && !is_indeterminate(glyph), pieces);
            let start = pieces.len();
            self.page.cut(run, |glyph| is_indeterminate(glyph) && !is_excluded(glyph), pieces);
            pieces.iter_mut().skip(start).for_each(Run::mark_indeterminate);
            return;
        }
        pieces.push(run.clone());
    }

    /// Returns the covered runs with their indices.
    pub fn covered(&self) -> impl Iterator<Item = (usize, &Covered)> {
        self.covered.iter().map(|(place, covered)| (*place, covered))
    }

    /// Returns the coverage of a run, if it has any.
    pub fn covered_run(&self, place: usize) -> Option<&Covered> {
        self.covered.get(&place)
    }

    /// Returns the covered share of a glyph, from 0 to 1.
    pub fn part(&self, place: usize, glyph: usize) -> f32 {
        self.covered.get(&place).and_then(|covered| covered.parts.get(glyph)).copied().unwrap_or(0.0)
    }

    /// Whether a glyph is hidden.
    pub fn is_hidden(&self, place: usize, glyph: usize) -> bool {
        self.part(place, glyph) >= HIDDEN_MIN_PART
    }

    /// Whether a glyph may be hidden, without certainty.
    pub(crate) fn is_perhaps_hidden(&self, place: usize, glyph: usize) -> bool {
        let perhaps = self.covered.get(&place).and_then(|covered| covered.perhaps.get(glyph));
        perhaps.is_some_and(|part| *part >= HIDDEN_MIN_PART) && !self.is_hidden(place, glyph)
    }

    /// Whether a glyph is clipped away and its run is not covered.
    pub(crate) fn is_clipped(&self, place: usize, glyph: usize) -> bool {
        let is_excluded = |covered: &Covered| covered.by.is_empty() && self.part(place, glyph) >= COMPLETE_MIN_PART;
        self.covered.get(&place).is_some_and(is_excluded)
            || self.page.runs.get(place).is_some_and(|run| self.page.is_clipped_away(run, glyph))
    }

    /// Whether a glyph is visible: painted, inside its clip and not covered.
    pub fn is_seen(&self, place: usize, glyph: usize) -> bool {
        self.page.runs.get(place).is_some_and(|run| run.is_painted() && self.page.is_within_clip(run, glyph))
            && !self.is_hidden(place, glyph)
    }

    /// Whether any glyph of a run is visible.
    pub(crate) fn is_run_seen(&self, place: usize) -> bool {
        let Some(run) = self.page.runs.get(place) else { return false };
        match self.covered.get(&place) {
            Some(_) => (0..run.glyphs.len()).any(|glyph| self.is_seen(place, glyph)),
            None => run.is_painted(),
        }
    }
}

/// Whether an area changes its backdrop perceptibly.
fn covers(area: &Area) -> bool {
    area.is_solid || !matches!(area.effect, Effect::Mixed { alpha, .. } if alpha < IMPERCEPTIBLE_CONTRAST)
}

/// Whether the glyphs of a run may make text under them unreadable: paper-colored, thickly stroked, undecoded or of
/// unknown paint. With any other glyphs both texts stay visible.
fn may_cover(run: &Run) -> bool {
    let is_paper = run.color.is_none_or(|color| color.iter().all(|part| *part >= PAPER_MIN_COMPONENT));
    let is_thick = run.stroke >= THICK_STROKE_EM * run.size as f32 && run.stroke > 0.0;
    run.is_painted() && (is_paper || is_thick || run.is_type3 || run.undecoded > 0 || !run.is_known())
}

/// Whether a run that may cover others overlaps this one. A run in the same font and color is a continuation or drawn
/// twice; undecoded glyphs are letters unless larger.
fn may_cover_run(other: &Run, run: &Run) -> bool {
    let is_alike = other.font == run.font && other.color == run.color && other.mode == run.mode;
    let is_sign = other.size >= SYMBOL_MIN_SIZE_RATIO * run.size;
    let is_letter = other.undecoded > 0 && !is_sign && other.color == run.color && other.is_known();
    !is_alike && !is_letter && other.bounds.meets(run.bounds)
}

impl PageText {
    /// Returns the share of the letters in a box, from 0 to 1, that these areas touch, or with `hides` cover.
    pub fn covered_part(&self, bounds: Rectangle, covers: impl Fn(&Area) -> bool, hides: bool) -> f64 {
        if hides && self.is_under_layers(bounds, &covers) {
            return 1.0;
        }
        let line = Baseline { start: (bounds.left, bounds.bottom), direction: (1.0, 0.0), ..Baseline::default() };
        let mut rows: [Vec<Interval>; SCAN_ROWS] = Default::default();
        let is_over =
            |area: &&Area| (area.is_solid || !hides) && !area.is_off && covers(area) && area.bounds.meets(bounds);
        for area in self.areas.iter().filter(is_over) {
            for (place, row) in rows.iter_mut().enumerate() {
                let height = (0.2 + 0.6 * (place as f64 + 0.5) / SCAN_ROWS as f64) * bounds.height();
                intervals(self, area, (&line, height), row);
            }
        }
        rows.iter_mut().for_each(unite);
        let width = bounds.width() as f32;
        f64::from(
            rows.iter().map(|row| covered_length(row, 0.0, width)).sum::<f32>() / (SCAN_ROWS as f32 * width.max(0.01)),
        )
    }
}

impl PageText {
    /// Whether transparent rectangles over a whole box are opaque together: each lets a part of the light of those below it
    /// through.
    fn is_under_layers(&self, bounds: Rectangle, covers: impl Fn(&Area) -> bool) -> bool {
        let is_over = |area: &&Area| {
            let is_plain = area.kind == AreaKind::Rectangle && !area.is_solid && !area.is_off && !area.is_clipped();
            is_plain && area.bounds.holds(bounds) && covers(area)
        };
        let transparencies = self.areas.iter().filter(is_over).filter_map(|area| Some(1.0 - area.opacity()?));
        transparencies.product::<f32>() <= 1.0 - OPAQUE
    }
}

/// Covered intervals on each scan line.
type Rows = [Vec<Interval>; SCAN_ROWS];

/// Returns the coverage of a run by areas and letters; the inner option is none if nothing covers it, the outer one if
/// that takes more than `checks`.
#[expect(clippy::option_option, reason = "the outer one says that there is too much to do")]
fn coverage(
    page: &PageText,
    run: &Run,
    grounds: &Areas,
    (over, letters_over): (&[&Area], &[&Run]),
    checks: &mut usize,
) -> Option<Option<Covered>> {
    let mut rows = Rows::default();
    let mut perhaps = Rows::default();
    let mut by = Vec::new();
    let length = page.glyphs(run).iter().map(|glyph| glyph.end).fold(0.0, f32::max);
    let (solid, others): (Vec<&Area>, Vec<&Area>) = over.iter().partition(|area| area.is_solid);
    for area in solid {
        let mut is_over = false;
        for (row, height) in rows.iter_mut().zip(heights(run)) {
            let before = row.len();
            *checks = checks.checked_sub(1 + cost(page, area))?;
            intervals(page, area, (&run.line, height), row);
            is_over |= row.iter().skip(before).any(|(start, end)| *start < length && *end > 0.0);
        }
        if is_over {
            by.extend(page.areas.binary_search_by_key(&area.order, |area| area.order));
        }
    }
    mix(page, run, grounds, &others, (&mut rows, &mut perhaps, &mut by), checks)?;
    for other in letters_over {
        *checks = checks.checked_sub(SCAN_ROWS * page.glyphs(other).len())?;
        for (row, height) in perhaps.iter_mut().zip(heights(run)) {
            let boxes = page.glyphs(other).iter().map(|glyph| ink_box(other, glyph.start, glyph.end));
            row.extend(boxes.filter_map(|bounds| within_box(bounds, (&run.line, height))));
        }
    }
    let is_clipped = clip(page, run, (&mut rows, &mut perhaps), checks)?;
    if by.is_empty() && !is_clipped && perhaps.iter().all(Vec::is_empty) {
        return Some(None);
    }
    by.sort_unstable();
    by.dedup();
    rows.iter_mut().for_each(unite);
    let parts = shares(page, run, &rows, checks)?;
    if perhaps.iter().all(Vec::is_empty) {
        return Some(Some(Covered { parts, by, ..Covered::default() }));
    }
    for (perhaps, row) in perhaps.iter_mut().zip(&rows) {
        perhaps.extend(row);
        unite(perhaps);
    }
    let perhaps = shares(page, run, &perhaps, checks)?;
    Some(Some(Covered { parts, perhaps, by }))
}

/// Adds the intervals that transparent areas cover, or may cover.
fn mix(
    page: &PageText,
    run: &Run,
    grounds: &Areas,
    layers: &[&Area],
    (rows, perhaps, by): (&mut Rows, &mut Rows, &mut Vec<usize>),
    checks: &mut usize,
) -> Option<()> {
    let is_normal = |area: &&Area| matches!(area.effect, Effect::Mixed { blend: Blend::Normal, .. });
    // if all blending is normal, fewer layers leave more contrast
    if layers.is_empty()
        || layers.iter().all(is_normal)
            && text_visibility(run.color, Background::Unknown, layers) == TextVisibility::Seen
    {
        return Some(());
    }
    let (layers, rest) = layers.split_at(layers.len().min(MAX_BLENDED_LAYERS));
    let background = grounds.background(page, run);
    let mut known: Vec<(u32, TextVisibility)> = Vec::new();
    for (place, height) in heights(run).enumerate() {
        let row = (&run.line, height);
        let mut layer_intervals: Vec<Vec<Interval>> = Vec::with_capacity(layers.len());
        for area in layers {
            *checks = checks.checked_sub(1 + cost(page, area))?;
            let mut own = Vec::new();
            intervals(page, area, row, &mut own);
            unite(&mut own);
            layer_intervals.push(own);
        }
        let mut ends: Vec<f32> = layer_intervals.iter().flatten().flat_map(|(start, end)| [*start, *end]).collect();
        ends.sort_by(f32::total_cmp);
        ends.dedup();
        *checks = checks.checked_sub(ends.len() * layers.len())?;
        for pair in ends.windows(2) {
            let [start, end] = *pair else { continue };
            let middle = start + (end - start) / 2.0;
            let is_over = |own: &[Interval]| {
                let next = own.partition_point(|(_, end)| *end <= middle);
                own.get(next).is_some_and(|(start, _)| *start <= middle)
            };
            let bits = layer_intervals.iter().enumerate().filter(|(_, own)| is_over(own)).map(|(at, _)| 1_u32 << at);
            let bits = bits.fold(0, |all, bit| all | bit);
            if bits == 0 {
                continue;
            }
            let over = || layers.iter().enumerate().filter(|(at, _)| bits & 1 << at != 0).map(|(_, area)| *area);
            let visibility = match known.iter().find(|(known, _)| *known == bits) {
                Some((_, visibility)) => *visibility,
                None => {
                    let visibility = text_visibility(run.color, background, &over().collect::<Vec<_>>());
                    known.push((bits, visibility));
                    visibility
                }
            };
            match visibility {
                TextVisibility::Seen => {}
                TextVisibility::Unknown => perhaps.get_mut(place)?.push((start, end)),
                TextVisibility::Hidden => {
                    rows.get_mut(place)?.push((start, end));
                    by.extend(over().flat_map(|area| page.areas.binary_search_by_key(&area.order, |area| area.order)));
                }
            }
        }
        for area in rest {
            *checks = checks.checked_sub(1 + cost(page, area))?;
            intervals(page, area, row, perhaps.get_mut(place)?);
        }
    }
    Some(())
}

/// Adds the intervals outside a run's clip, all as uncertain if clips nest too deeply. Returns whether the run has a
/// clip path.
fn clip(page: &PageText, run: &Run, (rows, perhaps): (&mut Rows, &mut Rows), checks: &mut usize) -> Option<bool> {
    let Some(clip) = run.clip_shape else { return Some(false) };
    let all = (f32::NEG_INFINITY, f32::INFINITY);
    if clips(page, Some(clip)).count() > MAX_NESTED_CLIPS {
        perhaps.iter_mut().for_each(|row| row.push(all));
        return Some(true);
    }
    let cost: usize = clips(page, Some(clip)).map(|outline| 1 + page.outlines.count(outline)).sum();
    for (row, height) in rows.iter_mut().zip(heights(run)) {
        *checks = checks.checked_sub(cost)?;
        let mut within = vec![all];
        for outline in clips(page, Some(clip)) {
            let mut inside = enclosed(page, outline, (&run.line, height));
            unite(&mut inside);
            within = common(&within, &inside);
        }
        let mut start = f32::NEG_INFINITY;
        for (from, to) in within {
            row.push((start, from));
            start = to;
        }
        row.push((start, f32::INFINITY));
    }
    Some(true)
}

/// Returns the box of a glyph's ink, including its stroke.
fn ink_box(run: &Run, start: f32, end: f32) -> Rectangle {
    let (low, high) = run.line.ink;
    let point = |along: f32, off: f64| run.line.point(f64::from(along - run.skipped), off);
    let bounds = Rectangle::around([point(start, low), point(start, high), point(end, low), point(end, high)]);
    bounds.grown(f64::from(run.stroke) / 2.0)
}

/// Returns the covered share of each glyph.
fn shares(page: &PageText, run: &Run, rows: &Rows, checks: &mut usize) -> Option<Vec<f32>> {
    *checks = checks.checked_sub(run.glyphs.len())?;
    let least = (MIN_GLYPH_WIDTH_EM * run.line.em as f32).max(f32::EPSILON);
    let parts = page.glyphs(run).iter().map(|glyph| {
        let (start, end) = match glyph.end - glyph.start >= least {
            true => (glyph.start, glyph.end),
            false => (glyph.start - least / 2.0, glyph.end + least / 2.0),
        };
        rows.iter().map(|row| covered_length(row, start, end)).sum::<f32>()
            / (SCAN_ROWS as f32 * (end - start).max(f32::EPSILON))
    });
    Some(parts.collect())
}

/// Returns the heights of the scan lines above a run's baseline.
fn heights(run: &Run) -> impl Iterator<Item = f64> {
    let (bottom, top) = run.line.ink;
    (0..SCAN_ROWS).map(move |row| bottom + (row as f64 + 0.5) / SCAN_ROWS as f64 * (top - bottom))
}
