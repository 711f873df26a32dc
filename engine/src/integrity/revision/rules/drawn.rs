//! What a revision did to what pages draw with (ISO 32000-1, 7.8): content, fonts, images, states.

use crate::document::objects::Body;
use crate::failure::Fault;
use crate::integrity::event::{Event, EventKind, Subject};
use crate::integrity::revision::delta::Delta;
use crate::integrity::revision::examiner::{Examiner, Step};
use crate::integrity::revision::show;
use crate::integrity::revision::structure::role::Role;

/// Something that a page draws with was written anew, deleted, or is there for the first time where something was missing.
pub(crate) fn changed(examiner: &mut Examiner, step: &Step, delta: &Delta, owner: u32) -> Result<(), Fault> {
    if step.is_gone(owner) {
        return Ok(());
    }
    if !examiner.matters(step, Role::Drawn, &delta.old, &delta.new)? {
        return Ok(());
    }
    let kind = delta.old.body().or(delta.new.body()).map_or_else(String::new, kind);
    examiner.tell(Event {
        page: step.page_number(owner),
        is_hidden: delta.is_repointed || owner == 0 || !step.touched.contains(&owner),
        ..step.event_of(delta, EventKind::Content, Subject::Drawn(kind))
    });
    Ok(())
}

/// What it is, as far as it says.
fn kind(body: &Body) -> String {
    let name = |key: &[u8]| body.dictionary().and_then(|dictionary| show::text(dictionary.get(key)));
    match (name(b"Type"), name(b"Subtype")) {
        (_, Some(subtype)) if subtype == "Form" || subtype == "Image" => format!("{subtype} XObject"),
        (Some(kind), _) => kind,
        _ if body.stream.is_some() => "content stream".to_owned(),
        _ => "Resources".to_owned(),
    }
}
