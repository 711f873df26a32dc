//! Changes of the interactive form dictionary (ISO 32000-1, 12.7.2).

use super::field_list;
use super::form_defaults::{
    are_appearances_kept, drawn_with, may_show_anything, needs_no_resources, shown_beside_value,
};
use super::gained_font::gains_font;
use super::resource_names::exchanges_unused;
use super::xfa;
use crate::integrity::event::{Event, EventKind, Subject};
use crate::integrity::revision::examiner::{Examiner, Step};
use crate::integrity::revision::object_change::ObjectChange;
use crate::integrity::revision::structure::role::Role;
use crate::integrity::revision::vocabulary::is_private;
use pdf_syntax::failure::Fault;
use pdf_syntax::syntax::dictionary::Dictionary;
use pdf_syntax::syntax::object::Object;

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
                xfa::entry(examiner, step, before, after)?;
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
            b"DA" if before.is_null() && !examiner.is_signed => EventKind::FormResource,
            b"DA" | b"Q" if examiner.is_signed => match drawn_with(examiner, step, key)? {
                Some(drawn) => {
                    examiner.report(drawn.event(step, key, (before, after)));
                    continue;
                }
                None => EventKind::FormResource,
            },
            b"DR" if only_adds(examiner, step, before, after, 2)? && !gains_font(examiner, step)? => {
                EventKind::FormResource
            }
            b"DR" if examiner.is_signed && needs_no_resources(examiner, step)? && !gains_font(examiner, step)? => {
                EventKind::FormResource
            }
            // a font that the form gains is no difference that anyone sees
            b"DR" if examiner.is_signed && only_adds(examiner, step, before, after, 2)? => EventKind::View,
            b"DR" if examiner.is_signed => match drawn_with(examiner, step, key)? {
                Some(drawn) => {
                    examiner.report(drawn.event(step, key, (before, after)));
                    continue;
                }
                None => EventKind::View,
            },
            _ if is_private(key) => continue,
            // a difference from the signed state, and only if a field shows other words than the value that viewers then draw, or drew before
            b"NeedAppearances" if examiner.is_signed => {
                if step.follows.is_signed()
                    && let Some(event) = shown_beside_value(examiner, step)?
                {
                    examiner.report(event);
                    continue;
                }
                EventKind::View
            }
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

/// Reports changed form resources, or one category of them.
pub(crate) fn resources(examiner: &mut Examiner, step: &Step, change: &ObjectChange, role: Role) -> Result<(), Fault> {
    let [before, after] = change.objects();
    if !may_show_anything(examiner, step)? {
        return Ok(());
    }
    let drawn = if examiner.is_signed { drawn_with(examiner, step, b"DR")? } else { None };
    let depth = if role == Role::FormResources { 2 } else { 1 };
    let is_plain = change.old.body().is_none_or(|old| old.stream.is_none());
    let adds = is_plain && only_adds(examiner, step, before, after, depth)?;
    let kind = match adds {
        true if gains_font(examiner, step)? => EventKind::View,
        true => EventKind::FormResource,
        false if !examiner.is_signed || drawn.is_some() => EventKind::Field,
        false => EventKind::View,
    };
    if let (EventKind::Field, Some(drawn)) = (kind, drawn) {
        examiner.report(drawn.event(step, b"DR", (before, after)));
        return Ok(());
    }
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
pub(crate) fn part(examiner: &mut Examiner, step: &Step, change: &ObjectChange) -> Result<(), Fault> {
    // resources of a form XObject among those of the form
    if !examiner.is_signed || !exchanges_unused(examiner, step, change.number)? {
        examiner.report(step.event_of(change, EventKind::Field, Subject::Form("AcroForm".to_owned())));
    }
    Ok(())
}
