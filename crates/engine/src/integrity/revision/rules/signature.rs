//! Changes of signatures (ISO 32000-1, 12.8).

use crate::integrity::clause::Clause;
use crate::integrity::clause::Word::Quote;
use crate::integrity::event::{Event, EventKind, Subject};
use crate::integrity::revision::annotation_overlap;
use crate::integrity::revision::evidence_text;
use crate::integrity::revision::examiner::{Examiner, Step};
use crate::integrity::revision::object_change::ObjectChange;
use crate::integrity::revision::signature_field_template::{self, FieldVisibility, has_normal_appearance};
use crate::integrity::revision::structure::role::is_signature;
use crate::integrity::revision::structure::signatures::SignedField;
use pdf_content::Rectangle;
use pdf_syntax::failure::Fault;

/// Reports fields that were signed or no longer are.
pub(crate) fn fields(examiner: &mut Examiner, step: &Step) -> Result<(), Fault> {
    let [before, after] = &step.signed;
    for (&field, signed) in after {
        match before.get(&field) {
            Some(known) if known.value == signed.value => {}
            Some(known) => unsigned(examiner, step, field, known),
            // another field's value is no signature of this field
            None if signed.value > 0 && before.values().any(|known| known.value == signed.value) => {
                added(examiner, step, (field, signed), EventKind::Field)?;
            }
            None => {
                let kind = kind(examiner, step, field, signed)?;
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
    let covered = annotation_overlap::covered_signature(examiner, step, field)?;
    let name = if signed.is_timestamp { "DocTimeStamp" } else { "Sig" };
    // what it shows there is reported with its page
    let [_, form] = &step.forms;
    let mut widgets = form.kids(field).chain([field]).filter(|_| kind == EventKind::VisibleSignature);
    let page = widgets.find_map(|widget| step.page_number(examiner.map.page(widget)?));
    examiner.report(Event {
        object: Some(field),
        page,
        after: Some(name.to_owned()),
        field: Some(signed.name.clone()),
        covered,
        ..step.event(kind, Subject::Field(signed.name.clone(), None))
    });
    Ok(())
}

fn unsigned(examiner: &mut Examiner, step: &Step, field: u32, signed: &SignedField) {
    examiner.report(Event {
        object: Some(field),
        before: Some(format!("signed by object {}", signed.value)),
        field: Some(signed.name.clone()),
        ..step.event(EventKind::Unsigned, Subject::Field(signed.name.clone(), None))
    });
}

/// The kind of a signing: a new field must have the form of signature fields; an existing one keeps its appearance.
fn kind(examiner: &mut Examiner, step: &Step, number: u32, signed: &SignedField) -> Result<EventKind, Fault> {
    let [before, _] = &step.forms;
    if before.field(number).is_none() {
        return Ok(match signature_field_template::signature_field(examiner, step, number)? {
            Some(FieldVisibility::None) if signed.is_timestamp => EventKind::TimeStamp,
            Some(FieldVisibility::None) => EventKind::Signature,
            Some(FieldVisibility::Drawn) if !signed.is_timestamp => EventKind::VisibleSignature,
            None if signature_field_template::namesake(examiner, step, number)?.is_some() => {
                let what = "the new signature field {} has the name of another field";
                examiner.inconclusive(step, None, Clause::of(what, &[Quote(&signed.name)]));
                EventKind::VisibleSignature
            }
            // whether it is one is unknown, which the recognizer reports
            None if draws_and_does_nothing(examiner, step, number)? => EventKind::Signature,
            Some(FieldVisibility::Drawn) if has_empty_appearance(examiner, step, number)? => EventKind::TimeStamp,
            // a time-stamp is invisible
            Some(FieldVisibility::Drawn) | None => EventKind::Field,
        });
    }
    let mut is_visible = false;
    let [_, after] = step.forms.clone();
    for widget in after.kids(number).chain([number]) {
        let Some(body) = examiner.document.view(step.pair.new).object(widget)? else { continue };
        let number = widget;
        let Some(widget) = body.dictionary().filter(|widget| widget.has(b"AP")) else { continue };
        is_visible |= !signature_field_template::draws_nothing(examiner, step.pair.new, widget)?;
        let page = examiner.map.page(number).unwrap_or(0);
        if annotation_overlap::signing_hides_text(examiner, step, page, (number, widget))? {
            return Ok(EventKind::Field);
        }
    }
    Ok(match (signed.is_timestamp, is_visible) {
        (true, true) => EventKind::Field,
        (true, false) => EventKind::TimeStamp,
        (false, true) => EventKind::VisibleSignature,
        (false, false) => EventKind::Signature,
    })
}

/// Whether viewers draw each widget of a new field by an appearance that draws nothing.
fn has_empty_appearance(examiner: &mut Examiner, step: &Step, field: u32) -> Result<bool, Fault> {
    let (state, [_, form]) = (step.pair.new, step.forms.clone());
    let kids: Vec<u32> = form.kids(field).collect();
    for widget in if kids.is_empty() { vec![field] } else { kids } {
        let Some(body) = examiner.document.view(state).object(widget)? else { return Ok(false) };
        let Some(widget) = body.dictionary() else { return Ok(false) };
        if !has_normal_appearance(examiner, state, widget)?
            || !signature_field_template::draws_nothing(examiner, state, widget)?
        {
            return Ok(false);
        }
    }
    Ok(true)
}

/// Whether no widget of a new field has an action or draws anything: one without an area draws a hairline at most.
fn draws_and_does_nothing(examiner: &mut Examiner, step: &Step, field: u32) -> Result<bool, Fault> {
    let [_, form] = step.forms.clone();
    for widget in form.kids(field).chain([field]) {
        let Some(body) = examiner.document.view(step.pair.new).object(widget)? else { continue };
        let Some(widget) = body.dictionary() else { continue };
        let acts = widget.has(b"A") || widget.has(b"AA");
        let has_area = Rectangle::read(widget.get(b"Rect")).is_none_or(|place| !place.is_empty());
        if acts || has_area && !signature_field_template::draws_nothing(examiner, step.pair.new, widget)? {
            return Ok(false);
        }
    }
    Ok(true)
}

/// Reports a changed signature or part of one.
pub(crate) fn value(examiner: &mut Examiner, step: &Step, change: &ObjectChange) {
    let [before, after] = change.dictionaries();
    let [_, signed] = &step.signed;
    // reported with its field
    if before.is_none() && signed.values().any(|signed| signed.value == change.number) {
        return;
    }
    let signature = before.or(after).filter(|dictionary| is_signature(dictionary));
    let kind = signature.and_then(|signature| evidence_text::text(signature.get(b"SubFilter")));
    examiner.report(Event {
        object: Some(change.number),
        before: before.and_then(|before| evidence_text::value(before.get(b"ByteRange"))),
        after: after.and_then(|after| evidence_text::value(after.get(b"ByteRange"))),
        ..step.event(EventKind::Unsigned, Subject::Signature(kind))
    });
}
