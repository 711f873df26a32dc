//! Finds the signatures: values of signature fields (ISO 32000-1, 12.7.4.5) and the certification in the catalog
//! (12.8.4). Usage rights (12.8.2.3) are excluded: they unlock viewer functions and are independent of content.

use std::collections::BTreeMap;

use super::contents_entry::{self, ContentsPlace};
use pdf_syntax::document::Document;
use pdf_syntax::document::form::FormFields;
use pdf_syntax::document::objects::State;
use pdf_syntax::document::pages::{PageLeaf, Pages};
use pdf_syntax::document::view::View;
use pdf_syntax::failure::Fault;
use pdf_syntax::syntax::dictionary::Dictionary;
use pdf_syntax::syntax::object::Object;
use pdf_syntax::text::text_string;
use pdf_syntax::xref::entries::XrefEntry;

/// Maximum signatures examined.
const MAX_SIGNATURES: usize = 1_000;
/// Maximum pages, and annotations of each, searched for signature fields outside of the form.
const MAX_PAGES: usize = 100;
const MAX_ANNOTATIONS: usize = 100;

/// A signature in the newest state.
#[derive(Debug, Default)]
pub(crate) struct FoundSignature {
    pub(crate) field: Option<String>,
    pub(crate) field_object: Option<u32>,
    pub(crate) value_object: Option<u32>,
    /// Numbers of other fields with the same value.
    pub(crate) again: Vec<u32>,
    /// The signature dictionary (12.8.1, table 252).
    pub(crate) value: Dictionary,
    /// The place of its `/Contents`.
    pub(crate) contents: ContentsPlace,
    /// The field's `/Lock` (12.7.4.5, table 233) in the newest state.
    pub(crate) lock: Object,
    /// Whether the catalog names it as the document's certification.
    pub(crate) is_certification: bool,
}

/// The result of the search.
#[derive(Debug, Default)]
pub(crate) struct FieldSearch {
    /// All signatures, in the order of the form.
    pub(crate) found: Vec<FoundSignature>,
    /// Whether there may be more.
    pub(crate) is_truncated: bool,
    certification: Option<u32>,
    /// The indexes of the values found, by object number, so that none counts twice.
    values: BTreeMap<u32, usize>,
}

/// Finds the signatures of the newest state.
pub(crate) fn find(document: &mut Document, catalog: &Dictionary, form: &FormFields) -> Result<FieldSearch, Fault> {
    let permissions = document.newest().dictionary(catalog.get(b"Perms"))?;
    let certification = permissions.get(b"DocMDP").as_reference().map(|id| id.number);
    let mut search = FieldSearch { certification, is_truncated: form.is_cut, ..FieldSearch::default() };
    for field in form.fields.iter().filter(|field| field.is_signature()) {
        let found = FoundSignature {
            field: Some(field.name.clone()).filter(|name| !name.is_empty()),
            field_object: field.number,
            lock: field.dictionary().get(b"Lock").clone(),
            ..FoundSignature::default()
        };
        search.value(document, found, field.dictionary().get(b"V"))?;
    }
    search.widgets(document, form)?;
    // a certification does not need a field
    search.value(document, FoundSignature::default(), permissions.get(b"DocMDP"))?;
    Ok(search)
}

impl FieldSearch {
    /// Finds signature fields that pages show although the form no longer has them (12.5.6.19).
    fn widgets(&mut self, document: &mut Document, form: &FormFields) -> Result<(), Fault> {
        let mut view = document.view(State(0));
        let pages = Pages::read(&mut view, MAX_PAGES)?;
        for found in shown(&mut view, &pages.leaves, form)? {
            let value = found.value;
            self.value(document, found.signature, &value)?;
        }
        Ok(())
    }

    /// Adds a new signature, if the value is one.
    fn value(&mut self, document: &mut Document, found: FoundSignature, value: &Object) -> Result<(), Fault> {
        let value_object = value.as_reference().map(|id| id.number);
        if let Some(known) = value_object.and_then(|number| self.values.get(&number)) {
            // the catalog's certification is in no other field
            if let (Some(known), Some(field)) = (self.found.get_mut(*known), found.field_object) {
                known.again.push(field);
            }
            return Ok(());
        }
        let resolved = document.newest().resolve(value)?.into_owned();
        let Object::Dictionary(signature) = resolved else { return Ok(()) };
        if self.found.len() == MAX_SIGNATURES {
            self.is_truncated = true;
            return Ok(());
        }
        let contents = match value_object.or(found.field_object) {
            Some(number) => place(document, number, value_object.is_none())?,
            None => ContentsPlace::Missing,
        };
        self.values.extend(value_object.map(|number| (number, self.found.len())));
        let is_certification = value_object.is_some() && value_object == self.certification;
        self.found.push(FoundSignature { value_object, value: signature, contents, is_certification, ..found });
        Ok(())
    }
}

/// A signature field that a page shows but the form does not have.
struct ShownSignature {
    signature: FoundSignature,
    /// Its `/V`.
    value: Object,
}

/// The signature fields with values that these pages show and the form does not have.
fn shown(view: &mut View, pages: &[PageLeaf], form: &FormFields) -> Result<Vec<ShownSignature>, Fault> {
    let mut found = Vec::new();
    for page in pages.iter().take(MAX_PAGES) {
        let Some(page) = page.dictionary(view)? else { continue };
        let annotations = view.resolve(page.get(b"Annots"))?.into_owned();
        for annotation in annotations.elements().iter().take(MAX_ANNOTATIONS) {
            let number = annotation.as_reference().map(|id| id.number);
            if number.is_some_and(|number| form.field(number).is_some()) {
                continue;
            }
            let widget = view.dictionary(annotation)?.into_owned();
            if !widget.get(b"Subtype").is_name(b"Widget") {
                continue;
            }
            let parent = view.dictionary(widget.get(b"Parent"))?.into_owned();
            let own = |key: &[u8]| if widget.has(key) { widget.get(key) } else { parent.get(key) }.clone();
            let is_parents = !widget.has(b"V");
            let above = widget.get(b"Parent").as_reference().map(|id| id.number);
            if own(b"FT").is_name(b"Sig") && !own(b"V").is_null() {
                let field = view.resolve(&own(b"T"))?.as_string().and_then(text_string::decode);
                let field_object = if is_parents { above } else { number };
                let signature = FoundSignature { field, field_object, lock: own(b"Lock"), ..FoundSignature::default() };
                found.push(ShownSignature { signature, value: own(b"V") });
            }
        }
    }
    Ok(found)
}

/// Whether these pages show a signature that the form does not have: programs that copy pages may leave the form behind.
pub(crate) fn has_shown(document: &mut Document, pages: &[PageLeaf], form: &FormFields) -> Result<bool, Fault> {
    let view = &mut document.newest();
    for found in shown(view, pages, form)? {
        if view.resolve(&found.value)?.as_dictionary().is_some() {
            return Ok(true);
        }
    }
    Ok(false)
}

/// Returns the same signature as the pages of an earlier state show it, if the form of that state does not have it.
pub(crate) fn shown_in(
    view: &mut View,
    form: &FormFields,
    wanted: &FoundSignature,
) -> Result<Option<FoundSignature>, Fault> {
    let pages = Pages::read(view, MAX_PAGES)?;
    let is_wanted = |shown: &ShownSignature| {
        let value = shown.value.as_reference().map(|id| id.number);
        shown.signature.field_object == wanted.field_object && value.is_some() && value == wanted.value_object
    };
    Ok(shown(view, &pages.leaves, form)?.into_iter().find(is_wanted).map(|shown| shown.signature))
}

/// The place of `/Contents` in the object `number`, or in the dictionary that is its `/V`. Objects in object streams
/// have none.
fn place(document: &mut Document, number: u32, in_field: bool) -> Result<ContentsPlace, Fault> {
    match document.entry(State(0), number)? {
        XrefEntry::At(offset) => contents_entry::find(document, offset, in_field.then_some(b"V")),
        _ => Ok(ContentsPlace::Missing),
    }
}
