//! Covered text: overprinted if other words or a picture are in its place; whited out if a patch of the background's
//! color hides it within a visible line; otherwise covered, as by a failed redaction.

use std::collections::BTreeMap;

use super::finding::{Cover, HiddenText, LineChange, in_painting_order, letters};
use super::hidden_line::HiddenLine;
use super::indeterminate;
use super::line_covers::{RunsByCover, runs_by_cover};
use super::line_versions::Versions;
use super::page_visibility::{PageVisibility, is_meaningful};
use super::report::HiddenKind;
use super::similarity::{MIN_SIMILARITY, similarity};
use crate::{Area, AreaKind, BaselineKey, Covered, Run};

/// Baseline tolerance (em) for hidden text of a line.
const BASELINE_TOLERANCE_EM: f64 = 0.25;

/// Cost of looking up a run, in checks.
const LOOKUP_COST: usize = 16;

/// The covered text of a page.
#[derive(Debug, Default)]
pub(super) struct CoveredText {
    pub(super) findings: Vec<HiddenText>,
    /// Whether it is unknown whether some of it is shown again.
    pub(super) is_inconclusive: bool,
}

/// Returns the covered text of a page; none if that takes more than `checks`.
pub(super) fn find(visible: &PageVisibility, number: u32, checks: &mut usize) -> Option<CoveredText> {
    let (mut findings, mut is_inconclusive) = (Vec::new(), false);
    // text under the same covers is one finding
    let mut covered: BTreeMap<Vec<u32>, Vec<Run>> = BTreeMap::new();
    let lines = lines(visible, checks)?;
    if lines.is_empty() {
        return Some(CoveredText::default());
    }
    let levels = visible.levels();
    let runs = runs_by_cover(visible.page, visible.visibility.covered().map(|(_, covered)| covered));
    for line in lines {
        *checks = checks.checked_sub(LOOKUP_COST + visible.page.areas.len())?;
        let around = line.around(&levels);
        *checks = checks.checked_sub(around.len() * (line.covers.len() + LOOKUP_COST))?;
        let outcome = line.change(&around, &runs);
        is_inconclusive |= matches!(outcome, LineOutcome::PerhapsRepainted);
        match outcome {
            LineOutcome::Nothing => {}
            LineOutcome::Covered | LineOutcome::PerhapsRepainted => {
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
    Some(CoveredText { findings, is_inconclusive })
}

/// The outcome for a line with hidden text.
enum LineOutcome {
    Nothing,
    Covered,
    /// Covered, and perhaps painted again in a way that cannot be read.
    PerhapsRepainted,
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

impl HiddenLine<'_> {
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
        let is_cut_off = self.is_overflow(around)
            || self.is_clipped_mid_word(around) && !self.is_replaced(around, &versions.overprint);
        if is_cut_off {
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
        if self.may_be_repainted() {
            return LineOutcome::PerhapsRepainted;
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

    /// Whether annotations in the color of the background, with nothing on them, hide a number of a line that is visible
    /// otherwise. Fields may hide what the form has there, but push buttons have no value to show (12.7.4.2.2).
    fn is_erased_by_annotation(&self, versions: &Versions) -> bool {
        let is_blank = || !self.is_field_appearance() && !is_meaningful(&versions.overprint);
        self.covers.iter().all(|area| area.annotation.is_some())
            && has_digits(&self.text)
            && (self.is_push_button() && !self.is_other_value(versions) || is_blank())
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
