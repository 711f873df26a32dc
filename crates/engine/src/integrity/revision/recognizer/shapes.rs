//! The form of new objects: the entries that each may have and what these may reference (ISO 32000-1, 12.5, 12.7 and
//! 12.8).

use super::claim::Claim;
use super::{Explained, Operation, Recognizer};
use pdf_syntax::document::objects::Body;
use pdf_syntax::failure::Fault;
use crate::integrity::revision::equal::is_strict_body;
use crate::integrity::revision::roles::links;
use crate::integrity::revision::signature_field_template;
use crate::integrity::revision::structure::role::is_signature;
use crate::integrity::revision::vocabulary::{LONGEST_NAME, is_note, is_plain, is_private, is_rectangle, note_key};
use pdf_syntax::syntax::dictionary::Dictionary;
use pdf_syntax::syntax::object::Object;

/// Entries of a structure element that only tags an object (14.7.2).
const TAG: [&[u8]; 12] =
    [b"Type", b"S", b"P", b"Pg", b"K", b"ID", b"Obj", b"MCID", b"Kids", b"Nums", b"Limits", b"Stm"];

impl Recognizer<'_, '_, '_> {
    /// Whether a new object has the form that it was claimed with.
    pub(super) fn shape(&mut self, number: u32, claim: Claim, body: &Body) -> Result<Explained, Fault> {
        let state = self.step.pair.new;
        if claim != Claim::Private && !is_strict_body(self.examiner.document, state, body)? {
            return Ok(Explained::Unknown(format!("viewers may read object {number} differently")));
        }
        if claim != Claim::Private && !has_plain_keys(&body.object) {
            return Ok(Explained::Unknown(format!("viewers may read the names of object {number} differently")));
        }
        let is_stream = body.stream.is_some();
        let entries = body.dictionary();
        Ok(match (claim, entries) {
            // compared where they are referenced
            (Claim::Form, Some(_)) if !is_stream => Explained::Operation(Operation::Sign),
            (Claim::List, None) if matches!(body.object, Object::Array(_)) => Explained::Operation(Operation::Sign),
            (Claim::Field, Some(field)) if !is_stream => return self.field_shape(number, field),
            (Claim::Note(page), Some(note)) if !is_stream => self.note_shape(note, page),
            (Claim::AppearanceResource, _) => self.appearance_resource_shape(&body.object),
            (Claim::Value, Some(value)) if !is_stream && is_signature(value) => {
                self.claim_signature(value);
                Explained::Operation(Operation::Sign)
            }
            (Claim::Value, None) if links(&body.object).is_empty() => Explained::Operation(Operation::Fill),
            // rich text (12.7.3.4)
            (Claim::Value, Some(_)) if is_stream => Explained::Operation(Operation::Fill),
            (Claim::Validation, _) => {
                self.claim(&body.object, Claim::Validation);
                Explained::Operation(Operation::Validate)
            }
            (Claim::Information, Some(_)) if !is_stream => {
                self.claim(&body.object, Claim::Private);
                Explained::Operation(Operation::Describe)
            }
            (Claim::Metadata, Some(_)) if is_stream => Explained::Operation(Operation::Describe),
            (Claim::Tag, Some(tag)) if !is_stream => self.tag_shape(tag),
            (Claim::Tag, None) => {
                self.claim(&body.object, Claim::Tag);
                Explained::Operation(Operation::Tag)
            }
            (Claim::Private, _) => {
                self.claim(&body.object, Claim::Private);
                Explained::Housekeeping
            }
            _ => Explained::Unknown(format!("object {number}, which is new, is not what its place calls for")),
        })
    }

    /// A new signature field or its widget.
    fn field_shape(&mut self, number: u32, field: &Dictionary) -> Result<Explained, Fault> {
        let [_, form] = &self.step.forms;
        let above = form.field(number).and_then(|field| field.line.last().copied());
        let top = above.filter(|above| self.claimed.get(above) == Some(&Claim::Field)).unwrap_or(number);
        if signature_field_template::signature_field(self.examiner, self.step, top)?.is_none() {
            let name = String::from_utf8_lossy(field.get(b"T").as_string().unwrap_or_default()).into_owned();
            return Ok(Explained::Unknown(format!(
                "the new form field \u{201c}{name}\u{201d} is not only one for a signature"
            )));
        }
        self.claim(field.get(b"Kids"), Claim::Field);
        self.claim(field.get(b"V"), Claim::Value);
        for key in [b"AP".as_slice(), b"DR", b"MK", b"BS"] {
            self.claim(field.get(key), Claim::AppearanceResource);
        }
        for key in [b"Lock".as_slice(), b"SV"] {
            self.claim(field.get(key), Claim::Private);
        }
        for (_, value) in field.iter().filter(|(key, _)| is_private(key.as_bytes())) {
            self.claim(value, Claim::Private);
        }
        Ok(Explained::Operation(Operation::Sign))
    }

    /// Claims the references of a signature: its transform methods' parameters and their object (12.8.1).
    pub(super) fn claim_signature(&mut self, signature: &Dictionary) {
        for (_, value) in signature.iter() {
            for link in links(value).into_iter().filter(|link| link.inner != b"Data") {
                self.claim_number(link.target.number, Claim::Private);
            }
        }
    }

    /// A new note: of a kind that only displays text, without actions.
    pub(super) fn note_shape(&mut self, note: &Dictionary, page: u32) -> Explained {
        let subtype = note.get(b"Subtype").as_name().unwrap_or_default();
        if !is_note(subtype) {
            let name = String::from_utf8_lossy(subtype).into_owned();
            return Explained::Unknown(format!("an annotation of kind {name} was added"));
        }
        for (key, value) in note.iter() {
            let key = key.as_bytes();
            match key {
                b"Rect" if !is_rectangle(value) => {
                    return Explained::Unknown("an annotation was added that has no place".to_owned());
                }
                b"P" if value.as_reference().is_some_and(|id| id.number == page) => {}
                b"P" => {
                    return Explained::Unknown("an annotation was added that says it is on another page".to_owned());
                }
                // annotations that the page lists itself
                b"Popup" | b"IRT" | b"Parent" => {
                    let Some(number) = value.as_reference().map(|id| id.number) else {
                        return Explained::Unknown("an annotation was added without a page of its own".to_owned());
                    };
                    if !self.roles.is_reached(number) {
                        self.claim_number(number, Claim::Note(page));
                    }
                }
                b"AP" => self.claim(value, Claim::AppearanceResource),
                _ if is_private(key) => self.claim(value, Claim::Private),
                _ if note_key(key) => self.claim(value, Claim::AppearanceResource),
                _ => {
                    let key = String::from_utf8_lossy(key).into_owned();
                    return Explained::Unknown(format!("an annotation was added that has an entry /{key}"));
                }
            }
        }
        Explained::Operation(Operation::Annotate)
    }

    /// A drawing resource: everything that it references is one as well, and existed unchanged or is new.
    pub(super) fn appearance_resource_shape(&mut self, object: &Object) -> Explained {
        if has_key(object, b"OC") || has_key(object, b"Properties") {
            return Explained::Unknown("an appearance was added whose visibility depends on layers".to_owned());
        }
        self.claim(object, Claim::AppearanceResource);
        Explained::Operation(Operation::Fill)
    }

    fn tag_shape(&mut self, tag: &Dictionary) -> Explained {
        if let Some((key, _)) = tag.iter().find(|(key, _)| !TAG.contains(&key.as_bytes())) {
            let key = String::from_utf8_lossy(key.as_bytes()).into_owned();
            return Explained::Unknown(format!("a structure element was added that has an entry /{key}"));
        }
        for key in [b"K".as_slice(), b"Kids", b"Nums"] {
            for link in links(tag.get(key)).into_iter().filter(|link| !matches!(link.inner, b"Obj" | b"Pg")) {
                self.claim_number(link.target.number, Claim::Tag);
            }
        }
        Explained::Operation(Operation::Tag)
    }
}

/// Whether every viewer reads the keys of a value in the same way, except characters outside ASCII.
pub(super) fn has_plain_keys(object: &Object) -> bool {
    match object {
        Object::Array(elements) => elements.iter().all(has_plain_keys),
        Object::Dictionary(entries) => entries.iter().all(|(key, value)| {
            let ascii: Vec<u8> = key.as_bytes().iter().copied().filter(|letter| *letter < 0x80).collect();
            key.as_bytes().len() <= LONGEST_NAME && is_plain(&ascii) && has_plain_keys(value)
        }),
        _ => true,
    }
}

/// Whether a dictionary or a nested one has a key.
fn has_key(object: &Object, wanted: &[u8]) -> bool {
    match object {
        Object::Array(elements) => elements.iter().any(|element| has_key(element, wanted)),
        Object::Dictionary(entries) => {
            entries.iter().any(|(key, value)| key.as_bytes() == wanted || has_key(value, wanted))
        }
        _ => false,
    }
}
