//! What differs between the lines of a page before and after: which are the same, which only moved, and which stand in the
//! place of which.

use std::collections::{BTreeMap, VecDeque};

use super::excerpt;
use super::seen::SeenLine;
use crate::content::Rectangle;
use crate::text::common::shared;

/// How far a line may be off its place and still not have moved, in points.
const STILL: f64 = 1.0;
/// Lines of the same text among which that of a place is looked for.
const ALIKE: usize = 16;
/// Lines that are held against others by their words, and words of each; further lines went or came.
const COMPARED: usize = 100;
/// The part of their words that two lines must have in common to be one that changed and moved.
const SIMILAR: f64 = 0.5;
/// How much of their heights two lines have beside each other that a reader takes for one.
const BESIDE: f64 = 0.4;
/// Differences of a page that are told.
const TOLD: usize = 100;

/// One difference.
#[derive(Debug)]
pub(super) struct LineDifference {
    /// None if it came.
    pub(super) before: Option<String>,
    /// None if it went.
    pub(super) after: Option<String>,
    /// The new place, or else the old one.
    pub(super) bounds: Rectangle,
    /// Whether it is the same text in another place.
    pub(super) is_moved: bool,
}

/// A line before and after.
type Couple<'l> = (&'l SeenLine, &'l SeenLine);

/// Lines of one state that nothing of the other one is known to be.
struct Rest<'l> {
    before: Vec<Option<&'l SeenLine>>,
    after: Vec<Option<&'l SeenLine>>,
}

/// What differs, from top to bottom; what only moved comes last. Once `effort`, in words held against each other, is used
/// up, what differs is told less closely.
pub(super) fn differences(before: &[SeenLine], after: &[SeenLine], effort: &mut usize) -> Vec<LineDifference> {
    let mut rest = Rest { before: before.iter().map(Some).collect(), after: after.iter().map(Some).collect() };
    rest.pair(is_in_place);
    let moved = rest.pair(|_, _| true);
    let mut differences = Vec::new();
    let pairs = rest.pair_by_place(effort);
    let mut pairs: Vec<(&SeenLine, SeenLine)> = pairs.into_iter().map(|(old, new)| (old, new.clone())).collect();
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
    let whole = |line: &SeenLine| Some(excerpt::text(&line.words));
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
    differences.retain(|told| told.before.as_deref() != Some("") || told.after.is_some());
    differences.sort_by(|one, other| other.bounds.top.total_cmp(&one.bounds.top));
    differences.extend(told_together(&moved));
    differences.truncate(TOLD);
    differences
}

fn is_in_place(old: &SeenLine, new: &SeenLine) -> bool {
    let (old, new) = (old.bounds, new.bounds);
    (old.left - new.left).abs() <= STILL && (old.bottom - new.bottom).abs() <= STILL
}

/// Whether two lines stand in one place: beside each other's middle, and above some of each other.
fn is_instead(old: &SeenLine, new: &SeenLine) -> bool {
    are_beside(old.bounds, new.bounds, 0.5) && are_level(old.bounds, new.bounds)
}

impl<'l> Rest<'l> {
    /// Takes out lines of the same words that fit each other.
    fn pair(&mut self, fits: fn(&SeenLine, &SeenLine) -> bool) -> Vec<Couple<'l>> {
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
            let found = places.iter().take(ALIKE).position(|place| line(place).is_some_and(|new| fits(old, new)));
            let Some(place) = found.and_then(|found| places.remove(found)) else { continue };
            let Some(new) = self.after.get_mut(place).and_then(Option::take) else { continue };
            *slot = None;
            pairs.push((old, new));
        }
        pairs
    }

    /// Takes out lines that stand in the place of each other.
    fn pair_by_place(&mut self, effort: &mut usize) -> Vec<Couple<'l>> {
        self.pair_best(effort, |old, new| is_instead(old, new).then(|| 1.0 + similarity(old, new)))
    }

    /// Takes out lines that stand where words of a line are gone, though a little off it: they are what became of these.
    fn fill_in(&mut self, pairs: &mut [(&'l SeenLine, SeenLine)], effort: &mut usize) {
        for slot in self.after.iter_mut().filter(|slot| slot.is_some()).take(COMPARED) {
            let Some(added) = *slot else { continue };
            for (old, new) in pairs.iter_mut() {
                let Some(left) = effort.checked_sub(1 + old.words.len() + new.words.len()) else { return };
                *effort = left;
                let is_blank_now = !new.words.iter().any(|word| are_level(word.bounds, added.bounds));
                let was_written = old.words.iter().any(|word| are_level(word.bounds, added.bounds));
                if is_blank_now && was_written && are_beside(old.bounds, added.bounds, BESIDE) {
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

    /// Takes out lines that have most of their words in common.
    fn pair_by_words(&mut self, effort: &mut usize) -> Vec<Couple<'l>> {
        self.pair_best(effort, |old, new| Some(similarity(old, new)).filter(|similarity| *similarity >= SIMILAR))
    }

    /// Takes out each line with that which fits it best, of those that fit.
    fn pair_best(&mut self, effort: &mut usize, fit: fn(&SeenLine, &SeenLine) -> Option<f64>) -> Vec<Couple<'l>> {
        let mut pairs = Vec::new();
        for slot in self.before.iter_mut().filter(|slot| slot.is_some()).take(COMPARED) {
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

/// Whether one box lies above or below some of another one.
fn are_level(one: Rectangle, other: Rectangle) -> bool {
    one.left < other.right && other.left < one.right
}

/// Whether one box lies beside another one with this part of its height.
fn are_beside(one: Rectangle, other: Rectangle, part: f64) -> bool {
    one.top.min(other.top) - one.bottom.max(other.bottom) >= part * one.height().min(other.height())
}

/// The part of their words that two lines have in common, from 0 to 1.
fn similarity(old: &SeenLine, new: &SeenLine) -> f64 {
    let sorted = |line: &SeenLine| {
        let words = line.words.iter().take(COMPARED).map(|word| word.text.clone());
        let mut keys: Vec<String> = words.filter(|word| !word.contains(char::REPLACEMENT_CHARACTER)).collect();
        keys.sort_unstable();
        keys
    };
    let (old, new) = (sorted(old), sorted(new));
    2.0 * shared(&old, &new) as f64 / (old.len() + new.len()).max(1) as f64
}

/// Lines that moved, those together that moved as far and follow each other.
fn told_together(moved: &[Couple]) -> Vec<LineDifference> {
    let mut told: Vec<((f64, f64), Vec<Couple>)> = Vec::new();
    for &(old, new) in moved {
        let shift = (new.bounds.left - old.bounds.left, new.bounds.bottom - old.bounds.bottom);
        match told.last_mut() {
            Some((known, lines)) if (known.0 - shift.0).abs() <= STILL && (known.1 - shift.1).abs() <= STILL => {
                lines.push((old, new));
            }
            _ => told.push((shift, vec![(old, new)])),
        }
    }
    let difference = |(_, lines): (_, Vec<Couple>)| {
        let words: Vec<_> = lines.iter().flat_map(|(_, new)| new.words.iter().cloned()).collect();
        let text = Some(excerpt::text(&words));
        let bounds = lines.iter().map(|(_, new)| new.bounds).reduce(Rectangle::with).unwrap_or_default();
        LineDifference { before: text.clone(), after: text, bounds, is_moved: true }
    };
    told.into_iter().map(difference).collect()
}
