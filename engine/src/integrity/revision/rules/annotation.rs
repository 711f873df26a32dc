//! What a revision did to annotations (ISO 32000-1, 12.5), form fields apart.

use super::field;
use crate::document::objects::Body;
use crate::failure::Fault;
use crate::integrity::event::{Event, EventKind, Subject};
use crate::integrity::revision::cover;
use crate::integrity::revision::delta::Delta;
use crate::integrity::revision::examiner::{Examiner, Step};
use crate::integrity::revision::list;
use crate::integrity::revision::show;
use crate::integrity::revision::structure::role::Role;
use crate::integrity::revision::vocabulary::is_note;
use crate::syntax::dictionary::Dictionary;
use crate::syntax::object::Object;

/// Entries by which an annotation leads somewhere or does something (12.5.6.5, 12.6.3).
const ACTIONS: [&[u8]; 6] = [b"A", b"AA", b"PA", b"Dest", b"FS", b"URI"];

/// An array of annotations was written anew.
pub(crate) fn list(examiner: &mut Examiner, step: &Step, delta: &Delta, owner: u32) -> Result<(), Fault> {
    let [old, new] = delta.objects();
    lists(examiner, step, owner, old, new)
}

/// Compares the annotations of a page.
pub(crate) fn lists(examiner: &mut Examiner, step: &Step, owner: u32, old: &Object, new: &Object) -> Result<(), Fault> {
    if step.is_gone(owner) {
        return Ok(());
    }
    let [before, after] = step.pair.resolve(examiner.document, old, new)?;
    if !matches!(&*after, Object::Null | Object::Array(_)) && *before != *after {
        // readers differ in what they make of it
        let event = step.event_between((old, new), EventKind::Content, Subject::PageEntry("Annots".to_owned()));
        examiner.tell(Event { page: step.page_number(owner), is_hidden: true, ..event });
        return Ok(());
    }
    let (before, after) = (before.elements(), after.elements());
    let changes = list::changes(before, after);
    for added in &changes.added {
        came(examiner, step, owner, added, true)?;
    }
    for removed in &changes.removed {
        came(examiner, step, owner, removed, false)?;
    }
    // what is drawn later lies above
    if changes.is_reordered || changes.has_repeats {
        let lists = (&Object::Array(before.to_vec()), &Object::Array(after.to_vec()));
        let event = step.event_between(lists, EventKind::Annotation, Subject::PageEntry("Annots".to_owned()));
        examiner.tell(Event { page: step.page_number(owner), is_hidden: true, ..event });
    }
    Ok(())
}

/// An annotation that came, or that went.
fn came(examiner: &mut Examiner, step: &Step, owner: u32, annotation: &Object, came: bool) -> Result<(), Fault> {
    let number = annotation.as_reference().map(|id| id.number);
    let state = if came { step.pair.new } else { step.pair.old };
    let value = examiner.document.view(state).resolve(annotation)?;
    let Object::Dictionary(dictionary) = &*value else {
        // what is missing today may be filled in tomorrow
        if came {
            let event = step.event(EventKind::Annotation, Subject::PageEntry("Annots".to_owned()));
            let (page, after) = (step.page_number(owner), show::show(annotation));
            examiner.tell(Event { object: number, page, after, ..event });
        }
        return Ok(());
    };
    let is_hidden = came && cover::hides_text(examiner, step, owner, dictionary)?;
    if dictionary.get(b"Subtype").is_name(b"Widget") {
        return field::widget(examiner, step, (owner, number.unwrap_or(0)), dictionary, (came, is_hidden));
    }
    let shown = Some(show::annotation(dictionary));
    let (before, after) = if came { (None, shown) } else { (shown, None) };
    let acts = came && examiner.is_signed && acts(dictionary);
    let kind = if acts { EventKind::Document } else { EventKind::Annotation };
    let event = step.event(kind, subject(dictionary));
    examiner.tell(Event { object: number, page: step.page_number(owner), before, after, is_hidden, ..event });
    Ok(())
}

/// Whether an annotation leads somewhere or does something, or is more than a note on what the page says (12.5.6).
fn acts(annotation: &Dictionary) -> bool {
    ACTIONS.iter().any(|key| annotation.has(key)) || !is_note(annotation.get(b"Subtype").as_name().unwrap_or_default())
}

fn subject(annotation: &Dictionary) -> Subject {
    Subject::Annotation(show::text(annotation.get(b"Subtype")))
}

/// An annotation, or part of one, was written anew, deleted, or is there where one was missing.
pub(crate) fn changed(
    examiner: &mut Examiner,
    step: &Step,
    delta: &Delta,
    (role, owner): (Role, u32),
) -> Result<(), Fault> {
    if step.is_gone(owner) {
        return Ok(());
    }
    if !examiner.matters(step, role, &delta.old, &delta.new)? {
        return Ok(());
    }
    let [was, is] = delta.dictionaries();
    let acts = examiner.is_signed
        && match role {
            Role::Annotation => {
                let changed = examiner.differing(step, role, &delta.old, &delta.new)?;
                changed.iter().any(|key| ACTIONS.contains(&key.as_bytes()))
            }
            // an action, or where one leads
            _ => [was, is].into_iter().flatten().any(|part| part.has(b"S") && !part.has(b"Rect") && !part.has(b"W")),
        };
    let kind = if acts { EventKind::Document } else { EventKind::Annotation };
    let is_hidden = match is.filter(|_| role == Role::Annotation) {
        Some(annotation) => {
            let page = examiner.map.page(delta.number).unwrap_or(owner);
            cover::hides_text(examiner, step, page, annotation)?
        }
        None => false,
    };
    examiner.tell(Event {
        object: Some(delta.number),
        page: step.page_number(owner),
        before: delta.old.body().and_then(shown),
        after: delta.new.body().and_then(shown),
        is_hidden,
        ..step.event(kind, was.or(is).map_or(Subject::Annotation(None), subject))
    });
    Ok(())
}

fn shown(body: &Body) -> Option<String> {
    match body.dictionary() {
        Some(dictionary) if dictionary.has(b"Subtype") && body.stream.is_none() => Some(show::annotation(dictionary)),
        _ => show::body(Some(body)),
    }
}
