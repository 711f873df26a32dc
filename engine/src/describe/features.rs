//! What kinds of content the catalog tells of (ISO 32000-1, 7.7.2).

use std::collections::BTreeSet;

use memchr::memmem::Finder;

use crate::document::File;
use crate::failure::Fault;
use crate::metadata::{Features, Form};
use crate::syntax::object::{Dictionary, Object};

/// Form fields that are looked at for a signature, by the API's contract.
const FIELDS: usize = 1_000;

/// Looks for each feature where the catalog keeps it.
pub(crate) fn find(file: &mut File, catalog: &Dictionary) -> Result<Features, Fault> {
    let keys =
        [b"AcroForm".as_slice(), b"Names", b"MarkInfo", b"OpenAction", b"AA", b"AF", b"Outlines", b"OCProperties"];
    file.prefetch(keys.iter().map(|key| catalog.get(key)))?;
    let names = file.dictionary(catalog.get(b"Names"))?;
    let form = file.dictionary(catalog.get(b"AcroForm"))?;
    let fields = file.resolve(form.get(b"Fields"))?;
    Ok(Features {
        tagged: is_tagged(file, catalog)?,
        signatures: is_signed(file, &form, fields.elements())?,
        javascript: is_filled(file, names.get(b"JavaScript"))? || has_scripts(file, catalog)?,
        attachments: is_filled(file, names.get(b"EmbeddedFiles"))? || is_filled(file, catalog.get(b"AF"))?,
        outlines: file.dictionary(catalog.get(b"Outlines"))?.has(b"First"),
        layers: has_layers(file, catalog)?,
        form: if is_filled(file, form.get(b"XFA"))? {
            Form::Xfa
        } else if fields.elements().is_empty() {
            Form::None
        } else {
            Form::AcroForm
        },
    })
}

/// Whether a name tree, an array or a dictionary holds anything (7.9.6 for name trees).
fn is_filled(file: &mut File, object: &Object) -> Result<bool, Fault> {
    if object.is_null() {
        return Ok(false);
    }
    Ok(match &*file.resolve(object)? {
        Object::Array(elements) => !elements.is_empty(),
        Object::Dictionary(tree) => {
            let leaves = file.resolve(tree.get(b"Names"))?;
            let kids = file.resolve(tree.get(b"Kids"))?;
            let is_tree = !leaves.is_null() || !kids.is_null();
            if is_tree { !leaves.elements().is_empty() || !kids.elements().is_empty() } else { !tree.is_empty() }
        }
        other => !other.is_null(),
    })
}

fn is_tagged(file: &mut File, catalog: &Dictionary) -> Result<bool, Fault> {
    let marks = file.dictionary(catalog.get(b"MarkInfo"))?;
    Ok(file.resolve(marks.get(b"Marked"))?.as_bool() == Some(true))
}

/// A script on opening the document or on any other event of it (12.6.3).
fn has_scripts(file: &mut File, catalog: &Dictionary) -> Result<bool, Fault> {
    let on_open = file.dictionary(catalog.get(b"OpenAction"))?;
    let is_script = file.resolve(on_open.get(b"S"))?.is_name(b"JavaScript");
    Ok(is_script || !file.dictionary(catalog.get(b"AA"))?.is_empty())
}

fn has_layers(file: &mut File, catalog: &Dictionary) -> Result<bool, Fault> {
    let properties = file.dictionary(catalog.get(b"OCProperties"))?;
    Ok(!file.resolve(properties.get(b"OCGs"))?.elements().is_empty())
}

fn is_signed(file: &mut File, form: &Dictionary, fields: &[Object]) -> Result<bool, Fault> {
    let flags = file.resolve(form.get(b"SigFlags"))?.as_integer().unwrap_or(0);
    if flags & 1 == 1 {
        return Ok(true);
    }
    let words = [Finder::new("Sig"), Finder::new("Kids")];
    let (mut level, mut left, mut seen) = (fields.to_vec(), FIELDS, BTreeSet::new());
    while !level.is_empty() && left > 0 {
        level.truncate(left);
        left -= level.len();
        file.prefetch_many(&level)?;
        let mut next = Vec::new();
        for field in &level {
            if field.as_reference().is_some_and(|id| !seen.insert(id.number)) {
                continue;
            }
            if !file.may_mention(field, &words)? {
                continue;
            }
            let field = file.dictionary(field)?;
            if field.get(b"FT").is_name(b"Sig") && file.resolve(field.get(b"V"))?.as_dictionary().is_some() {
                return Ok(true);
            }
            next.extend_from_slice(file.resolve(field.get(b"Kids"))?.elements());
        }
        level = next;
    }
    Ok(false)
}
