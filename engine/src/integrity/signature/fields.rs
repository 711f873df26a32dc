//! Finds the signatures: values of signature fields (ISO 32000-1, 12.7.4.5), and the certification that the catalog
//! names (12.8.4). Usage rights (12.8.2.3) are left out: they open functions of a viewer and say nothing about content.

use std::collections::BTreeSet;

use memchr::memmem::Finder;

use super::contents::{self, ContentsPlace};
use crate::document::Document;
use crate::failure::Fault;
use crate::syntax::dictionary::Picked;
use crate::syntax::key::Key;
use crate::syntax::object::Object;
use crate::text::text_string;
use crate::xref::entries::Entry;

/// Form fields that are looked at, by the API's contract.
pub(super) const FIELDS: usize = 1_000;
/// The longest field name that is kept, in bytes.
const LONGEST_NAME: usize = 4_096;

/// A signature as the file has it.
#[derive(Debug)]
pub(crate) struct FoundSignature {
    pub(crate) field: Option<String>,
    pub(crate) field_object: Option<u32>,
    pub(crate) value_object: Option<u32>,
    /// Numbers of further fields that have the same value; none where one is no object of its own.
    pub(crate) again: Vec<Option<u32>>,
    /// The signature dictionary (12.8.1, table 252).
    pub(crate) value: Picked,
    /// Where its `/Contents` stands.
    pub(crate) contents: ContentsPlace,
    /// What the field locks once it is signed (12.7.4.5, table 233), as the field has it.
    pub(crate) lock: Object,
    /// Whether the catalog names it as the document's certification.
    pub(crate) is_certification: bool,
}

/// A field that is yet to be looked at, with what it inherits.
struct Pending {
    object: Object,
    name: String,
    is_signature: bool,
}

/// What the search for signatures comes to.
#[derive(Debug, Default)]
pub(crate) struct Search {
    /// All signatures, in the order of the form.
    pub(crate) found: Vec<FoundSignature>,
    /// Whether there are more fields than are looked at.
    pub(crate) is_cut: bool,
    certification: Option<u32>,
    /// Numbers of fields and values that were seen: neither counts twice.
    fields: BTreeSet<u32>,
    values: BTreeSet<u32>,
}

/// Looks for signatures in the file as it is.
pub(crate) fn find(document: &mut Document, catalog: &Picked) -> Result<Search, Fault> {
    let permissions = document.dictionary(catalog.get(Key::Perms))?.into_owned();
    let certification = permissions.get(Key::DocMDP).as_reference().map(|id| id.number);
    let form = document.dictionary(catalog.get(Key::AcroForm))?.into_owned();
    let fields = document.resolve(form.get(Key::Fields))?.into_owned();
    let mut search = Search { certification, ..Search::default() };
    search.walk(document, fields.elements())?;
    // a certification without a field is one all the same
    search.value(document, Pending::new(&Object::Null), permissions.get(Key::DocMDP), &Picked::default())?;
    Ok(search)
}

impl Search {
    fn walk(&mut self, document: &mut Document, fields: &[Object]) -> Result<(), Fault> {
        let words = [Finder::new("Sig"), Finder::new("Kids")];
        self.is_cut = fields.len() > FIELDS;
        let mut level: Vec<Pending> = fields.iter().take(FIELDS).map(Pending::new).collect();
        let mut left = FIELDS;
        while !level.is_empty() && left > 0 {
            self.is_cut |= level.len() > left;
            level.truncate(left);
            left -= level.len();
            let objects: Vec<Object> = level.iter().map(|pending| pending.object.clone()).collect();
            document.prefetch_many(&objects)?;
            let mut next = Vec::new();
            for pending in level {
                let is_new = pending.object.as_reference().is_none_or(|id| self.fields.insert(id.number));
                if is_new && (pending.is_signature || document.may_mention(&pending.object, &words)?) {
                    self.field(document, pending, &mut next)?;
                }
            }
            level = next;
        }
        self.is_cut |= !level.is_empty();
        Ok(())
    }

    fn field(&mut self, document: &mut Document, mut field: Pending, next: &mut Vec<Pending>) -> Result<(), Fault> {
        let dictionary = document.dictionary(&field.object)?.into_owned();
        field.inherit(document, &dictionary)?;
        let kids = document.resolve(dictionary.get(Key::Kids))?.into_owned();
        self.is_cut |= kids.elements().len() > FIELDS;
        next.extend(kids.elements().iter().take(FIELDS).map(|kid| Pending {
            object: kid.clone(),
            name: field.name.clone(),
            is_signature: field.is_signature,
        }));
        if field.is_signature {
            self.value(document, field, dictionary.get(Key::V), &dictionary)?;
        }
        Ok(())
    }

    /// Notes a signature that has not been seen yet, if the value is one.
    fn value(
        &mut self,
        document: &mut Document,
        field: Pending,
        value: &Object,
        dictionary: &Picked,
    ) -> Result<(), Fault> {
        let value_object = value.as_reference().map(|id| id.number);
        let field_object = field.object.as_reference().map(|id| id.number);
        if value_object.is_some_and(|number| !self.values.insert(number)) {
            let known = self.found.iter_mut().find(|known| known.value_object == value_object);
            // what the catalog names is in no further field
            if let Some(known) = known.filter(|_| !field.object.is_null()) {
                known.again.push(field_object);
            }
            return Ok(());
        }
        let resolved = document.resolve(value)?.into_owned();
        let Object::Dictionary(signature) = resolved else { return Ok(()) };
        let contents = match value_object.or(field_object) {
            Some(number) => place(document, number, value_object.is_none())?,
            None => ContentsPlace::Missing,
        };
        self.found.push(FoundSignature {
            field: Some(field.name).filter(|name| !name.is_empty()),
            field_object,
            value_object,
            again: Vec::new(),
            value: signature,
            contents,
            lock: dictionary.get(Key::Lock).clone(),
            is_certification: value_object.is_some() && value_object == self.certification,
        });
        Ok(())
    }
}

impl Pending {
    fn new(object: &Object) -> Self {
        Self { object: object.clone(), name: String::new(), is_signature: false }
    }

    /// Adds what the field says itself: its part of the full name (12.7.3.2), and its type.
    fn inherit(&mut self, document: &mut Document, dictionary: &Picked) -> Result<(), Fault> {
        let kind = document.resolve(dictionary.get(Key::FT))?;
        if !kind.is_null() {
            self.is_signature = kind.is_name(b"Sig");
        }
        let part = document.resolve(dictionary.get(Key::T))?.as_string().and_then(text_string::decode);
        if let Some(part) = part.filter(|part| self.name.len() + part.len() < LONGEST_NAME) {
            let point = if self.name.is_empty() { "" } else { "." };
            self.name = format!("{}{point}{part}", self.name);
        }
        Ok(())
    }
}

/// The place of `/Contents` in the object `number`, or in the dictionary that is its `/V`. Objects in object streams
/// have none.
fn place(document: &mut Document, number: u32, in_field: bool) -> Result<ContentsPlace, Fault> {
    match document.xref.entry(number, &mut document.reader, &mut document.budget)? {
        Entry::At(offset) => contents::find(document, offset, in_field.then_some(b"V")),
        _ => Ok(ContentsPlace::Missing),
    }
}
