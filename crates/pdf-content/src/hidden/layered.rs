//! Text in a layer that is off, with text of no layer in its place. Files that offer several versions, such as
//! languages, drafts or drawings, have all of them in layers.

use std::collections::BTreeSet;

use super::page_visibility::PageVisibility;
use crate::{PageText, Run};

/// Maximum lines and runs of text in layers that are off; more are a translation, a drawing or recognized text.
const MAX_LINES: usize = 3;
const MAX_RUNS: usize = 100;
/// Maximum size ratio of a text and its replacement; watermarks are larger.
const MAX_SIZE_RATIO: f64 = 1.5;
/// Maximum distance (em) of the aligned edges or centers of a text and its replacement.
const ALIGNMENT_TOLERANCE_EM: f64 = 0.3;
/// Maximum distance (em) of baselines on a line.
const BASELINE_TOLERANCE_EM: f64 = 0.25;

/// Whether a text in a layer that is off may have a replacement: page content without a background in its layer.
pub(super) fn may_be_replaced(page: &PageText, run: &Run) -> bool {
    // a layer with its own background is laid over the page when it is on
    let mut backgrounds = page.areas.iter().filter(|area| area.is_off && area.order < run.order);
    run.annotation.is_none()
        && run.paints()
        && run.bounds.meets(run.clip)
        && !backgrounds.any(|area| area.bounds.has(run.bounds.middle()))
}

/// Whether all these runs replace it: later page content in no layer, of about the same size.
pub(super) fn is_replaced(page: &PageText, run: &Run, replacements: &BTreeSet<usize>) -> bool {
    replacements.iter().filter_map(|place| page.runs.get(*place)).all(|other| {
        let (small, large) = (run.size.min(other.size), run.size.max(other.size));
        !other.is_optional && other.annotation.is_none() && other.order > run.order && large <= MAX_SIZE_RATIO * small
    })
}

/// Whether there is so little text in layers that are off that it may be an edit.
pub(super) fn is_short(visible: &PageVisibility, layered: &[usize]) -> bool {
    layered.len() <= MAX_RUNS && visible.lines(layered).len() <= MAX_LINES
}

/// Whether the text of a line and its replacements are aligned, differ in letters, and the text was painted among
/// the page's other text, as no layer of a template is.
pub(super) fn is_edit(visible: &PageVisibility, layered: &[usize], replacements: &BTreeSet<usize>) -> bool {
    let page = visible.page;
    let old: Vec<&Run> = layered.iter().filter_map(|place| page.runs.get(*place)).collect();
    let new: Vec<&Run> = replacements.iter().filter_map(|place| page.runs.get(*place)).collect();
    let (Some(first), Some(start), Some(end)) = (old.first(), layered.iter().min(), layered.iter().max()) else {
        return false;
    };
    let far = ALIGNMENT_TOLERANCE_EM * first.size;
    let ends = |runs: &[&Run]| {
        let extents = runs.iter().flat_map(|run| page.extents(run, first));
        extents.fold((f64::MAX, f64::MIN), |(left, right), (from, to)| (left.min(from), right.max(to)))
    };
    let ((left, right), (from, to)) = (ends(&old), ends(&new));
    let is_aligned = [from - left, to - right, (from + to - left - right) / 2.0].iter().any(|apart| apart.abs() <= far);
    // the nearest text outside of the layer
    let before = page.runs.get(..*start).unwrap_or_default().iter().rposition(|run| !run.is_off);
    let after = page.runs.iter().skip(*end).position(|run| !run.is_off).map(|place| end + place);
    let is_text = |place: &usize| {
        let run = page.runs.get(*place).filter(|_| !replacements.contains(place));
        run.is_some_and(|run| !run.is_optional && run.annotation.is_none())
    };
    let (before, after) = (before.filter(is_text), after.filter(is_text));
    let is_on_line = |place: usize| {
        let level = page.runs.get(place).map(Run::level);
        level.is_some_and(|level| level.is_near(first.level(), BASELINE_TOLERANCE_EM * first.size))
    };
    let is_among_text = before.is_some() && after.is_some() || before.or(after).is_some_and(is_on_line);
    is_aligned && is_among_text && alphanumerics(page, &old) != alphanumerics(page, &new)
}

fn alphanumerics(page: &PageText, runs: &[&Run]) -> String {
    let characters = runs.iter().flat_map(|run| page.text(run).chars());
    characters.filter(|character| character.is_alphanumeric()).flat_map(char::to_lowercase).collect()
}
