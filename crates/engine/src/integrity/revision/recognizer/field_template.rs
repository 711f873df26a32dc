//! The templates of fields, widgets and their appearances (ISO 32000-1, 12.5.5 and 12.7).

use super::claim::Claim;
use super::{Recognition, Recognizer, Site, unknown, unlisted};
use crate::integrity::clause::Clause;
use crate::integrity::clause::Word::Quote;
use crate::integrity::event::{Event, EventKind, Subject};
use crate::integrity::revision::annotation_overlap;
use crate::integrity::revision::evidence_text::{self, says_nothing};
use crate::integrity::revision::rules::appearance_match::shows_value;
use crate::integrity::revision::rules::calculation::{Calculation, calculation};
use crate::integrity::revision::rules::text_appearance::AppearanceMatch;
use crate::integrity::revision::rules::{field, field_appearance, pressed_button};
use crate::integrity::revision::signature_field_template::{draws_nothing, has_normal_appearance};
use crate::integrity::revision::structure::links::links;
use crate::integrity::revision::structure::role::Role;
use crate::integrity::revision::vocabulary::{
    has_same_characteristics, is_housekeeping, is_off, is_sign_flags, is_text,
};
use pdf_content::Border;
use pdf_syntax::document::form::Field;
use pdf_syntax::failure::Fault;
use pdf_syntax::syntax::dictionary::Dictionary;
use pdf_syntax::syntax::object::Object;
use pdf_syntax::text::rich_text::RichText;
use pdf_syntax::text::text_string;

/// The field flag ReadOnly (12.7.3.1, table 221).
const READ_ONLY: i64 = 1;
pub(super) const NOT_FILLED: &str = "an appearance was replaced whose field was not filled in";

/// The facts about a field that its templates depend on.
pub(super) struct FieldState {
    field: Field,
    /// Whether this update signs it.
    is_signed: bool,
    /// Whether its value changed, which is permitted.
    is_filled: bool,
}

impl Recognizer<'_, '_, '_> {
    pub(super) fn field_state(&mut self, number: u32, old: &Dictionary) -> Result<FieldState, Fault> {
        let [form, _] = self.step.forms.clone();
        let field = form.field_of(&mut self.examiner.document.view(self.step.pair.old), number, old)?;
        let is_signed = field::is_own(self.step, &field, old);
        let is_filled = (self.step.fills(&field) || field_appearance::is_cleared(self.examiner, self.step, &field)?)
            && (!field.is_read_only() || calculation(self.examiner, self.step, &field)? != Calculation::None)
            && !field.is_signature()
            && !field.is_push_button();
        Ok(FieldState { field, is_signed, is_filled })
    }

    pub(super) fn is_filled(&mut self, owner: u32) -> Result<bool, Fault> {
        let body = self.examiner.document.view(self.step.pair.old).object(owner)?;
        let Some(field) = body.as_ref().and_then(|body| body.dictionary()) else { return Ok(false) };
        Ok(self.field_state(owner, field)?.is_filled)
    }

    /// Whether the appearance of this field or annotation may change.
    pub(super) fn may_draw(&mut self, owner: u32) -> Result<bool, Fault> {
        let place = self.roles.place(owner);
        if place.is_some_and(|place| place.role == Role::Annotation) {
            return Ok(true);
        }
        let body = self.examiner.document.view(self.step.pair.old).object(owner)?;
        let Some(entries) = body.as_ref().and_then(|body| body.dictionary()) else { return Ok(false) };
        let FieldState { field, is_signed, is_filled } = self.field_state(owner, entries)?;
        // an appearance that shows the value shows nothing else, unless the signed one did
        Ok(is_signed
            || is_filled
            || field_appearance::gains_unmarked(self.examiner, self.step, &field)?
            || (field.is_text() || field.is_choice())
                && shows_value(self.examiner, self.step, &field)?
                && field_appearance::kept(self.examiner, self.step, &field)? == AppearanceMatch::Value)
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

    pub(super) fn field(&mut self, site: &Site, key: &[u8], state: &FieldState) -> Recognition {
        let (before, after) = (site.old.get(key), site.new.get(key));
        let page = self.examiner.map.page(site.number).unwrap_or(0);
        if is_housekeeping(page, key, before, after) {
            return Ok(());
        }
        let FieldState { field, is_signed, is_filled } = state;
        if *is_signed
            && key == b"AP"
            && let Some(words) = field_appearance::words_before_signing(self.examiner, self.step, site.number)?
        {
            let words = [Quote(&field.name), Quote(&words)];
            return unknown(Clause::of("the signature field {} showed {} before it was signed", &words));
        }
        if field::is_inherited(self.examiner, self.step, key, (site.old, site.new), field)? {
            return Ok(());
        }
        match key {
            b"TU" | b"TM" | b"Contents" if evidence_text::is_same_label(before, after) => {}
            b"T" | b"V" | b"DV" if evidence_text::same_texts(before, after) => {}
            b"V" if (field.is_text() || field.is_choice()) && [before, after].into_iter().all(says_nothing) => {}
            b"Opt" if field::offers_same(self.step, field) => {}
            b"Parent" if !before.is_null() && field::is_same_parent(self.examiner, field, site.old, site.new) => {}
            b"Kids" => return self.lists(site.number, Role::Field, before, after),
            // viewers generate one from the value
            b"AP" if *is_filled && after.is_null() && (field.is_text() || field.is_choice()) => {}
            b"AP" if *is_signed && after.is_null() && self.keeps_drawing_nothing(site)? => {}
            b"AP" if self.may_draw(site.number)? => return self.appearances(site.number, before, after),
            b"F" | b"Ff" if is_same_flags(before, after) => {}
            b"MK" if has_same_characteristics(before, after) => {}
            b"V" if *is_signed && before.is_null() => match after.as_reference() {
                Some(_) => self.claim(after, Claim::Value),
                None => return unlisted(),
            },
            b"F" if *is_signed && is_sign_flags(before, after) => {}
            b"Rect" if *is_signed && field::is_withdrawn(self.examiner, self.step, site.old, site.new)? => {}
            b"Ff" if *is_signed && matches!(after, Object::Integer(0 | 1)) => {}
            b"Lock" | b"SV" if *is_signed => self.claim(after, Claim::Private),
            b"DA" if *is_signed && is_text(after) => {}
            b"DR" if *is_signed => self.claim(after, Claim::AppearanceResource),
            b"V" if *is_filled => self.claim(after, Claim::Value),
            // what a reset restores is what is shown
            b"DV" if *is_filled && after == site.new.get(b"V") && after.as_reference().is_none() => {}
            b"AS" if *is_filled && after.as_name().is_some() => {}
            b"AS" if is_off(site.old) && is_off(site.new) && self.draws_no_off(site)? => {}
            b"AS"
                if !field.is_button()
                    && after.as_name().is_some()
                    && field_appearance::is_single(self.examiner, self.step.pair.new, site.new)? => {}
            b"I" | b"TI" if *is_filled && links(after).is_empty() => {}
            // the value and the appearance say what is chosen
            b"I" if after.is_null() && field_appearance::has_appearance(self.examiner, self.step, site.new)? => {}
            b"TI"
                if matches!(after, Object::Null | Object::Integer(_))
                    && field_appearance::has_appearance(self.examiner, self.step, site.new)? => {}
            b"RV" if *is_filled && self.is_rich_value(site)? => self.claim(after, Claim::Value),
            // a plain value needs no rich text, nor its style
            b"RV" | b"DS" if *is_filled && after.is_null() && self.is_plain_value(site, field)? => {}
            b"Q" if *is_filled && matches!(after, Object::Integer(_)) => {}
            b"BS" | b"Border" if *is_filled && !self.has_wide_border(site.new)? => {}
            b"MK" | b"BS" | b"Border" | b"Q" | b"DA" if self.is_redrawn(site, field)? => {
                self.claim(after, Claim::AppearanceResource);
            }
            b"MK" | b"BS" | b"Border" | b"Q" | b"H" | b"DA"
                if (*is_signed && key != b"DA" || *is_filled && key != b"H")
                    && field_appearance::has_appearance(self.examiner, self.step, site.new)? =>
            {
                self.claim(after, Claim::AppearanceResource);
            }
            // where viewers draw the value with it, what they draw is compared
            b"DA" if *is_filled && (field.is_text() || field.is_choice()) && is_text(after) => {}
            // the mark of its state is an appearance stream, which is compared
            b"DA"
                if *is_filled
                    && field.is_button()
                    && is_text(after)
                    && has_normal_appearance(self.examiner, self.step.pair.new, site.new)? => {}
            b"Ff" if *is_filled && is_locked(before, after) => {}
            _ => return unlisted(),
        }
        Ok(())
    }

    /// Whether a signature field drew nothing, and viewers draw nothing for it without an appearance.
    fn keeps_drawing_nothing(&mut self, site: &Site) -> Result<bool, Fault> {
        Ok(draws_nothing(self.examiner, self.step.pair.old, site.old)?
            && !field::draws_characteristics(self.examiner, self.step, site.new)?)
    }

    /// Whether a field was given another appearance that shows its value, beside which viewers draw nothing else.
    fn is_redrawn(&mut self, site: &Site, field: &Field) -> Result<bool, Fault> {
        let [before, after] = [site.old.get(b"AP"), site.new.get(b"AP")];
        Ok((field.is_text() || field.is_choice())
            && !self.step.pair.same(self.examiner.document, before, after)?
            && field_appearance::has_appearance(self.examiner, self.step, site.new)?
            && self.may_draw(site.number)?)
    }

    /// Whether a button draws nothing in the state Off, which some viewers do not take without its name.
    fn draws_no_off(&mut self, site: &Site) -> Result<bool, Fault> {
        let [old, new] = [(self.step.pair.old, site.old), (self.step.pair.new, site.new)];
        let (state, widget) = if site.old.has(b"AS") { old } else { new };
        draws_nothing(self.examiner, state, widget)
    }

    fn has_wide_border(&mut self, widget: &Dictionary) -> Result<bool, Fault> {
        Ok(Border::read(&mut self.examiner.document.view(self.step.pair.new), widget)?.is_wide())
    }

    /// Whether a field has no rich text, and viewers draw its appearance.
    fn is_plain_value(&mut self, site: &Site, field: &Field) -> Result<bool, Fault> {
        let [_, form] = &self.step.forms;
        Ok(form.inherited(&field.line, b"RV").is_null()
            && field_appearance::has_appearance(self.examiner, self.step, site.new)?)
    }

    /// Whether a rich text has the words of the field's value (12.7.3.4).
    fn is_rich_value(&mut self, site: &Site) -> Result<bool, Fault> {
        let view = &mut self.examiner.document.view(self.step.pair.new);
        let rich = view.resolve(site.new.get(b"RV"))?.as_string().map(text_string::characters);
        let value = view.resolve(site.new.get(b"V"))?.as_string().map(text_string::characters);
        let (Some(rich), Some(value)) = (rich, value) else { return Ok(false) };
        Ok(RichText::read(&rich).is_some_and(|rich| rich.says(&value)))
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
        if !self.may_draw(owner)? || key != b"N" && !is_state && !is_pressed && !after.is_null() {
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

fn is_same_flags(before: &Object, after: &Object) -> bool {
    let is_plain = |flags: &Object| flags.is_null() || matches!(flags, Object::Integer(_));
    is_plain(before) && is_plain(after) && before.as_integer().unwrap_or(0) == after.as_integer().unwrap_or(0)
}

fn is_locked(before: &Object, after: &Object) -> bool {
    matches!(before, Object::Null | Object::Integer(_))
        && matches!(after, Object::Integer(is) if before.as_integer().unwrap_or(0) | READ_ONLY == *is)
}
