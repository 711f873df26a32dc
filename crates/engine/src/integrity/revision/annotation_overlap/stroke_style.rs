//! How viewers stroke and fill the shape of an annotation (ISO 32000-2, 12.5.4).

use super::painted_shape::Point;
use pdf_syntax::document::view::View;
use pdf_syntax::failure::Fault;
use pdf_syntax::syntax::dictionary::Dictionary;
use pdf_syntax::syntax::object::Object;

/// Minimum mean of the color components of a light line, of 1.
const LIGHT_LINE_SHARE: f64 = 0.78;
/// Maximum points of a line.
const MAX_POINTS: usize = 2_000;

/// The line of an annotation.
pub(super) struct Stroke {
    /// 0 for none.
    pub(super) width: f64,
    pub(super) is_light: bool,
    /// Whether its interior is filled.
    pub(super) is_filled: bool,
}

impl Stroke {
    /// Reads it from an annotation.
    pub(super) fn read(view: &mut View, annotation: &Dictionary) -> Result<Self, Fault> {
        let is_filled = !view.resolve(annotation.get(b"IC"))?.elements().is_empty();
        Ok(Self { width: width(view, annotation)?, is_light: is_light(view, annotation)?, is_filled })
    }
}

/// Reads points.
pub(super) fn points(view: &mut View, object: &Object) -> Result<Vec<Point>, Fault> {
    let numbers: Vec<f64> =
        view.array(object, 2 * MAX_POINTS)?.elements().iter().filter_map(Object::as_number).collect();
    Ok(numbers.chunks_exact(2).filter_map(|pair| Some((*pair.first()?, *pair.last()?))).collect())
}

/// The line width: 0 for none.
fn width(view: &mut View, annotation: &Dictionary) -> Result<f64, Fault> {
    let style = view.dictionary(annotation.get(b"BS"))?.into_owned();
    if !style.is_empty() {
        return Ok(view.number(style.get(b"W"))?.unwrap_or(1.0));
    }
    let border = view.array(annotation.get(b"Border"), 4)?;
    Ok(border.elements().get(2).map_or(1.0, |width| width.as_number().unwrap_or(1.0)))
}

/// Whether an annotation's lines are light.
fn is_light(view: &mut View, annotation: &Dictionary) -> Result<bool, Fault> {
    let color = view.array(annotation.get(b"C"), 5)?;
    let parts: Vec<f64> = color.elements().iter().filter_map(Object::as_number).collect();
    Ok(match parts[..] {
        [gray] => gray >= LIGHT_LINE_SHARE,
        [_, _, _] => parts.iter().sum::<f64>() >= 3.0 * LIGHT_LINE_SHARE,
        [cyan, magenta, yellow, black] => cyan + magenta + yellow + 3.0 * black <= 3.0 * (1.0 - LIGHT_LINE_SHARE),
        _ => false,
    })
}
