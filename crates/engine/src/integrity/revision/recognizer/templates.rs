//! The templates of the operations: the entries of objects in the signed state that each operation writes, with their
//! values (ISO 32000-1, 7.7, 12.5, 12.7 and 14). Unlisted entries are unknown.

use super::claim::Claim;
use super::{Explained, Operation, Recognizer};
use pdf_syntax::document::form::Field;
use pdf_syntax::document::objects::Body;
use pdf_syntax::document::pages::INHERITED;
use pdf_syntax::failure::Fault;
use crate::integrity::event::{Event, EventKind, Subject};
use crate::integrity::revision::annotation_overlap;
use crate::integrity::revision::evidence_text;
use crate::integrity::revision::list_changes;
use crate::integrity::revision::roles::{Part, Place, links};
use crate::integrity::revision::rules::{field, form, page};
use crate::integrity::revision::signature_field_template::is_wide;
use crate::integrity::revision::vocabulary::{is_note, is_private, is_rectangle, is_sign_flags, note_key};
use pdf_syntax::syntax::dictionary::Dictionary;
use pdf_syntax::syntax::object::Object;

/// Values of `/PageMode` and `/PageLayout` (7.7.2).
const MODES: [&[u8]; 11] = [
    b"UseNone",
    b"UseOutlines",
    b"UseThumbs",
    b"UseOC",
    b"UseAttachments",
    b"SinglePage",
    b"OneColumn",
    b"TwoColumnLeft",
    b"TwoColumnRight",
    b"TwoPageLeft",
    b"TwoPageRight",
];
/// The field flag ReadOnly (12.7.3.1, table 221).
const READ_ONLY: i64 = 1;
/// An object of the signed state in both of its states.
pub(super) struct Site<'s> {
    pub(super) number: u32,
    pub(super) place: Place,
    pub(super) old: &'s Dictionary,
    pub(super) new: &'s Dictionary,
}

/// The facts about a field that its templates depend on.
struct FieldState {
    field: Field,
    /// Whether this update signs it.
    is_signed: bool,
    /// Whether its value changed, as it may.
    is_filled: bool,
}

impl Recognizer<'_, '_, '_> {
    /// Compares two states of a dictionary or a stream.
    pub(super) fn dictionary(&mut self, site: &Site, old: &Body, new: &Body) -> Result<Explained, Fault> {
        let is_same_stream = self.step.pair.same_stream(self.examiner.document, old, new)?;
        let part = site.place.part;
        if part == Part::Metadata {
            return Ok(Explained::Operation(Operation::Describe));
        }
        if part == Part::Appearance {
            return Ok(match self.may_draw(site.place.owner)? {
                true => {
                    self.check_overlap(site.place.owner)?;
                    self.appearance_resource_shape(&Object::Dictionary(site.new.clone()))
                }
                false => Explained::Unknown("an appearance was replaced whose field was not filled in".to_owned()),
            });
        }
        if !is_same_stream && part != Part::Validation && part != Part::Value {
            return Ok(Explained::Unknown(format!("the content of object {} was replaced", site.number)));
        }
        match part {
            Part::Validation => {
                self.claim(&new.object, Claim::Validation);
                return Ok(Explained::Operation(Operation::Validate));
            }
            Part::Information => {
                self.claim(&new.object, Claim::Private);
                return Ok(Explained::Operation(Operation::Describe));
            }
            _ => {}
        }
        let state = if part == Part::Field { Some(self.field_state(site.number, site.old)?) } else { None };
        if part == Part::Node || part == Part::Page {
            if !self.inherits_plainly(site)? {
                return Ok(Explained::Unknown(
                    "an entry that pages inherit says nothing, which viewers read differently".to_owned(),
                ));
            }
            let [pages, _] = &self.step.pages;
            if !pages.flaws.is_empty() {
                return Ok(Explained::Unknown("viewers read the page tree of the signed file differently".to_owned()));
            }
        }
        for name in self.step.pair.differing(self.examiner.document, site.old, site.new)? {
            let key = name.as_bytes();
            let explained = match (part, &state) {
                (Part::Catalog, _) => self.catalog(site, key)?,
                (Part::Node, _) if key == b"LastModified" && is_text(site.new.get(key)) => Explained::Housekeeping,
                (Part::Node, _) if key == b"PieceInfo" => {
                    self.claim(site.new.get(key), Claim::Private);
                    Explained::Housekeeping
                }
                (Part::Page, _) => self.page(site, key)?,
                (Part::Form, _) => self.form_entry(site.number, site.old, site.new, key)?,
                (Part::Field, Some(state)) => self.field(site, key, state)?,
                (Part::Annotation, _) => self.annotation(site, key)?,
                (Part::Appearances, _) => {
                    self.appearance(site.place.owner, key, site.old.get(key), site.new.get(key))?
                }
                (Part::FormResources, _) => self.resources(site.old.get(key), site.new.get(key))?,
                (Part::Tags, _) => self.tag(key, site.old.get(key), site.new.get(key))?,
                _ => Explained::Unknown(String::new()),
            };
            let explained = match explained {
                Explained::Unknown(_) if is_private(key) && part != Part::FormResources => {
                    self.claim(site.new.get(key), Claim::Private);
                    Explained::Housekeeping
                }
                Explained::Unknown(what) if what.is_empty() => Explained::Unknown(changed(part, key)),
                explained => explained,
            };
            if let Explained::Unknown(_) = explained {
                return Ok(explained);
            }
        }
        Ok(Explained::Same)
    }

    fn catalog(&mut self, site: &Site, key: &[u8]) -> Result<Explained, Fault> {
        let (before, after) = (site.old.get(key), site.new.get(key));
        Ok(match key {
            b"AcroForm" => return self.form(site.number, before, after),
            b"DSS" => {
                self.claim(after, Claim::Validation);
                Explained::Operation(Operation::Validate)
            }
            b"Metadata" if after.as_reference().is_some() => {
                self.claim(after, Claim::Metadata);
                Explained::Operation(Operation::Describe)
            }
            // entries that a certification adds with itself (12.8.4)
            b"Perms" if self.step.signs() && before.is_null() => {
                let permissions =
                    self.step.pair.resolve(self.examiner.document, before, after)?[1].as_dictionary().cloned();
                for (_, value) in permissions.iter().flat_map(Dictionary::iter) {
                    self.claim(value, Claim::Value);
                }
                if permissions.is_some() && after.as_reference().is_some() {
                    self.claim(after, Claim::Private);
                }
                Explained::Operation(Operation::Sign)
            }
            b"Version" if after.as_name().is_some() => Explained::Housekeeping,
            b"PageMode" | b"PageLayout" if after.as_name().is_some_and(|mode| MODES.contains(&mode)) => {
                Explained::Housekeeping
            }
            b"Type" if after.is_name(b"Catalog") => Explained::Housekeeping,
            b"Extensions" | b"PieceInfo" => {
                self.claim(after, Claim::Private);
                Explained::Housekeeping
            }
            b"LastModified" | b"ModDate" if is_text(after) => Explained::Housekeeping,
            _ => Explained::Unknown(String::new()),
        })
    }

    fn page(&mut self, site: &Site, key: &[u8]) -> Result<Explained, Fault> {
        let (before, after) = (site.old.get(key), site.new.get(key));
        Ok(match key {
            b"Annots" => return self.lists(site.number, Part::AnnotationList, before, after),
            b"LastModified" if is_text(after) => Explained::Housekeeping,
            b"Type" if after.is_name(b"Page") => Explained::Housekeeping,
            b"Tabs" if after.as_name().is_some() => Explained::Operation(Operation::Tag),
            b"StructParents" if before.is_null() && matches!(after, Object::Integer(_)) => {
                Explained::Operation(Operation::Tag)
            }
            b"PieceInfo" => {
                self.claim(after, Claim::Private);
                Explained::Housekeeping
            }
            _ if page::is_same(self.examiner, self.step, (site.number, key), site.old, site.new)? => Explained::Same,
            _ => Explained::Unknown(String::new()),
        })
    }

    /// The catalog's form, which may be new or now be an indirect object.
    fn form(&mut self, owner: u32, before: &Object, after: &Object) -> Result<Explained, Fault> {
        let [old, new] = self.step.pair.resolve(self.examiner.document, before, after)?;
        let Object::Dictionary(new) = &*new else { return Ok(Explained::Unknown(String::new())) };
        let (old, new) = (old.as_dictionary().cloned().unwrap_or_default(), new.clone());
        self.claim_reference(after, Claim::Form);
        let mut entries: Vec<Vec<u8>> = Vec::new();
        for name in self.step.pair.differing(self.examiner.document, &old, &new)? {
            entries.push(name.as_bytes().to_vec());
        }
        for key in entries {
            let explained = self.form_entry(owner, &old, &new, &key)?;
            match explained {
                Explained::Unknown(_) if is_private(&key) => self.claim(new.get(&key), Claim::Private),
                Explained::Unknown(_) => return Ok(Explained::Unknown(changed(Part::Form, &key))),
                _ => {}
            }
        }
        Ok(Explained::Operation(Operation::Sign))
    }

    fn form_entry(&mut self, owner: u32, old: &Dictionary, new: &Dictionary, key: &[u8]) -> Result<Explained, Fault> {
        let (before, after) = (old.get(key), new.get(key));
        Ok(match key {
            b"Fields" => return self.lists(owner, Part::FieldList, before, after),
            b"SigFlags" if form::is_added(before, after) => Explained::Operation(Operation::Sign),
            b"DA" | b"Q" if after.as_reference().is_none() && !self.shows_defaults()? => {
                match before.is_null() || !form::may_show_anything(self.examiner, self.step)? {
                    true => Explained::Housekeeping,
                    false => Explained::Unknown(String::new()),
                }
            }
            b"DR" => return self.resources(before, after),
            b"NeedAppearances" if [before, after].iter().all(|flag| **flag != Object::Boolean(true)) => {
                Explained::Housekeeping
            }
            b"NeedAppearances" if after != &Object::Boolean(true) || !self.step.filled.is_empty() => {
                match form::are_appearances_kept(self.examiner, self.step)? {
                    true => Explained::Operation(Operation::Fill),
                    false => Explained::Unknown(String::new()),
                }
            }
            _ => Explained::Unknown(String::new()),
        })
    }

    /// Default resources, which matter where something is displayed with them.
    fn resources(&mut self, before: &Object, after: &Object) -> Result<Explained, Fault> {
        if form::may_show_anything(self.examiner, self.step)? {
            let [_, new] = self.step.pair.resolve(self.examiner.document, before, after)?;
            let is_value =
                |value: &Object| matches!(value, Object::Reference(_) | Object::Dictionary(_) | Object::Array(_));
            let are_values = new.as_dictionary().is_some_and(|new| {
                new.iter().all(|(_, value)| {
                    is_value(value)
                        && value.as_dictionary().is_none_or(|names| {
                            names.iter().all(|(_, value)| is_value(value) || value.as_name().is_some())
                        })
                })
            });
            if !are_values || !form::only_adds(self.examiner, self.step, before, after, 2)? {
                return Ok(Explained::Unknown("the form's resources were replaced".to_owned()));
            }
        }
        if form::gives_fonts(self.examiner, self.step)? && self.shows_defaults()? {
            return Ok(Explained::Unknown("the form was given fonts in which values are shown".to_owned()));
        }
        self.claim(after, Claim::AppearanceResource);
        Ok(Explained::Housekeeping)
    }

    fn shows_defaults(&mut self) -> Result<bool, Fault> {
        if let Some(known) = self.shows_defaults {
            return Ok(known);
        }
        let shows = form::shows_anything(self.examiner, self.step)?;
        self.shows_defaults = Some(shows);
        Ok(shows)
    }

    /// An array that is an indirect object.
    pub(super) fn list(
        &mut self,
        number: u32,
        place: Place,
        before: &Object,
        after: &Object,
    ) -> Result<Explained, Fault> {
        match place.part {
            Part::AnnotationList => self.elements(place.owner, place.part, before, after),
            Part::FieldList => self.elements(place.owner, place.part, before, after),
            Part::Value => Ok(match self.is_filled(place.owner)? && links(after).is_empty() {
                true => Explained::Operation(Operation::Fill),
                false => Explained::Unknown("a value was changed that may not be filled in".to_owned()),
            }),
            Part::Validation => {
                self.claim(after, Claim::Validation);
                Ok(Explained::Operation(Operation::Validate))
            }
            Part::Tags => self.tag(b"K", before, after),
            _ => Ok(Explained::Unknown(format!("object {number}, a list, was changed"))),
        }
    }

    /// Two lists of annotations or fields, direct or indirect.
    fn lists(&mut self, owner: u32, part: Part, before: &Object, after: &Object) -> Result<Explained, Fault> {
        let [old, new] = self.step.pair.resolve(self.examiner.document, before, after)?;
        let (old, new) = ((*old).clone(), (*new).clone());
        if !(matches!(new, Object::Array(_)) || new.is_null() && after.is_null()) {
            return Ok(Explained::Unknown(format!("a list of {} is none", listed(part))));
        }
        if before.as_reference().map(|id| id.number) != after.as_reference().map(|id| id.number) {
            self.claim_reference(after, Claim::List);
        }
        self.elements(owner, part, &old, &new)
    }

    fn elements(&mut self, owner: u32, part: Part, before: &Object, after: &Object) -> Result<Explained, Fault> {
        let changes = list_changes::changes(before.elements(), after.elements());
        if changes.is_reordered || changes.has_repeats {
            return Ok(Explained::Unknown(format!("the {} are in another order", listed(part))));
        }
        for removed in changes.removed {
            let value = self.examiner.document.view(self.step.pair.old).dictionary(removed)?.into_owned();
            // an element without a target
            let is_nothing = value.is_empty() && removed.as_reference().is_some() || removed.is_null();
            if !is_nothing && (part == Part::FieldList || value.get(b"Subtype").is_name(b"Widget")) {
                return Ok(Explained::Unknown("a form field was removed".to_owned()));
            }
            let subtype = value.get(b"Subtype").as_name().unwrap_or_default();
            if !is_nothing && !is_note(subtype) && !subtype.is_empty() {
                return Ok(Explained::Unknown("an annotation was removed that is no note".to_owned()));
            }
        }
        for added in changes.added {
            let value = self.examiner.document.view(self.step.pair.new).dictionary(added)?.into_owned();
            if part == Part::FieldList || value.get(b"Subtype").is_name(b"Widget") {
                match added.as_reference() {
                    Some(id) => self.claim_number(id.number, Claim::Field),
                    None => return Ok(Explained::Unknown("a form field was added that is no object".to_owned())),
                }
            } else if let Some(id) = added.as_reference() {
                self.claim_number(id.number, Claim::Note(owner));
            } else if let explained @ Explained::Unknown(_) = self.note_shape(&value, owner) {
                return Ok(explained);
            }
        }
        Ok(Explained::Operation(Operation::Annotate))
    }

    fn annotation(&mut self, site: &Site, key: &[u8]) -> Result<Explained, Fault> {
        let (before, after) = (site.old.get(key), site.new.get(key));
        if let Some(explained) = housekeeping(site.place.owner, key, before, after) {
            return Ok(explained);
        }
        let subtype = site.old.get(b"Subtype").as_name().unwrap_or_default();
        // a note is compared as a whole
        let is_note = is_note(subtype);
        Ok(match key {
            b"AP" if is_note => {
                self.claim(after, Claim::AppearanceResource);
                Explained::Operation(Operation::Annotate)
            }
            b"Popup" | b"IRT" if is_note => {
                self.claim(after, Claim::Note(site.place.owner));
                Explained::Operation(Operation::Annotate)
            }
            b"Rect" if is_note && !is_rectangle(after) => Explained::Unknown("a note has no place".to_owned()),
            _ if is_note && key != b"Subtype" && note_key(key) => {
                self.claim(after, Claim::AppearanceResource);
                Explained::Operation(Operation::Annotate)
            }
            _ => {
                let (subtype, key) = (String::from_utf8_lossy(subtype), String::from_utf8_lossy(key));
                Explained::Unknown(format!("the entry /{key} of a {subtype} annotation was changed"))
            }
        })
    }

    fn field_state(&mut self, number: u32, old: &Dictionary) -> Result<FieldState, Fault> {
        let [form, _] = self.step.forms.clone();
        let field = form.field_of(&mut self.examiner.document.view(self.step.pair.old), number, old)?;
        let is_signed = field::is_own(self.step, &field, old);
        let is_filled = field::is_filled_in(self.step, &field)
            && (!field.is_read_only() || field::is_calculated(self.examiner, self.step, &field)?)
            && !field.is_signature()
            && !field.is_push_button();
        Ok(FieldState { field, is_signed, is_filled })
    }

    fn is_filled(&mut self, owner: u32) -> Result<bool, Fault> {
        let body = self.examiner.document.view(self.step.pair.old).object(owner)?;
        let Some(field) = body.as_ref().and_then(|body| body.dictionary()) else { return Ok(false) };
        Ok(self.field_state(owner, field)?.is_filled)
    }

    /// Whether the appearance of this field or annotation may change.
    fn may_draw(&mut self, owner: u32) -> Result<bool, Fault> {
        let place = self.roles.place(owner);
        if place.is_some_and(|place| place.part == Part::Annotation) {
            return Ok(true);
        }
        let body = self.examiner.document.view(self.step.pair.old).object(owner)?;
        let Some(entries) = body.as_ref().and_then(|body| body.dictionary()) else { return Ok(false) };
        let FieldState { field, is_signed, is_filled } = self.field_state(owner, entries)?;
        // an appearance that shows the field's value shows nothing else
        Ok(is_signed
            || is_filled
            || (field.is_text() || field.is_choice()) && field::shows_value(self.examiner, self.step, &field)?)
    }

    /// Checks whether an annotation with a replaced appearance hides signed content.
    fn check_overlap(&mut self, owner: u32) -> Result<(), Fault> {
        let Some(place) = self.roles.place(owner).filter(|place| place.part == Part::Annotation) else { return Ok(()) };
        let body = self.examiner.document.view(self.step.pair.new).object(owner)?;
        let Some(note) = body.as_ref().and_then(|body| body.dictionary()) else { return Ok(()) };
        if annotation_overlap::hides_text(self.examiner, self.step, place.owner, note)? {
            let subject = Subject::Annotation(evidence_text::text(note.get(b"Subtype")));
            let page = self.step.page_number(place.owner);
            let event = self.step.event(EventKind::Annotation, subject);
            self.examiner.report(Event { object: Some(owner), page, is_hidden: true, ..event });
        }
        Ok(())
    }

    fn field(&mut self, site: &Site, key: &[u8], state: &FieldState) -> Result<Explained, Fault> {
        let (before, after) = (site.old.get(key), site.new.get(key));
        let page = self.examiner.map.page(site.number).unwrap_or(0);
        if let Some(explained) = housekeeping(page, key, before, after) {
            return Ok(explained);
        }
        let FieldState { field, is_signed, is_filled } = state;
        let texts =
            || evidence_text::text(before) == evidence_text::text(after) && evidence_text::text(before).is_some();
        let sign = Explained::Operation(Operation::Sign);
        let fill = Explained::Operation(Operation::Fill);
        Ok(match key {
            b"T" | b"TU" | b"TM" if texts() => Explained::Same,
            b"Parent" if !before.is_null() && field::is_same_parent(self.examiner, field, site.old, site.new) => {
                Explained::Same
            }
            b"Kids" => return self.lists(site.number, Part::FieldList, before, after),
            b"AP" if self.may_draw(site.number)? => return self.appearances(site.number, before, after),
            b"F" | b"Ff" if is_same_flags(before, after) => Explained::Same,
            b"V" if *is_signed && before.is_null() => {
                match after.as_reference() {
                    Some(_) => self.claim(after, Claim::Value),
                    None => return Ok(Explained::Unknown(String::new())),
                }
                sign
            }
            b"F" if *is_signed && is_sign_flags(before, after) => sign,
            b"Ff" if *is_signed && matches!(after, Object::Integer(0 | 1)) => sign,
            b"Lock" | b"SV" if *is_signed => {
                self.claim(after, Claim::Private);
                sign
            }
            b"DA" if *is_signed && is_text(after) => sign,
            b"DR" if *is_signed => {
                self.claim(after, Claim::AppearanceResource);
                sign
            }
            b"MK" | b"BS" | b"Border" | b"Q" | b"H"
                if *is_signed && field::has_appearance(self.examiner, self.step, site.new)? =>
            {
                self.claim(after, Claim::AppearanceResource);
                sign
            }
            b"V" if *is_filled => {
                self.claim(after, Claim::Value);
                fill
            }
            b"AS" if *is_filled && after.as_name().is_some() => fill,
            b"I" | b"TI" if *is_filled && links(after).is_empty() => fill,
            b"RV" if *is_filled && self.is_rich_value(site)? => {
                self.claim(after, Claim::Value);
                fill
            }
            b"Q" if *is_filled && matches!(after, Object::Integer(_)) => fill,
            b"BS" | b"Border" if *is_filled && !is_wide(site.new) => fill,
            b"MK" | b"BS" | b"Border" | b"Q" | b"DA"
                if *is_filled && field::has_appearance(self.examiner, self.step, site.new)? =>
            {
                self.claim(after, Claim::AppearanceResource);
                fill
            }
            b"Ff" if *is_filled && is_locked(before, after) => fill,
            _ => Explained::Unknown(String::new()),
        })
    }

    /// Whether a rich text has the words of the field's value (12.7.3.4).
    fn is_rich_value(&mut self, site: &Site) -> Result<bool, Fault> {
        let view = &mut self.examiner.document.view(self.step.pair.new);
        let rich = evidence_text::text(&*view.resolve(site.new.get(b"RV"))?);
        let value = evidence_text::text(&*view.resolve(site.new.get(b"V"))?);
        let (Some(rich), Some(value)) = (rich, value) else { return Ok(false) };
        let (mut plain, mut is_tag) = (String::new(), false);
        for letter in rich.chars() {
            match letter {
                '<' => is_tag = true,
                '>' => is_tag = false,
                letter if !is_tag && !letter.is_whitespace() => plain.push(letter),
                _ => {}
            }
        }
        Ok(plain == value.split_whitespace().collect::<String>())
    }

    /// Whether inheritable entries are present or unchanged: viewers disagree whether an entry with the value null
    /// overrides the inherited one (7.7.3.4).
    fn inherits_plainly(&mut self, site: &Site) -> Result<bool, Fault> {
        for key in INHERITED {
            let Some(value) = site.new.find(key).filter(|value| site.old.find(key) != Some(*value)) else { continue };
            let settled = self.examiner.document.view(self.step.pair.new).settled(value)?;
            let is_plain = match key {
                b"Resources" => settled.as_dictionary().is_some(),
                b"Rotate" => matches!(settled, Object::Integer(_)),
                _ => is_rectangle(&settled),
            };
            if !is_plain {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Two appearance dictionaries.
    fn appearances(&mut self, owner: u32, before: &Object, after: &Object) -> Result<Explained, Fault> {
        let [old, new] = self.step.pair.resolve(self.examiner.document, before, after)?;
        let (old, new) = ((*old).clone(), (*new).clone());
        let (empty, Some(new)) = (Dictionary::default(), new.as_dictionary()) else {
            return Ok(Explained::Unknown(String::new()));
        };
        let old = old.as_dictionary().unwrap_or(&empty);
        if before.as_reference().map(|id| id.number) != after.as_reference().map(|id| id.number) {
            self.claim_reference(after, Claim::AppearanceResource);
        }
        for name in self.step.pair.differing(self.examiner.document, old, new)? {
            let key = name.as_bytes();
            let explained = self.appearance(owner, key, old.get(key), new.get(key))?;
            if let Explained::Unknown(_) = explained {
                return Ok(explained);
            }
        }
        Ok(Explained::Operation(Operation::Fill))
    }

    /// An entry of an appearance dictionary: the normal appearance may change; those for pressed buttons may be
    /// removed.
    fn appearance(&mut self, owner: u32, key: &[u8], before: &Object, after: &Object) -> Result<Explained, Fault> {
        let is_state = !matches!(key, b"N" | b"R" | b"D");
        if !self.may_draw(owner)? || key != b"N" && !is_state && !after.is_null() {
            return Ok(Explained::Unknown("an appearance was replaced whose field was not filled in".to_owned()));
        }
        let [_, new] = self.step.pair.resolve(self.examiner.document, before, after)?;
        let object = (*new).clone();
        if after.as_reference().is_none() && !object.is_null() && object.as_dictionary().is_none() {
            return Ok(Explained::Unknown("an appearance was replaced by something else".to_owned()));
        }
        self.check_overlap(owner)?;
        self.claim(after, Claim::AppearanceResource);
        Ok(Explained::Operation(Operation::Fill))
    }

    /// An entry of a structure element or of the tree's root, which may get additional children.
    fn tag(&mut self, key: &[u8], before: &Object, after: &Object) -> Result<Explained, Fault> {
        match key {
            b"ParentTreeNextKey" if matches!(after, Object::Integer(_)) => Ok(Explained::Operation(Operation::Tag)),
            b"Limits" if links(after).is_empty() => Ok(Explained::Operation(Operation::Tag)),
            b"K" | b"Kids" | b"Nums" | b"ParentTree" => {
                let [old, new] = self.step.pair.resolve(self.examiner.document, before, after)?;
                let elements = |object: &Object, written: &Object| match object {
                    Object::Array(elements) => elements.clone(),
                    Object::Null => Vec::new(),
                    _ => vec![written.clone()],
                };
                let (old, new) = (elements(&old, before), elements(&new, after));
                let changes = list_changes::changes(&old, &new);
                if !changes.removed.is_empty() || changes.is_reordered {
                    return Ok(Explained::Unknown("the structure tree was changed".to_owned()));
                }
                for added in changes.added {
                    for link in links(added).into_iter().filter(|link| !matches!(link.inner, b"Obj" | b"Pg")) {
                        self.claim_number(link.target.number, Claim::Tag);
                    }
                }
                self.claim_reference(after, Claim::Tag);
                Ok(Explained::Operation(Operation::Tag))
            }
            _ => Ok(Explained::Unknown(String::new())),
        }
    }
}

/// Invisible entries of an annotation: modification date, name, and its known type and page.
fn housekeeping(page: u32, key: &[u8], before: &Object, after: &Object) -> Option<Explained> {
    let is_housekeeping = match key {
        b"M" => is_text(after),
        b"NM" => before.is_null() && is_text(after),
        b"Type" => before.is_null() && after.is_name(b"Annot"),
        b"P" => after.as_reference().is_some_and(|id| id.number == page),
        b"StructParent" => before.is_null() && matches!(after, Object::Integer(_)),
        _ => false,
    };
    is_housekeeping.then_some(Explained::Housekeeping)
}

fn is_text(value: &Object) -> bool {
    matches!(value, Object::Null | Object::String(_))
}

fn is_same_flags(before: &Object, after: &Object) -> bool {
    let is_plain = |flags: &Object| flags.is_null() || matches!(flags, Object::Integer(_));
    is_plain(before) && is_plain(after) && before.as_integer().unwrap_or(0) == after.as_integer().unwrap_or(0)
}

fn is_locked(before: &Object, after: &Object) -> bool {
    matches!(before, Object::Null | Object::Integer(_))
        && matches!(after, Object::Integer(is) if before.as_integer().unwrap_or(0) | READ_ONLY == *is)
}

fn listed(part: Part) -> &'static str {
    if part == Part::AnnotationList { "annotations" } else { "form fields" }
}

/// The changed entry, in words.
fn changed(part: Part, key: &[u8]) -> String {
    let key = String::from_utf8_lossy(key);
    let of = match part {
        Part::Catalog => "the document catalog",
        Part::Node => "a node of the page tree",
        Part::Page => "a page",
        Part::Form => "the form",
        Part::Field => "a form field",
        Part::Annotation => "an annotation",
        Part::FormResources => "the form's resources",
        Part::Tags => "the structure tree",
        _ => "an object",
    };
    format!("the entry /{key} of {of} was changed")
}
