//! What viewers draw for a form field that has no appearance stream: its ground, its border, and its value or caption
//! (ISO 32000-1, 12.5.6.19 and 12.7.3.3).

use std::fmt::Write;

use super::appearance::{self, HIDDEN_FLAGS, MAX_ANNOTATIONS};
use super::default_appearance::{self, TextStyle, border_width, color, rectangle_path, written};
use super::geometry::Rectangle;
use super::graphics::Graphics;
use super::layer::OptionalContent;
use super::page::ResolvedPage;
use super::painter::Painter;
use pdf_syntax::failure::Fault;
use pdf_syntax::syntax::dictionary::Dictionary;
use pdf_syntax::syntax::object::Object;
use pdf_syntax::text::text_string;

/// Maximum ancestors of a field.
const MAX_ANCESTORS: usize = 32;
/// Field flags: multiline, password, push button, combo box, comb (12.7.4).
const MULTILINE: i64 = 1 << 12;
const PASSWORD: i64 = 1 << 13;
const PUSH_BUTTON: i64 = 1 << 16;
const COMBO: i64 = 1 << 17;
const COMB: i64 = 1 << 24;
/// Minimum and maximum automatic font size, in points, and its share of the field's height.
const AUTOMATIC_SIZE_PT: (f64, f64) = (4.0, 12.0);
const AUTOMATIC_SIZE_PART: f64 = 0.75;
/// Mean width of a letter, and distance of the baseline from the middle of a line (em).
const LETTER_WIDTH_EM: f64 = 0.55;
const BASELINE_EM: f64 = 0.35;
/// Distance between text and border, in points.
const PADDING_PT: f64 = 2.0;
/// Maximum characters of a value, and options of a choice.
const MAX_CHARACTERS: usize = 2_000;
const MAX_OPTIONS: usize = 2_000;

/// A field's entries, its own or inherited.
struct Field {
    entries: Vec<Dictionary>,
    kind: Vec<u8>,
    flags: i64,
}

impl Field {
    fn read(painter: &mut Painter, widget: &Dictionary) -> Result<Self, Fault> {
        let mut entries = vec![widget.clone()];
        while let Some(parent) = entries.last().map(|last| last.get(b"Parent").clone()) {
            if parent.is_null() || entries.len() > MAX_ANCESTORS {
                break;
            }
            entries.push(painter.view.dictionary(&parent)?.into_owned());
        }
        let mut field = Self { entries, kind: Vec::new(), flags: 0 };
        field.kind = field.entry(painter, b"FT")?.as_name().unwrap_or_default().to_vec();
        field.flags = field.entry(painter, b"Ff")?.as_integer().unwrap_or(0);
        Ok(field)
    }

    fn entry(&self, painter: &mut Painter, key: &[u8]) -> Result<Object, Fault> {
        let written = self.entries.iter().map(|entries| entries.get(key)).find(|value| !value.is_null());
        Ok(painter.view.resolve(written.unwrap_or(&Object::Null))?.into_owned())
    }

    fn has(&self, flag: i64) -> bool {
        self.flags & flag != 0
    }

    /// Whether it shows several lines: of a text, or the options of a list box.
    fn has_lines(&self) -> bool {
        self.kind == b"Tx" && self.has(MULTILINE) || self.kind == b"Ch" && !self.has(COMBO)
    }

    /// The shown text.
    fn text(&self, painter: &mut Painter, captions: &Dictionary) -> Result<String, Fault> {
        let value = match &*self.kind {
            b"Btn" if self.has(PUSH_BUTTON) => painter.view.resolve(captions.get(b"CA"))?.into_owned(),
            b"Ch" => return self.options(painter),
            b"Tx" => self.entry(painter, b"V")?,
            _ => Object::Null,
        };
        let Some(text) = value.as_string().and_then(text_string::decode) else { return Ok(String::new()) };
        let shown = text.chars().take(MAX_CHARACTERS);
        Ok(if self.kind == b"Tx" && self.has(PASSWORD) { shown.map(|_| '*').collect() } else { shown.collect() })
    }

    /// What a choice shows: the chosen option, or in a list box all from the first visible one (12.7.4.4).
    fn options(&self, painter: &mut Painter) -> Result<String, Fault> {
        let value = self.entry(painter, b"V")?;
        let mut shown = Vec::new();
        for option in self.entry(painter, b"Opt")?.elements().iter().take(MAX_OPTIONS) {
            let option = painter.view.resolve(option)?;
            let (exported, text) = match option.elements() {
                [exported, text] => (exported, text),
                _ => (&*option, &*option),
            };
            if !self.has(COMBO) || exported.as_string() == value.as_string() {
                shown.extend(text.as_string().and_then(text_string::decode));
            }
        }
        if self.has(COMBO) {
            return Ok(shown.pop().or(value.as_string().and_then(text_string::decode)).unwrap_or_default());
        }
        let first = self.entry(painter, b"TI")?.as_integer().and_then(|first| usize::try_from(first).ok());
        Ok(shown.get(first.unwrap_or(0)..).unwrap_or_default().join("\n"))
    }
}

/// Paints the fields of a page that have no appearance stream and lie over text, after all other annotations, as viewers
/// do.
pub(super) fn paint(
    painter: &mut Painter,
    page: &ResolvedPage,
    base: &Graphics,
    layers: &OptionalContent,
) -> Result<(), Fault> {
    let annotations = painter.view.resolve(page.dictionary.get(b"Annots"))?;
    for reference in annotations.elements().iter().take(MAX_ANNOTATIONS) {
        let widget = painter.view.dictionary(reference)?;
        let flags = painter.view.integer(widget.get(b"F"))?.unwrap_or(0);
        if flags & HIDDEN_FLAGS != 0
            || !widget.get(b"Subtype").is_name(b"Widget")
            || appearance::normal(painter, &widget)?.is_some()
            || !appearance::may_be_drawn_over_text(painter, &widget, base)?
        {
            continue;
        }
        let Some(place) = Rectangle::read(&painter.view.array(widget.get(b"Rect"), 5)?) else { continue };
        let layer = layers.state(painter.view, widget.get(b"OC"))?;
        let content = content(painter, &widget, place)?;
        painter.annotation = Some(reference.as_reference().map_or(0, |id| id.number));
        let painted = default_appearance::paint_generated(painter, &content, &widget, base, layer);
        painter.annotation = None;
        painted?;
    }
    Ok(())
}

/// Returns the generated content of a widget, in page coordinates.
fn content(painter: &mut Painter, widget: &Dictionary, place: Rectangle) -> Result<String, Fault> {
    let looks = painter.view.dictionary(widget.get(b"MK"))?.into_owned();
    let mut drawn = String::new();
    if let Some(ground) = color(painter, looks.get(b"BG"))? {
        _ = writeln!(drawn, "q {ground} {} f Q", rectangle_path(place));
    }
    let width = border_width(painter, widget)?;
    if let Some(border) = color(painter, looks.get(b"BC"))?.filter(|_| width > 0.0) {
        let (border, path) = (border.to_uppercase(), rectangle_path(place.grown(-width / 2.0)));
        _ = writeln!(drawn, "q {border} {width} w {path} S Q");
    }
    let field = Field::read(painter, widget)?;
    let text = field.text(painter, &looks)?;
    // a turned value takes another place
    if !text.trim().is_empty() && matches!(looks.get(b"R"), Object::Null | Object::Integer(0)) {
        drawn += &value(painter, &field, &text, place)?;
    }
    Ok(drawn)
}

/// Returns the operators that show a value.
fn value(painter: &mut Painter, field: &Field, text: &str, place: Rectangle) -> Result<String, Fault> {
    let form = painter.view.catalog()?.get(b"AcroForm").clone();
    let form = painter.view.dictionary(&form)?.into_owned();
    let mut appearance = field.entry(painter, b"DA")?;
    if appearance.is_null() {
        appearance = painter.view.resolve(form.get(b"DA"))?.into_owned();
    }
    let style = TextStyle::read(&appearance);
    let count = text.chars().count().max(1) as f64;
    let (least, most) = AUTOMATIC_SIZE_PT;
    let size = style.size.unwrap_or_else(|| {
        let fitting = (AUTOMATIC_SIZE_PART * place.height()).min(place.width() / (LETTER_WIDTH_EM * count));
        if field.has_lines() { most } else { fitting.clamp(least, most) }
    });
    let start = format!("{} BT /F {size} Tf", style.color);
    if field.has_lines() {
        let (left, top) = (place.left + PADDING_PT, place.top - PADDING_PT - size);
        return Ok(format!("{start} {left} {top} Td {size} TL {}ET\n", written(text)));
    }
    let level = place.middle().1 - BASELINE_EM * size;
    let cells = field.entry(painter, b"MaxLen")?.as_integer().filter(|cells| *cells > 0 && field.has(COMB));
    if let Some(cells) = cells {
        let shown = in_cells(text, (place.left, level), (place.width() / cells as f64, size));
        return Ok(format!("{start}{shown} ET\n"));
    }
    let alignment = field.entry(painter, b"Q")?.as_integer().or(painter.view.integer(form.get(b"Q"))?);
    let room = (place.width() - LETTER_WIDTH_EM * size * count).max(0.0);
    let left = match alignment {
        _ if field.kind == b"Btn" => place.left + room / 2.0,
        Some(1) => place.left + room / 2.0,
        Some(2) => place.left + (room - PADDING_PT).max(0.0),
        _ => place.left + PADDING_PT,
    };
    Ok(format!("{start} {left} {level} Td {}ET\n", written(text)))
}

/// Returns the operators that show each letter in the middle of its comb cell (12.7.4.3).
fn in_cells(text: &str, (left, level): (f64, f64), (cell, size): (f64, f64)) -> String {
    let mut drawn = String::new();
    for (index, letter) in text.chars().enumerate() {
        let left = left + (index as f64 + 0.5) * cell - LETTER_WIDTH_EM / 2.0 * size;
        _ = write!(drawn, " 1 0 0 1 {left} {level} Tm {}", written(letter.encode_utf8(&mut [0; 4])));
    }
    drawn
}
