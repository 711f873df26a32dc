//! Changes of annotations (ISO 32000-1, 12.5) other than widgets.

use super::field_list;
use super::resource_names::only_gained_names;
use crate::integrity::event::{Event, EventKind, Subject};
use crate::integrity::revision::annotation_overlap;
use crate::integrity::revision::evidence_text;
use crate::integrity::revision::examiner::{Examiner, Step};
use crate::integrity::revision::list_changes::{self, ListChanges};
use crate::integrity::revision::object_change::ObjectChange;
use crate::integrity::revision::signature_field_template::drawn;
use crate::integrity::revision::structure::role::Role;
use crate::integrity::revision::vocabulary::{is_note, is_private};
use pdf_content::Run;
use pdf_syntax::document::objects::Body;
use pdf_syntax::failure::Fault;
use pdf_syntax::syntax::dictionary::Dictionary;
use pdf_syntax::syntax::object::Object;

/// Entries with a target or an action (12.5.6.5, 12.6.3).
const ACTIONS: [&[u8]; 6] = [b"A", b"AA", b"PA", b"Dest", b"FS", b"URI"];
/// Entries with an appearance or words.
const SHOWN: [&[u8]; 3] = [b"AP", b"Contents", b"RC"];

/// Compares a changed array of annotations.
pub(crate) fn list(examiner: &mut Examiner, step: &Step, change: &ObjectChange, owner: u32) -> Result<(), Fault> {
    let [old, new] = change.objects();
    lists(examiner, step, owner, old, new)
}

/// Compares the annotations of a page.
pub(crate) fn lists(examiner: &mut Examiner, step: &Step, owner: u32, old: &Object, new: &Object) -> Result<(), Fault> {
    if step.is_gone(owner) {
        return Ok(());
    }
    let [before, after] = step.pair.resolve(examiner.document, old, new)?;
    if !matches!(&*after, Object::Null | Object::Array(_)) && *before != *after {
        // readers interpret it differently
        let event = step.event_between((old, new), EventKind::Content, Subject::PageEntry("Annots".to_owned()));
        examiner.report(Event { page: step.page_number(owner), is_hidden: true, ..event });
        return Ok(());
    }
    let (before, after) = (before.elements(), after.elements());
    let (changes, _) = list_changes(examiner, step, before, after)?;
    for added in &changes.added {
        came(examiner, step, owner, added, true)?;
    }
    for removed in &changes.removed {
        came(examiner, step, owner, removed, false)?;
    }
    // later annotations are painted above
    if changes.is_reordered || changes.has_repeats {
        let lists = (&Object::Array(before.to_vec()), &Object::Array(after.to_vec()));
        let event = step.event_between(lists, EventKind::Annotation, Subject::PageEntry("Annots".to_owned()));
        examiner.report(Event { page: step.page_number(owner), is_hidden: true, ..event });
    }
    Ok(())
}

/// The difference of two lists of annotations, and those that were written again with the same values where one of both
/// stands directly in its list. Fields are known by their numbers.
pub(crate) fn list_changes<'l>(
    examiner: &mut Examiner,
    step: &Step,
    before: &'l [Object],
    after: &'l [Object],
) -> Result<(ListChanges<'l>, Vec<&'l Object>), Fault> {
    list_changes::changes_by(before, after, |was, is| {
        let [old, new] = step.pair.resolve(examiner.document, was, is)?;
        let is_other = |annotation: &Object| {
            annotation.as_dictionary().is_some_and(|it| !it.get(b"Subtype").is_name(b"Widget") && !it.has(b"FT"))
        };
        Ok(is_other(&old) && is_other(&new) && step.pair.is_same_to_all(examiner.document, was, is)?)
    })
}

/// Reports an added or removed annotation.
fn came(examiner: &mut Examiner, step: &Step, owner: u32, annotation: &Object, came: bool) -> Result<(), Fault> {
    let number = annotation.as_reference().map(|id| id.number);
    let state = if came { step.pair.new } else { step.pair.old };
    let value = examiner.document.view(state).resolve(annotation)?;
    let Object::Dictionary(dictionary) = &*value else {
        // an object missing now may be added later
        if came {
            let event = step.event(EventKind::Annotation, Subject::PageEntry("Annots".to_owned()));
            let (page, after) = (step.page_number(owner), evidence_text::value(annotation));
            examiner.report(Event { object: number, page, after, ..event });
        }
        return Ok(());
    };
    let is_hidden = came && annotation_overlap::hides_text(examiner, step, owner, (number, dictionary))?;
    if dictionary.get(b"Subtype").is_name(b"Widget") {
        return field_list::widget(examiner, step, (owner, number.unwrap_or(0)), dictionary, (came, is_hidden));
    }
    if !came {
        annotation_overlap::note_reveals(examiner, step, (owner, number), (dictionary, None))?;
    }
    let shown = Some(evidence_text::annotation(dictionary));
    let (before, after) = if came { (None, shown) } else { (shown, None) };
    let acts = came && examiner.is_signed && acts(examiner, step, dictionary)?;
    let kind = match acts {
        true => EventKind::Document,
        false if !examiner.is_signed && is_unseen(dictionary) => EventKind::View,
        false => EventKind::Annotation,
    };
    let event = step.event(kind, subject(dictionary));
    examiner.report(Event { object: number, page: step.page_number(owner), before, after, is_hidden, ..event });
    Ok(())
}

/// Whether an annotation has a target or an action (12.5.6), or shows words but is no note.
fn acts(examiner: &mut Examiner, step: &Step, annotation: &Dictionary) -> Result<bool, Fault> {
    if ACTIONS.iter().any(|key| annotation.has(key)) {
        return Ok(true);
    }
    let is_note = is_note(annotation.get(b"Subtype").as_name().unwrap_or_default());
    Ok(!is_note && drawn(examiner, step.pair.new, annotation)?.runs.iter().any(Run::is_painted))
}

/// Whether an annotation is of a private kind, which viewers do not draw by themselves, and has nothing that is shown or
/// used.
fn is_unseen(annotation: &Dictionary) -> bool {
    let mut used = ACTIONS.iter().chain(&SHOWN);
    annotation.get(b"Subtype").as_name().is_some_and(is_private) && !used.any(|key| annotation.has(key))
}

fn subject(annotation: &Dictionary) -> Subject {
    Subject::Annotation(evidence_text::text(annotation.get(b"Subtype")))
}

/// Reports an annotation, or part of one, that was changed, deleted or added where it was missing.
pub(crate) fn changed(
    examiner: &mut Examiner,
    step: &Step,
    change: &ObjectChange,
    (role, owner): (Role, u32),
) -> Result<(), Fault> {
    if step.is_gone(owner) {
        return Ok(());
    }
    if !examiner.matters(step, role, &change.old, &change.new)? {
        return Ok(());
    }
    let [was, is] = change.dictionaries();
    let page = step.page_number(examiner.map.page(owner).unwrap_or(owner));
    if role == Role::AppearanceResource && only_gained_names(examiner, step, change, page)? {
        return Ok(());
    }
    let acts = examiner.is_signed
        && match role {
            Role::Annotation => {
                let changed = examiner.differing(step, role, &change.old, &change.new)?;
                changed.iter().any(|key| ACTIONS.contains(&key.as_bytes()))
            }
            // an action or its target
            _ => [was, is].into_iter().flatten().any(|part| part.has(b"S") && !part.has(b"Rect") && !part.has(b"W")),
        };
    let is_unseen = !examiner.is_signed
        && role == Role::Annotation
        && [was, is].iter().all(|annotation| annotation.is_some_and(is_unseen));
    let kind = match acts {
        true => EventKind::Document,
        false if is_unseen => EventKind::View,
        false => EventKind::Annotation,
    };
    let is_hidden = match is.filter(|_| role == Role::Annotation) {
        Some(annotation) => {
            let page = examiner.map.page(change.number).unwrap_or(owner);
            if let Some(was) = was {
                let number = Some(change.number);
                annotation_overlap::note_reveals(examiner, step, (page, number), (was, Some(annotation)))?;
            }
            annotation_overlap::hides_text(examiner, step, page, (Some(change.number), annotation))?
        }
        None => false,
    };
    examiner.report(Event {
        object: Some(change.number),
        page: step.page_number(owner),
        before: change.old.body().and_then(shown),
        after: change.new.body().and_then(shown),
        is_hidden,
        ..step.event(kind, was.or(is).map_or(Subject::Annotation(None), subject))
    });
    Ok(())
}

fn shown(body: &Body) -> Option<String> {
    match body.dictionary() {
        Some(dictionary) if dictionary.has(b"Subtype") && body.stream.is_none() => {
            Some(evidence_text::annotation(dictionary))
        }
        _ => evidence_text::body(Some(body)),
    }
}
