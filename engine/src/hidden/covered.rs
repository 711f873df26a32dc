//! Text under an area that was painted over it: retyped, if another text was written upon that area in its place; else
//! covered, as by a redaction that only paints.

use std::collections::BTreeMap;

use super::finding::{Finding, Veil, text};
use super::report::HiddenKind;
use super::sight::{Sight, holds, meet, middle, says_something};
use crate::content::{AnnotationKind, Area, AreaKind, Run, around};

/// How much of a page an area may cover upon which something was retyped; larger ones are what pages are laid out with.
const PATCH: f64 = 0.3;
/// How much larger a text may be than another one that stands in its place.
const LARGER: f64 = 2.0;
/// How far it may be off the line, in heights of the text.
const OFF_LINE: f64 = 0.6;
/// Areas of the same size that lie over no text: a table or a form is laid out with them.
const ALIKE: usize = 2;
/// How far apart sides of areas may be that are alike, in points.
const NEAR: f64 = 0.5;
/// The parts of a word of which an area hides some, but not all: what is too long for its cell ends in the middle of a word.
const CUT: std::ops::Range<f64> = 0.25..0.8;
/// How far words are apart on a line, at most, in heights of the text.
const GAP: f64 = 2.0;
/// How many lines high an area may be that something was whited out with.
const LINES: f64 = 2.5;

/// The text that lies under one area.
struct Group<'p> {
    area: &'p Area,
    runs: Vec<usize>,
}

/// What is covered on a page; none if telling so takes more than `checks`.
pub(super) fn find(sight: &Sight, number: u32, checks: &mut usize) -> Option<Vec<Finding>> {
    let mut groups: BTreeMap<u32, Group> = BTreeMap::new();
    for (place, area) in sight.under.iter().enumerate().filter_map(|(place, area)| Some((place, (*area)?))) {
        groups.entry(area.order).or_insert_with(|| Group { area, runs: Vec::new() }).runs.push(place);
    }
    for group in groups.values() {
        let others = sight.page.areas.len() + group.runs.len() * sight.page.runs.len();
        *checks = checks.checked_sub(others)?;
    }
    let orders: Vec<u32> = groups.keys().copied().collect();
    Some(groups.values().filter_map(|group| finding(sight, number, group, &orders)).collect())
}

fn finding(sight: &Sight, number: u32, group: &Group, covering: &[u32]) -> Option<Finding> {
    let unseen: Vec<usize> = group.runs.iter().copied().filter(|place| !sight.is_seen_again(*place)).collect();
    let covered = Finding::of(&sight.lines(&unseen), number, HiddenKind::Covered)?;
    let covered = Finding { veil: Some(veil(group.area)), ..covered };
    let instead = text(&sight.lines(&group.written_upon(sight)));
    // the same text once more, perhaps in another look
    let hidden = sight.lines(&group.runs);
    if !says_something(&covered.text) || letters(&instead) == letters(&text(&hidden)) {
        return None;
    }
    if group.is_of_form(sight) || group.is_of_layout(sight, covering) {
        return Some(covered);
    }
    if says_something(&instead) && group.is_patch(sight) {
        // words that were written once more as they were are part of it
        let retyped = Finding::of(&hidden, number, HiddenKind::Retyped)?;
        return Some(Finding { instead: Some(instead), veil: covered.veil, ..retyped });
    }
    let is_whited_out = instead.is_empty() && group.is_whited_out(sight, covered.bounds);
    Some(Finding { is_whited_out, ..covered })
}

impl Group<'_> {
    fn hidden<'s>(&self, sight: &'s Sight) -> impl Iterator<Item = &'s Run> {
        self.runs.iter().filter_map(|place| sight.page.runs.get(*place))
    }

    /// Whether it lies under the look of a form field, which shows its value there.
    fn is_of_form(&self, sight: &Sight) -> bool {
        let is_widget = |number: u32| {
            let mut annotations = sight.page.annotations.iter();
            annotations.any(|found| found.number == number && matches!(found.kind, AnnotationKind::Widget))
        };
        self.area.annotation.is_some_and(is_widget)
    }

    /// Whether the area is one of those that tables and forms are laid out with: there are others like it over nothing, or
    /// it ends in the middle of a word, as where a text is too long for its cell.
    fn is_of_layout(&self, sight: &Sight, covering: &[u32]) -> bool {
        let [left, bottom, right, top] = self.area.bounds;
        let is_near = |one: f64, other: f64| (one - other).abs() <= NEAR;
        let is_alike = |other: &&Area| {
            let [other_left, other_bottom, other_right, other_top] = other.bounds;
            let is_as_large = is_near(right - left, other_right - other_left)
                && (is_near(top - bottom, other_top - other_bottom) || is_near(left, other_left));
            other.hides()
                && is_as_large
                && other.color == self.area.color
                && !meet(other.bounds, self.area.bounds)
                && covering.binary_search(&other.order).is_err()
        };
        if sight.page.areas.iter().filter(is_alike).take(ALIKE).count() >= ALIKE {
            return true;
        }
        let is_cut = |run: &Run| run.order < self.area.order && CUT.contains(&self.area.covered_part(run.bounds));
        sight.seen().any(|(_, run)| is_cut(run) && self.hidden(sight).any(|hidden| is_on_line(run, hidden)))
    }

    /// Whether it is what something is painted over with, so that it cannot be told from the page: of the colour of what lies
    /// beneath, white, or a piece of a picture; and not large.
    fn is_patch(&self, sight: &Sight) -> bool {
        let [left, bottom, right, top] = self.area.bounds;
        let [width, height] = sight.page.size;
        let is_small = (right - left) * (top - bottom) <= PATCH * width * height;
        let color = self.area.color;
        is_small
            && match veil(self.area) {
                Veil::White => true,
                Veil::Black | Veil::Colored => color.is_some() && color == background(sight, self.area),
                Veil::Image => top - bottom <= LINES * self.size(sight),
                Veil::Shading => false,
            }
    }

    /// The size of the largest text beneath.
    fn size(&self, sight: &Sight) -> f64 {
        self.hidden(sight).map(|run| run.size).fold(0.0, f64::max)
    }

    /// The runs that were written upon the area where the hidden ones are.
    fn written_upon(&self, sight: &Sight) -> Vec<usize> {
        let is_upon =
            |run: &Run| run.order > self.area.order && holds(self.area.bounds, middle(run.bounds), run.size / 2.0);
        let upon: Vec<(usize, &Run)> = sight.seen().filter(|(_, run)| is_upon(run)).collect();
        let is_instead = |run: &Run| {
            self.hidden(sight).any(|hidden| {
                let [left, _, right, _] = run.bounds;
                let [hidden_left, _, hidden_right, _] = hidden.bounds;
                is_on_line(run, hidden) && left < hidden_right && hidden_left < right
            })
        };
        if !upon.iter().any(|(_, run)| is_instead(run)) {
            return Vec::new();
        }
        // with the rest of their lines
        let is_beside = |run: &Run| self.hidden(sight).any(|hidden| is_on_line(run, hidden));
        upon.into_iter().filter(|(_, run)| is_beside(run)).map(|(place, _)| place).collect()
    }

    /// Whether a word or a few within a line were made to look as if nothing had ever stood there.
    fn is_whited_out(&self, sight: &Sight, bounds: [f64; 4]) -> bool {
        let [left, bottom, right, top] = bounds;
        let height = self.size(sight);
        let [_, area_bottom, _, area_top] = self.area.bounds;
        if self.area.kind != AreaKind::Rectangle
            || area_top - area_bottom > LINES * height
            || top - bottom > LINES * height
        {
            return false;
        }
        if self.area.color.is_none() || self.area.color != background(sight, self.area) {
            return false;
        }
        let is_next = |run: &Run| {
            let [run_left, _, run_right, _] = run.bounds;
            let gap = (left - run_right).max(run_left - right);
            (-height..=GAP * height).contains(&gap)
                && run.annotation.is_none()
                && self.hidden(sight).any(|hidden| is_on_line(run, hidden) && run.font == hidden.font)
        };
        let beside = sight.seen().filter(|(_, run)| is_next(run) && says_something(sight.page.text(run)));
        around(beside.map(|(_, run)| run.bounds))
            .is_some_and(|[_, beside_bottom, _, beside_top]| beside_bottom < top && bottom < beside_top)
    }
}

/// Whether one text stands where another one does on its line, and is about as large.
fn is_on_line(one: &Run, other: &Run) -> bool {
    let height = one.size.max(other.size).max(0.1);
    let ((_, one_middle), (_, other_middle)) = (middle(one.bounds), middle(other.bounds));
    (one_middle - other_middle).abs() <= OFF_LINE * height && height <= LARGER * one.size.min(other.size)
}

/// The colour of what an area was painted on; none if that cannot be told.
fn background(sight: &Sight, area: &Area) -> Option<[u8; 3]> {
    let beneath = sight.areas.earlier(area.bounds, area.order).iter().rev();
    let mut beneath = beneath.filter(|other| meet(other.bounds, area.bounds));
    beneath.next().map_or(Some([255; 3]), |beneath| beneath.color.filter(|_| beneath.is_opaque))
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

/// A text without its blanks. Its signs count: they make 12,500 of 125.00.
fn letters(text: &str) -> String {
    text.chars().filter(|character| !character.is_whitespace()).collect()
}
