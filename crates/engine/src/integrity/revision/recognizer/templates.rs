//! The templates of the operations: the entries of objects in the signed state that each operation writes, with their
//! values (ISO 32000-1, 7.7, 12.5, 12.7 and 14). Unlisted entries are unknown.

use super::claim::Claim;
use super::{Recognition, Recognizer, Stop, unknown};
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
const NOT_FILLED: &str = "an appearance was replaced whose field was not filled in";

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
    pub(super) fn dictionary(&mut self, site: &Site, old: &Body, new: &Body) -> Recognition {
        let is_same_stream = self.step.pair.same_stream(self.examiner.document, old, new)?;
        let part = site.place.part;
        match part {
            Part::Metadata => return Ok(()),
            Part::Appearance if !self.may_draw(site.place.owner)? => return unknown(NOT_FILLED),
            Part::Appearance => {
                self.check_overlap(site.place.owner)?;
                return self.appearance_resource_shape(&Object::Dictionary(site.new.clone()));
            }
            Part::Validation => {
                self.claim(&new.object, Claim::Validation);
                return Ok(());
            }
            Part::Value => {}
            _ if !is_same_stream => return unknown(format!("the content of object {} was replaced", site.number)),
            Part::Information => {
                self.claim(&new.object, Claim::Private);
                return Ok(());
            }
            Part::Node | Part::Page if !self.inherits_plainly(site)? => {
                return unknown("an entry that pages inherit says nothing, which viewers read differently");
            }
            Part::Node | Part::Page if !self.step.pages[0].flaws.is_empty() => {
                return unknown("viewers read the page tree of the signed file differently");
            }
            _ => {}
        }
        let state = if part == Part::Field { Some(self.field_state(site.number, site.old)?) } else { None };
        for name in self.step.pair.differing(self.examiner.document, site.old, site.new)? {
            let key = name.as_bytes();
            let (before, after) = (site.old.get(key), site.new.get(key));
            let recognized = match (part, &state) {
                (Part::Catalog, _) => self.catalog(site, key),
                (Part::Node, _) if key == b"LastModified" && is_text(after) => Ok(()),
                (Part::Page, _) => self.page(site, key),
                (Part::Form, _) => self.form_entry(site.number, site.old, site.new, key),
                (Part::Field, Some(state)) => self.field(site, key, state),
                (Part::Annotation, _) => self.annotation(site, key),
                (Part::Appearances, _) => self.appearance(site.place.owner, key, before, after),
                (Part::FormResources, _) => self.resources(before, after),
                (Part::Tags, _) => self.tag(key, before, after),
                _ => unknown(""),
            };
            let is_own = is_private(key) && part != Part::FormResources
                || key == b"PieceInfo" && matches!(part, Part::Catalog | Part::Node | Part::Page);
            match recognized {
                Err(Stop::Unknown(_)) if is_own => self.claim(after, Claim::Private),
                Err(Stop::Unknown(what)) if what.is_empty() => return unknown(changed(part, key)),
                recognized => recognized?,
            }
        }
        Ok(())
    }

    fn catalog(&mut self, site: &Site, key: &[u8]) -> Recognition {
        let (before, after) = (site.old.get(key), site.new.get(key));
        match key {
            b"AcroForm" => return self.form(site.number, before, after),
            b"DSS" => self.claim(after, Claim::Validation),
            b"Metadata" if after.as_reference().is_some() => self.claim(after, Claim::Metadata),
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
            }
            b"Version" if after.as_name().is_some() => {}
            b"PageMode" | b"PageLayout" if after.as_name().is_some_and(|mode| MODES.contains(&mode)) => {}
            b"Type" if after.is_name(b"Catalog") => {}
            b"Extensions" => self.claim(after, Claim::Private),
            b"LastModified" | b"ModDate" if is_text(after) => {}
            _ => return unknown(""),
        }
        Ok(())
    }

    fn page(&mut self, site: &Site, key: &[u8]) -> Recognition {
        let (before, after) = (site.old.get(key), site.new.get(key));
        match key {
            b"Annots" => self.lists(site.number, Part::AnnotationList, before, after),
            b"LastModified" if is_text(after) => Ok(()),
            b"Type" if after.is_name(b"Page") => Ok(()),
            b"Tabs" if after.as_name().is_some() => Ok(()),
            b"StructParents" if before.is_null() && matches!(after, Object::Integer(_)) => Ok(()),
            _ if page::is_same(self.examiner, self.step, (site.number, key), site.old, site.new)? => Ok(()),
            _ => unknown(""),
        }
    }

    /// The catalog's form, which may be new or now be an indirect object.
    fn form(&mut self, owner: u32, before: &Object, after: &Object) -> Recognition {
        let [old, new] = self.step.pair.resolve(self.examiner.document, before, after)?;
        let Object::Dictionary(new) = &*new else { return unknown("") };
        let (old, new) = (old.as_dictionary().cloned().unwrap_or_default(), new.clone());
        self.claim_reference(after, Claim::Form);
        for name in self.step.pair.differing(self.examiner.document, &old, &new)? {
            let key = name.as_bytes();
            match self.form_entry(owner, &old, &new, key) {
                Err(Stop::Unknown(_)) if is_private(key) => self.claim(new.get(key), Claim::Private),
                Err(Stop::Unknown(_)) => return unknown(changed(Part::Form, key)),
                recognized => recognized?,
            }
        }
        Ok(())
    }

    fn form_entry(&mut self, owner: u32, old: &Dictionary, new: &Dictionary, key: &[u8]) -> Recognition {
        let (before, after) = (old.get(key), new.get(key));
        let is_known = match key {
            b"Fields" => return self.lists(owner, Part::FieldList, before, after),
            b"DR" => return self.resources(before, after),
            b"SigFlags" => form::is_added(before, after),
            b"DA" | b"Q" if after.as_reference().is_none() && !self.shows_defaults()? => {
                before.is_null() || !form::may_show_anything(self.examiner, self.step)?
            }
            b"NeedAppearances" if [before, after].iter().all(|flag| **flag != Object::Boolean(true)) => true,
            b"NeedAppearances" if after != &Object::Boolean(true) || !self.step.filled.is_empty() => {
                form::are_appearances_kept(self.examiner, self.step)?
            }
            _ => false,
        };
        if is_known { Ok(()) } else { unknown("") }
    }

    /// Default resources, which matter where something is displayed with them.
    fn resources(&mut self, before: &Object, after: &Object) -> Recognition {
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
                return unknown("the form's resources were replaced");
            }
        }
        if form::gives_fonts(self.examiner, self.step)? && self.shows_defaults()? {
            return unknown("the form was given fonts in which values are shown");
        }
        self.claim(after, Claim::AppearanceResource);
        Ok(())
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
    pub(super) fn list(&mut self, number: u32, place: Place, before: &Object, after: &Object) -> Recognition {
        match place.part {
            Part::AnnotationList | Part::FieldList => return self.elements(place.owner, place.part, before, after),
            Part::Value if self.is_filled(place.owner)? && links(after).is_empty() => {}
            Part::Value => return unknown("a value was changed that may not be filled in"),
            Part::Validation => self.claim(after, Claim::Validation),
            Part::Tags => return self.tag(b"K", before, after),
            _ => return unknown(format!("object {number}, a list, was changed")),
        }
        Ok(())
    }

    /// Two lists of annotations or fields, direct or indirect.
    fn lists(&mut self, owner: u32, part: Part, before: &Object, after: &Object) -> Recognition {
        let [old, new] = self.step.pair.resolve(self.examiner.document, before, after)?;
        if !(matches!(*new, Object::Array(_)) || new.is_null() && after.is_null()) {
            return unknown(format!("a list of {} is none", listed(part)));
        }
        if before.as_reference().map(|id| id.number) != after.as_reference().map(|id| id.number) {
            self.claim_reference(after, Claim::List);
        }
        self.elements(owner, part, &old, &new)
    }

    fn elements(&mut self, owner: u32, part: Part, before: &Object, after: &Object) -> Recognition {
        let changes = list_changes::changes(before.elements(), after.elements());
        if changes.is_reordered || changes.has_repeats {
            return unknown(format!("the {} are in another order", listed(part)));
        }
        for removed in changes.removed {
            let value = self.examiner.document.view(self.step.pair.old).dictionary(removed)?.into_owned();
            // an element without a target
            let is_nothing = value.is_empty() && removed.as_reference().is_some() || removed.is_null();
            let subtype = value.get(b"Subtype").as_name().unwrap_or_default();
            if !is_nothing && (part == Part::FieldList || subtype == b"Widget") {
                return unknown("a form field was removed");
            }
            if !is_nothing && !is_note(subtype) && !subtype.is_empty() {
                return unknown("an annotation was removed that is no note");
            }
        }
        for added in changes.added {
            let value = self.examiner.document.view(self.step.pair.new).dictionary(added)?.into_owned();
            let is_field = part == Part::FieldList || value.get(b"Subtype").is_name(b"Widget");
            match added.as_reference() {
                Some(id) => self.claim_number(id.number, if is_field { Claim::Field } else { Claim::Note(owner) }),
                None if is_field => return unknown("a form field was added that is no object"),
                None => self.note_shape(&value, owner)?,
            }
        }
        Ok(())
    }

    fn annotation(&mut self, site: &Site, key: &[u8]) -> Recognition {
        let (before, after) = (site.old.get(key), site.new.get(key));
        if is_housekeeping(site.place.owner, key, before, after) {
            return Ok(());
        }
        let subtype = site.old.get(b"Subtype").as_name().unwrap_or_default();
        // a note is compared as a whole
        let is_note = is_note(subtype);
        match key {
            b"AP" if is_note => self.claim(after, Claim::AppearanceResource),
            b"Popup" | b"IRT" if is_note => self.claim(after, Claim::Note(site.place.owner)),
            b"Rect" if is_note && !is_rectangle(after) => return unknown("a note has no place"),
            _ if is_note && key != b"Subtype" && note_key(key) => self.claim(after, Claim::AppearanceResource),
            _ => {
                let (subtype, key) = (String::from_utf8_lossy(subtype), String::from_utf8_lossy(key));
                return unknown(format!("the entry /{key} of a {subtype} annotation was changed"));
            }
        }
        Ok(())
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

    fn field(&mut self, site: &Site, key: &[u8], state: &FieldState) -> Recognition {
        let (before, after) = (site.old.get(key), site.new.get(key));
        let page = self.examiner.map.page(site.number).unwrap_or(0);
        if is_housekeeping(page, key, before, after) {
            return Ok(());
        }
        let FieldState { field, is_signed, is_filled } = state;
        let texts =
            || evidence_text::text(before) == evidence_text::text(after) && evidence_text::text(before).is_some();
        match key {
            b"T" | b"TU" | b"TM" if texts() => {}
            b"Parent" if !before.is_null() && field::is_same_parent(self.examiner, field, site.old, site.new) => {}
            b"Kids" => return self.lists(site.number, Part::FieldList, before, after),
            b"AP" if self.may_draw(site.number)? => return self.appearances(site.number, before, after),
            b"F" | b"Ff" if is_same_flags(before, after) => {}
            b"V" if *is_signed && before.is_null() => match after.as_reference() {
                Some(_) => self.claim(after, Claim::Value),
                None => return unknown(""),
            },
            b"F" if *is_signed && is_sign_flags(before, after) => {}
            b"Ff" if *is_signed && matches!(after, Object::Integer(0 | 1)) => {}
            b"Lock" | b"SV" if *is_signed => self.claim(after, Claim::Private),
            b"DA" if *is_signed && is_text(after) => {}
            b"DR" if *is_signed => self.claim(after, Claim::AppearanceResource),
            b"V" if *is_filled => self.claim(after, Claim::Value),
            b"AS" if *is_filled && after.as_name().is_some() => {}
            b"I" | b"TI" if *is_filled && links(after).is_empty() => {}
            b"RV" if *is_filled && self.is_rich_value(site)? => self.claim(after, Claim::Value),
            b"Q" if *is_filled && matches!(after, Object::Integer(_)) => {}
            b"BS" | b"Border" if *is_filled && !is_wide(site.new) => {}
            b"MK" | b"BS" | b"Border" | b"Q" | b"H" | b"DA"
                if (*is_signed && key != b"DA" || *is_filled && key != b"H")
                    && field::has_appearance(self.examiner, self.step, site.new)? =>
            {
                self.claim(after, Claim::AppearanceResource);
            }
            b"Ff" if *is_filled && is_locked(before, after) => {}
            _ => return unknown(""),
        }
        Ok(())
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
    fn appearances(&mut self, owner: u32, before: &Object, after: &Object) -> Recognition {
        let [old, new] = self.step.pair.resolve(self.examiner.document, before, after)?;
        let Some(new) = new.as_dictionary() else { return unknown("") };
        let old = old.as_dictionary().unwrap_or(Dictionary::empty());
        if before.as_reference().map(|id| id.number) != after.as_reference().map(|id| id.number) {
            self.claim_reference(after, Claim::AppearanceResource);
        }
        for name in self.step.pair.differing(self.examiner.document, old, new)? {
            let key = name.as_bytes();
            self.appearance(owner, key, old.get(key), new.get(key))?;
        }
        Ok(())
    }

    /// An entry of an appearance dictionary: the normal appearance may change; those for pressed buttons may be
    /// removed.
    fn appearance(&mut self, owner: u32, key: &[u8], before: &Object, after: &Object) -> Recognition {
        let is_state = !matches!(key, b"N" | b"R" | b"D");
        if !self.may_draw(owner)? || key != b"N" && !is_state && !after.is_null() {
            return unknown(NOT_FILLED);
        }
        let [_, new] = self.step.pair.resolve(self.examiner.document, before, after)?;
        if after.as_reference().is_none() && !new.is_null() && new.as_dictionary().is_none() {
            return unknown("an appearance was replaced by something else");
        }
        self.check_overlap(owner)?;
        self.claim(after, Claim::AppearanceResource);
        Ok(())
    }

    /// An entry of a structure element or of the tree's root, which may get additional children.
    fn tag(&mut self, key: &[u8], before: &Object, after: &Object) -> Recognition {
        match key {
            b"ParentTreeNextKey" if matches!(after, Object::Integer(_)) => {}
            b"Limits" if links(after).is_empty() => {}
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
                    return unknown("the structure tree was changed");
                }
                changes.added.into_iter().for_each(|added| self.claim_tags(added));
                self.claim_reference(after, Claim::Tag);
            }
            _ => return unknown(""),
        }
        Ok(())
    }
}

/// Whether it is an invisible entry of an annotation: modification date, name, and its known type and page.
fn is_housekeeping(page: u32, key: &[u8], before: &Object, after: &Object) -> bool {
    match key {
        b"M" => is_text(after),
        b"NM" => before.is_null() && is_text(after),
        b"Type" => before.is_null() && after.is_name(b"Annot"),
        b"P" => after.as_reference().is_some_and(|id| id.number == page),
        b"StructParent" => before.is_null() && matches!(after, Object::Integer(_)),
        _ => false,
    }
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
