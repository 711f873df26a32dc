//! Changes of the catalog and its values (ISO 32000-1, 7.7.2), pages and form excepted.

use super::{document_info, form, tagging};
use crate::integrity::event::{Event, EventKind, Subject};
use crate::integrity::revision::evidence_text;
use crate::integrity::revision::examiner::{Examiner, Step};
use crate::integrity::revision::object_change::ObjectChange;
use crate::integrity::revision::structure::role::Role;
use crate::integrity::revision::structure::schema::{EntryRelevance, catalog_key, is_view, row, tree};
use crate::integrity::revision::vocabulary::is_private;
use pdf_syntax::failure::Fault;
use pdf_syntax::syntax::dictionary::Dictionary;
use pdf_syntax::syntax::object::Object;

/// Words of a structure element in place of its content: replacement text, alternate description and expansion.
const REPLACEMENTS: [&[u8]; 3] = [b"ActualText", b"Alt", b"E"];

/// Compares the catalogs of two states.
pub(crate) fn changed(examiner: &mut Examiner, step: &Step) -> Result<(), Fault> {
    let [Some(old), Some(new)] = step.roots else { return Ok(()) };
    let before = examiner.document.view(step.pair.old).object(old.number)?;
    let after = examiner.document.view(step.pair.new).object(new.number)?;
    let before = before.as_ref().and_then(|body| body.dictionary());
    let after = after.as_ref().and_then(|body| body.dictionary());
    let (Some(before), Some(after)) = (before, after) else {
        examiner.is_complete = false;
        let event = step.event(EventKind::Ambiguous, Subject::Catalog("Root"));
        examiner.report(Event { object: Some(new.number), ..event });
        return Ok(());
    };
    for name in step.pair.differing(examiner.document, before, after)? {
        let key = name.as_bytes();
        if row(Role::Catalog, key, false) != EntryRelevance::Housekeeping {
            entry(examiner, step, key, before.get(key), after.get(key))?;
        }
    }
    Ok(())
}

fn entry(examiner: &mut Examiner, step: &Step, key: &[u8], old: &Object, new: &Object) -> Result<(), Fault> {
    let event = match key {
        // reported by the page tree
        b"Pages" => return Ok(()),
        b"AcroForm" => {
            let [before, after] = dictionaries(examiner, step, old, new)?;
            return form::entries(examiner, step, &before, &after);
        }
        b"Metadata" => return document_info::packets(examiner, step, old.as_reference(), new.as_reference()),
        b"Names" => {
            let [before, after] = dictionaries(examiner, step, old, new)?;
            return name_trees(examiner, step, &before, &after);
        }
        _ if is_private(key) => return Ok(()),
        // entries that a certification adds with itself (12.8.4)
        b"Perms" if step.signs() && old.is_null() => return Ok(()),
        b"DSS" => step.event(EventKind::Validation, Subject::ValidationData),
        b"StructTreeRoot" => {
            // a document may become tagged, but its tags may not be replaced
            let kind = if old.is_null() { tagging(step) } else { EventKind::View };
            step.event_between((old, new), kind, Subject::Tags)
        }
        b"OpenAction" => {
            let [before, after] = step.pair.resolve(examiner.document, old, new)?;
            let kind = if opens_view(&before) && opens_view(&after) { EventKind::View } else { EventKind::Document };
            step.event_between((&before, &after), kind, Subject::Catalog("OpenAction"))
        }
        b"Perms" => {
            let [before, after] = dictionaries(examiner, step, old, new)?;
            let kind = permissions_kind(examiner, step, &before, &after)?;
            step.event_between((old, new), kind, Subject::Catalog("Perms"))
        }
        key => {
            let key = catalog_key(key);
            step.event_between((old, new), kind(key), Subject::Catalog(key))
        }
    };
    examiner.report(event);
    Ok(())
}

fn dictionaries(examiner: &mut Examiner, step: &Step, old: &Object, new: &Object) -> Result<[Dictionary; 2], Fault> {
    let both = step.pair.resolve(examiner.document, old, new)?;
    Ok(both.map(|object| object.as_dictionary().cloned().unwrap_or_default()))
}

/// Compares the changed permissions dictionary (12.8.4).
pub(crate) fn permissions(examiner: &mut Examiner, step: &Step, change: &ObjectChange) -> Result<(), Fault> {
    let [old, new] = change.dictionaries().map(|permissions| permissions.unwrap_or(Dictionary::empty()));
    let kind = permissions_kind(examiner, step, old, new)?;
    examiner.report(step.event_of(change, kind, Subject::Catalog("Perms")));
    Ok(())
}

/// The kind of a change of permissions: usage rights are renewed and expire, a certification is a signature.
fn permissions_kind(
    examiner: &mut Examiner,
    step: &Step,
    old: &Dictionary,
    new: &Dictionary,
) -> Result<EventKind, Fault> {
    let differing = step.pair.differing(examiner.document, old, new)?;
    let is_lost = differing.iter().any(|key| old.has(key.as_bytes()) && !matches!(key.as_bytes(), b"UR" | b"UR3"));
    Ok(if is_lost { EventKind::Unsigned } else { EventKind::View })
}

/// Compares the changed dictionary of name trees (7.7.4).
pub(crate) fn names(examiner: &mut Examiner, step: &Step, change: &ObjectChange) -> Result<(), Fault> {
    let [old, new] = change.dictionaries().map(|names| names.unwrap_or(Dictionary::empty()));
    name_trees(examiner, step, old, new)
}

fn name_trees(examiner: &mut Examiner, step: &Step, old: &Dictionary, new: &Dictionary) -> Result<(), Fault> {
    for name in step.pair.differing(examiner.document, old, new)? {
        let key = tree(name.as_bytes());
        let states = (old.get(name.as_bytes()), new.get(name.as_bytes()));
        examiner.report(step.event_between(states, kind(key), Subject::Catalog(key)));
    }
    Ok(())
}

/// Reports a value in the catalog that was changed, deleted or added where it was missing.
pub(crate) fn value(
    examiner: &mut Examiner,
    step: &Step,
    key: &'static str,
    change: &ObjectChange,
) -> Result<(), Fault> {
    let differing = examiner.differing(step, Role::Document(key), &change.old, &change.new)?;
    let are_dictionaries = change.dictionaries().iter().all(Option::is_some);
    let is_folded = key == "Outlines" && are_dictionaries && differing.iter().all(|name| name.as_bytes() == b"Count");
    if are_dictionaries && change.old.body().is_none_or(|old| old.stream.is_none()) && differing.is_empty() {
        return Ok(());
    }
    let [old, new] = change.objects();
    let opens_view = key == "OpenAction" && opens_view(old) && opens_view(new);
    // collapsing bookmarks does not change them (12.3.3)
    let kind = if opens_view || is_folded { EventKind::View } else { kind(key) };
    let event = step.event_between((old, new), kind, Subject::Catalog(key));
    examiner.report(Event { object: Some(change.number), ..event });
    Ok(())
}

/// Reports an extended document security store (ISO 32000-2, 12.8.4.3).
pub(crate) fn validation(examiner: &mut Examiner, step: &Step, change: &ObjectChange) {
    let is_told =
        examiner.events.iter().any(|event| event.revision == step.revision && event.kind == EventKind::Validation);
    if !is_told {
        let event = step.event(EventKind::Validation, Subject::ValidationData);
        examiner.report(Event { object: Some(change.number), ..event });
    }
}

/// Reports changed tags: neutral, as they are invisible, unless screen readers would read a different text.
pub(crate) fn tags(examiner: &mut Examiner, step: &Step, change: &ObjectChange) -> Result<(), Fault> {
    if examiner.is_signed
        && let Some((before, after)) = changed_words(change)
    {
        let event = step.event(EventKind::Document, Subject::Tags);
        examiner.report(Event { object: Some(change.number), before, after, ..event });
        return Ok(());
    }
    let kind = if is_plain_tagging(examiner, step, change)? { tagging(step) } else { EventKind::Tagging };
    examiner.report(Event { object: Some(change.number), ..step.event(kind, Subject::Tags) });
    Ok(())
}

/// The words of a structure element (14.9.3 to 14.9.5), which screen readers read aloud in place of signed content, before
/// and after, if they became other ones.
pub(crate) fn changed_words(change: &ObjectChange) -> Option<(Option<String>, Option<String>)> {
    let [old, new] = change.dictionaries().map(|element| element.unwrap_or(Dictionary::empty()));
    if change.old.is_absent() && !marks_page_content(new.get(b"K")) {
        return None;
    }
    let mut both = REPLACEMENTS.iter().map(|key| (old.get(key), new.get(key)));
    let words = |value: &Object| evidence_text::text(value).filter(|words| !words.trim().is_empty());
    let (before, after) =
        both.find(|(before, after)| words(after).is_some_and(|after| words(before).as_ref() != Some(&after)))?;
    Some((evidence_text::value(before), evidence_text::value(after)))
}

/// Whether the children of a structure element are marked content of its page (14.7.5.1.1), not of another stream.
fn marks_page_content(kids: &Object) -> bool {
    let is_marked = |kid: &Object| match kid {
        Object::Integer(_) => true,
        Object::Dictionary(reference) => reference.has(b"MCID") && !reference.has(b"Stm"),
        _ => false,
    };
    is_marked(kids) || kids.elements().iter().any(is_marked)
}

/// Whether an element only gets additional children, or a new one only names its parent (14.7.2, table 323).
fn is_plain_tagging(examiner: &mut Examiner, step: &Step, change: &ObjectChange) -> Result<bool, Fault> {
    let [old, new] = change.dictionaries();
    let Some(new) = new else { return Ok(!change.new.is_absent()) };
    let own = |key: &[u8]| matches!(key, b"Type" | b"S" | b"P" | b"Pg" | b"K" | b"ID");
    let more = |key: &[u8]| matches!(key, b"K" | b"ParentTree" | b"ParentTreeNextKey" | b"Nums" | b"Kids" | b"Limits");
    let Some(old) = old else {
        return Ok(new.iter().all(|(key, _)| own(key.as_bytes()) || more(key.as_bytes())));
    };
    Ok(step.pair.differing(examiner.document, old, new)?.iter().all(|key| more(key.as_bytes())))
}

fn kind(key: &str) -> EventKind {
    if is_view(key) { EventKind::View } else { EventKind::Document }
}

/// Whether it only sets the initial view: a destination, or an action that goes to one (12.3.2, 12.6.4.2), or nothing.
fn opens_view(action: &Object) -> bool {
    match action {
        Object::Null | Object::Array(_) | Object::String(_) | Object::Name(_) => true,
        Object::Dictionary(action) => {
            !action.has(b"Next") && (action.get(b"S").is_name(b"GoTo") || (action.has(b"D") && !action.has(b"S")))
        }
        _ => false,
    }
}
