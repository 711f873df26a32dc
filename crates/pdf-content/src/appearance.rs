//! Appearance streams of annotations and form fields (12.5.5).

use super::default_appearance;
use super::form::External;
use super::geometry::{Matrix, Rectangle};
use super::graphics::Graphics;
use super::layer::Layer;
use super::operation::Operations;
use super::painter::Painter;
use super::reading::Reading;
use pdf_syntax::document::view::{ResolvedDictionary, View};
use pdf_syntax::failure::Fault;
use pdf_syntax::syntax::dictionary::Dictionary;
use pdf_syntax::syntax::object::Object;

/// Maximum annotations of a page.
pub(super) const MAX_ANNOTATIONS: usize = 2_000;
/// Maximum ancestors of a field.
pub(super) const MAX_ANCESTORS: usize = 32;
/// Flags of an annotation: Hidden, Print, NoView (12.5.3, table 165).
const HIDDEN: i64 = 1 << 1;
const PRINT: i64 = 1 << 2;
const NO_VIEW: i64 = 1 << 5;
/// Flag of an annotation that keeps its size (12.5.3, table 165).
const NO_ZOOM: i64 = 1 << 3;
/// Maximum difference in size, in points, of two placings that are the same.
const MAX_SIZE_DIFFERENCE_PT: f64 = 1.0;

/// Where an appearance is painted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Placings {
    /// Mapped to the annotation's rectangle (12.5.5, algorithm 8.1).
    Rectangle,
    /// Wherever viewers place it: one with the flag NoZoom also in its own size, at the upper left corner of its rectangle.
    All,
}

/// Whether flags allow an annotation in print alone.
pub(super) fn is_printed_only(flags: i64) -> bool {
    flags & (HIDDEN | NO_VIEW | PRINT) == NO_VIEW | PRINT
}

/// Returns the object number of an annotation, 0 if direct, and the annotation; none if its flags hide it.
pub(super) fn displayed<'o>(
    painter: &mut Painter,
    reference: &'o Object,
) -> Result<Option<(u32, ResolvedDictionary<'o>)>, Fault> {
    let annotation = painter.view.dictionary(reference)?;
    let flags = painter.view.integer(annotation.get(b"F"))?.unwrap_or(0);
    let number = reference.as_reference().map_or(0, |id| id.number);
    let is_printed_only = is_printed_only(flags);
    painter.page.prints_more |= is_printed_only;
    let is_displayed = flags & (HIDDEN | NO_VIEW) == 0 || is_printed_only && painter.reading == Reading::Printed;
    Ok(is_displayed.then_some((number, annotation)))
}

/// Returns the value of an entry of a widget, or of the nearest ancestor that has it; null if none has.
pub(super) fn inherited(view: &mut View, widget: &Dictionary, key: &[u8]) -> Result<Object, Fault> {
    let mut entries = widget.clone();
    for _ in 0..MAX_ANCESTORS {
        let value = view.resolve(entries.get(key))?.into_owned();
        let parent = entries.get(b"Parent").clone();
        if !value.is_null() || parent.is_null() {
            return Ok(value);
        }
        entries = view.dictionary(&parent)?.into_owned();
    }
    Ok(Object::Null)
}

/// Paints the appearance of an annotation.
pub(super) fn paint_one(
    painter: &mut Painter,
    (number, annotation): (u32, &Dictionary),
    (base, placings): (&Graphics, Placings),
) -> Result<(), Fault> {
    painter.annotation = Some(number);
    let painted = paint_alone(painter, annotation, (base, placings));
    painter.annotation = None;
    painted
}

/// Paints the appearance of an annotation as if it were page content.
pub(super) fn paint_alone(
    painter: &mut Painter,
    annotation: &Dictionary,
    (base, placings): (&Graphics, Placings),
) -> Result<(), Fault> {
    let layer = painter.layer(annotation.get(b"OC"))?;
    let Some(appearance) = appearance_as_read(painter, annotation)? else {
        painter.page.is_part |= may_be_drawn_over_text(painter, annotation, base)?;
        return default_appearance::paint(painter, annotation, base, layer);
    };
    place(painter, annotation, &appearance, (base, placings), layer)
}

/// Whether viewers may generate an appearance over text for an annotation that has none (12.5.5).
pub(super) fn may_be_drawn_over_text(
    painter: &mut Painter,
    annotation: &Dictionary,
    base: &Graphics,
) -> Result<bool, Fault> {
    let is_filled = |key: &[u8]| !annotation.get(key).is_null();
    // the viewer lays out the text
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

/// Whether content paints with anything from its resources but fonts, without which text cannot be read.
fn names_resources(content: &[u8]) -> bool {
    let mut operations = Operations::new(content);
    while let Some(operator) = operations.next() {
        let is_device = |name: &[u8]| name.starts_with(b"Device");
        match operator {
            b"Do" | b"gs" | b"sh" => return true,
            b"cs" | b"CS" if !operations.name().is_some_and(is_device) => return true,
            _ => {}
        }
    }
    false
}

/// Returns the normal appearance for the annotation's state (12.5.5), null if it has none for that; none if viewers
/// generate one.
pub fn normal_appearance(view: &mut View, annotation: &Dictionary) -> Result<Option<Object>, Fault> {
    appearance_for(view, annotation, Reading::default())
}

/// Returns the same as viewers take it, and notes where they take different ones.
fn appearance_as_read(painter: &mut Painter, annotation: &Dictionary) -> Result<Option<Object>, Fault> {
    let appearance = appearance_for(painter.view, annotation, painter.reading)?;
    if appearance.is_none() || painter.view.resolve(annotation.get(b"AS"))?.as_name().is_some() {
        return Ok(appearance);
    }
    if Reading::VIEWERS.contains(&painter.reading) {
        // that others show more is no choice of words
        painter.is_ended |= appearance.as_ref().is_some_and(Object::is_null);
        return Ok(appearance);
    }
    for viewer in Reading::VIEWERS {
        painter.is_irregular |= appearance_for(painter.view, annotation, viewer)? != appearance;
    }
    Ok(appearance)
}

fn appearance_for(view: &mut View, annotation: &Dictionary, reading: Reading) -> Result<Option<Object>, Fault> {
    let appearances = view.dictionary(annotation.get(b"AP"))?;
    let normal = appearances.get(b"N");
    let body = view.body(normal)?;
    if body.as_ref().is_some_and(|body| body.stream.is_some()) {
        return Ok(Some(normal.clone()));
    }
    // the states may be a direct dictionary
    let states = body.as_ref().map_or(normal, |body| &body.object).as_dictionary();
    let Some(states) = states else { return Ok(None) };
    let state = state(view, annotation, (states, reading))?;
    Ok(Some(state.map_or(Object::Null, |state| states.get(&state).clone())))
}

/// Returns the state that an annotation has. `/AS` is required with states (12.5.2, table 166); without a name there,
/// Poppler takes the only state, PDFium another value there or, but for widgets, one in `/V`, and MuPDF none.
fn state(
    view: &mut View,
    annotation: &Dictionary,
    (states, reading): (&Dictionary, Reading),
) -> Result<Option<Vec<u8>>, Fault> {
    let given = view.resolve(annotation.get(b"AS"))?.into_owned();
    // PDFium takes numbers and booleans as they are written
    let text = |object: &Object| match object {
        Object::Integer(number) => Some(number.to_string().into_bytes()),
        Object::Real(number) => Some(number.to_string().into_bytes()),
        Object::Boolean(is_true) => Some(is_true.to_string().into_bytes()),
        object => object.as_name().or_else(|| object.as_string()).map(<[u8]>::to_vec),
    };
    let is_widget = annotation.get(b"Subtype").is_name(b"Widget");
    let state = match reading {
        _ if given.as_name().is_some() => text(&given),
        Reading::MuPdf => return Ok(None),
        Reading::Poppler => match &states.iter().collect::<Vec<_>>()[..] {
            [(only, _)] => Some(only.as_bytes().to_vec()),
            _ => None,
        },
        Reading::Pdfium => match text(&given).filter(|given| !given.is_empty()) {
            None if !is_widget => text(&inherited(view, annotation, b"V")?).filter(|value| states.has(value)),
            given => given,
        },
        _ => None,
    };
    Ok(Some(state.unwrap_or_else(|| b"Off".to_vec())))
}

/// Paints an appearance whose transformed box is mapped to each of its places (12.5.5, algorithm 8.1).
fn place(
    painter: &mut Painter,
    annotation: &Dictionary,
    appearance: &Object,
    (base, placings): (&Graphics, Placings),
    layer: Layer,
) -> Result<(), Fault> {
    let rectangle = painter.view.array(annotation.get(b"Rect"), 5)?;
    let Some(rectangle) = Rectangle::read(&rectangle) else { return Ok(()) };
    // viewers draw any stream as a form
    let form = match painter.external(appearance)? {
        External::FormXObject(form) => form,
        External::Image(_) | External::None => {
            painter.page.is_part |= painter.view.body(appearance)?.is_some_and(|body| body.stream.is_some());
            return Ok(());
        }
    };
    // without resources, those of the page are used
    painter.page.is_part |= form.resources.is_none() && names_resources(&form.content);
    // some viewers draw it without its required box
    let Some(bounds) = form.bounds else {
        painter.page.is_part = true;
        return Ok(());
    };
    let keeps_size = placings == Placings::All
        && painter.view.integer(annotation.get(b"F"))?.is_some_and(|flags| flags & NO_ZOOM != 0);
    let resources = painter.keep(Dictionary::default());
    for place in [Some(rectangle), unscaled(rectangle, bounds).filter(|_| keeps_size)].into_iter().flatten() {
        let mut graphics = base.clone();
        graphics.matrix = Matrix::between(form.matrix.rectangle(bounds), place).then(base.matrix);
        painter.draw_form(&form, graphics, resources, layer)?;
    }
    Ok(())
}

/// Returns the place of an appearance of this size at the upper left corner of its rectangle; none if it is the rectangle.
fn unscaled(rectangle: Rectangle, size: Rectangle) -> Option<Rectangle> {
    let place = Rectangle { right: rectangle.left + size.width(), bottom: rectangle.top - size.height(), ..rectangle };
    let differs = |one: f64, other: f64| (one - other).abs() > MAX_SIZE_DIFFERENCE_PT;
    let is_other = differs(place.width(), rectangle.width()) || differs(place.height(), rectangle.height());
    is_other.then_some(place)
}
