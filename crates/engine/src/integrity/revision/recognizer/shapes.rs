//! The form of new objects: the entries that each may have and what these may reference (ISO 32000-1, 12.5, 12.7 and
//! 12.8).

use super::claim::Claim;
use super::{Recognition, Recognizer, unknown};
use crate::integrity::clause::Clause;
use crate::integrity::clause::Word::{Key, Name, Quote};
use crate::integrity::revision::equal::is_strict_body;
use crate::integrity::revision::indeterminate::read_differently;
use crate::integrity::revision::signature_field_template::{self, drawn};
use crate::integrity::revision::structure::links::links;
use crate::integrity::revision::structure::role::is_signature;
use crate::integrity::revision::vocabulary::{LONGEST_NAME, is_note, is_plain, is_private, is_rectangle, note_key};
use pdf_content::Rectangle;
use pdf_syntax::document::objects::Body;
use pdf_syntax::syntax::dictionary::Dictionary;
use pdf_syntax::syntax::object::Object;
use pdf_syntax::text::text_string;

impl Recognizer<'_, '_, '_> {
    /// Whether a new object has the form that it was claimed with.
    pub(super) fn shape(&mut self, number: u32, claim: Claim, body: &Body) -> Recognition {
        let state = self.step.pair.new;
        if claim != Claim::Private && !is_strict_body(self.examiner.document, state, body)? {
            return unknown(read_differently(number));
        }
        if claim != Claim::Private && !has_plain_keys(&body.object) {
            return unknown(Clause::of("viewers may read the names of object {} differently", &[number.into()]));
        }
        let is_drawn = !matches!(claim, Claim::Private | Claim::Metadata | Claim::Validation | Claim::Information);
        if is_drawn && let Some(what) = self.undecrypted(number, body)? {
            return unknown(what);
        }
        if matches!(claim, Claim::Field | Claim::Note(_) | Claim::AppearanceResource) {
            self.entry_types(&body.object)?;
        }
        let is_stream = body.stream.is_some();
        match (claim, body.dictionary()) {
            // compared where they are referenced
            (Claim::Form | Claim::Rewritten, Some(_)) if !is_stream => {}
            (Claim::List, None) if matches!(body.object, Object::Array(_)) => {}
            (Claim::Field, Some(field)) if !is_stream => return self.field_shape(number, field),
            (Claim::Note(page), Some(note)) if !is_stream => return self.note_shape(note, page),
            (Claim::AppearanceResource, _) => return self.appearance_resource_shape(&body.object),
            (Claim::Value, Some(value)) if !is_stream && is_signature(value) => self.claim_signature(value),
            (Claim::Value, None) if links(&body.object).is_empty() => {}
            // rich text (12.7.3.4)
            (Claim::Value, Some(_)) if is_stream => {}
            (Claim::Information, Some(_)) if !is_stream => self.claim(&body.object, Claim::Private),
            (Claim::Metadata, Some(_)) if is_stream => {}
            (Claim::Packet, Some(_)) if is_stream => self.claim(&body.object, Claim::Private),
            (Claim::Tag, _) if !is_stream => return self.tag_shape(&body.object),
            (Claim::TagIndex, _) if !is_stream => return self.tag_index(&body.object),
            (Claim::Validation | Claim::Private, _) => self.claim(&body.object, claim),
            _ => {
                return unknown(Clause::of(
                    "object {}, which is new, is not what its place calls for",
                    &[number.into()],
                ));
            }
        }
        Ok(())
    }

    /// A new signature field or its widget.
    fn field_shape(&mut self, number: u32, field: &Dictionary) -> Recognition {
        // its kids are compared with the names above them
        if signature_field_template::is_name_part(field) {
            self.claim_kids(field.get(b"Kids"))?;
            return Ok(());
        }
        let [_, form] = &self.step.forms;
        let line = form.field(number).map_or(&[][..], |field| &field.line);
        let is_named = |above: &&u32| form.field(**above).is_some_and(|field| field.dictionary().has(b"T"));
        let top = line.iter().find(is_named).filter(|above| self.claimed.get(above) == Some(&Claim::Field));
        let top = top.copied().unwrap_or(number);
        if signature_field_template::signature_field(self.examiner, self.step, top)?.is_none() {
            let name = field.get(b"T").as_string().and_then(text_string::decode).unwrap_or_default();
            let name = [Quote(&name)];
            if signature_field_template::namesake(self.examiner, self.step, top)?.is_some() {
                return unknown(Clause::of("the new signature field {} has the name of another field", &name));
            }
            let place = Rectangle::read(field.get(b"Rect")).unwrap_or_default();
            let is_point = place.width() == 0.0 && place.height() == 0.0;
            let state = self.step.pair.new;
            // a point that draws nothing is as an invisible signature has it
            if place.is_empty() && !(is_point && signature_field_template::draws_nothing(self.examiner, state, field)?)
            {
                let what = "the new signature field {} has an appearance in a rectangle without an area";
                return unknown(Clause::of(what, &name));
            }
            return unknown(Clause::of("the new form field {} is not only one for a signature", &name));
        }
        self.claim_kids(field.get(b"Kids"))?;
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
        Ok(())
    }

    /// Claims the references of a signature: its transform methods' parameters and their object (12.8.1).
    pub(super) fn claim_signature(&mut self, signature: &Dictionary) {
        for (_, value) in signature.iter() {
            for link in links(value).into_iter().filter(|link| link.inner != b"Data") {
                self.claim_number(link.target.number, Claim::Private);
            }
        }
    }

    /// A new note: an annotation that only displays text, without actions.
    pub(super) fn note_shape(&mut self, note: &Dictionary, page: u32) -> Recognition {
        let subtype = note.get(b"Subtype").as_name().unwrap_or_default();
        // a link without a target and a redaction mark without words only mark a place
        let marks_place = subtype == b"Link"
            || subtype == b"Redact"
                && note.has(b"AP")
                && drawn(self.examiner, self.step.pair.new, note)?.runs.is_empty();
        if !is_note(subtype) && !marks_place {
            return unknown(Clause::of("an annotation of kind {} was added", &[Name(subtype)]));
        }
        for (key, value) in note.iter() {
            let key = key.as_bytes();
            match key {
                b"Rect" if !is_rectangle(value) => return unknown("an annotation was added that has no place"),
                b"P" if value.as_reference().is_some_and(|id| id.number == page) => {}
                b"P" => return unknown("an annotation was added that says it is on another page"),
                // annotations that the page lists itself
                b"Popup" | b"IRT" | b"Parent" => match value.as_reference() {
                    Some(id) if self.roles.is_reached(id.number) => {}
                    Some(id) => self.claim_number(id.number, Claim::Note(page)),
                    None => return unknown("an annotation was added without a page of its own"),
                },
                _ if is_private(key) => self.claim(value, Claim::Private),
                _ if key == b"AP" || note_key(key) => self.claim(value, Claim::AppearanceResource),
                _ => return unknown(Clause::of("an annotation was added that has an entry {}", &[Key(key)])),
            }
        }
        self.note_texts(note)
    }

    /// A drawing resource: everything that it references is one as well, and existed unchanged or is new.
    pub(super) fn appearance_resource_shape(&mut self, object: &Object) -> Recognition {
        if has_key(object, b"OC") || has_key(object, b"Properties") {
            return unknown("an appearance was added whose visibility depends on layers");
        }
        self.claim(object, Claim::AppearanceResource);
        Ok(())
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
