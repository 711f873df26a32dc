//! Compares a widget's appearance with its field's value (ISO 32000-1, 12.5.5 and 12.7.3.3).

use super::button_appearance::{caption_match, mark_match};
use super::list_box;
use super::text_appearance::{AppearanceMatch, letters, text_only};
use super::value_layout::{has_same_blanks, is_in_cells, is_one_word};
use crate::integrity::revision::evidence_text::says_nothing;
use crate::integrity::revision::examiner::{Examiner, Step};
use crate::integrity::revision::format::is_formatted;
use crate::integrity::revision::signature_field_template::draws_nothing;
use pdf_content::{ExpectedGlyphs, Line, PageText};
use pdf_syntax::document::form::{Field, FormFields};
use pdf_syntax::document::objects::State;
use pdf_syntax::document::view::View;
use pdf_syntax::failure::Fault;
use pdf_syntax::syntax::dictionary::Dictionary;
use pdf_syntax::syntax::object::Object;
use pdf_syntax::text::text_string;

/// Whether the widget of a field shows exactly its value.
pub(crate) fn shows_value(examiner: &mut Examiner, step: &Step, field: &Field) -> Result<bool, Fault> {
    Ok(matches!(appearance_match(examiner, step, field)?, AppearanceMatch::Value))
}

/// The match after the revision.
pub(crate) fn appearance_match(
    examiner: &mut Examiner,
    step: &Step,
    ancestry: &Field,
) -> Result<AppearanceMatch, Fault> {
    let [_, form] = step.forms.clone();
    match_in(examiner, step, ancestry, (step.pair.new, &form))
}

/// The match before the revision.
pub(super) fn signed_match(examiner: &mut Examiner, step: &Step, ancestry: &Field) -> Result<AppearanceMatch, Fault> {
    let [form, _] = step.forms.clone();
    match_in(examiner, step, ancestry, (step.pair.old, &form))
}

fn match_in(
    examiner: &mut Examiner,
    step: &Step,
    ancestry: &Field,
    (state, form): (State, &FormFields),
) -> Result<AppearanceMatch, Fault> {
    let Some(&widget) = ancestry.line.first() else { return Ok(AppearanceMatch::Unknown) };
    let field = form.field(widget).unwrap_or(ancestry);
    if field.is_push_button() {
        return caption_match(examiner, step, widget);
    }
    if field.is_button() {
        return mark_match(examiner, step, widget);
    }
    let value = examiner.document.view(state).resolve(&field.value)?.into_owned();
    let mut has_options = false;
    if field.is_list() && !field.options().is_empty() {
        let body = examiner.document.view(state).object(widget)?;
        if let Some(widget) = body.as_ref().and_then(|body| body.dictionary()) {
            match list_box::list_match(examiner, (step, state), field, widget)? {
                Some(AppearanceMatch::Value) => return Ok(AppearanceMatch::Value),
                found => has_options = found.is_some(),
            }
        }
    }
    let value = match value {
        Object::Null => Some(String::new()),
        Object::String(text) => text_string::comparable(&text),
        // PDF.js writes that nothing is chosen as a list of an empty text
        chosen @ Object::Array(_) if field.is_choice() && says_nothing(&chosen) => Some(String::new()),
        _ => None,
    };
    let Some(value) = value.filter(|_| field.is_text() || field.is_choice()) else {
        return Ok(AppearanceMatch::Unknown);
    };
    if has_unread_text(&mut examiner.document.view(state), field)? {
        return Ok(AppearanceMatch::Unknown);
    }
    let Some(left) = examiner.appearance_checks_left.checked_sub(1) else { return Ok(AppearanceMatch::Unknown) };
    examiner.appearance_checks_left = left;
    let Some(body) = examiner.document.view(state).object(widget)? else { return Ok(AppearanceMatch::Unknown) };
    let Some(annotation) = body.dictionary() else { return Ok(AppearanceMatch::Unknown) };
    if draws_nothing(examiner, state, annotation)? {
        return Ok(if value.trim().is_empty() { AppearanceMatch::Value } else { AppearanceMatch::Other });
    }
    let is_combo = field.is_choice() && !field.is_list();
    let glyphs = if is_combo { ExpectedGlyphs::Option } else { ExpectedGlyphs::Letters };
    let drawn = text_only(examiner, (step, state), annotation, (glyphs, field.cells()))?;
    let found = drawn.map(|drawn| text_match(&drawn, (form, field), annotation, &value));
    // options are no other value, unless one is marked
    Ok(found.filter(|found| *found == AppearanceMatch::Value || !has_options).unwrap_or(AppearanceMatch::Unknown))
}

/// Whether a text of a field, possibly its value, cannot be decrypted.
fn has_unread_text(view: &mut View, field: &Field) -> Result<bool, Fault> {
    let mut bodies = vec![view.body(&field.value)?];
    for &number in &field.line {
        bodies.push(view.object(number)?);
    }
    Ok(bodies.iter().flatten().any(|body| body.has_unread_string))
}

/// Compares what a text field or a choice field draws with its value.
fn text_match(
    drawn: &PageText,
    (form, field): (&FormFields, &Field),
    widget: &Dictionary,
    value: &str,
) -> AppearanceMatch {
    let shown = drawn.lines().iter().map(Line::text).collect::<Vec<_>>().join("\n");
    // viewers choose differently among options with the same export value
    let value = value.trim();
    let options: Vec<[String; 2]> =
        field.options().into_iter().map(|option| option.map(|text| text.trim().to_owned())).collect();
    let named = options.iter().filter(|[export, _]| export == value).map(|[_, text]| letters(text));
    let named: Vec<String> = named.collect();
    if named.len() > 1 && named.contains(&letters(&shown)) {
        return AppearanceMatch::Unknown;
    }
    // PDFBox draws the export value, which may be the text of another option
    let is_other = |[export, text]: &[String; 2]| export != value && letters(text) == letters(value);
    let is_value = letters(&shown) == letters(value) && !options.iter().any(is_other);
    let written = field.option(value).filter(|_| !is_value).unwrap_or_else(|| value.to_owned());
    if letters(&shown) == letters(&written) {
        let is_same = match field.cells() {
            Some(cells) => {
                is_in_cells(drawn, (cells, quadding(form, field)), widget, &written)
                    || is_one_word(drawn, cells, widget)
            }
            None => has_same_blanks(&written, &shown, field.is_multiline()),
        };
        return if is_same { AppearanceMatch::Value } else { AppearanceMatch::Unknown };
    }
    if shown.contains(char::REPLACEMENT_CHARACTER) {
        // in a font that cannot be read
        AppearanceMatch::Unknown
    } else if field.is_secret() && letters(&shown).chars().all(|letter| letter == '*') {
        AppearanceMatch::Value
    } else if field.is_formatted() {
        match field.format().and_then(|script| is_formatted(&script, value, &shown)) {
            Some(true) => AppearanceMatch::Value,
            Some(false) => AppearanceMatch::Other,
            // a custom script of the form may produce any text
            None => AppearanceMatch::Unknown,
        }
    } else if namesakes(form, field).any(|value| letters(&value) == letters(&shown)) {
        AppearanceMatch::Unknown
    } else {
        AppearanceMatch::Other
    }
}

/// The values of other fields with the name of this one, which are to be its own (12.7.3.2).
fn namesakes(form: &FormFields, field: &Field) -> impl Iterator<Item = String> {
    let is_namesake = |other: &&Field| other.name == field.name && other.number != field.number;
    form.fields.iter().filter(is_namesake).filter_map(Field::characters)
}

/// The alignment of a field (12.7.3.3, table 222): from the left, centered, or to the right.
pub(super) fn quadding(form: &FormFields, field: &Field) -> i64 {
    let line = field.line.iter().filter_map(|&number| form.field(number)).map(Field::dictionary);
    line.chain([&form.dictionary]).find_map(|entries| entries.get(b"Q").as_integer()).unwrap_or(0)
}
