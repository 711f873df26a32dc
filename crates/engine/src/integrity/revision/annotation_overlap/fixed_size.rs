//! Annotations that keep their size on the screen (ISO 32000-1, 12.5.3, NoZoom): the smaller a page is shown, the farther
//! they reach. Icons, by which notes are found, reach not far; anything larger may come to hide what is beside it.

use super::overlay::Scene;
use crate::integrity::clause::Clause;
use crate::integrity::revision::annotation_flags::NO_ZOOM;
use crate::integrity::revision::examiner::Examiner;
use pdf_content::Rectangle;
use pdf_syntax::failure::Fault;

/// Maximum width and height of an icon, in points.
const MAX_ICON_PT: f64 = 40.0;

/// Why an annotation with these flags may reach farther than it is compared.
pub(super) fn reach(
    examiner: &mut Examiner,
    scene: &Scene,
    (flags, has_appearance): (i64, bool),
) -> Result<Option<Clause>, Fault> {
    if flags & NO_ZOOM == 0 {
        return Ok(None);
    }
    // viewers have icons of their own for these
    let is_icon = !has_appearance && matches!(scene.subtype, b"Text" | b"FileAttachment" | b"Sound" | b"Popup");
    let painted = match has_appearance {
        true => {
            let over = scene.over(examiner)?;
            let runs = over.runs.iter().map(|run| run.bounds);
            runs.chain(over.areas.iter().map(|area| area.bounds)).reduce(Rectangle::with)
        }
        false => scene.place.filter(|_| !is_icon),
    };
    let is_large = painted.is_some_and(|it| it.width() > MAX_ICON_PT || it.height() > MAX_ICON_PT);
    Ok(is_large.then(|| Clause::of("the size of an annotation on page {} depends on the zoom", &[scene.page.into()])))
}
