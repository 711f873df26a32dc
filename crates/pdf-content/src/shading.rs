//! Shadings (8.7.4): the operator `sh`, and the color of those that are uniform.

use super::area::{AreaKind, Effect};
use super::color::{Color, Space};
use super::frame::Frame;
use super::operation::Operations;
use super::painter::Painter;
use pdf_syntax::document::view::View;
use pdf_syntax::failure::Fault;
use pdf_syntax::syntax::dictionary::Dictionary;
use pdf_syntax::syntax::object::Object;

/// Maximum difference of components of equal-looking colors, of 255.
const COLOR_TOLERANCE: u8 = 5;

/// A shading as a cover.
pub(super) struct Shading {
    /// Its color, if uniform.
    pub(super) color: Color,
    /// Whether it paints the complete clip, not only a mesh or the range between its ends.
    pub(super) is_everywhere: bool,
}

impl Shading {
    /// Reads a shading; none if invalid.
    pub(super) fn read(view: &mut View, object: &Object) -> Result<Option<Self>, Fault> {
        let body = view.body(object)?;
        let shading = body.as_ref().and_then(|body| body.dictionary()).or(object.as_dictionary()).cloned();
        let Some(shading) = shading else { return Ok(None) };
        let kind = view.integer(shading.get(b"ShadingType"))?;
        let extended = view.array(shading.get(b"Extend"), 2)?;
        let is_extended =
            extended.elements().len() == 2 && extended.elements().iter().all(|end| end.as_bool() == Some(true));
        let is_everywhere = !shading.has(b"BBox") && kind == Some(2) && is_extended;
        let Some(1..=7) = kind else { return Ok(None) };
        Ok(Some(Self { color: color(view, &shading)?, is_everywhere }))
    }
}

impl Painter<'_, '_, '_> {
    /// `sh`: paints a shading (8.7.4.2).
    pub(super) fn shade(&mut self, operations: &Operations, frame: &Frame) -> Result<(), Fault> {
        let mut style = self.paint_style(frame, None);
        let (Some(name), Some(resources)) = (operations.name(), self.resources.get_mut(frame.resources)) else {
            return Ok(());
        };
        let shading = resources.get(self.view, b"Shading", name)?;
        // readers ignore invalid shadings
        let Some(shading) = Shading::read(self.view, &shading)? else { return Ok(()) };
        style.color = shading.color;
        style.is_solid &= frame.graphics.hides(style.color, style.alpha) && shading.is_everywhere;
        if !shading.is_everywhere {
            style.effect = Effect::Unknown;
        }
        self.page.push_area(AreaKind::Shading, frame.graphics.clip, style);
        Ok(())
    }
}

/// Returns the color of a shading whose functions have equal ends; none for others.
fn color(view: &mut View, shading: &Dictionary) -> Result<Color, Fault> {
    let space = Space::read(view, shading.get(b"ColorSpace"))?;
    let function = view.dictionary(shading.get(b"Function"))?.into_owned();
    let stitched = view.resolve(function.get(b"Functions"))?.into_owned();
    let mut colors = Vec::new();
    let mut read = |view: &mut View, function: &Dictionary| -> Result<(), Fault> {
        for (key, default) in [(&b"C0"[..], 0.0), (b"C1", 1.0)] {
            let numbers = view.resolve(function.get(key))?;
            let numbers: Vec<f64> = numbers.elements().iter().filter_map(Object::as_number).collect();
            colors.push(space.color(if numbers.is_empty() { std::slice::from_ref(&default) } else { &numbers }));
        }
        Ok(())
    };
    if stitched.elements().is_empty() {
        read(view, &function)?;
    }
    for function in stitched.elements().iter().take(16) {
        let function = view.dictionary(function)?.into_owned();
        read(view, &function)?;
    }
    let first = colors.first().copied().flatten();
    let is_alike = |color: &Color| match (color, first) {
        (Some(color), Some(first)) => {
            color.iter().zip(first).all(|(one, other)| one.abs_diff(other) <= COLOR_TOLERANCE)
        }
        _ => false,
    };
    Ok(first.filter(|_| colors.iter().all(is_alike)))
}
