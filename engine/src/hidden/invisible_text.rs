//! Text that is painted and cannot be seen: with nothing, in the colour of what lies beneath, tiny, beside the page, or in a
//! layer that is off. People do not see it; programs that read the text do.

use std::collections::BTreeMap;

use super::finding::HiddenText;
use super::page_visibility::{Sight, says_something};
use super::report::HiddenKind;
use crate::content::{Area, AreaKind, Rectangle, Run, covered_part};

/// Smaller text nobody can read, in points.
const TINY: f64 = 1.0;
/// How much larger a sign must be than a text to be what the text is written on.
const LARGER: f64 = 1.2;
const WHITE: [u8; 3] = [255; 3];
/// The part of a glyph that must lie over an area for it to be written on that alone.
const UPON: f64 = 0.9;
/// The part of the page up to which an area is a bar over what a text recognition laid over a scan.
pub(super) const BAR: f64 = 0.25;

/// The places of the runs that cannot be seen on a page, by how they are hidden.
pub(super) type Unseen = BTreeMap<HiddenKind, Vec<usize>>;

/// What cannot be seen on a page; none if telling so takes more than `checks`.
pub(super) fn places(sight: &Sight, checks: &mut usize) -> Option<Unseen> {
    let mut kinds = Unseen::new();
    for (place, run) in sight.page.runs.iter().enumerate() {
        if let Some(kind) = kind(sight, place, run, checks)?
            && says_something(sight.page.text(run))
        {
            kinds.entry(kind).or_default().push(place);
        }
    }
    Some(kinds)
}

/// One finding for each line of them.
pub(super) fn findings(sight: &Sight, number: u32, unseen: &Unseen) -> Vec<HiddenText> {
    let of_kind = |(kind, places): (&HiddenKind, &Vec<usize>)| {
        let finding = |line| HiddenText::of(std::slice::from_ref(line), number, *kind);
        sight.lines(places).iter().filter_map(finding).collect::<Vec<_>>()
    };
    unseen.iter().flat_map(of_kind).collect()
}

/// How a run is hidden, if it is.
fn kind(sight: &Sight, place: usize, run: &Run, checks: &mut usize) -> Option<Option<HiddenKind>> {
    let [width, height] = sight.page.size;
    let is_on_page = run.bounds.meets(Rectangle { right: width, top: height, ..Rectangle::default() });
    Some(match (run.is_off, is_on_page, run.paints()) {
        (true, ..) => Some(HiddenKind::HiddenLayer),
        (_, false, true) => Some(HiddenKind::OffPage),
        (_, false, false) => None,
        (_, true, false) if is_recognised(sight, run) => {
            bar_over(sight, run, checks)?.is_some().then_some(HiddenKind::Covered)
        }
        (_, true, false) => (!is_filled(sight, run)).then_some(HiddenKind::Invisible),
        _ if is_clipped_away(sight, place, run) => (!sight.is_seen_again(place)).then_some(HiddenKind::Invisible),
        _ if run.is_squeezed() => Some(HiddenKind::Invisible),
        _ if run.size < TINY => Some(HiddenKind::Tiny),
        _ => has_color_beneath(sight, place, run, checks)?.then_some(HiddenKind::Invisible),
    })
}

/// Whether a text recognition laid it under or over a picture.
fn is_recognised(sight: &Sight, run: &Run) -> bool {
    let mut areas = sight.areas.around(run.bounds).iter();
    sight.is_scan || areas.any(|area| area.kind == AreaKind::Image && area.bounds.has(run.bounds.middle()))
}

/// Whether something was painted there later: text may only be the clip for that (9.3.6, mode 7).
fn is_filled(sight: &Sight, run: &Run) -> bool {
    run.mode == 7 && sight.areas.later(run.bounds, run.order).iter().any(|area| area.bounds.meets(run.bounds))
}

/// Whether its clip leaves nothing of it.
fn is_clipped_away(sight: &Sight, place: usize, run: &Run) -> bool {
    let glyphs = sight.page.glyphs(run).len();
    !run.is_painted() || glyphs > 0 && (0..glyphs).all(|glyph| sight.visibility.is_clipped(place, glyph))
}

/// What was painted over the picture that a text was recognised in, where that text stands: a scan that was redacted so, and
/// its text was not.
fn bar_over<'p>(sight: &Sight<'p>, run: &Run, checks: &mut usize) -> Option<Option<&'p Area>> {
    let [width, height] = sight.page.size;
    let around = sight.areas.around(run.bounds);
    *checks = checks.checked_sub(around.len())?;
    let scan = around.iter().find(|area| area.kind == AreaKind::Image && area.bounds.has(run.bounds.middle()));
    let Some(scan) = scan else { return Some(None) };
    let is_bar = |area: &&&Area| {
        let is_path = matches!(area.kind, AreaKind::Rectangle | AreaKind::Stroke | AreaKind::Block);
        is_path
            && area.is_solid
            && area.order > scan.order
            && area.bounds.area() <= BAR * width * height
            && covered_part(run.bounds, area.bounds) >= UPON
    };
    Some(around.iter().find(is_bar).copied())
}

/// Whether all of it that says anything has the color of what it is written on.
fn has_color_beneath(sight: &Sight, place: usize, run: &Run, checks: &mut usize) -> Option<bool> {
    if run.color.is_none() || run.has_outline {
        return Some(false);
    }
    let earlier = sight.areas.earlier(run.bounds, run.order);
    // nearly all text is far from what has its color, such as black rules
    let is_alike =
        |area: &&Area| area.bounds.meets(run.bounds) && area.color.is_some_and(|color| run.is_lost_on(color));
    if !run.is_lost_on(WHITE) && !earlier.iter().any(is_alike) {
        return Some(false);
    }
    let glyphs = sight.page.glyphs(run).len();
    *checks = checks.checked_sub(earlier.len() * glyphs.max(1))?;
    let beneath = |bounds: Rectangle| match earlier.iter().rev().find(|area| area.bounds.meets(bounds)) {
        Some(area) if area.is_opaque && covered_part(bounds, area.bounds) >= UPON => area.color,
        // there is something, and what it shows there cannot be told
        Some(_) => None,
        None => Some(WHITE),
    };
    let is_upon_alike = |bounds: Rectangle| beneath(bounds).is_some_and(|color| run.is_lost_on(color));
    let says = |glyph: &usize| sight.page.glyph_text(run, *glyph).is_none_or(says_something);
    let boxes = (0..glyphs).filter(says).filter_map(|glyph| sight.page.glyph_box(run, glyph));
    let mut boxes: Vec<Rectangle> = boxes.collect();
    if boxes.is_empty() {
        boxes.push(run.bounds);
    }
    if !boxes.into_iter().all(is_upon_alike) {
        return Some(false);
    }
    *checks = checks.checked_sub(sight.page.runs.len())?;
    Some(!is_upon_sign(sight, run) && !sight.is_seen_again(place))
}

/// Whether it is written on a larger sign, such as a square of a font of signs.
fn is_upon_sign(sight: &Sight, run: &Run) -> bool {
    let is_sign = |other: &Run| {
        other.order < run.order
            && other.size >= LARGER * run.size
            && other.is_painted()
            && other.bounds.has(run.bounds.middle())
    };
    sight.page.runs.iter().any(is_sign)
}
