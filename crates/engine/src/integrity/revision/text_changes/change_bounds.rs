//! The bounds of a change without text: the box around the changed paint.

use pdf_content::{PageDifference, PageText, Rectangle, page_diff};

/// The box around what the page content, or one of its annotations, paints in only one state: the new one, or else the
/// old one.
pub(super) fn of_difference(before: &PageText, after: &PageText, owner: Option<u32>) -> Option<Rectangle> {
    let found: Vec<PageDifference> =
        page_diff(before, after).into_iter().filter(|found| found.annotation == owner).collect();
    let own = |is_new| found.iter().filter(move |found| found.is_new == is_new);
    let bounds = |is_new| own(is_new).map(|found| found.bounds).reduce(Rectangle::with);
    bounds(true).or_else(|| bounds(false))
}

/// The box around all places where a page paints this image, new or else old.
pub(super) fn of_image(before: &PageText, after: &PageText, object: u32) -> Option<Rectangle> {
    let places = |page: &PageText| {
        let images = page.areas.iter().filter(|area| area.object == Some(object));
        images.map(|area| area.bounds).reduce(Rectangle::with)
    };
    places(after).or_else(|| places(before))
}
