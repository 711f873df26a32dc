//! Text under what was painted over it: retyped, if other words or a picture stand there now; whited out, if a patch of the
//! ground's colour hides it within a line that is seen; else covered, as by a redaction that only paints.

use std::collections::{BTreeMap, BTreeSet};

use super::finding::{HiddenText, LineChange, Veil, apart, joined, letters, text};
use super::indeterminate;
use super::invisible_text::BAR;
use super::page_visibility::{Sight, says_something};
use super::redrawn::is_again;
use super::report::HiddenKind;
use crate::content::{AnnotationKind, Area, AreaKind, Covered, LineLevel, Rectangle, Run, covered_part};
use crate::text::common::common;

/// How much larger a text may be than another one that stands in its place.
const LARGER: f64 = 2.0;
/// How far hidden text of one line may be off it, and how far other words of the line, in sizes.
const OFF: f64 = 0.25;
const OFF_LINE: f64 = 0.6;
/// How far words may stand beside a patch and still be written upon it, in sizes.
const BESIDE: f64 = 0.5;
/// How many lines high a patch may be that is made for the words of one.
const LINES: f64 = 2.5;
/// How far it may reach beyond them, in sizes.
const WIDER: f64 = 4.0;
/// The part of their characters that old and new words have in common under what is larger than a patch: whole tables are
/// painted over and written anew, but a banner over the end of a page says something else.
const SIMILAR: f64 = 0.5;
/// How high shapes are at least that are letters, in sizes.
const DRAWN: f64 = 0.4;
/// How much of a glyph that was left over another one may lie over for it not to be read.
const OVERPRINTED: f64 = 0.5;
/// How far what stands in the place of a text stands off what is left of it, if that broke off, in sizes.
const APART: f64 = 0.15;
/// Areas of the same size that a table or a form is laid out with, and how far apart their sides may be, in points.
const ALIKE: usize = 2;
const NEAR: f64 = 0.5;
/// How far parts of two colours may be apart that look alike, of 255; and from where on one is light.
const SHADE: u8 = 8;
const LIGHT: u8 = 200;

/// What is hidden of one line.
struct HiddenLine<'p> {
    sight: &'p Sight<'p>,
    /// The runs of which anything is hidden, by their places, ascending.
    runs: Vec<usize>,
    level: LineLevel,
    size: f64,
    /// What lies over it, in painting order.
    veils: Vec<&'p Area>,
    /// The box around what is hidden, and its characters.
    bounds: Rectangle,
    text: String,
}

/// A line as it was and as it is seen now.
struct Versions {
    before: String,
    now: String,
    /// The whole words of which anything is hidden.
    words: String,
    /// What was written upon the patch, and whether any of it stands where something is hidden.
    upon: String,
    is_instead: bool,
    /// Whether other words of the line are seen.
    has_rest: bool,
    /// Whether all that is hidden is seen in its place again, and all else that was written there lies within.
    is_again: bool,
    /// Whether words that are seen stand in each other's places, in either version: nobody can read them.
    is_interleaved: bool,
}

/// What looking up a run among others counts for.
const LOOKUP: usize = 16;

/// What is covered on a page; none if telling so takes more than `checks`.
pub(super) fn find(sight: &Sight, number: u32, checks: &mut usize) -> Option<Vec<HiddenText>> {
    let mut findings = Vec::new();
    // what is only covered is told together that lies under the same
    let mut covered: BTreeMap<Vec<u32>, Vec<Run>> = BTreeMap::new();
    let lines = lines(sight, checks)?;
    let levels = if lines.is_empty() { Vec::new() } else { sight.levels() };
    for line in lines {
        *checks = checks.checked_sub(LOOKUP + sight.page.areas.len())?;
        let around = line.around(&levels);
        *checks = checks.checked_sub(around.len() * (line.veils.len() + LOOKUP))?;
        match line.change(&around) {
            Judgement::Nothing => {}
            Judgement::Covered => {
                let veils = line.veils.iter().map(|area| area.order).collect();
                covered.entry(veils).or_default().extend(line.pieces());
            }
            Judgement::UnderBar => {
                let bars = line.bars();
                let pieces = line.pieces_under(&bars);
                covered.entry(bars.iter().map(|area| area.order).collect()).or_default().extend(pieces);
            }
            Judgement::Changed(kind, versions) => findings.extend(line.finding(number, kind, versions)),
        }
    }
    findings.extend(covered.into_iter().filter_map(|(veils, pieces)| {
        let finding = HiddenText::of(&sight.page.lines_of(&pieces), number, HiddenKind::Covered)?;
        let first = veils.first().and_then(|order| sight.page.areas.iter().find(|area| area.order == *order))?;
        let text =
            if indeterminate::is_interleaved(sight.page, &pieces) { apart(sight.page, &pieces) } else { finding.text };
        Some(HiddenText { veil: Some(veil(first)), text, ..finding })
    }));
    Some(findings)
}

/// What a line that is hidden in part comes to.
enum Judgement {
    Nothing,
    Covered,
    /// Under a bar over a scan, which covers the rest as well.
    UnderBar,
    Changed(HiddenKind, Versions),
}

/// The lines of which anything is hidden; none if there is too much of that.
fn lines<'p>(sight: &'p Sight<'p>, checks: &mut usize) -> Option<Vec<HiddenLine<'p>>> {
    let mut hidden = Vec::new();
    for (place, covered) in sight.visibility.covered() {
        let Some(run) = sight.page.runs.get(place).filter(|_| covered.hides()) else { continue };
        *checks = checks.checked_sub(LOOKUP)?;
        hidden.push((run.level(), place, run));
    }
    hidden.sort_by(|(one, ..), (other, ..)| one.order(*other));
    let mut groups: Vec<(LineLevel, f64, Vec<usize>)> = Vec::new();
    for (level, place, run) in hidden {
        match groups.last_mut() {
            Some((first, size, places)) if first.is_near(level, OFF * size.min(run.size)) => {
                places.push(place);
                *size = size.max(run.size);
            }
            _ => groups.push((level, run.size, vec![place])),
        }
    }
    // the same words once more, perhaps in another look; and what is only touched
    let is_hidden = |place: &usize| sight.visibility.covered_run(*place).is_some_and(Covered::hides_whole_glyphs);
    groups.retain(|(.., runs)| runs.iter().any(|place| !sight.is_seen_again(*place)) && runs.iter().any(is_hidden));
    Some(groups.into_iter().filter_map(|(level, size, runs)| HiddenLine::new(sight, level, size, runs)).collect())
}

impl<'p> HiddenLine<'p> {
    fn new(sight: &'p Sight<'p>, level: LineLevel, size: f64, mut runs: Vec<usize>) -> Option<Self> {
        runs.sort_unstable();
        let (bounds, text, veils) = (Rectangle::default(), String::new(), Vec::new());
        let mut line = Self { sight, runs, level, size: size.max(0.1), veils, bounds, text };
        let pieces = line.pieces();
        line.bounds = pieces.iter().map(|piece| piece.bounds).reduce(Rectangle::with)?;
        line.text = pieces.iter().map(|piece| sight.page.text(piece)).collect();
        // what cannot be read and is the same everywhere is most likely blank
        let codes = || pieces.iter().flat_map(|piece| sight.page.glyphs(piece)).map(|glyph| glyph.code);
        let is_readable = line.text.chars().any(char::is_alphanumeric);
        if !is_readable && (!says_something(&line.text) || codes().all(|code| Some(code) == codes().next())) {
            return None;
        }
        let over = line.runs.iter().filter_map(|place| sight.visibility.covered_run(*place));
        let mut veils: Vec<usize> = over.flat_map(|covered| covered.by.iter().copied()).collect();
        veils.sort_unstable();
        veils.dedup();
        let veils = veils.into_iter().filter_map(|place| sight.page.areas.get(place));
        line.veils = veils.filter(|area| pieces.iter().any(|piece| piece.bounds.meets(area.bounds))).collect();
        (!line.veils.is_empty()).then_some(line)
    }

    /// What is hidden of its runs.
    fn pieces(&self) -> Vec<Run> {
        let mut pieces = Vec::new();
        for place in &self.runs {
            let Some(run) = self.sight.page.runs.get(*place) else { continue };
            self.sight.page.cut(run, |glyph| self.sight.visibility.is_hidden(*place, glyph), &mut pieces);
        }
        pieces
    }

    /// What lies over it that is no picture, and not the ground of the page.
    fn bars(&self) -> Vec<&'p Area> {
        let [width, height] = self.sight.page.size;
        let is_bar = |area: &&Area| area.kind != AreaKind::Image && area.bounds.area() <= BAR * width * height;
        self.veils.iter().copied().filter(is_bar).collect()
    }

    /// What of its runs lies under these, by their boxes.
    fn pieces_under(&self, bars: &[&Area]) -> Vec<Run> {
        let page = self.sight.page;
        let mut pieces = Vec::new();
        for place in &self.runs {
            let Some(run) = page.runs.get(*place) else { continue };
            let is_under = |glyph| {
                let bounds = page.glyph_box(run, glyph).unwrap_or_default();
                bars.iter().any(|bar| covered_part(bounds, bar.bounds) >= OVERPRINTED)
            };
            page.cut(run, is_under, &mut pieces);
        }
        pieces
    }

    /// The runs that stand on this line, by their places in painting order.
    fn around(&self, levels: &[(LineLevel, usize)]) -> Vec<usize> {
        let far = OFF_LINE * self.size;
        let start = levels.partition_point(|(level, _)| level.is_below(self.level, far));
        let near = levels.iter().skip(start).take_while(|(level, _)| self.level.is_near(*level, far));
        let is_as_large = |place: &usize| {
            let size = self.sight.page.runs.get(*place).map_or(0.0, |run| run.size);
            size <= LARGER * self.size && self.size <= LARGER * size
        };
        let mut places: Vec<usize> = near.map(|(_, place)| *place).filter(is_as_large).collect();
        places.sort_unstable();
        places
    }

    /// The runs among these that were written upon what hides this line: that begin there, or go on from one that does.
    fn upon(&self, around: &[usize]) -> BTreeSet<usize> {
        let mut upon = BTreeSet::new();
        let mut last: Option<&Run> = None;
        for place in around {
            let Some(run) = self.sight.page.runs.get(*place) else { continue };
            let goes_on = last.is_some_and(|last| {
                let gap = run.bounds.left - last.bounds.right;
                run.order == last.order + 1 && (-self.size..=self.size).contains(&gap)
            });
            let is_upon = self.sight.page.glyph_box(run, 0).is_some_and(|first| self.is_over(run, first));
            if is_upon || (goes_on && self.level.is_upright()) {
                upon.insert(*place);
                last = Some(run);
            }
        }
        upon
    }

    /// Whether a glyph with this box, of this run, lies over what hides this line.
    fn is_over(&self, run: &Run, glyph: Rectangle) -> bool {
        let (x, y) = glyph.middle();
        let is_over = |area: &Area| {
            let near = area.bounds.grown(BESIDE * self.size);
            near.has((x, y)) || self.level.is_upright() && (near.left..=near.right).contains(&x)
        };
        self.veils.iter().take_while(|area| area.order < run.order).any(|area| is_over(area))
    }

    /// How the line reads before and now, of these runs.
    fn versions(&self, around: &[usize]) -> Versions {
        let (page, visibility) = (self.sight.page, &self.sight.visibility);
        let written = self.upon(around);
        let is_hidden =
            |place: usize, glyph: usize| self.runs.binary_search(&place).is_ok() && visibility.is_hidden(place, glyph);
        let is_upon = |place, glyph| written.contains(&place) && visibility.is_seen(place, glyph);
        let cut = |is_wanted: &dyn Fn(usize, usize) -> bool| {
            let mut pieces = Vec::new();
            for place in around {
                let Some(run) = page.runs.get(*place).filter(|run| !self.is_block(run)) else { continue };
                page.cut(run, |glyph| is_wanted(*place, glyph), &mut pieces);
            }
            // all of it is read as one line
            pieces.iter_mut().for_each(|piece| piece.lay_on(self.level));
            pieces
        };
        let upon = cut(&is_upon);
        let row = Row::of(&upon);
        let is_over = |bounds: Rectangle, is_enough: fn(f64) -> bool| {
            row.any(bounds, |piece| is_enough(self.overlap(bounds, piece)))
        };
        let glyph_box = |place: usize, glyph| page.runs.get(place).and_then(|run| page.glyph_box(run, glyph));
        let is_left = |place, glyph| {
            let bounds = glyph_box(place, glyph);
            let is_overprinted = bounds.is_some_and(|bounds| is_over(bounds, |part| part >= OVERPRINTED));
            visibility.is_seen(place, glyph) && (is_upon(place, glyph) || !is_overprinted)
        };
        let was = |place, glyph| {
            let is_there = visibility.is_seen(place, glyph) || is_hidden(place, glyph);
            is_there && !written.contains(&place)
        };
        let (before, now) = (cut(&was), cut(&is_left));
        let is_interleaved = [&before, &now].into_iter().any(|line| indeterminate::is_interleaved(page, line));
        let (before, now) = (page.lines_of(&before), page.lines_of(&now));
        let is_instead = |place: &usize| {
            let run = page.runs.get(*place);
            (0..run.map_or(0, |run| page.glyphs(run).len())).any(|glyph| {
                let bounds = glyph_box(*place, glyph).filter(|_| is_hidden(*place, glyph));
                bounds.is_some_and(|bounds| is_over(bounds, |part| part > 0.0))
            })
        };
        let rest = cut(&|place, glyph| visibility.is_seen(place, glyph) && !is_upon(place, glyph));
        let words = before.iter().flat_map(|line| &line.words);
        let hidden = Row::of(&self.pieces());
        let is_changed = |bounds: Rectangle| hidden.any(bounds, |piece| self.overlap(piece, bounds) > 0.01);
        Versions {
            words: joined(words.filter(|word| is_changed(word.bounds))),
            before: text(&before),
            now: text(&now),
            upon: upon.iter().map(|piece| page.text(piece)).collect(),
            is_instead: self.runs.iter().any(is_instead),
            is_again: is_again(page, &self.pieces(), &upon, self.size),
            is_interleaved,
            has_rest: rest.iter().any(|piece| piece.annotation.is_none() && says_something(page.text(piece))),
        }
    }

    /// Whether a run is what hides the line, being written in blocks.
    fn is_block(&self, run: &Run) -> bool {
        let mut veils = self.veils.iter();
        let is_own = |area: &Area| area.kind == AreaKind::Block && area.bounds.meets(run.bounds);
        veils.any(|area| is_own(area)) && !self.sight.page.text(run).chars().any(char::is_alphanumeric)
    }

    /// Which part of a box lies within another one along the line, from 0 to 1.
    fn overlap(&self, one: Rectangle, other: Rectangle) -> f64 {
        let common = one.clipped(other);
        let across = common.width() / one.width().max(0.01);
        if self.level.is_upright() { across } else { across.min(common.height() / one.height().max(0.01)) }
    }

    fn change(&self, around: &[usize]) -> Judgement {
        let versions = self.versions(around);
        let is_scan = self.sight.is_scan && self.veils.iter().all(|area| area.kind == AreaKind::Image);
        if self.sight.is_scan && !is_scan && self.veils.iter().any(|area| area.kind == AreaKind::Image) {
            return if self.pieces_under(&self.bars()).is_empty() { Judgement::Nothing } else { Judgement::UnderBar };
        }
        if versions.is_again
            || letters(&versions.before) == letters(&versions.now)
            || (is_scan && !versions.has_rest && !says_something(&versions.upon))
        {
            return Judgement::Nothing;
        }
        // samples that lie across each other leave half words; who puts words in the place of others leaves none
        if versions.is_interleaved && self.cuts_words() {
            return Judgement::Covered;
        }
        if self.is_of_form() && !self.is_other_value(&versions) {
            return Judgement::Covered;
        }
        if self.is_overflow(around) || self.breaks_off(around) {
            return Judgement::Covered;
        }
        let is_patch = self.is_patch();
        if versions.is_instead && says_something(&versions.upon) {
            let is_alike = || similarity(&self.text, &versions.upon) >= SIMILAR;
            let is_retyped = is_patch || is_alike();
            return if is_retyped { Judgement::Changed(HiddenKind::Retyped, versions) } else { Judgement::Covered };
        }
        // an image of one color is a bar
        let is_pasted = self.veils.iter().any(|area| area.kind == AreaKind::Image && area.color.is_none());
        if !is_patch || !versions.has_rest || says_something(&versions.upon) {
            return Judgement::Covered;
        }
        if is_pasted || self.is_drawn_upon() {
            return Judgement::Changed(HiddenKind::Retyped, versions);
        }
        match self.is_narrow() && self.is_of_ground() && !self.is_of_layout() {
            true => Judgement::Changed(HiddenKind::Covered, versions),
            false => Judgement::Covered,
        }
    }

    fn finding(&self, number: u32, kind: HiddenKind, versions: Versions) -> Option<HiddenText> {
        let finding = HiddenText::of(&self.sight.page.lines_of(&self.pieces()), number, kind)?;
        // a line of interleaved words is quoted nowhere: what is hidden is told by itself
        let is_quoted = !versions.is_interleaved;
        let text = if is_quoted { versions.words } else { apart(self.sight.page, &self.pieces()) };
        let change = LineChange { before: versions.before, now: versions.now };
        let veil = self.veils.iter().find(|area| area.kind == AreaKind::Image).or(self.veils.first());
        Some(HiddenText {
            text,
            change: Some(change).filter(|_| is_quoted),
            veil: veil.map(|area| self::veil(area)),
            ..finding
        })
    }

    /// Whether all that hides it is the look of form fields, which show their values there.
    fn is_of_form(&self) -> bool {
        let is_widget = |number: u32| {
            let mut annotations = self.sight.page.annotations.iter();
            annotations.any(|found| found.number == number && matches!(found.kind, AnnotationKind::Widget))
        };
        self.veils.iter().all(|area| area.annotation.is_some_and(is_widget))
    }

    /// Whether a form field shows a value over another one that the page has, and not over what is to be filled in there.
    fn is_other_value(&self, versions: &Versions) -> bool {
        let has_digits = |text: &str| text.chars().any(|letter| matches!(letter, '1'..='9'));
        has_digits(&self.text)
            && has_digits(&versions.upon)
            && versions.is_instead
            && similarity(&self.text, &versions.upon) >= SIMILAR
    }

    /// Whether shapes as high as letters were drawn upon what hides it, in its place and in another color.
    fn is_drawn_upon(&self) -> bool {
        let Some(first) = self.veils.first() else { return false };
        let differs = |area: &Area| match (area.color, first.color) {
            (Some(one), Some(other)) => one.iter().zip(other).any(|(one, other)| one.abs_diff(other) > SHADE),
            _ => area.color.is_some(),
        };
        let is_shape = |area: &&Area| {
            let is_outlined = area.kind == AreaKind::Shape || area.is_clipped();
            let is_as_high = (DRAWN * self.size..=LINES * self.size).contains(&area.bounds.height());
            area.order > first.order
                && is_outlined
                && is_as_high
                && !area.is_off
                && differs(area)
                && self.overlap(area.bounds, self.bounds) >= OVERPRINTED
        };
        self.level.is_upright() && self.sight.areas.around(self.bounds).iter().any(|area| is_shape(&&**area))
    }

    /// Whether all that hides it is made for the words of a line, by its height.
    fn is_patch(&self) -> bool {
        let height = |bounds: Rectangle| {
            if self.level.is_upright() { bounds.height() } else { bounds.height().min(bounds.width()) }
        };
        self.veils.iter().all(|area| height(area.bounds) <= LINES * self.size)
    }

    /// The same by its width.
    fn is_narrow(&self) -> bool {
        let around = self.bounds.grown(WIDER * self.size);
        self.veils.iter().all(|area| around.holds(area.bounds))
    }

    /// Whether all that hides it has the colour of what lies beneath, so that it cannot be told from the page.
    fn is_of_ground(&self) -> bool {
        let Some(first) = self.veils.first() else { return false };
        let mut earlier = self.sight.areas.earlier(self.bounds, first.order).iter().rev();
        let beneath = earlier.find(|area| area.is_solid && area.bounds.has(self.bounds.middle()));
        let ground = beneath.map_or(Some([255; 3]), |area| area.color);
        let is_alike = |color: [u8; 3]| match ground {
            Some(ground) => color.iter().zip(ground).all(|(one, other)| one.abs_diff(other) <= SHADE),
            // a picture, whose colour there is not known
            None => color.iter().all(|part| *part >= LIGHT),
        };
        self.veils.iter().all(|area| area.color.is_some_and(is_alike))
    }

    /// Whether it is the end of a text that is too long for its cell, under the cell beside that, where each was painted
    /// before its text.
    fn is_overflow(&self, around: &[usize]) -> bool {
        let [veil] = self.veils.as_slice() else { return false };
        let Rectangle { left, bottom, top, .. } = veil.bounds;
        let is_near = |one: f64, other: f64| (one - other).abs() <= NEAR;
        let is_cell = |area: &&&Area| {
            let cell = area.bounds;
            area.hides() && is_near(cell.right, left) && is_near(cell.bottom, bottom) && is_near(cell.top, top)
        };
        let Some(cell) = self.sight.areas.earlier(self.bounds, veil.order).iter().find(is_cell) else { return false };
        // words of the cell that are seen behind: its text was not cut off
        let goes_on = |place: &usize| {
            let Some(run) = self.sight.page.runs.get(*place) else { return false };
            (cell.order..veil.order).contains(&run.order)
                && run.bounds.left >= veil.bounds.right - NEAR
                && self.sight.visibility.is_run_seen(*place)
        };
        // the words that go on beneath
        let is_begun = |place: &usize| {
            let Some(run) = self.sight.page.runs.get(*place) else { return false };
            let is_in_cell = (cell.order..veil.order).contains(&run.order) && run.bounds.left < left;
            is_in_cell && run.bounds.right >= self.bounds.left - BESIDE * self.size
        };
        around.iter().any(is_begun) && !around.iter().any(goes_on)
    }

    /// Whether a text goes on beneath from within a word, to its end or to within another word, and what stands there now begins
    /// apart from what is left of it: whoever puts words in the place of others leaves no half ones. Numbers may have gaps.
    fn breaks_off(&self, around: &[usize]) -> bool {
        let (page, visibility) = (self.sight.page, &self.sight.visibility);
        let first_box = |place: &usize| page.runs.get(*place).and_then(|run| page.glyph_box(run, 0));
        let written: Vec<Rectangle> = self.upon(around).iter().filter_map(first_box).collect();
        let is_hidden = |place: usize, glyph: usize| visibility.is_hidden(place, glyph);
        // where what is seen ends or begins again, by its run and the glyph behind
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
            && *left <= self.bounds.left + NEAR
            && ends.iter().all(is_within_word)
            && written.iter().all(|first| first.left >= left + APART * self.size)
    }

    /// Whether what is hidden begins or ends between two letters of a word.
    fn cuts_words(&self) -> bool {
        let (page, visibility) = (self.sight.page, &self.sight.visibility);
        self.runs.iter().filter_map(|place| Some((*place, page.runs.get(*place)?))).any(|(place, run)| {
            let is_letter =
                |glyph| page.glyph_text(run, glyph).is_some_and(|text| text.chars().any(char::is_alphabetic));
            let is_hidden = |glyph| visibility.is_hidden(place, glyph);
            let mut ends = 1..page.glyphs(run).len();
            ends.any(|glyph| is_hidden(glyph - 1) != is_hidden(glyph) && is_letter(glyph - 1) && is_letter(glyph))
        })
    }

    /// Whether it was cut off by one of the areas that tables and forms are laid out with: the end of a text that is too
    /// long for its cell, under an area of which there are others like it.
    fn is_of_layout(&self) -> bool {
        let visibility = &self.sight.visibility;
        let is_cut = |place: &usize| {
            let count = self.sight.page.runs.get(*place).map_or(0, |run| self.sight.page.glyphs(run).len());
            let first = (0..count).find(|glyph| visibility.is_hidden(*place, *glyph)).unwrap_or(0);
            first > 0 && (first..count).all(|glyph| visibility.is_hidden(*place, glyph))
        };
        let is_near = |one: f64, other: f64| (one - other).abs() <= NEAR;
        let is_alike = |area: &Area, other: &Area| {
            let (one, two) = (area.bounds, other.bounds);
            let is_as_high = is_near(one.height(), two.height());
            let is_in_row =
                is_near(one.bottom, two.bottom) || (is_near(one.left, two.left) && is_near(one.right, two.right));
            area.order != other.order && is_as_high && is_in_row && area.color == other.color && other.hides()
        };
        let is_laid_out = |area: &&Area| {
            self.sight.page.areas.iter().filter(|other| is_alike(area, other)).take(ALIKE).count() >= ALIKE
        };
        self.runs.iter().all(is_cut) && self.veils.iter().all(is_laid_out)
    }
}

/// Boxes by their left sides, to look up those that reach into others.
struct Row {
    boxes: Vec<Rectangle>,
    /// How far to the right each and those before it reach.
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

    /// Whether one of those that have something in common with `bounds` across the page is wanted.
    fn any(&self, bounds: Rectangle, is_wanted: impl Fn(Rectangle) -> bool) -> bool {
        let behind = self.boxes.partition_point(|found| found.left < bounds.right);
        let before = self.boxes.iter().zip(&self.reach).take(behind).rev();
        before.take_while(|(_, reach)| **reach > bounds.left).any(|(found, _)| is_wanted(*found))
    }
}

/// The part of their characters that two texts have in common in this order, from 0 to 1; of long ones, of their beginnings.
fn similarity(one: &str, other: &str) -> f64 {
    const CHARACTERS: usize = 64;
    let letters = |text: &str| -> Vec<char> {
        text.chars().filter(|character| !character.is_whitespace()).take(CHARACTERS).collect()
    };
    let (one, other) = (letters(one), letters(other));
    2.0 * common(&one, &other).len() as f64 / (one.len() + other.len()).max(1) as f64
}

fn veil(area: &Area) -> Veil {
    match (area.kind, area.color) {
        (AreaKind::Image, _) => Veil::Image,
        (AreaKind::Shading, _) => Veil::Shading,
        (_, Some(color)) if color.iter().all(|part| *part >= 240) => Veil::White,
        (_, Some(color)) if color.iter().all(|part| *part <= 40) => Veil::Black,
        _ => Veil::Colored,
    }
}
