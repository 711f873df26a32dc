//! Page content that an added annotation or a later revision paints over.
//!
//! [`overlaid`] takes two drawings in the same coordinates: the original page (`page`), and a page or a single
//! appearance (`over`). It returns the words of `page` that `over` touches, and its paths and images, with
//! their boxes and whether they are hidden: of page content and of the annotations that `is_under` selects by object
//! number. Writing surfaces are excluded as far as they stay visible: an even background under and around the paint on
//! it, straight rules of up to 2 points, leaders. Transparent paint counts; optional content that is off does not.

use super::area::{Area, AreaKind};
use super::blend::{contrast, parts};
use super::font::is_point;
use super::geometry::Rectangle;
use super::ground::{DarkGrounds, luminance};
use super::page_model::PageText;
use super::piece::Ink;
use super::run::{Baseline, Glyph, Run};
use super::scan_line::{Interval, Row, common, intervals, unite, within_box};

/// Minimum overlap for contact and for occlusion.
const TOUCHED_MIN_PART: f32 = 0.02;
const HIDDEN_MIN_PART: f32 = 0.5;
/// Minimum hidden part of the border of a box.
const FRAME_HIDDEN_MIN_PART: f32 = 0.95;
/// Minimum difference of the luminance of content and a cover, and of the color of ink.
const COVER_MIN_CONTRAST: f32 = 0.15;
const INK_MIN_CONTRAST: f32 = 0.3;
/// Minimum glyphs of a leader that may be covered.
const LEADER_MIN_GLYPHS: usize = 5;
/// Maximum width of a rule, in points.
const RULE_MAX_WIDTH_PT: f64 = 2.0;
/// Maximum scan lines through the intersection of two areas, and their distance in points.
const MAX_SCAN_ROWS: usize = 32;
const SCAN_ROW_DISTANCE_PT: f64 = 0.5;

/// Page content that is painted over.
#[derive(Debug, Clone, PartialEq)]
pub struct Overlaid {
    /// What is painted over.
    pub what: Painted,
    /// Object number of the annotation whose appearance it is part of; none for page content.
    pub annotation: Option<u32>,
    /// Its bounding box, in points of the page.
    pub bounds: Rectangle,
    /// Its position in the painting order of the page.
    pub order: u32,
    /// Whether at least half of it is hidden.
    pub is_hidden: bool,
    /// Whether a part of a drawing that reads by itself is hidden or written over.
    pub is_changed: bool,
}

/// A kind of page content.
#[derive(Debug, Clone, PartialEq)]
pub enum Painted {
    /// Text, the touched glyphs only.
    Words(String),
    /// A filled or stroked path.
    Path,
    /// An image, a stencil mask or a shading.
    Picture,
    /// Other paint that may show words which are not read: a pattern, or what a mask or a clip lets through.
    Unread,
}

/// Returns the content of `page` that `over` touches; none if that takes more than `checks`.
pub fn overlaid(
    page: &PageText,
    over: &PageText,
    is_under: impl Fn(u32) -> bool,
    checks: &mut usize,
) -> Option<Vec<Overlaid>> {
    let areas: Vec<&Area> = over.areas.iter().filter(|area| !area.is_off).collect();
    let runs: Vec<&Run> = over.runs.iter().filter(|run| run.is_painted()).collect();
    let mut found = Vec::new();
    let is_wanted = |run: &&Run| run.annotation.is_none_or(&is_under) && run.is_painted();
    for run in page.runs.iter().filter(is_wanted) {
        *checks = checks.checked_sub(areas.len() + runs.len())?;
        found.extend(touched_words((page, run), (over, &areas, &runs), checks)?);
    }
    let is_wanted = |area: &&Area| area.annotation.is_none_or(&is_under) && !area.is_off;
    let grounds = page.dark_grounds();
    for area in page.areas.iter().filter(is_wanted) {
        *checks = checks.checked_sub(areas.len() + runs.len())?;
        found.extend(touched_area((page, area, &grounds), (over, &areas, &runs), checks)?);
    }
    Some(found)
}

/// Returns the touched glyphs of a run; the inner option is none if there are none.
#[expect(clippy::option_option, reason = "the outer one says that there is too much to do")]
fn touched_words(
    (page, run): (&PageText, &Run),
    (over, areas, runs): (&PageText, &[&Area], &[&Run]),
    checks: &mut usize,
) -> Option<Option<Overlaid>> {
    let areas: Vec<&&Area> = areas.iter().filter(|area| area.bounds.meets(run.bounds)).collect();
    let runs: Vec<&&Run> = runs.iter().filter(|other| other.bounds.meets(run.bounds)).collect();
    let (mut touched, mut hidden) = (Vec::new(), 0);
    let count = page.glyphs(run).len();
    if areas.is_empty() && runs.is_empty() {
        return Some(None);
    }
    for glyph in 0..count {
        let Some(bounds) = page.glyph_box(run, glyph) else { continue };
        *checks = checks.checked_sub(areas.iter().map(|area| 1 + over.outlines.count(&area.outline)).sum::<usize>())?;
        let part =
            |hides: bool| over.covered_part(bounds, |area| areas.iter().any(|one| one.order == area.order), hides);
        let is_written = runs.iter().any(|other| {
            let glyphs = (0..over.glyphs(other).len()).filter(|&glyph| !over.is_clipped_away(other, glyph));
            glyphs.filter_map(|glyph| over.glyph_box(other, glyph)).any(|glyph| glyph.meets(bounds))
        });
        hidden += usize::from(part(true) >= f64::from(HIDDEN_MIN_PART));
        if is_written || part(false) >= f64::from(TOUCHED_MIN_PART) {
            touched.push(glyph);
        }
    }
    let mut pieces = Vec::new();
    page.cut(run, |glyph| touched.contains(&glyph), &mut pieces);
    let text: String = pieces.iter().map(|piece| page.text(piece)).collect();
    let is_hidden = 2 * hidden >= touched.len().max(1);
    let is_leader = page.is_leader(run);
    let is_touched = !touched.is_empty() && (!is_leader || is_hidden && !page.is_long_leader(run));
    let is_hidden = is_hidden && !is_leader;
    let what = Painted::Words(text);
    let (annotation, bounds, order) = (run.annotation, run.bounds, run.order);
    let found = Overlaid { what, annotation, bounds, order, is_hidden, is_changed: false };
    Some(is_touched.then_some(found))
}

/// Returns an area if it is touched; the inner option is none if it is not, or is the background of all that is on it.
#[expect(clippy::option_option, reason = "the outer one says that there is too much to do")]
fn touched_area(
    (page, area, grounds): (&PageText, &Area, &DarkGrounds),
    (over, areas, runs): (&PageText, &[&Area], &[&Run]),
    checks: &mut usize,
) -> Option<Option<Overlaid>> {
    let is_even = area.color.is_some() && area.kind == AreaKind::Rectangle && area.is_opaque;
    let is_background = |bounds: Rectangle| is_even && area.bounds.holds(bounds);
    let is_written = runs.iter().any(|run| run.bounds.meets(area.bounds) && !is_background(run.bounds));
    let is_rule = is_rule(area);
    let (mut part, mut hidden, mut is_unknown, mut is_crossed) = (0.0_f32, 0.0_f32, false, false);
    for other in
        areas.iter().filter(|other| !is_rule && other.bounds.meets(area.bounds) && !is_background(other.bounds))
    {
        let points = page.outlines.count(&area.outline) + over.outlines.count(&other.outline);
        *checks = checks.checked_sub(MAX_SCAN_ROWS * (2 + points))?;
        let both = shared((page, area, area.bounds), |row, found| intervals(over, other, row, found));
        // thin paint may be between the scan lines
        is_crossed |= area.is_sampled() && !area.is_clipped();
        // what a mask lets through may be text
        is_unknown |= both.is_none() && area.is_clipped();
        let both = both.unwrap_or(0.0);
        part = part.max(both);
        hidden = hidden.max(if other.is_solid { both } else { 0.0 });
    }
    let is_changed = is_changed((page, area, grounds), (over, areas, runs), checks)?;
    let is_touched = is_changed || !is_rule && (is_written || part > 0.0 || is_unknown || is_crossed);
    Some(is_touched.then_some(Overlaid {
        what: match area.is_unread() || is_unknown {
            true if area.is_sampled() => Painted::Picture,
            true => Painted::Unread,
            false => Painted::Path,
        },
        annotation: area.annotation,
        bounds: area.bounds,
        order: area.order,
        is_hidden: !is_rule && hidden >= HIDDEN_MIN_PART,
        is_changed,
    }))
}

/// Whether a part of a drawing that reads by itself is hidden by paint of another luminance, or written over.
fn is_changed(
    (page, area, grounds): (&PageText, &Area, &DarkGrounds),
    (over, areas, runs): (&PageText, &[&Area], &[&Run]),
    checks: &mut usize,
) -> Option<bool> {
    let mut painted = areas.iter().map(|other| other.bounds).chain(runs.iter().map(|run| run.bounds));
    if area.kind.is_picture() || !painted.any(|bounds| bounds.meets(area.bounds)) {
        return Some(false);
    }
    let is_ink = grounds.is_ink(area);
    let contrasts = |other: &Area| match (area.color_on_paper(), other.color_on_paper()) {
        (Some(own), Some(other)) => {
            (luminance(own) - luminance(other)).abs() >= COVER_MIN_CONTRAST
                || is_ink && contrast(parts(own), parts(other)) >= INK_MIN_CONTRAST
        }
        _ => true,
    };
    let covers: Vec<&&Area> = areas.iter().filter(|other| other.is_solid && contrasts(other)).collect();
    let letters: Vec<&&Run> = runs.iter().filter(|_| is_ink).collect();
    let is_near = covers.iter().any(|other| other.bounds.meets(area.bounds))
        || letters.iter().any(|run| run.bounds.meets(area.bounds));
    if !is_near {
        return Some(false);
    }
    for Ink { bounds, is_frame } in page.ink(area) {
        let near: Vec<&&&Area> = covers.iter().filter(|other| other.bounds.meets(bounds)).collect();
        *checks = checks.checked_sub(near.iter().map(|other| 1 + over.outlines.count(&other.outline)).sum())?;
        let min_part = if is_frame { FRAME_HIDDEN_MIN_PART } else { HIDDEN_MIN_PART };
        let is_one = |area: &Area| near.iter().any(|other| other.order == area.order);
        if !near.is_empty() && over.covered_part(bounds, is_one, true) >= f64::from(min_part) {
            return Some(true);
        }
        if is_frame || area.kind == AreaKind::Rectangle && is_rule(area) {
            continue;
        }
        // thin covers may follow a line
        for other in near {
            let points = page.outlines.count(&area.outline) + over.outlines.count(&other.outline);
            *checks = checks.checked_sub(MAX_SCAN_ROWS * (2 + points))?;
            let covered = shared((page, area, bounds), |row, found| intervals(over, other, row, found));
            if covered.is_some_and(|part| part >= HIDDEN_MIN_PART) {
                return Some(true);
            }
        }
        let mut written = 0.0;
        for run in letters.iter().filter(|run| run.bounds.meets(bounds)) {
            let glyphs = over.glyphs(run).len();
            *checks = checks.checked_sub(glyphs)?;
            let glyphs = (0..glyphs).filter_map(|glyph| over.glyph_box(run, glyph));
            written += glyphs
                .map(|glyph| glyph.clipped(bounds))
                .filter(|both| !both.is_empty())
                .map(Rectangle::area)
                .sum::<f64>();
        }
        if written >= f64::from(HIDDEN_MIN_PART) * bounds.area() {
            return Some(true);
        }
    }
    Some(false)
}

/// Returns the share of an area's paint in a place, from 0 to 1, that another drawing covers, by scan lines; none if
/// nothing of it is painted there.
fn shared((page, area, place): (&PageText, &Area, Rectangle), covers: impl Fn(Row, &mut Vec<Interval>)) -> Option<f32> {
    let (mut filled, mut covered) = (0.0, 0.0);
    let line = Baseline { start: (place.left, place.bottom), direction: (1.0, 0.0), ..Baseline::default() };
    for row in scan_rows(place).map(|height| (&line, height)) {
        let (mut own, mut covering) = (Vec::new(), Vec::new());
        intervals(page, area, row, &mut own);
        own = common(&own, &[(0.0, place.width() as f32)]);
        covers(row, &mut covering);
        unite(&mut own);
        unite(&mut covering);
        filled += length(&own);
        covered += length(&common(&own, &covering));
    }
    (filled > 0.0).then(|| covered / filled)
}

/// Returns the heights of the scan lines through a place.
fn scan_rows(place: Rectangle) -> impl Iterator<Item = f64> {
    let rows = ((place.height() / SCAN_ROW_DISTANCE_PT).ceil() as usize).clamp(1, MAX_SCAN_ROWS);
    (0..rows).map(move |row| (row as f64 + 0.5) / rows as f64 * place.height())
}

fn length(row: &[Interval]) -> f32 {
    row.iter().map(|(start, end)| end - start).sum()
}

impl PageText {
    /// Adds the intervals of a scan line on which anything is painted, texts by their boxes.
    fn painted_intervals(&self, row: Row, found: &mut Vec<Interval>) {
        self.areas.iter().filter(|area| !area.is_off).for_each(|area| intervals(self, area, row, found));
        found.extend(self.runs.iter().filter(|run| run.is_painted()).filter_map(|run| within_box(run.bounds, row)));
    }

    /// Returns the share of a place, from 0 to 1, in which anything is painted.
    pub fn painted_part(&self, place: Rectangle) -> f64 {
        let line = Baseline { start: (place.left, place.bottom), direction: (1.0, 0.0), ..Baseline::default() };
        let (mut rows, mut painted) = (0.0, 0.0);
        for row in scan_rows(place).map(|height| (&line, height)) {
            let mut found = Vec::new();
            self.painted_intervals(row, &mut found);
            unite(&mut found);
            rows += 1.0;
            painted += length(&common(&found, &[(0.0, place.width() as f32)]));
        }
        f64::from(painted) / (rows * place.width().max(0.01))
    }

    /// Returns the share of an area, from 0 to 1, of which another drawing covers most.
    pub fn part_under(&self, over: &Self) -> f64 {
        let areas = self.areas.iter().filter(|area| !area.is_off);
        let covers = |row: Row, found: &mut Vec<Interval>| over.painted_intervals(row, found);
        areas.filter_map(|area| shared((self, area, area.bounds), covers)).fold(0.0, f32::max).into()
    }
}

impl PageText {
    /// Whether a run is a fill-in line or a leader: the same glyph again and again, or one for each kind of point.
    pub fn is_leader(&self, run: &Run) -> bool {
        let mut known: Vec<(&str, u32)> = Vec::new();
        let is_same = |(place, glyph): (usize, &Glyph)| {
            let Some(text) = self.glyph_text(run, place) else { return true };
            let first = known.iter().find(|(known, _)| *known == text).map_or(glyph.code, |(_, code)| *code);
            if !known.contains(&(text, first)) {
                known.push((text, first));
            }
            first == glyph.code
        };
        self.text(run).chars().all(is_point) && self.glyphs(run).iter().enumerate().all(is_same)
    }

    /// Whether a run is a leader that may be covered, too.
    pub fn is_long_leader(&self, run: &Run) -> bool {
        self.glyphs(run).len() >= LEADER_MIN_GLYPHS && self.is_leader(run)
    }
}

/// Whether an area is a thin straight rule.
fn is_rule(area: &Area) -> bool {
    let is_thin = area.bounds.width().min(area.bounds.height()) <= RULE_MAX_WIDTH_PT;
    !area.kind.is_picture() && is_thin
}

#[cfg(test)]
mod tests {
    use samples::texts::drawing;

    use super::{Overlaid, Painted, overlaid};
    use crate::{PageText, first_page};

    fn drawn(content: &str) -> PageText {
        first_page(drawing(content, "").classic())
    }

    fn found(page: &str, over: &str) -> Vec<(Painted, bool)> {
        let all = overlaid(&drawn(page), &drawn(over), |_| false, &mut 1_000_000).unwrap();
        all.into_iter().map(|Overlaid { what, is_hidden, .. }| (what, is_hidden)).collect()
    }

    #[test]
    fn touched_content_is_reported() {
        let words = |text: &str, is_hidden| vec![(Painted::Words(text.into()), is_hidden)];
        let line = "BT /F 10 Tf 20 100 Td (Total 1,250.00) Tj ET";
        for (page, over, expected) in [
            (line, "1 g 46 98 60 12 re f", words("1,250.00", true)),
            (line, "1 g 44.5 98 6 12 re f", words("1", true)),
            (line, "BT /F 10 Tf 45 100 Td (9) Tj ET", words("1", false)),
            (line, "20 0 60 60 re f", vec![]),
            // paths, wherever they are filled
            ("0 0 m 99 0 l 0 99 l h f", "5 5 10 10 re f", vec![(Painted::Path, false)]),
            ("0 0 m 99 0 l 0 99 l h f", "80 80 10 10 re f", vec![]),
            ("30 30 10 10 re f", "1 g 25 25 20 20 re f", vec![(Painted::Path, true)]),
            ("30 30 10 10 re f", "1 g 32 32 8 8 re f", vec![(Painted::Path, false)]),
            // grounds, rules and leaders
            ("0.9 g 0 0 300 150 re f", "25 25 20 20 re f", vec![]),
            ("0.9 g 0 0 30 150 re f", "25 25 20 20 re f", vec![(Painted::Path, false)]),
            ("10 30 m 200 30 l S", "25 25 20 20 re f", vec![]),
            ("BT /F 10 Tf 20 100 Td (______....) Tj ET", "20 98 60 12 re f", vec![]),
        ] {
            assert_eq!(found(page, over), expected, "{page} | {over}");
        }
    }

    #[test]
    fn exceeded_checks_give_no_answer() {
        let page = drawn("BT /F 10 Tf 20 100 Td (Total) Tj ET");
        let over = drawn("20 98 60 12 re f");
        assert_eq!(overlaid(&page, &over, |_| false, &mut 0), None);
    }
}
