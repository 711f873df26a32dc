//! What a revision did to form fields and their widgets (ISO 32000-1, 12.7).

use std::collections::BTreeMap;

use crate::content::{Alphabet, Contents, Expected, legible};
use crate::document::form::Field;
use crate::document::objects::State;
use crate::failure::Fault;
use crate::integrity::event::{Event, EventKind, Subject};
use crate::integrity::revision::cover;
use crate::integrity::revision::delta::Delta;
use crate::integrity::revision::examiner::{Examiner, Step};
use crate::integrity::revision::format::is_formatted;
use crate::integrity::revision::list;
use crate::integrity::revision::shape::{self, draws_nothing, has_normal_appearance};
use crate::integrity::revision::show;
use crate::integrity::revision::structure::role::Role;
use crate::integrity::revision::structure::signatures::SignedField;
use crate::integrity::revision::vocabulary::{is_private, is_sign_flags};
use crate::syntax::dictionary::Dictionary;
use crate::syntax::name::Name;
use crate::syntax::object::Object;
use crate::text::text_string;

const LOOKED: u64 = 1 << 18;
/// The flag of what may no longer be filled in (12.7.3.1, table 221).
const READ_ONLY: i64 = 1;

/// Whether the value of a field is another one: by its words, or by the state that is chosen.
pub(crate) fn is_filled(examiner: &mut Examiner, step: &Step, delta: &Delta) -> Result<bool, Fault> {
    let [Some(before), Some(after)] = delta.dictionaries() else { return Ok(false) };
    let keys = step.pair.differing(examiner.document, before, after)?;
    if keys.iter().any(|key| matches!(key.as_bytes(), b"AS" | b"I")) {
        return Ok(true);
    }
    let is_value = keys.iter().any(|key| key.as_bytes() == b"V");
    Ok(is_value && words(examiner, step.pair.old, before)? != words(examiner, step.pair.new, after)?)
}

/// The value of a field, word by word.
fn words(examiner: &mut Examiner, state: State, field: &Dictionary) -> Result<Vec<String>, Fault> {
    let value = examiner.document.view(state).resolve(field.get(b"V"))?;
    let text = match &*value {
        Object::Array(elements) => elements.iter().filter_map(show::text).collect::<Vec<_>>().join("\n"),
        value => show::text(value).unwrap_or_default(),
    };
    Ok(text.split_whitespace().map(str::to_owned).collect())
}

/// A field, its widget, or an array of them was written anew or deleted.
pub(crate) fn changed(examiner: &mut Examiner, step: &Step, delta: &Delta, owner: u32) -> Result<(), Fault> {
    if let [old @ Object::Array(_), new @ Object::Array(_)] = delta.objects() {
        return lists(examiner, step, old, new);
    }
    let [Some(before), Some(after)] = delta.dictionaries() else { return redefined(examiner, step, delta, owner) };
    if !is_field(before) {
        return redefined(examiner, step, delta, owner);
    }
    let ancestry = ancestry(examiner, step, step.pair.old, (delta.number, before))?;
    let is_own = is_own(step, &ancestry, before);
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
        Some((EventKind::Value | EventKind::Appearance, key)) if hides_text(examiner, step, delta.number)? => {
            tell(examiner, step, EventKind::Field, (delta.number, &ancestry), Some(&key), delta.dictionaries())
        }
        Some((kind, key)) => tell(examiner, step, kind, (delta.number, &ancestry), Some(&key), delta.dictionaries()),
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
    let texts = || show::text(before.get(key)) == show::text(after.get(key));
    Ok(match key {
        b"Kids" => {
            lists(examiner, step, before.get(key), after.get(key))?;
            None
        }
        // the same parent by other words, or one that was left unsaid
        b"Parent" if is_same_parent(examiner, ancestry, before, after) => None,
        // told as a signature
        b"V" if ancestry.is_signature() => None,
        // names, in another encoding of texts (7.9.2.2)
        b"T" | b"TU" | b"TM" if texts() => None,
        b"F" if is_own && is_sign_flags(before.get(key), after.get(key)) => None,
        b"Ff" | b"F" => flags(examiner, step, key, (before, after))?,
        b"V" => Some(value(examiner, step, after, ancestry)?),
        b"AS" if is_chosen(examiner, step, after, ancestry)? => Some(EventKind::Value),
        // what may be said along with a value
        b"I" | b"TI" | b"RV" if is_filled_in(step, ancestry) => Some(EventKind::Value),
        // what the signer's software does with the field that is signed
        b"AP" | b"MK" | b"Lock" | b"SV" | b"DA" | b"DR" | b"BS" | b"Border" | b"Q" | b"H" if is_own => None,
        b"AP" if ancestry.is_signature() => Some(EventKind::Field),
        b"AP" => Some(appearances(examiner, step, (before, after), ancestry)?),
        // nobody draws by it what has a look of its own
        b"MK" | b"DA" if is_filled_in(step, ancestry) && has_look(examiner, step, after)? => Some(EventKind::Value),
        b"BS" | b"Border" | b"Q" if is_filled_in(step, ancestry) => Some(EventKind::Value),
        _ if is_private(key) => None,
        _ if is_seen(key) => Some(EventKind::Field),
        // nobody sees it: what it is there for is not known
        _ => Some(EventKind::View),
    })
}

/// Whether a person can see or use what an entry of a field says.
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

/// Whether the widget of a field has come to hide what its page shows.
fn hides_text(examiner: &mut Examiner, step: &Step, widget: u32) -> Result<bool, Fault> {
    let Some(page) = examiner.map.page(widget) else { return Ok(false) };
    let before = examiner.document.view(step.pair.old).object(widget)?;
    let after = examiner.document.view(step.pair.new).object(widget)?;
    let [Some(before), Some(after)] = [&before, &after].map(|body| body.as_ref().and_then(|body| body.dictionary()))
    else {
        return Ok(false);
    };
    cover::comes_to_hide_text(examiner, step, page, [before, after])
}

/// Whether a field, or a widget that is all of one, is signed by this save.
pub(crate) fn is_own(step: &Step, ancestry: &Field, widget: &Dictionary) -> bool {
    match ancestry.line[..] {
        [field] => step.signs_field(field),
        [field, parent, ..] => step.signs_field(field) || step.signs_field(parent) && !widget.has(b"T"),
        [] => false,
    }
}

/// Whether the value of a field, or of one above it, is another one.
pub(crate) fn is_filled_in(step: &Step, ancestry: &Field) -> bool {
    ancestry.line.iter().any(|field| step.filled.contains(field))
}

/// Whether scripts of the form calculate a field from others (12.6.3, 12.7.2): it follows what is filled in.
pub(crate) fn is_calculated(examiner: &mut Examiner, step: &Step, field: &Field) -> Result<bool, Fault> {
    let [form, _] = step.forms.clone();
    let view = &mut examiner.document.view(step.pair.old);
    let order = view.resolve(form.dictionary.get(b"CO"))?;
    let is_listed =
        |number: &u32| order.elements().iter().any(|it| it.as_reference().is_some_and(|id| id.number == *number));
    Ok(field.line.iter().any(is_listed))
}

/// What other flags amount to.
fn flags(
    examiner: &mut Examiner,
    step: &Step,
    key: &[u8],
    (before, after): (&Dictionary, &Dictionary),
) -> Result<Option<EventKind>, Fault> {
    let was = examiner.document.view(step.pair.old).integer(before.get(key))?.unwrap_or(0);
    let is = examiner.document.view(step.pair.new).integer(after.get(key))?.unwrap_or(0);
    // flags by reference may come to be others
    let is_direct = after.get(key).as_reference().is_none() || before.get(key) == after.get(key);
    Ok(match was ^ is {
        // flags that are not set may as well not be there
        0 if is_direct => None,
        // locking what is there is part of signing, or of having filled it in
        READ_ONLY if key == b"Ff" && is & READ_ONLY != 0 && is_direct => Some(EventKind::Value),
        _ => Some(EventKind::Field),
    })
}

/// What another value amounts to: filling in a field of a kind that is filled in, if nothing forbids it.
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

/// Whether the state of a button's widget is off, or the value of its field (12.7.4.2.3).
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

/// Whether a widget has a look that readers draw, whatever else it says.
fn has_look(examiner: &mut Examiner, step: &Step, after: &Dictionary) -> Result<bool, Fault> {
    Ok(has_normal_appearance(examiner, step.pair.new, after)? && !step.needs_appearances)
}

/// What other looks amount to: of the normal one, which may show the value; others stay.
fn appearances(
    examiner: &mut Examiner,
    step: &Step,
    (before, after): (&Dictionary, &Dictionary),
    ancestry: &Field,
) -> Result<EventKind, Fault> {
    let was = examiner.document.view(step.pair.old).dictionary(before.get(b"AP"))?.into_owned();
    let is = examiner.document.view(step.pair.new).dictionary(after.get(b"AP"))?.into_owned();
    let keys = step.pair.differing(examiner.document, &was, &is)?;
    // what is seen only while a button is pressed may go
    if keys.iter().any(|key| key.as_bytes() != b"N" && is.has(key.as_bytes())) {
        return Ok(EventKind::Field);
    }
    looks(examiner, step, ancestry)
}

/// What another normal look of a widget amounts to: the value that was filled in, if it shows that and nothing else.
fn looks(examiner: &mut Examiner, step: &Step, ancestry: &Field) -> Result<EventKind, Fault> {
    let is_filled = is_filled_in(step, ancestry);
    if step.needs_appearances && is_filled {
        return Ok(EventKind::Value);
    }
    Ok(match shown(examiner, step, ancestry)? {
        Shown::Value if is_filled || ancestry.is_text() || ancestry.is_choice() => EventKind::Value,
        // an appearance that cannot be read may show anything
        Shown::Unknown if examiner.is_signed => {
            let page = ancestry.line.first().and_then(|widget| examiner.map.page(*widget));
            let page = page.and_then(|page| step.page_number(page));
            examiner.inconclusive(step, page, unreadable(ancestry));
            if is_filled { EventKind::Value } else { EventKind::View }
        }
        Shown::Unknown if is_filled => EventKind::Value,
        // in a signed file that is more than a matter of looks
        Shown::Other if examiner.is_signed => EventKind::Field,
        Shown::Value | Shown::Other | Shown::Unknown => EventKind::Appearance,
    })
}

/// That an appearance cannot be read, with the value that it should show.
pub(crate) fn unreadable(field: &Field) -> String {
    let value = field.text().filter(|_| !field.is_secret());
    let value =
        value.map_or_else(String::new, |value| format!(", whose value is \u{201c}{}\u{201d},", legible(&value)));
    format!("what the form field \u{201c}{}\u{201d}{value} shows cannot be read", legible(&field.name))
}

/// Whether the widget of a field shows its value and nothing else.
pub(crate) fn shows_value(examiner: &mut Examiner, step: &Step, field: &Field) -> Result<bool, Fault> {
    Ok(matches!(shown(examiner, step, field)?, Shown::Value))
}

/// What a widget shows, beside the value of its field.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Shown {
    Value,
    Other,
    Unknown,
}

pub(crate) fn shown(examiner: &mut Examiner, step: &Step, ancestry: &Field) -> Result<Shown, Fault> {
    let [_, form] = step.forms.clone();
    let Some(&widget) = ancestry.line.first() else { return Ok(Shown::Unknown) };
    let field = form.field(widget).unwrap_or(ancestry);
    if field.is_button() {
        return shown_mark(examiner, step, widget);
    }
    let value = examiner.document.view(step.pair.new).resolve(&field.value)?.into_owned();
    let value = match value {
        Object::Null => Some(String::new()),
        Object::String(text) => Some(text_string::decode(&text).unwrap_or_default()),
        _ => None,
    };
    let Some(value) = value.filter(|_| field.is_text() || field.is_choice()) else { return Ok(Shown::Unknown) };
    let Some(left) = examiner.looks_left.checked_sub(1) else { return Ok(Shown::Unknown) };
    examiner.looks_left = left;
    let Some(body) = examiner.document.view(step.pair.new).object(widget)? else { return Ok(Shown::Unknown) };
    let Some(annotation) = body.dictionary() else { return Ok(Shown::Unknown) };
    if draws_nothing(examiner, step.pair.new, annotation)? {
        return Ok(if value.trim().is_empty() { Shown::Value } else { Shown::Other });
    }
    let mut contents = Contents::with_steps(examiner.document, LOOKED);
    let expected = Expected { alphabet: Alphabet::Letters, cells: field.cells(), touched: &step.touched };
    let shown = contents.plain_text(examiner.document, step.pair.new, annotation, expected)?;
    let letters = |text: &str| text.chars().filter(|letter| !letter.is_whitespace()).collect::<String>();
    Ok(match shown {
        None => Shown::Unknown,
        // where a text is broken into lines, or into boxes of a letter each, is a matter of its looks
        Some(shown) if letters(&shown) == letters(field.option(&value).as_ref().unwrap_or(&value)) => Shown::Value,
        Some(shown) if ancestry.is_secret() && letters(&shown).chars().all(|letter| letter == '*') => Shown::Value,
        Some(shown) if ancestry.is_formatted() => {
            match ancestry.format().and_then(|script| is_formatted(&script, &value, &shown)) {
                Some(true) => Shown::Value,
                Some(false) => Shown::Other,
                // a script of the form's own may write anything
                None => Shown::Unknown,
            }
        }
        Some(_) => Shown::Other,
    })
}

/// What the widget of a check box or a radio button shows in the state that it is in: a mark if it is on.
fn shown_mark(examiner: &mut Examiner, step: &Step, widget: u32) -> Result<Shown, Fault> {
    let Some(left) = examiner.looks_left.checked_sub(1) else { return Ok(Shown::Unknown) };
    examiner.looks_left = left;
    let Some(body) = examiner.document.view(step.pair.new).object(widget)? else { return Ok(Shown::Unknown) };
    let Some(annotation) = body.dictionary() else { return Ok(Shown::Unknown) };
    let mut contents = Contents::with_steps(examiner.document, LOOKED);
    let expected = Expected { alphabet: Alphabet::Marks, cells: None, touched: &step.touched };
    let shown = contents.plain_text(examiner.document, step.pair.new, annotation, expected)?;
    let is_on = !matches!(annotation.get(b"AS").as_name(), None | Some(b"Off"));
    Ok(match shown.map(|shown| shown.chars().count()) {
        // a mark may be drawn, too
        Some(0) => Shown::Value,
        Some(1) if is_on => Shown::Value,
        Some(_) => Shown::Other,
        None => Shown::Unknown,
    })
}

pub(crate) fn is_same_parent(examiner: &Examiner, ancestry: &Field, before: &Dictionary, after: &Dictionary) -> bool {
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
    let dictionary = body.dictionary().unwrap_or(Dictionary::empty());
    let ancestry = ancestry(examiner, step, state, (owner, dictionary))?;
    let [before, after] = &step.signed;
    let is_signed = |signed: &BTreeMap<u32, SignedField>| ancestry.line.iter().any(|field| signed.contains_key(field));
    // one that is signed by this save, or no longer is, is told as a signature
    if is_signed(before) != is_signed(after) && ancestry.line.len() == 1 {
        return Ok(());
    }
    tell(examiner, step, EventKind::Field, (delta.number, &ancestry), None, delta.dictionaries())
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
    if field.as_ref().and_then(|field| field.dictionary()).is_some_and(|field| is_own(step, &ancestry, field)) {
        return Ok(());
    }
    let kind = match role {
        // what belongs to several fields is filled in with none of them
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
        Role::Appearance => looks(examiner, step, &ancestry)?,
        _ => EventKind::Field,
    };
    let shows_value = role == Role::Appearance && kind == EventKind::Value && !step.needs_appearances;
    let secret = |shown: Option<String>| if ancestry.is_secret() { shown.map(|_| NOT_SHOWN.to_owned()) } else { shown };
    let page = page_of(examiner, step, owner)?;
    let event = step.event_of(delta, kind, Subject::Appearance(ancestry.name.clone()));
    examiner.tell(Event {
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
    let changes = list::changes(before.elements(), after.elements());
    let direct = changes.added.iter().chain(&changes.removed).any(|element| element.as_reference().is_none());
    let is_other = !new.is_null() && !matches!(&*after, Object::Array(_));
    if direct || is_other || changes.has_repeats {
        let subject = Subject::Form("Fields".to_owned());
        examiner.tell(step.event_between((&before, &after), EventKind::Field, subject));
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

/// A field that came to a list, or that went.
fn listed(examiner: &mut Examiner, step: &Step, number: u32, came: bool) -> Result<(), Fault> {
    let state = if came { step.pair.new } else { step.pair.old };
    let body = examiner.document.view(state).object(number)?;
    match body.as_ref().and_then(|body| body.dictionary()) {
        Some(dictionary) => widget(examiner, step, (0, number), dictionary, (came, false)),
        None => {
            // what is missing today may be filled in tomorrow
            if came {
                let event = step.event(EventKind::Field, Subject::Form("Fields".to_owned()));
                examiner.tell(Event { object: Some(number), ..event });
            }
            Ok(())
        }
    }
}

/// A widget or a field that came, or that went, on a page or in a list.
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
        // told as a signature, unless it hides something
        match is_hidden {
            true => EventKind::VisibleSignature,
            false => return Ok(()),
        }
    } else if is_to_be_signed(examiner, step, own_field(step, number, &ancestry), widget)? {
        EventKind::SignatureField
    } else {
        EventKind::Field
    };
    let shown = Some(show::annotation(widget));
    let (before, after) = if came { (None, shown) } else { (shown, None) };
    examiner.tell(Event {
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

/// The field that a widget is all of, or the only kid of.
fn own_field(step: &Step, number: u32, ancestry: &Field) -> u32 {
    let [_, form] = &step.forms;
    match ancestry.line[..] {
        [_, parent] if form.field(number).is_some() && form.kids(parent).count() == 1 => parent,
        _ => number,
    }
}

/// Whether a new field is one to be signed, of which nothing is seen yet.
fn is_to_be_signed(examiner: &mut Examiner, step: &Step, number: u32, widget: &Dictionary) -> Result<bool, Fault> {
    Ok(!examiner.is_signed
        || !widget.has(b"V")
            && shape::signature_field(examiner, step, number)?.is_some()
            && shape::draws_nothing(examiner, step.pair.new, widget)?)
}

/// Stands for what is not to be shown.
const NOT_SHOWN: &str = "(not shown)";

fn tell(
    examiner: &mut Examiner,
    step: &Step,
    kind: EventKind,
    (number, ancestry): (u32, &Field),
    key: Option<&Name>,
    [before, after]: [Option<&Dictionary>; 2],
) -> Result<(), Fault> {
    let shown = |field: Option<&Dictionary>| match key {
        _ if ancestry.is_secret() => Some(NOT_SHOWN.to_owned()),
        Some(key) => field.and_then(|field| show::show(field.get(key.as_bytes()))),
        None => field.map(show::annotation),
    };
    let key_text = key.map(|key| String::from_utf8_lossy(key.as_bytes()).into_owned());
    let page = page_of(examiner, step, number)?;
    examiner.tell(Event {
        object: Some(number),
        page,
        before: shown(before),
        after: shown(after),
        field: Some(ancestry.name.clone()),
        ..step.event(kind, Subject::Field(ancestry.name.clone(), key_text))
    });
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
