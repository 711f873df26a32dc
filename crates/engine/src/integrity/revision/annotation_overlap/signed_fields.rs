//! The places of the signed form's fields, each of which belongs to its own field alone: what is drawn in an empty one, a
//! box to tick or the signature field of another person reads as its value.

use super::painted_page::signed_annotations;
use crate::integrity::clause::Clause;
use crate::integrity::clause::Word::Quote;
use crate::integrity::revision::annotation_flags::{HIDDEN, NO_VIEW};
use crate::integrity::revision::examiner::{Examiner, Step};
use pdf_content::{PageText, Rectangle};
use pdf_syntax::failure::Fault;

/// How far paint may reach into a field, in points.
const EDGE_PT: f64 = 1.0;

/// New paint in the place of another field.
pub(super) fn drawn_in_other_field(
    examiner: &mut Examiner,
    step: &Step,
    (owner, page): (u32, u32),
    (over, corner): (&PageText, (f64, f64)),
    own: Option<u32>,
) -> Result<Option<Clause>, Fault> {
    let [form, _] = step.forms.clone();
    for (number, widget) in signed_annotations(examiner, step, owner)? {
        let Some(field) = number.filter(|_| number != own).and_then(|number| form.field(number)) else { continue };
        let view = &mut examiner.document.view(step.pair.old);
        let is_hidden = view.integer(widget.get(b"F"))?.unwrap_or(0) & (HIDDEN | NO_VIEW) != 0;
        let place = Rectangle::read(&view.array(widget.get(b"Rect"), 5)?).filter(|_| !is_hidden);
        let Some(place) = place.map(|place| place.moved(-corner.0, -corner.1).grown(-EDGE_PT)) else { continue };
        if place.width() <= 0.0 || place.height() <= 0.0 {
            continue;
        }
        let is_written = over.runs.iter().any(|run| run.is_painted() && run.bounds.clipped(run.clip).meets(place));
        if is_written || over.covered_part(place, |_| true, false) > 0.0 {
            let words = [page.into(), Quote(&field.name)];
            return Ok(Some(Clause::of("what was added on page {} is in the form field {}", &words)));
        }
    }
    Ok(None)
}
