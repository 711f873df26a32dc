//! What a revision did to form fields and their widgets (ISO 32000-1, 12.7).

use std::collections::BTreeSet;

use crate::content::Contents;
use crate::document::form::Field;
use crate::document::objects::{State, Stored};
use crate::failure::Fault;
use crate::integrity::event::{EventKind, Subject};
use crate::integrity::revision::delta::Delta;
use crate::integrity::revision::examiner::{Details, Examiner, Step};
use crate::integrity::revision::show;
use crate::integrity::revision::structure::role::Role;
use crate::integrity::revision::structure::schema::{KeyUse, row};
use crate::syntax::dictionary::Dictionary;
use crate::syntax::name::Name;
use crate::syntax::object::Object;

const LOOKED: u64 = 1 << 18;
/// The flag of what may no longer be filled in (12.7.3.1, table 221).
const READ_ONLY: i64 = 1;

/// Whether the value of a field is another one, by its own entries.
pub(crate) fn is_filled(examiner: &mut Examiner, step: &Step, delta: &Delta) -> Result<bool, Fault> {
    let differing = examiner.differing(step, Role::Field, &delta.old, &delta.new)?;
    Ok(differing.iter().any(|name| matches!(name.as_bytes(), b"V" | b"AS" | b"I" | b"RV")))
}

/// A field, its widget, or an array of them was written anew or deleted.
pub(crate) fn changed(examiner: &mut Examiner, step: &Step, delta: &Delta, owner: u32) -> Result<(), Fault> {
    let (old, new) = (delta.old.body(), delta.new.body());
    if let (Some(Object::Array(_)), Some(Object::Array(_))) = (old.map(|old| &old.object), new.map(|new| &new.object)) {
        let value = |stored: &Stored| stored.body().map_or(Object::Null, |body| body.object.clone());
        return lists(examiner, step, &value(&delta.old), &value(&delta.new));
    }
    let before = old.and_then(|old| old.dictionary()).filter(|field| is_field(field));
    let Some(before) = before else { return redefined(examiner, step, delta, owner) };
    let Some(after) = new.and_then(|new| new.dictionary()) else { return redefined(examiner, step, delta, owner) };
    let ancestry = ancestry(examiner, step, step.pair.old, (delta.number, before))?;
    let is_own = ancestry.line.iter().any(|&field| step.signs_field(field));
    // the weightiest of what changed, and its key
    let mut found: Option<(EventKind, Name)> = None;
    for name in examiner.differing(step, Role::Field, &delta.old, &delta.new)? {
        let Some(kind) = kind(examiner, step, &name, (before, after), (&ancestry, is_own))? else { continue };
        let is_weightier = match &found {
            None => true,
            Some((EventKind::Value | EventKind::Appearance, _)) => kind == EventKind::Field || name.as_bytes() == b"V",
            Some(_) => false,
        };
        if is_weightier {
            found = Some((kind, name));
        }
    }
    match found {
        Some((kind, key)) => {
            tell(examiner, step, kind, (delta.number, &ancestry), Some(&key), (Some(before), Some(after)))
        }
        None => Ok(()),
    }
}

/// What a differing entry of a field amounts to; none if it is explained.
fn kind(
    examiner: &mut Examiner,
    step: &Step,
    name: &Name,
    (before, after): (&Dictionary, &Dictionary),
    (ancestry, is_own): (&Field, bool),
) -> Result<Option<EventKind>, Fault> {
    let key = name.as_bytes();
    match key {
        b"Kids" => {
            lists(examiner, step, before.get(key), after.get(key))?;
            return Ok(None);
        }
        // the same parent by other words, or one that was left unsaid
        b"Parent" if is_same_parent(examiner, ancestry, before, after) => return Ok(None),
        // told as a signature
        b"V" if ancestry.is_signature() => return Ok(None),
        // names for people and for export, in another encoding of texts (7.9.2.2)
        b"TU" | b"TM" if show::text(before.get(key)) == show::text(after.get(key)) => return Ok(None),
        b"Ff" => {
            let flags = [before, after].map(|field| field.get(key).as_integer().unwrap_or(0));
            // flags that are not set may as well not be there
            return Ok(match flags[0] ^ flags[1] {
                0 => None,
                // locking what is there is part of signing, or of having filled it in
                READ_ONLY if flags[1] & READ_ONLY != 0 => (!step.signs()).then_some(EventKind::Value),
                _ => Some(EventKind::Field),
            });
        }
        _ => {}
    }
    Ok(match row(Role::Field, key, false) {
        // what the signer's software does with the field that is signed
        KeyUse::Value(_) if is_own => None,
        KeyUse::Value(Role::Appearance) if ancestry.is_signature() => Some(EventKind::Field),
        KeyUse::Value(Role::Appearance) => Some(looks(examiner, step, key, ancestry)?),
        KeyUse::Value(_) => Some(EventKind::Value),
        _ => Some(EventKind::Field),
    })
}

/// Whether an appearance that changed shows another value, or only looks otherwise.
fn looks(examiner: &mut Examiner, step: &Step, key: &[u8], ancestry: &Field) -> Result<EventKind, Fault> {
    let is_filled = ancestry.line.iter().any(|field| step.filled.contains(field));
    let is_made_anew = key == b"AP" && (step.needs_appearances || shows_value(examiner, step, ancestry)?);
    Ok(if is_filled || is_made_anew { EventKind::Value } else { EventKind::Appearance })
}

/// Whether what a text field's widget shows now is its value and nothing else.
fn shows_value(examiner: &mut Examiner, step: &Step, ancestry: &Field) -> Result<bool, Fault> {
    let (Some(value), Some(&widget)) = (ancestry.text().filter(|_| ancestry.is_text()), ancestry.line.first()) else {
        return Ok(false);
    };
    let Some(left) = examiner.looks_left.checked_sub(1) else { return Ok(false) };
    examiner.looks_left = left;
    let Some(body) = examiner.document.view(step.pair.new).object(widget)? else { return Ok(false) };
    let Some(annotation) = body.dictionary() else { return Ok(false) };
    let mut contents = Contents::with_steps(examiner.document, LOOKED);
    let shown = contents.plain_text(examiner.document, step.pair.new, annotation)?;
    // where a text is broken into lines is a matter of its looks
    Ok(shown.is_some_and(|shown| shown.split_whitespace().eq(value.split_whitespace())))
}

fn is_same_parent(examiner: &Examiner, ancestry: &Field, before: &Dictionary, after: &Dictionary) -> bool {
    let known = ancestry.line.first().and_then(|&field| examiner.map.parent(field));
    let parent = |field: &Dictionary| field.get(b"Parent").as_reference().map(|parent| parent.number);
    known.is_some() && parent(after) == known && parent(before).is_none_or(|parent| Some(parent) == known)
}

/// A field came to be something else, or the other way round.
fn redefined(examiner: &mut Examiner, step: &Step, delta: &Delta, owner: u32) -> Result<(), Fault> {
    let (state, body) = match (delta.old.body(), delta.new.body()) {
        (Some(old), _) => (step.pair.old, old),
        (None, Some(new)) => (step.pair.new, new),
        (None, None) => return Ok(()),
    };
    let empty = Dictionary::default();
    let ancestry = ancestry(examiner, step, state, (owner, body.dictionary().unwrap_or(&empty)))?;
    // one that was signed is told as a signature
    if ancestry.line.iter().any(|field| step.signed.iter().any(|signed| signed.contains_key(field))) {
        return Ok(());
    }
    let dictionaries =
        (delta.old.body().and_then(|old| old.dictionary()), delta.new.body().and_then(|new| new.dictionary()));
    tell(examiner, step, EventKind::Field, (delta.number, &ancestry), None, dictionaries)
}

/// Something that a field is shown with or keeps its value in was written anew while the field may not have been.
pub(crate) fn part(
    examiner: &mut Examiner,
    step: &Step,
    delta: &Delta,
    (role, owner): (Role, u32),
) -> Result<(), Fault> {
    if !examiner.matters(step, role, &delta.old, &delta.new)? {
        return Ok(());
    }
    let field = match examiner.document.view(step.pair.old).object(owner)? {
        None => examiner.document.view(step.pair.new).object(owner)?,
        field => field,
    };
    let ancestry = match field.as_ref().and_then(|field| field.dictionary()) {
        Some(field) => ancestry(examiner, step, step.pair.old, (owner, field))?,
        None => Field::default(),
    };
    if ancestry.line.iter().any(|&field| step.signs_field(field)) {
        return Ok(());
    }
    let kind = match role {
        // what belongs to several fields is filled in with none of them
        _ if owner == 0 || ancestry.is_signature() => EventKind::Field,
        Role::FieldValue => EventKind::Value,
        Role::Appearance => looks(examiner, step, b"AP", &ancestry)?,
        _ => EventKind::Field,
    };
    let shows_value = role == Role::Appearance && kind == EventKind::Value && !step.needs_appearances;
    let secret = |shown: Option<String>| if ancestry.is_secret() { shown.map(|_| NOT_SHOWN.to_owned()) } else { shown };
    let details = Details {
        object: Some(delta.number),
        page: page_of(examiner, step, owner)?,
        before: secret(show::body(delta.old.body())),
        after: secret(show::body(delta.new.body())),
        field: Some(ancestry.name.clone()),
        // an appearance that shows the value hides nothing
        is_hidden: (owner == 0 || !step.touched.contains(&owner)) && !shows_value,
        ..Details::default()
    };
    examiner.tell(step, kind, Subject::Appearance(ancestry.name), details);
    Ok(())
}

/// Compares two lists of fields.
pub(crate) fn lists(examiner: &mut Examiner, step: &Step, old: &Object, new: &Object) -> Result<(), Fault> {
    let before = examiner.document.view(step.pair.old).resolve(old)?;
    let after = examiner.document.view(step.pair.new).resolve(new)?;
    let numbers = |list: &Object| -> BTreeSet<u32> {
        list.elements().iter().filter_map(Object::as_reference).map(|id| id.number).collect()
    };
    let direct =
        |list: &Object| list.elements().iter().filter(|kid| kid.as_reference().is_none()).cloned().collect::<Vec<_>>();
    if direct(&before) != direct(&after) {
        let details = Details { before: show::show(&before), after: show::show(&after), ..Details::default() };
        examiner.tell(step, EventKind::Field, Subject::Form("Fields".to_owned()), details);
    }
    let (before, after) = (numbers(&before), numbers(&after));
    for &number in after.difference(&before) {
        listed(examiner, step, number, true)?;
    }
    for &number in before.difference(&after) {
        listed(examiner, step, number, false)?;
    }
    Ok(())
}

/// A field that came to a list, or that went.
fn listed(examiner: &mut Examiner, step: &Step, number: u32, came: bool) -> Result<(), Fault> {
    let state = if came { step.pair.new } else { step.pair.old };
    let body = examiner.document.view(state).object(number)?;
    match body.as_ref().and_then(|body| body.dictionary()) {
        Some(dictionary) => widget(examiner, step, (0, number), dictionary, (came, false)),
        None => {
            // what is missing today may be filled in tomorrow
            if came {
                let details = Details { object: Some(number), ..Details::default() };
                examiner.tell(step, EventKind::Field, Subject::Form("Fields".to_owned()), details);
            }
            Ok(())
        }
    }
}

/// A widget or a field that came, or that went, on a page or in a list.
pub(crate) fn widget(
    examiner: &mut Examiner,
    step: &Step,
    (page, number): (u32, u32),
    widget: &Dictionary,
    (came, is_hidden): (bool, bool),
) -> Result<(), Fault> {
    let state = if came { step.pair.new } else { step.pair.old };
    let ancestry = ancestry(examiner, step, state, (number, widget))?;
    let kind = if !ancestry.is_signature() {
        EventKind::Field
    } else if came && !ancestry.line.iter().any(|&field| step.signs_field(field)) {
        EventKind::SignatureField
    } else if came {
        // told as a signature, unless it hides something
        match is_hidden {
            true => EventKind::VisibleSignature,
            false => return Ok(()),
        }
    } else {
        EventKind::Unsigned
    };
    let shown = Some(show::annotation(widget));
    let (before, after) = if came { (None, shown) } else { (shown, None) };
    let page = step.page_number(page);
    let details = Details {
        object: Some(number),
        page,
        before,
        after,
        field: Some(ancestry.name.clone()),
        is_hidden,
        ..Details::default()
    };
    examiner.tell(step, kind, Subject::Field(ancestry.name, None), details);
    Ok(())
}

/// Stands for what is not to be shown.
const NOT_SHOWN: &str = "(not shown)";

fn tell(
    examiner: &mut Examiner,
    step: &Step,
    kind: EventKind,
    (number, ancestry): (u32, &Field),
    key: Option<&Name>,
    (before, after): (Option<&Dictionary>, Option<&Dictionary>),
) -> Result<(), Fault> {
    let shown = |field: Option<&Dictionary>| match key {
        _ if ancestry.is_secret() => Some(NOT_SHOWN.to_owned()),
        Some(key) => field.and_then(|field| show::show(field.get(key.as_bytes()))),
        None => field.map(show::annotation),
    };
    let key_text = key.map(|key| String::from_utf8_lossy(key.as_bytes()).into_owned());
    let details = Details {
        object: Some(number),
        page: page_of(examiner, step, number)?,
        before: shown(before),
        after: shown(after),
        field: Some(ancestry.name.clone()),
        is_hidden: false,
        ..Details::default()
    };
    examiner.tell(step, kind, Subject::Field(ancestry.name.clone(), key_text), details);
    Ok(())
}

/// The page that a widget says it is on.
fn page_of(examiner: &mut Examiner, step: &Step, number: u32) -> Result<Option<u32>, Fault> {
    let body = match examiner.document.view(step.pair.new).object(number)? {
        Some(body) => Some(body),
        None => examiner.document.view(step.pair.old).object(number)?,
    };
    let page = body.as_ref().and_then(|body| body.dictionary()).and_then(|field| field.get(b"P").as_reference());
    Ok(page.and_then(|page| step.page_number(page.number)))
}

fn ancestry(
    examiner: &mut Examiner,
    step: &Step,
    state: State,
    (number, field): (u32, &Dictionary),
) -> Result<Field, Fault> {
    let [before, after] = &step.forms;
    let form = if state == step.pair.old { before } else { after };
    form.field_of(&mut examiner.document.view(state), number, field)
}

/// Whether it is a field or a widget, not a part of one.
fn is_field(dictionary: &Dictionary) -> bool {
    dictionary.get(b"Subtype").is_name(b"Widget")
        || dictionary.has(b"FT")
        || dictionary.has(b"T")
        || dictionary.has(b"Kids")
}
