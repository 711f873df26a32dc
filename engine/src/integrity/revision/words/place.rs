//! Where a change lies on a page that left no words: the box around what is drawn otherwise.

use crate::content::{PageText, Rectangle, Redrawn, redrawn};

/// The box around what a page draws itself, or one of its annotations does, in one state and not in the other: as it is now,
/// or else as it was.
pub(super) fn of_difference(before: &PageText, after: &PageText, owner: Option<u32>) -> Option<Rectangle> {
    let found: Vec<Redrawn> = redrawn(before, after).into_iter().filter(|found| found.annotation == owner).collect();
    let own = |is_new| found.iter().filter(move |found| found.is_new == is_new);
    let bounds = |is_new| own(is_new).map(|found| found.bounds).reduce(Rectangle::with);
    bounds(true).or_else(|| bounds(false))
}

/// The box around all places where a page draws this image, as it is now, or else as it was.
pub(super) fn of_image(before: &PageText, after: &PageText, object: u32) -> Option<Rectangle> {
    let places = |page: &PageText| {
        let images = page.areas.iter().filter(|area| area.object == Some(object));
        images.map(|area| area.bounds).reduce(Rectangle::with)
    };
    places(after).or_else(|| places(before))
}
