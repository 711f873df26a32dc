//! Changes of the interactive form dictionary (ISO 32000-1, 12.7.2).

use super::field_appearance;
use super::field_list;
use super::generated_appearance::{gains_font, is_drawn_alike};
use crate::integrity::event::{Event, EventKind, Subject};
use crate::integrity::revision::evidence_text;
use crate::integrity::revision::examiner::{Examiner, Follows, Step};
use crate::integrity::revision::object_change::ObjectChange;
use crate::integrity::revision::structure::role::Role;
use crate::integrity::revision::vocabulary::is_private;
use pdf_syntax::document::form::{Field, FormFields};
use pdf_syntax::document::objects::State;
use pdf_syntax::failure::Fault;
use pdf_syntax::syntax::dictionary::Dictionary;
use pdf_syntax::syntax::object::Object;

/// XFA packets with filled-in data (12.7.8).
const DATA: [&str; 2] = ["datasets", "form"];

/// Compares the changed form dictionary.
pub(crate) fn changed(examiner: &mut Examiner, step: &Step, change: &ObjectChange) -> Result<(), Fault> {
    let [old, new] = change.dictionaries().map(|form| form.unwrap_or(Dictionary::empty()));
    entries(examiner, step, old, new)
}

/// Compares two states of the form dictionary.
pub(crate) fn entries(examiner: &mut Examiner, step: &Step, old: &Dictionary, new: &Dictionary) -> Result<(), Fault> {
    for name in step.pair.differing(examiner.document, old, new)? {
        let key = name.as_bytes();
        let (before, after) = (old.get(key), new.get(key));
        let kind = match key {
            b"Fields" => {
                field_list::lists(examiner, step, before, after)?;
                continue;
            }
            b"XFA" => {
                packets(examiner, step, before, after)?;
                continue;
            }
            // set with the first signature (12.7.2, table 219)
            b"SigFlags" if is_added(before, after) => continue,
            b"NeedAppearances" if [before, after].iter().all(|flag| **flag != Object::Boolean(true)) => continue,
            b"NeedAppearances" if after != &Object::Boolean(true) && are_appearances_kept(examiner, step)? => continue,
            // filling software writes the appearances or leaves them to viewers
            b"NeedAppearances" if !step.filled.is_empty() && are_appearances_kept(examiner, step)? => {
                EventKind::FormResource
            }
            b"DA" | b"DR" | b"Q" if !may_show_anything(examiner, step)? => continue,
            b"DA" if before.is_null() && (!examiner.is_signed || !shows_anything_by(examiner, step, key)?) => {
                EventKind::FormResource
            }
            b"DR" if only_adds(examiner, step, before, after, 2)? && !gains_font(examiner, step)? => {
                EventKind::FormResource
            }
            // a font that the form gains is no difference that anyone sees
            b"DR" if examiner.is_signed && only_adds(examiner, step, before, after, 2)? => EventKind::View,
            b"DA" | b"DR" | b"Q" if examiner.is_signed && !shows_anything(examiner, step)? => EventKind::View,
            _ if is_private(key) => continue,
            // a difference from the signed state, and only if a field shows something else than the value that viewers then draw, or drew before
            b"NeedAppearances" if step.follows == Follows::Unsigned && examiner.is_signed => EventKind::View,
            b"NeedAppearances" if examiner.is_signed && !is_other_shown(examiner, step)? => EventKind::View,
            b"NeedAppearances" | b"DA" | b"DR" | b"Q" => EventKind::Field,
            _ => EventKind::View,
        };
        let subject = Subject::Form(String::from_utf8_lossy(key).into_owned());
        examiner.report(step.event_between((before, after), kind, subject));
    }
    Ok(())
}

pub(crate) fn is_added(before: &Object, after: &Object) -> bool {
    let is_plain = |flags: &Object| flags.is_null() || matches!(flags, Object::Integer(_));
    let [was, is] = [before, after].map(|flags| flags.as_integer().unwrap_or(0));
    is_plain(before) && is_plain(after) && was & !is == 0
}

/// Whether anything is displayed with the defaults of the form (12.7.2, table 218, `/DA` and `/DR`): a value without an
/// appearance, of a field in the form or of a page's widget, or a free text without one.
pub(crate) fn shows_anything(examiner: &mut Examiner, step: &Step) -> Result<bool, Fault> {
    shows_anything_by(examiner, step, b"DR")
}

/// The same with this default, which fields and free texts that have their own do not use.
pub(crate) fn shows_anything_by(examiner: &mut Examiner, step: &Step, key: &[u8]) -> Result<bool, Fault> {
    let [form, _] = step.forms.clone();
    any_annotation(examiner, step, |annotation, has_appearance, field, is_empty| match field {
        _ if has_appearance || annotation.has(key) => false,
        Some(field) => {
            let mut line = field.line.iter().filter_map(|&number| form.field(number));
            let is_shown = !is_empty || field.is_button() && annotation.has(b"MK");
            !field.is_signature() && is_shown && !line.any(|field| field.dictionary().has(key))
        }
        None => true,
    })
}

/// Whether anything may be in future: there are fields other than signature fields.
pub(crate) fn may_show_anything(examiner: &mut Examiner, step: &Step) -> Result<bool, Fault> {
    if !step.has_signatures_alone() {
        return Ok(true);
    }
    any_annotation(examiner, step, |_, has_appearance, field, _| match field {
        Some(field) => !field.is_signature(),
        None => !has_appearance,
    })
}

/// Whether this is true for any widget or free text: with whether it has an appearance, its field, and whether its value
/// is empty.
fn any_annotation(
    examiner: &mut Examiner,
    step: &Step,
    shows: impl Fn(&Dictionary, bool, Option<&Field>, bool) -> bool,
) -> Result<bool, Fault> {
    let ([before, _], [pages, _]) = (step.forms.clone(), step.pages.clone());
    if pages.is_cut || before.is_cut {
        return Ok(true);
    }
    let view = &mut examiner.document.view(step.pair.old);
    for page in &pages.leaves {
        let Some(page) = page.dictionary(view)? else { continue };
        for annotation in view.resolve(page.get(b"Annots"))?.elements() {
            let dictionary = view.dictionary(annotation)?;
            let number = annotation.as_reference().map_or(0, |id| id.number);
            let has_appearance = view.dictionary(dictionary.get(b"AP"))?.has(b"N") && !step.needs_appearances;
            let found = match dictionary.get(b"Subtype").as_name() {
                Some(b"Widget") => {
                    let field = before.field_of(view, number, &dictionary)?;
                    let value = view.resolve(&field.value)?;
                    let is_empty = value.is_null() || value.as_string().is_some_and(<[u8]>::is_empty);
                    shows(&dictionary, has_appearance, Some(&field), is_empty)
                }
                Some(b"FreeText") => shows(&dictionary, has_appearance, None, false),
                _ => false,
            };
            if found {
                return Ok(true);
            }
        }
    }
    Ok(false)
}

/// Whether it does not matter who generates appearances (12.7.2, `/NeedAppearances`), viewers or the file: each shows
/// its value or is signed. A value that was filled in is compared with a new appearance; viewers that keep the signed one
/// show what was signed.
pub(crate) fn are_appearances_kept(examiner: &mut Examiner, step: &Step) -> Result<bool, Fault> {
    if !examiner.is_signed {
        return Ok(!step.filled.is_empty() || step.signs());
    }
    let [before, after] = step.forms.clone();
    let is_asked = after.dictionary.get(b"NeedAppearances") == &Object::Boolean(true);
    for field in before.fields.iter().filter(|field| field.is_widget() && !field.is_signature()) {
        let is_filled = step.fills(field) && (field.is_text() || field.is_choice());
        if field.is_button() && !field.is_push_button() || is_filled {
            continue;
        }
        let is_alike = !is_asked || is_drawn_alike(examiner, step, (step.pair.new, &after), field)?;
        if !is_alike || !field_appearance::shows_value(examiner, step, field)? {
            return Ok(false);
        }
    }
    Ok(true)
}

/// Whether any field that was not filled in shows something else than its value.
fn is_other_shown(examiner: &mut Examiner, step: &Step) -> Result<bool, Fault> {
    let [before, _] = step.forms.clone();
    // viewers generate a missing appearance from the value anyway
    let is_drawn =
        |field: &&Field| field.is_widget() && field.dictionary().has(b"AP") && (field.is_text() || field.is_choice());
    for field in before.fields.iter().filter(is_drawn) {
        if !step.fills(field)
            && field_appearance::appearance_match(examiner, step, field)? == field_appearance::AppearanceMatch::Other
        {
            return Ok(true);
        }
    }
    Ok(false)
}

/// Reports changed form resources, or one category of them.
pub(crate) fn resources(examiner: &mut Examiner, step: &Step, change: &ObjectChange, role: Role) -> Result<(), Fault> {
    let [before, after] = change.objects();
    if !may_show_anything(examiner, step)? {
        return Ok(());
    }
    let is_shown = !examiner.is_signed || shows_anything(examiner, step)?;
    let depth = if role == Role::FormResources { 2 } else { 1 };
    let is_plain = change.old.body().is_none_or(|old| old.stream.is_none());
    let adds = is_plain && only_adds(examiner, step, before, after, depth)?;
    let kind = match adds {
        true if gains_font(examiner, step)? => EventKind::View,
        true => EventKind::FormResource,
        false if is_shown => EventKind::Field,
        false => EventKind::View,
    };
    let event = step.event_between((before, after), kind, Subject::Form("DR".to_owned()));
    examiner.report(Event { object: Some(change.number), ..event });
    Ok(())
}

/// Whether all previous entries are unchanged and only new names were added.
pub(crate) fn only_adds(
    examiner: &mut Examiner,
    step: &Step,
    before: &Object,
    after: &Object,
    depth: usize,
) -> Result<bool, Fault> {
    let [before, after] = step.pair.resolve(examiner.document, before, after)?;
    let (Object::Dictionary(old), Object::Dictionary(new)) = (&*before, &*after) else { return Ok(before.is_null()) };
    for name in step.pair.differing(examiner.document, old, new)? {
        let (before, after) = (old.get(name.as_bytes()), new.get(name.as_bytes()));
        // named form XObjects, which no value uses
        if before.is_null() || depth == 2 && name.as_bytes() == b"XObject" {
            continue;
        }
        if depth <= 1 || after.is_null() || !only_adds(examiner, step, before, after, depth - 1)? {
            return Ok(false);
        }
    }
    Ok(true)
}

/// Reports a changed AcroForm entry that filling in does not change.
pub(crate) fn part(examiner: &mut Examiner, step: &Step, change: &ObjectChange) {
    examiner.report(step.event_of(change, EventKind::Field, Subject::Form("AcroForm".to_owned())));
}

/// Reports a changed XFA packet.
pub(crate) fn packet(examiner: &mut Examiner, step: &Step, change: &ObjectChange) -> Result<(), Fault> {
    let mut names = Vec::new();
    for (state, form) in [step.pair.old, step.pair.new].into_iter().zip(&step.forms) {
        names.push(packet_name(examiner, state, form, change.number)?);
    }
    let is_data = names.iter().flatten().any(|name| DATA.contains(&name.as_str()))
        && names.iter().flatten().all(|name| DATA.contains(&name.as_str()));
    let kind = packets_kind(examiner, is_data);
    examiner.report(step.event_of(change, kind, Subject::Form("XFA".to_owned())));
    Ok(())
}

/// The name of the packet in this object.
fn packet_name(examiner: &mut Examiner, state: State, form: &FormFields, number: u32) -> Result<Option<String>, Fault> {
    let packets = examiner.document.view(state).resolve(form.dictionary.get(b"XFA"))?;
    let named = packets.elements().windows(2).find_map(|pair| match pair {
        [name, packet] if packet.as_reference().is_some_and(|id| id.number == number) => evidence_text::text(name),
        _ => None,
    });
    Ok(named)
}

/// Compares two lists of packets.
fn packets(examiner: &mut Examiner, step: &Step, old: &Object, new: &Object) -> Result<(), Fault> {
    let [before, after] = step.pair.resolve(examiner.document, old, new)?;
    let (had, has) = (before.elements(), after.elements());
    let mut is_data = !had.is_empty() && had.len() == has.len();
    for (before, after) in had.chunks(2).zip(has.chunks(2)) {
        let ([name, packet], [other, replaced]) = (before, after) else { continue };
        let is_same = step.pair.same(examiner.document, packet, replaced)?;
        is_data &=
            name == other && (is_same || evidence_text::text(name).is_some_and(|name| DATA.contains(&name.as_str())));
    }
    let kind = packets_kind(examiner, is_data);
    examiner.report(step.event_between((old, new), kind, Subject::Form("XFA".to_owned())));
    Ok(())
}

/// The kind of a change of packets. What other packets than data show, few viewers draw.
fn packets_kind(examiner: &Examiner, is_data: bool) -> EventKind {
    match is_data {
        true => EventKind::Value,
        false if examiner.is_signed => EventKind::View,
        false => EventKind::Field,
    }
}
