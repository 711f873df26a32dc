//! What signatures leave behind in the form and the catalog when they are gone (ISO 32000-1, 12.7.2 and 12.8).

use std::collections::BTreeSet;

use crate::document::Document;
use crate::failure::Fault;
use crate::integrity::findings::Findings;
use crate::integrity::report::{Evidence, Strength};
use crate::integrity::signal::SignalId;
use crate::syntax::dictionary::Picked;
use crate::syntax::key::Key;
use crate::syntax::object::Object;

/// Fields looked at, by the API's contract.
const FIELDS: usize = 1_000;

/// Signature fields, and those that are signed.
#[derive(Default)]
struct Count {
    fields: u32,
    signed: u32,
}

pub(super) fn examine(document: &mut Document, catalog: &Picked, findings: &mut Findings) -> Result<(), Fault> {
    let form = document.peek(catalog.get(Key::AcroForm))?;
    let flags = form.as_dictionary().map_or(0, |form| form.get(Key::SigFlags).as_integer().unwrap_or(0));
    if flags & 3 == 0 && !catalog.has(Key::DSS) {
        return Ok(());
    }
    let Some(count) = count(document, &form)? else { return Ok(()) };
    // the flag then protects what a program was given rights to, not what somebody signed (12.8.2.3)
    let has_rights = catalog.has(Key::Perms);
    let left = [
        (flags & 1 != 0 && count.fields == 0, "SigFlags", "signatures exist"),
        (flags & 2 != 0 && count.fields == 0 && !has_rights, "SigFlags", "append only"),
        (catalog.has(Key::DSS) && count.signed == 0, "DSS", "validation data"),
    ];
    for (is_left, place, meaning) in left {
        if is_left {
            let evidence =
                Evidence { place: Some(place.to_owned()), before: Some(meaning.to_owned()), ..Evidence::default() };
            findings.add(SignalId::SignatureRemoved, Strength::Strong, evidence);
        }
    }
    Ok(())
}

/// Counts as far as fields are at hand; none if one is not.
fn count(document: &mut Document, form: &Object) -> Result<Option<Count>, Fault> {
    let mut count = Count::default();
    let fields = match form.as_dictionary() {
        Some(form) => document.peek(form.get(Key::Fields))?,
        None => Object::Null,
    };
    let (mut open, mut seen) = (fields.elements().to_vec(), BTreeSet::new());
    let mut left = FIELDS;
    while let Some(field) = open.pop() {
        let number = field.as_reference().map(|id| id.number);
        left = match left.checked_sub(1) {
            Some(left) => left,
            None => return Ok(None),
        };
        if number.is_some_and(|number| !seen.insert(number)) {
            continue;
        }
        if !document.is_near(&field)? {
            return Ok(None);
        }
        let Object::Dictionary(field) = document.peek(&field)? else { continue };
        if field.get(Key::FT).is_name(b"Sig") {
            count.fields += 1;
            count.signed += u32::from(field.has(Key::V));
        }
        open.extend_from_slice(document.peek(field.get(Key::Kids))?.elements());
    }
    Ok(Some(count))
}
