//! Whether every widget of a filled field shows the field's value.

use std::collections::BTreeSet;

use super::Recognizer;
use crate::integrity::clause::Clause;
use crate::integrity::clause::Word::{Own, Quote};
use crate::integrity::revision::appearance_source::AppearanceSource;
use crate::integrity::revision::rules::appearance_match::appearance_match;
use crate::integrity::revision::rules::field_appearance;
use crate::integrity::revision::rules::generated_appearance::is_drawn_alike;
use crate::integrity::revision::rules::text_appearance::AppearanceMatch;
use crate::integrity::revision::structure::links::links;
use pdf_syntax::document::form::{Field, FormFields};
use pdf_syntax::failure::Fault;
use pdf_syntax::syntax::dictionary::Dictionary;
use pdf_syntax::syntax::object::Object;
use pdf_syntax::text::text_string;

impl Recognizer<'_, '_, '_> {
    /// Checks that every widget that has or inherits the value of a filled field shows it.
    pub(super) fn filled(&mut self) -> Result<(), Fault> {
        let [signed, form] = self.step.forms.clone();
        if signed.has_stray_parent && !self.step.filled.is_empty() {
            self.not_understood(None, "viewers read the fields of the signed form differently");
        }
        let mut widgets = self.unlisted_widgets(&form)?;
        for &number in &self.step.filled {
            let mut what = self.names_no_state(&form, number)?;
            if let Some(untyped) = form.field(number).filter(|field| !field.has_type()) {
                what = Some(Clause::of(
                    "{}, which is no form field of any type, was given a value",
                    &[Quote(&untyped.name)],
                ));
            }
            if let Some(unreported) =
                form.field(number).filter(|field| what.is_none() && !self.is_reported_filled(field))
            {
                what = Some(Clause::of("the value of the form field {} was not compared", &[Quote(&unreported.name)]));
            }
            if let Some(what) = what {
                self.not_understood(Some(number), what);
            }
            widgets.extend(form.family(number));
        }
        for widget in widgets {
            let view = &mut self.examiner.document.view(self.step.pair.new);
            let Some(body) = view.object(widget)? else { continue };
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
        Ok(())
    }

    /// Whether an event of this update, which is judged by what signatures permit, reports a field as filled in.
    fn is_reported_filled(&self, field: &Field) -> bool {
        let own = self.examiner.events.iter().rev().take_while(|event| event.revision == self.step.revision);
        let mut of_field = own.filter(|event| event.field.as_ref() == Some(&field.name));
        of_field.any(|event| !event.kind.changes_nothing())
    }

    /// The widgets on pages that the form does not list, whose parent was filled in.
    fn unlisted_widgets(&mut self, form: &FormFields) -> Result<BTreeSet<u32>, Fault> {
        let (mut widgets, step) = (BTreeSet::new(), self.step);
        let view = &mut self.examiner.document.view(step.pair.new);
        let is_unlisted = |number: &u32| !step.filled.is_empty() && form.field(*number).is_none();
        for number in self.roles.fields().filter(is_unlisted) {
            let body = view.object(number)?;
            let widget = body.as_ref().and_then(|body| body.dictionary());
            let parent = widget.and_then(|widget| widget.get(b"Parent").as_reference());
            let parent = parent.and_then(|parent| form.field(parent.number));
            let is_filled = step.filled.contains(&number) || parent.is_some_and(|parent| step.fills(parent));
            widgets.extend(is_filled.then_some(number));
        }
        Ok(widgets)
    }

    /// Why a widget may show something else than the value of its field.
    fn shown_otherwise(&mut self, form: &FormFields, (widget, field): (u32, &Field)) -> Result<Option<Clause>, Fault> {
        let appearances = field.dictionary().get(b"AP");
        let appearances = self.examiner.document.view(self.step.pair.new).dictionary(appearances)?.into_owned();
        let name = &field.name;
        if !field.is_button() && has_own_value(form, field) {
            return Ok(Some(Clause::of("the form field {} has several values", &[Quote(name)])));
        }
        // viewers generate one from the value; where the form asks them to, a signed one may be out of date
        let source = {
            let (view, has_states) = (&mut self.examiner.document.view(self.step.pair.new), field.is_button());
            AppearanceSource::read(view, field.dictionary(), has_states)?
        };
        if source == AppearanceSource::Unclear && !field.is_button() {
            return Ok(Some(drawn_otherwise(field)));
        }
        let is_generated = source == AppearanceSource::Viewers;
        if is_generated || self.step.needs_appearances {
            let state = (self.step.pair.new, form);
            if !field.is_button() && !is_drawn_alike(self.examiner, self.step, state, field)? {
                return Ok(Some(drawn_otherwise(field)));
            }
            if is_generated || !self.is_touched(&appearances)? {
                return Ok(None);
            }
        }
        if field.is_button() {
            return self.button_shown_otherwise(form, (widget, field), &appearances);
        }
        Ok(match appearance_match(self.examiner, self.step, field)? {
            AppearanceMatch::Value => None,
            AppearanceMatch::Other => {
                Some(Clause::of("the form field {} shows something else than its value", &[Quote(name)]))
            }
            AppearanceMatch::Unknown => Some(field_appearance::not_compared(self.examiner, self.step, field)?),
        })
    }

    /// Why the value of a filled field says something else than it seems.
    fn misled(&mut self, field: &Field) -> Result<Option<Clause>, Fault> {
        let ([_, form], name) = (self.step.forms.clone(), &field.name);
        let value = self.examiner.document.view(self.step.pair.new).resolve(&field.value)?.into_owned();
        let exact = value.as_string().map(text_string::comparable);
        if exact == Some(None) {
            return Ok(Some(field_appearance::incomparable(field)));
        }
        if let Some(exact) = exact.flatten().filter(|exact| !exact.trim().is_empty() && field.rejects(exact)) {
            let words = [Quote(name), if field.is_secret() { Own("(not shown)") } else { Quote(&exact) }];
            return Ok(Some(Clause::of("the form field {} does not offer its value {}", &words)));
        }
        let is_namesake = |other: &&Field| {
            other.name == *name
                && other.dictionary().has(b"T")
                && !field.line.iter().any(|number| other.line.contains(number))
        };
        if form.fields.iter().filter(is_namesake).any(|other| !has_same_words(other, field)) {
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
    let field = form.named(widget);
    let below = widget.line.iter().take_while(|&&number| Some(number) != field.number);
    let mut has_value = below.filter_map(|&number| form.field(number)).map(|part| part.dictionary().has(b"V"));
    if !has_value.any(|has_value| has_value) {
        return false;
    }
    let family = form.family(field.number.unwrap_or(0));
    family.into_iter().filter_map(|number| form.field(number)).any(|other| {
        let is_shown = other.is_widget() || other.number == field.number && other.characters().is_some();
        is_shown && !has_same_words(other, widget)
    })
}

/// Whether the values of two fields are texts of the same words, or no texts.
fn has_same_words(one: &Field, other: &Field) -> bool {
    let [one, other] = [one, other].map(|field| field.characters().unwrap_or_default());
    text_string::has_same_words(&one, &other)
}

/// That viewers differ in what they draw for the value of a field.
fn drawn_otherwise(field: &Field) -> Clause {
    match field.text().filter(|_| !field.is_secret()) {
        Some(value) => {
            let words = [Quote(&value), Quote(&field.name)];
            Clause::of("viewers draw the value {} of the form field {} differently", &words)
        }
        None => Clause::of("viewers draw the value of the form field {} differently", &[Quote(&field.name)]),
    }
}
