//! What viewers draw for a form field that has no appearance stream: its ground, its border, and its value or caption
//! (ISO 32000-1, 12.5.6.19 and 12.7.3.3).

use std::fmt::Write;

use super::appearance::{self, MAX_ANCESTORS, MAX_ANNOTATIONS};
use super::border::Border;
use super::default_appearance;
use super::default_text::{DefaultAppearance, MAX_CHARACTERS, PADDING_PT, written};
use super::geometry::Rectangle;
use super::graphics::Graphics;
use super::page::ResolvedPage;
use super::painter::Painter;
use super::path_operators::{color, rectangle_path};
use pdf_syntax::document::form::Field;
use pdf_syntax::failure::Fault;
use pdf_syntax::syntax::dictionary::Dictionary;
use pdf_syntax::syntax::object::Object;
use pdf_syntax::text::text_string;

/// Minimum and maximum automatic font size, in points, and its share of the field's height.
const AUTOMATIC_SIZE_PT: (f64, f64) = (4.0, 12.0);
const AUTOMATIC_SIZE_PART: f64 = 0.75;
/// Mean width of a letter, and distance of the baseline from the middle of a line (em).
const LETTER_WIDTH_EM: f64 = 0.55;
const BASELINE_EM: f64 = 0.35;
/// Minimum side of a frame that is no line, in points.
const FRAME_MIN_SIDE_PT: f64 = 4.0;
/// Appearance characteristics that paint nothing in a frame: its color, and how others are placed (12.5.6.19, table 189).
const FRAME_KEYS: [&[u8]; 4] = [b"BC", b"R", b"TP", b"IF"];
/// Maximum options of a choice.
const MAX_OPTIONS: usize = 2_000;

/// A field, and the dictionaries that it inherits from, its own first.
struct Inheriting {
    field: Field,
    line: Vec<Dictionary>,
}

impl Inheriting {
    fn read(painter: &mut Painter, widget: &Dictionary) -> Result<Self, Fault> {
        let mut line = vec![widget.clone()];
        while let Some(parent) = line.last().map(|last| last.get(b"Parent").clone()) {
            if parent.is_null() || line.len() > MAX_ANCESTORS {
                break;
            }
            line.push(painter.view.dictionary(&parent)?.into_owned());
        }
        Ok(Self { field: Field::of_line(painter.view, &line)?, line })
    }

    fn entry(&self, painter: &mut Painter, key: &[u8]) -> Result<Object, Fault> {
        let written = self.line.iter().map(|entries| entries.get(key)).find(|value| !value.is_null());
        Ok(painter.view.resolve(written.unwrap_or(&Object::Null))?.into_owned())
    }

    /// Whether it shows several lines: of a text, or the options of a list box.
    fn has_lines(&self) -> bool {
        self.field.is_multiline() || self.field.is_list()
    }

    /// The shown text.
    fn text(&self, painter: &mut Painter, captions: &Dictionary) -> Result<String, Fault> {
        let field = &self.field;
        let value = painter.view.resolve(&field.value)?.into_owned();
        let text = |value: &Object| value.as_string().and_then(text_string::decode).unwrap_or_default();
        let shown = match field {
            field if field.is_push_button() => text(&*painter.view.resolve(captions.get(b"CA"))?),
            field if field.is_list() => return self.rows(painter),
            field if field.is_choice() => {
                let value = value.as_string().map(text_string::characters).unwrap_or_default();
                let mut options = field.options().into_iter().take(MAX_OPTIONS);
                return Ok(options.rfind(|[export, _]| *export == value).map_or(value, |[_, shown]| shown));
            }
            field if field.is_text() => text(&value),
            _ => String::new(),
        };
        let shown = shown.chars().take(MAX_CHARACTERS);
        Ok(if field.is_text() && field.is_secret() { shown.map(|_| '*').collect() } else { shown.collect() })
    }

    /// The options of a list box, from the first visible one (12.7.4.4).
    fn rows(&self, painter: &mut Painter) -> Result<String, Fault> {
        let first = self.entry(painter, b"TI")?.as_integer().and_then(|first| usize::try_from(first).ok());
        let options = self.field.options().into_iter().take(MAX_OPTIONS).skip(first.unwrap_or(0));
        Ok(options.map(|[_, shown]| shown).collect::<Vec<_>>().join("\n"))
    }
}

/// Paints the fields of a page that have no appearance stream and lie over text, after all other annotations, as viewers
/// do.
pub(super) fn paint(painter: &mut Painter, page: &ResolvedPage, base: &Graphics) -> Result<(), Fault> {
    let annotations = painter.view.resolve(page.dictionary.get(b"Annots"))?;
    for reference in annotations.elements().iter().take(MAX_ANNOTATIONS) {
        let Some((number, widget)) = appearance::displayed(painter, reference)? else { continue };
        if !widget.get(b"Subtype").is_name(b"Widget")
            || appearance::normal_appearance(painter.view, &widget)?.is_some()
            || !appearance::may_be_drawn_over_text(painter, &widget, base)?
        {
            continue;
        }
        let Some(place) = Rectangle::read(&painter.view.array(widget.get(b"Rect"), 5)?) else { continue };
        let layer = painter.layer(widget.get(b"OC"))?;
        let content = content(painter, &widget, place)?;
        painter.annotation = Some(number);
        let painted = default_appearance::paint_generated(painter, &content, &widget, base, layer);
        painter.annotation = None;
        painted?;
    }
    Ok(())
}

/// Whether viewers draw no more than a thin frame for a widget, which hides no text in it: it has no appearance, ground,
/// icon, caption or value, and is no button with states nor divided into cells.
pub(super) fn is_thin_frame(painter: &mut Painter, widget: &Dictionary) -> Result<bool, Fault> {
    if !widget.get(b"Subtype").is_name(b"Widget") || appearance::normal_appearance(painter.view, widget)?.is_some() {
        return Ok(false);
    }
    let looks = painter.view.dictionary(widget.get(b"MK"))?.into_owned();
    let border = Border::read(painter.view, widget)?;
    let place = Rectangle::read(&painter.view.array(widget.get(b"Rect"), 5)?);
    let is_open = place.is_some_and(|place| place.width().min(place.height()) >= FRAME_MIN_SIDE_PT);
    if !is_open
        || border.is_wide()
        || border.is_double
        || !looks.iter().all(|(key, value)| FRAME_KEYS.contains(&key.as_bytes()) || value.is_null())
    {
        return Ok(false);
    }
    let field = Inheriting::read(painter, widget)?;
    let has_states = field.field.is_button() && !field.field.is_push_button();
    Ok(!has_states && field.field.cells().is_none() && field.text(painter, &looks)?.trim().is_empty())
}

/// Returns the generated content of a widget, in page coordinates.
fn content(painter: &mut Painter, widget: &Dictionary, place: Rectangle) -> Result<String, Fault> {
    let looks = painter.view.dictionary(widget.get(b"MK"))?.into_owned();
    let mut drawn = String::new();
    if let Some(ground) = color(painter.view, looks.get(b"BG"))? {
        _ = writeln!(drawn, "q {ground} {} f Q", rectangle_path(place));
    }
    let width = Border::read(painter.view, widget)?.width;
    if let Some(border) = color(painter.view, looks.get(b"BC"))?.filter(|_| width > 0.0) {
        let (border, path) = (border.to_uppercase(), rectangle_path(place.grown(-width / 2.0)));
        _ = writeln!(drawn, "q {border} {width} w {path} S Q");
    }
    let field = Inheriting::read(painter, widget)?;
    let text = field.text(painter, &looks)?;
    // a turned value takes another place
    if !text.trim().is_empty() && matches!(looks.get(b"R"), Object::Null | Object::Integer(0)) {
        drawn += &value(painter, &field, &text, place)?;
    }
    Ok(drawn)
}

/// Returns the operators that show a value.
fn value(painter: &mut Painter, field: &Inheriting, text: &str, place: Rectangle) -> Result<String, Fault> {
    let form = painter.view.catalog()?.get(b"AcroForm").clone();
    let form = painter.view.dictionary(&form)?.into_owned();
    let mut appearance = field.entry(painter, b"DA")?;
    if appearance.is_null() {
        appearance = painter.view.resolve(form.get(b"DA"))?.into_owned();
    }
    let style = DefaultAppearance::read(appearance.as_string().unwrap_or_default());
    let count = text.chars().count().max(1) as f64;
    let (least, most) = AUTOMATIC_SIZE_PT;
    let size = style.given_size().unwrap_or_else(|| {
        let fitting = (AUTOMATIC_SIZE_PART * place.height()).min(place.width() / (LETTER_WIDTH_EM * count));
        if field.has_lines() { most } else { fitting.clamp(least, most) }
    });
    let start = format!("{} BT /F {size} Tf", style.color_operator());
    if field.has_lines() {
        let (left, top) = (place.left + PADDING_PT, place.top - PADDING_PT - size);
        return Ok(format!("{start} {left} {top} Td {size} TL {}ET\n", written(text)));
    }
    let level = place.middle().1 - BASELINE_EM * size;
    if let Some(cells) = field.field.cells() {
        let shown = in_cells(text, (place.left, level), (place.width() / cells as f64, size));
        return Ok(format!("{start}{shown} ET\n"));
    }
    let alignment = field.entry(painter, b"Q")?.as_integer().or(painter.view.integer(form.get(b"Q"))?);
    let room = (place.width() - LETTER_WIDTH_EM * size * count).max(0.0);
    let left = match alignment {
        _ if field.field.is_button() => place.left + room / 2.0,
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
