//! The state of the file that a signature covers, and the signature's entries in it: entries of later revisions for a
//! signature, its field or permissions are unsigned.

use super::fields::{self, FoundSignature};
use pdf_syntax::document::Document;
use pdf_syntax::document::form::{Field, FormFields};
use pdf_syntax::document::objects::State;
use pdf_syntax::failure::Fault;
use pdf_syntax::syntax::object::Object;

/// A signature as in the state that it covers.
#[derive(Debug)]
pub(crate) struct SignedState {
    /// The full name of its field (12.7.3.2).
    pub(crate) field: Option<String>,
    /// `/Lock` of its field (12.7.4.5, table 233).
    pub(crate) lock: Object,
    /// Whether the catalog names it as the document's certification (12.8.4).
    pub(crate) is_certification: bool,
    /// Whether it is in another field of that state, or in none.
    pub(crate) is_moved: bool,
}

impl SignedState {
    /// Reads a signature of the newest state as in an earlier state.
    pub(crate) fn read(document: &mut Document, state: State, found: &FoundSignature) -> Result<Self, Fault> {
        if state == State(0) {
            return Ok(Self {
                field: found.field.clone(),
                lock: found.lock.clone(),
                is_certification: found.is_certification,
                is_moved: false,
            });
        }
        let mut view = document.view(state);
        let catalog = view.catalog()?;
        let permissions = view.dictionary(catalog.get(b"Perms"))?;
        let certification = permissions.get(b"DocMDP").as_reference().map(|id| id.number);
        let is_certification = found.value_object.is_some() && certification == found.value_object;
        let form = FormFields::read(&mut view)?;
        let has = |field: &&Field| refers_to(field, found.value_object);
        let own = found.field_object.and_then(|number| form.field(number));
        let own = own.filter(|field| found.value_object.is_none() || has(field));
        let is_same = is_same(document, state, found)?;
        let Some(field) = own.or_else(|| form.fields.iter().find(has)).filter(|_| is_same) else {
            // Poppler and node-signpdf add fields to pages alone
            let mut view = document.view(state);
            if let Some(shown) = fields::shown_in(&mut view, &form, found)?.filter(|_| is_same) {
                return Ok(Self { field: shown.field, lock: shown.lock, is_certification, is_moved: false });
            }
            let is_moved = !is_same || found.field_object.is_some() || !is_certification;
            return Ok(Self { field: None, lock: Object::Null, is_certification, is_moved });
        };
        // whether other fields have it now that did not have it then
        let is_shown_again = found.again.iter().any(|again| !form.field(*again).is_some_and(|field| has(&field)));
        Ok(Self {
            field: Some(field.name.clone()).filter(|name| !name.is_empty()),
            lock: field.dictionary().get(b"Lock").clone(),
            is_certification,
            is_moved: field.number != found.field_object || is_shown_again,
        })
    }
}

/// Whether the signature's object was at the same offset, so that the parsed dictionary is the signed one.
fn is_same(document: &mut Document, state: State, found: &FoundSignature) -> Result<bool, Fault> {
    let Some(number) = found.value_object.or(found.field_object) else { return Ok(false) };
    Ok(document.entry(State(0), number)? == document.entry(state, number)?)
}

fn refers_to(field: &Field, value: Option<u32>) -> bool {
    value.is_some() && field.dictionary().get(b"V").as_reference().map(|id| id.number) == value
}
