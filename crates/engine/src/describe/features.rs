//! Kinds of content (ISO 32000-1, 7.7.2): those in the catalog, and scripts and attachments of the form and of the
//! pages whose content was read.

use std::rc::Rc;

use super::scripts::Triggers;
use crate::metadata::{ExaminedFeatures, Features, Form as FormKind};
use pdf_syntax::document::Document;
use pdf_syntax::document::form::{Field, FormFields};
use pdf_syntax::document::objects::{Body, State};
use pdf_syntax::document::pages::{Leaf, PageLeaf};
use pdf_syntax::document::view::View;
use pdf_syntax::failure::{Fault, tried};
use pdf_syntax::syntax::dictionary::Dictionary;
use pdf_syntax::syntax::object::Object;

/// Maximum nodes of a name tree, and its maximum depth.
const MAX_NODES: usize = 1_000;
const MAX_NAME_TREE_DEPTH: usize = 32;
/// Maximum annotations of a page.
const MAX_ANNOTATIONS: usize = 2_000;

/// Finds features in the catalog and the form.
pub(crate) fn find(document: &mut Document, catalog: &Dictionary, form: &FormFields) -> Result<Features, Fault> {
    let keys = [b"Names".as_slice(), b"MarkInfo", b"OpenAction", b"AA", b"AF", b"Outlines", b"OCProperties"];
    let view = &mut document.newest();
    view.prefetch(keys.map(|key| catalog.get(key)))?;
    let names = view.dictionary(catalog.get(b"Names"))?;
    let is_signed = is_signed(view, catalog, form)?;
    let mut is_part = form.is_cut;
    let javascript = has_names(view, names.get(b"JavaScript"))?.or_part(&mut is_part)
        || has_scripts(view, catalog, form)?.or_part(&mut is_part);
    let attachments =
        has_names(view, names.get(b"EmbeddedFiles"))?.or_part(&mut is_part) || is_filled(view, catalog.get(b"AF"))?;
    Ok(Features {
        tagged: is_tagged(view, catalog)?,
        signatures: is_signed,
        signature_fields: form.fields.iter().any(Field::is_signature),
        javascript,
        attachments,
        outlines: view.dictionary(catalog.get(b"Outlines"))?.has(b"First"),
        layers: has_layers(view, catalog)?,
        form: if is_filled(view, form.dictionary.get(b"XFA"))? {
            FormKind::Xfa
        } else if view.resolve(form.dictionary.get(b"Fields"))?.elements().is_empty() {
            FormKind::None
        } else {
            FormKind::AcroForm
        },
        // page content comes last
        image_only: None,
        examined: if is_part { ExaminedFeatures::Part } else { ExaminedFeatures::All },
    })
}

/// Finds scripts and attachments of these pages, the first ones of `count`: they were read for their content already,
/// so that hardly any read is added.
///
/// # Errors
/// Only that the source could not be read, or the deadline has passed.
pub(crate) fn find_on_pages(
    document: &mut Document,
    pages: &[PageLeaf],
    count: u64,
    features: &mut Features,
) -> Result<(), Fault> {
    let mut view = document.view(State(0));
    let mut is_part = count > pages.len() as u64;
    if !features.javascript || !features.attachments {
        let found = tried(PageSearch::of(&mut view, pages))?;
        is_part |= found.is_none();
        let search = found.unwrap_or_default();
        is_part |= search.is_part;
        if !features.attachments {
            features.attachments = tried(search.has_attachment(&mut view))?.or_part(&mut is_part);
        }
        if !features.javascript {
            features.javascript = tried(search.triggers.have_script(&mut view))?.flatten().or_part(&mut is_part);
        }
    }
    if is_part && !(features.javascript && features.attachments) {
        features.examined = ExaminedFeatures::Part;
    }
    Ok(())
}

/// Returns a default and marks the answer as incomplete if it exceeds the budget.
trait OrPart {
    fn or_part(self, is_part: &mut bool) -> bool;
}

impl OrPart for Option<bool> {
    fn or_part(self, is_part: &mut bool) -> bool {
        *is_part |= self.is_none();
        self.unwrap_or(false)
    }
}

/// References of pages and annotations.
#[derive(Default)]
struct PageSearch {
    triggers: Triggers,
    /// `/AF` of pages and annotations (ISO 32000-2, 14.13).
    associated: Vec<Object>,
    /// `/FS` of file attachment annotations (12.5.6.15).
    files: Vec<Object>,
    is_part: bool,
}

impl PageSearch {
    fn of(view: &mut View, pages: &[PageLeaf]) -> Result<Self, Fault> {
        let mut search = Self::default();
        for page in pages {
            match &page.leaf {
                Leaf::Object(number) => {
                    let body: Option<Rc<Body>> = view.object(*number)?;
                    let page = body.as_ref().and_then(|body| body.dictionary());
                    search.page(view, page.unwrap_or(Dictionary::empty()))?;
                }
                Leaf::Inline(page) => search.page(view, page.as_dictionary().unwrap_or(Dictionary::empty()))?,
                Leaf::Nothing => {}
            }
        }
        Ok(search)
    }

    fn page(&mut self, view: &mut View, page: &Dictionary) -> Result<(), Fault> {
        self.take(page);
        if page.get(b"Annots").is_null() {
            return Ok(());
        }
        let annotations = view.resolve(page.get(b"Annots"))?;
        self.is_part |= annotations.elements().len() > MAX_ANNOTATIONS;
        for annotation in annotations.elements().iter().take(MAX_ANNOTATIONS) {
            let annotation = view.dictionary(annotation)?;
            self.take(&annotation);
            if annotation.get(b"Subtype").is_name(b"FileAttachment") {
                self.files.push(annotation.get(b"FS").clone());
            }
        }
        Ok(())
    }

    fn take(&mut self, dictionary: &Dictionary) {
        self.triggers.take(dictionary);
        let associated = dictionary.get(b"AF");
        if !associated.is_null() {
            self.associated.push(associated.clone());
        }
    }

    /// Whether a file is embedded; a name alone is external (7.11.3).
    fn has_attachment(&self, view: &mut View) -> Result<bool, Fault> {
        view.prefetch_many(self.associated.iter().chain(&self.files))?;
        for associated in &self.associated {
            if is_filled(view, associated)? {
                return Ok(true);
            }
        }
        for file in &self.files {
            let specification = view.dictionary(file)?;
            if !view.dictionary(specification.get(b"EF"))?.is_empty() {
                return Ok(true);
            }
        }
        Ok(false)
    }
}

/// Whether an array or a dictionary is not empty.
fn is_filled(view: &mut View, object: &Object) -> Result<bool, Fault> {
    if object.is_null() {
        return Ok(false);
    }
    Ok(match &*view.resolve(object)? {
        Object::Array(elements) => !elements.is_empty(),
        Object::Dictionary(entries) => !entries.is_empty(),
        other => !other.is_null(),
    })
}

/// Whether a name tree has a name (7.9.6); none if that exceeds the limits.
fn has_names(view: &mut View, root: &Object) -> Result<Option<bool>, Fault> {
    let mut level = vec![root.clone()];
    let mut left = MAX_NODES;
    for _ in 0..MAX_NAME_TREE_DEPTH {
        if level.iter().all(Object::is_null) {
            return Ok(Some(false));
        }
        if level.len() > left {
            return Ok(None);
        }
        left -= level.len();
        view.prefetch_many(&level)?;
        let mut next = Vec::new();
        for node in &level {
            let node = view.dictionary(node)?;
            if !view.resolve(node.get(b"Names"))?.elements().is_empty() {
                return Ok(Some(true));
            }
            let kids = view.resolve(node.get(b"Kids"))?;
            view.work(kids.elements().len())?;
            next.extend(kids.elements().iter().cloned());
        }
        level = next;
    }
    Ok(None)
}

fn is_tagged(view: &mut View, catalog: &Dictionary) -> Result<bool, Fault> {
    let marks = view.dictionary(catalog.get(b"MarkInfo"))?;
    Ok(view.resolve(marks.get(b"Marked"))?.as_bool() == Some(true))
}

/// Whether there is a script for opening the document, other document events (12.6.3), or fields; none if that exceeds
/// the limits.
fn has_scripts(view: &mut View, catalog: &Dictionary, form: &FormFields) -> Result<Option<bool>, Fault> {
    let mut triggers = Triggers::default();
    // otherwise it is a destination
    if view.resolve(catalog.get(b"OpenAction"))?.as_dictionary().is_some() {
        triggers.take_entry(catalog, b"OpenAction");
    }
    triggers.take(catalog);
    form.fields.iter().for_each(|field| triggers.take(field.dictionary()));
    triggers.have_script(view)
}

fn has_layers(view: &mut View, catalog: &Dictionary) -> Result<bool, Fault> {
    let properties = view.dictionary(catalog.get(b"OCProperties"))?;
    Ok(!view.resolve(properties.get(b"OCGs"))?.elements().is_empty())
}

/// Whether the document is signed: a signature field has a value, or the catalog names a certification (12.8.4).
fn is_signed(view: &mut View, catalog: &Dictionary, form: &FormFields) -> Result<bool, Fault> {
    for field in form.fields.iter().filter(|field| field.is_signature()) {
        if view.resolve(field.dictionary().get(b"V"))?.as_dictionary().is_some() {
            return Ok(true);
        }
    }
    let permissions = view.dictionary(catalog.get(b"Perms"))?;
    Ok(view.resolve(permissions.get(b"DocMDP"))?.as_dictionary().is_some())
}
