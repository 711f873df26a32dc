//! Text that is painted and cannot be seen: with nothing, in the colour of what lies beneath, tiny, beside the page, or in a
//! layer that is off. People do not see it; programs that read the text do.

use std::collections::BTreeMap;

use super::finding::HiddenText;
use super::report::HiddenKind;
use super::sight::{Sight, says_something};
use crate::content::{AreaKind, Rectangle, Run, covered_part};

/// Smaller text nobody can read, in points.
const TINY: f64 = 1.0;
/// How far parts of two colours may be apart that look alike, of 255.
const ALIKE: u8 = 5;
/// How much larger a sign must be than a text to be what the text is written on.
const LARGER: f64 = 1.2;
const WHITE: [u8; 3] = [255; 3];
/// The part of a text that must lie over an area for it to be written on that alone.
const UPON: f64 = 0.9;

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
        (_, true, false) => (!is_recognised(sight, run) && !is_filled(sight, run)).then_some(HiddenKind::Invisible),
        // clipped away
        _ if !run.is_painted() => None,
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

/// Whether it has the colour of what it is written on.
fn has_color_beneath(sight: &Sight, place: usize, run: &Run, checks: &mut usize) -> Option<bool> {
    let Some(color) = run.color.filter(|_| run.mode != 2) else { return Some(false) };
    let is_alike = |other: [u8; 3]| color.iter().zip(other).all(|(one, other)| one.abs_diff(other) <= ALIKE);
    let earlier = sight.areas.earlier(run.bounds, run.order);
    if !is_alike(WHITE) && !earlier.iter().any(|area| area.color.is_some_and(is_alike)) {
        return Some(false);
    }
    *checks = checks.checked_sub(earlier.len())?;
    let beneath = match earlier.iter().rev().find(|area| area.bounds.meets(run.bounds)) {
        Some(area) if area.is_opaque && covered_part(run.bounds, area.bounds) >= UPON => area.color,
        // there is something, and what it shows there cannot be told
        Some(_) => None,
        None => Some(WHITE),
    };
    if !beneath.is_some_and(is_alike) {
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
