//! Changes of page resources (ISO 32000-1, 7.8): content, fonts, images, graphics states.

use super::resource_names::only_gained_names;
use crate::integrity::event::{Event, EventKind, Subject};
use crate::integrity::revision::evidence_text;
use crate::integrity::revision::examiner::{Examiner, Step};
use crate::integrity::revision::object_change::ObjectChange;
use crate::integrity::revision::structure::role::Role;
use pdf_syntax::document::objects::Body;
use pdf_syntax::failure::Fault;

/// Reports a resource that was changed, deleted or added where it was missing.
pub(crate) fn changed(examiner: &mut Examiner, step: &Step, change: &ObjectChange, owner: u32) -> Result<(), Fault> {
    if step.is_gone(owner) {
        return Ok(());
    }
    if !examiner.matters(step, Role::PageResource, &change.old, &change.new)? {
        return Ok(());
    }
    let is_plain = [&change.old, &change.new].iter().all(|it| it.body().is_some_and(|it| it.stream.is_none()));
    if is_plain && only_gained_names(examiner, step, change, step.page_number(owner))? {
        return Ok(());
    }
    let kind = change.old.body().or(change.new.body()).map_or_else(String::new, kind);
    examiner.report(Event {
        page: step.page_number(owner),
        is_hidden: change.is_repointed || owner == 0 || !step.touched.contains(&owner),
        ..step.event_of(change, EventKind::Content, Subject::PageResource(kind))
    });
    Ok(())
}

/// Returns its type, if it declares one.
fn kind(body: &Body) -> String {
    let name = |key: &[u8]| body.dictionary().and_then(|dictionary| evidence_text::text(dictionary.get(key)));
    match (name(b"Type"), name(b"Subtype")) {
        (_, Some(subtype)) if subtype == "Form" || subtype == "Image" => format!("{subtype} XObject"),
        (Some(kind), _) => kind,
        _ if body.stream.is_some() => "content stream".to_owned(),
        _ => "Resources".to_owned(),
    }
}
