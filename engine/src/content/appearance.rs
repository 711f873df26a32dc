//! What annotations and form fields look like (12.5.5), as far as it is shown.

use super::default_appearance;
use super::form::External;
use super::geometry::{Matrix, Rectangle};
use super::graphics::Graphics;
use super::layer::OptionalContent;
use super::page::ResolvedPage;
use super::page_model::{Annotation, AnnotationKind};
use super::painter::Painter;
use crate::failure::Fault;
use crate::syntax::dictionary::Dictionary;
use crate::syntax::object::Object;

/// Annotations of one page that are looked at.
const ANNOTATIONS: usize = 2_000;
/// Boxes that one of them may mark.
const QUADS: usize = 500;
/// Flags of what is not shown: hidden, no view (12.5.3, table 165).
const UNSEEN: i64 = 1 << 1 | 1 << 5;

/// Paints the appearances of a page's annotations upon its content.
pub(super) fn paint(
    painter: &mut Painter,
    page: &ResolvedPage,
    base: &Graphics,
    layers: &OptionalContent,
) -> Result<(), Fault> {
    let annotations = painter.view.resolve(page.dictionary.get(b"Annots"))?;
    painter.page.is_part |= annotations.elements().len() > ANNOTATIONS;
    for reference in annotations.elements().iter().take(ANNOTATIONS) {
        let annotation = painter.view.dictionary(reference)?;
        let flags = painter.view.integer(annotation.get(b"F"))?.unwrap_or(0);
        if flags & UNSEEN != 0 || annotation.get(b"Subtype").is_name(b"Popup") {
            continue;
        }
        let number = reference.as_reference().map_or(0, |id| id.number);
        if let Some(kind) = kind(painter, &annotation, base)? {
            painter.page.annotations.push(Annotation { number, kind });
        }
        paint_one(painter, (number, &annotation), base, layers)?;
    }
    Ok(())
}

/// What an annotation stands for, if that is more than what it looks like.
fn kind(painter: &mut Painter, annotation: &Dictionary, base: &Graphics) -> Result<Option<AnnotationKind>, Fault> {
    Ok(match annotation.get(b"Subtype").as_name().unwrap_or_default() {
        b"Widget" => Some(AnnotationKind::Widget),
        b"Redact" => Some(AnnotationKind::Redact(marked(painter, annotation, base)?)),
        _ => None,
    })
}

/// The boxes that an annotation marks (12.5.6.23): around each four corners, or its rectangle.
fn marked(painter: &mut Painter, annotation: &Dictionary, base: &Graphics) -> Result<Vec<Rectangle>, Fault> {
    let corners = painter.view.resolve(annotation.get(b"QuadPoints"))?;
    let numbers: Vec<f64> = corners.elements().iter().filter_map(Object::as_number).take(8 * QUADS).collect();
    let placed = |quad: &[f64]| {
        let points = quad.chunks_exact(2).filter_map(|point| Some(base.matrix.point(*point.first()?, *point.last()?)));
        Rectangle::around(points)
    };
    let mut boxes: Vec<Rectangle> = numbers.chunks_exact(8).map(placed).collect();
    if boxes.is_empty() {
        let rectangle = painter.view.array(annotation.get(b"Rect"), 5)?;
        boxes.extend(Rectangle::read(&rectangle).map(|rectangle| base.matrix.rectangle(rectangle)));
    }
    Ok(boxes.into_iter().filter(|bounds| bounds.is_finite()).map(Rectangle::rounded).collect())
}

/// Paints that of one of them.
pub(super) fn paint_one(
    painter: &mut Painter,
    (number, annotation): (u32, &Dictionary),
    base: &Graphics,
    layers: &OptionalContent,
) -> Result<(), Fault> {
    painter.annotation = Some(number);
    let painted = paint_alone(painter, annotation, base, layers);
    painter.annotation = None;
    painted
}

/// The same as if it were no annotation's.
pub(super) fn paint_alone(
    painter: &mut Painter,
    annotation: &Dictionary,
    base: &Graphics,
    layers: &OptionalContent,
) -> Result<(), Fault> {
    let is_off = layers.is_off(painter.view, annotation.get(b"OC"))?;
    let Some(appearance) = normal(painter, annotation)? else {
        painter.page.is_part |= may_be_drawn_over_text(painter, annotation, base)?;
        return default_appearance::paint(painter, annotation, base, is_off);
    };
    place(painter, annotation, &appearance, base, is_off)
}

/// Whether an annotation without a look lies over words, and viewers give it one that may hide them (12.5.5).
fn may_be_drawn_over_text(painter: &mut Painter, annotation: &Dictionary, base: &Graphics) -> Result<bool, Fault> {
    let is_filled = |key: &[u8]| !annotation.get(key).is_null();
    // how the text is laid out is up to the viewer
    let hides = match annotation.get(b"Subtype").as_name().unwrap_or_default() {
        b"FreeText" | b"Stamp" => true,
        b"Widget" => is_filled(b"V") || is_filled(b"MK"),
        _ => false,
    };
    let rectangle = Rectangle::read(&painter.view.array(annotation.get(b"Rect"), 5)?);
    let Some(place) = rectangle.filter(|_| hides).map(|rectangle| base.matrix.rectangle(rectangle)) else {
        return Ok(false);
    };
    painter.view.work(painter.page.runs.len() / 16)?;
    Ok(painter.page.runs.iter().any(|run| place.has(run.bounds.middle())))
}

/// What refers to the normal appearance, in the state that the annotation is in.
pub(super) fn normal(painter: &mut Painter, annotation: &Dictionary) -> Result<Option<Object>, Fault> {
    let appearances = painter.view.dictionary(annotation.get(b"AP"))?;
    let normal = appearances.get(b"N");
    let body = painter.view.body(normal)?;
    if body.as_ref().is_some_and(|body| body.stream.is_some()) {
        return Ok(Some(normal.clone()));
    }
    // states may stand right there
    let states = body.as_ref().map_or(normal, |body| &body.object).as_dictionary();
    let state = painter.view.resolve(annotation.get(b"AS"))?;
    let state = state.as_name().unwrap_or(b"Off");
    Ok(states.map(|states| states.get(state).clone()))
}

/// Paints an appearance so that its box, turned by its matrix, fills the annotation's rectangle (algorithm 8.1).
fn place(
    painter: &mut Painter,
    annotation: &Dictionary,
    appearance: &Object,
    base: &Graphics,
    is_off: bool,
) -> Result<(), Fault> {
    let rectangle = painter.view.array(annotation.get(b"Rect"), 5)?;
    let Some(rectangle) = Rectangle::read(&rectangle) else { return Ok(()) };
    let External::FormXObject(form) = painter.external(appearance)? else { return Ok(()) };
    let Some(bounds) = form.bounds else { return Ok(()) };
    let mut graphics = base.clone();
    graphics.matrix = Matrix::between(form.matrix.rectangle(bounds), rectangle).then(base.matrix);
    // a form without resources of its own has those of the page
    let resources = painter.keep(Dictionary::default());
    painter.draw_form(&form, graphics, resources, is_off)
}
