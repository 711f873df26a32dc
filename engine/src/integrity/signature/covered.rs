//! The state of the file that a signature covers, and what that has of it: what later revisions say of a signature, its
//! field or what it permits, nobody signed.

use std::collections::BTreeSet;

use super::fields::{FIELDS, FoundSignature};
use crate::document::Document;
use crate::document::states::State;
use crate::failure::Fault;
use crate::syntax::key::Key;
use crate::syntax::object::Object;
use crate::text::text_string;

/// How many fields may be above a field.
const LEVELS: usize = 16;

/// The state that a signature covers; none for the file as it is.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Covered(Option<State>);

/// A signature as the state that it covers has it.
#[derive(Debug)]
pub(crate) struct Standing {
    /// The full name of its field (12.7.3.2).
    pub(crate) field: Option<String>,
    /// `/Lock` of its field (12.7.4.5, table 233).
    pub(crate) lock: Object,
    /// Whether the catalog names it as the document's certification (12.8.4).
    pub(crate) is_certification: bool,
    /// Whether that state has it elsewhere than it was found, or not at all.
    pub(crate) is_moved: bool,
}

impl Covered {
    /// The state that what ends there covers.
    pub(crate) fn by(document: &Document, end: u64) -> Self {
        Self(Some(document.state_at(end)).filter(|state| *state > State(0)))
    }

    /// What this is or refers to in that state; null if that is missing.
    pub(crate) fn resolve(self, document: &mut Document, object: &Object) -> Result<Object, Fault> {
        match self.0 {
            Some(state) => Ok(document.resolve_in(state, object)?.into_owned()),
            None => Ok(document.resolve(object)?.into_owned()),
        }
    }

    /// What that state has of a signature that was found in the file as it is.
    pub(crate) fn standing(self, document: &mut Document, found: &FoundSignature) -> Result<Standing, Fault> {
        let Some(state) = self.0 else { return Ok(Standing::as_found(found)) };
        let is_certification = found.value_object.is_some() && certification(document, state)? == found.value_object;
        let moved = Standing { field: None, lock: Object::Null, is_certification, is_moved: true };
        if !is_same(document, state, found)? {
            return Ok(moved);
        }
        if let Some(field) = own_field(document, state, found)? {
            let then = name(document, state, &field)?;
            // where the parents are not told, only the way down to the field tells its name
            let name = if then == name_now(document, found)? { found.field.clone() } else { then };
            let is_moved = is_shown_again(document, state, found)?;
            return Ok(Standing { field: name, lock: field.entry(Key::Lock).clone(), is_certification, is_moved });
        }
        let Some((number, field)) = holder(document, state, found.value_object)? else {
            return Ok(Standing { is_moved: found.field_object.is_some() || !is_certification, ..moved });
        };
        Ok(Standing {
            field: name(document, state, &field)?,
            lock: field.entry(Key::Lock).clone(),
            is_certification,
            is_moved: number != found.field_object || is_shown_again(document, state, found)?,
        })
    }
}

impl Standing {
    fn as_found(found: &FoundSignature) -> Self {
        Self {
            field: found.field.clone(),
            lock: found.lock.clone(),
            is_certification: found.is_certification,
            is_moved: false,
        }
    }
}

/// Whether the object with the signature stood where it stands, so that what was read is what was signed.
fn is_same(document: &mut Document, state: State, found: &FoundSignature) -> Result<bool, Fault> {
    let Some(number) = found.value_object.or(found.field_object) else { return Ok(false) };
    let now = document.xref.entry(number, &mut document.reader, &mut document.budget)?;
    Ok(document.entry_in(state, number)? == now)
}

/// The field in which it was found as that state has it, if it had the signature then.
fn own_field(document: &mut Document, state: State, found: &FoundSignature) -> Result<Option<Object>, Fault> {
    let Some(number) = found.field_object else { return Ok(None) };
    let field = document.body_in(state, number)?.map(|body| body.object.clone());
    Ok(field.filter(|field| found.value_object.is_none() || refers_to(field, found.value_object)))
}

/// Whether further fields have it now that did not have it then.
fn is_shown_again(document: &mut Document, state: State, found: &FoundSignature) -> Result<bool, Fault> {
    for again in &found.again {
        let field = again.map_or(Ok(None), |number| document.body_in(state, number))?;
        if !field.is_some_and(|body| refers_to(&body.object, found.value_object)) {
            return Ok(true);
        }
    }
    Ok(false)
}

fn refers_to(field: &Object, value: Option<u32>) -> bool {
    value.is_some() && field.entry(Key::V).as_reference().map(|id| id.number) == value
}

/// The number of the signature that the catalog of that state names as certification.
fn certification(document: &mut Document, state: State) -> Result<Option<u32>, Fault> {
    let catalog = catalog(document, state)?;
    let permissions = document.resolve_in(state, catalog.entry(Key::Perms))?;
    Ok(permissions.entry(Key::DocMDP).as_reference().map(|id| id.number))
}

fn catalog(document: &mut Document, state: State) -> Result<Object, Fault> {
    let Some(root) = document.root_in(state) else { return Ok(Object::Null) };
    Ok(document.resolve_in(state, &Object::Reference(root))?.into_owned())
}

/// The field that had the value then, with its number if it was an object of its own.
fn holder(document: &mut Document, state: State, value: Option<u32>) -> Result<Option<(Option<u32>, Object)>, Fault> {
    let catalog = catalog(document, state)?;
    let form = document.resolve_in(state, catalog.entry(Key::AcroForm))?;
    let fields = document.resolve_in(state, form.entry(Key::Fields))?;
    let (mut level, mut left, mut seen) = (fields.elements().to_vec(), FIELDS, BTreeSet::new());
    while !level.is_empty() && left > 0 {
        level.truncate(left);
        left -= level.len();
        let mut next = Vec::new();
        for place in &level {
            let number = place.as_reference().map(|id| id.number);
            if number.is_some_and(|number| !seen.insert(number)) {
                continue;
            }
            let field = document.resolve_in(state, place)?;
            if refers_to(&field, value) {
                return Ok(Some((number, field.into_owned())));
            }
            next.extend_from_slice(document.resolve_in(state, field.entry(Key::Kids))?.elements());
        }
        level = next;
    }
    Ok(None)
}

/// The full name of the field by its parents (12.7.3.2).
fn name(document: &mut Document, state: State, field: &Object) -> Result<Option<String>, Fault> {
    let (mut parts, mut field) = (Vec::new(), field.clone());
    for _ in 0..LEVELS {
        let part = document.resolve_in(state, field.entry(Key::T))?;
        parts.extend(part.as_string().and_then(text_string::decode));
        let Some(parent) = field.as_whole().map(|field| field.get(b"Parent").clone()) else { break };
        field = document.resolve_in(state, &parent)?.into_owned();
    }
    parts.reverse();
    Ok(Some(parts.join(".")).filter(|name| !name.is_empty()))
}

/// The same of a field as it is now.
fn name_now(document: &mut Document, found: &FoundSignature) -> Result<Option<String>, Fault> {
    let Some(number) = found.field_object else { return Ok(None) };
    let now = document.body_in(State(0), number)?;
    now.map_or(Ok(None), |body| name(document, State(0), &body.object))
}
