//! Numbers of annotations as operators of generated content: colors, paths and quadrilaterals.

use std::fmt::Write;

use super::geometry::{Matrix, Rectangle};
use pdf_syntax::document::view::View;
use pdf_syntax::failure::Fault;
use pdf_syntax::syntax::dictionary::Dictionary;
use pdf_syntax::syntax::object::Object;

/// Maximum numbers of a list.
const MAX_NUMBERS: usize = 4_000;

/// Returns the corners of each quadrilateral of an annotation (12.5.6.10), or of its rectangle: two rows of two.
pub(super) fn quadrilaterals(view: &mut View, annotation: &Dictionary) -> Result<Vec<[(f64, f64); 4]>, Fault> {
    let corners = numbers(view, annotation.get(b"QuadPoints"))?;
    let quads = corners.chunks_exact(8).filter_map(|quad| match *quad {
        [x, y, x2, y2, x3, y3, x4, y4] => Some([(x, y), (x2, y2), (x3, y3), (x4, y4)]),
        _ => None,
    });
    let mut quads: Vec<_> = quads.collect();
    if quads.is_empty()
        && let Some(Rectangle { left, bottom, right, top }) = Rectangle::read(&view.array(annotation.get(b"Rect"), 5)?)
    {
        quads.push([(left, top), (right, top), (left, bottom), (right, bottom)]);
    }
    Ok(quads)
}

/// Returns the height of the lowest line of text that an annotation marks, or its width if that is smaller.
pub fn marked_height(view: &mut View, annotation: &Dictionary) -> Result<Option<f64>, Fault> {
    let bounds = quadrilaterals(view, annotation)?.into_iter().map(Rectangle::around);
    Ok(bounds.map(|bounds| bounds.height().min(bounds.width())).reduce(f64::min))
}

/// Returns the operator that sets a color; none if transparent.
pub(super) fn color(view: &mut View, color: &Object) -> Result<Option<String>, Fault> {
    Ok(color_operator(&numbers(view, color)?))
}

/// Returns the same for components.
pub(super) fn color_operator(components: &[f64]) -> Option<String> {
    match *components {
        [gray] => Some(format!("{gray} g")),
        [red, green, blue] => Some(format!("{red} {green} {blue} rg")),
        [cyan, magenta, yellow, black] => Some(format!("{cyan} {magenta} {yellow} {black} k")),
        _ => None,
    }
}

pub(super) fn numbers(view: &mut View, array: &Object) -> Result<Vec<f64>, Fault> {
    let array = view.array(array, MAX_NUMBERS)?;
    Ok(array.elements().iter().filter_map(Object::as_number).filter(|number| number.is_finite()).collect())
}

/// Returns the rectangle reduced by differences (`/RD`).
pub(super) fn inset(differences: &[f64], rectangle: Rectangle) -> Rectangle {
    let Rectangle { left, bottom, right, top } = rectangle;
    match *differences {
        [by_left, by_bottom, by_right, by_top] => {
            Rectangle { left: left + by_left, bottom: bottom + by_bottom, right: right - by_right, top: top - by_top }
        }
        _ => rectangle,
    }
}

pub(super) fn path(points: &[f64]) -> String {
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
pub(super) fn ellipse(rectangle: Rectangle) -> String {
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
