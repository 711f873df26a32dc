//! The values that viewers draw with the defaults of the form (ISO 32000-1, 12.7.2, table 218, `/DA`, `/DR`, `/Q` and
//! `/NeedAppearances`): only these are shown otherwise when a default changes.

use super::appearance_match::{appearance_match, shows_value};
use super::field_appearance;
use super::generated_appearance::is_drawn_alike;
use super::rich_text_style::DefaultStyle;
use super::text_appearance::AppearanceMatch;
use crate::integrity::clause::Clause;
use crate::integrity::clause::Word::{Own, Quote};
use crate::integrity::event::{Event, EventKind, Subject};
use crate::integrity::revision::appearance_source::{AppearanceSource, DefaultKind};
use crate::integrity::revision::examiner::{Examiner, Step};
use crate::integrity::revision::signature_field_template;
use pdf_content::DefaultAppearance;
use pdf_syntax::document::form::Field;
use pdf_syntax::failure::Fault;
use pdf_syntax::syntax::dictionary::Dictionary;
use pdf_syntax::syntax::object::Object;

/// A widget or free text that viewers draw with a default of the form.
#[derive(Debug, Default)]
pub(crate) struct DrawnByDefault {
    object: u32,
    page: Option<u32>,
    field: Option<Field>,
    /// Whether only some viewers draw it so.
    is_unclear: bool,
}

/// Whether viewers draw an annotation with a default.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Drawn {
    No,
    ByAll,
    BySome,
}

impl Drawn {
    /// By all viewers, or by none.
    fn is(is_drawn: bool) -> Self {
        if is_drawn { Self::ByAll } else { Self::No }
    }

    /// By viewers that draw an annotation whose appearance comes from here.
    fn from(source: AppearanceSource) -> Self {
        match source {
            AppearanceSource::File => Self::No,
            AppearanceSource::Viewers => Self::ByAll,
            AppearanceSource::Unclear => Self::BySome,
        }
    }
}

impl DrawnByDefault {
    /// The change of the default, as one of the field that all viewers draw with it.
    pub(crate) fn event(&self, step: &Step, key: &[u8], (before, after): (&Object, &Object)) -> Event {
        let key = String::from_utf8_lossy(key).into_owned();
        let object = Some(self.object).filter(|object| *object > 0);
        let page = self.page.and_then(|page| step.page_number(page));
        let named = self.field.as_ref().filter(|_| !self.is_unclear);
        let (kind, subject) = match named {
            Some(field) => (EventKind::Field, Subject::Field(field.name.clone(), Some(key))),
            None => (EventKind::View, Subject::Form(key)),
        };
        let field = named.map(|field| field.name.clone());
        Event { object, page, field, ..step.event_between((before, after), kind, subject) }
    }
}

/// Whether a default is one that all viewers read alike, or none: values that are filled in later are drawn with it.
pub(crate) fn is_default(key: &[u8], value: &Object) -> bool {
    match (key, value) {
        (_, Object::Null) | (b"Q", Object::Integer(0..=2)) => true,
        (b"DA", value) => {
            value.as_string().is_some_and(|text| DefaultStyle::read(&DefaultAppearance::read(text), 0).is_some())
        }
        _ => false,
    }
}

/// What viewers draw with this default, so that it is shown otherwise now. Resources that are lost change nothing that
/// is known: viewers draw with a font of their own.
pub(crate) fn drawn_with(examiner: &mut Examiner, step: &Step, key: &[u8]) -> Result<Option<DrawnByDefault>, Fault> {
    if key == b"DR" && !exchanges_resource(examiner, step)? {
        return Ok(None);
    }
    drawn_by_default(examiner, step, key)
}

/// Whether a name among the form's resources stands for another one now.
fn exchanges_resource(examiner: &mut Examiner, step: &Step) -> Result<bool, Fault> {
    let [before, after] = step.forms.clone();
    let (before, after) = (before.dictionary.get(b"DR"), after.dictionary.get(b"DR"));
    let [before, after] = step.pair.resolve(examiner.document, before, after)?;
    let (before, after) = (before.as_dictionary().cloned(), after.as_dictionary().cloned());
    let (before, after) = (before.unwrap_or_default(), after.unwrap_or_default());
    for (category, resources) in before.iter() {
        let [had, has] = step.pair.resolve(examiner.document, resources, after.get(category.as_bytes()))?;
        // procedure sets are obsolete (14.2), and no value uses named form XObjects
        if matches!(category.as_bytes(), b"ProcSet" | b"XObject") || has.is_null() {
            continue;
        }
        let (Some(had), Some(has)) = (had.as_dictionary(), has.as_dictionary()) else { return Ok(true) };
        for name in step.pair.differing(examiner.document, had, has)? {
            if had.has(name.as_bytes()) && has.has(name.as_bytes()) {
                return Ok(true);
            }
        }
    }
    Ok(false)
}

/// Whether other resources of the form show nothing otherwise: none was exchanged, and whatever is shown has an
/// appearance that is drawn with its own.
pub(crate) fn needs_no_resources(examiner: &mut Examiner, step: &Step) -> Result<bool, Fault> {
    if exchanges_resource(examiner, step)? || drawn_by_default(examiner, step, b"DR")?.is_some() {
        return Ok(false);
    }
    let ([form, _], [pages, _]) = (step.forms.clone(), step.pages.clone());
    let state = step.pair.old;
    for leaf in &pages.leaves {
        let view = &mut examiner.document.view(state);
        let Some(page) = leaf.dictionary(view)? else { continue };
        let annotations = view.resolve(page.get(b"Annots"))?.into_owned();
        for annotation in annotations.elements() {
            let dictionary = examiner.document.view(state).dictionary(annotation)?.into_owned();
            let number = annotation.as_reference().map_or(0, |id| id.number);
            let is_signature = form.field(number).is_some_and(Field::is_signature);
            let kind = DefaultKind::of(&mut examiner.document.view(state), &dictionary)?;
            if is_signature || !kind.is_some_and(DefaultKind::is_widget) || !dictionary.has(b"AP") {
                continue;
            }
            let drawn = signature_field_template::drawn(examiner, state, &dictionary)?;
            if drawn.is_part || drawn.runs.iter().any(|run| run.undecoded > 0) {
                return Ok(false);
            }
        }
    }
    Ok(true)
}

fn drawn_by_default(examiner: &mut Examiner, step: &Step, key: &[u8]) -> Result<Option<DrawnByDefault>, Fault> {
    let [form, _] = step.forms.clone();
    first_annotation(examiner, step, |annotation, source, field| {
        let has_own = |entries: &Dictionary| key != b"DR" && entries.has(key);
        if has_own(annotation) {
            return Drawn::No;
        }
        let Some(field) = field else { return Drawn::from(asked(step, source)) };
        let is_inherited =
            field.line.iter().filter_map(|&number| form.field(number)).any(|it| has_own(it.dictionary()));
        if is_inherited { Drawn::No } else { drawn(step, field, annotation, source) }
    })
}

/// Whether anything may be drawn with a default in future: there are fields other than signature fields.
pub(crate) fn may_show_anything(examiner: &mut Examiner, step: &Step) -> Result<bool, Fault> {
    if !step.has_signatures_alone() {
        return Ok(true);
    }
    let found = first_annotation(examiner, step, |_, source, field| {
        Drawn::is(match field {
            Some(field) => !field.is_signature(),
            None => asked(step, source) != AppearanceSource::File,
        })
    })?;
    Ok(found.is_some())
}

/// Who draws an annotation of a form that may ask viewers for new appearances.
fn asked(step: &Step, source: AppearanceSource) -> AppearanceSource {
    if step.needs_appearances { AppearanceSource::Viewers } else { source }
}

/// Whether viewers draw a widget themselves, and more than nothing.
fn drawn(step: &Step, field: &Field, annotation: &Dictionary, source: AppearanceSource) -> Drawn {
    if field.is_signature() {
        return Drawn::No;
    }
    if field.is_push_button() {
        return if annotation.has(b"MK") { Drawn::from(asked(step, source)) } else { Drawn::No };
    }
    if field.is_button() {
        return drawn_mark(field, annotation, source);
    }
    let is_empty = field.value.is_null() || field.value.as_string().is_some_and(<[u8]>::is_empty);
    // a list shows its options without a value
    let is_shown = !is_empty || field.is_list() && !field.options().is_empty();
    if is_shown { Drawn::from(asked(step, source)) } else { Drawn::No }
}

/// Whether viewers draw the mark of a check box or radio button, which draws nothing itself. Without characteristics, some
/// draw a mark of their own if it is on.
fn drawn_mark(field: &Field, annotation: &Dictionary, source: AppearanceSource) -> Drawn {
    let is_off = |state: &Object| state.is_null() || state.is_name(b"Off");
    match source {
        AppearanceSource::File => Drawn::No,
        _ if !annotation.has(b"AP") && annotation.has(b"MK") => Drawn::ByAll,
        _ if is_off(&field.value) && is_off(annotation.get(b"AS")) => Drawn::No,
        _ => Drawn::BySome,
    }
}

/// The first widget or free text of which this is true, with whether viewers draw its appearance stream, and its field:
/// the first that all viewers draw so, or that some do.
fn first_annotation(
    examiner: &mut Examiner,
    step: &Step,
    is_it: impl Fn(&Dictionary, AppearanceSource, Option<&Field>) -> Drawn,
) -> Result<Option<DrawnByDefault>, Fault> {
    let ([form, _], [pages, _]) = (step.forms.clone(), step.pages.clone());
    if pages.is_cut || form.is_cut {
        return Ok(Some(DrawnByDefault::default()));
    }
    let mut unclear = None;
    let view = &mut examiner.document.view(step.pair.old);
    for leaf in &pages.leaves {
        let Some(page) = leaf.dictionary(view)? else { continue };
        for annotation in view.resolve(page.get(b"Annots"))?.elements() {
            let dictionary = view.dictionary(annotation)?;
            let object = annotation.as_reference().map_or(0, |id| id.number);
            let Some(kind) = DefaultKind::of(view, &dictionary)? else { continue };
            let field = if kind.is_widget() {
                let mut field = form.field_of(view, object, &dictionary)?;
                field.value = view.resolve(&field.value)?.into_owned();
                Some(field)
            } else {
                None
            };
            let has_states = field.as_ref().is_some_and(|field| field.is_button() && !field.is_push_button());
            let source = AppearanceSource::read(view, &dictionary, has_states)?;
            let drawn = is_it(&dictionary, source, field.as_ref());
            let is_unclear = drawn == Drawn::BySome || !kind.is_plain();
            if drawn == Drawn::No || is_unclear && unclear.is_some() {
                continue;
            }
            let found = Some(DrawnByDefault { object, page: examiner.map.page(object), field, is_unclear });
            if !is_unclear {
                return Ok(found);
            }
            unclear = found;
        }
    }
    Ok(unclear)
}

/// Whether it does not matter who generates appearances (12.7.2, `/NeedAppearances`), viewers or the file.
pub(crate) fn are_appearances_kept(examiner: &mut Examiner, step: &Step) -> Result<bool, Fault> {
    if !examiner.is_signed {
        return Ok(!step.filled.is_empty() || step.signs());
    }
    Ok(redrawn(examiner, step)?.is_none())
}

/// Why it matters who generates appearances: a field shows neither its value nor what was signed. A value
/// that was filled in is compared with a new appearance; viewers that keep the signed one show what was signed.
pub(crate) fn redrawn(examiner: &mut Examiner, step: &Step) -> Result<Option<Clause>, Fault> {
    let [before, after] = step.forms.clone();
    let is_asked = after.dictionary.get(b"NeedAppearances") == &Object::Boolean(true);
    for field in before.fields.iter().filter(|field| field.is_widget() && !field.is_signature()) {
        let is_filled = step.fills(field) && (field.is_text() || field.is_choice());
        if field.is_button() && !field.is_push_button() || is_filled {
            continue;
        }
        // viewers generate what is missing in any case, but Acrobat no value unless the form asks for it
        if (is_asked || field.is_push_button()) && !has_appearances(examiner, step, field)? {
            continue;
        }
        let is_alike = !is_asked || is_drawn_alike(examiner, step, (step.pair.new, &after), field)?;
        if !is_alike || !shows_value(examiner, step, field)? {
            let does = Own(if is_asked { "now asks viewers" } else { "no longer asks viewers" });
            if field.is_push_button() {
                let words = [does, Quote(&field.name)];
                return Ok(Some(Clause::of("the form {} to draw the caption of the button {}", &words)));
            }
            let value = field.text().filter(|_| !field.is_secret()).unwrap_or_default();
            let words = [does, Quote(&value), Quote(&field.name)];
            return Ok(Some(Clause::of("the form {} to draw the value {} of the field {}", &words)));
        }
    }
    Ok(None)
}

/// Whether the widget of a field has appearances before or after.
fn has_appearances(examiner: &mut Examiner, step: &Step, field: &Field) -> Result<bool, Fault> {
    let Some(&widget) = field.line.first() else { return Ok(true) };
    let Some([before, after]) = step.both_states(examiner.document, widget)? else { return Ok(true) };
    for (state, widget) in [(step.pair.old, before), (step.pair.new, after)] {
        if !examiner.document.view(state).dictionary(widget.get(b"AP"))?.is_empty() {
            return Ok(true);
        }
    }
    Ok(false)
}

/// The change of who generates appearances, as one of the first field that was not filled in and whose appearance shows
/// other words than its value.
pub(crate) fn shown_beside_value(examiner: &mut Examiner, step: &Step) -> Result<Option<Event>, Fault> {
    let [before, after] = step.forms.clone();
    let is_asked = after.dictionary.get(b"NeedAppearances") == &Object::Boolean(true);
    // viewers generate a missing appearance from the value anyway
    let has_own =
        |field: &&Field| field.is_widget() && field.dictionary().has(b"AP") && (field.is_text() || field.is_choice());
    for field in before.fields.iter().filter(has_own) {
        let Some(object) = field.number.filter(|_| !step.fills(field)) else { continue };
        if appearance_match(examiner, step, field)? != AppearanceMatch::Other {
            continue;
        }
        let [_, shown] = field_appearance::shown(examiner, step, object)?;
        let Some(shown) = shown.filter(|words| !words.is_empty()) else { continue };
        let value = field.text().filter(|_| !field.is_secret());
        let (before, after) = if is_asked { (Some(shown), value) } else { (value, Some(shown)) };
        let subject = Subject::Field(field.name.clone(), Some("NeedAppearances".to_owned()));
        let page = examiner.map.page(object).and_then(|page| step.page_number(page));
        let (object, field) = (Some(object), Some(field.name.clone()));
        return Ok(Some(Event { object, page, field, before, after, ..step.event(EventKind::Field, subject) }));
    }
    Ok(None)
}
