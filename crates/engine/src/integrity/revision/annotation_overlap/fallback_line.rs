//! Lines that viewers draw for line annotations without an appearance stream (ISO 32000-2, 12.5.6.7), with leader lines, a
//! caption and line endings.

use super::painted_shape::{MAX_SAMPLED, MAX_THIN_LINE_PT, Point, Shape};
use super::stroke_style::{Stroke, points};
use pdf_content::{Rectangle, max_width};
use pdf_syntax::document::view::View;
use pdf_syntax::failure::Fault;
use pdf_syntax::syntax::dictionary::Dictionary;
use pdf_syntax::syntax::object::Object;
use pdf_syntax::text::text_string;

/// Size of line endings, in line widths.
const LINE_ENDING_WIDTHS: f64 = 5.0;
/// Size of the letters of a line's caption, in points, and the distance around it in which other words join it.
const CAPTION_SIZE_PT: f64 = 12.0;
const CAPTION_GAP_PT: f64 = 6.0;
const CAPTION_PART_PT: f64 = 6.0;

/// Adds the line of an annotation to a shape.
pub(super) fn add(shape: &mut Shape, view: &mut View, annotation: &Dictionary, stroke: &Stroke) -> Result<(), Fault> {
    let points = points(view, annotation.get(b"L"))?;
    shape.line(&points, stroke.width, false);
    let caption = caption(view, annotation, &points)?;
    shape.is_opaque &= caption.is_empty();
    shape.polygons.extend(caption);
    let [first, .., last] = points[..] else { return Ok(()) };
    add_leaders(shape, view, annotation, ([first, last], stroke.width))?;
    add_endings(shape, view, annotation, ([first, last], stroke))
}

/// Adds leader lines, and the line that they move, at both sides: viewers differ in the side.
fn add_leaders(
    shape: &mut Shape,
    view: &mut View,
    annotation: &Dictionary,
    ([first, last], width): ([Point; 2], f64),
) -> Result<(), Fault> {
    let lengths = [b"LL".as_slice(), b"LLO", b"LLE"].map(|key| view.number(annotation.get(key)));
    let [line, offset, extension] = lengths;
    let (line, offset, extension) = (line?.unwrap_or(0.0), offset?.unwrap_or(0.0), extension?.unwrap_or(0.0).abs());
    if line == 0.0 && offset == 0.0 {
        return Ok(());
    }
    shape.is_opaque = false;
    let length = (last.0 - first.0).hypot(last.1 - first.1).max(f64::EPSILON);
    let (across, up) = ((last.1 - first.1) / length, (first.0 - last.0) / length);
    let moved = |(x, y): Point, by: f64| (x + by * across, y + by * up);
    for by in [line, line + offset, line - offset] {
        for by in [by, -by] {
            shape.line(&[moved(first, by), moved(last, by)], width, false);
            let reach = by + extension.copysign(by);
            shape.line(&[first, moved(first, reach)], width, false);
            shape.line(&[last, moved(last, reach)], width, false);
        }
    }
    Ok(())
}

/// Adds the endings of a line: their reach, if they are thick, filled or light. What they hide there is unknown.
pub(super) fn add_endings(
    shape: &mut Shape,
    view: &mut View,
    annotation: &Dictionary,
    (ends, stroke): ([Point; 2], &Stroke),
) -> Result<(), Fault> {
    let endings = view.array(annotation.get(b"LE"), 2)?;
    let by = LINE_ENDING_WIDTHS * stroke.width;
    let drawn = ends.iter().zip(endings.elements()).filter(|(_, ending)| !ending.is_name(b"None"));
    let around = drawn.map(|(&(x, y), _)| Rectangle { left: x, bottom: y, right: x, top: y }.grown(by));
    let is_thick = stroke.is_filled || stroke.is_light || stroke.width > MAX_THIN_LINE_PT;
    let around: Vec<Rectangle> = around.filter(|_| is_thick).collect();
    shape.is_opaque &= stroke.is_filled || around.is_empty();
    shape.ellipses.extend(around);
    Ok(())
}

/// The boxes of a line's caption (12.5.6.7), in parts that are as wide as a glyph: in its middle or above it, as it is and
/// moved as the annotation says, which viewers do differently. Its letters are as wide as those of the widest font in which
/// viewers draw it.
fn caption(view: &mut View, annotation: &Dictionary, line: &[Point]) -> Result<Vec<Vec<Point>>, Fault> {
    let is_shown = view.resolve(annotation.get(b"Cap"))?.as_bool() == Some(true);
    let words = view.resolve(annotation.get(b"Contents"))?.as_string().map(text_string::characters).unwrap_or_default();
    let ([(x, y), (to_x, to_y), ..], true) = (line, is_shown && !words.is_empty()) else { return Ok(Vec::new()) };
    let length = (to_x - x).hypot(to_y - y).max(f64::EPSILON);
    let (across, up) = ((to_x - x) / length, (to_y - y) / length);
    let moved = view.array(annotation.get(b"CO"), 2)?;
    let moved = [0, 1].map(|place| moved.elements().get(place).and_then(Object::as_number).unwrap_or(0.0));
    let width = max_width(&words) * CAPTION_SIZE_PT + 2.0 * CAPTION_GAP_PT;
    let parts = ((width / CAPTION_PART_PT).ceil() as usize).clamp(1, MAX_SAMPLED);
    let part = width / parts as f64;
    let above = if annotation.get(b"CP").is_name(b"Top") { CAPTION_SIZE_PT } else { 0.0 };
    let [along, off] = moved;
    let mut offsets = vec![[0.0, above], [along, off + above], [along, off]];
    offsets.truncate(if moved == [0.0; 2] { 1 } else { offsets.len() });
    let boxes = offsets.into_iter().flat_map(|[along, middle]| {
        let start = (length - width) / 2.0 + along;
        let corner = move |along: f64, side: f64| {
            let off = middle + side * CAPTION_SIZE_PT / 2.0;
            (x + along * across - off * up, y + along * up + off * across)
        };
        (0..parts).map(move |place| {
            let (from, to) = (start + place as f64 * part, start + (place + 1) as f64 * part);
            [(from, -1.0), (to, -1.0), (to, 1.0), (from, 1.0)].map(|(along, side)| corner(along, side)).to_vec()
        })
    });
    Ok(boxes.collect())
}
