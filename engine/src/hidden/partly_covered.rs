//! Text under what was painted over it, be it only in part: nothing of it counts as public.

use std::collections::BTreeSet;

use crate::content::{AnnotationKind, Area, Areas, PageText, Rectangle, covered_part};

/// The part of a text that may lie under something before it no longer counts as shown.
const TOUCHED: f64 = 0.1;
/// The brightest part of a colour that hides what lies beneath even where it lets some light through.
const DARK: u8 = 128;

/// The places of the runs under what was painted over them or marks them for removal, be it only in part; none if telling so
/// takes more than `checks`.
pub(super) fn covered(page: &PageText, checks: &mut usize) -> Option<BTreeSet<usize>> {
    let marks = page.annotations.iter().filter_map(|annotation| match &annotation.kind {
        AnnotationKind::Redact(boxes) => Some(boxes),
        AnnotationKind::Widget => None,
    });
    let marked: Vec<Rectangle> = marks.flatten().copied().collect();
    let covers = Areas::new(page, page.areas.iter().filter(|area| darkens(area)));
    let mut covered = BTreeSet::new();
    for (place, run) in page.runs.iter().enumerate() {
        let later = covers.later(run.bounds, run.order);
        *checks = checks.checked_sub(later.len() + marked.len())?;
        let mut over = later.iter().map(|area| area.bounds).chain(marked.iter().copied());
        if over.any(|bounds| covered_part(run.bounds, bounds) >= TOUCHED) {
            covered.insert(place);
        }
    }
    Some(covered)
}

/// Whether an area may hide what lies beneath.
fn darkens(area: &Area) -> bool {
    let is_dark = area.color.is_none_or(|color| color.iter().all(|part| *part < DARK));
    !area.is_off && (area.is_opaque || is_dark)
}
