//! Changes of form fields and their widgets (ISO 32000-1, 12.7).

use std::collections::BTreeMap;

use super::button_value::{is_chosen, is_ticked};
use super::calculation::{Calculation, calculation};
use super::resource_names::only_gained_names;
use super::{field_appearance, field_list};
use crate::integrity::clause::Clause;
use crate::integrity::clause::Word::Quote;
use crate::integrity::event::{Event, EventKind, Subject};
use crate::integrity::revision::evidence_text::{self, says_nothing};
use crate::integrity::revision::examiner::{Examiner, Step};
use crate::integrity::revision::object_change::ObjectChange;
use crate::integrity::revision::signature_field_template::{self, has_normal_appearance};
use crate::integrity::revision::structure::role::Role;
use crate::integrity::revision::structure::signatures::SignedField;
use crate::integrity::revision::vocabulary::{
    has_same_characteristics, is_among, is_hiding, is_off, is_private, is_sign_flags,
};
use pdf_content::Rectangle;
use pdf_syntax::document::form::Field;
use pdf_syntax::document::objects::State;
use pdf_syntax::failure::Fault;
use pdf_syntax::syntax::dictionary::Dictionary;
use pdf_syntax::syntax::name::Name;
use pdf_syntax::syntax::object::Object;

/// The field flag ReadOnly (12.7.3.1, table 221).
const READ_ONLY: i64 = 1;
/// Field flags without effect on what a field shows and whether it may be filled in: Required, NoExport, Sort,
/// DoNotSpellCheck, CommitOnSelChange (tables 221, 228 and 230).
const QUIET_FLAGS: i64 = 1 << 1 | 1 << 2 | 1 << 19 | 1 << 22 | 1 << 26;
/// Attributes that a field inherits (12.7.3.1 to 12.7.4.3).
const INHERITABLE: &str = "FT Ff V DV DA Q MaxLen";

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
    let ancestry = examiner.ancestry(step, step.pair.old, (change.number, before))?;
    let is_own = is_own(step, &ancestry, before);
    // the strongest change and its key
    let mut found: Option<(EventKind, Name)> = None;
    for name in examiner.differing(step, Role::Field, &change.old, &change.new)? {
        let Some(kind) = kind(examiner, step, &name, (before, after), (&ancestry, is_own))? else { continue };
        let is_weightier = found.as_ref().is_none_or(|found| weight(kind, &name) > weight(found.0, &found.1));
        if is_weightier {
            found = Some((kind, name));
        }
    }
    match found {
        Some((EventKind::Value | EventKind::Redrawn | EventKind::Appearance, key))
            if field_appearance::hides_text(examiner, step, change.number)? =>
        {
            report(examiner, step, EventKind::Field, (change.number, &ancestry), Some(&key), change.dictionaries())
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
        Some((kind, key)) => {
            report(examiner, step, kind, (change.number, &ancestry), Some(&key), change.dictionaries())
        }
        None => Ok(()),
    }
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

/// The kind of a changed entry of a field; `None` if it is explained.
fn kind(
    examiner: &mut Examiner,
    step: &Step,
    name: &Name,
    (before, after): (&Dictionary, &Dictionary),
    (ancestry, is_own): (&Field, bool),
) -> Result<Option<EventKind>, Fault> {
    let key = name.as_bytes();
    Ok(match key {
        b"Kids" => {
            field_list::lists(examiner, step, before.get(key), after.get(key))?;
            None
        }
        // the same parent in another form, or an omitted one
        b"Parent" if is_same_parent(examiner, ancestry, before, after) => None,
        // reported as a signature
        b"V" if ancestry.is_signature() => None,
        _ if is_inherited(examiner, step, key, (before, after), ancestry)? => None,
        // names in another text encoding (7.9.2.2), or none
        b"T" if evidence_text::same_texts(before.get(key), after.get(key)) => None,
        b"TU" | b"TM" | b"Contents" if evidence_text::is_same_label(before.get(key), after.get(key)) => None,
        b"V" | b"DV" if evidence_text::same_texts(before.get(key), after.get(key)) => None,
        b"Opt" if offers_same(step, ancestry) => None,
        // in an encoding that some readers do not know
        b"T" | b"V" | b"DV" | b"Opt" if evidence_text::has_same_characters(before.get(key), after.get(key)) => {
            Some(EventKind::View)
        }
        b"V" if (ancestry.is_text() || ancestry.is_choice())
            && [before, after].iter().all(|field| says_nothing(field.get(key))) =>
        {
            None
        }
        b"F" if is_own && is_sign_flags(before.get(key), after.get(key)) => None,
        b"Ff" | b"F" => flags(examiner, step, key, (before, after))?,
        b"V" => Some(value(examiner, step, after, ancestry)?),
        b"AS" if !ancestry.is_button() && field_appearance::is_single(examiner, step.pair.new, after)? => None,
        b"AS" if [before, after].iter().all(|field| is_off(field)) => None,
        b"AS" if step.fills(ancestry) && is_chosen(examiner, step, after, ancestry)? => Some(EventKind::Value),
        // the state that the signed value names
        b"AS" if examiner.is_signed && before.get(key).is_null() && is_chosen(examiner, step, after, ancestry)? => {
            Some(EventKind::View)
        }
        b"MK" if has_same_characteristics(before.get(key), after.get(key)) => None,
        // entries that depend on the value
        b"I" | b"TI" | b"RV" if step.fills(ancestry) => Some(EventKind::Value),
        // what is chosen and seen first in a list is no value; an appearance that changes with it is compared
        b"I" | b"TI" => None,
        // an entry of a field in a mere widget of it
        b"Opt" | b"MaxLen" if examiner.is_signed && !after.has(b"T") && after.has(b"Parent") => Some(EventKind::View),
        // without an appearance stream, viewers draw a box of these colors, and a caption
        b"MK" if examiner.is_signed && !step.fills(ancestry) && draws_characteristics(examiner, step, after)? => {
            Some(EventKind::Field)
        }
        // entries that signing software sets in the signed field
        b"AP" | b"MK" | b"Lock" | b"SV" | b"DA" | b"DR" | b"BS" | b"Border" | b"Q" | b"H" if is_own => None,
        b"Rect" if is_own && is_withdrawn(examiner, step, before, after)? => None,
        b"AP" if ancestry.is_signature() => Some(EventKind::Field),
        // viewers generate one from the value
        b"AP" if !after.has(key) && step.fills(ancestry) && (ancestry.is_text() || ancestry.is_choice()) => {
            Some(EventKind::Value)
        }
        b"AP" => Some(field_appearance::appearances(examiner, step, (before, after), ancestry)?),
        // not used for drawing if there is an appearance stream
        b"MK" | b"DA" if step.fills(ancestry) && field_appearance::has_appearance(examiner, step, after)? => {
            Some(EventKind::Value)
        }
        b"MK" | b"DA" if examiner.is_signed && field_appearance::has_appearance(examiner, step, after)? => {
            Some(EventKind::View)
        }
        b"BS" | b"Border" | b"Q" if step.fills(ancestry) => Some(EventKind::Value),
        // how viewers are to draw it, which they do differently
        b"MK" | b"DA" | b"BS" | b"Border" | b"Q" if examiner.is_signed => Some(EventKind::View),
        _ if is_private(key) => None,
        _ if is_seen(key) => Some(EventKind::Field),
        // invisible and of unknown purpose
        _ => Some(EventKind::View),
    })
}

/// Whether viewers draw a widget by its appearance characteristics (12.5.6.19).
pub(crate) fn draws_characteristics(examiner: &mut Examiner, step: &Step, widget: &Dictionary) -> Result<bool, Fault> {
    if has_normal_appearance(examiner, step.pair.new, widget)? || widget.get(b"F").as_integer().is_some_and(is_hiding) {
        return Ok(false);
    }
    let has_area =
        Rectangle::read(widget.get(b"Rect")).is_some_and(|place| place.width() > 0.0 && place.height() > 0.0);
    let characteristics = examiner.document.view(step.pair.new).dictionary(widget.get(b"MK"))?.into_owned();
    let is_colored = |key: &[u8]| !characteristics.get(key).elements().is_empty();
    let has_caption = characteristics.get(b"CA").as_string().is_some_and(|caption| !caption.is_empty());
    Ok(has_area && (is_colored(b"BG") || is_colored(b"BC") || has_caption))
}

/// Whether a field without an appearance, which drew at most the box to sign in, was signed without one: some programs
/// reduce it to a point.
pub(crate) fn is_withdrawn(
    examiner: &mut Examiner,
    step: &Step,
    before: &Dictionary,
    after: &Dictionary,
) -> Result<bool, Fault> {
    let is_point =
        Rectangle::read(after.get(b"Rect")).is_some_and(|place| place.width() == 0.0 && place.height() == 0.0);
    Ok(is_point
        && !before.has(b"AP")
        && (!after.has(b"AP") || signature_field_template::draws_nothing(examiner, step.pair.new, after)?))
}

/// Whether an entry of a field is visible or interactive.
fn is_seen(key: &[u8]) -> bool {
    const SEEN: &str = "\
        Subtype FT V AS AP RV Rect F Ff MK BS Border Q DA A AA T TU Opt MaxLen OC Kids Parent";
    is_among(SEEN, key)
}

/// Whether a field, or a merged field, is signed by this update.
pub(crate) fn is_own(step: &Step, ancestry: &Field, widget: &Dictionary) -> bool {
    match ancestry.line[..] {
        [field] => step.signs_field(field),
        [field, parent, ..] => step.signs_field(field) || step.signs_field(parent) && !widget.has(b"T"),
        [] => false,
    }
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
        changed if key == b"Ff" && changed & !QUIET_FLAGS == 0 && is_direct => Some(EventKind::View),
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
    let calculation =
        if ancestry.is_read_only() { calculation(examiner, step, ancestry)? } else { Calculation::Result };
    if is_fitting && calculation == Calculation::Unknown {
        let what = "the value that a script of the form gave the field {} cannot be calculated";
        examiner.inconclusive(step, None, Clause::of(what, &[Quote(&ancestry.name)]));
    }
    Ok(if is_fitting && calculation != Calculation::None { EventKind::Value } else { EventKind::Field })
}

/// Whether an entry that was missing has the inherited value now, which it had already (12.7.3.1).
pub(crate) fn is_inherited(
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

/// Whether a field resolves to the options that it had (12.7.4.4).
pub(crate) fn offers_same(step: &Step, ancestry: &Field) -> bool {
    let [before, after] = &step.forms;
    ancestry.line.first().is_some_and(|&number| match (before.field(number), after.field(number)) {
        (Some(before), Some(after)) => before.offers_same(after),
        _ => false,
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
    if !examiner.matters(step, role, &change.old, &change.new)? {
        return Ok(());
    }
    let page = page_of(examiner, step, owner)?;
    if only_gained_names(examiner, step, change, page)? {
        return Ok(());
    }
    let field = match examiner.document.view(step.pair.old).object(owner)? {
        None => examiner.document.view(step.pair.new).object(owner)?,
        field => field,
    };
    let ancestry = match field.as_ref().and_then(|field| field.dictionary()) {
        Some(field) => examiner.ancestry(step, step.pair.old, (owner, field))?,
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
                && step.fills(&ancestry)
                && calculation(examiner, step, &ancestry)? == Calculation::None =>
        {
            EventKind::Field
        }
        Role::FieldValue if step.fills(&ancestry) => EventKind::Value,
        Role::Appearance if field_appearance::hides_text(examiner, step, owner)? => EventKind::Field,
        Role::Appearance => field_appearance::normal_appearance(examiner, step, &ancestry)?,
        _ => EventKind::Field,
    };
    let shows_value =
        role == Role::Appearance && matches!(kind, EventKind::Value | EventKind::Redrawn) && !step.needs_appearances;
    let secret = |shown: Option<String>| if ancestry.is_secret() { shown.map(|_| NOT_SHOWN.to_owned()) } else { shown };
    // a separate widget shows the value of its field
    let is_touched = step.touched.contains(&owner) || step.fills(&ancestry) && kind == EventKind::Value;
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
