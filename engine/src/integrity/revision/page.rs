//! What a revision did to a page (ISO 32000-1, 7.7.3.3).

use super::delta::Delta;
use super::history::{Examiner, Step};
use super::show::show;
use crate::failure::Fault;
use crate::integrity::event::{Deed, Event};
use crate::integrity::report::Evidence;
use crate::syntax::dictionary::Whole;
use crate::syntax::object::Object;

/// Entries that say nothing about what is seen.
const DULL: [&[u8]; 12] = [
    b"Type",
    b"Parent",
    b"LastModified",
    b"PieceInfo",
    b"StructParents",
    b"Tabs",
    b"B",
    b"Thumb",
    b"Metadata",
    b"ID",
    b"PZ",
    b"Annots",
];

impl Examiner<'_, '_> {
    /// A page that was written anew.
    pub(super) fn page(&mut self, step: &Step, delta: &Delta) -> Result<(), Fault> {
        let old = delta.old.as_ref().and_then(|body| body.dictionary());
        let new = delta.new.as_ref().and_then(|body| body.dictionary());
        match (old, new) {
            (Some(old), Some(new)) => self.page_entries(step, delta.number, old, new),
            // a page that came or went is told by the tree
            _ => Ok(()),
        }
    }

    /// A page that now is another object.
    pub(super) fn replaced_page(&mut self, step: &Step, old: u32, new: u32) -> Result<(), Fault> {
        let before = self.document.body_in(step.pair.old, old)?;
        let after = self.document.body_in(step.pair.new, new)?;
        let before = before.as_ref().and_then(|body| body.dictionary());
        let after = after.as_ref().and_then(|body| body.dictionary());
        match (before, after) {
            (Some(before), Some(after)) => self.page_entries(step, new, before, after),
            _ => Ok(()),
        }
    }

    fn page_entries(&mut self, step: &Step, number: u32, old: &Whole, new: &Whole) -> Result<(), Fault> {
        let page = step.page_number(number);
        for name in step.pair.differing(self.document, old, new, &DULL)? {
            let key = name.as_bytes();
            let (before, after) = (old.get(key), new.get(key));
            let is_same = match key {
                b"Contents" => self.same_contents(step, before, after)?,
                b"Resources" => self.only_adds(step, before, after, 3)?,
                // what a page inherits may as well be its own (7.7.3.4)
                b"MediaBox" | b"CropBox" | b"Rotate" => self.inherits(step, old, new, key)?,
                b"UserUnit" | b"Group" | b"BleedBox" | b"TrimBox" | b"ArtBox" => false,
                b"AA" => {
                    let evidence =
                        Evidence { object: Some(number), page, place: Some("AA".to_owned()), ..Evidence::default() };
                    self.tell(step, Deed::Document, number, evidence);
                    true
                }
                _ => true,
            };
            if is_same {
                continue;
            }
            let evidence = Evidence {
                object: Some(number),
                page,
                place: Some(String::from_utf8_lossy(key).into_owned()),
                before: show(before),
                after: show(after),
                ..Evidence::default()
            };
            let is_hidden = false;
            self.events.push(Event { revision: step.revision, deed: Deed::Content, evidence, field: None, is_hidden });
        }
        self.annotation_lists(step, number, old.get(b"Annots"), new.get(b"Annots"))
    }

    /// Whether the streams drawn are the same, in an array or not.
    fn same_contents(&mut self, step: &Step, before: &Object, after: &Object) -> Result<bool, Fault> {
        let before = self.streams(step.pair.old, before)?;
        let after = self.streams(step.pair.new, after)?;
        step.pair.same(self.document, &Object::Array(before), &Object::Array(after))
    }

    fn streams(&mut self, state: crate::document::states::State, contents: &Object) -> Result<Vec<Object>, Fault> {
        Ok(match contents {
            Object::Null => Vec::new(),
            Object::Array(elements) => elements.clone(),
            reference => match self.document.resolve_in(state, reference)? {
                Object::Array(elements) => elements,
                _ => vec![reference.clone()],
            },
        })
    }

    /// Whether the old resources are all still there: what is added is not seen until something draws with it.
    pub(super) fn only_adds(
        &mut self,
        step: &Step,
        before: &Object,
        after: &Object,
        depth: usize,
    ) -> Result<bool, Fault> {
        let before = self.document.resolve_in(step.pair.old, before)?;
        let after = self.document.resolve_in(step.pair.new, after)?;
        let (Object::Whole(old), Object::Whole(new)) = (&before, &after) else {
            return Ok(before.is_null() || step.pair.same(self.document, &before, &after)?);
        };
        for name in step.pair.differing(self.document, old, new, &[b"ProcSet"])? {
            let (before, after) = (old.get(name.as_bytes()), new.get(name.as_bytes()));
            if before.is_null() {
                continue;
            }
            if depth == 0 || after.is_null() || !self.only_adds(step, before, after, depth - 1)? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Whether a page shows the same by what it inherits.
    fn inherits(&mut self, step: &Step, old: &Whole, new: &Whole, key: &[u8]) -> Result<bool, Fault> {
        let before = self.inherited(step.pair.old, old, key)?;
        let after = self.inherited(step.pair.new, new, key)?;
        let is_unturned = |object: &Object| object.is_null() || object.as_integer() == Some(0);
        Ok((key == b"Rotate" && is_unturned(&before) && is_unturned(&after))
            || step.pair.same(self.document, &before, &after)?)
    }

    fn inherited(&mut self, state: crate::document::states::State, page: &Whole, key: &[u8]) -> Result<Object, Fault> {
        const NODES: usize = 32;
        let (mut value, mut parent) = (page.get(key).clone(), page.get(b"Parent").as_reference());
        for _ in 0..NODES {
            let (true, Some(id)) = (value.is_null(), parent) else { break };
            let Some(node) = self.document.body_in(state, id.number)? else { break };
            let Some(node) = node.dictionary() else { break };
            value = node.get(key).clone();
            parent = node.get(b"Parent").as_reference();
        }
        Ok(value)
    }
}
