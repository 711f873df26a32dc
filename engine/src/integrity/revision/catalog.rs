//! What a revision did to the catalog and what it leads to (ISO 32000-1, 7.7.2), pages and form apart.

use super::delta::Delta;
use super::history::{Examiner, Step};
use super::role::{catalog_key, is_neutral, tree};
use super::show::show;
use crate::failure::Fault;
use crate::integrity::event::Deed;
use crate::integrity::report::Evidence;
use crate::syntax::dictionary::Whole;
use crate::syntax::object::{Id, Object};

/// Entries that are followed elsewhere, or that say nothing about the document.
const DULL: [&[u8]; 8] =
    [b"Type", b"Pages", b"Version", b"Extensions", b"Perms", b"PieceInfo", b"LastModified", b"ModDate"];

impl Examiner<'_, '_> {
    /// Compares the catalogs, if the revision wrote another one.
    pub(super) fn catalog(
        &mut self,
        step: &Step,
        old: Option<Id>,
        new: Option<Id>,
        changed: &[Delta],
    ) -> Result<(), Fault> {
        let (Some(old), Some(new)) = (old, new) else { return Ok(()) };
        self.validation(step, changed);
        if old.number == new.number && !changed.iter().any(|delta| delta.number == new.number) {
            return Ok(());
        }
        let before = self.document.body_in(step.pair.old, old.number)?;
        let after = self.document.body_in(step.pair.new, new.number)?;
        let before = before.as_ref().and_then(|body| body.dictionary());
        let after = after.as_ref().and_then(|body| body.dictionary());
        let (Some(before), Some(after)) = (before, after) else { return Ok(()) };
        for name in step.pair.differing(self.document, before, after, &DULL)? {
            let (old, new) = (before.get(name.as_bytes()), after.get(name.as_bytes()));
            self.catalog_entry(step, name.as_bytes(), old, new)?;
        }
        Ok(())
    }

    fn catalog_entry(&mut self, step: &Step, key: &[u8], old: &Object, new: &Object) -> Result<(), Fault> {
        match key {
            b"AcroForm" => {
                let before = self.document.resolve_in(step.pair.old, old)?;
                let after = self.document.resolve_in(step.pair.new, new)?;
                let empty = Whole::default();
                self.form_entries(step, before.as_whole().unwrap_or(&empty), after.as_whole().unwrap_or(&empty))
            }
            b"Metadata" => self.packets(step, old.as_reference(), new.as_reference()),
            b"DSS" => {
                self.tell(step, Deed::Validation, 0, Evidence { place: Some("DSS".to_owned()), ..Evidence::default() });
                Ok(())
            }
            b"Names" => {
                let before = self.document.resolve_in(step.pair.old, old)?;
                let after = self.document.resolve_in(step.pair.new, new)?;
                let empty = Whole::default();
                self.name_trees(step, before.as_whole().unwrap_or(&empty), after.as_whole().unwrap_or(&empty))
            }
            b"StructTreeRoot" => {
                self.tell_key(step, Deed::Structure, "StructTreeRoot", 0, old, new);
                Ok(())
            }
            b"OpenAction" => {
                let before = self.document.resolve_in(step.pair.old, old)?;
                let after = self.document.resolve_in(step.pair.new, new)?;
                let is_view = is_view(&before) && is_view(&after);
                let deed = if is_view { Deed::Structure } else { Deed::Document };
                self.tell_key(step, deed, "OpenAction", 0, &before, &after);
                Ok(())
            }
            key => {
                let key = catalog_key(key);
                self.tell_key(step, deed(key), key, 0, old, new);
                Ok(())
            }
        }
    }

    /// The catalog's dictionary of name trees was written anew (7.7.4).
    pub(super) fn names(&mut self, step: &Step, delta: &Delta) -> Result<(), Fault> {
        let empty = Whole::default();
        let old = delta.old.as_ref().and_then(|body| body.dictionary()).unwrap_or(&empty);
        let new = delta.new.as_ref().and_then(|body| body.dictionary()).unwrap_or(&empty);
        self.name_trees(step, old, new)
    }

    fn name_trees(&mut self, step: &Step, old: &Whole, new: &Whole) -> Result<(), Fault> {
        for name in step.pair.differing(self.document, old, new, &[])? {
            let key = tree(name.as_bytes());
            self.tell_key(step, deed(key), key, 0, old.get(name.as_bytes()), new.get(name.as_bytes()));
        }
        Ok(())
    }

    /// Part of what the catalog leads to was written anew or deleted; what is added is told by what leads to it.
    pub(super) fn catalog_value(&mut self, step: &Step, key: &'static str, delta: &Delta) -> Result<(), Fault> {
        let Some(old) = &delta.old else { return Ok(()) };
        // which bookmarks are unfolded is no change of them (12.3.3)
        if let (Some(before), Some(after)) = (old.dictionary(), delta.new.as_ref().and_then(|new| new.dictionary()))
            && key == "Outlines"
            && step.pair.differing(self.document, before, after, &[b"Count"])?.is_empty()
        {
            return Ok(());
        }
        let null = Object::Null;
        let new = delta.new.as_ref().map_or(&null, |new| &new.object);
        let is_view = key == "OpenAction" && is_view(&old.object) && is_view(new);
        let deed = if is_view { Deed::Structure } else { deed(key) };
        self.tell_key(step, deed, key, delta.number, &old.object, new);
        Ok(())
    }

    /// What validates signatures was added to (ISO 32000-2, 12.8.4.3).
    fn validation(&mut self, step: &Step, changed: &[Delta]) {
        let is_validation = |delta: &&Delta| {
            self.map.get(delta.number).is_some_and(|known| known.role == super::role::Role::Validation)
        };
        if let Some(delta) = changed.iter().find(is_validation) {
            let evidence =
                Evidence { object: Some(delta.number), place: Some("DSS".to_owned()), ..Evidence::default() };
            self.tell(step, Deed::Validation, 0, evidence);
        }
    }

    fn tell_key(&mut self, step: &Step, deed: Deed, key: &str, object: u32, old: &Object, new: &Object) {
        let evidence = Evidence {
            object: Some(object).filter(|&object| object > 0),
            place: Some(key.to_owned()),
            before: show(old),
            after: show(new),
            ..Evidence::default()
        };
        // one kind of thing is told once
        let once = if object > 0 { object } else { u32::MAX - key.len() as u32 };
        self.tell(step, deed, once, evidence);
    }
}

fn deed(key: &str) -> Deed {
    if is_neutral(key) { Deed::Structure } else { Deed::Document }
}

/// Whether it only says which page is shown first, or nothing: a destination, or an action that goes to one (12.3.2, 12.6.4.2).
fn is_view(action: &Object) -> bool {
    match action {
        Object::Null | Object::Array(_) | Object::String(_) | Object::Name(_) => true,
        Object::Whole(action) => action.get(b"S").is_name(b"GoTo") || (action.has(b"D") && !action.has(b"S")),
        _ => false,
    }
}
