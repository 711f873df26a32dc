//! The signature fields of a state that have a value (ISO 32000-1, 12.7.4.5).

use std::collections::{BTreeMap, BTreeSet};

use super::role::is_signature;
use pdf_syntax::document::form::FormFields;
use pdf_syntax::document::view::View;
use pdf_syntax::failure::Fault;

/// A signed field.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct SignedField {
    pub(crate) name: String,
    /// Object number of the signature; 0 for a direct one.
    pub(crate) value: u32,
    /// Whether it is a document time-stamp according to the signature check, not to its own entries.
    pub(crate) is_timestamp: bool,
}

/// The signed fields of a state, by number; `None` if there are too many fields. `stamps` are the objects that are
/// time-stamps.
pub(crate) fn signatures(
    view: &mut View,
    form: &FormFields,
    stamps: &BTreeSet<u32>,
) -> Result<Option<BTreeMap<u32, SignedField>>, Fault> {
    let mut signed = BTreeMap::new();
    for field in form.fields.iter().filter(|field| field.is_signature() && field.dictionary().has(b"V")) {
        let Some(number) = field.number else { continue };
        let reference = field.dictionary().get(b"V");
        let value = view.resolve(reference)?;
        if value.as_dictionary().is_none_or(|value| !is_signature(value)) {
            continue;
        }
        let value = reference.as_reference().map_or(0, |id| id.number);
        let is_timestamp = stamps.contains(&value);
        signed.insert(number, SignedField { name: field.name.clone(), value, is_timestamp });
    }
    Ok((!form.is_cut).then_some(signed))
}
