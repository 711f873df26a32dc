//! Invisible text: rendering mode 3, the background's color, tiny, off the page, or in a layer that is off. Readers do
//! not show it, but programs extract it.

use std::collections::BTreeMap;

use super::finding::{Cover, HiddenText, LineChange};
use super::page_visibility::{PageVisibility, is_meaningful};
use super::report::HiddenKind;
use super::similarity::is_near_copy;
use crate::{Area, AreaKind, Rectangle, Run, covered_part};

/// Font size below which text is illegible, in points.
const TINY_MAX_SIZE_PT: f64 = 1.0;
/// Minimum size ratio of a symbol that is a background for text.
const SYMBOL_MIN_SIZE_RATIO: f64 = 1.2;
const WHITE: [u8; 3] = [255; 3];
/// Share of a glyph that an area must contain to be its only background.
const BACKGROUND_MIN_PART: f64 = 0.9;
/// Maximum share of the page of a bar over recognized text of a scan.
pub(super) const BAR_MAX_PAGE_PART: f64 = 0.25;

/// Maximum hidden runs of a page of which one may be a number that was replaced; posters and templates have more.
const MAX_NEAR_COPIES: usize = 8;

/// Invisible runs of a page, by kind and index.
pub(super) type InvisibleRuns = BTreeMap<HiddenKind, Vec<usize>>;

/// Returns the invisible runs of a page; none if that takes more than `checks`.
pub(super) fn places(visible: &PageVisibility, checks: &mut usize) -> Option<InvisibleRuns> {
    let mut kinds = InvisibleRuns::new();
    for (place, run) in visible.page.runs.iter().enumerate() {
        if let Some(kind) = kind(visible, place, run, checks)?
            && is_meaningful(visible.page.text(run))
        {
            kinds.entry(kind).or_default().push(place);
        }
    }
    Some(kinds)
}

/// Returns a finding for each line of invisible runs.
pub(super) fn findings(visible: &PageVisibility, number: u32, invisible: &InvisibleRuns) -> Vec<HiddenText> {
    let of_kind = |(kind, places): (&HiddenKind, &Vec<usize>)| {
        let finding = |line| HiddenText::of(std::slice::from_ref(line), number, *kind);
        visible.lines(places).iter().filter_map(finding).collect::<Vec<_>>()
    };
    invisible.iter().flat_map(of_kind).collect()
}

/// Moves the few numbers of a page that are hidden, and of which the page shows a near copy, to findings.
pub(super) fn near_copies(visible: &PageVisibility, number: u32, invisible: &mut InvisibleRuns) -> Vec<HiddenText> {
    let page = visible.page;
    let mut found = Vec::new();
    for (kind, places) in invisible.iter_mut() {
        let is_off_page = *kind == HiddenKind::OffPage;
        if *kind == HiddenKind::HiddenLayer || places.len() > MAX_NEAR_COPIES {
            continue;
        }
        places.retain(|place| {
            // what an annotation on the page does not show of itself was no text of the page
            let may_count = |run: &&Run| run.annotation.is_none() || is_off_page;
            let Some(run) = page.runs.get(*place).filter(may_count) else { return true };
            let text = page.text(run);
            let seen = || visible.seen().filter(|(other, _)| other != place).map(|(_, other)| page.text(other));
            let Some(now) = seen().find(|now| is_near_copy(text, now)) else { return true };
            if seen().any(|now| now == text) {
                return true;
            }
            let finding = HiddenText::of(&page.lines_of(std::slice::from_ref(run)), number, HiddenKind::Retyped);
            let change = Some(LineChange { before: text.to_owned(), now: now.to_owned() });
            found.extend(finding.map(|finding| HiddenText { change, cover: Some(Cover::None), ..finding }));
            false
        });
    }
    found
}

/// Returns how a run is hidden, if it is.
fn kind(visible: &PageVisibility, place: usize, run: &Run, checks: &mut usize) -> Option<Option<HiddenKind>> {
    let [width, height] = visible.page.size;
    let paper = Rectangle { right: width, top: height, ..Rectangle::default() };
    let is_on_page = run.bounds.meets(paper);
    Some(match (run.is_off, is_on_page, run.paints()) {
        (true, ..) => Some(HiddenKind::HiddenLayer),
        (_, false, true) => Some(HiddenKind::OffPage),
        (_, false, false) => None,
        (_, true, false) if is_recognized(visible, run) => {
            bar_over(visible, run, checks)?.is_some().then_some(HiddenKind::Covered)
        }
        (_, true, false) => (!is_filled(visible, run)).then_some(HiddenKind::Invisible),
        _ if is_clipped_away(visible, place, run) => {
            // cut off by the edge of the page, as the rows of a table on several sheets
            let kind = if paper.has(run.bounds.middle()) { HiddenKind::Invisible } else { HiddenKind::OffPage };
            (!visible.has_seen_copy(place)).then_some(kind)
        }
        _ if run.is_scaled_to_nothing() => Some(HiddenKind::Invisible),
        _ if run.size < TINY_MAX_SIZE_PT => Some(HiddenKind::Tiny),
        _ => (has_background_color(visible, run, checks)? && !visible.has_seen_copy(place))
            .then_some(HiddenKind::Invisible),
    })
}

/// Whether it is recognized text (OCR) of a scan.
fn is_recognized(visible: &PageVisibility, run: &Run) -> bool {
    let mut areas = visible.areas.around(run.bounds).iter();
    visible.is_scan || areas.any(|area| area.kind == AreaKind::Image && area.bounds.has(run.bounds.middle()))
}

/// Whether later paint is inside it: text may only be the clip for that (9.3.6, mode 7).
fn is_filled(visible: &PageVisibility, run: &Run) -> bool {
    run.mode == 7 && visible.areas.later(run.bounds, run.order).iter().any(|area| area.bounds.meets(run.bounds))
}

/// Whether it is clipped away completely.
pub(super) fn is_clipped_away(visible: &PageVisibility, place: usize, run: &Run) -> bool {
    let glyphs = visible.page.glyphs(run).len();
    !run.is_painted() || glyphs > 0 && (0..glyphs).all(|glyph| visible.visibility.is_clipped(place, glyph))
}

/// Returns the bar painted over recognized text of a scan: the image was redacted, its text was not.
fn bar_over<'p>(visible: &PageVisibility<'p>, run: &Run, checks: &mut usize) -> Option<Option<&'p Area>> {
    let [width, height] = visible.page.size;
    let around = visible.areas.around(run.bounds);
    *checks = checks.checked_sub(around.len())?;
    let scan = around.iter().find(|area| area.kind == AreaKind::Image && area.bounds.has(run.bounds.middle()));
    let Some(scan) = scan else { return Some(None) };
    let is_bar = |area: &&&Area| {
        let is_path = matches!(area.kind, AreaKind::Rectangle | AreaKind::Stroke | AreaKind::Block);
        is_path
            && area.is_solid
            && area.order > scan.order
            && area.bounds.area() <= BAR_MAX_PAGE_PART * width * height
            && covered_part(run.bounds, area.bounds) >= BACKGROUND_MIN_PART
    };
    Some(around.iter().find(is_bar).copied())
}

/// Whether all its meaningful glyphs have the color of their background.
pub(super) fn has_background_color(visible: &PageVisibility, run: &Run, checks: &mut usize) -> Option<bool> {
    if run.color.is_none() || run.has_outline {
        return Some(false);
    }
    let earlier = visible.areas.earlier(run.bounds, run.order);
    // nearly all text is far from areas of its color, such as black rules
    let has_same_color =
        |area: &&Area| area.bounds.meets(run.bounds) && area.color.is_some_and(|color| run.is_invisible_on(color));
    if !run.is_invisible_on(WHITE) && !earlier.iter().any(has_same_color) {
        return Some(false);
    }
    let glyphs = visible.page.glyphs(run).len();
    *checks = checks.checked_sub(earlier.len() * glyphs.max(1))?;
    let background_area = |bounds: Rectangle| match earlier.iter().rev().find(|area| area.bounds.meets(bounds)) {
        Some(area) if area.is_opaque && covered_part(bounds, area.bounds) >= BACKGROUND_MIN_PART => area.color,
        // the color there is unknown
        Some(_) => None,
        None => Some(WHITE),
    };
    let is_on_same_color = |bounds: Rectangle| background_area(bounds).is_some_and(|color| run.is_invisible_on(color));
    let says = |glyph: &usize| visible.page.glyph_text(run, *glyph).is_none_or(is_meaningful);
    let boxes = (0..glyphs).filter(says).filter_map(|glyph| visible.page.glyph_box(run, glyph));
    let mut boxes: Vec<Rectangle> = boxes.collect();
    if boxes.is_empty() {
        boxes.push(run.bounds);
    }
    if !boxes.into_iter().all(is_on_same_color) {
        return Some(false);
    }
    *checks = checks.checked_sub(visible.page.runs.len())?;
    Some(!is_on_symbol(visible, run))
}

/// Whether it is on a larger symbol, such as a square of a symbol font.
fn is_on_symbol(visible: &PageVisibility, run: &Run) -> bool {
    let is_sign = |other: &Run| {
        other.order < run.order
            && other.size >= SYMBOL_MIN_SIZE_RATIO * run.size
            && other.is_painted()
            && other.bounds.has(run.bounds.middle())
    };
    visible.page.runs.iter().any(is_sign)
}
