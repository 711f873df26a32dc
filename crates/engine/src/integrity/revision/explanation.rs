//! Explains a changed object at every place that references it, by the rule of that place.

use super::examiner::{Examiner, Step};
use super::indeterminate::{read_differently, unreadable};
use super::object_change::ObjectChange;
use super::rules::{annotation, catalog, document_info, field, form, page, page_resource, signature, xfa};
use super::structure::graph::Use;
use super::structure::role::{Role, guess};
use super::structure::schema::edges;
use crate::integrity::event::{EventKind, Subject};
use pdf_syntax::failure::Fault;
use pdf_syntax::syntax::object::Object;

/// Maximum new structure elements between one and the signed structure tree.
const MAX_TAG_DEPTH: usize = 32;

/// Explains an object at every place that references it.
pub(super) fn explain(
    examiner: &mut Examiner,
    step: &Step,
    change: &ObjectChange,
    mut places: Vec<Use>,
) -> Result<(), Fault> {
    if places.is_empty() && examiner.map.is_truncated {
        // an unexamined object may reference it
        let guessed = change.body().and_then(guess);
        examiner.is_complete = false;
        places.extend(guessed.map(|role| Use { role, owner: 0, parent: 0 }));
    }
    examiner.is_complete &= !(examiner.is_signed && examiner.map.is_truncated);
    if places.is_empty() {
        let is_tag = change.body().and_then(guess) == Some(Role::Structure);
        if is_tag || examiner.is_signed && is_tagged(examiner, step, change)? {
            catalog::tags(examiner, step, change)?;
        }
        let is_info = step.info.is_some_and(|info| info.number == change.number);
        return if is_info { report_unexplained(examiner, step, change) } else { Ok(()) };
    }
    if change.new.is_absent() && !is_referred_to(examiner, step, change.number)? {
        return Ok(());
    }
    let reported = examiner.events.len();
    if !change.old.is_unreadable() && !change.new.is_unreadable() {
        for place in places {
            rule(examiner, step, change, place)?;
        }
    }
    // a rule's result may be wrong in other readers
    examiner.is_complete &= !(examiner.is_signed && change.is_ambiguous);
    if examiner.events.len() == reported {
        report_unexplained(examiner, step, change)?;
    }
    Ok(())
}

/// Whether an object is part of the structure tree: an existing one, or a new element with words of its own.
fn is_tagged(examiner: &mut Examiner, step: &Step, change: &ObjectChange) -> Result<bool, Fault> {
    let is_new = change.old.is_absent();
    if change.is_wrapping() || is_new && catalog::changed_words(change).is_none() {
        return Ok(false);
    }
    examiner.map.follow_tags(examiner.document, step.pair.old)?;
    if is_new { is_listed_tag(examiner, step, change.number) } else { Ok(examiner.map.is(change.number, Role::Tag)) }
}

/// Whether its parents list a new structure element, up to one that is known (14.7.2).
fn is_listed_tag(examiner: &mut Examiner, step: &Step, mut element: u32) -> Result<bool, Fault> {
    for _ in 0..MAX_TAG_DEPTH {
        let view = &mut examiner.document.view(step.pair.new);
        let parent = view.object(element)?.and_then(|body| body.dictionary()?.get(b"P").as_reference());
        let Some(parent) = parent else { break };
        let kids = view.object(parent.number)?.and_then(|body| Some(body.dictionary()?.get(b"K").clone()));
        let kids = kids.unwrap_or_default();
        let is_kid = |kid: &Object| kid.as_reference().is_some_and(|id| id.number == element);
        if !is_kid(&kids) && !view.resolve(&kids)?.elements().iter().any(is_kid) {
            break;
        }
        element = parent.number;
        if [Role::Tag, Role::Structure].iter().any(|role| examiner.map.is(element, *role)) {
            return Ok(true);
        }
    }
    Ok(false)
}

/// Whether anything still references a deleted object.
fn is_referred_to(examiner: &mut Examiner, step: &Step, number: u32) -> Result<bool, Fault> {
    let referrers: Vec<u32> = examiner.map.referrers(number).collect();
    for referrer in referrers {
        if referrer == 0 {
            return Ok(true);
        }
        let Some(body) = examiner.document.view(step.pair.new).object(referrer)? else { continue };
        for place in examiner.map.places(referrer) {
            let edges = edges(place.role, &body.object, body.stream.is_some());
            if edges.iter().any(|(below, _)| *below == number) {
                return Ok(true);
            }
        }
    }
    Ok(false)
}

/// Applies the rule of a place.
fn rule(examiner: &mut Examiner, step: &Step, change: &ObjectChange, place: Use) -> Result<(), Fault> {
    let Use { role, owner, .. } = place;
    // the type of a missing object is known only now
    let [old, new] = change.dictionaries();
    let role = if old.is_none() { role.refined(new) } else { role };
    match role {
        Role::Catalog | Role::Appearances | Role::Information | Role::Extensions | Role::Navigation | Role::Other => {
            Ok(())
        }
        Role::Node => page::node(examiner, step, change),
        Role::Page => page::changed(examiner, step, change),
        Role::PageResource => page_resource::changed(examiner, step, change, owner),
        Role::Annotations => annotation::list(examiner, step, change, owner),
        Role::Annotation | Role::Attached | Role::AppearanceResource => {
            annotation::changed(examiner, step, change, (role, owner))
        }
        Role::Form => form::changed(examiner, step, change),
        Role::FormResources | Role::ResourceNames => form::resources(examiner, step, change, role),
        Role::FormPart => form::part(examiner, step, change),
        Role::Xfa => xfa::changed(examiner, step, change),
        Role::Field => field::changed(examiner, step, change, owner),
        Role::FieldValue | Role::Appearance | Role::FieldPart => field::part(examiner, step, change, (role, owner)),
        Role::Permissions => catalog::permissions(examiner, step, change),
        Role::Signature => {
            signature::value(examiner, step, change);
            Ok(())
        }
        Role::Names => catalog::names(examiner, step, change),
        Role::Metadata => document_info::metadata(examiner, step, change),
        Role::Document(key) => catalog::value(examiner, step, key, change),
        Role::Validation => {
            catalog::validation(examiner, step, change);
            Ok(())
        }
        Role::Structure | Role::Tag => catalog::tags(examiner, step, change),
    }
}

/// Reports a changed object that no rule explains: one that is unreadable or reader-dependent.
fn report_unexplained(examiner: &mut Examiner, step: &Step, change: &ObjectChange) -> Result<(), Fault> {
    let is_strict = match (change.old.body(), change.new.body()) {
        (Some(old), Some(new)) => step.pair.are_strict(examiner.document, old, new)?,
        _ => !change.old.is_unreadable() && !change.new.is_unreadable(),
    };
    if is_strict && !change.is_ambiguous {
        return Ok(());
    }
    examiner.is_complete = false;
    let what = match change.old.is_unreadable() || change.new.is_unreadable() {
        true => unreadable(change.number),
        false => read_differently(change.number),
    };
    examiner.report(step.event_of(change, EventKind::Ambiguous, Subject::Inconclusive(what)));
    Ok(())
}
