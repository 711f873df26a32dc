//! The bounds of a change without text: the box around the changed paint.

use pdf_content::{PageDifference, PageText, Rectangle, page_diff};

/// The bounding box of the paint that the page content, or an annotation, has in only one state: the new one, otherwise
/// the old one.
pub(super) fn of_difference(before: &PageText, after: &PageText, owner: Option<u32>) -> Option<Rectangle> {
    let found: Vec<PageDifference> =
        page_diff(before, after).into_iter().filter(|found| found.annotation == owner).collect();
    let own = |is_new| found.iter().filter(move |found| found.is_new == is_new);
    let bounds = |is_new| own(is_new).map(|found| found.bounds).reduce(Rectangle::with);
    bounds(true).or_else(|| bounds(false))
}

/// The bounding box of all places where a page paints this image, in the new state, otherwise in the old one.
pub(super) fn of_image(before: &PageText, after: &PageText, object: u32) -> Option<Rectangle> {
    let places = |page: &PageText| {
        let images = page.areas.iter().filter(|area| area.object == Some(object));
        images.map(|area| area.bounds).reduce(Rectangle::with)
    };
    places(after).or_else(|| places(before))
}
