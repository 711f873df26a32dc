//! What kinds of content the catalog tells of (ISO 32000-1, 7.7.2).

use std::collections::BTreeSet;

use memchr::memmem::Finder;

use crate::document::Document;
use crate::failure::Fault;
use crate::metadata::{Features, Form};
use crate::syntax::dictionary::Picked;
use crate::syntax::key::Key;
use crate::syntax::object::Object;

/// Form fields that are looked at for a signature, by the API's contract.
const FIELDS: usize = 1_000;

/// Looks for each feature where the catalog keeps it.
pub(crate) fn find(document: &mut Document, catalog: &Picked) -> Result<Features, Fault> {
    let keys =
        [Key::AcroForm, Key::Names, Key::MarkInfo, Key::OpenAction, Key::AA, Key::AF, Key::Outlines, Key::OCProperties];
    document.prefetch(keys.map(|key| catalog.get(key)))?;
    let names = document.dictionary(catalog.get(Key::Names))?;
    let form = document.dictionary(catalog.get(Key::AcroForm))?;
    let fields = document.resolve(form.get(Key::Fields))?;
    Ok(Features {
        tagged: is_tagged(document, catalog)?,
        signatures: is_signed(document, &form, fields.elements())?,
        javascript: is_filled(document, names.get(Key::JavaScript))? || has_scripts(document, catalog)?,
        attachments: is_filled(document, names.get(Key::EmbeddedFiles))? || is_filled(document, catalog.get(Key::AF))?,
        outlines: document.dictionary(catalog.get(Key::Outlines))?.has(Key::First),
        layers: has_layers(document, catalog)?,
        form: if is_filled(document, form.get(Key::XFA))? {
            Form::Xfa
        } else if fields.elements().is_empty() {
            Form::None
        } else {
            Form::AcroForm
        },
    })
}

/// Whether a name tree, an array or a dictionary holds anything (7.9.6 for name trees).
fn is_filled(document: &mut Document, object: &Object) -> Result<bool, Fault> {
    if object.is_null() {
        return Ok(false);
    }
    Ok(match &*document.resolve(object)? {
        Object::Array(elements) => !elements.is_empty(),
        Object::Dictionary(tree) => {
            let leaves = document.resolve(tree.get(Key::Names))?;
            let kids = document.resolve(tree.get(Key::Kids))?;
            let is_tree = !leaves.is_null() || !kids.is_null();
            if is_tree { !leaves.elements().is_empty() || !kids.elements().is_empty() } else { !tree.is_empty() }
        }
        other => !other.is_null(),
    })
}

fn is_tagged(document: &mut Document, catalog: &Picked) -> Result<bool, Fault> {
    let marks = document.dictionary(catalog.get(Key::MarkInfo))?;
    Ok(document.resolve(marks.get(Key::Marked))?.as_bool() == Some(true))
}

/// A script on opening the document or on any other event of it (12.6.3).
fn has_scripts(document: &mut Document, catalog: &Picked) -> Result<bool, Fault> {
    let on_open = document.dictionary(catalog.get(Key::OpenAction))?;
    let is_script = document.resolve(on_open.get(Key::S))?.is_name(b"JavaScript");
    Ok(is_script || !document.dictionary(catalog.get(Key::AA))?.is_empty())
}

fn has_layers(document: &mut Document, catalog: &Picked) -> Result<bool, Fault> {
    let properties = document.dictionary(catalog.get(Key::OCProperties))?;
    Ok(!document.resolve(properties.get(Key::OCGs))?.elements().is_empty())
}

fn is_signed(document: &mut Document, form: &Picked, fields: &[Object]) -> Result<bool, Fault> {
    let flags = document.resolve(form.get(Key::SigFlags))?.as_integer().unwrap_or(0);
    if flags & 1 == 1 {
        return Ok(true);
    }
    let words = [Finder::new("Sig"), Finder::new("Kids")];
    // each with whether the field above it is for a signature (12.7.3.1)
    let mut level: Vec<(Object, bool)> = fields.iter().map(|field| (field.clone(), false)).collect();
    let (mut left, mut seen) = (FIELDS, BTreeSet::new());
    while !level.is_empty() && left > 0 {
        level.truncate(left);
        left -= level.len();
        let objects: Vec<Object> = level.iter().map(|(field, _)| field.clone()).collect();
        document.prefetch_many(&objects)?;
        let mut next = Vec::new();
        for (field, inherits) in &level {
            if field.as_reference().is_some_and(|id| !seen.insert(id.number)) {
                continue;
            }
            if !inherits && !document.may_mention(field, &words)? {
                continue;
            }
            let field = document.dictionary(field)?;
            let kind = field.get(Key::FT);
            let is_signature = kind.is_name(b"Sig") || (*inherits && kind.is_null());
            if is_signature && document.resolve(field.get(Key::V))?.as_dictionary().is_some() {
                return Ok(true);
            }
            let kids = document.resolve(field.get(Key::Kids))?;
            next.extend(kids.elements().iter().map(|kid| (kid.clone(), is_signature)));
        }
        level = next;
    }
    Ok(false)
}
