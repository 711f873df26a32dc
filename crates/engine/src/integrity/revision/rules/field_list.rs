//! Fields and widgets that were added or removed (ISO 32000-1, 12.7.2 and 12.5.6.19).

use crate::integrity::clause::Clause;
use crate::integrity::clause::Word::Quote;
use crate::integrity::event::{Event, EventKind, Subject};
use crate::integrity::revision::evidence_text;
use crate::integrity::revision::examiner::{Examiner, Step};
use crate::integrity::revision::list_changes;
use crate::integrity::revision::signature_field_template::{self, FieldVisibility};
use pdf_syntax::document::form::Field;
use pdf_syntax::failure::Fault;
use pdf_syntax::syntax::dictionary::Dictionary;
use pdf_syntax::syntax::object::Object;

/// Compares two lists of fields.
pub(crate) fn lists(examiner: &mut Examiner, step: &Step, old: &Object, new: &Object) -> Result<(), Fault> {
    let [before, after] = step.pair.resolve(examiner.document, old, new)?;
    let changes = list_changes::changes(before.elements(), after.elements());
    let direct = changes.added.iter().chain(&changes.removed).any(|element| element.as_reference().is_none());
    let is_other = !new.is_null() && !matches!(&*after, Object::Array(_));
    if direct || is_other || changes.has_repeats {
        let subject = Subject::Form("Fields".to_owned());
        examiner.report(step.event_between((&before, &after), EventKind::Field, subject));
    }
    let numbers = |list: &[&Object]| {
        list.iter().filter_map(|element| element.as_reference()).map(|id| id.number).collect::<Vec<_>>()
    };
    let (added, removed) = (numbers(&changes.added), numbers(&changes.removed));
    let [form, _] = step.forms.clone();
    for number in added {
        match form.field(number).filter(|known| examiner.is_signed && known.line.len() > 1) {
            // Syncfusion lists the kids of all fields
            Some(known) => {
                let what = "the form lists the field {} in another place, too";
                examiner.inconclusive(step, None, Clause::of(what, &[Quote(&known.name)]));
            }
            None => listed(examiner, step, number, true)?,
        }
    }
    for number in removed {
        listed(examiner, step, number, false)?;
    }
    Ok(())
}

/// Reports a field added to or removed from a list.
fn listed(examiner: &mut Examiner, step: &Step, number: u32, came: bool) -> Result<(), Fault> {
    let state = if came { step.pair.new } else { step.pair.old };
    let body = examiner.document.view(state).object(number)?;
    match body.as_ref().and_then(|body| body.dictionary()) {
        Some(names) if came && is_new(step, number) && signature_field_template::is_name_part(names) => {
            let [_, form] = step.forms.clone();
            form.kids(number).try_for_each(|kid| listed(examiner, step, kid, came))
        }
        Some(dictionary) => widget(examiner, step, (0, number), dictionary, (came, false)),
        None => {
            // an object missing now may be added later
            if came {
                let event = step.event(EventKind::Field, Subject::Form("Fields".to_owned()));
                examiner.report(Event { object: Some(number), ..event });
            }
            Ok(())
        }
    }
}

fn is_new(step: &Step, field: u32) -> bool {
    let [before, after] = &step.forms;
    before.field(field).is_none() && after.field(field).is_some()
}

/// Reports a widget or a field added or removed on a page or in a list.
pub(crate) fn widget(
    examiner: &mut Examiner,
    step: &Step,
    (owner, number): (u32, u32),
    widget: &Dictionary,
    (came, is_hidden): (bool, bool),
) -> Result<(), Fault> {
    let state = if came { step.pair.new } else { step.pair.old };
    let ancestry = examiner.ancestry(step, state, (number, widget))?;
    // Poppler adds such a field to a page only
    if examiner.is_signed && came && !is_hidden && is_unlisted(examiner, step, (number, widget), &ancestry)? {
        let shown = signature_field_template::signature_field(examiner, step, number)?;
        if shown == Some(FieldVisibility::None) {
            let event = step.event(EventKind::Signature, Subject::Field(ancestry.name.clone(), None));
            examiner.report(Event { object: Some(number), field: Some(ancestry.name), ..event });
        } else {
            let what = "a signature was added whose field the form does not have".into();
            examiner.inconclusive(step, step.page_number(owner), what);
        }
        return Ok(());
    }
    let [before, _] = &step.signed;
    let kind = if !ancestry.is_signature() || !came && !ancestry.line.iter().any(|field| before.contains_key(field)) {
        EventKind::Field
    } else if !came {
        EventKind::Unsigned
    } else if step.signs_field(own_field(step, number, &ancestry)) {
        // reported as a signature unless it hides something
        match is_hidden {
            true => EventKind::VisibleSignature,
            false => return Ok(()),
        }
    } else if is_to_be_signed(examiner, step, own_field(step, number, &ancestry), widget)? {
        EventKind::SignatureField
    } else if examiner.is_signed && signature_field_template::draws_nothing(examiner, step.pair.new, widget)? {
        let what = Clause::of("viewers may read the new signature field {} differently", &[Quote(&ancestry.name)]);
        examiner.inconclusive(step, step.page_number(owner), what);
        return Ok(());
    } else {
        EventKind::Field
    };
    let shown = Some(evidence_text::annotation(widget));
    let (before, after) = if came { (None, shown) } else { (shown, None) };
    examiner.report(Event {
        object: Some(number),
        page: step.page_number(owner),
        before,
        after,
        field: Some(ancestry.name.clone()),
        is_hidden,
        ..step.event(kind, Subject::Field(ancestry.name, None))
    });
    Ok(())
}

/// The field of a merged field, or the field with this only kid.
fn own_field(step: &Step, number: u32, ancestry: &Field) -> u32 {
    let [_, form] = &step.forms;
    match (form.field(number), &ancestry.line[..]) {
        (Some(own), &[_, parent, ..]) if !own.dictionary().has(b"T") && form.kids(parent).count() == 1 => parent,
        _ => number,
    }
}

/// Whether it is the invisible widget of a signature that the form does not have.
fn is_unlisted(
    examiner: &mut Examiner,
    step: &Step,
    (number, widget): (u32, &Dictionary),
    ancestry: &Field,
) -> Result<bool, Fault> {
    let [_, form] = &step.forms;
    let is_signed = ancestry.is_signature() && widget.has(b"V") && form.field(number).is_none();
    Ok(is_signed && signature_field_template::draws_nothing(examiner, step.pair.new, widget)?)
}

/// Whether a new field is an unsigned signature field that shows at most where to sign. What it draws other than a ground
/// and a frame may be a sign of its own.
fn is_to_be_signed(examiner: &mut Examiner, step: &Step, number: u32, widget: &Dictionary) -> Result<bool, Fault> {
    if !examiner.is_signed {
        return Ok(true);
    }
    let is_expected = !widget.has(b"V")
        && signature_field_template::signature_field(examiner, step, number)?.is_some()
        && signature_field_template::draws_no_more_than_a_box(examiner, step.pair.new, widget)?;
    if is_expected && !signature_field_template::is_framed(examiner, step.pair.new, widget)? {
        let page = examiner.map.page(number).and_then(|page| step.page_number(page));
        let what = "an empty signature field draws more than a frame, or a box like those to tick";
        examiner.inconclusive(step, page, what.into());
    }
    Ok(is_expected)
}
