//! Annotations that keep their size on the screen (ISO 32000-1, 12.5.3, NoZoom): the smaller a page is shown, the farther
//! they reach. Icons, by which notes are found, reach not far; anything larger may come to hide what is beside it.

use crate::integrity::clause::Clause;
use crate::integrity::revision::annotation_flags::NO_ZOOM;
use pdf_content::{PageText, Rectangle};

/// Maximum width and height of an icon, in points.
const MAX_ICON_PT: f64 = 40.0;

/// Why an annotation with these flags, on this page, may reach farther than it is compared. `over` is what its appearance
/// paints; without one, viewers draw it in its place.
pub(super) fn reach(
    (flags, subtype): (i64, &[u8]),
    (over, place): (Option<&PageText>, Option<Rectangle>),
    page: u32,
) -> Option<Clause> {
    // viewers have icons of their own for these
    let has_icon = matches!(subtype, b"Text" | b"FileAttachment" | b"Sound" | b"Popup");
    let painted = match over {
        Some(over) => {
            let runs = over.runs.iter().map(|run| run.bounds);
            runs.chain(over.areas.iter().map(|area| area.bounds)).reduce(Rectangle::with)
        }
        None => place.filter(|_| !has_icon),
    };
    let is_large = painted.is_some_and(|it| it.width() > MAX_ICON_PT || it.height() > MAX_ICON_PT);
    let is_fixed = flags & NO_ZOOM != 0;
    (is_fixed && is_large)
        .then(|| Clause::of("the size of an annotation on page {} depends on the zoom", &[page.into()]))
}
