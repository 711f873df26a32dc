//! Changes of form fields and their widgets (ISO 32000-1, 12.7).

use std::collections::BTreeMap;

use crate::integrity::event::{Event, EventKind, Subject};
use crate::integrity::revision::annotation_overlap;
use crate::integrity::revision::evidence_text;
use crate::integrity::revision::examiner::{Examiner, Step};
use crate::integrity::revision::format::is_formatted;
use crate::integrity::revision::list_changes;
use crate::integrity::revision::object_change::ObjectChange;
use crate::integrity::revision::signature_field_template::{self, draws_nothing, has_normal_appearance};
use crate::integrity::revision::structure::role::Role;
use crate::integrity::revision::structure::signatures::SignedField;
use crate::integrity::revision::vocabulary::{is_private, is_sign_flags};
use pdf_content::{ContentReader, Expected, ExpectedGlyphs, legible};
use pdf_syntax::document::form::Field;
use pdf_syntax::document::objects::State;
use pdf_syntax::failure::Fault;
use pdf_syntax::syntax::dictionary::Dictionary;
use pdf_syntax::syntax::name::Name;
use pdf_syntax::syntax::object::Object;
use pdf_syntax::text::text_string;

const MAX_PAINT_STEPS: u64 = 1 << 18;
/// The field flag ReadOnly (12.7.3.1, table 221).
const READ_ONLY: i64 = 1;

/// Whether the value of a field changed: its text or the selected state.
pub(crate) fn is_filled(examiner: &mut Examiner, step: &Step, change: &ObjectChange) -> Result<bool, Fault> {
    let [Some(before), Some(after)] = change.dictionaries() else { return Ok(false) };
    let keys = step.pair.differing(examiner.document, before, after)?;
    if keys.iter().any(|key| matches!(key.as_bytes(), b"AS" | b"I")) {
        return Ok(true);
    }
    let is_value = keys.iter().any(|key| key.as_bytes() == b"V");
    Ok(is_value && words(examiner, step.pair.old, before)? != words(examiner, step.pair.new, after)?)
}

/// The text of a field's value.
fn words(examiner: &mut Examiner, state: State, field: &Dictionary) -> Result<Vec<String>, Fault> {
    let value = examiner.document.view(state).resolve(field.get(b"V"))?;
    let text = match &*value {
        Object::Array(elements) => elements.iter().filter_map(evidence_text::text).collect::<Vec<_>>().join("\n"),
        value => evidence_text::text(value).unwrap_or_default(),
    };
    Ok(text.split_whitespace().map(str::to_owned).collect())
}

/// Reports a changed or deleted field, widget, or array of them.
pub(crate) fn changed(examiner: &mut Examiner, step: &Step, change: &ObjectChange, owner: u32) -> Result<(), Fault> {
    if let [old @ Object::Array(_), new @ Object::Array(_)] = change.objects() {
        return lists(examiner, step, old, new);
    }
    let [Some(before), Some(after)] = change.dictionaries() else { return redefined(examiner, step, change, owner) };
    if !is_field(before) {
        return redefined(examiner, step, change, owner);
    }
    let ancestry = ancestry(examiner, step, step.pair.old, (change.number, before))?;
    let is_own = is_own(step, &ancestry, before);
    // the strongest change and its key
    let mut found: Option<(EventKind, Name)> = None;
    for name in examiner.differing(step, Role::Field, &change.old, &change.new)? {
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
        Some((EventKind::Value | EventKind::Appearance, key)) if hides_text(examiner, step, change.number)? => {
            report(examiner, step, EventKind::Field, (change.number, &ancestry), Some(&key), change.dictionaries())
        }
        Some((kind, key)) => {
            report(examiner, step, kind, (change.number, &ancestry), Some(&key), change.dictionaries())
        }
        None => Ok(()),
    }
}

/// The kind of a changed entry of a field; `None` if it is explained.
fn kind(
    examiner: &mut Examiner,
    step: &Step,
    name: &Name,
    (before, after): (&Dictionary, &Dictionary),
    (ancestry, is_own): (&Field, bool),
) -> Result<Option<EventKind>, Fault> {
    let key = name.as_bytes();
    let texts = || evidence_text::text(before.get(key)) == evidence_text::text(after.get(key));
    Ok(match key {
        b"Kids" => {
            lists(examiner, step, before.get(key), after.get(key))?;
            None
        }
        // the same parent in another form, or an omitted one
        b"Parent" if is_same_parent(examiner, ancestry, before, after) => None,
        // reported as a signature
        b"V" if ancestry.is_signature() => None,
        // names in another text encoding (7.9.2.2)
        b"T" | b"TU" | b"TM" if texts() => None,
        b"F" if is_own && is_sign_flags(before.get(key), after.get(key)) => None,
        b"Ff" | b"F" => flags(examiner, step, key, (before, after))?,
        b"V" => Some(value(examiner, step, after, ancestry)?),
        b"AS" if is_chosen(examiner, step, after, ancestry)? => Some(EventKind::Value),
        // entries that go with a value
        b"I" | b"TI" | b"RV" if is_filled_in(step, ancestry) => Some(EventKind::Value),
        // entries that signing software sets in the signed field
        b"AP" | b"MK" | b"Lock" | b"SV" | b"DA" | b"DR" | b"BS" | b"Border" | b"Q" | b"H" if is_own => None,
        b"AP" if ancestry.is_signature() => Some(EventKind::Field),
        b"AP" => Some(appearances(examiner, step, (before, after), ancestry)?),
        // not used for drawing if there is an appearance stream
        b"MK" | b"DA" if is_filled_in(step, ancestry) && has_appearance(examiner, step, after)? => {
            Some(EventKind::Value)
        }
        b"BS" | b"Border" | b"Q" if is_filled_in(step, ancestry) => Some(EventKind::Value),
        _ if is_private(key) => None,
        _ if is_seen(key) => Some(EventKind::Field),
        // invisible and of unknown purpose
        _ => Some(EventKind::View),
    })
}

/// Whether an entry of a field is visible or interactive.
fn is_seen(key: &[u8]) -> bool {
    matches!(
        key,
        b"Subtype"
            | b"FT"
            | b"V"
            | b"AS"
            | b"AP"
            | b"RV"
            | b"I"
            | b"Rect"
            | b"F"
            | b"Ff"
            | b"MK"
            | b"BS"
            | b"Border"
            | b"Q"
            | b"DA"
            | b"A"
            | b"AA"
            | b"T"
            | b"TU"
            | b"Opt"
            | b"MaxLen"
            | b"OC"
            | b"Kids"
            | b"Parent"
    )
}

/// Whether the widget of a field hides page content since this revision.
fn hides_text(examiner: &mut Examiner, step: &Step, widget: u32) -> Result<bool, Fault> {
    let Some(page) = examiner.map.page(widget) else { return Ok(false) };
    let before = examiner.document.view(step.pair.old).object(widget)?;
    let after = examiner.document.view(step.pair.new).object(widget)?;
    let [Some(before), Some(after)] = [&before, &after].map(|body| body.as_ref().and_then(|body| body.dictionary()))
    else {
        return Ok(false);
    };
    annotation_overlap::comes_to_hide_text(examiner, step, page, [before, after])
}

/// Whether a field, or a merged field, is signed by this update.
pub(crate) fn is_own(step: &Step, ancestry: &Field, widget: &Dictionary) -> bool {
    match ancestry.line[..] {
        [field] => step.signs_field(field),
        [field, parent, ..] => step.signs_field(field) || step.signs_field(parent) && !widget.has(b"T"),
        [] => false,
    }
}

/// Whether the value of a field or of its ancestors changed.
pub(crate) fn is_filled_in(step: &Step, ancestry: &Field) -> bool {
    ancestry.line.iter().any(|field| step.filled.contains(field))
}

/// Whether scripts of the form calculate a field from others (12.6.3, 12.7.2), so that it follows filled values.
pub(crate) fn is_calculated(examiner: &mut Examiner, step: &Step, field: &Field) -> Result<bool, Fault> {
    let [form, _] = step.forms.clone();
    let view = &mut examiner.document.view(step.pair.old);
    let order = view.resolve(form.dictionary.get(b"CO"))?;
    let is_listed =
        |number: &u32| order.elements().iter().any(|it| it.as_reference().is_some_and(|id| id.number == *number));
    Ok(field.line.iter().any(is_listed))
}

/// The kind of a flags change.
fn flags(
    examiner: &mut Examiner,
    step: &Step,
    key: &[u8],
    (before, after): (&Dictionary, &Dictionary),
) -> Result<Option<EventKind>, Fault> {
    let was = examiner.document.view(step.pair.old).integer(before.get(key))?.unwrap_or(0);
    let is = examiner.document.view(step.pair.new).integer(after.get(key))?.unwrap_or(0);
    // indirect flags may be replaced later
    let is_direct = after.get(key).as_reference().is_none() || before.get(key) == after.get(key);
    Ok(match was ^ is {
        // flags without set bits equal missing ones
        0 if is_direct => None,
        // locking a field is part of signing or filling it in
        READ_ONLY if key == b"Ff" && is & READ_ONLY != 0 && is_direct => Some(EventKind::Value),
        _ => Some(EventKind::Field),
    })
}

/// The kind of a value change: filling in a fillable field, if nothing forbids it.
fn value(examiner: &mut Examiner, step: &Step, after: &Dictionary, ancestry: &Field) -> Result<EventKind, Fault> {
    let value = examiner.document.view(step.pair.new).resolve(after.get(b"V"))?;
    let is_fitting = match &*value {
        Object::Null => true,
        // MuPDF writes the state of a button as a string
        Object::String(_) => !ancestry.is_signature() && !ancestry.is_push_button(),
        Object::Array(_) => ancestry.is_choice(),
        Object::Name(_) => ancestry.is_button() && !ancestry.is_push_button(),
        _ => false,
    };
    Ok(if is_fitting && (!ancestry.is_read_only() || is_calculated(examiner, step, ancestry)?) {
        EventKind::Value
    } else {
        EventKind::Field
    })
}

/// Whether the state of a button's widget is Off or the value of its field (12.7.4.2.3).
fn is_chosen(examiner: &mut Examiner, step: &Step, after: &Dictionary, ancestry: &Field) -> Result<bool, Fault> {
    if !ancestry.is_button() || ancestry.is_push_button() {
        return Ok(false);
    }
    let [_, form] = step.forms.clone();
    let field = ancestry.line.first().and_then(|&widget| form.field(widget)).unwrap_or(ancestry);
    let view = &mut examiner.document.view(step.pair.new);
    let (state, value) = (view.resolve(after.get(b"AS"))?, view.resolve(&field.value)?);
    Ok(matches!(state.as_name(), None | Some(b"Off"))
        || value.as_name().or(value.as_string()).is_some_and(|value| state.as_name() == Some(value)))
}

/// Whether readers draw a widget's appearance stream, regardless of its other entries.
pub(crate) fn has_appearance(examiner: &mut Examiner, step: &Step, after: &Dictionary) -> Result<bool, Fault> {
    Ok(has_normal_appearance(examiner, step.pair.new, after)? && !step.needs_appearances)
}

/// The kind of an appearance change: only the normal appearance may change, to show the value.
fn appearances(
    examiner: &mut Examiner,
    step: &Step,
    (before, after): (&Dictionary, &Dictionary),
    ancestry: &Field,
) -> Result<EventKind, Fault> {
    let was = examiner.document.view(step.pair.old).dictionary(before.get(b"AP"))?.into_owned();
    let is = examiner.document.view(step.pair.new).dictionary(after.get(b"AP"))?.into_owned();
    let keys = step.pair.differing(examiner.document, &was, &is)?;
    // appearances for pressed buttons may be removed
    if keys.iter().any(|key| key.as_bytes() != b"N" && is.has(key.as_bytes())) {
        return Ok(EventKind::Field);
    }
    normal_appearance(examiner, step, ancestry)
}

/// The kind of a changed normal appearance: filling in, if it shows exactly the new value.
fn normal_appearance(examiner: &mut Examiner, step: &Step, ancestry: &Field) -> Result<EventKind, Fault> {
    let is_filled = is_filled_in(step, ancestry);
    if step.needs_appearances && is_filled {
        return Ok(EventKind::Value);
    }
    Ok(match appearance_match(examiner, step, ancestry)? {
        AppearanceMatch::Value if is_filled || ancestry.is_text() || ancestry.is_choice() => EventKind::Value,
        // an unreadable appearance may show anything
        AppearanceMatch::Unknown if examiner.is_signed => {
            let page = ancestry.line.first().and_then(|widget| examiner.map.page(*widget));
            let page = page.and_then(|page| step.page_number(page));
            examiner.inconclusive(step, page, unreadable(ancestry));
            if is_filled { EventKind::Value } else { EventKind::View }
        }
        AppearanceMatch::Unknown if is_filled => EventKind::Value,
        // in a signed file that is more than a change of appearance
        AppearanceMatch::Other if examiner.is_signed => EventKind::Field,
        AppearanceMatch::Value | AppearanceMatch::Other | AppearanceMatch::Unknown => EventKind::Appearance,
    })
}

/// The clause for an unreadable appearance, with the value that it should show.
pub(crate) fn unreadable(field: &Field) -> String {
    let value = field.text().filter(|_| !field.is_secret());
    let value =
        value.map_or_else(String::new, |value| format!(", whose value is \u{201c}{}\u{201d},", legible(&value)));
    format!("what the form field \u{201c}{}\u{201d}{value} shows cannot be read", legible(&field.name))
}

/// Whether the widget of a field shows exactly its value.
pub(crate) fn shows_value(examiner: &mut Examiner, step: &Step, field: &Field) -> Result<bool, Fault> {
    Ok(matches!(appearance_match(examiner, step, field)?, AppearanceMatch::Value))
}

/// What a widget shows, compared with the value of its field.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum AppearanceMatch {
    Value,
    Other,
    Unknown,
}

pub(crate) fn appearance_match(
    examiner: &mut Examiner,
    step: &Step,
    ancestry: &Field,
) -> Result<AppearanceMatch, Fault> {
    let [_, form] = step.forms.clone();
    let Some(&widget) = ancestry.line.first() else { return Ok(AppearanceMatch::Unknown) };
    let field = form.field(widget).unwrap_or(ancestry);
    if field.is_button() {
        return mark_match(examiner, step, widget);
    }
    let value = examiner.document.view(step.pair.new).resolve(&field.value)?.into_owned();
    let value = match value {
        Object::Null => Some(String::new()),
        Object::String(text) => Some(text_string::decode(&text).unwrap_or_default()),
        _ => None,
    };
    let Some(value) = value.filter(|_| field.is_text() || field.is_choice()) else {
        return Ok(AppearanceMatch::Unknown);
    };
    let Some(left) = examiner.appearance_checks_left.checked_sub(1) else { return Ok(AppearanceMatch::Unknown) };
    examiner.appearance_checks_left = left;
    let Some(body) = examiner.document.view(step.pair.new).object(widget)? else { return Ok(AppearanceMatch::Unknown) };
    let Some(annotation) = body.dictionary() else { return Ok(AppearanceMatch::Unknown) };
    if draws_nothing(examiner, step.pair.new, annotation)? {
        return Ok(if value.trim().is_empty() { AppearanceMatch::Value } else { AppearanceMatch::Other });
    }
    let mut contents = ContentReader::with_steps(examiner.document, MAX_PAINT_STEPS);
    let expected = Expected { glyphs: ExpectedGlyphs::Letters, cells: field.cells(), touched: &step.touched };
    let shown = contents.plain_text(examiner.document, step.pair.new, annotation, expected)?;
    let letters = |text: &str| text.chars().filter(|letter| !letter.is_whitespace()).collect::<String>();
    Ok(match shown {
        None => AppearanceMatch::Unknown,
        // line breaks and comb cells don't matter
        Some(shown) if letters(&shown) == letters(field.option(&value).as_ref().unwrap_or(&value)) => {
            AppearanceMatch::Value
        }
        Some(shown) if ancestry.is_secret() && letters(&shown).chars().all(|letter| letter == '*') => {
            AppearanceMatch::Value
        }
        Some(shown) if ancestry.is_formatted() => {
            match ancestry.format().and_then(|script| is_formatted(&script, &value, &shown)) {
                Some(true) => AppearanceMatch::Value,
                Some(false) => AppearanceMatch::Other,
                // a custom script of the form may produce any text
                None => AppearanceMatch::Unknown,
            }
        }
        Some(_) => AppearanceMatch::Other,
    })
}

/// Compares the mark of a check box or radio button with its state: a mark if it is on.
fn mark_match(examiner: &mut Examiner, step: &Step, widget: u32) -> Result<AppearanceMatch, Fault> {
    let Some(left) = examiner.appearance_checks_left.checked_sub(1) else { return Ok(AppearanceMatch::Unknown) };
    examiner.appearance_checks_left = left;
    let Some(body) = examiner.document.view(step.pair.new).object(widget)? else { return Ok(AppearanceMatch::Unknown) };
    let Some(annotation) = body.dictionary() else { return Ok(AppearanceMatch::Unknown) };
    let mut contents = ContentReader::with_steps(examiner.document, MAX_PAINT_STEPS);
    let expected = Expected { glyphs: ExpectedGlyphs::Marks, cells: None, touched: &step.touched };
    let shown = contents.plain_text(examiner.document, step.pair.new, annotation, expected)?;
    let is_on = !matches!(annotation.get(b"AS").as_name(), None | Some(b"Off"));
    Ok(match shown.map(|shown| shown.chars().count()) {
        // a mark may be an area as well
        Some(0) => AppearanceMatch::Value,
        Some(1) if is_on => AppearanceMatch::Value,
        Some(_) => AppearanceMatch::Other,
        None => AppearanceMatch::Unknown,
    })
}

pub(crate) fn is_same_parent(examiner: &Examiner, ancestry: &Field, before: &Dictionary, after: &Dictionary) -> bool {
    let known = ancestry.line.first().and_then(|&field| examiner.map.parent(field));
    let parent = |field: &Dictionary| field.get(b"Parent").as_reference().map(|parent| parent.number);
    known.is_some() && parent(after) == known && parent(before).is_none_or(|parent| Some(parent) == known)
}

/// Reports a field that became another object type, or the reverse.
fn redefined(examiner: &mut Examiner, step: &Step, change: &ObjectChange, owner: u32) -> Result<(), Fault> {
    let (state, body) = match (change.old.body(), change.new.body()) {
        (Some(old), _) => (step.pair.old, old),
        (None, Some(new)) => (step.pair.new, new),
        (None, None) => return Ok(()),
    };
    let dictionary = body.dictionary().unwrap_or(Dictionary::empty());
    let ancestry = ancestry(examiner, step, state, (owner, dictionary))?;
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
    if !examiner.matters(step, role, &change.old, &change.new)? {
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
    if field.as_ref().and_then(|field| field.dictionary()).is_some_and(|field| is_own(step, &ancestry, field)) {
        return Ok(());
    }
    let kind = match role {
        // a part shared by several fields is filled in with none of them
        _ if owner == 0 || ancestry.is_signature() => EventKind::Field,
        Role::FieldValue | Role::Appearance
            if ancestry.is_read_only()
                && is_filled_in(step, &ancestry)
                && !is_calculated(examiner, step, &ancestry)? =>
        {
            EventKind::Field
        }
        Role::FieldValue if is_filled_in(step, &ancestry) => EventKind::Value,
        Role::Appearance if hides_text(examiner, step, owner)? => EventKind::Field,
        Role::Appearance => normal_appearance(examiner, step, &ancestry)?,
        _ => EventKind::Field,
    };
    let shows_value = role == Role::Appearance && kind == EventKind::Value && !step.needs_appearances;
    let secret = |shown: Option<String>| if ancestry.is_secret() { shown.map(|_| NOT_SHOWN.to_owned()) } else { shown };
    let page = page_of(examiner, step, owner)?;
    let event = step.event_of(change, kind, Subject::Appearance(ancestry.name.clone()));
    examiner.report(Event {
        page,
        before: secret(event.before),
        after: secret(event.after),
        field: Some(ancestry.name.clone()),
        // an appearance that shows the value hides nothing
        is_hidden: (owner == 0 || !step.touched.contains(&owner)) && !shows_value,
        ..event
    });
    Ok(())
}

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
    for number in added {
        listed(examiner, step, number, true)?;
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

/// Reports a widget or a field added or removed on a page or in a list.
pub(crate) fn widget(
    examiner: &mut Examiner,
    step: &Step,
    (owner, number): (u32, u32),
    widget: &Dictionary,
    (came, is_hidden): (bool, bool),
) -> Result<(), Fault> {
    let state = if came { step.pair.new } else { step.pair.old };
    let ancestry = ancestry(examiner, step, state, (number, widget))?;
    let kind = if !ancestry.is_signature() {
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
    match ancestry.line[..] {
        [_, parent] if form.field(number).is_some() && form.kids(parent).count() == 1 => parent,
        _ => number,
    }
}

/// Whether a new field is an unsigned, invisible signature field.
fn is_to_be_signed(examiner: &mut Examiner, step: &Step, number: u32, widget: &Dictionary) -> Result<bool, Fault> {
    Ok(!examiner.is_signed
        || !widget.has(b"V")
            && signature_field_template::signature_field(examiner, step, number)?.is_some()
            && signature_field_template::draws_nothing(examiner, step.pair.new, widget)?)
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
