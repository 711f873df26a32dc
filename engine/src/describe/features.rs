//! What kinds of content the catalog tells of (ISO 32000-1, 7.7.2).

use crate::document::Document;
use crate::document::form::FormFields;
use crate::document::view::View;
use crate::failure::Fault;
use crate::metadata::{Features, Form as FormKind};
use crate::syntax::dictionary::Dictionary;
use crate::syntax::object::Object;

/// Looks for each feature where the catalog keeps it.
pub(crate) fn find(document: &mut Document, catalog: &Dictionary, form: &FormFields) -> Result<Features, Fault> {
    let keys = [b"Names".as_slice(), b"MarkInfo", b"OpenAction", b"AA", b"AF", b"Outlines", b"OCProperties"];
    let view = &mut document.newest();
    view.prefetch(keys.map(|key| catalog.get(key)))?;
    let names = view.dictionary(catalog.get(b"Names"))?;
    Ok(Features {
        tagged: is_tagged(view, catalog)?,
        signatures: is_signed(view, form)?,
        javascript: is_filled(view, names.get(b"JavaScript"))? || has_scripts(view, catalog)?,
        attachments: is_filled(view, names.get(b"EmbeddedFiles"))? || is_filled(view, catalog.get(b"AF"))?,
        outlines: view.dictionary(catalog.get(b"Outlines"))?.has(b"First"),
        layers: has_layers(view, catalog)?,
        form: if is_filled(view, form.dictionary.get(b"XFA"))? {
            FormKind::Xfa
        } else if view.resolve(form.dictionary.get(b"Fields"))?.elements().is_empty() {
            FormKind::None
        } else {
            FormKind::AcroForm
        },
        // what pages draw is looked at last
        image_only: None,
    })
}

/// Whether a name tree, an array or a dictionary holds anything (7.9.6 for name trees).
fn is_filled(view: &mut View, object: &Object) -> Result<bool, Fault> {
    if object.is_null() {
        return Ok(false);
    }
    Ok(match &*view.resolve(object)? {
        Object::Array(elements) => !elements.is_empty(),
        Object::Dictionary(tree) => {
            let leaves = view.resolve(tree.get(b"Names"))?;
            let kids = view.resolve(tree.get(b"Kids"))?;
            let is_tree = !leaves.is_null() || !kids.is_null();
            if is_tree { !leaves.elements().is_empty() || !kids.elements().is_empty() } else { !tree.is_empty() }
        }
        other => !other.is_null(),
    })
}

fn is_tagged(view: &mut View, catalog: &Dictionary) -> Result<bool, Fault> {
    let marks = view.dictionary(catalog.get(b"MarkInfo"))?;
    Ok(view.resolve(marks.get(b"Marked"))?.as_bool() == Some(true))
}

/// A script on opening the document or on any other event of it (12.6.3).
fn has_scripts(view: &mut View, catalog: &Dictionary) -> Result<bool, Fault> {
    let on_open = view.dictionary(catalog.get(b"OpenAction"))?;
    let is_script = view.resolve(on_open.get(b"S"))?.is_name(b"JavaScript");
    Ok(is_script || !view.dictionary(catalog.get(b"AA"))?.is_empty())
}

fn has_layers(view: &mut View, catalog: &Dictionary) -> Result<bool, Fault> {
    let properties = view.dictionary(catalog.get(b"OCProperties"))?;
    Ok(!view.resolve(properties.get(b"OCGs"))?.elements().is_empty())
}

/// Whether the form says that there are signatures, or has one.
fn is_signed(view: &mut View, form: &FormFields) -> Result<bool, Fault> {
    if view.integer(form.dictionary.get(b"SigFlags"))?.unwrap_or(0) & 1 == 1 {
        return Ok(true);
    }
    for field in form.fields.iter().filter(|field| field.is_signature()) {
        if view.resolve(field.dictionary().get(b"V"))?.as_dictionary().is_some() {
            return Ok(true);
        }
    }
    Ok(false)
}
