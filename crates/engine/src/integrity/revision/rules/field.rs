//! Changes of form fields and their widgets (ISO 32000-1, 12.7).

use std::collections::BTreeMap;

use super::button_value::is_ticked;
use super::calculation::{Calculation, calculation};
use super::field_entry::{self, FieldPair};
use super::field_state::{FieldState, is_inherited};
use super::resource_names::only_gained_names;
use super::{field_appearance, field_list};
use crate::integrity::event::{Event, EventKind, Subject};
use crate::integrity::revision::entry_change::EntryChange;
use crate::integrity::revision::evidence_text;
use crate::integrity::revision::examiner::{Examiner, Step};
use crate::integrity::revision::object_change::ObjectChange;
use crate::integrity::revision::structure::role::Role;
use crate::integrity::revision::structure::signatures::SignedField;
use pdf_syntax::document::form::Field;
use pdf_syntax::document::objects::State;
use pdf_syntax::failure::Fault;
use pdf_syntax::syntax::dictionary::Dictionary;
use pdf_syntax::syntax::name::Name;
use pdf_syntax::syntax::object::Object;

/// Whether a field was filled in: it has another value.
pub(crate) fn is_filled(examiner: &mut Examiner, step: &Step, change: &ObjectChange) -> Result<bool, Fault> {
    let [Some(before), Some(after)] = change.dictionaries() else { return Ok(false) };
    let is_same = step.pair.same(examiner.document, before.get(b"V"), after.get(b"V"))?;
    let ancestry = examiner.ancestry(step, step.pair.old, (change.number, before))?;
    if !is_same && !is_inherited(examiner, step, b"V", (before, after), &ancestry)? {
        return Ok(words(examiner, step.pair.old, before)? != words(examiner, step.pair.new, after)?);
    }
    is_ticked(examiner, step, change.number, (before, after))
}

/// The text of a field's value.
fn words(examiner: &mut Examiner, state: State, field: &Dictionary) -> Result<Vec<String>, Fault> {
    let value = examiner.document.view(state).resolve(field.get(b"V"))?;
    let text = match &*value {
        Object::Array(elements) => elements.iter().filter_map(evidence_text::characters).collect::<Vec<_>>().join("\n"),
        value => evidence_text::characters(value).unwrap_or_default(),
    };
    Ok(text.split_whitespace().map(str::to_owned).collect())
}

/// Reports a changed or deleted field, widget, or array of them.
pub(crate) fn changed(examiner: &mut Examiner, step: &Step, change: &ObjectChange, owner: u32) -> Result<(), Fault> {
    if let [old @ Object::Array(_), new @ Object::Array(_)] = change.objects() {
        return field_list::lists(examiner, step, old, new);
    }
    let [Some(before), Some(after)] = change.dictionaries() else { return redefined(examiner, step, change, owner) };
    if !is_field(before) {
        return redefined(examiner, step, change, owner);
    }
    let state = FieldState::read(examiner, step, (change.number, before))?;
    let ancestry = &state.field;
    // the strongest change and its key
    let mut found: Option<(EventKind, Name)> = None;
    let entries = entries(examiner, step, FieldPair { number: change.number, old: before, new: after, state: &state })?;
    for (name, entry) in &entries {
        let Some(kind) = entry.kind() else { continue };
        let is_weightier = found.as_ref().is_none_or(|found| weight(kind, name) > weight(found.0, &found.1));
        if is_weightier {
            found = Some((kind, name.clone()));
        }
    }
    examiner.field_entries.insert(change.number, entries);
    match found {
        Some((EventKind::Value | EventKind::Redrawn | EventKind::Appearance, key))
            if field_appearance::hides_text(examiner, step, change.number)? =>
        {
            report(examiner, step, EventKind::Field, (change.number, ancestry), Some(&key), change.dictionaries())
        }
        Some((EventKind::Field, key)) if key.as_bytes() == b"AP" => {
            let [before, after] = field_appearance::shown(examiner, step, change.number)?;
            let key = Some("AP".to_owned());
            let page = page_of(examiner, step, change.number)?;
            let event = step.event(EventKind::Field, Subject::Field(ancestry.name.clone(), key));
            let object = Some(change.number);
            examiner.report(Event { object, page, before, after, field: Some(ancestry.name.clone()), ..event });
            Ok(())
        }
        Some((kind, key)) => report(examiner, step, kind, (change.number, ancestry), Some(&key), change.dictionaries()),
        None => Ok(()),
    }
}

/// The changed entries of a field or widget.
fn entries(examiner: &mut Examiner, step: &Step, pair: FieldPair) -> Result<Vec<(Name, EntryChange)>, Fault> {
    let changed = step.pair.differing(examiner.document, pair.old, pair.new)?;
    if changed.iter().any(|name| name.as_bytes() == b"Kids") {
        field_list::lists(examiner, step, pair.old.get(b"Kids"), pair.new.get(b"Kids"))?;
    }
    field_entry::classify(examiner, step, pair, changed)
}

/// How much a changed entry says of what became of a field: its value more than what depends on it.
fn weight(kind: EventKind, key: &Name) -> u8 {
    match kind {
        EventKind::Value if key.as_bytes() == b"V" => 2,
        EventKind::Value | EventKind::Redrawn | EventKind::Appearance => 1,
        EventKind::View => 0,
        _ => 3,
    }
}

/// Reports a field that became another object type, or the reverse.
fn redefined(examiner: &mut Examiner, step: &Step, change: &ObjectChange, owner: u32) -> Result<(), Fault> {
    let (state, body) = match (change.old.body(), change.new.body()) {
        (Some(old), _) => (step.pair.old, old),
        (None, Some(new)) => (step.pair.new, new),
        (None, None) => return Ok(()),
    };
    let dictionary = body.dictionary().unwrap_or(Dictionary::empty());
    let ancestry = examiner.ancestry(step, state, (owner, dictionary))?;
    let [before, after] = &step.signed;
    let is_signed = |signed: &BTreeMap<u32, SignedField>| ancestry.line.iter().any(|field| signed.contains_key(field));
    // a field signed or no longer signed is reported as a signature
    if is_signed(before) != is_signed(after) && ancestry.line.len() == 1 {
        return Ok(());
    }
    report(examiner, step, EventKind::Field, (change.number, &ancestry), None, change.dictionaries())
}

/// Reports a changed part of a field, value or appearance, even if the field's own object did not change.
pub(crate) fn part(
    examiner: &mut Examiner,
    step: &Step,
    change: &ObjectChange,
    (role, owner): (Role, u32),
) -> Result<(), Fault> {
    let field = match examiner.document.view(step.pair.old).object(owner)? {
        None => examiner.document.view(step.pair.new).object(owner)?,
        field => field,
    };
    let field = field.as_ref().and_then(|field| field.dictionary()).unwrap_or(Dictionary::empty());
    let state = FieldState::read(examiner, step, (owner, field))?;
    let page = page_of(examiner, step, owner)?;
    let is_kept =
        !examiner.matters(step, role, &change.old, &change.new)? || only_gained_names(examiner, step, change, page)?;
    if state.is_signed || is_kept {
        let may_draw = state.is_signed || state.writes(EventKind::Value);
        examiner.take_part(change.number, may_draw);
        return Ok(());
    }
    let ancestry = &state.field;
    let kind = match role {
        // a part shared by several fields is filled in with none of them
        _ if owner == 0 || ancestry.is_signature() => EventKind::Field,
        Role::FieldValue | Role::Appearance
            if ancestry.is_read_only()
                && step.fills(ancestry)
                && calculation(examiner, step, ancestry)? == Calculation::None =>
        {
            EventKind::Field
        }
        Role::FieldValue if step.fills(ancestry) => EventKind::Value,
        Role::Appearance if field_appearance::hides_text(examiner, step, owner)? => EventKind::Field,
        Role::Appearance => field_appearance::normal_appearance(examiner, step, ancestry)?,
        _ => EventKind::Field,
    };
    examiner.take_part(change.number, state.writes(kind));
    let shows_value =
        role == Role::Appearance && matches!(kind, EventKind::Value | EventKind::Redrawn) && !step.needs_appearances;
    let secret = |shown: Option<String>| if ancestry.is_secret() { shown.map(|_| NOT_SHOWN.to_owned()) } else { shown };
    // a separate widget shows the value of its field
    let is_touched = step.touched.contains(&owner) || step.fills(ancestry) && kind == EventKind::Value;
    let event = step.event_of(change, kind, Subject::Appearance(ancestry.name.clone()));
    examiner.report(Event {
        page,
        before: secret(event.before),
        after: secret(event.after),
        field: Some(ancestry.name.clone()),
        // an appearance that shows the value hides nothing
        is_hidden: (owner == 0 || !is_touched) && !shows_value,
        ..event
    });
    Ok(())
}

/// Replaces secret values.
const NOT_SHOWN: &str = "(not shown)";

fn report(
    examiner: &mut Examiner,
    step: &Step,
    kind: EventKind,
    (number, ancestry): (u32, &Field),
    key: Option<&Name>,
    [before, after]: [Option<&Dictionary>; 2],
) -> Result<(), Fault> {
    let shown = |field: Option<&Dictionary>| match key {
        _ if ancestry.is_secret() => Some(NOT_SHOWN.to_owned()),
        Some(key) => field.and_then(|field| evidence_text::value(field.get(key.as_bytes()))),
        None => field.map(evidence_text::annotation),
    };
    let key_text = key.map(|key| String::from_utf8_lossy(key.as_bytes()).into_owned());
    let page = page_of(examiner, step, number)?;
    examiner.report(Event {
        object: Some(number),
        page,
        before: shown(before),
        after: shown(after),
        field: Some(ancestry.name.clone()),
        ..step.event(kind, Subject::Field(ancestry.name.clone(), key_text))
    });
    Ok(())
}

/// The page that a widget names.
fn page_of(examiner: &mut Examiner, step: &Step, number: u32) -> Result<Option<u32>, Fault> {
    let body = match examiner.document.view(step.pair.new).object(number)? {
        Some(body) => Some(body),
        None => examiner.document.view(step.pair.old).object(number)?,
    };
    let page = body.as_ref().and_then(|body| body.dictionary()).and_then(|field| field.get(b"P").as_reference());
    Ok(page.and_then(|page| step.page_number(page.number)))
}

/// Whether it is a field or a widget, not a part of one.
fn is_field(dictionary: &Dictionary) -> bool {
    dictionary.get(b"Subtype").is_name(b"Widget")
        || dictionary.has(b"FT")
        || dictionary.has(b"T")
        || dictionary.has(b"Kids")
}
