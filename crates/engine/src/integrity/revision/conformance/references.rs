//! The references that an update adds, and entries with the value null.

use std::collections::BTreeSet;
use std::rc::Rc;

use super::{Update, generation_of};
use crate::integrity::revision::deviation::Deviation;
use crate::integrity::revision::structure::links::links;
use pdf_syntax::document::objects::Stored;
use pdf_syntax::failure::Fault;
use pdf_syntax::syntax::object::{Id, Object};

impl Update<'_, '_> {
    /// Checks the references that this update adds: viewers repair a file where one has a missing or another target.
    pub(super) fn references(&mut self) -> Result<(), Fault> {
        let (before, state) = (self.range.before(), self.range.state());
        let numbers: Vec<u32> = self.rows.keys().copied().filter(|&number| number > 0).collect();
        let mut checked = BTreeSet::new();
        for number in numbers {
            let Some(body) = self.document.view(state).object(number)? else { continue };
            let old = self.document.view(before).object(number)?;
            if old.as_ref().is_some_and(|old| Rc::ptr_eq(old, &body)) {
                continue;
            }
            let old = old.as_ref().map_or(&Object::Null, |old| &old.object);
            // an entry with the value null equals a missing one (7.3.9), but not in MuPDF
            let nulls = null_keys(&body.object);
            // document information is drawn by no viewer
            let is_information = self.range.info.is_some_and(|info| info.number == number);
            let is_kept = nulls.is_empty() || is_information || nulls.is_subset(&null_keys(old));
            self.require(is_kept, Deviation::Object(number));
            let known: BTreeSet<_> = links(old).into_iter().map(|link| (link.top, link.target)).collect();
            for link in links(&body.object).into_iter().filter(|link| !known.contains(&(link.top, link.target))) {
                self.reference(link.target, &mut checked)?;
            }
        }
        Ok(())
    }

    /// Checks a reference and, if its target was unreferenced before, the references in the target.
    fn reference(&mut self, id: Id, checked: &mut BTreeSet<Id>) -> Result<(), Fault> {
        let state = self.range.state();
        let mut due = vec![id];
        while let Some(id) = due.pop() {
            self.document.budget.work(1)?;
            if !checked.insert(id) {
                continue;
            }
            let Some(generation) = generation_of(self.document, state, id.number)? else {
                self.require(false, Deviation::Reference(id.number));
                continue;
            };
            self.require(generation == u64::from(id.generation), Deviation::Generation(id.number));
            let target = self.document.view(state).stored(id.number)?;
            let Stored::Object(body) = target else {
                self.require(false, Deviation::Reference(id.number));
                continue;
            };
            let is_exact =
                body.id.number == id.number && !body.object.is_null() && self.document.is_exact(state, &body)?;
            self.require(is_exact, Deviation::Reference(id.number));
            // no viewer follows tags to draw a page
            let is_tag = body.dictionary().is_some_and(|it| it.is_type(b"StructElem") || it.is_type(b"StructTreeRoot"));
            let is_known =
                self.rows.contains_key(&id.number) || self.reached.is_empty() || self.reached.contains(&id.number);
            if !is_known && !is_tag {
                due.extend(links(&body.object).into_iter().map(|link| link.target));
            }
        }
        Ok(())
    }
}

/// The keys in a value whose value is null.
fn null_keys(object: &Object) -> BTreeSet<&[u8]> {
    let mut values = vec![object];
    let mut found = BTreeSet::new();
    while let Some(value) = values.pop() {
        values.extend(value.elements());
        if let Object::Dictionary(dictionary) = value {
            found.extend(dictionary.iter().filter(|(_, value)| value.is_null()).map(|(key, _)| key.as_bytes()));
            values.extend(dictionary.iter().map(|(_, value)| value));
        }
    }
    found
}
