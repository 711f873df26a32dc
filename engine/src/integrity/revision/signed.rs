//! Which signature fields of a state have a value (ISO 32000-1, 12.7.4.5), and what a revision did to that.

use std::collections::{BTreeMap, BTreeSet};

use super::delta::Delta;
use super::field::ancestry;
use super::history::{Examiner, Step};
use super::role::is_signature;
use super::show;
use crate::document::Document;
use crate::document::states::State;
use crate::failure::Fault;
use crate::integrity::event::Deed;
use crate::integrity::report::Evidence;
use crate::syntax::object::{Id, Object};

/// Fields looked at, by the API's contract.
const FIELDS: usize = 1_000;

/// A signed field.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Signed {
    name: String,
    /// Number of the signature's object; 0 if it is none of its own.
    value: u32,
    is_timestamp: bool,
}

/// The signed fields of a state, by their numbers.
pub(crate) fn signatures(
    document: &mut Document,
    state: State,
    root: Option<Id>,
) -> Result<BTreeMap<u32, Signed>, Fault> {
    let mut signed = BTreeMap::new();
    let Some(root) = root else { return Ok(signed) };
    let Some(catalog) = document.body_in(state, root.number)? else { return Ok(signed) };
    let Some(form) = catalog.dictionary().map(|catalog| catalog.get(b"AcroForm").clone()) else { return Ok(signed) };
    let form = document.resolve_in(state, &form)?;
    let Some(form) = form.as_whole() else { return Ok(signed) };
    let fields = document.resolve_in(state, form.get(b"Fields"))?;
    let (mut level, mut left, mut seen) = (fields.elements().to_vec(), FIELDS, BTreeSet::new());
    while !level.is_empty() && left > 0 {
        level.truncate(left);
        left -= level.len();
        let mut next = Vec::new();
        for id in level.iter().filter_map(Object::as_reference) {
            let entry = document.entry_in(state, id.number)?;
            if !seen.insert(id.number) || !document.is_at_hand(state, entry)? {
                continue;
            }
            let Some(body) = document.body_at(state, id.number, entry)? else { continue };
            let Some(field) = body.dictionary() else { continue };
            let value = document.resolve_in(state, field.get(b"V"))?;
            if let Some(value) = value.as_whole().filter(|value| is_signature(value)) {
                let name = ancestry(document, state, field)?.name;
                let number = field.get(b"V").as_reference().map_or(0, |id| id.number);
                let is_timestamp = value.is_type(b"DocTimeStamp");
                signed.insert(id.number, Signed { name, value: number, is_timestamp });
            }
            next.extend_from_slice(document.resolve_in(state, field.get(b"Kids"))?.elements());
        }
        level = next;
    }
    Ok(signed)
}

impl Examiner<'_, '_> {
    /// Tells which fields were signed, and which no longer are.
    pub(super) fn signatures(&mut self, step: &Step) {
        let [before, after] = &step.signed;
        for (&field, signed) in after {
            match before.get(&field) {
                Some(known) if known == signed => {}
                Some(known) => self.unsigned(step, field, known),
                None => {
                    let deed = if signed.is_timestamp { Deed::Validation } else { Deed::Signature };
                    let kind = if signed.is_timestamp { "DocTimeStamp" } else { "Sig" };
                    let evidence = Evidence {
                        object: Some(field),
                        place: Some(signed.name.clone()),
                        after: Some(kind.to_owned()),
                        ..Evidence::default()
                    };
                    self.tell_of_field(step, deed, field, evidence, Some(signed.name.clone()));
                }
            }
        }
        for (&field, signed) in before.iter().filter(|(field, _)| !after.contains_key(field)) {
            self.unsigned(step, field, signed);
        }
    }

    fn unsigned(&mut self, step: &Step, field: u32, signed: &Signed) {
        let evidence = Evidence {
            object: Some(field),
            place: Some(signed.name.clone()),
            before: Some(format!("signed by object {}", signed.value)),
            ..Evidence::default()
        };
        self.tell_of_field(step, Deed::Unsigned, field, evidence, Some(signed.name.clone()));
    }

    /// A signature itself was written anew.
    pub(super) fn signature_value(&mut self, step: &Step, delta: &Delta) {
        let old = delta.old.as_ref().and_then(|body| body.dictionary());
        if let Some(old) = old.filter(|old| is_signature(old)) {
            let evidence = Evidence {
                object: Some(delta.number),
                place: show::text(old.get(b"SubFilter")),
                before: show::show(old.get(b"ByteRange")),
                after: delta
                    .new
                    .as_ref()
                    .and_then(|body| body.dictionary())
                    .and_then(|new| show::show(new.get(b"ByteRange"))),
                ..Evidence::default()
            };
            self.tell(step, Deed::Unsigned, delta.number, evidence);
        }
    }
}
