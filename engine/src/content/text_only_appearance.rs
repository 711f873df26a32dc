//! Whether an appearance shows nothing but a text, so that what is read of it is what is seen: written last, dark upon
//! light, in fonts of which every reader knows the letters.

use std::collections::BTreeSet;

use super::appearance::normal;
use super::area::AreaKind;
use super::geometry::Rectangle;
use super::operation::{Operand, Operations};
use super::page_model::{PageText, Run};
use super::painter::Painter;
use crate::document::view::View;
use crate::failure::Fault;
use crate::syntax::dictionary::Dictionary;
use crate::syntax::object::Object;

/// Bytes of content of an appearance that are looked at.
const CONTENT: usize = 64 << 10;
/// The largest button whose mark may be drawn in any way, in points.
const BUTTON: f64 = 40.0;
/// Rectangles that it may be made of: a ground, a border, what it is clipped to. Letters take more.
const RECTANGLES: usize = 4;
/// The smallest letters that are read, in points.
const SMALLEST: f64 = 4.0;
/// How far letters may reach beyond what they are clipped to, in sizes: what reaches up and down is hardly ever there.
const BEYOND: f64 = 0.3;
/// The least that the parts of a light colour come to, and the most of a dark one's, of 765.
const LIGHT: u32 = 600;
const DARK: u32 = 300;
/// The most by which a string moves a letter from its place, in thousandths.
const SHIFT: f64 = 300.0;
/// How much of a text may lie upon another one, and how many are held against each other.
const UPON: f64 = 0.3;
const RUNS: usize = 500;
/// Entries of a form that is nothing but its content.
const ENTRIES: [&[u8]; 9] =
    [b"Type", b"Subtype", b"FormType", b"BBox", b"Matrix", b"Resources", b"Length", b"Filter", b"DecodeParms"];
/// How much larger the box of a form may be than the rectangle that it fills, in points.
const LARGER: f64 = 1.0;
/// Fonts whose letters are those of their encodings wherever they are not embedded.
const FAMILIES: [&str; 4] = ["Helvetica", "Arial", "Times", "Courier"];
/// Device colour spaces, which need no resources (8.6.4).
const SPACES: [&[u8]; 3] = [b"DeviceGray", b"DeviceRGB", b"DeviceCMYK"];
/// How deep a font is looked into, and how many of its parts are.
const DEEP: usize = 6;
const PARTS: usize = 2_000;
/// The one whose letters are marks.
const MARKS: &str = "ZapfDingbats";

/// How far from its sides a frame may be drawn, in points, and how much of the whole each part of it may take.
const FRAME: f64 = 3.0;
const THIN: f64 = 0.2;

/// What an appearance is held against.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Expected<'t> {
    pub(crate) alphabet: Alphabet,
    /// Into how many cells of a letter each it may be divided.
    pub(crate) cells: Option<i64>,
    /// Objects that are not as they were.
    pub(crate) touched: &'t BTreeSet<u32>,
}

/// What an appearance may be made of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Alphabet {
    /// Letters.
    Letters,
    /// Ticks, crosses and dots, each of which stands for a letter.
    Marks,
}

/// Whether the only appearance of an annotation is of this kind, by its operations and its resources.
pub(super) fn is_plain(painter: &mut Painter, annotation: &Dictionary, expected: Expected<'_>) -> Result<bool, Fault> {
    let view = &mut *painter.view;
    let appearances = view.dictionary(annotation.get(b"AP"))?;
    let appearances = appearances.into_owned();
    for (_, other) in appearances.iter().filter(|(name, _)| name.as_bytes() != b"N") {
        if !is_kept(view, other, expected.touched)? {
            return Ok(false);
        }
    }
    if annotation.has(b"OC") {
        return Ok(false);
    }
    let Some(reference) = normal(painter, annotation)? else { return Ok(false) };
    let view = &mut *painter.view;
    let Some(form) = view.stream(&reference, CONTENT)? else { return Ok(false) };
    let is_simple = !form.is_part
        && form.dictionary().iter().all(|(name, _)| ENTRIES.contains(&name.as_bytes()))
        && form.dictionary().get(b"Subtype").is_name(b"Form")
        && (!form.dictionary().has(b"Type") || form.dictionary().is_type(b"XObject"));
    let is_straight = is_identity(view, form.dictionary().get(b"Matrix"))?;
    let is_simple = is_simple && is_straight && fills(view, form.dictionary().get(b"BBox"), annotation.get(b"Rect"))?;
    let bounds = Rectangle::read(&*view.resolve(form.dictionary().get(b"BBox"))?);
    let Some(bounds) = bounds.filter(|_| is_simple) else { return Ok(false) };
    let may_draw = expected.alphabet == Alphabet::Marks && bounds.width().max(bounds.height()) <= BUTTON;
    let frame = TextFrame { width: bounds.width(), height: bounds.height(), cells: expected.cells };
    Ok(are_plain(&form.content, &frame, may_draw)
        && has_plain_fonts(view, form.dictionary().get(b"Resources"), expected)?)
}

/// Whether a matrix changes nothing, as where there is none.
fn is_identity(view: &mut View, matrix: &Object) -> Result<bool, Fault> {
    let matrix = view.resolve(matrix)?;
    let numbers: Vec<f64> = matrix.elements().iter().filter_map(Object::as_number).collect();
    Ok(matrix.is_null() || numbers == [1.0, 0.0, 0.0, 1.0, 0.0, 0.0])
}

/// Whether a form's box is as large as the annotation's rectangle, with its corner at 0: nothing is cut off or drawn larger.
fn fills(view: &mut View, bounds: &Object, rectangle: &Object) -> Result<bool, Fault> {
    let bounds = Rectangle::read(&*view.resolve(bounds)?);
    let rectangle = Rectangle::read(&*view.resolve(rectangle)?);
    let (Some(bounds), Some(rectangle)) = (bounds, rectangle) else { return Ok(false) };
    Ok((bounds.left, bounds.bottom) == (0.0, 0.0)
        && (bounds.width() - rectangle.width()).abs() <= LARGER
        && (bounds.height() - rectangle.height()).abs() <= LARGER)
}

/// What may be drawn around a text: along the sides, and between the cells that it is divided into.
struct TextFrame {
    width: f64,
    height: f64,
    cells: Option<i64>,
}

impl TextFrame {
    /// Whether a path, by its corners, is part of it.
    fn has(&self, path: &[[f64; 2]], is_filled: bool) -> bool {
        let closing = path.first().filter(|_| is_filled);
        let ends = path.iter().skip(1).chain(closing);
        let is_beside = path.iter().zip(ends).all(|(&from, &to)| self.is_beside(from, to));
        is_beside && (!is_filled || self.is_thin(path)) || !is_filled && self.divides(path)
    }

    /// Whether a rectangle, by its corner and its size, goes around the text.
    fn has_box(&self, [left, bottom, width, height]: [f64; 4]) -> bool {
        let (right, top) = (left + width, bottom + height);
        let corners = [[left, bottom], [right, bottom], [right, top], [left, top]];
        corners.iter().zip(corners.iter().cycle().skip(1)).all(|(&from, &to)| self.is_beside(from, to))
    }

    /// Whether a line runs along one of the sides.
    fn is_beside(&self, from: [f64; 2], to: [f64; 2]) -> bool {
        let both = |near: &dyn Fn([f64; 2]) -> bool| near(from) && near(to);
        both(&|[x, _]| x <= FRAME)
            || both(&|[x, _]| x >= self.width - FRAME)
            || both(&|[_, y]| y <= FRAME)
            || both(&|[_, y]| y >= self.height - FRAME)
    }

    fn is_thin(&self, path: &[[f64; 2]]) -> bool {
        let twice: f64 = path.iter().zip(path.iter().cycle().skip(1)).map(|([x, y], [u, v])| x * v - u * y).sum();
        twice.abs() / 2.0 <= THIN * self.width * self.height
    }

    /// Whether it is the line between two cells.
    fn divides(&self, path: &[[f64; 2]]) -> bool {
        let ([[x, from], [other, to]], Some(cells)) = (path, self.cells) else { return false };
        let cell = x / (self.width / cells as f64);
        let is_whole = from.min(*to) <= FRAME && from.max(*to) >= self.height - FRAME;
        x == other && is_whole && (cell - cell.round()).abs() <= 0.1
    }
}

/// Whether these operations can draw nothing but rectangles and a frame, or any paths if they may, and after all of these,
/// text, if any.
fn are_plain(content: &[u8], frame: &TextFrame, may_draw: bool) -> bool {
    let mut operations = Operations::new(content);
    let (mut rectangles, mut is_written) = (0, false);
    let (mut paths, mut boxes): (Vec<Vec<[f64; 2]>>, Vec<[f64; 4]>) = Default::default();
    while let Some(operator) = operations.next() {
        let is_known = match operator {
            b"re" => {
                rectangles += 1;
                boxes.extend(operations.numbers());
                may_draw || rectangles <= RECTANGLES
            }
            b"m" | b"l" if !may_draw => match (operations.numbers(), paths.last_mut()) {
                (Some([x, y]), path) => {
                    match path.filter(|_| operator == b"l") {
                        Some(path) => path.push([x, y]),
                        None => paths.push(vec![[x, y]]),
                    }
                    true
                }
                _ => false,
            },
            b"m" | b"l" | b"c" | b"v" | b"y" | b"cm" | b"J" | b"j" | b"d" => may_draw,
            b"h" => may_draw || paths.is_empty(),
            b"f" | b"f*" | b"S" | b"s" | b"B" | b"B*" | b"b" | b"b*" => {
                let (is_closed, is_stroked) = (operator != b"S", !matches!(operator, b"f" | b"f*"));
                let is_frame = boxes.drain(..).all(|sides| may_draw || !is_stroked || frame.has_box(sides));
                is_frame && !is_written && paths.drain(..).all(|path| frame.has(&path, is_closed))
            }
            b"W" | b"W*" => paths.is_empty(),
            b"n" => {
                boxes.clear();
                paths.is_empty()
            }
            b"Tj" | b"TJ" | b"'" => {
                is_written = true;
                let mut shifts = operations.operands().iter();
                // from cell to cell it may go farther on
                let least = if frame.cells.is_some() { f64::NEG_INFINITY } else { -SHIFT };
                shifts.all(
                    |shift| {
                        if let Operand::Number(shift) = shift { (least..=SHIFT).contains(shift) } else { true }
                    },
                )
            }
            // a text upside down, or one whose letters change places, is another one
            b"Tm" => matches!(operations.numbers(), Some([a, 0.0, 0.0, d, _, _]) if a > 0.0 && d > 0.0),
            b"Tf" => matches!(operations.operands(), [.., Operand::Number(size)] if *size > 0.0),
            b"cs" | b"CS" => {
                matches!(operations.operands(), [Operand::Name(space)] if SPACES.contains(&operations.text(*space)))
            }
            b"sc" | b"SC" => operations.operands().iter().all(|part| matches!(part, Operand::Number(_))),
            b"Tc" | b"Tw" => matches!(operations.numbers(), Some([space]) if space >= 0.0),
            b"q" | b"Q" | b"BMC" | b"EMC" | b"BT" | b"ET" | b"Td" | b"TD" | b"T*" | b"TL" | b"g" | b"rg" | b"k"
            | b"G" | b"RG" | b"K" | b"w" => true,
            _ => false,
        };
        if !is_known {
            return false;
        }
    }
    !operations.is_part
}

/// Whether these resources have nothing but fonts of letters that everybody knows, or that are as they were: whoever fills
/// in a form takes the ones that it came with.
fn has_plain_fonts(
    view: &mut View,
    resources: &Object,
    Expected { alphabet, touched, .. }: Expected<'_>,
) -> Result<bool, Fault> {
    let resources = view.dictionary(resources)?;
    if resources.iter().any(|(name, _)| !matches!(name.as_bytes(), b"Font" | b"ProcSet")) {
        return Ok(false);
    }
    let fonts = view.dictionary(resources.get(b"Font"))?;
    for (_, reference) in fonts.iter() {
        let font = view.dictionary(reference)?;
        let name = String::from_utf8_lossy(font.get(b"BaseFont").as_name().unwrap_or_default()).into_owned();
        let is_known = match alphabet {
            Alphabet::Letters => FAMILIES.iter().any(|family| name.starts_with(family)),
            Alphabet::Marks => name == MARKS,
        };
        let is_simple = font.get(b"Subtype").is_name(b"Type1") || font.get(b"Subtype").is_name(b"TrueType");
        let is_plain = is_known && is_simple && !font.has(b"FontDescriptor") && !font.has(b"ToUnicode");
        let is_drawn_by_hand = font.get(b"Subtype").is_name(b"Type3");
        if !is_plain && (is_drawn_by_hand || reference.as_reference().is_none() || !is_kept(view, reference, touched)?)
        {
            return Ok(false);
        }
    }
    Ok(true)
}

/// Whether nothing of an object, and of what it leads to, was touched.
fn is_kept(view: &mut View, object: &Object, touched: &BTreeSet<u32>) -> Result<bool, Fault> {
    let (mut waiting, mut parts) = (vec![(object.clone(), DEEP)], 0);
    while let Some((object, depth)) = waiting.pop() {
        parts += 1;
        let Some(below) = depth.checked_sub(1).filter(|_| parts <= PARTS) else { return Ok(false) };
        match &object {
            Object::Reference(id) if touched.contains(&id.number) => return Ok(false),
            Object::Reference(id) => {
                let Some(body) = view.object(id.number)? else { return Ok(false) };
                waiting.push((body.object.clone(), below));
            }
            Object::Array(elements) => {
                let references = elements.iter().filter(|element| element.as_reference().is_some());
                waiting.extend(references.map(|element| (element.clone(), depth)));
            }
            Object::Dictionary(entries) => waiting.extend(entries.iter().map(|(_, value)| (value.clone(), depth))),
            _ => {}
        }
    }
    Ok(true)
}

/// Whether all that was drawn is to be seen: dark letters of a size to be read, upon nothing that is not light.
pub(super) fn is_seen(drawn: &PageText, alphabet: Alphabet) -> bool {
    let sum = |color: [u8; 3]| color.iter().map(|part| u32::from(*part)).sum::<u32>();
    // other shapes are a frame's
    let mut filled = drawn.areas.iter().filter(|area| !matches!(area.kind, AreaKind::Stroke | AreaKind::Shape));
    let is_mark = alphabet == Alphabet::Marks;
    let is_light = is_mark || filled.all(|area| area.color.is_some_and(|color| sum(color) >= LIGHT));
    let is_seen = |run: &Run| {
        let is_dark = run.color.is_some_and(|color| sum(color) <= DARK);
        run.mode == 0
            && run.size >= SMALLEST
            && (run.bounds.width() > 0.0 || is_mark)
            && is_dark
            && run.clip.grown(BEYOND * run.size).holds(run.bounds)
            && !run.is_off
    };
    !drawn.is_part && is_light && drawn.runs.iter().all(is_seen) && are_apart(&drawn.runs)
}

/// Whether no text lies upon another one.
fn are_apart(runs: &[Run]) -> bool {
    let is_apart = |one: &Run, other: &Run| {
        one.bounds.clipped(other.bounds).area() <= UPON * one.bounds.area().min(other.bounds.area())
    };
    let later = |place: usize| runs.get(place + 1..).unwrap_or_default();
    runs.len() <= RUNS
        && runs.iter().enumerate().all(|(place, one)| later(place).iter().all(|other| is_apart(one, other)))
}
