//! What a revision did to what pages draw with: content streams, fonts, images, forms (ISO 32000-1, 7.8).

use super::delta::Delta;
use super::history::{Examiner, Step};
use super::show::show_body;
use crate::document::states::Body;
use crate::failure::Fault;
use crate::integrity::event::{Deed, Event};
use crate::integrity::report::Evidence;

/// Entries that say nothing about what is seen.
const DULL: [&[u8]; 11] = [
    b"Length",
    b"Filter",
    b"DecodeParms",
    b"DL",
    b"PieceInfo",
    b"LastModified",
    b"Metadata",
    b"StructParent",
    b"StructParents",
    b"Name",
    b"Parent",
];

impl Examiner<'_, '_> {
    /// Something that a page draws with was written anew or deleted; added it is not seen by itself.
    pub(super) fn content(&mut self, step: &Step, delta: &Delta, page: u32) -> Result<(), Fault> {
        // what belonged to a page that went, went with it
        if page > 0 && !step.has_page(page) {
            return Ok(());
        }
        let Some(old) = &delta.old else { return Ok(()) };
        if let Some(new) = &delta.new
            && self.looks_same(step, old, new)?
        {
            return Ok(());
        }
        let is_hidden = delta.is_repointed || page == 0 || !step.touched.contains(&page);
        let evidence = Evidence {
            object: Some(delta.number),
            page: step.page_number(page),
            place: Some(place(old)),
            before: show_body(Some(old)),
            after: show_body(delta.new.as_ref()),
            ..Evidence::default()
        };
        // a deleted stream that the page itself gave up is told by the page
        if delta.new.is_none() && !is_hidden {
            return Ok(());
        }
        self.events.push(Event { revision: step.revision, deed: Deed::Content, evidence, field: None, is_hidden });
        Ok(())
    }

    fn looks_same(&mut self, step: &Step, old: &Body, new: &Body) -> Result<bool, Fault> {
        let (Some(before), Some(after)) = (old.dictionary(), new.dictionary()) else { return Ok(false) };
        if old.stream.is_some() != new.stream.is_some() {
            return Ok(false);
        }
        let is_stream = old.stream.is_some();
        if !is_stream && !before.has(b"Type") {
            // a dictionary of resources by name, or part of one
            return self.only_adds(step, &old.object, &new.object, 3);
        }
        Ok(step.pair.differing(self.document, before, after, &DULL)?.is_empty()
            && (!is_stream || step.pair.same_stream(self.document, old, new)?))
    }
}

/// What it is, as far as it says.
fn place(body: &Body) -> String {
    let dictionary = body.dictionary();
    let name = |key: &[u8]| dictionary.and_then(|dictionary| super::show::text(dictionary.get(key)));
    match (name(b"Type"), name(b"Subtype")) {
        (_, Some(subtype)) if subtype == "Form" || subtype == "Image" => format!("{subtype} XObject"),
        (Some(kind), _) => kind,
        _ if body.stream.is_some() => "content stream".to_owned(),
        _ => "Resources".to_owned(),
    }
}
