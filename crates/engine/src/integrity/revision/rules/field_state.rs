//! What a revision does with a form field (ISO 32000-1, 12.7), by which its entries and parts are classified.

use super::calculation::{Calculation, calculation};
use super::field_appearance;
use crate::integrity::event::EventKind;
use crate::integrity::revision::examiner::{Examiner, Step};
use crate::integrity::revision::vocabulary::is_among;
use pdf_syntax::document::form::Field;
use pdf_syntax::failure::Fault;
use pdf_syntax::syntax::dictionary::Dictionary;

/// Attributes that a field inherits (12.7.3.1 to 12.7.4.3).
const INHERITABLE: &str = "FT Ff V DV DA Q MaxLen";

pub(super) struct FieldState {
    /// The field, or the widget with its ancestors, before the revision.
    pub(super) field: Field,
    /// Whether this revision signs it.
    pub(super) is_signed: bool,
    /// Whether its value changed, which is permitted.
    pub(super) is_filled: bool,
}

impl FieldState {
    pub(super) fn read(
        examiner: &mut Examiner,
        step: &Step,
        (number, entries): (u32, &Dictionary),
    ) -> Result<Self, Fault> {
        let field = examiner.ancestry(step, step.pair.old, (number, entries))?;
        let is_signed = is_own(step, &field, entries);
        let is_filled = (step.fills(&field) || field_appearance::is_cleared(examiner, step, &field)?)
            && (!field.is_read_only() || calculation(examiner, step, &field)? != Calculation::None)
            && !field.is_signature()
            && !field.is_push_button();
        Ok(Self { field, is_signed, is_filled })
    }

    /// Whether filling it in, or drawing its value again, writes an appearance or value that is reported so.
    pub(super) fn writes(&self, kind: EventKind) -> bool {
        kind == EventKind::Value && self.is_filled || kind == EventKind::Redrawn
    }
}

/// Whether a field, or a merged field, is signed by this update.
fn is_own(step: &Step, ancestry: &Field, widget: &Dictionary) -> bool {
    match ancestry.line[..] {
        [field] => step.signs_field(field),
        [field, parent, ..] => step.signs_field(field) || step.signs_field(parent) && !widget.has(b"T"),
        [] => false,
    }
}

/// Whether an entry that was missing has the inherited value now, which it had already (12.7.3.1).
pub(super) fn is_inherited(
    examiner: &mut Examiner,
    step: &Step,
    key: &[u8],
    (before, after): (&Dictionary, &Dictionary),
    field: &Field,
) -> Result<bool, Fault> {
    if before.has(key) || !is_among(INHERITABLE, key) {
        return Ok(false);
    }
    let [form, _] = step.forms.clone();
    let inherited = form.inherited(field.line.get(1..).unwrap_or_default(), key);
    Ok(!inherited.is_null() && step.pair.same(examiner.document, inherited, after.get(key))?)
}
