//! What a revision did to form fields and their widgets (ISO 32000-1, 12.7), signatures apart.

use std::collections::BTreeSet;

use super::delta::Delta;
use super::history::{Examiner, Step};
use super::show::{self, show};
use crate::document::states::State;
use crate::failure::Fault;
use crate::integrity::event::{Deed, Event};
use crate::integrity::report::Evidence;
use crate::syntax::dictionary::Whole;
use crate::syntax::object::Object;

/// Entries that say nothing about a field's value or looks.
const DULL: [&[u8]; 8] = [b"Type", b"P", b"Parent", b"StructParent", b"M", b"NM", b"Lock", b"SV"];
/// Entries that filling in a form changes: values and what shows them (12.7.3.1, 12.5.2).
const VALUES: [&[u8]; 11] = [b"V", b"AS", b"AP", b"MK", b"I", b"RV", b"DA", b"F", b"BS", b"Border", b"Q"];
/// The flag of a password field (12.7.4.3, table 228).
const PASSWORD: i64 = 1 << 13;
/// How many fields a field's name may be made of.
const LEVELS: usize = 16;

/// Whether it is a field or a widget, not a part of one.
pub(crate) fn is_field(dictionary: &Whole) -> bool {
    is_field_of(dictionary) || dictionary.has(b"T") || dictionary.has(b"Kids")
}

/// Whether it says itself that it is one.
pub(crate) fn is_field_of(dictionary: &Whole) -> bool {
    dictionary.get(b"Subtype").is_name(b"Widget") || dictionary.has(b"FT")
}

/// What a field inherits from those above it (12.7.3.1), and its full name (12.7.3.2).
#[derive(Debug, Default)]
pub(crate) struct Ancestry {
    pub(crate) name: String,
    kind: Option<Vec<u8>>,
    flags: i64,
}

impl Ancestry {
    /// Whether it is a signature field (12.7.4.5).
    pub(crate) fn is_signature(&self) -> bool {
        self.kind.as_deref() == Some(b"Sig")
    }
}

impl Examiner<'_, '_> {
    /// A field, its widget or part of one was written anew or deleted.
    pub(super) fn field(&mut self, step: &Step, delta: &Delta, owner: u32) -> Result<(), Fault> {
        let Some(old) = &delta.old else { return Ok(()) };
        if let (Object::Array(_), Some(new)) = (&old.object, &delta.new) {
            return self.field_lists(step, &old.object, &new.object);
        }
        let before = old.dictionary();
        let after = delta.new.as_ref().and_then(|new| new.dictionary());
        let (true, Some(before)) = (before.is_some_and(is_field) && old.stream.is_none(), before) else {
            return self.field_part(step, delta, owner);
        };
        let ancestry = self.ancestry(step.pair.old, before)?;
        let Some(after) = after else {
            // one that was signed is told as a signature
            if !ancestry.is_signature() {
                self.tell_field(step, Deed::Field, delta.number, &ancestry, None, (Some(before), None))?;
            }
            return Ok(());
        };
        // the weightiest of what changed, and its key
        let mut found: Option<(Deed, Vec<u8>)> = None;
        for name in step.pair.differing(self.document, before, after, &DULL)? {
            let name = name.as_bytes();
            let is_own = ancestry.is_signature() && step.signs();
            // locking what is there is part of signing
            if is_own || (name == b"Ff" && step.signs()) || (ancestry.is_signature() && name == b"V") {
                continue;
            }
            if name == b"Kids" && self.same_length(step, before, after)? {
                continue;
            }
            // flags that are not set may as well not be there
            if name == b"Ff" && [before, after].iter().all(|field| field.get(name).as_integer().unwrap_or(0) == 0) {
                continue;
            }
            let deed = if VALUES.contains(&name) { Deed::Value } else { Deed::Field };
            let is_weightier = match &found {
                None => true,
                Some((Deed::Value, _)) => deed == Deed::Field || name == b"V",
                Some(_) => false,
            };
            if is_weightier {
                found = Some((deed, name.to_vec()));
            }
        }
        let Some((deed, key)) = found else { return Ok(()) };
        self.tell_field(step, deed, delta.number, &ancestry, Some(&key), (Some(before), Some(after)))
    }

    /// Children of a field that only were written anew one by one.
    fn same_length(&mut self, step: &Step, before: &Whole, after: &Whole) -> Result<bool, Fault> {
        let before = self.document.resolve_in(step.pair.old, before.get(b"Kids"))?;
        let after = self.document.resolve_in(step.pair.new, after.get(b"Kids"))?;
        Ok(before.elements().len() == after.elements().len())
    }

    /// Something that a field is shown with, such as its appearance, was written anew while the field may not have been.
    fn field_part(&mut self, step: &Step, delta: &Delta, owner: u32) -> Result<(), Fault> {
        let is_hidden = owner == 0 || !step.touched.contains(&owner);
        let field = self.document.body_in(step.pair.new, owner)?;
        let ancestry = match field.as_ref().and_then(|field| field.dictionary()) {
            Some(field) => self.ancestry(step.pair.new, field)?,
            None => Ancestry::default(),
        };
        if (ancestry.is_signature() && step.signs()) || (delta.new.is_none() && !is_hidden) {
            return Ok(());
        }
        let evidence = Evidence {
            object: Some(delta.number),
            page: self.page_of(step, owner)?,
            place: Some(format!("{} appearance", ancestry.name).trim().to_owned()),
            before: show::show_body(delta.old.as_ref()),
            after: show::show_body(delta.new.as_ref()),
            ..Evidence::default()
        };
        let field = Some(ancestry.name);
        self.events.push(Event { revision: step.revision, deed: Deed::Value, evidence, field, is_hidden });
        Ok(())
    }

    /// The form's dictionary, or its array of fields, was written anew.
    pub(super) fn form(&mut self, step: &Step, delta: &Delta) -> Result<(), Fault> {
        let empty = Whole::default();
        let old = delta.old.as_ref().and_then(|body| body.dictionary()).unwrap_or(&empty);
        let new = delta.new.as_ref().and_then(|body| body.dictionary()).unwrap_or(&empty);
        self.form_entries(step, old, new)
    }

    /// Compares two states of the form's dictionary (12.7.2).
    pub(super) fn form_entries(&mut self, step: &Step, old: &Whole, new: &Whole) -> Result<(), Fault> {
        self.field_lists(step, old.get(b"Fields"), new.get(b"Fields"))?;
        let is_same = step.pair.same(self.document, old.get(b"XFA"), new.get(b"XFA"))?;
        if !is_same {
            let (before, after) = (show(old.get(b"XFA")), show(new.get(b"XFA")));
            let evidence = Evidence { place: Some("XFA".to_owned()), before, after, ..Evidence::default() };
            self.tell(step, Deed::Value, u32::MAX, evidence);
        }
        Ok(())
    }

    fn field_lists(&mut self, step: &Step, old: &Object, new: &Object) -> Result<(), Fault> {
        let before = self.document.resolve_in(step.pair.old, old)?;
        let after = self.document.resolve_in(step.pair.new, new)?;
        let numbers = |list: &Object| -> BTreeSet<u32> {
            list.elements().iter().filter_map(Object::as_reference).map(|id| id.number).collect()
        };
        let (before, after) = (numbers(&before), numbers(&after));
        for &number in after.difference(&before) {
            // a widget that became one of its own, or a field that always was there
            if self.document.body_in(step.pair.old, number)?.is_some_and(|body| body.dictionary().is_some_and(is_field))
            {
                continue;
            }
            self.field_came(step, number, step.pair.new, true)?;
        }
        for &number in before.difference(&after) {
            self.field_came(step, number, step.pair.old, false)?;
        }
        Ok(())
    }

    fn field_came(&mut self, step: &Step, number: u32, state: State, came: bool) -> Result<(), Fault> {
        let Some(body) = self.document.body_in(state, number)? else { return Ok(()) };
        let Some(dictionary) = body.dictionary() else { return Ok(()) };
        let ancestry = self.ancestry(state, dictionary)?;
        if ancestry.is_signature() {
            return Ok(());
        }
        let states = if came { (None, Some(dictionary)) } else { (Some(dictionary), None) };
        self.tell_field(step, Deed::Field, number, &ancestry, None, states)
    }

    /// A widget that came to a page, or that went.
    pub(super) fn widget_came(
        &mut self,
        step: &Step,
        page: u32,
        number: u32,
        widget: &Whole,
        (came, hides): (bool, bool),
    ) -> Result<(), Fault> {
        let state = if came { step.pair.new } else { step.pair.old };
        let ancestry = self.ancestry(state, widget)?;
        if ancestry.is_signature() {
            self.mark_hidden(step, number, hides);
            return Ok(());
        }
        let shown = Some(show::annotation(widget));
        let (before, after) = if came { (None, shown) } else { (shown, None) };
        let evidence = Evidence {
            object: Some(number),
            page: step.page_number(page),
            place: Some(ancestry.name.clone()),
            before,
            after,
            ..Evidence::default()
        };
        self.tell_of_field(step, Deed::Field, number, evidence, Some(ancestry.name));
        self.mark_hidden(step, number, hides);
        Ok(())
    }

    fn tell_field(
        &mut self,
        step: &Step,
        deed: Deed,
        number: u32,
        ancestry: &Ancestry,
        key: Option<&[u8]>,
        (before, after): (Option<&Whole>, Option<&Whole>),
    ) -> Result<(), Fault> {
        let is_secret = ancestry.flags & PASSWORD != 0;
        let shown = |field: Option<&Whole>| match key {
            _ if is_secret => Some("(not shown)".to_owned()),
            Some(key) => field.and_then(|field| show(field.get(key))),
            None => field.map(show::annotation),
        };
        let place = match key {
            Some(key) => format!("{} /{}", ancestry.name, String::from_utf8_lossy(key)),
            None => ancestry.name.clone(),
        };
        let evidence = Evidence {
            object: Some(number),
            page: self.page_of(step, number)?,
            place: Some(place.trim().to_owned()),
            before: shown(before),
            after: shown(after),
            ..Evidence::default()
        };
        self.tell_of_field(step, deed, number, evidence, Some(ancestry.name.clone()));
        Ok(())
    }

    /// The page that a widget says it is on.
    fn page_of(&mut self, step: &Step, number: u32) -> Result<Option<u32>, Fault> {
        let body = match self.document.body_in(step.pair.new, number)? {
            Some(body) => Some(body),
            None => self.document.body_in(step.old(), number)?,
        };
        let page = body.as_ref().and_then(|body| body.dictionary()).and_then(|field| field.get(b"P").as_reference());
        Ok(page.and_then(|page| step.page_number(page.number)))
    }

    /// A field's full name, and what it inherits.
    pub(super) fn ancestry(&mut self, state: State, field: &Whole) -> Result<Ancestry, Fault> {
        ancestry(self.document, state, field)
    }
}

/// A field's full name, and what it inherits.
pub(crate) fn ancestry(
    document: &mut crate::document::Document,
    state: State,
    field: &Whole,
) -> Result<Ancestry, Fault> {
    let mut names = Vec::new();
    let mut found = Ancestry::default();
    let mut is_flagged = false;
    let mut next = Some(field.clone());
    for _ in 0..LEVELS {
        let Some(field) = next.take() else { break };
        names.extend(show::text(field.get(b"T")));
        if found.kind.is_none() {
            found.kind = field.get(b"FT").as_name().map(<[u8]>::to_vec);
        }
        if let (false, Some(flags)) = (is_flagged, field.get(b"Ff").as_integer()) {
            (found.flags, is_flagged) = (flags, true);
        }
        let Some(parent) = field.get(b"Parent").as_reference() else { break };
        next = document.body_in(state, parent.number)?.and_then(|body| body.dictionary().cloned());
    }
    names.reverse();
    found.name = names.join(".");
    Ok(found)
}
