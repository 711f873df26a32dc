//! Values that viewers draw themselves, because a field has no appearance or the form asks for new ones (ISO 32000-1,
//! 12.7.3.3): what all viewers draw alike, and the fonts that they draw with.

use std::collections::BTreeSet;

use super::appearance_match::quadding;
use super::rich_text_style::{DefaultStyle, is_drawn_in, is_plain_style, lightness};
use super::text_fit::{border, fits};
use crate::integrity::revision::examiner::{Examiner, Step};
use pdf_content::{DefaultAppearance, ExpectedGlyphs, Rectangle, StandardFont, is_reliable_font};
use pdf_syntax::document::form::{Field, FormFields};
use pdf_syntax::document::objects::State;
use pdf_syntax::document::view::View;
use pdf_syntax::failure::Fault;
use pdf_syntax::syntax::dictionary::Dictionary;
use pdf_syntax::syntax::object::Object;
use pdf_syntax::text::rich_text::RichText;
use pdf_syntax::text::text_string;

/// Minimum legible font size, in points; 0 is automatic.
const MIN_SIZE_PT: f64 = 4.0;
/// Automatic font size of a text of several lines, in points.
const AUTOMATIC_SIZE_PT: f64 = 12.0;
/// Minimum difference in lightness between a text and its ground, of 1.
const CONTRAST_MIN: f64 = 0.4;
/// Names that viewers replace by standard fonts if the form has no fonts with them.
const SUBSTITUTED: [&[u8]; 5] = [b"Helv", b"Arial", b"Times", b"TiRo", b"Cour"];

/// Whether all viewers draw the complete value of a text or choice field, and nothing else: its letters are those of
/// Latin fonts, in a dark color and a reliable font, and they fit the field.
pub(crate) fn is_drawn_alike(
    examiner: &mut Examiner,
    step: &Step,
    (state, form): (State, &FormFields),
    field: &Field,
) -> Result<bool, Fault> {
    let view = &mut examiner.document.view(state);
    let Some(value) = plain_text(&field.value) else { return Ok(false) };
    if value.trim().is_empty() {
        let rich = view.resolve(form.inherited(&field.line, b"RV"))?.into_owned();
        return Ok(rich.is_null() || is_rich(&rich, |rich| rich.says("")));
    }
    // some viewers draw the export value, others the text of its option
    if field.option(&value).is_some_and(|shown| shown != value) {
        return Ok(false);
    }
    let shown = value.trim_end_matches(['\r', '\n']);
    if !has_plain_letters(field, shown) || !is_only_choice(view, field, &value)? {
        return Ok(false);
    }
    let widget = field.dictionary();
    let default = view.resolve(&default_of(form, field, widget))?.into_owned();
    let default = default_appearance(&default, quadding(form, field));
    let rectangle = Rectangle::read(&*view.resolve(widget.get(b"Rect"))?);
    let (Some((name, style)), Some(rectangle), Some(border)) = (default, rectangle, border(view, widget)?) else {
        return Ok(false);
    };
    let style = match style {
        style if style.size == 0.0 && field.is_multiline() => DefaultStyle { size: AUTOMATIC_SIZE_PT, ..style },
        style => style,
    };
    let Some(font) = font(view, (form, &step.changed), &name)? else { return Ok(false) };
    // viewers reduce an automatic size until the text fits
    let size = if style.size == 0.0 { MIN_SIZE_PT } else { style.size };
    Ok(size >= MIN_SIZE_PT
        && fits(shown, (&font, size), rectangle.grown(-border), field)
        && has_contrast(view, widget, style)?
        && is_rich_alike(view, (form, field), &value, style)?)
}

/// The characters of a value that all viewers read alike, or that is missing. Of one that is a list (12.7.4.4), some
/// viewers draw nothing.
fn plain_text(value: &Object) -> Option<String> {
    match value {
        Object::Null => Some(String::new()),
        Object::String(text) => text_string::comparable(text),
        _ => None,
    }
}

/// Whether a text has letters that all viewers have, and no more than the field may have.
fn has_plain_letters(field: &Field, shown: &str) -> bool {
    let is_letter = |letter: char| match letter {
        '\r' | '\n' => field.is_multiline(),
        ' '..='~' | '\u{a1}'..='\u{ac}' | '\u{ae}'..='\u{ff}' => true,
        _ => false,
    };
    let is_short = field.max_length().is_none_or(|longest| shown.chars().count() as i64 <= longest);
    shown.chars().all(is_letter) && is_short
}

/// Whether all entries of a choice field choose this value.
fn is_only_choice(view: &mut View, field: &Field, value: &str) -> Result<bool, Fault> {
    let [indices, top] = [b"I".as_slice(), b"TI"].map(|key| field.dictionary().get(key));
    let (indices, top) = (view.resolve(indices)?.into_owned(), view.resolve(top)?.as_integer().unwrap_or(0));
    Ok(is_only_option(field, value) && has_index(&indices, field, value) && top == 0)
}

/// The font and style that viewers take; without one they have their own, or draw nothing.
fn default_appearance(default: &Object, quadding: i64) -> Option<(Vec<u8>, DefaultStyle)> {
    if default.is_null() {
        return Some((SUBSTITUTED[0].to_vec(), DefaultStyle { size: 0.0, lightness: 0.0, quadding }));
    }
    let default = DefaultAppearance::read(default.as_string()?);
    DefaultStyle::read(&default, quadding).map(|style| (default.font, style))
}

/// Whether a text stands out from the ground of its widget, which is upright.
fn has_contrast(view: &mut View, widget: &Dictionary, style: DefaultStyle) -> Result<bool, Fault> {
    let characteristics = view.dictionary(widget.get(b"MK"))?.into_owned();
    let ground = match view.resolve(characteristics.get(b"BG"))?.into_owned() {
        Object::Null => Some(1.0),
        Object::Array(components) if components.is_empty() => Some(1.0),
        Object::Array(components) => {
            components.iter().map(Object::as_number).collect::<Option<Vec<f64>>>().and_then(|all| lightness(&all))
        }
        _ => None,
    };
    let is_upright = matches!(characteristics.get(b"R"), Object::Null | Object::Integer(0));
    Ok(is_upright && ground.is_some_and(|ground| (style.lightness - ground).abs() >= CONTRAST_MIN))
}

/// The font of this name in which viewers draw a value: one that they have, and that the form does not make another.
fn font(
    view: &mut View,
    (form, changed): (&FormFields, &BTreeSet<u32>),
    name: &[u8],
) -> Result<Option<StandardFont>, Fault> {
    let resources = view.dictionary(form.dictionary.get(b"DR"))?.into_owned();
    let fonts = view.dictionary(resources.get(b"Font"))?.into_owned();
    let Some(font) = fonts.find(name) else {
        let is_substituted = SUBSTITUTED.iter().any(|known| name.starts_with(known));
        return Ok(is_substituted.then(|| StandardFont::named(&String::from_utf8_lossy(name))));
    };
    match is_reliable_font(view, font, (ExpectedGlyphs::Letters, changed), &BTreeSet::new())? {
        true => StandardFont::read(view, font),
        false => Ok(None),
    }
}

/// Whether a text string is a rich text of which this is true.
fn is_rich(text: &Object, is_it: impl FnOnce(&RichText) -> bool) -> bool {
    let text = text.as_string().map(text_string::characters).unwrap_or_default();
    RichText::read(&text).is_some_and(|rich| is_it(&rich))
}

/// Whether viewers that draw a field's rich text draw the same as those that draw its value.
fn is_rich_alike(
    view: &mut View,
    (form, field): (&FormFields, &Field),
    value: &str,
    default: DefaultStyle,
) -> Result<bool, Fault> {
    let [rich, style] = [b"RV".as_slice(), b"DS"].map(|key| form.inherited(&field.line, key));
    let (rich, style) = (view.resolve(rich)?.into_owned(), view.resolve(style)?.into_owned());
    let is_plain = || style.as_string().is_some_and(|style| is_plain_style(&text_string::characters(style), default));
    Ok(rich.is_null()
        || is_rich(&rich, |rich| rich.says(value) && is_drawn_in(rich, default)) && (style.is_null() || is_plain()))
}

/// Whether the value of a choice field is one option, by its export value as well as by its text.
fn is_only_option(field: &Field, value: &str) -> bool {
    let options = field.options();
    let named = options.iter().filter(|option| option.iter().any(|text| text == value)).count();
    // some viewers ignore white space at the ends
    let is_other = |text: &String| text != value && text.trim() == value.trim();
    !field.is_choice() || named <= 1 && !options.iter().flatten().any(is_other)
}

/// Whether the indices of the chosen options (12.7.4.4, table 231, `/I`) are absent or those of the value.
fn has_index(indices: &Object, field: &Field, value: &str) -> bool {
    let place = field.options().iter().position(|option| option.iter().any(|text| text == value));
    let is_it = |index: &Object| place.is_some_and(|place| index.as_integer() == i64::try_from(place).ok());
    indices.elements().iter().all(is_it)
}

/// The default appearance of a widget or free text, possibly inherited (12.7.3.3).
pub(super) fn default_of(form: &FormFields, field: &Field, annotation: &Dictionary) -> Object {
    match annotation.get(b"DA") {
        Object::Null => form.inherited(&field.line, b"DA").clone(),
        own => own.clone(),
    }
}
