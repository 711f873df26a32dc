//! What a revision did to annotations (ISO 32000-1, 12.5), form fields apart.

use super::delta::Delta;
use super::field::is_field_of;
use super::history::{Examiner, Step};
use super::show;
use crate::document::states::State;
use crate::failure::Fault;
use crate::integrity::event::Deed;
use crate::integrity::report::Evidence;
use crate::syntax::object::Object;

/// Entries that say nothing about what is seen.
const DULL: [&[u8]; 8] = [b"P", b"Parent", b"StructParent", b"M", b"NM", b"Popup", b"Border", b"Open"];
/// Annotations compared of one page.
const COMPARED: usize = 5_000;

impl Examiner<'_, '_> {
    /// An array of annotations was written anew.
    pub(super) fn annotation_list(&mut self, step: &Step, delta: &Delta, page: u32) -> Result<(), Fault> {
        let value = |body: &Option<crate::document::states::Body>| {
            body.as_ref().map_or(Object::Null, |body| body.object.clone())
        };
        self.annotation_lists(step, page, &value(&delta.old), &value(&delta.new))
    }

    /// Compares the annotations of a page.
    pub(super) fn annotation_lists(&mut self, step: &Step, page: u32, old: &Object, new: &Object) -> Result<(), Fault> {
        if page > 0 && !step.has_page(page) {
            return Ok(());
        }
        let before = self.document.resolve_in(step.pair.old, old)?;
        let after = self.document.resolve_in(step.pair.new, new)?;
        let (before, after) = (before.elements(), after.elements());
        let missing = |from: &[Object], list: &[Object]| -> Vec<Object> {
            let list = list.get(..COMPARED).unwrap_or(list);
            let numbers: std::collections::BTreeSet<u32> =
                from.iter().filter_map(Object::as_reference).map(|id| id.number).collect();
            list.iter()
                .filter(|&element| match element.as_reference() {
                    Some(id) => !numbers.contains(&id.number),
                    None => !from.contains(element),
                })
                .cloned()
                .collect()
        };
        for added in missing(before, after) {
            self.annotation_came(step, page, &added, step.pair.new, true)?;
        }
        for removed in missing(after, before) {
            self.annotation_came(step, page, &removed, step.pair.old, false)?;
        }
        Ok(())
    }

    /// An annotation that came, or that went.
    fn annotation_came(
        &mut self,
        step: &Step,
        page: u32,
        annotation: &Object,
        state: State,
        came: bool,
    ) -> Result<(), Fault> {
        let number = annotation.as_reference().map_or(0, |id| id.number);
        let value = self.document.resolve_in(state, annotation)?;
        let Object::Whole(dictionary) = &value else { return Ok(()) };
        let hides = came && self.hides_text(step, page, dictionary)?;
        if dictionary.get(b"Subtype").is_name(b"Widget") {
            return self.widget_came(step, page, number, dictionary, (came, hides));
        }
        let shown = Some(show::annotation(dictionary));
        let (before, after) = if came { (None, shown) } else { (shown, None) };
        let evidence = Evidence {
            object: annotation.as_reference().map(|id| id.number),
            page: step.page_number(page),
            place: show::text(dictionary.get(b"Subtype")),
            before,
            after,
            ..Evidence::default()
        };
        self.tell(step, Deed::Annotation, number, evidence);
        self.mark_hidden(step, number, hides);
        Ok(())
    }

    /// An annotation, or part of one, that was written anew or deleted.
    pub(super) fn annotation(&mut self, step: &Step, delta: &Delta, page: u32) -> Result<(), Fault> {
        let Some(old) = &delta.old else { return Ok(()) };
        if page > 0 && !step.has_page(page) {
            return Ok(());
        }
        let before = old.dictionary();
        if delta.new.as_ref().or(delta.old.as_ref()).and_then(|body| body.dictionary()).is_some_and(is_field_of) {
            return self.field(step, delta, delta.number);
        }
        if let Some(new) = &delta.new {
            let is_same = match (before, new.dictionary()) {
                (Some(before), Some(after)) => {
                    step.pair.differing(self.document, before, after, &DULL)?.is_empty()
                        && (old.stream.is_none() || step.pair.same_stream(self.document, old, new)?)
                }
                _ => false,
            };
            if is_same {
                return Ok(());
            }
        }
        let shown = |body: &crate::document::states::Body| match body.dictionary() {
            Some(dictionary) if dictionary.has(b"Subtype") && body.stream.is_none() => {
                Some(show::annotation(dictionary))
            }
            _ => show::show_body(Some(body)),
        };
        let evidence = Evidence {
            object: Some(delta.number),
            page: step.page_number(page),
            place: before.and_then(|before| show::text(before.get(b"Subtype"))),
            before: shown(old),
            after: delta.new.as_ref().and_then(shown),
            ..Evidence::default()
        };
        self.tell(step, Deed::Annotation, delta.number, evidence);
        Ok(())
    }
}
