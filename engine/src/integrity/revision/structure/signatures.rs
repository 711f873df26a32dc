//! Which signature fields of a state have a value (ISO 32000-1, 12.7.4.5).

use std::collections::BTreeMap;

use super::role::is_signature;
use crate::document::form::Form;
use crate::document::view::View;
use crate::failure::Fault;

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
pub(crate) fn signatures(view: &mut View, form: &Form) -> Result<Option<BTreeMap<u32, SignedField>>, Fault> {
    let mut signed = BTreeMap::new();
    for field in form.fields.iter().filter(|field| field.dictionary().has(b"V")) {
        let Some(number) = field.number else { continue };
        let reference = field.dictionary().get(b"V");
        let value = view.resolve(reference)?;
        let Some(value) = value.as_dictionary().filter(|value| is_signature(value)) else { continue };
        let (name, is_timestamp) = (field.name.clone(), value.is_type(b"DocTimeStamp"));
        let value = reference.as_reference().map_or(0, |id| id.number);
        let widgets = form.kids(number).chain([number]).collect();
        signed.insert(number, SignedField { name, value, is_timestamp, widgets });
    }
    Ok((!form.is_cut).then_some(signed))
}
