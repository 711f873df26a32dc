//! Text that later paint covers even in part: none of it counts as public.

use std::collections::BTreeSet;

use crate::{AnnotationKind, Area, Areas, PageText, Rectangle, covered_part};

/// Minimum covered share of text that no longer counts as visible.
const COVERED_MIN_PART: f64 = 0.1;
/// Maximum component of a color that hides text even if transparent.
const DARK_MAX_COMPONENT: u8 = 128;

/// Returns the indices of runs that are covered or marked for redaction, even in part; none if that takes more than
/// `checks`.
pub(super) fn covered(page: &PageText, checks: &mut usize) -> Option<BTreeSet<usize>> {
    let marks = page.annotations.iter().filter_map(|annotation| match &annotation.kind {
        AnnotationKind::Redact(boxes) => Some(boxes),
        AnnotationKind::Widget | AnnotationKind::PushButton => None,
    });
    let marked: Vec<Rectangle> = marks.flatten().copied().collect();
    let covers = Areas::new(page, page.areas.iter().filter(|area| may_hide(area)));
    let mut covered = BTreeSet::new();
    for (place, run) in page.runs.iter().enumerate() {
        let later = covers.later(run.bounds, run.order);
        *checks = checks.checked_sub(later.len() + marked.len())?;
        let mut over = later.iter().map(|area| area.bounds).chain(marked.iter().copied());
        if over.any(|bounds| covered_part(run.bounds, bounds) >= COVERED_MIN_PART) {
            covered.insert(place);
        }
    }
    Some(covered)
}

/// Whether an area may hide its backdrop.
fn may_hide(area: &Area) -> bool {
    let is_dark = area.color.is_none_or(|color| color.iter().all(|part| *part < DARK_MAX_COMPONENT));
    !area.is_off && (area.is_opaque || is_dark)
}
