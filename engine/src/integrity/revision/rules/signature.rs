//! What a revision did to signatures (ISO 32000-1, 12.8).

use crate::failure::Fault;
use crate::integrity::event::{EventKind, Subject};
use crate::integrity::revision::delta::Delta;
use crate::integrity::revision::examiner::{Details, Examiner, Step};
use crate::integrity::revision::show;
use crate::integrity::revision::structure::role::is_signature;
use crate::integrity::revision::structure::signatures::SignedField;
use crate::syntax::object::Object;

/// Tells which fields were signed, and which no longer are.
pub(crate) fn fields(examiner: &mut Examiner, step: &Step) -> Result<(), Fault> {
    let [before, after] = &step.signed;
    for (&field, signed) in after {
        match before.get(&field) {
            Some(known) if known.value == signed.value => {}
            Some(known) => unsigned(examiner, step, field, known),
            // a value that was another field's is no signature of this one
            None if signed.value > 0 && before.values().any(|known| known.value == signed.value) => {
                added(examiner, step, (field, signed), EventKind::Field)?;
            }
            None => {
                let is_visible = is_visible(examiner, step, signed)?;
                let kind = match (signed.is_timestamp, is_visible) {
                    (_, true) => EventKind::VisibleSignature,
                    (true, false) => EventKind::TimeStamp,
                    (false, false) => EventKind::Signature,
                };
                added(examiner, step, (field, signed), kind)?;
            }
        }
    }
    for (&field, signed) in before.iter().filter(|(field, _)| !after.contains_key(field)) {
        unsigned(examiner, step, field, signed);
    }
    Ok(())
}

fn added(
    examiner: &mut Examiner,
    step: &Step,
    (field, signed): (u32, &SignedField),
    kind: EventKind,
) -> Result<(), Fault> {
    let name = if signed.is_timestamp { "DocTimeStamp" } else { "Sig" };
    let details = Details {
        object: Some(field),
        after: Some(name.to_owned()),
        field: Some(signed.name.clone()),
        ..Details::default()
    };
    examiner.tell(step, kind, Subject::Field(signed.name.clone(), None), details);
    Ok(())
}

fn unsigned(examiner: &mut Examiner, step: &Step, field: u32, signed: &SignedField) {
    let details = Details {
        object: Some(field),
        before: Some(format!("signed by object {}", signed.value)),
        field: Some(signed.name.clone()),
        ..Details::default()
    };
    examiner.tell(step, EventKind::Unsigned, Subject::Field(signed.name.clone(), None), details);
}

/// Whether a signature shows anything where nothing was meant to be signed before: a new rectangle of any size with an
/// appearance (12.7.4.5).
fn is_visible(examiner: &mut Examiner, step: &Step, signed: &SignedField) -> Result<bool, Fault> {
    let state = step.pair.new;
    for &widget in &signed.widgets {
        if examiner.document.view(step.pair.old).object(widget)?.is_some() {
            continue;
        }
        let Some(body) = examiner.document.view(state).object(widget)? else { continue };
        let Some(widget) = body.dictionary() else { continue };
        let rectangle = examiner.document.view(state).resolve(widget.get(b"Rect"))?;
        let sides: Vec<f64> = rectangle.elements().iter().filter_map(Object::as_number).collect();
        let is_empty = matches!(sides[..], [left, bottom, right, top] if left == right || bottom == top);
        if widget.has(b"AP") && !is_empty && !rectangle.is_null() {
            return Ok(true);
        }
    }
    Ok(false)
}

/// A signature, or part of one, was written anew.
pub(crate) fn value(examiner: &mut Examiner, step: &Step, delta: &Delta) {
    let [before, after] = [&delta.old, &delta.new].map(|stored| stored.body().and_then(|body| body.dictionary()));
    let [_, signed] = &step.signed;
    // told with its field
    if before.is_none() && signed.values().any(|signed| signed.value == delta.number) {
        return;
    }
    let signature = before.or(after).filter(|dictionary| is_signature(dictionary));
    let details = Details {
        object: Some(delta.number),
        before: before.and_then(|before| show::show(before.get(b"ByteRange"))),
        after: after.and_then(|after| show::show(after.get(b"ByteRange"))),
        ..Details::default()
    };
    let kind = signature.and_then(|signature| show::text(signature.get(b"SubFilter")));
    examiner.tell(step, EventKind::Unsigned, Subject::Signature(kind), details);
}
