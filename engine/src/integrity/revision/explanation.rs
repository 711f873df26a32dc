//! Explains an object that a revision touched, at every place that led to it, by the rule of that place.

use super::delta::Delta;
use super::examiner::{Examiner, Step};
use super::rules::{annotation, catalog, document_info, drawn, field, form, page, signature};
use super::structure::role::{Role, guess};
use super::structure::schema::edges;
use super::structure::walk::MapPlace;
use crate::failure::Fault;
use crate::integrity::event::{Event, EventKind, Subject};

/// Explains an object at every place that led to it.
pub(super) fn explain(
    examiner: &mut Examiner,
    step: &Step,
    delta: &Delta,
    mut places: Vec<MapPlace>,
) -> Result<(), Fault> {
    if places.is_empty() && examiner.map.is_cut {
        // something may lead to it that was not looked at
        let guessed = delta.body().and_then(guess);
        examiner.is_whole = false;
        places.extend(guessed.map(|role| MapPlace { role, owner: 0 }));
    }
    examiner.is_whole &= !(examiner.is_signed && examiner.map.is_cut);
    if places.is_empty() {
        let is_tag = delta.body().and_then(guess) == Some(Role::Structure);
        if is_tag || examiner.is_signed && is_tagged(examiner, step, delta)? {
            catalog::tags(examiner, step, delta)?;
        }
        let is_info = step.info.is_some_and(|info| info.number == delta.number);
        return if is_info { doubt(examiner, step, delta) } else { Ok(()) };
    }
    if delta.new.is_absent() && !is_referred_to(examiner, step, delta.number)? {
        return Ok(());
    }
    let told = examiner.events.len();
    if !delta.old.is_unreadable() && !delta.new.is_unreadable() {
        for place in places {
            rule(examiner, step, delta, place)?;
        }
    }
    // what a rule says of it, other readers may see otherwise
    examiner.is_whole &= !(examiner.is_signed && delta.is_ambiguous);
    if examiner.events.len() == told {
        doubt(examiner, step, delta)?;
    }
    Ok(())
}

/// Whether an object that was there before is part of how the document is tagged.
fn is_tagged(examiner: &mut Examiner, step: &Step, delta: &Delta) -> Result<bool, Fault> {
    if delta.old.is_absent() || delta.is_wrapping() {
        return Ok(false);
    }
    examiner.map.follow_tags(examiner.document, step.pair.old)?;
    Ok(examiner.map.is(delta.number, Role::Tag))
}

/// Whether anything still refers to an object that was deleted.
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
fn rule(examiner: &mut Examiner, step: &Step, delta: &Delta, place: MapPlace) -> Result<(), Fault> {
    let MapPlace { role, owner } = place;
    // what was missing shows only now what it is
    let [old, new] = delta.dictionaries();
    let role = if old.is_none() { role.refined(new) } else { role };
    match role {
        Role::Catalog => Ok(()),
        Role::Node => page::node(examiner, step, delta),
        Role::Page => page::changed(examiner, step, delta),
        Role::Drawn => drawn::changed(examiner, step, delta, owner),
        Role::Annotations => annotation::list(examiner, step, delta, owner),
        Role::Annotation | Role::Attached | Role::Look => annotation::changed(examiner, step, delta, (role, owner)),
        Role::Form => form::changed(examiner, step, delta),
        Role::FormResources | Role::ResourceNames => form::resources(examiner, step, delta, role),
        Role::FormPart => {
            form::part(examiner, step, delta);
            Ok(())
        }
        Role::Xfa => form::packet(examiner, step, delta),
        Role::Field => field::changed(examiner, step, delta, owner),
        Role::FieldValue | Role::Appearance | Role::FieldPart => field::part(examiner, step, delta, (role, owner)),
        Role::Signature | Role::Permissions => {
            signature::value(examiner, step, delta);
            Ok(())
        }
        Role::Names => catalog::names(examiner, step, delta),
        Role::Metadata => document_info::metadata(examiner, step, delta),
        Role::Document(key) => catalog::value(examiner, step, key, delta),
        Role::Validation => {
            catalog::validation(examiner, step, delta);
            Ok(())
        }
        Role::Structure | Role::Tag => catalog::tags(examiner, step, delta),
    }
}

/// Tells of an object of which no rule had anything to say although it is not as it was: one that cannot be read, or that
/// readers may take for different things.
fn doubt(examiner: &mut Examiner, step: &Step, delta: &Delta) -> Result<(), Fault> {
    let is_strict = match (delta.old.body(), delta.new.body()) {
        (Some(old), Some(new)) => step.pair.are_strict(examiner.document, old, new)?,
        _ => !delta.old.is_unreadable() && !delta.new.is_unreadable(),
    };
    if is_strict && !delta.is_ambiguous {
        return Ok(());
    }
    // what was there and no longer is to be found is gone, whatever other readers make of its place
    let is_lost = delta.new.is_unreadable() && !delta.old.is_unreadable();
    let kind = if delta.is_ambiguous || is_lost { EventKind::Unexplained } else { EventKind::Ambiguous };
    examiner.is_whole = false;
    examiner.tell(Event { is_hidden: true, ..step.event_of(delta, kind, Subject::Object) });
    Ok(())
}
