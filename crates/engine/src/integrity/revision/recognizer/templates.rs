//! The templates of the operations: the entries of objects in the signed state that each operation writes, with their
//! values (ISO 32000-1, 7.7, 12.5, 12.7 and 14). Unlisted entries are unknown.

use super::claim::Claim;
use super::field_template::NOT_FILLED;
use super::note_texts::TEXT_KEYS;
use super::{Recognition, Recognizer, Site, Stop, unknown, unlisted};
use crate::integrity::clause::Word::{Key, Name, Quote};
use crate::integrity::clause::{Clause, Word};
use crate::integrity::revision::list_changes;
use crate::integrity::revision::rules::xfa::{self, PacketChange};
use crate::integrity::revision::rules::{annotation, form, form_defaults, gained_font, page, resource_names};
use crate::integrity::revision::structure::graph::Use;
use crate::integrity::revision::structure::links::links;
use crate::integrity::revision::structure::role::Role;
use crate::integrity::revision::vocabulary::{
    is_among, is_housekeeping, is_note, is_private, is_rectangle, is_text, note_key,
};
use pdf_syntax::document::objects::Body;
use pdf_syntax::document::pages::INHERITED;
use pdf_syntax::failure::Fault;
use pdf_syntax::syntax::dictionary::Dictionary;
use pdf_syntax::syntax::object::{Id, Object};

/// Values of `/PageMode` and `/PageLayout` (7.7.2).
const MODES: &str = "\
    UseNone UseOutlines UseThumbs UseOC UseAttachments SinglePage OneColumn TwoColumnLeft TwoColumnRight \
    TwoPageLeft TwoPageRight";
impl Recognizer<'_, '_, '_> {
    /// Compares two states of a dictionary or a stream.
    pub(super) fn dictionary(&mut self, site: &Site, old: &Body, new: &Body) -> Recognition {
        let is_same_stream = self.step.pair.same_stream(self.examiner.document, old, new)?;
        let role = site.place.role;
        match role {
            Role::Metadata => return Ok(()),
            Role::Appearance | Role::Appearances if !self.is_written(site.number, site.place.owner) => {
                return unknown(NOT_FILLED);
            }
            Role::Appearance => {
                self.check_overlap(site.place.owner)?;
                self.entry_types(&new.object)?;
                return self.appearance_resource_shape(&Object::Dictionary(site.new.clone()));
            }
            Role::Validation => {
                self.claim(&new.object, Claim::Validation);
                return Ok(());
            }
            Role::Xfa => {
                let packet = Object::Reference(Id { number: site.number, generation: 0 });
                return self.packets(&packet, &packet);
            }
            Role::FieldValue => {}
            _ if !is_same_stream => {
                return unknown(Clause::of("the content of object {} was replaced", &[site.number.into()]));
            }
            Role::Information => {
                self.claim(&new.object, Claim::Private);
                return Ok(());
            }
            Role::Node | Role::Page if !self.inherits_plainly(site)? => {
                return unknown("an entry that pages inherit says nothing, which viewers read differently");
            }
            Role::Node | Role::Page if !self.step.pages[0].flaws.is_empty() => {
                return unknown("viewers read the page tree of the signed file differently");
            }
            _ => {}
        }
        for name in self.step.pair.differing(self.examiner.document, site.old, site.new)? {
            let key = name.as_bytes();
            let (before, after) = (site.old.get(key), site.new.get(key));
            if matches!(role, Role::Field | Role::Annotation) {
                self.entry_type(key, after)?;
            }
            let recognized = match role {
                Role::Catalog => self.catalog(site, key),
                Role::Node if key == b"LastModified" && is_text(after) => Ok(()),
                Role::Node if page::reaches_pages_alike(self.examiner, self.step, key)? => Ok(()),
                Role::Page => self.page(site, key),
                Role::Form => self.form_entry(site.number, site.old, site.new, key),
                Role::Field => self.field(site, key),
                Role::Annotation => self.annotation(site, key),
                Role::Appearances => self.appearance(site.place.owner, key, before, after),
                Role::FormResources | Role::ResourceNames => self.form_resource(site, key),
                Role::Extensions => {
                    self.claim(after, Claim::Private);
                    Ok(())
                }
                Role::Tag => self.tag(key, before, after),
                _ => unlisted(),
            };
            // the name of a state is no key
            let is_own = is_private(key) && !role.is_form_resource() && role != Role::Appearances
                || key == b"PieceInfo" && matches!(role, Role::Catalog | Role::Node | Role::Page);
            match recognized {
                Err(Stop::Unknown(_)) if is_own => self.claim(after, Claim::Private),
                Err(Stop::Unknown(None)) => return unknown(changed(role, key)),
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
            b"PageMode" | b"PageLayout" if after.as_name().is_some_and(|mode| is_among(MODES, mode)) => {}
            b"Type" if after.is_name(b"Catalog") => {}
            b"Extensions" => self.claim(after, Claim::Private),
            b"LastModified" | b"ModDate" if is_text(after) => {}
            _ => return unlisted(),
        }
        Ok(())
    }

    fn page(&mut self, site: &Site, key: &[u8]) -> Recognition {
        let (before, after) = (site.old.get(key), site.new.get(key));
        match key {
            b"Annots" => self.lists(site.number, Role::Annotations, before, after),
            b"LastModified" if is_text(after) => Ok(()),
            b"Type" if after.is_name(b"Page") => Ok(()),
            b"Tabs" if after.as_name().is_some() => Ok(()),
            b"StructParents" if before.is_null() && matches!(after, Object::Integer(_)) => Ok(()),
            _ if page::is_same(self.examiner, self.step, (site.number, key), site.old, site.new)? => Ok(()),
            _ => unlisted(),
        }
    }

    /// The catalog's form, which may be new or now be an indirect object.
    fn form(&mut self, owner: u32, before: &Object, after: &Object) -> Recognition {
        let [old, new] = self.step.pair.resolve(self.examiner.document, before, after)?;
        let Object::Dictionary(new) = &*new else { return unlisted() };
        let (old, new) = (old.as_dictionary().cloned().unwrap_or_default(), new.clone());
        self.claim_reference(after, Claim::Form);
        for name in self.step.pair.differing(self.examiner.document, &old, &new)? {
            let key = name.as_bytes();
            match self.form_entry(owner, &old, &new, key) {
                Err(Stop::Unknown(_)) if is_private(key) => self.claim(new.get(key), Claim::Private),
                Err(Stop::Unknown(None)) => return unknown(changed(Role::Form, key)),
                recognized => recognized?,
            }
        }
        Ok(())
    }

    fn form_entry(&mut self, owner: u32, old: &Dictionary, new: &Dictionary, key: &[u8]) -> Recognition {
        let (before, after) = (old.get(key), new.get(key));
        let is_known = match key {
            b"Fields" => return self.lists(owner, Role::Field, before, after),
            b"DR" => return self.resources((before, after), 2),
            b"XFA" => return self.packets(before, after),
            b"SigFlags" => form::is_added(before, after),
            b"DA" | b"Q" => {
                let is_unused = !form_defaults::may_show_anything(self.examiner, self.step)?;
                (is_unused || form_defaults::is_default(key, after))
                    && after.as_reference().is_none()
                    && form_defaults::drawn_with(self.examiner, self.step, key)?.is_none()
            }
            b"NeedAppearances" if [before, after].iter().all(|flag| **flag != Object::Boolean(true)) => true,
            b"NeedAppearances" => {
                if let Some(what) = form_defaults::redrawn(self.examiner, self.step)? {
                    return unknown(what);
                }
                after != &Object::Boolean(true) || !self.step.filled.is_empty()
            }
            _ => false,
        };
        if is_known { Ok(()) } else { unlisted() }
    }

    /// Two states of XFA packets: the same, but for data that has the values of the fields of its names.
    fn packets(&mut self, before: &Object, after: &Object) -> Recognition {
        let PacketChange::Filled(texts) = xfa::entry_change(self.examiner, self.step, (before, after))? else {
            return unknown("the XFA form was changed");
        };
        let [_, form] = &self.step.forms;
        for text in texts {
            match xfa::named(form, &text) {
                Some((_, false)) => {}
                Some((field, true)) if field.is_secret() => {
                    let what = "the XFA form has another value for the form field {}";
                    return unknown(Clause::of(what, &[Quote(&field.name)]));
                }
                Some((field, true)) => {
                    let words = [Quote(&text.after), Quote(&field.name)];
                    return unknown(Clause::of("the XFA form has the value {} for the form field {}", &words));
                }
                None => {
                    let what = "the XFA form has a value {} of no form field";
                    return unknown(Clause::of(what, &[Quote(&text.after)]));
                }
            }
        }
        let packets = after.elements().iter().chain([after]);
        packets.for_each(|packet| self.claim_packet(packet));
        Ok(())
    }

    /// An entry of the default resources, or of one category of them.
    fn form_resource(&mut self, site: &Site, key: &[u8]) -> Recognition {
        let (before, after) = (site.old.get(key), site.new.get(key));
        let [form, _] = &self.step.forms;
        let is_all = form.dictionary.get(b"DR").as_reference().is_some_and(|id| id.number == site.number);
        let depth = usize::from(is_all);
        if self.roles.lends_form_resources
            && !self.only_adds((before, after), depth)?
            && !resource_names::exchanges_unused(self.examiner, self.step, site.number)?
        {
            return unknown("resources of signed content were replaced");
        }
        // named form XObjects, which no value uses
        if is_all && key == b"XObject" {
            self.claim(after, Claim::AppearanceResource);
            return Ok(());
        }
        self.resources((before, after), depth)
    }

    /// Whether there are only new names: in all categories at depth 2, in one at depth 1. At depth 0 it is a resource.
    fn only_adds(&mut self, (before, after): (&Object, &Object), depth: usize) -> Result<bool, Fault> {
        Ok(before.is_null() || depth > 0 && form::only_adds(self.examiner, self.step, before, after, depth)?)
    }

    /// Default resources, which matter where something is displayed with them.
    fn resources(&mut self, (before, after): (&Object, &Object), depth: usize) -> Recognition {
        if form_defaults::may_show_anything(self.examiner, self.step)? {
            let [_, new] = self.step.pair.resolve(self.examiner.document, before, after)?;
            let is_kept = self.only_adds((before, after), depth)?
                || depth == 2
                    && !self.roles.lends_form_resources
                    && form_defaults::needs_no_resources(self.examiner, self.step)?;
            if !are_resources(&new, depth) || !is_kept {
                return unknown("the form's resources were replaced");
            }
        }
        if gained_font::gains_font(self.examiner, self.step)? {
            return unknown("the form was given a font in which viewers draw texts");
        }
        self.claim(after, Claim::AppearanceResource);
        Ok(())
    }

    /// An array that is an indirect object.
    pub(super) fn list(&mut self, number: u32, place: Use, before: &Object, after: &Object) -> Recognition {
        match place.role {
            Role::Annotations | Role::Field => return self.elements(place.owner, place.role, before, after),
            Role::FieldValue if self.is_written(number, place.owner) && links(after).is_empty() => {}
            Role::FieldValue => return unknown("a value was changed that may not be filled in"),
            Role::Validation => self.claim(after, Claim::Validation),
            Role::Tag => return self.tag_list(number, place, before, after),
            _ => return unknown(Clause::of("object {}, a list, was changed", &[number.into()])),
        }
        Ok(())
    }

    /// Two lists of annotations or fields, direct or indirect.
    pub(super) fn lists(&mut self, owner: u32, role: Role, before: &Object, after: &Object) -> Recognition {
        let [old, new] = self.step.pair.resolve(self.examiner.document, before, after)?;
        if !(matches!(*new, Object::Array(_)) || new.is_null() && after.is_null()) {
            return unknown(Clause::of("a list of {} is none", &[listed(role)]));
        }
        if before.as_reference().map(|id| id.number) != after.as_reference().map(|id| id.number) {
            self.claim_reference(after, Claim::List);
        }
        self.elements(owner, role, &old, &new)
    }

    fn elements(&mut self, owner: u32, role: Role, before: &Object, after: &Object) -> Recognition {
        let (before, after) = (before.elements(), after.elements());
        let (changes, rewritten) = match role {
            Role::Annotations => annotation::list_changes(self.examiner, self.step, before, after)?,
            _ => (list_changes::changes(before, after), Vec::new()),
        };
        rewritten.into_iter().for_each(|annotation| self.claim_reference(annotation, Claim::Rewritten));
        if changes.is_reordered || changes.has_repeats {
            return unknown(Clause::of("the {} are in another order", &[listed(role)]));
        }
        for removed in changes.removed {
            let value = self.examiner.document.view(self.step.pair.old).dictionary(removed)?.into_owned();
            // an element without a target
            let is_nothing = value.is_empty() && removed.as_reference().is_some() || removed.is_null();
            let subtype = value.get(b"Subtype").as_name().unwrap_or_default();
            if !is_nothing && (role == Role::Field || subtype == b"Widget") {
                return unknown("a form field was removed");
            }
            if !is_nothing && !is_note(subtype) && !subtype.is_empty() {
                return unknown("an annotation was removed that is no note");
            }
        }
        for added in changes.added {
            let value = self.examiner.document.view(self.step.pair.new).dictionary(added)?.into_owned();
            let is_field = role == Role::Field || value.get(b"Subtype").is_name(b"Widget");
            match added.as_reference() {
                Some(id) => self.claim_number(id.number, if is_field { Claim::Field } else { Claim::Note(owner) }),
                None if is_field => return unknown("a form field was added that is no object"),
                None => {
                    self.entry_types(&Object::Dictionary(value.clone()))?;
                    self.note_shape(&value, owner)?;
                }
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
        // all entries of a note are compared
        let is_note = is_note(subtype) && self.is_reported(site.number);
        if is_note && is_among(TEXT_KEYS, key) {
            self.note_texts(site.new)?;
        }
        match key {
            b"AP" if is_note => self.claim(after, Claim::AppearanceResource),
            b"Popup" | b"IRT" if is_note => self.claim(after, Claim::Note(site.place.owner)),
            b"Rect" if is_note && !is_rectangle(after) => return unknown("a note has no place"),
            _ if is_note && key != b"Subtype" && note_key(key) => self.claim(after, Claim::AppearanceResource),
            _ => {
                let what = "the entry {} of a {} annotation was changed";
                return unknown(Clause::of(what, &[Key(key), Name(subtype)]));
            }
        }
        Ok(())
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
}

/// Whether a value has the type of resources (7.8.3, table 33): of all at depth 2, of one category at depth 1.
fn are_resources(value: &Object, depth: usize) -> bool {
    match (value, depth) {
        (Object::Dictionary(names), 1..) => names.iter().all(|(_, value)| are_resources(value, depth - 1)),
        (Object::Name(_), 0) | (Object::Reference(_) | Object::Dictionary(_) | Object::Array(_), _) => true,
        _ => false,
    }
}

fn listed(role: Role) -> Word<'static> {
    Word::Own(if role == Role::Annotations { "annotations" } else { "form fields" })
}

/// The changed entry, in words.
fn changed(role: Role, key: &[u8]) -> Clause {
    let of = match role {
        Role::Catalog => "the document catalog",
        Role::Node => "a node of the page tree",
        Role::Page => "a page",
        Role::Form => "the form",
        Role::Field => "a form field",
        Role::Annotation => "an annotation",
        Role::FormResources | Role::ResourceNames => "the form's resources",
        Role::Tag => "the structure tree",
        _ => "an object",
    };
    Clause::of("the entry {} of {} was changed", &[Key(key), Word::Own(of)])
}
