//! Appearances that viewers generate for annotations without an appearance stream (ISO 32000-2, 12.5.6): lines, borders
//! and backgrounds.

use super::fallback_line;
use super::painted_shape::{Point, Shape, corners};
use super::stroke_style::{Stroke, points};
use pdf_content::Rectangle;
use pdf_syntax::document::view::View;
use pdf_syntax::failure::Fault;
use pdf_syntax::syntax::dictionary::Dictionary;
use pdf_syntax::syntax::object::Object;

/// Thickness of an underline, in heights of the marked text.
const UNDERLINE_HEIGHTS: f64 = 1.0 / 12.0;
/// How far the arcs of a cloudy border reach at an intensity of 1, in points, and its maximum.
const CLOUD_REACH_PT: f64 = 4.0;
const MAX_CLOUD_INTENSITY: f64 = 4.0;
/// The size of an icon, in points (12.5.6.4).
const ICON_SIZE_PT: f64 = 24.0;
/// Minimum opacity that hides text.
const MIN_HIDING_ALPHA: f64 = 0.7;

/// The shape that viewers draw for an annotation.
pub(super) fn shape(view: &mut View, annotation: &Dictionary) -> Result<Shape, Fault> {
    let is_opaque = view.number(annotation.get(b"CA"))?.unwrap_or(1.0) >= MIN_HIDING_ALPHA;
    let mut shape = Shape { is_opaque, ..Shape::default() };
    let Some(rectangle) = Rectangle::read(&view.array(annotation.get(b"Rect"), 5)?) else { return Ok(shape) };
    let subtype = annotation.get(b"Subtype").as_name().unwrap_or_default();
    let stroke = Stroke::read(view, annotation)?;
    match subtype {
        b"Popup" => {}
        b"Highlight" => {
            shape.multiplied = Some(multiplied(view, annotation)?);
            shape.polygons.extend(quads(view, annotation, rectangle)?);
        }
        b"Underline" | b"Squiggly" | b"StrikeOut" => text_line(&mut shape, view, annotation, rectangle)?,
        b"Line" => fallback_line::add(&mut shape, view, annotation, &stroke)?,
        b"PolyLine" | b"Polygon" => {
            let points = points(view, annotation.get(b"Vertices"))?;
            shape.line(&points, stroke.width, subtype == b"Polygon");
            if let ([first, .., last], b"PolyLine") = (&points[..], subtype) {
                fallback_line::add_endings(&mut shape, view, annotation, ([*first, *last], &stroke))?;
            }
            shape.polygons.extend(stroke.is_filled.then_some(points));
        }
        b"Ink" => {
            for line in view.resolve(annotation.get(b"InkList"))?.elements() {
                let points = points(view, line)?;
                shape.line(&points, stroke.width, false);
            }
        }
        b"Square" | b"Link" => {
            shape.border(rectangle, stroke.width);
            shape.polygons.extend((stroke.is_filled && subtype == b"Square").then(|| corners(rectangle)));
        }
        b"Circle" => {
            shape.ring(rectangle, stroke.width);
            shape.ellipses.extend(stroke.is_filled.then_some(rectangle));
        }
        b"FreeText" => free_text(&mut shape, view, annotation, (rectangle, stroke.width))?,
        b"Text" | b"FileAttachment" | b"Sound" => {
            let left_top =
                Rectangle { right: rectangle.left + ICON_SIZE_PT, bottom: rectangle.top - ICON_SIZE_PT, ..rectangle };
            shape.polygons.push(corners(left_top));
        }
        b"Widget" => {
            let characteristics = view.dictionary(annotation.get(b"MK"))?.into_owned();
            let is_drawn =
                !characteristics.is_empty() || annotation.has(b"V") && !annotation.get(b"FT").is_name(b"Sig");
            shape.polygons.extend(is_drawn.then(|| corners(rectangle)));
            shape.has_ground = !view.resolve(characteristics.get(b"BG"))?.elements().is_empty();
        }
        // a stamp is drawn as letters in a frame
        _ => {
            shape.polygons.push(corners(rectangle));
            shape.is_opaque = false;
        }
    }
    let effect = view.dictionary(annotation.get(b"BE"))?.into_owned();
    if effect.get(b"S").is_name(b"C") {
        let intensity = view.number(effect.get(b"I"))?.unwrap_or(0.0).clamp(0.0, MAX_CLOUD_INTENSITY);
        shape.cloud(CLOUD_REACH_PT * intensity + stroke.width, stroke.is_filled);
    }
    // a light line erases what it crosses
    shape.is_line = shape.has_thin_lines_only() && (!stroke.is_light || subtype == b"Link");
    Ok(shape)
}

/// The factors by which a highlight multiplies what it is over.
fn multiplied(view: &mut View, annotation: &Dictionary) -> Result<[f64; 3], Fault> {
    let color = view.array(annotation.get(b"C"), 5)?;
    let parts: Vec<f64> = color.elements().iter().filter_map(Object::as_number).collect();
    Ok(match parts[..] {
        [gray] => [gray; 3],
        [red, green, blue] => [red, green, blue],
        [cyan, magenta, yellow, black] => [cyan, magenta, yellow].map(|part| (1.0 - black) * (1.0 - part)),
        _ => [1.0; 3],
    })
}

/// Adds the line under or through marked text.
fn text_line(shape: &mut Shape, view: &mut View, annotation: &Dictionary, rectangle: Rectangle) -> Result<(), Fault> {
    let is_through = annotation.get(b"Subtype").is_name(b"StrikeOut");
    for (quad, height) in heights(view, annotation, rectangle)? {
        let bounds = Rectangle::around(quad);
        let y = if is_through { bounds.middle().1 } else { bounds.bottom };
        let thick = (UNDERLINE_HEIGHTS * height.max(bounds.height())).max(1.0);
        shape.lines.push(((bounds.left, y), (bounds.right, y), thick));
    }
    if is_turned(view, annotation)? {
        shape.is_opaque = false;
        shape.polygons.extend(quads(view, annotation, rectangle)?);
    }
    Ok(())
}

/// Adds the box of a text, and the line of its callout (12.5.6.6).
fn free_text(
    shape: &mut Shape,
    view: &mut View,
    annotation: &Dictionary,
    (rectangle, width): (Rectangle, f64),
) -> Result<(), Fault> {
    let has_ground = !view.resolve(annotation.get(b"C"))?.elements().is_empty();
    // differences that are negative (`/RD`) enlarge it in some viewers
    let differences = view.array(annotation.get(b"RD"), 4)?;
    let differences = differences.elements().iter().filter_map(Object::as_number);
    let reach = differences.fold(0.0, |reach: f64, difference| reach.max(-difference));
    shape.polygons.push(corners(rectangle.grown(reach)));
    let callout = points(view, annotation.get(b"CL"))?;
    shape.is_opaque &= reach == 0.0 && (has_ground || !callout.is_empty());
    shape.line(&callout, width, false);
    Ok(())
}

/// The smallest height of the quadrilaterals of a markup annotation.
pub(super) fn quad_height(view: &mut View, annotation: &Dictionary) -> Result<Option<f64>, Fault> {
    let Some(rectangle) = Rectangle::read(&view.array(annotation.get(b"Rect"), 5)?) else { return Ok(None) };
    let quads = quads(view, annotation, rectangle)?;
    let sizes = quads.iter().map(|quad| Rectangle::around(quad.iter().copied()));
    Ok(sizes.map(|bounds| bounds.height().min(bounds.width())).reduce(f64::min))
}

/// Whether the corners of a quadrilateral are in another order than all programs write, so that viewers draw its line at
/// different sides (12.5.6.10 has a third order).
fn is_turned(view: &mut View, annotation: &Dictionary) -> Result<bool, Fault> {
    let points = points(view, annotation.get(b"QuadPoints"))?;
    let is_usual = |quad: &[Point]| match quad {
        [(left, one), (right, two), (_, three), (_, four)] => {
            right - left >= (one - two).abs() && one + two >= three + four
        }
        _ => true,
    };
    Ok(!points.chunks_exact(4).all(is_usual))
}

/// The same with the line heights that viewers derive from the distance of the corners.
fn heights(view: &mut View, annotation: &Dictionary, rectangle: Rectangle) -> Result<Vec<(Vec<Point>, f64)>, Fault> {
    let points = points(view, annotation.get(b"QuadPoints"))?;
    let apart = |one: Option<&Point>, other: Option<&Point>| {
        one.zip(other).map_or(0.0, |((x, y), (u, v))| (x - u).hypot(y - v))
    };
    let height = |quad: &[Point]| apart(quad.first(), quad.get(2)).max(apart(quad.get(1), quad.get(3)));
    let own = points.chunks_exact(4).map(height).chain(std::iter::repeat(0.0));
    Ok(quads(view, annotation, rectangle)?.into_iter().zip(own).collect())
}

/// The quadrilaterals of a markup annotation (12.5.6.10), by their bounds.
fn quads(view: &mut View, annotation: &Dictionary, rectangle: Rectangle) -> Result<Vec<Vec<Point>>, Fault> {
    let points = points(view, annotation.get(b"QuadPoints"))?;
    if points.len() < 4 {
        return Ok(vec![corners(rectangle)]);
    }
    Ok(points.chunks_exact(4).map(|quad| corners(Rectangle::around(quad.iter().copied()))).collect())
}
