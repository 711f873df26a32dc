//! What is read of each state: its pages, its form and its signatures.

use std::collections::BTreeMap;
use std::rc::Rc;

use super::examiner::Examiner;
use super::object_change::ObjectChange;
use super::structure::role::Role;
use super::structure::signatures::{SignedField, signatures};
use pdf_syntax::document::form::FormFields;
use pdf_syntax::document::objects::State;
use pdf_syntax::document::pages::Pages;
use pdf_syntax::failure::Fault;

/// Signatures by their fields; `None` if there are too many fields.
type SignedFields = Option<BTreeMap<u32, SignedField>>;

/// The pages of a state, its form and its signatures.
#[derive(Clone)]
pub(super) struct StateStructure {
    pub(super) state: State,
    pub(super) pages: Rc<Pages>,
    pub(super) form: Rc<FormFields>,
    pub(super) signed: SignedFields,
}

impl StateStructure {
    /// Reads the structure of a state, except for known parts.
    pub(super) fn read(examiner: &mut Examiner, state: State, known: Known) -> Result<Self, Fault> {
        let view = &mut examiner.document.view(state);
        let pages = match known.pages {
            Some(pages) => pages,
            None => Rc::new(Pages::read(view, usize::MAX)?),
        };
        let (form, signed) = match known.form {
            Some(form) => form,
            None => {
                let form = Rc::new(FormFields::read(view)?);
                let signed = signatures(view, &form, &examiner.stamps)?;
                (form, signed)
            }
        };
        Ok(Self { state, pages, form, signed })
    }
}

/// The parts of a state's structure that are unchanged since the previous one.
#[derive(Default)]
pub(super) struct Known {
    pub(super) pages: Option<Rc<Pages>>,
    pub(super) form: Option<(Rc<FormFields>, SignedFields)>,
}

/// Whether a change of an object with this role leaves the page tree unchanged: a catalog with the same tree, or a page
/// that remains one.
pub(super) fn keeps_pages(change: &ObjectChange, role: Role) -> bool {
    match role {
        Role::Catalog => has_same(change, &[b"Pages"]),
        Role::Page => has_same(change, &[b"Type", b"Kids", b"Parent"]),
        Role::Node => false,
        _ => true,
    }
}

/// Whether a change of an object with this role leaves the form unchanged.
pub(super) fn keeps_form(change: &ObjectChange, role: Role) -> bool {
    match role {
        Role::Catalog => has_same(change, &[b"AcroForm"]),
        Role::Node
        | Role::Page
        | Role::PageResource
        | Role::Annotations
        | Role::Annotation
        | Role::Attached
        | Role::AppearanceResource
        | Role::Metadata
        | Role::Validation
        | Role::Structure
        | Role::Tag => true,
        _ => false,
    }
}

/// Whether both states are dictionaries with the same values of these keys.
fn has_same(change: &ObjectChange, keys: &[&[u8]]) -> bool {
    let [Some(old), Some(new)] = change.dictionaries() else { return false };
    !old.is_empty() && !new.is_empty() && keys.iter().all(|key| old.find(key) == new.find(key))
}
