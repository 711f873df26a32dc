//! Appearances that viewers generate for annotations without an appearance stream, by subtype (12.5.6).

use std::fmt::Write;

use super::geometry::{Matrix, Rectangle};
use super::graphics::Graphics;
use super::layer::Layer;
use super::painter::Painter;
use pdf_syntax::failure::Fault;
use pdf_syntax::syntax::dictionary::Dictionary;
use pdf_syntax::syntax::object::Object;
use pdf_syntax::syntax::parser::{Value, parse_object};
use pdf_syntax::text::text_string;

/// Resources of generated appearances: a font, and the blend mode of highlights.
const RESOURCES: &[u8] =
    b"<< /Font << /F << /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >> >> \
    /ExtGState << /M << /BM /Multiply >> >> >>";
/// Maximum numbers of a point list, and maximum lists of an annotation.
const MAX_NUMBERS: usize = 4_000;
const MAX_LISTS: usize = 200;
/// Maximum characters of a text.
const MAX_CHARACTERS: usize = 2_000;
/// Font size if none is given, or 0 for automatic.
const DEFAULT_FONT_SIZE_PT: f64 = 12.0;
/// Minimum width of a link's border that may hide anything, in points.
const LINK_BORDER_MIN_WIDTH_PT: f64 = 3.0;
/// Distance between text and border, in points.
const PADDING_PT: f64 = 2.0;

/// Paints the generated appearance of an annotation.
pub(super) fn paint(
    painter: &mut Painter,
    annotation: &Dictionary,
    base: &Graphics,
    layer: Layer,
) -> Result<(), Fault> {
    let content = content(painter, annotation)?;
    paint_generated(painter, &content, annotation, base, layer)
}

/// Paints generated content.
pub(super) fn paint_generated(
    painter: &mut Painter,
    content: &str,
    annotation: &Dictionary,
    base: &Graphics,
    layer: Layer,
) -> Result<(), Fault> {
    let Ok(Value { object: Object::Dictionary(resources), .. }) = parse_object(RESOURCES) else { return Ok(()) };
    if content.is_empty() {
        return Ok(());
    }
    let resources = painter.keep(resources);
    let mut graphics = base.clone();
    let alpha = painter.view.number(annotation.get(b"CA"))?.unwrap_or(1.0).clamp(0.0, 1.0) as f32;
    (graphics.fill.alpha, graphics.stroke.alpha) = (alpha, alpha);
    painter.paint(content.as_bytes(), graphics, resources, layer)
}

/// Returns the generated content, in page coordinates.
fn content(painter: &mut Painter, annotation: &Dictionary) -> Result<String, Fault> {
    let rectangle = painter.view.array(annotation.get(b"Rect"), 5)?;
    let Some(rectangle) = Rectangle::read(&rectangle) else { return Ok(String::new()) };
    let subtype = painter.view.resolve(annotation.get(b"Subtype"))?.into_owned();
    let width = border_width(painter, annotation)?;
    let color = color(painter, annotation.get(b"C"))?;
    let interior = self::color(painter, annotation.get(b"IC"))?;
    let stroke = |path: &str| match &color {
        _ if width <= 0.0 => String::new(),
        Some(color) => format!("{} {width} w {path} S\n", color.to_uppercase()),
        None => String::new(),
    };
    Ok(match subtype.as_name().unwrap_or_default() {
        b"Highlight" => {
            let quads = numbers(painter, annotation.get(b"QuadPoints"))?;
            let mut drawn = format!("/M gs {} ", color.unwrap_or_else(|| "1 1 0 rg".to_owned()));
            for quad in quads.chunks_exact(8) {
                // corners are in two rows (figure 64 of ISO 32000-2), as all writers have them
                let [x, y, x2, y2, x3, y3, x4, y4] = *quad else { continue };
                _ = write!(drawn, "{x} {y} m {x2} {y2} l {x4} {y4} l {x3} {y3} l h f ");
            }
            drawn
        }
        b"Ink" => {
            let lists = painter.view.resolve(annotation.get(b"InkList"))?.into_owned();
            let mut drawn = String::new();
            for list in lists.elements().iter().take(MAX_LISTS) {
                let points = numbers(painter, list)?;
                drawn += &format!("1 J {}", stroke(&path(&points)));
            }
            drawn
        }
        b"Line" => stroke(&path(&numbers(painter, annotation.get(b"L"))?)),
        b"PolyLine" => stroke(&path(&numbers(painter, annotation.get(b"Vertices"))?)),
        b"Polygon" => {
            let path = path(&numbers(painter, annotation.get(b"Vertices"))?) + " h";
            let fill = interior.map_or_else(String::new, |interior| format!("{interior} {path} f\n"));
            fill + &stroke(&path)
        }
        b"Square" | b"Circle" => {
            let inset = inset(painter, annotation, rectangle)?.grown(-width / 2.0);
            if inset.is_empty() {
                return Ok(String::new());
            }
            let path = if subtype.is_name(b"Square") { rectangle_path(inset) } else { ellipse(inset) };
            let fill = interior.map_or_else(String::new, |interior| format!("{interior} {path} f\n"));
            fill + &stroke(&path)
        }
        b"Link" if width >= LINK_BORDER_MIN_WIDTH_PT => stroke(&rectangle_path(rectangle.grown(-width / 2.0))),
        b"FreeText" => {
            let inset = inset(painter, annotation, rectangle)?;
            let ground = color.map_or_else(String::new, |color| format!("q {color} {} f Q\n", rectangle_path(inset)));
            ground + &text(painter, annotation, inset)?
        }
        _ => String::new(),
    })
}

/// Returns the text of a free text annotation, line by line from the top.
fn text(painter: &mut Painter, annotation: &Dictionary, place: Rectangle) -> Result<String, Fault> {
    let contents = painter.view.resolve(annotation.get(b"Contents"))?;
    let Some(contents) = contents.as_string().and_then(text_string::decode) else { return Ok(String::new()) };
    let appearance = painter.view.resolve(annotation.get(b"DA"))?;
    let style = TextStyle::read(&appearance);
    let size = style.size.unwrap_or(DEFAULT_FONT_SIZE_PT);
    let (left, top) = (place.left + PADDING_PT, place.top - size);
    let contents: String = contents.chars().take(MAX_CHARACTERS).collect();
    Ok(format!("{} BT /F {size} Tf {left} {top} Td {size} TL {}ET\n", style.color, written(&contents)))
}

/// Returns the operators that show a text, line by line.
pub(super) fn written(text: &str) -> String {
    let mut drawn = String::new();
    for line in text.split(['\r', '\n']) {
        drawn.push('<');
        for character in line.chars() {
            // characters that the font lacks are undecodable
            _ = write!(drawn, "{:02x}", u8::try_from(u32::from(character)).unwrap_or(0x7f));
        }
        drawn += "> Tj T* ";
    }
    drawn
}

/// Size and color of a default appearance (12.7.3.3).
pub(super) struct TextStyle {
    /// In points; none if the viewer chooses it.
    pub(super) size: Option<f64>,
    /// The operator that sets the color.
    pub(super) color: String,
}

impl TextStyle {
    pub(super) fn read(appearance: &Object) -> Self {
        Self::of(&String::from_utf8_lossy(appearance.as_string().unwrap_or_default()))
    }

    fn of(appearance: &str) -> Self {
        let words: Vec<&str> = appearance.split_ascii_whitespace().collect();
        let font = words.iter().position(|word| *word == "Tf");
        let size = font.and_then(|font| words.get(font.checked_sub(1)?)?.parse::<f64>().ok());
        let operands = |operator: &str, count: usize| {
            let at = words.iter().rposition(|word| *word == operator)?;
            let numbers = words.get(at.checked_sub(count)?..at)?;
            let are_numbers = numbers.iter().all(|word| word.parse::<f64>().is_ok_and(f64::is_finite));
            are_numbers.then(|| format!("{} {operator}", numbers.join(" ")))
        };
        let color = operands("g", 1).or_else(|| operands("rg", 3)).or_else(|| operands("k", 4)).unwrap_or_default();
        Self { size: size.filter(|size| *size > 0.0 && size.is_finite()), color }
    }
}

/// Returns the border width: from `/BS`, otherwise from `/Border` (12.5.4).
pub(super) fn border_width(painter: &mut Painter, annotation: &Dictionary) -> Result<f64, Fault> {
    let style = painter.view.dictionary(annotation.get(b"BS"))?;
    let width = style.get(b"W").clone();
    if let Some(width) = painter.view.number(&width)? {
        return Ok(width.max(0.0));
    }
    let border = painter.view.array(annotation.get(b"Border"), 3)?;
    Ok(border.elements().get(2).and_then(Object::as_number).map_or(1.0, |width| width.max(0.0)))
}

/// Returns the operator that sets a color; none if transparent.
pub(super) fn color(painter: &mut Painter, color: &Object) -> Result<Option<String>, Fault> {
    let numbers = numbers(painter, color)?;
    Ok(match *numbers.as_slice() {
        [gray] => Some(format!("{gray} g")),
        [red, green, blue] => Some(format!("{red} {green} {blue} rg")),
        [cyan, magenta, yellow, black] => Some(format!("{cyan} {magenta} {yellow} {black} k")),
        _ => None,
    })
}

fn numbers(painter: &mut Painter, array: &Object) -> Result<Vec<f64>, Fault> {
    let array = painter.view.array(array, MAX_NUMBERS)?;
    Ok(array.elements().iter().filter_map(Object::as_number).filter(|number| number.is_finite()).collect())
}

/// Returns the rectangle reduced by `/RD`.
fn inset(painter: &mut Painter, annotation: &Dictionary, rectangle: Rectangle) -> Result<Rectangle, Fault> {
    let Rectangle { left, bottom, right, top } = rectangle;
    Ok(match *numbers(painter, annotation.get(b"RD"))?.as_slice() {
        [by_left, by_bottom, by_right, by_top] => {
            Rectangle { left: left + by_left, bottom: bottom + by_bottom, right: right - by_right, top: top - by_top }
        }
        _ => rectangle,
    })
}

fn path(points: &[f64]) -> String {
    let mut path = String::new();
    for (index, point) in points.chunks_exact(2).enumerate() {
        let [x, y] = point else { continue };
        _ = write!(path, "{x} {y} {} ", if index == 0 { "m" } else { "l" });
    }
    path
}

pub(super) fn rectangle_path(rectangle: Rectangle) -> String {
    format!("{} {} {} {} re", rectangle.left, rectangle.bottom, rectangle.width(), rectangle.height())
}

/// Returns an ellipse in a rectangle, as four curves.
fn ellipse(rectangle: Rectangle) -> String {
    const CONTROL: f64 = 0.552_284_75;
    let place = Matrix::between(Rectangle { left: -1.0, bottom: -1.0, right: 1.0, top: 1.0 }, rectangle);
    let mut path = String::new();
    let quarters = [[1.0, 0.0, 0.0, 1.0], [0.0, 1.0, -1.0, 0.0], [-1.0, 0.0, 0.0, -1.0], [0.0, -1.0, 1.0, 0.0]];
    for (index, [x, y, to_x, to_y]) in quarters.into_iter().enumerate() {
        let points =
            [(x, y), (x + CONTROL * to_x, y + CONTROL * to_y), (to_x + CONTROL * x, to_y + CONTROL * y), (to_x, to_y)];
        let [start, one, two, end] = points.map(|(x, y)| place.point(x, y));
        if index == 0 {
            _ = write!(path, "{} {} m ", start.0, start.1);
        }
        _ = write!(path, "{} {} {} {} {} {} c ", one.0, one.1, two.0, two.1, end.0, end.1);
    }
    path + "h"
}
