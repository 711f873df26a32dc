//! Whether a filled button shows the state that its value names (ISO 32000-1, 12.7.4.2).

use super::Recognizer;
use crate::integrity::clause::Clause;
use crate::integrity::clause::Word::Quote;
use crate::integrity::revision::rules::appearance_match::appearance_match;
use crate::integrity::revision::rules::button_appearance::{draws_unknown_mark, faint_mark, words_of_mark};
use crate::integrity::revision::rules::button_value;
use crate::integrity::revision::rules::text_appearance::AppearanceMatch;
use crate::integrity::revision::signature_field_template;
use pdf_syntax::document::form::{Field, FormFields};
use pdf_syntax::document::objects::State;
use pdf_syntax::failure::Fault;
use pdf_syntax::syntax::dictionary::Dictionary;
use pdf_syntax::syntax::name::Name;
use pdf_syntax::syntax::object::Object;

impl Recognizer<'_, '_, '_> {
    /// Why a button with these appearances may show something else than the value of its field.
    pub(super) fn button_shown_otherwise(
        &mut self,
        form: &FormFields,
        (widget, field): (u32, &Field),
        appearances: &Dictionary,
    ) -> Result<Option<Clause>, Fault> {
        let (name, dictionary, new) = ([Quote(&field.name)], field.dictionary(), self.step.pair.new);
        let view = &mut self.examiner.document.view(new);
        let states = view.dictionary(appearances.get(b"N"))?.into_owned();
        let value = view.resolve(button_value::button_value(form, field))?.into_owned();
        let state = view.resolve(dictionary.get(b"AS"))?.into_owned();
        let value = button_value::button_state(&value).unwrap_or(b"Off");
        let state = state.as_name().unwrap_or(b"Off");
        let is_value = state == value || !states.has(value) && button_value::names_option(form, field, Some(value));
        if !is_value && (states.has(value) || state != b"Off") {
            return Ok(Some(Clause::of("the button {} does not show its value", &name)));
        }
        // viewers draw marks of their own
        if state != b"Off" && !states.has(state) {
            return Ok(Some(Clause::of("the button {} has no appearance for its state", &name)));
        }
        if self.has_other_states(form, (widget, field), &states)? {
            return Ok(Some(Clause::of("the states of the button {} were renamed", &name)));
        }
        let is_touched = self.is_touched(appearances)?;
        if state == b"Off" {
            let may_show_mark =
                is_touched && appearance_match(self.examiner, self.step, field)? != AppearanceMatch::Value;
            return Ok(may_show_mark.then(|| Clause::of("the button {} is off and may show a mark", &name)));
        }
        if !self.changed.contains_key(&widget) {
            return Ok(None);
        }
        if let Some(words) = words_of_mark(self.examiner, self.step, widget, state)? {
            return Ok(Some(Clause::of("the button {} shows {}", &[Quote(&field.name), Quote(&words)])));
        }
        let is_marked = appearance_match(self.examiner, self.step, field)? == AppearanceMatch::Value
            && !signature_field_template::draws_nothing(self.examiner, new, dictionary)?;
        let is_drawn_otherwise = draws_unknown_mark(self.examiner, self.step, dictionary)?;
        // an appearance from the signed state is drawn as it was signed
        if !is_drawn_otherwise && (is_marked || !is_touched) {
            return Ok(None);
        }
        let faint = faint_mark(self.examiner, self.step, field)?;
        Ok(faint.or_else(|| Some(Clause::of("what marks the button {} cannot be read", &name))))
    }

    /// Why no button, at any depth, of a filled field has the state that the field's value names.
    pub(super) fn names_no_state(&mut self, form: &FormFields, number: u32) -> Result<Option<Clause>, Fault> {
        // LaTeX lists only the first button of several with one name
        let is_listed = |field: &&Field| !field.is_radio_button() || form.kids(number).next().is_some();
        let is_choice = |field: &&Field| field.is_button() && !field.is_push_button();
        let Some(field) = form.field(number).filter(is_choice).filter(is_listed) else { return Ok(None) };
        let value = self.examiner.document.view(self.step.pair.new).resolve(&field.value)?.into_owned();
        // PDFBox writes an empty one for Off
        let is_on = |value: &&[u8]| !value.is_empty() && *value != b"Off";
        let Some(value) = button_value::button_state(&value).filter(is_on) else { return Ok(None) };
        let mut has_states = false;
        for widget in form.family(number).into_iter().filter_map(|widget| form.field(widget)) {
            let states = self.states(self.step.pair.new, widget.dictionary())?;
            if states.has(value) || button_value::names_option(form, widget, Some(value)) {
                return Ok(None);
            }
            has_states |= has_on_state(&states);
        }
        let what = || Clause::of("no button of the form field {} has the state of its value", &[Quote(&field.name)]);
        Ok(has_states.then(what))
    }

    /// Whether one of several buttons has another state than when it was signed: the states are what its values mean
    /// (12.7.4.2.3). A check box alone means the same by any name.
    fn has_other_states(
        &mut self,
        form: &FormFields,
        (widget, field): (u32, &Field),
        states: &Dictionary,
    ) -> Result<bool, Fault> {
        let is_one_of_several = field.line.iter().any(|&above| form.kids(above).nth(1).is_some());
        if !field.is_radio_button() && !is_one_of_several {
            return Ok(false);
        }
        let signed = self.examiner.document.view(self.step.pair.old).object(widget)?;
        let Some(signed) = signed.as_ref().and_then(|body| body.dictionary()) else { return Ok(false) };
        let signed = self.states(self.step.pair.old, signed)?;
        let is_other = |(name, _): (&Name, &Object)| name.as_bytes() != b"Off" && !signed.has(name.as_bytes());
        Ok(has_on_state(&signed) && states.iter().any(is_other))
    }

    /// The appearances of a button by its states.
    fn states(&mut self, state: State, widget: &Dictionary) -> Result<Dictionary, Fault> {
        let view = &mut self.examiner.document.view(state);
        let normal = view.dictionary(widget.get(b"AP"))?.get(b"N").clone();
        Ok(view.dictionary(&normal)?.into_owned())
    }
}

/// Whether any of a button's states is on.
fn has_on_state(states: &Dictionary) -> bool {
    states.iter().any(|(name, _)| name.as_bytes() != b"Off")
}
