//! The difference of a page's lines before and after: equal, moved and replaced ones.

use std::collections::{BTreeMap, VecDeque};

use super::excerpt;
use super::visible_text::VisibleLine;
use pdf_content::Rectangle;
use pdf_syntax::text::common::shared;

/// Maximum displacement of an unmoved line, in points.
const UNMOVED_TOLERANCE_PT: f64 = 1.0;
/// Maximum lines with the same text searched for the one at a place.
const MAX_SAME_TEXT_CANDIDATES: usize = 16;
/// Maximum lines compared by words, and words of each; further lines count as removed or added.
const MAX_COMPARED: usize = 100;
/// Minimum share of common words of a line that changed and moved.
const MIN_SHARED_WORDS: f64 = 0.5;
/// Minimum vertical overlap of two lines that readers see as one, as a share of their height.
const MIN_HEIGHT_OVERLAP: f64 = 0.4;
/// Maximum differences reported per page.
const MAX_DIFFERENCES: usize = 100;

/// One difference.
#[derive(Debug)]
pub(super) struct LineDifference {
    /// `None` if it was added.
    pub(super) before: Option<String>,
    /// `None` if it was removed.
    pub(super) after: Option<String>,
    /// The new place, otherwise the old one.
    pub(super) bounds: Rectangle,
    /// Whether the same text is at another place.
    pub(super) is_moved: bool,
}

/// A line before and after.
type Couple<'l> = (&'l VisibleLine, &'l VisibleLine);

/// Unpaired lines of one state.
struct Rest<'l> {
    before: Vec<Option<&'l VisibleLine>>,
    after: Vec<Option<&'l VisibleLine>>,
}

/// The differences from top to bottom, moved lines last. When `effort`, in compared words, is used up, the rest is
/// reported in less detail.
pub(super) fn differences(before: &[VisibleLine], after: &[VisibleLine], effort: &mut usize) -> Vec<LineDifference> {
    let mut rest = Rest { before: before.iter().map(Some).collect(), after: after.iter().map(Some).collect() };
    rest.pair(is_in_place);
    let moved = rest.pair(|_, _| true);
    let mut differences = Vec::new();
    let pairs = rest.pair_by_place(effort);
    let mut pairs: Vec<(&VisibleLine, VisibleLine)> = pairs.into_iter().map(|(old, new)| (old, new.clone())).collect();
    rest.fill_in(&mut pairs, effort);
    let by_words = rest.pair_by_words(effort);
    pairs.extend(by_words.into_iter().map(|(old, new)| (old, new.clone())));
    for (old, new) in &pairs {
        for hunk in excerpt::hunks(old, new, effort) {
            let (was, is) = excerpt::around(old, new, &hunk);
            let bounds = match hunk.1.is_empty() {
                true => old.bounds_of(old.words.get(hunk.0).unwrap_or_default()),
                false => new.bounds_of(new.words.get(hunk.1).unwrap_or_default()),
            };
            differences.push(LineDifference { before: Some(was), after: Some(is), bounds, is_moved: false });
        }
    }
    let whole = |line: &VisibleLine| Some(excerpt::text(&line.words));
    differences.extend(rest.before.iter().flatten().map(|line| LineDifference {
        before: whole(line),
        after: None,
        bounds: line.bounds,
        is_moved: false,
    }));
    differences.extend(rest.after.iter().flatten().map(|line| LineDifference {
        before: None,
        after: whole(line),
        bounds: line.bounds,
        is_moved: false,
    }));
    differences.retain(|difference| difference.before.as_deref() != Some("") || difference.after.is_some());
    differences.sort_by(|one, other| other.bounds.top.total_cmp(&one.bounds.top));
    differences.extend(merge_moves(&moved));
    differences.truncate(MAX_DIFFERENCES);
    differences
}

fn is_in_place(old: &VisibleLine, new: &VisibleLine) -> bool {
    let (old, new) = (old.bounds, new.bounds);
    (old.left - new.left).abs() <= UNMOVED_TOLERANCE_PT && (old.bottom - new.bottom).abs() <= UNMOVED_TOLERANCE_PT
}

/// Whether two lines are at one place: vertically centered on each other and horizontally overlapping.
fn is_instead(old: &VisibleLine, new: &VisibleLine) -> bool {
    are_beside(old.bounds, new.bounds, 0.5) && are_level(old.bounds, new.bounds)
}

impl<'l> Rest<'l> {
    /// Removes matching pairs of lines with the same words.
    fn pair(&mut self, fits: fn(&VisibleLine, &VisibleLine) -> bool) -> Vec<Couple<'l>> {
        let mut known: BTreeMap<_, VecDeque<usize>> = BTreeMap::new();
        for (place, line) in self.after.iter().enumerate() {
            if let Some(line) = line {
                known.entry(line.key()).or_default().push_back(place);
            }
        }
        let mut pairs = Vec::new();
        for slot in &mut self.before {
            let Some(old) = *slot else { continue };
            let Some(places) = known.get_mut(&old.key()) else { continue };
            let line = |place: &usize| self.after.get(*place).copied().flatten();
            let found = places
                .iter()
                .take(MAX_SAME_TEXT_CANDIDATES)
                .position(|place| line(place).is_some_and(|new| fits(old, new)));
            let Some(place) = found.and_then(|found| places.remove(found)) else { continue };
            let Some(new) = self.after.get_mut(place).and_then(Option::take) else { continue };
            *slot = None;
            pairs.push((old, new));
        }
        pairs
    }

    /// Removes pairs of lines at the same place.
    fn pair_by_place(&mut self, effort: &mut usize) -> Vec<Couple<'l>> {
        self.pair_best(effort, |old, new| is_instead(old, new).then(|| 1.0 + similarity(old, new)))
    }

    /// Removes lines close to the place where words of a line are missing: they replace these words.
    fn fill_in(&mut self, pairs: &mut [(&'l VisibleLine, VisibleLine)], effort: &mut usize) {
        for slot in self.after.iter_mut().filter(|slot| slot.is_some()).take(MAX_COMPARED) {
            let Some(added) = *slot else { continue };
            for (old, new) in pairs.iter_mut() {
                let Some(left) = effort.checked_sub(1 + old.words.len() + new.words.len()) else { return };
                *effort = left;
                let is_blank_now = !new.words.iter().any(|word| are_level(word.bounds, added.bounds));
                let was_written = old.words.iter().any(|word| are_level(word.bounds, added.bounds));
                if is_blank_now && was_written && are_beside(old.bounds, added.bounds, MIN_HEIGHT_OVERLAP) {
                    let behind = new.words.iter().position(|word| word.bounds.left > added.bounds.left);
                    let place = behind.unwrap_or(new.words.len());
                    new.words.splice(place..place, added.words.iter().cloned());
                    new.bounds = new.bounds.with(added.bounds);
                    *slot = None;
                    break;
                }
            }
        }
    }

    /// Removes pairs of lines with mostly common words.
    fn pair_by_words(&mut self, effort: &mut usize) -> Vec<Couple<'l>> {
        self.pair_best(effort, |old, new| {
            Some(similarity(old, new)).filter(|similarity| *similarity >= MIN_SHARED_WORDS)
        })
    }

    /// Removes each line with its best match.
    fn pair_best(&mut self, effort: &mut usize, fit: fn(&VisibleLine, &VisibleLine) -> Option<f64>) -> Vec<Couple<'l>> {
        let mut pairs = Vec::new();
        for slot in self.before.iter_mut().filter(|slot| slot.is_some()).take(MAX_COMPARED) {
            let Some(old) = *slot else { continue };
            let mut best: Option<(f64, usize)> = None;
            for (place, new) in self.after.iter().enumerate() {
                let Some(new) = new else { continue };
                let Some(left) = effort.checked_sub(1 + old.words.len() + new.words.len()) else { break };
                *effort = left;
                if let Some(fit) = fit(old, new)
                    && best.is_none_or(|(known, _)| fit > known)
                {
                    best = Some((fit, place));
                }
            }
            let Some((_, place)) = best else { continue };
            let Some(new) = self.after.get_mut(place).and_then(Option::take) else { continue };
            *slot = None;
            pairs.push((old, new));
        }
        pairs
    }
}

/// Whether two boxes overlap horizontally.
fn are_level(one: Rectangle, other: Rectangle) -> bool {
    one.left < other.right && other.left < one.right
}

/// Whether two boxes overlap vertically by this share.
fn are_beside(one: Rectangle, other: Rectangle, part: f64) -> bool {
    one.top.min(other.top) - one.bottom.max(other.bottom) >= part * one.height().min(other.height())
}

/// The share of common words of two lines, from 0 to 1.
fn similarity(old: &VisibleLine, new: &VisibleLine) -> f64 {
    let sorted = |line: &VisibleLine| {
        let words = line.words.iter().take(MAX_COMPARED).map(|word| word.text.clone());
        let mut keys: Vec<String> = words.filter(|word| !word.contains(char::REPLACEMENT_CHARACTER)).collect();
        keys.sort_unstable();
        keys
    };
    let (old, new) = (sorted(old), sorted(new));
    2.0 * shared(&old, &new) as f64 / (old.len() + new.len()).max(1) as f64
}

/// Moved lines, merged if they follow each other and moved by the same distance.
fn merge_moves(moved: &[Couple]) -> Vec<LineDifference> {
    let mut groups: Vec<((f64, f64), Vec<Couple>)> = Vec::new();
    for &(old, new) in moved {
        let shift = (new.bounds.left - old.bounds.left, new.bounds.bottom - old.bounds.bottom);
        match groups.last_mut() {
            Some((known, lines))
                if (known.0 - shift.0).abs() <= UNMOVED_TOLERANCE_PT
                    && (known.1 - shift.1).abs() <= UNMOVED_TOLERANCE_PT =>
            {
                lines.push((old, new));
            }
            _ => groups.push((shift, vec![(old, new)])),
        }
    }
    let difference = |(_, lines): (_, Vec<Couple>)| {
        let words: Vec<_> = lines.iter().flat_map(|(_, new)| new.words.iter().cloned()).collect();
        let text = Some(excerpt::text(&words));
        let bounds = lines.iter().map(|(_, new)| new.bounds).reduce(Rectangle::with).unwrap_or_default();
        LineDifference { before: text.clone(), after: text, bounds, is_moved: true }
    };
    groups.into_iter().map(difference).collect()
}
