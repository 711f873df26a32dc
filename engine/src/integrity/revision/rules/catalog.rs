//! What a revision did to the catalog and what it leads to (ISO 32000-1, 7.7.2), pages and form apart.

use super::{document_info, form, tagging};
use crate::document::objects::Stored;
use crate::failure::Fault;
use crate::integrity::event::{EventKind, Subject};
use crate::integrity::revision::delta::Delta;
use crate::integrity::revision::examiner::{Details, Examiner, Step};
use crate::integrity::revision::show::show;
use crate::integrity::revision::structure::role::Role;
use crate::integrity::revision::structure::schema::{KeyUse, catalog_key, is_view, row, tree};
use crate::syntax::dictionary::Dictionary;
use crate::syntax::object::Object;

/// Compares the catalogs of two states.
pub(crate) fn changed(examiner: &mut Examiner, step: &Step) -> Result<(), Fault> {
    let [Some(old), Some(new)] = step.roots else { return Ok(()) };
    let before = examiner.document.view(step.pair.old).object(old.number)?;
    let after = examiner.document.view(step.pair.new).object(new.number)?;
    let before = before.as_ref().and_then(|body| body.dictionary());
    let after = after.as_ref().and_then(|body| body.dictionary());
    let (Some(before), Some(after)) = (before, after) else {
        let details = Details { object: Some(new.number), ..Details::default() };
        examiner.is_whole = false;
        examiner.tell(step, EventKind::Ambiguous, Subject::Catalog("Root"), details);
        return Ok(());
    };
    for name in step.pair.differing(examiner.document, before, after)? {
        let key = name.as_bytes();
        if row(Role::Catalog, key, false) != KeyUse::Housekeeping {
            entry(examiner, step, key, before.get(key), after.get(key))?;
        }
    }
    Ok(())
}

fn entry(examiner: &mut Examiner, step: &Step, key: &[u8], old: &Object, new: &Object) -> Result<(), Fault> {
    match key {
        // told by the tree
        b"Pages" => Ok(()),
        b"AcroForm" => {
            let [before, after] = dictionaries(examiner, step, old, new)?;
            form::entries(examiner, step, &before, &after)
        }
        b"Metadata" => document_info::packets(examiner, step, old.as_reference(), new.as_reference()),
        b"DSS" => {
            examiner.tell(step, EventKind::Validation, Subject::ValidationData, Details::default());
            Ok(())
        }
        b"Names" => {
            let [before, after] = dictionaries(examiner, step, old, new)?;
            name_trees(examiner, step, &before, &after)
        }
        b"StructTreeRoot" => {
            // a document may come to be tagged, but not otherwise than it was
            let kind = if old.is_null() { tagging(step) } else { EventKind::View };
            tell(examiner, step, kind, Subject::Tags, None, (old, new));
            Ok(())
        }
        // what a certification writes along with itself (12.8.4)
        b"Perms" if step.signs() && old.is_null() => Ok(()),
        b"OpenAction" => {
            let before = examiner.document.view(step.pair.old).resolve(old)?;
            let after = examiner.document.view(step.pair.new).resolve(new)?;
            let kind = if opens_view(&before) && opens_view(&after) { EventKind::View } else { EventKind::Document };
            tell(examiner, step, kind, Subject::Catalog("OpenAction"), None, (&before, &after));
            Ok(())
        }
        b"Perms" => {
            let kind = if old.is_null() { EventKind::View } else { EventKind::Unsigned };
            tell(examiner, step, kind, Subject::Catalog("Perms"), None, (old, new));
            Ok(())
        }
        key => {
            let key = catalog_key(key);
            tell(examiner, step, kind(key), Subject::Catalog(key), None, (old, new));
            Ok(())
        }
    }
}

fn dictionaries(examiner: &mut Examiner, step: &Step, old: &Object, new: &Object) -> Result<[Dictionary; 2], Fault> {
    let before = examiner.document.view(step.pair.old).resolve(old)?;
    let after = examiner.document.view(step.pair.new).resolve(new)?;
    Ok([before, after].map(|object| object.as_dictionary().cloned().unwrap_or_default()))
}

/// The catalog's dictionary of name trees was written anew (7.7.4).
pub(crate) fn names(examiner: &mut Examiner, step: &Step, delta: &Delta) -> Result<(), Fault> {
    let dictionary = |stored: &Stored| stored.body().and_then(|body| body.dictionary().cloned()).unwrap_or_default();
    name_trees(examiner, step, &dictionary(&delta.old), &dictionary(&delta.new))
}

fn name_trees(examiner: &mut Examiner, step: &Step, old: &Dictionary, new: &Dictionary) -> Result<(), Fault> {
    for name in step.pair.differing(examiner.document, old, new)? {
        let key = tree(name.as_bytes());
        let states = (old.get(name.as_bytes()), new.get(name.as_bytes()));
        tell(examiner, step, kind(key), Subject::Catalog(key), None, states);
    }
    Ok(())
}

/// Part of what the catalog leads to was written anew, deleted, or is there where something was missing.
pub(crate) fn value(examiner: &mut Examiner, step: &Step, key: &'static str, delta: &Delta) -> Result<(), Fault> {
    let differing = examiner.differing(step, Role::Document(key), &delta.old, &delta.new)?;
    let is_folded = key == "Outlines" && differing.iter().all(|name| name.as_bytes() == b"Count");
    if delta.old.body().is_some_and(|old| old.dictionary().is_some() && old.stream.is_none())
        && delta.new.body().is_some_and(|new| new.dictionary().is_some())
        && differing.is_empty()
    {
        return Ok(());
    }
    let null = Object::Null;
    let old = delta.old.body().map_or(&null, |old| &old.object);
    let new = delta.new.body().map_or(&null, |new| &new.object);
    let opens_view = key == "OpenAction" && opens_view(old) && opens_view(new);
    // which bookmarks are unfolded is no change of them (12.3.3)
    let kind = if opens_view || is_folded { EventKind::View } else { kind(key) };
    tell(examiner, step, kind, Subject::Catalog(key), Some(delta.number), (old, new));
    Ok(())
}

/// What validates signatures was added to (ISO 32000-2, 12.8.4.3).
pub(crate) fn validation(examiner: &mut Examiner, step: &Step, delta: &Delta) {
    let details = Details { object: Some(delta.number), ..Details::default() };
    let is_told =
        examiner.events.iter().any(|event| event.revision == step.revision && event.kind == EventKind::Validation);
    if !is_told {
        examiner.tell(step, EventKind::Validation, Subject::ValidationData, details);
    }
}

/// How the document is tagged was changed: a neutral fact, for nothing is seen through it, unless it tells those who listen
/// something else.
pub(crate) fn tags(examiner: &mut Examiner, step: &Step, delta: &Delta) -> Result<(), Fault> {
    let kind = if is_plain_tagging(examiner, step, delta)? { tagging(step) } else { EventKind::Tagging };
    let details = Details { object: Some(delta.number), ..Details::default() };
    examiner.tell(step, kind, Subject::Tags, details);
    Ok(())
}

/// Whether an element only comes to have more below it, or a new one says nothing but where it belongs (14.7.2, table 323).
fn is_plain_tagging(examiner: &mut Examiner, step: &Step, delta: &Delta) -> Result<bool, Fault> {
    let Some(new) = delta.new.body().and_then(|new| new.dictionary()) else { return Ok(!delta.new.is_absent()) };
    let own = |key: &[u8]| matches!(key, b"Type" | b"S" | b"P" | b"Pg" | b"K" | b"ID");
    let more = |key: &[u8]| matches!(key, b"K" | b"ParentTree" | b"ParentTreeNextKey" | b"Nums" | b"Kids" | b"Limits");
    let Some(old) = delta.old.body().and_then(|old| old.dictionary()) else {
        return Ok(new.iter().all(|(key, _)| own(key.as_bytes()) || more(key.as_bytes())));
    };
    Ok(step.pair.differing(examiner.document, old, new)?.iter().all(|key| more(key.as_bytes())))
}

fn tell(
    examiner: &mut Examiner,
    step: &Step,
    kind: EventKind,
    subject: Subject,
    object: Option<u32>,
    (old, new): (&Object, &Object),
) {
    let details = Details { object, before: show(old), after: show(new), ..Details::default() };
    examiner.tell(step, kind, subject, details);
}

fn kind(key: &str) -> EventKind {
    if is_view(key) { EventKind::View } else { EventKind::Document }
}

/// Whether it only says which page is shown first, or nothing: a destination, or an action that goes to one (12.3.2, 12.6.4.2).
fn opens_view(action: &Object) -> bool {
    match action {
        Object::Null | Object::Array(_) | Object::String(_) | Object::Name(_) => true,
        Object::Dictionary(action) => {
            !action.has(b"Next") && (action.get(b"S").is_name(b"GoTo") || (action.has(b"D") && !action.has(b"S")))
        }
        _ => false,
    }
}
