//! Which signature fields of a state have a value (ISO 32000-1, 12.7.4.5).

use std::collections::{BTreeMap, BTreeSet};

use super::fields::Ancestry;
use super::role::is_signature;
use super::walk::Map;
use crate::document::Document;
use crate::document::states::State;
use crate::failure::Fault;
use crate::syntax::dictionary::Whole;
use crate::syntax::object::{Id, Object};

/// Fields looked at.
const FIELDS: usize = 20_000;

/// A signed field.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct SignedField {
    pub(crate) name: String,
    /// Number of the signature's object; 0 if it is none of its own.
    pub(crate) value: u32,
    pub(crate) is_timestamp: bool,
    /// Numbers of its widgets, itself included.
    pub(crate) widgets: Vec<u32>,
}

/// The signed fields of a state, by their numbers; none if there are too many fields.
pub(crate) fn signatures(
    document: &mut Document,
    state: State,
    root: Option<Id>,
    map: &Map,
) -> Result<Option<BTreeMap<u32, SignedField>>, Fault> {
    let mut signed = BTreeMap::new();
    let form = form(document, state, root)?;
    let fields = document.resolve_in(state, form.get(b"Fields"))?;
    let mut open: Vec<Object> = fields.elements().iter().rev().cloned().collect();
    let mut seen = BTreeSet::new();
    while let Some(field) = open.pop() {
        let Some(number) = field.as_reference().map(|id| id.number).filter(|&number| seen.insert(number)) else {
            continue;
        };
        if seen.len() > FIELDS {
            return Ok(None);
        }
        let entry = document.entry_in(state, number)?;
        if !document.is_at_hand(state, entry)? {
            continue;
        }
        let Some(body) = document.body_at(state, number, entry)? else { continue };
        let Some(field) = body.dictionary() else { continue };
        let kids = document.resolve_in(state, field.get(b"Kids"))?;
        if !field.get(b"V").is_null() {
            let value = document.resolve_in(state, field.get(b"V"))?;
            if let Some(value) = value.as_whole().filter(|value| is_signature(value)) {
                let name = Ancestry::read(document, state, map, number, field)?.name;
                let is_timestamp = value.is_type(b"DocTimeStamp");
                let value = field.get(b"V").as_reference().map_or(0, |id| id.number);
                let widgets = kids.elements().iter().filter_map(Object::as_reference).map(|kid| kid.number);
                let widgets = widgets.chain([number]).collect();
                signed.insert(number, SignedField { name, value, is_timestamp, widgets });
            }
        }
        open.extend(kids.elements().iter().rev().cloned());
    }
    Ok(Some(signed))
}

/// The form's dictionary of a state; an empty one without it.
pub(crate) fn form(document: &mut Document, state: State, root: Option<Id>) -> Result<Whole, Fault> {
    let Some(root) = root else { return Ok(Whole::default()) };
    let catalog = document.body_in(state, root.number)?;
    let form =
        catalog.as_ref().and_then(|catalog| catalog.dictionary()).map(|catalog| catalog.get(b"AcroForm").clone());
    let form = form.unwrap_or_default();
    let form = document.resolve_in(state, &form)?;
    Ok(form.as_whole().cloned().unwrap_or_default())
}
