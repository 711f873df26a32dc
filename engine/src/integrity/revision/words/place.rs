//! Where a change lies on a page that left no words: the box around what is drawn otherwise.

use crate::content::{PageText, Redrawn, around, redrawn};

/// The box around what a page draws itself, or one of its annotations does, in one state and not in the other: as it is now,
/// or else as it was.
pub(super) fn of_difference(before: &PageText, after: &PageText, owner: Option<u32>) -> Option<[f64; 4]> {
    let found: Vec<Redrawn> = redrawn(before, after).into_iter().filter(|found| found.annotation == owner).collect();
    let bounds = |is_new| around(found.iter().filter(|found| found.is_new == is_new).map(|found| found.bounds));
    bounds(true).or_else(|| bounds(false))
}

/// The box around all places where a page draws this image, as it is now, or else as it was.
pub(super) fn of_image(before: &PageText, after: &PageText, object: u32) -> Option<[f64; 4]> {
    let places =
        |page: &PageText| around(page.areas.iter().filter(|area| area.object == Some(object)).map(|area| area.bounds));
    places(after).or_else(|| places(before))
}
