//! Values that viewers draw themselves, because a field has no appearance or the form asks for new ones (ISO 32000-1,
//! 12.7.3.3): what all viewers draw alike, and the fonts that they draw with.

use crate::integrity::revision::examiner::{Examiner, Step};
use pdf_content::{ExpectedGlyphs, Rectangle, is_reliable_font};
use pdf_syntax::document::form::{Field, FormFields};
use pdf_syntax::document::objects::State;
use pdf_syntax::failure::Fault;
use pdf_syntax::syntax::dictionary::Dictionary;
use pdf_syntax::syntax::lexer::{Lexer, Token};
use pdf_syntax::syntax::object::Object;
use pdf_syntax::text::text_string;

/// Average width of a letter, in font sizes: less than that of digits.
const LETTER_WIDTH_EM: f64 = 0.5;
/// Minimum legible font size, in points; 0 is automatic.
const MIN_SIZE_PT: f64 = 4.0;
/// Automatic font size of a text of several lines, in points.
const AUTOMATIC_SIZE_PT: f64 = 12.0;
/// Minimum difference in lightness between a text and its ground, of 1.
const CONTRAST_MIN: f64 = 0.4;
/// Names that viewers replace by standard fonts if the form has no fonts with them.
const SUBSTITUTED: [&[u8]; 5] = [b"Helv", b"Arial", b"Times", b"TiRo", b"Cour"];
/// Maximum bytes of a default appearance.
const MAX_DEFAULT_BYTES: usize = 1_000;

/// A default appearance (12.7.3.3): the font, its size in points (0: automatic), and the lightness of its color, of 1.
#[derive(Debug, PartialEq)]
struct DefaultAppearance {
    font: Vec<u8>,
    size: f64,
    lightness: f64,
}

impl DefaultAppearance {
    /// Reads a default appearance string; `None` if it has other operators, which viewers treat differently.
    fn read(text: &[u8]) -> Option<Self> {
        let mut lexer = Lexer::new(text.get(..MAX_DEFAULT_BYTES).unwrap_or(text));
        let (mut name, mut numbers) = (None, Vec::new());
        let (mut font, mut lightness) = (None, 0.0);
        loop {
            match lexer.token() {
                Token::Integer(number) => numbers.push(number as f64),
                Token::Real(number) => numbers.push(number),
                Token::Name(found) => name = Some(found.as_bytes().to_vec()),
                Token::Keyword(operator) => {
                    match (operator, &numbers[..]) {
                        (b"Tf", [size]) => font = Some((name.take()?, *size)),
                        (b"g" | b"rg" | b"k", components) => lightness = self::lightness(components)?,
                        _ => return None,
                    }
                    numbers.clear();
                }
                Token::End => break,
                _ => return None,
            }
        }
        let (font, size) = font?;
        Some(Self { font, size, lightness })
    }
}

/// The lightness of a color in DeviceGray, DeviceRGB or DeviceCMYK, of 1.
fn lightness(components: &[f64]) -> Option<f64> {
    match *components {
        [gray] => Some(gray),
        [red, green, blue] => Some((red + green + blue) / 3.0),
        [cyan, magenta, yellow, black] => Some((1.0 - black) * (3.0 - cyan - magenta - yellow) / 3.0),
        _ => None,
    }
}

/// Whether all viewers draw the complete value of a text or choice field, and nothing else: its letters are those of
/// Latin fonts, in a dark color and a reliable font, and they fit the field.
pub(crate) fn is_drawn_alike(
    examiner: &mut Examiner,
    step: &Step,
    (state, form): (State, &FormFields),
    field: &Field,
) -> Result<bool, Fault> {
    let Some(text) = field.value.as_string() else { return Ok(field.value.is_null()) };
    if !text_string::is_valid(text) {
        return Ok(false);
    }
    let text = text_string::characters(text);
    if text.trim().is_empty() {
        return Ok(true);
    }
    let value = field.text().unwrap_or_default();
    let shown = field.option(&value).unwrap_or_else(|| text.trim_end_matches(['\r', '\n']).to_owned());
    let is_letter = |letter: char| match letter {
        '\r' | '\n' => field.is_multiline(),
        ' '..='~' | '\u{a1}'..='\u{ac}' | '\u{ae}'..='\u{ff}' => true,
        _ => false,
    };
    let is_short = field.max_length().is_none_or(|longest| shown.chars().count() as i64 <= longest);
    if !shown.chars().all(is_letter) || !is_short || !is_only_option(field, &value) {
        return Ok(false);
    }
    let widget = field.dictionary();
    let view = &mut examiner.document.view(state);
    let [indices, top] = [b"I".as_slice(), b"TI"].map(|key| widget.get(key));
    let (indices, top) = (view.resolve(indices)?.into_owned(), view.resolve(top)?.as_integer().unwrap_or(0));
    if !has_index(&indices, field, &value) || top != 0 {
        return Ok(false);
    }
    let characteristics = view.dictionary(widget.get(b"MK"))?.into_owned();
    let ground = view.resolve(characteristics.get(b"BG"))?.into_owned();
    let ground = match ground.elements() {
        [] => Some(1.0),
        components => lightness(&components.iter().filter_map(Object::as_number).collect::<Vec<_>>()),
    };
    let is_upright = matches!(characteristics.get(b"R"), Object::Null | Object::Integer(0));
    let rectangle = Rectangle::read(&*view.resolve(widget.get(b"Rect"))?);
    let default = view.resolve(&default_of(form, field, widget))?.into_owned();
    // viewers have one of their own, or draw nothing
    let default = match &default {
        Object::Null => Some(DefaultAppearance { font: SUBSTITUTED[0].to_vec(), size: 0.0, lightness: 0.0 }),
        default => DefaultAppearance::read(default.as_string().unwrap_or_default()),
    };
    let (Some(default), Some(rectangle), Some(ground), true) = (default, rectangle, ground, is_upright) else {
        return Ok(false);
    };
    let is_seen = (default.lightness - ground).abs() >= CONTRAST_MIN;
    let default = match default {
        default if default.size == 0.0 && field.is_multiline() => {
            DefaultAppearance { size: AUTOMATIC_SIZE_PT, ..default }
        }
        default => default,
    };
    let is_legible = default.size == 0.0 || default.size >= MIN_SIZE_PT && fits(&shown, &default, rectangle, field);
    let resources = view.dictionary(form.dictionary.get(b"DR"))?.into_owned();
    let fonts = view.dictionary(resources.get(b"Font"))?.into_owned();
    let is_missing =
        fonts.find(&default.font).is_none() && SUBSTITUTED.iter().any(|name| default.font.starts_with(name));
    let font = fonts.get(&default.font);
    Ok(is_seen && is_legible && (is_missing || is_reliable_font(view, font, (ExpectedGlyphs::Letters, &step.changed))?))
}

/// Whether the letters of a text fit the rectangle of its field, line by line.
fn fits(text: &str, default: &DefaultAppearance, rectangle: Rectangle, field: &Field) -> bool {
    let width = |line: &str| LETTER_WIDTH_EM * default.size * line.chars().count() as f64;
    if !field.is_multiline() {
        return width(text) <= rectangle.width() && default.size <= rectangle.height();
    }
    let lines: f64 = text.lines().map(|line| (width(line) / rectangle.width()).ceil().max(1.0)).sum();
    lines * default.size <= rectangle.height()
}

/// Whether the value of a choice field is one option, by its export value as well as by its text.
fn is_only_option(field: &Field, value: &str) -> bool {
    let options = field.options();
    let named = options.iter().filter(|option| option.iter().any(|text| text == value)).count();
    !field.is_choice() || options.is_empty() || named <= 1
}

/// Whether the indices of the chosen options (12.7.4.4, table 231, `/I`) are absent or those of the value.
fn has_index(indices: &Object, field: &Field, value: &str) -> bool {
    let place = field.options().iter().position(|option| option.iter().any(|text| text == value));
    let is_it = |index: &Object| place.is_some_and(|place| index.as_integer() == i64::try_from(place).ok());
    indices.elements().iter().all(is_it)
}

/// Whether the form gains a font in which viewers draw texts, before or after, and which may draw other glyphs than it
/// says.
pub(crate) fn gains_font(examiner: &mut Examiner, step: &Step) -> Result<bool, Fault> {
    if !examiner.is_signed {
        return Ok(false);
    }
    let [before, after] = step.forms.clone();
    let mut known = Vec::new();
    for (state, form) in [(step.pair.old, &before), (step.pair.new, &after)] {
        let view = &mut examiner.document.view(state);
        let resources = view.dictionary(form.dictionary.get(b"DR"))?.into_owned();
        known.push(view.dictionary(resources.get(b"Font"))?.into_owned());
    }
    let [had, has] = &known[..] else { return Ok(false) };
    let view = &mut examiner.document.view(step.pair.new);
    let mut gained = Vec::new();
    for (name, font) in has.iter().filter(|(name, _)| !had.has(name.as_bytes())) {
        if !is_reliable_font(view, font, (ExpectedGlyphs::Letters, &step.changed))?
            && !is_reliable_font(view, font, (ExpectedGlyphs::Marks, &step.changed))?
        {
            gained.push(name.as_bytes().to_vec());
        }
    }
    if gained.is_empty() {
        return Ok(false);
    }
    let uses = |text: &Object| {
        let mut lexer = Lexer::new(text.as_string().unwrap_or_default());
        std::iter::from_fn(|| match lexer.token() {
            Token::End => None,
            token => Some(token),
        })
        .any(|token| matches!(token, Token::Name(name) if gained.iter().any(|font| font == name.as_bytes())))
    };
    for (state, form, pages) in [(step.pair.old, &before, &step.pages[0]), (step.pair.new, &after, &step.pages[1])] {
        if pages.is_cut || form.is_cut {
            return Ok(true);
        }
        let view = &mut examiner.document.view(state);
        for page in &pages.leaves {
            let Some(page) = page.dictionary(view)? else { continue };
            for annotation in view.resolve(page.get(b"Annots"))?.elements() {
                let number = annotation.as_reference().map_or(0, |id| id.number);
                let annotation = view.dictionary(annotation)?.into_owned();
                if view.dictionary(annotation.get(b"AP"))?.has(b"N") && !step.needs_appearances {
                    continue;
                }
                let field = form.field_of(view, number, &annotation)?;
                let is_empty = field.value.is_null() || field.value.as_string().is_some_and(<[u8]>::is_empty);
                if is_empty && (field.is_text() || field.is_choice() && !field.is_list()) {
                    continue;
                }
                let default = default_of(form, &field, &annotation);
                if uses(&*view.resolve(&default)?) {
                    return Ok(true);
                }
            }
        }
    }
    Ok(false)
}

/// The default appearance of a widget or free text, possibly inherited (12.7.3.3).
fn default_of(form: &FormFields, field: &Field, annotation: &Dictionary) -> Object {
    match annotation.get(b"DA") {
        Object::Null => form.inherited(&field.line, b"DA").clone(),
        own => own.clone(),
    }
}

#[cfg(test)]
mod tests {
    use super::DefaultAppearance;

    #[test]
    fn a_default_appearance_has_a_font_and_a_color() {
        let read = |text: &str| DefaultAppearance::read(text.as_bytes());
        let plain = |size: f64, lightness: f64| Some(DefaultAppearance { font: b"Helv".to_vec(), size, lightness });
        assert_eq!(read("/Helv 12 Tf 0 g"), plain(12.0, 0.0));
        assert_eq!(read("1 1 1 rg /Helv 0 Tf"), plain(0.0, 1.0));
        assert_eq!(read("/Helv 9.5 Tf 0 0 0 1 k"), plain(9.5, 0.0));
        for odd in ["", "0 g", "/Helv Tf", "/Helv 12 Tf 0 0 rg", "/Helv 12 Tf 3 Tr", "/Helv 12 Tf (a) Tj"] {
            assert_eq!(read(odd), None, "{odd}");
        }
    }
}
