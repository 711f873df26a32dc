//! Appearances for while a button is pressed, which come with those of its states where it had none (ISO 32000-1, 12.5.5).

use crate::integrity::revision::examiner::{Examiner, Step};
use crate::integrity::revision::signature_field_template::drawn;
use pdf_content::{PathMark, Rectangle, path_mark};
use pdf_syntax::failure::Fault;
use pdf_syntax::syntax::dictionary::Dictionary;
use pdf_syntax::syntax::name::Name;
use pdf_syntax::syntax::object::Object;

/// Whether the appearances that a button was given for while it is pressed show no more than a ground and a mark.
pub(crate) fn has_pressed_marks(examiner: &mut Examiner, step: &Step, widget: u32) -> Result<bool, Fault> {
    let both = step.both_states(examiner.document, widget)?.filter(|[signed, _]| !signed.has(b"AP"));
    let Some([signed, newest]) = both else { return Ok(false) };
    let view = &mut examiner.document.view(step.pair.new);
    let appearances = view.dictionary(newest.get(b"AP"))?.into_owned();
    let pressed = view.dictionary(appearances.get(b"D"))?.into_owned();
    let Some(button) = Rectangle::read(signed.get(b"Rect")) else { return Ok(false) };
    for (state, stream) in pressed.iter() {
        let one = |appearance: &Object| {
            let mut normal = Dictionary::default();
            normal.push(Name::new(b"N"), appearance.clone());
            let mut widget = Dictionary::default();
            widget.push(Name::new(b"Rect"), signed.get(b"Rect").clone());
            widget.push(Name::new(b"AP"), Object::Dictionary(normal));
            widget
        };
        let on = drawn(examiner, step.pair.new, &one(stream))?;
        let off = drawn(examiner, step.pair.new, &one(pressed.get(b"Off")))?;
        let is_marked = path_mark(&on, &off, button);
        let is_plain =
            if state.as_bytes() == b"Off" { is_marked == PathMark::None } else { is_marked != PathMark::Other };
        if !on.runs.is_empty() || on.is_part || !is_plain {
            return Ok(false);
        }
    }
    Ok(!pressed.is_empty())
}

/// A widget without the appearances for while it is pressed.
pub(super) fn without_pressed(examiner: &mut Examiner, step: &Step, widget: &Dictionary) -> Result<Dictionary, Fault> {
    let appearances = examiner.document.view(step.pair.new).dictionary(widget.get(b"AP"))?.into_owned();
    let mut normal = Dictionary::default();
    normal.push(Name::new(b"N"), appearances.get(b"N").clone());
    let mut bare = Dictionary::default();
    for (key, value) in widget.iter() {
        let value = if key.as_bytes() == b"AP" { Object::Dictionary(normal.clone()) } else { value.clone() };
        bare.push(key.clone(), value);
    }
    Ok(bare)
}
