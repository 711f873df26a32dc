//! Covered text: overprinted if other words or a picture are in its place; whited out if a patch of the background's
//! color hides it within a visible line; otherwise covered, as by a failed redaction.

use std::collections::{BTreeMap, BTreeSet};

use super::finding::{Cover, HiddenText, LineChange, in_painting_order, joined, letters, text};
use super::indeterminate;
use super::invisible_text::BAR_MAX_PAGE_PART;
use super::page_visibility::{PageVisibility, is_meaningful};
use super::redrawn::is_redrawn;
use super::report::HiddenKind;
use super::similarity::{MIN_SIMILARITY, similarity};
use crate::{AnnotationKind, Area, AreaKind, BaselineKey, Covered, PageText, Rectangle, Run, covered_part};

/// Maximum size ratio of a text and its replacement.
const MAX_SIZE_RATIO: f64 = 2.0;
/// Baseline tolerance (em) for hidden text of a line, and for its other words.
const BASELINE_TOLERANCE_EM: f64 = 0.25;
const LINE_TOLERANCE_EM: f64 = 0.6;
/// Distance (em) at which words still count as written on a patch.
const PATCH_TOLERANCE_EM: f64 = 0.5;
/// Maximum height (em) of a patch for one line.
const PATCH_MAX_HEIGHT_EM: f64 = 2.5;
/// Maximum margin (em) of a patch around its words.
const PATCH_MAX_MARGIN_EM: f64 = 4.0;
/// Maximum margin (em) of a patch around a complete line that it erases, and minimum letters and digits of such a line.
const ERASED_MAX_MARGIN_EM: f64 = 1.0;
const ERASED_MIN_CHARACTERS: usize = 6;
/// Minimum height (em) of shapes that may be letters.
const LETTER_SHAPE_MIN_HEIGHT_EM: f64 = 0.4;
/// Minimum overlap of a visible glyph that is unreadably overprinted.
const OVERPRINTED_MIN_PART: f64 = 0.5;
/// Minimum gap (em) between the rest of a clipped word and the next word.
const CLIPPED_WORD_MIN_GAP_EM: f64 = 0.15;
/// Minimum further areas of the same size that show a table or form layout, and tolerance of their sides, in points.
const LAYOUT_MIN_AREAS: usize = 2;
const LAYOUT_TOLERANCE_PT: f64 = 0.5;
/// Maximum difference of components of equal-looking colors, and minimum component of a light color, of 255.
const COLOR_TOLERANCE: u8 = 8;
const LIGHT_MIN_COMPONENT: u8 = 200;

/// The hidden text of a line.
struct HiddenLine<'p> {
    visible: &'p PageVisibility<'p>,
    /// Indices of runs with hidden glyphs, ascending.
    runs: Vec<usize>,
    level: BaselineKey,
    size: f64,
    /// Its covers, in painting order.
    covers: Vec<&'p Area>,
    /// Bounding box and characters of the hidden text.
    bounds: Rectangle,
    text: String,
}

/// A line before it was covered, and its visible version.
struct Versions {
    before: String,
    now: String,
    /// Complete words with hidden glyphs.
    words: String,
    /// The text over the cover, and whether any of it is in the place of hidden glyphs.
    overprint: String,
    is_in_place: bool,
    /// Whether other words of the line are visible.
    has_rest: bool,
    /// Whether all hidden text is visible again in its place, without other text.
    is_redrawn: bool,
    /// Whether words of either version overlap so that they cannot be read.
    is_interleaved: bool,
}

/// Cost of looking up a run, in checks.
const LOOKUP_COST: usize = 16;

/// Returns the covered text of a page; none if that takes more than `checks`.
pub(super) fn find(visible: &PageVisibility, number: u32, checks: &mut usize) -> Option<Vec<HiddenText>> {
    let mut findings = Vec::new();
    // text under the same covers is one finding
    let mut covered: BTreeMap<Vec<u32>, Vec<Run>> = BTreeMap::new();
    let lines = lines(visible, checks)?;
    if lines.is_empty() {
        return Some(findings);
    }
    let levels = visible.levels();
    let runs = runs_by_cover(visible.page, visible.visibility.covered().map(|(_, covered)| covered));
    for line in lines {
        *checks = checks.checked_sub(LOOKUP_COST + visible.page.areas.len())?;
        let around = line.around(&levels);
        *checks = checks.checked_sub(around.len() * (line.covers.len() + LOOKUP_COST))?;
        match line.change(&around, &runs) {
            LineOutcome::Nothing => {}
            LineOutcome::Covered => {
                let covers = line.covers.iter().map(|area| area.order).collect();
                covered.entry(covers).or_default().extend(line.pieces());
            }
            LineOutcome::UnderBar => {
                let bars = line.bars();
                let pieces = line.pieces_under(&bars);
                covered.entry(bars.iter().map(|area| area.order).collect()).or_default().extend(pieces);
            }
            LineOutcome::Changed(kind, versions) => findings.extend(line.finding(number, kind, versions)),
        }
    }
    findings.extend(covered.into_iter().filter_map(|(covers, pieces)| {
        let finding = HiddenText::of(&visible.page.lines_of(&pieces), number, HiddenKind::Covered)?;
        let first = covers.first().and_then(|order| visible.page.areas.iter().find(|area| area.order == *order))?;
        let text = if indeterminate::is_interleaved(visible.page, &pieces) {
            in_painting_order(visible.page, &pieces)
        } else {
            finding.text
        };
        Some(HiddenText { cover: Some(cover(first)), text, ..finding })
    }));
    Some(findings)
}

/// The number of runs of which an area hides complete glyphs, by the area's order.
type RunsByCover = BTreeMap<u32, usize>;

fn runs_by_cover<'c>(page: &PageText, covered: impl Iterator<Item = &'c Covered>) -> RunsByCover {
    let mut runs = RunsByCover::new();
    for covered in covered.filter(|covered| covered.hides_complete_glyphs()) {
        for area in covered.by.iter().filter_map(|place| page.areas.get(*place)) {
            *runs.entry(area.order).or_default() += 1;
        }
    }
    runs
}

/// The outcome for a line with hidden text.
enum LineOutcome {
    Nothing,
    Covered,
    /// Under a bar on a scan; the scan covers the rest as well.
    UnderBar,
    Changed(HiddenKind, Versions),
}

/// Returns the lines with hidden text; none if there are too many.
fn lines<'p>(visible: &'p PageVisibility<'p>, checks: &mut usize) -> Option<Vec<HiddenLine<'p>>> {
    let mut hidden = Vec::new();
    for (place, covered) in visible.visibility.covered() {
        let Some(run) = visible.page.runs.get(place).filter(|_| covered.hides()) else { continue };
        *checks = checks.checked_sub(LOOKUP_COST)?;
        hidden.push((run.level(), place, run));
    }
    hidden.sort_by(|(one, ..), (other, ..)| one.order(*other));
    let mut groups: Vec<(BaselineKey, f64, Vec<usize>)> = Vec::new();
    for (level, place, run) in hidden {
        match groups.last_mut() {
            Some((first, size, places)) if first.is_near(level, BASELINE_TOLERANCE_EM * size.min(run.size)) => {
                places.push(place);
                *size = size.max(run.size);
            }
            _ => groups.push((level, run.size, vec![place])),
        }
    }
    // except text that is visible again, perhaps in another style, and text that is only touched
    let is_hidden = |place: &usize| visible.visibility.covered_run(*place).is_some_and(Covered::hides_complete_glyphs);
    groups.retain(|(.., runs)| runs.iter().any(|place| !visible.has_seen_copy(*place)) && runs.iter().any(is_hidden));
    Some(groups.into_iter().filter_map(|(level, size, runs)| HiddenLine::new(visible, level, size, runs)).collect())
}

impl<'p> HiddenLine<'p> {
    fn new(visible: &'p PageVisibility<'p>, level: BaselineKey, size: f64, mut runs: Vec<usize>) -> Option<Self> {
        runs.sort_unstable();
        let (bounds, text, covers) = (Rectangle::default(), String::new(), Vec::new());
        let mut line = Self { visible, runs, level, size: size.max(0.1), covers, bounds, text };
        let pieces = line.pieces();
        line.bounds = pieces.iter().map(|piece| piece.bounds).reduce(Rectangle::with)?;
        line.text = pieces.iter().map(|piece| visible.page.text(piece)).collect();
        // undecoded text of a single code is most likely blank
        let codes = || pieces.iter().flat_map(|piece| visible.page.glyphs(piece)).map(|glyph| glyph.code);
        let is_readable = line.text.chars().any(char::is_alphanumeric);
        if !is_readable && (!is_meaningful(&line.text) || codes().all(|code| Some(code) == codes().next())) {
            return None;
        }
        let over = line.runs.iter().filter_map(|place| visible.visibility.covered_run(*place));
        let mut covers: Vec<usize> = over.flat_map(|covered| covered.by.iter().copied()).collect();
        covers.sort_unstable();
        covers.dedup();
        let covers = covers.into_iter().filter_map(|place| visible.page.areas.get(place));
        line.covers = covers.filter(|area| pieces.iter().any(|piece| piece.bounds.meets(area.bounds))).collect();
        (!line.covers.is_empty()).then_some(line)
    }

    /// Returns the hidden pieces of its runs.
    fn pieces(&self) -> Vec<Run> {
        let mut pieces = Vec::new();
        for place in &self.runs {
            let Some(run) = self.visible.page.runs.get(*place) else { continue };
            self.visible.page.cut(run, |glyph| self.visible.visibility.is_hidden(*place, glyph), &mut pieces);
        }
        pieces
    }

    /// Returns its covers that are neither images nor page backgrounds.
    fn bars(&self) -> Vec<&'p Area> {
        let [width, height] = self.visible.page.size;
        let is_bar =
            |area: &&Area| area.kind != AreaKind::Image && area.bounds.area() <= BAR_MAX_PAGE_PART * width * height;
        self.covers.iter().copied().filter(is_bar).collect()
    }

    /// Returns the pieces of its runs under these areas.
    fn pieces_under(&self, bars: &[&Area]) -> Vec<Run> {
        let page = self.visible.page;
        let mut pieces = Vec::new();
        for place in &self.runs {
            let Some(run) = page.runs.get(*place) else { continue };
            let is_under = |glyph| {
                let bounds = page.glyph_box(run, glyph).unwrap_or_default();
                bars.iter().any(|bar| covered_part(bounds, bar.bounds) >= OVERPRINTED_MIN_PART)
            };
            page.cut(run, is_under, &mut pieces);
        }
        pieces
    }

    /// Returns the runs on this line, by index.
    fn around(&self, levels: &[(BaselineKey, usize)]) -> Vec<usize> {
        let far = LINE_TOLERANCE_EM * self.size;
        let start = levels.partition_point(|(level, _)| level.is_below(self.level, far));
        let near = levels.iter().skip(start).take_while(|(level, _)| self.level.is_near(*level, far));
        let is_as_large = |place: &usize| {
            let size = self.visible.page.runs.get(*place).map_or(0.0, |run| run.size);
            size <= MAX_SIZE_RATIO * self.size && self.size <= MAX_SIZE_RATIO * size
        };
        let mut places: Vec<usize> = near.map(|(_, place)| *place).filter(is_as_large).collect();
        places.sort_unstable();
        places
    }

    /// Returns the runs written over its covers: those that start there, or continue one that does.
    fn overprint(&self, around: &[usize]) -> BTreeSet<usize> {
        let mut overprint = BTreeSet::new();
        let mut last: Option<&Run> = None;
        for place in around {
            let Some(run) = self.visible.page.runs.get(*place) else { continue };
            let goes_on = last.is_some_and(|last| {
                let gap = run.bounds.left - last.bounds.right;
                run.order == last.order + 1 && (-self.size..=self.size).contains(&gap)
            });
            let is_overprint = self.visible.page.glyph_box(run, 0).is_some_and(|first| self.is_over(run, first));
            if is_overprint || (goes_on && self.level.is_upright()) {
                overprint.insert(*place);
                last = Some(run);
            }
        }
        overprint
    }

    /// Whether a glyph of a run is over its covers.
    fn is_over(&self, run: &Run, glyph: Rectangle) -> bool {
        let (x, y) = glyph.middle();
        let is_over = |area: &Area| {
            let near = area.bounds.grown(PATCH_TOLERANCE_EM * self.size);
            near.has((x, y)) || self.level.is_upright() && (near.left..=near.right).contains(&x)
        };
        self.covers.iter().take_while(|area| area.order < run.order).any(|area| is_over(area))
    }

    /// Returns the line before and now.
    fn versions(&self, around: &[usize]) -> Versions {
        let (page, visibility) = (self.visible.page, &self.visible.visibility);
        let written = self.overprint(around);
        let is_hidden =
            |place: usize, glyph: usize| self.runs.binary_search(&place).is_ok() && visibility.is_hidden(place, glyph);
        let is_overprint = |place, glyph| written.contains(&place) && visibility.is_seen(place, glyph);
        let cut = |is_wanted: &dyn Fn(usize, usize) -> bool| {
            let mut pieces = Vec::new();
            for place in around {
                let Some(run) = page.runs.get(*place).filter(|run| !self.is_block(run)) else { continue };
                page.cut(run, |glyph| is_wanted(*place, glyph), &mut pieces);
            }
            // all pieces are one line
            pieces.iter_mut().for_each(|piece| piece.snap_to_baseline(self.level));
            pieces
        };
        let overprint = cut(&is_overprint);
        let row = Row::of(&overprint);
        let is_over = |bounds: Rectangle, is_enough: fn(f64) -> bool| {
            row.any(bounds, |piece| is_enough(self.overlap(bounds, piece)))
        };
        let glyph_box = |place: usize, glyph| page.runs.get(place).and_then(|run| page.glyph_box(run, glyph));
        let is_visible_now = |place, glyph| {
            let bounds = glyph_box(place, glyph);
            let is_overprinted = bounds.is_some_and(|bounds| is_over(bounds, |part| part >= OVERPRINTED_MIN_PART));
            visibility.is_seen(place, glyph) && (is_overprint(place, glyph) || !is_overprinted)
        };
        let was = |place, glyph| {
            let is_there = visibility.is_seen(place, glyph) || is_hidden(place, glyph);
            is_there && !written.contains(&place)
        };
        let (before, now) = (cut(&was), cut(&is_visible_now));
        let is_interleaved = [&before, &now].into_iter().any(|line| indeterminate::is_interleaved(page, line));
        let (before, now) = (page.lines_of(&before), page.lines_of(&now));
        let is_in_place = |place: &usize| {
            let run = page.runs.get(*place);
            (0..run.map_or(0, |run| page.glyphs(run).len())).any(|glyph| {
                let bounds = glyph_box(*place, glyph).filter(|_| is_hidden(*place, glyph));
                bounds.is_some_and(|bounds| is_over(bounds, |part| part > 0.0))
            })
        };
        let rest = cut(&|place, glyph| visibility.is_seen(place, glyph) && !is_overprint(place, glyph));
        let words = before.iter().flat_map(|line| &line.words);
        let hidden = Row::of(&self.pieces());
        let is_changed = |bounds: Rectangle| hidden.any(bounds, |piece| self.overlap(piece, bounds) > 0.01);
        Versions {
            words: joined(words.filter(|word| is_changed(word.bounds))),
            before: text(&before),
            now: text(&now),
            overprint: overprint.iter().map(|piece| page.text(piece)).collect(),
            is_in_place: self.runs.iter().any(is_in_place),
            is_redrawn: is_redrawn(page, &self.pieces(), &overprint, self.size),
            is_interleaved,
            has_rest: rest.iter().any(|piece| piece.annotation.is_none() && is_meaningful(page.text(piece))),
        }
    }

    /// Whether a run is itself a cover, made of block characters.
    fn is_block(&self, run: &Run) -> bool {
        let mut covers = self.covers.iter();
        let is_own_block = |area: &Area| area.kind == AreaKind::Block && area.bounds.meets(run.bounds);
        covers.any(|area| is_own_block(area)) && !self.visible.page.text(run).chars().any(char::is_alphanumeric)
    }

    /// Returns the share of a box, from 0 to 1, inside another one along the line.
    fn overlap(&self, one: Rectangle, other: Rectangle) -> f64 {
        let common = one.clipped(other);
        let across = common.width() / one.width().max(0.01);
        if self.level.is_upright() { across } else { across.min(common.height() / one.height().max(0.01)) }
    }

    fn change(&self, around: &[usize], runs: &RunsByCover) -> LineOutcome {
        let versions = self.versions(around);
        let is_scan = self.visible.is_scan && self.covers.iter().all(|area| area.kind == AreaKind::Image);
        if self.visible.is_scan && !is_scan && self.covers.iter().any(|area| area.kind == AreaKind::Image) {
            return if self.pieces_under(&self.bars()).is_empty() {
                LineOutcome::Nothing
            } else {
                LineOutcome::UnderBar
            };
        }
        if versions.is_redrawn
            || letters(&versions.before) == letters(&versions.now)
            || (is_scan && !versions.has_rest && !is_meaningful(&versions.overprint))
        {
            return LineOutcome::Nothing;
        }
        // overlapping form samples leave partial words; replacing words leaves none
        if versions.is_interleaved && self.cuts_into_words() {
            return LineOutcome::Covered;
        }
        if self.is_erased_by_annotation(&versions) {
            return LineOutcome::Changed(HiddenKind::Covered, versions);
        }
        if self.is_field_appearance() && !self.is_other_value(&versions) {
            return LineOutcome::Covered;
        }
        if self.is_overflow(around) || self.is_clipped_mid_word(around) {
            return LineOutcome::Covered;
        }
        let is_patch = self.is_patch();
        if versions.is_in_place && is_meaningful(&versions.overprint) {
            let is_alike = || similarity(&self.text, &versions.overprint) >= MIN_SIMILARITY;
            let is_retyped = is_patch || is_alike();
            return if is_retyped { LineOutcome::Changed(HiddenKind::Retyped, versions) } else { LineOutcome::Covered };
        }
        // a single-color image is a bar
        let is_pasted = self.covers.iter().any(|area| area.kind == AreaKind::Image && area.color.is_none());
        if !is_patch || is_meaningful(&versions.overprint) {
            return LineOutcome::Covered;
        }
        if !versions.has_rest {
            return match self.is_erased(runs) {
                true => LineOutcome::Changed(HiddenKind::Covered, versions),
                false => LineOutcome::Covered,
            };
        }
        if is_pasted || self.has_letter_shapes() {
            return LineOutcome::Changed(HiddenKind::Retyped, versions);
        }
        match self.is_narrow() && self.matches_background() && !self.is_layout_area() {
            true => LineOutcome::Changed(HiddenKind::Covered, versions),
            false => LineOutcome::Covered,
        }
    }

    fn finding(&self, number: u32, kind: HiddenKind, versions: Versions) -> Option<HiddenText> {
        let finding = HiddenText::of(&self.visible.page.lines_of(&self.pieces()), number, kind)?;
        // a line of overlapping words is not quoted: only the hidden text is reported
        let is_quoted = !versions.is_interleaved;
        let text = if is_quoted { versions.words } else { in_painting_order(self.visible.page, &self.pieces()) };
        let change = LineChange { before: versions.before, now: versions.now };
        let cover = self.covers.iter().find(|area| area.kind == AreaKind::Image).or(self.covers.first());
        Some(HiddenText {
            text,
            change: Some(change).filter(|_| is_quoted),
            cover: cover.map(|area| self::cover(area)),
            ..finding
        })
    }

    /// Whether all its covers are appearances of form fields, which show values there.
    fn is_field_appearance(&self) -> bool {
        let is_widget = |number: u32| {
            let mut annotations = self.visible.page.annotations.iter();
            annotations.any(|found| found.number == number && matches!(found.kind, AnnotationKind::Widget))
        };
        self.covers.iter().all(|area| area.annotation.is_some_and(is_widget))
    }

    /// Whether annotations in the color of the background, with nothing on them, hide a number of a line that is visible
    /// otherwise. Fields may hide what the form has there.
    fn is_erased_by_annotation(&self, versions: &Versions) -> bool {
        self.covers.iter().all(|area| area.annotation.is_some())
            && !self.is_field_appearance()
            && has_digits(&self.text)
            && !is_meaningful(&versions.overprint)
            && versions.has_rest
            && self.is_narrow()
            && self.matches_background()
            && !self.is_laid_out()
    }

    /// Whether a form field shows a value over another value of the page, not over placeholder text.
    fn is_other_value(&self, versions: &Versions) -> bool {
        has_digits(&self.text)
            && has_digits(&versions.overprint)
            && versions.is_in_place
            && similarity(&self.text, &versions.overprint) >= MIN_SIMILARITY
    }

    /// Whether letter-like shapes of another color were drawn over the cover, in place of the text.
    fn has_letter_shapes(&self) -> bool {
        let Some(first) = self.covers.first() else { return false };
        let differs = |area: &Area| match (area.color, first.color) {
            (Some(one), Some(other)) => one.iter().zip(other).any(|(one, other)| one.abs_diff(other) > COLOR_TOLERANCE),
            _ => area.color.is_some(),
        };
        let is_shape = |area: &&Area| {
            let is_outlined = matches!(area.kind, AreaKind::Shape | AreaKind::Stencil) || area.is_clipped();
            let is_as_high = (LETTER_SHAPE_MIN_HEIGHT_EM * self.size..=PATCH_MAX_HEIGHT_EM * self.size)
                .contains(&area.bounds.height());
            area.order > first.order
                && is_outlined
                && is_as_high
                && !area.is_off
                && differs(area)
                && self.overlap(area.bounds, self.bounds) >= OVERPRINTED_MIN_PART
        };
        self.level.is_upright() && self.visible.areas.around(self.bounds).iter().any(|area| is_shape(&&**area))
    }

    /// Whether all its covers are as high as one line.
    fn is_patch(&self) -> bool {
        let height = |bounds: Rectangle| {
            if self.level.is_upright() { bounds.height() } else { bounds.height().min(bounds.width()) }
        };
        self.covers.iter().all(|area| height(area.bounds) <= PATCH_MAX_HEIGHT_EM * self.size)
    }

    /// Whether all its covers are as wide as the hidden words.
    fn is_narrow(&self) -> bool {
        let around = self.bounds.grown(PATCH_MAX_MARGIN_EM * self.size);
        self.covers.iter().all(|area| around.holds(area.bounds))
    }

    /// Whether a complete line was erased: under a patch of the page's own content that is hardly larger, has the color of
    /// the background, and covers no other line. Panels, banners and table cells are larger or cover several.
    fn is_erased(&self, runs: &RunsByCover) -> bool {
        let around = self.bounds.grown(ERASED_MAX_MARGIN_EM * self.size);
        let is_tight = |area: &Area| area.annotation.is_none() && around.holds(area.bounds);
        let is_alone = || {
            let covered = self.runs.iter().filter_map(|place| self.visible.visibility.covered_run(*place));
            let own = runs_by_cover(self.visible.page, covered);
            self.covers.iter().all(|area| runs.get(&area.order) == own.get(&area.order))
        };
        // codes that cannot be decoded are letters as well
        let is_letter = |letter: &char| letter.is_alphanumeric() || *letter == char::REPLACEMENT_CHARACTER;
        self.text.chars().filter(is_letter).count() >= ERASED_MIN_CHARACTERS
            && self.covers.iter().all(|area| is_tight(area))
            && self.matches_background()
            && !self.is_laid_out()
            && is_alone()
    }

    /// Whether the cover matches the background.
    fn matches_background(&self) -> bool {
        let Some(first) = self.covers.first() else { return false };
        let mut earlier = self.visible.areas.earlier(self.bounds, first.order).iter().rev();
        let background_area = earlier.find(|area| area.is_solid && area.bounds.has(self.bounds.middle()));
        let background = background_area.map_or(Some([255; 3]), |area| area.color);
        let is_alike = |color: [u8; 3]| match background {
            Some(background) => color.iter().zip(background).all(|(one, other)| one.abs_diff(other) <= COLOR_TOLERANCE),
            // a picture, whose color there is unknown
            None => color.iter().all(|part| *part >= LIGHT_MIN_COMPONENT),
        };
        self.covers.iter().all(|area| area.color.is_some_and(is_alike))
    }

    /// Whether it is overflow: the end of a text too long for its cell, under the next cell, each cell painted before
    /// its text.
    fn is_overflow(&self, around: &[usize]) -> bool {
        let [cover] = self.covers.as_slice() else { return false };
        let Rectangle { left, bottom, top, .. } = cover.bounds;
        let is_near = |one: f64, other: f64| (one - other).abs() <= LAYOUT_TOLERANCE_PT;
        let is_cell = |area: &&&Area| {
            let cell = area.bounds;
            area.hides() && is_near(cell.right, left) && is_near(cell.bottom, bottom) && is_near(cell.top, top)
        };
        let Some(cell) = self.visible.areas.earlier(self.bounds, cover.order).iter().find(is_cell) else {
            return false;
        };
        // visible words of the cell to the right of the cover: its text was not cut off
        let goes_on = |place: &usize| {
            let Some(run) = self.visible.page.runs.get(*place) else { return false };
            (cell.order..cover.order).contains(&run.order)
                && run.bounds.left >= cover.bounds.right - LAYOUT_TOLERANCE_PT
                && self.visible.visibility.is_run_seen(*place)
        };
        // words that continue under the cover
        let is_begun = |place: &usize| {
            let Some(run) = self.visible.page.runs.get(*place) else { return false };
            let is_in_cell = (cell.order..cover.order).contains(&run.order) && run.bounds.left < left;
            is_in_cell && run.bounds.right >= self.bounds.left - PATCH_TOLERANCE_EM * self.size
        };
        around.iter().any(is_begun) && !around.iter().any(goes_on)
    }

    /// Whether the cover clips words: text continues under it from inside a word to its end or into another word, and
    /// other text starts at a distance. Replacing words leaves no partial ones. Numbers may have gaps.
    fn is_clipped_mid_word(&self, around: &[usize]) -> bool {
        let (page, visibility) = (self.visible.page, &self.visible.visibility);
        let first_box = |place: &usize| page.runs.get(*place).and_then(|run| page.glyph_box(run, 0));
        let written: Vec<Rectangle> = self.overprint(around).iter().filter_map(first_box).collect();
        let is_hidden = |place: usize, glyph: usize| visibility.is_hidden(place, glyph);
        // where visible text ends or starts again: run and following glyph
        let ends = self.runs.iter().flat_map(|place| {
            let count = page.runs.get(*place).map_or(0, |run| page.glyphs(run).len());
            let ends = (1..count).filter(|glyph| is_hidden(*place, glyph - 1) != is_hidden(*place, *glyph));
            ends.map(|glyph| (*place, glyph))
        });
        let mut ends: Vec<(f64, usize, usize)> = ends
            .filter_map(|(place, glyph)| Some((page.glyph_box(page.runs.get(place)?, glyph - 1)?.right, place, glyph)))
            .collect();
        ends.sort_by(|one, other| one.0.total_cmp(&other.0));
        let is_within_word = |(_, place, glyph): &(f64, usize, usize)| {
            let is_letter = |glyph| {
                let text = page.runs.get(*place).and_then(|run| page.glyph_text(run, glyph));
                text.is_some_and(|text| text.chars().any(char::is_alphabetic))
            };
            is_letter(glyph - 1) && is_letter(*glyph)
        };
        let Some((left, place, glyph)) = ends.first() else { return false };
        self.level.is_upright()
            && !is_hidden(*place, glyph - 1)
            && *left <= self.bounds.left + LAYOUT_TOLERANCE_PT
            && ends.iter().all(is_within_word)
            && written.iter().all(|first| first.left >= left + CLIPPED_WORD_MIN_GAP_EM * self.size)
    }

    /// Whether the hidden text starts or ends between two letters of a word.
    fn cuts_into_words(&self) -> bool {
        let (page, visibility) = (self.visible.page, &self.visible.visibility);
        self.runs.iter().filter_map(|place| Some((*place, page.runs.get(*place)?))).any(|(place, run)| {
            let is_letter =
                |glyph| page.glyph_text(run, glyph).is_some_and(|text| text.chars().any(char::is_alphabetic));
            let is_hidden = |glyph| visibility.is_hidden(place, glyph);
            let mut ends = 1..page.glyphs(run).len();
            ends.any(|glyph| is_hidden(glyph - 1) != is_hidden(glyph) && is_letter(glyph - 1) && is_letter(glyph))
        })
    }

    /// Whether it was cut off by a layout area: the end of a text too long for its cell, under one of several areas of
    /// the same size.
    fn is_layout_area(&self) -> bool {
        let visibility = &self.visible.visibility;
        let is_cut = |place: &usize| {
            let count = self.visible.page.runs.get(*place).map_or(0, |run| self.visible.page.glyphs(run).len());
            let first = (0..count).find(|glyph| visibility.is_hidden(*place, *glyph)).unwrap_or(0);
            first > 0 && (first..count).all(|glyph| visibility.is_hidden(*place, glyph))
        };
        self.runs.iter().all(is_cut) && self.is_laid_out()
    }

    /// Whether there are other areas of the size of its covers in their row or column.
    fn is_laid_out(&self) -> bool {
        let is_near = |one: f64, other: f64| (one - other).abs() <= LAYOUT_TOLERANCE_PT;
        let is_alike = |area: &Area, other: &Area| {
            let (one, two) = (area.bounds, other.bounds);
            let is_as_high = is_near(one.height(), two.height());
            let is_in_row =
                is_near(one.bottom, two.bottom) || (is_near(one.left, two.left) && is_near(one.right, two.right));
            area.order != other.order && is_as_high && is_in_row && area.color == other.color && other.hides()
        };
        let has_others = |area: &&Area| {
            self.visible.page.areas.iter().filter(|other| is_alike(area, other)).take(LAYOUT_MIN_AREAS).count()
                >= LAYOUT_MIN_AREAS
        };
        self.covers.iter().all(has_others)
    }
}

/// Boxes sorted by left side, to look up intersections.
struct Row {
    boxes: Vec<Rectangle>,
    /// Maximum right side up to each box.
    reach: Vec<f64>,
}

impl Row {
    fn of(pieces: &[Run]) -> Self {
        let mut boxes: Vec<Rectangle> = pieces.iter().map(|piece| piece.bounds).collect();
        boxes.sort_by(|one, other| one.left.total_cmp(&other.left));
        let mut farthest = f64::MIN;
        let reach = boxes.iter().map(|bounds| {
            farthest = farthest.max(bounds.right);
            farthest
        });
        Self { reach: reach.collect(), boxes }
    }

    /// Whether any box that overlaps `bounds` horizontally is wanted.
    fn any(&self, bounds: Rectangle, is_wanted: impl Fn(Rectangle) -> bool) -> bool {
        let behind = self.boxes.partition_point(|found| found.left < bounds.right);
        let before = self.boxes.iter().zip(&self.reach).take(behind).rev();
        before.take_while(|(_, reach)| **reach > bounds.left).any(|(found, _)| is_wanted(*found))
    }
}

/// Whether a text has a digit that counts.
fn has_digits(text: &str) -> bool {
    text.chars().any(|letter| matches!(letter, '1'..='9'))
}

fn cover(area: &Area) -> Cover {
    match (area.kind, area.color) {
        (AreaKind::Image, _) => Cover::Image,
        (AreaKind::Shading, _) => Cover::Shading,
        (_, Some(color)) if color.iter().all(|part| *part >= 240) => Cover::White,
        (_, Some(color)) if color.iter().all(|part| *part <= 40) => Cover::Black,
        _ => Cover::Colored,
    }
}
