//! Whether every widget of a filled field shows the field's value.

use super::Recognizer;
use crate::integrity::clause::Clause;
use crate::integrity::clause::Word::Quote;
use crate::integrity::revision::rules::appearance_match::appearance_match;
use crate::integrity::revision::rules::field_appearance;
use crate::integrity::revision::rules::generated_appearance::is_drawn_alike;
use crate::integrity::revision::rules::text_appearance::AppearanceMatch;
use crate::integrity::revision::structure::links::links;
use pdf_syntax::document::form::{Field, FormFields};
use pdf_syntax::failure::Fault;
use pdf_syntax::syntax::dictionary::Dictionary;
use pdf_syntax::syntax::object::Object;

impl Recognizer<'_, '_, '_> {
    /// Checks that every widget of a filled field shows the field's value.
    pub(super) fn filled(&mut self) -> Result<(), Fault> {
        let [_, form] = self.step.forms.clone();
        for &number in &self.step.filled {
            if let Some(what) = self.names_no_state(&form, number)? {
                self.not_understood(Some(number), what);
            }
            for widget in form.kids(number).chain([number]).collect::<Vec<_>>() {
                let view = &mut self.examiner.document.view(self.step.pair.new);
                let Some(body) = view.object(widget)? else { continue };
                // also of a widget that the form does not list
                let field = form.field_of(view, widget, body.dictionary().unwrap_or(Dictionary::empty()))?;
                if !field.is_widget() || field.is_signature() {
                    continue;
                }
                let mut what = self.misled(&field)?;
                if what.is_none() {
                    what = self.shown_otherwise(&form, (widget, &field))?;
                }
                if let Some(what) = what {
                    self.not_understood(Some(widget), what);
                }
            }
        }
        Ok(())
    }

    /// Why a widget may show something else than the value of its field.
    fn shown_otherwise(&mut self, form: &FormFields, (widget, field): (u32, &Field)) -> Result<Option<Clause>, Fault> {
        let appearances = field.dictionary().get(b"AP");
        let appearances = self.examiner.document.view(self.step.pair.new).dictionary(appearances)?.into_owned();
        let name = &field.name;
        // viewers generate one from the value; where the form asks them to, a signed one may be out of date
        let is_generated = !appearances.has(b"N");
        if is_generated || self.step.needs_appearances {
            let state = (self.step.pair.new, form);
            if !field.is_button() && !is_drawn_alike(self.examiner, self.step, state, field)? {
                let value = field.text().filter(|_| !field.is_secret()).unwrap_or_default();
                let what = "viewers draw the value {} of the form field {} differently";
                return Ok(Some(Clause::of(what, &[Quote(&value), Quote(name)])));
            }
            if is_generated || !self.is_touched(&appearances)? {
                return Ok(None);
            }
        }
        if field.is_button() {
            return self.button_shown_otherwise(form, (widget, field), &appearances);
        }
        if has_own_value(form, field) {
            return Ok(Some(Clause::of("the form field {} has several values", &[Quote(name)])));
        }
        Ok(match appearance_match(self.examiner, self.step, field)? {
            AppearanceMatch::Value => None,
            AppearanceMatch::Other => {
                Some(Clause::of("the form field {} shows something else than its value", &[Quote(name)]))
            }
            AppearanceMatch::Unknown => Some(field_appearance::unreadable(field)),
        })
    }

    /// Why the value of a filled field says something else than it seems.
    fn misled(&mut self, field: &Field) -> Result<Option<Clause>, Fault> {
        let ([_, form], name) = (self.step.forms.clone(), &field.name);
        let value = field.text().filter(|_| !field.is_secret());
        if let Some(value) = value.filter(|value| field.rejects(value)) {
            return Ok(Some(Clause::of(
                "the form field {} does not offer its value {}",
                &[Quote(name), Quote(&value)],
            )));
        }
        let is_namesake = |other: &&Field| {
            other.name == *name
                && other.dictionary().has(b"T")
                && !field.line.iter().any(|number| other.line.contains(number))
        };
        if form.fields.iter().filter(is_namesake).any(|other| other.text() != field.text()) {
            return Ok(Some(Clause::of("fields with the name {} have different values", &[Quote(name)])));
        }
        if !self.step.needs_appearances && field_appearance::contradicted(self.examiner, self.step, field)? {
            let what = "the form field {} showed something else than its value when it was signed";
            return Ok(Some(Clause::of(what, &[Quote(name)])));
        }
        Ok(None)
    }

    /// Whether a value references a touched or new object.
    pub(super) fn is_touched(&mut self, appearances: &Dictionary) -> Result<bool, Fault> {
        let mut waiting = vec![Object::Dictionary(appearances.clone())];
        while let Some(value) = waiting.pop() {
            for link in links(&value) {
                if self.changed.contains_key(&link.target.number) {
                    return Ok(true);
                }
                let body = self.examiner.document.view(self.step.pair.new).object(link.target.number)?;
                waiting.extend(body.filter(|body| body.stream.is_none()).map(|body| body.object.clone()));
            }
            self.examiner.document.budget.work(1)?;
        }
        Ok(false)
    }
}

/// Whether a widget has another value than the field that it shows, or than another widget of it (12.7.3.2).
fn has_own_value(form: &FormFields, widget: &Field) -> bool {
    let is_own = |field: &Field| !field.dictionary().has(b"T") && field.dictionary().has(b"V");
    let Some(&parent) = widget.line.get(1).filter(|_| is_own(widget)) else { return false };
    let mut widgets = form.kids(parent).filter_map(|kid| form.field(kid));
    form.field(parent).and_then(Field::text).is_some_and(|text| Some(text) != widget.text())
        || widgets.any(|other| other.text() != widget.text())
}
