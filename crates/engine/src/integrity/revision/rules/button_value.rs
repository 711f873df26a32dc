//! The values of check boxes and radio buttons, and the states that they name (ISO 32000-1, 12.7.4.2).

use crate::integrity::revision::examiner::{Examiner, Step};
use crate::integrity::revision::vocabulary::is_off;
use pdf_syntax::document::form::{Field, FormFields};
use pdf_syntax::failure::Fault;
use pdf_syntax::syntax::dictionary::Dictionary;
use pdf_syntax::syntax::object::Object;

/// Whether a check box or radio button came to show the state that its value named already: jsPDF writes that value for
/// buttons that are off.
pub(super) fn is_ticked(
    examiner: &mut Examiner,
    step: &Step,
    number: u32,
    (before, after): (&Dictionary, &Dictionary),
) -> Result<bool, Fault> {
    let state = after.get(b"AS");
    if before.get(b"AS") == state || is_off(after) || state.as_name().is_none() {
        return Ok(false);
    }
    let field = examiner.ancestry(step, step.pair.new, (number, after))?;
    Ok(field.is_button()
        && !field.is_push_button()
        && !field.is_read_only()
        && is_chosen(examiner, step, after, &field)?)
}

/// Whether the state of a button's widget is Off or the value of its field (12.7.4.2.3).
pub(super) fn is_chosen(
    examiner: &mut Examiner,
    step: &Step,
    after: &Dictionary,
    ancestry: &Field,
) -> Result<bool, Fault> {
    if !ancestry.is_button() || ancestry.is_push_button() {
        return Ok(false);
    }
    let [_, form] = step.forms.clone();
    let view = &mut examiner.document.view(step.pair.new);
    // LaTeX lists only the first button of several with one name
    let field = form.field_of(view, ancestry.line.first().copied().unwrap_or(0), after)?;
    let (state, value) = (view.resolve(after.get(b"AS"))?.into_owned(), view.resolve(button_value(&form, &field))?);
    let Some(state) = state.as_name().filter(|state| *state != b"Off") else { return Ok(true) };
    Ok(button_state(&value) == Some(state) || names_option(&form, &field, button_state(&value)))
}

/// The value of a button's widget: that of its field, whatever a widget that is none itself says (12.7.3.1).
pub(crate) fn button_value<'f>(form: &'f FormFields, widget: &'f Field) -> &'f Object {
    &form.named(widget).value
}

/// The state that a button's value names: programs write a string as well, or one with the name's solidus.
pub(crate) fn button_state(value: &Object) -> Option<&[u8]> {
    value.as_name().or_else(|| value.as_string().map(|text| text.strip_prefix(b"/").unwrap_or(text)))
}

/// Whether a button's value is the index of its widget: PDFium writes that where the field has options (12.7.4.2.4), even
/// if its appearance states have other names.
pub(crate) fn names_option(form: &FormFields, widget: &Field, value: Option<&[u8]>) -> bool {
    let number = widget.number.unwrap_or(0);
    let parent = widget.line.get(1).filter(|_| !widget.dictionary().has(b"T"));
    let index = parent.map_or(Some(0), |&parent| form.kids(parent).position(|kid| kid == number));
    !form.inherited(&widget.line, b"Opt").is_null()
        && index.is_some_and(|index| value == Some(index.to_string().as_bytes()))
}
