//! The templates of fields, widgets and their appearances (ISO 32000-1, 12.5.5 and 12.7).

use super::claim::Claim;
use super::{Recognition, Recognizer, Site, unknown, unlisted};
use crate::integrity::clause::Clause;
use crate::integrity::clause::Word::{Key, Quote};
use crate::integrity::event::{Event, EventKind, Subject};
use crate::integrity::revision::annotation_overlap;
use crate::integrity::revision::entry_change::EntryChange;
use crate::integrity::revision::evidence_text;
use crate::integrity::revision::rules::pressed_button;
use crate::integrity::revision::structure::role::Role;
use pdf_syntax::failure::Fault;
use pdf_syntax::syntax::dictionary::Dictionary;
use pdf_syntax::syntax::object::Object;

pub(super) const NOT_FILLED: &str = "an appearance was replaced whose field was not filled in";

impl Recognizer<'_, '_, '_> {
    /// Whether an operation writes this part of a field, or it is reported as part of an annotation, which signatures permit
    /// or not. A part that was not compared is unknown.
    pub(super) fn is_written(&self, number: u32, owner: u32) -> bool {
        match self.roles.place(owner) {
            Some(place) if place.role == Role::Annotation => self.is_reported(number),
            _ => self.examiner.field_parts.get(&number) == Some(&true),
        }
    }

    /// Whether an event of this update reports a change of this object.
    pub(super) fn is_reported(&self, number: u32) -> bool {
        let own = self.examiner.events.iter().rev().take_while(|event| event.revision == self.step.revision);
        own.filter(|event| event.object == Some(number)).any(|event| event.kind.change().is_some())
    }

    /// Checks whether an annotation with a replaced appearance hides signed content.
    pub(super) fn check_overlap(&mut self, owner: u32) -> Result<(), Fault> {
        let Some(place) = self.roles.place(owner).filter(|place| place.role == Role::Annotation) else { return Ok(()) };
        let body = self.examiner.document.view(self.step.pair.new).object(owner)?;
        let Some(note) = body.as_ref().and_then(|body| body.dictionary()) else { return Ok(()) };
        if annotation_overlap::hides_text(self.examiner, self.step, place.owner, (Some(owner), note))? {
            let subject = Subject::Annotation(evidence_text::text(note.get(b"Subtype")));
            let page = self.step.page_number(place.owner);
            let event = self.step.event(EventKind::Annotation, subject);
            self.examiner.report(Event { object: Some(owner), page, is_hidden: true, ..event });
        }
        Ok(())
    }

    /// An entry of a field or widget, as it was classified. One that was not compared is unknown.
    pub(super) fn field(&mut self, site: &Site, key: &[u8]) -> Recognition {
        let (before, after) = (site.old.get(key), site.new.get(key));
        if key == b"Kids" {
            // a field with kids is no widget, even if it has none of them
            return match before.is_null() == after.is_null() {
                true => self.lists(site.number, Role::Field, before, after),
                false => self.unlisted_entry(site.number, key),
            };
        }
        let entries = self.examiner.field_entries.get(&site.number);
        match entries.and_then(|entries| entries.iter().find(|(name, _)| name.as_bytes() == key)) {
            Some((_, EntryChange::Same)) => return Ok(()),
            Some((_, EntryChange::Operation(_))) => {}
            Some((_, EntryChange::Unknown(_, Some(what)))) => return unknown(what.clone()),
            _ => return self.unlisted_entry(site.number, key),
        }
        match key {
            b"AP" if !after.is_null() => return self.appearances(site.number, before, after),
            b"V" | b"RV" => self.claim(after, Claim::Value),
            b"Lock" | b"SV" => self.claim(after, Claim::Private),
            b"DA" | b"DR" | b"MK" | b"BS" | b"Border" | b"Q" => self.claim(after, Claim::AppearanceResource),
            _ => {}
        }
        Ok(())
    }

    /// An entry that no operation writes.
    fn unlisted_entry(&self, number: u32, key: &[u8]) -> Recognition {
        let [form, _] = &self.step.forms;
        let Some(field) = form.field(number).filter(|field| !field.name.is_empty()) else { return unlisted() };
        unknown(Clause::of("the entry {} of the form field {} was changed", &[Key(key), Quote(&field.name)]))
    }

    /// Two appearance dictionaries.
    pub(super) fn appearances(&mut self, owner: u32, before: &Object, after: &Object) -> Recognition {
        let [old, new] = self.step.pair.resolve(self.examiner.document, before, after)?;
        let Some(new) = new.as_dictionary() else { return unlisted() };
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
    pub(super) fn appearance(&mut self, owner: u32, key: &[u8], before: &Object, after: &Object) -> Recognition {
        let is_state = !matches!(key, b"N" | b"R" | b"D");
        let is_pressed =
            key == b"D" && before.is_null() && pressed_button::has_pressed_marks(self.examiner, self.step, owner)?;
        if key != b"N" && !is_state && !is_pressed && !after.is_null() {
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
}
