//! What viewers draw for annotations without an appearance stream, by subtype (12.5.6): what all of them draw alike is
//! painted on pages; what they draw in forms and places of their own is compared with the page only.

use super::area::Effect;
use super::blend::Blend;
use super::default_drawing::Drawing;
use super::geometry::Rectangle;
use super::graphics::Graphics;
use super::layer::Layer;
use super::page_model::PageText;
use super::painter::Painter;
use pdf_syntax::failure::Fault;
use pdf_syntax::syntax::dictionary::Dictionary;
use pdf_syntax::syntax::object::Object;
use pdf_syntax::syntax::parser::{Value, parse_object};

/// Resources of generated appearances: a font, and the blend mode of highlights.
const RESOURCES: &[u8] =
    b"<< /Font << /F << /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >> >> \
    /ExtGState << /M << /BM /Multiply >> >> >>";
/// Minimum contrast of words under a highlight, of 1, and on paper.
const LEGIBLE_MIN_CONTRAST: f64 = 0.15;
const SEEN_MIN_CONTRAST: f64 = 0.3;

/// Everything that viewers draw for an annotation without an appearance stream.
#[derive(Debug, Default)]
pub struct GeneratedAppearance {
    /// What any of them paints.
    pub paint: PageText,
    /// Whether what it covers is hidden in all of them.
    pub is_certain: bool,
    /// Whether it consists of thin lines, which hide nothing.
    pub is_thin: bool,
}

impl GeneratedAppearance {
    /// Returns the box around all paint; none if there is none.
    pub fn bounds(&self) -> Option<Rectangle> {
        let areas = self.paint.areas.iter().filter(|area| !area.is_off);
        areas.map(|area| area.bounds).reduce(Rectangle::with)
    }

    /// Whether it hides content of a color: a highlight hides what has its own color only.
    pub fn hides(&self, color: Option<[u8; 3]>) -> bool {
        let parts = |color: [u8; 3]| color.map(|part| f64::from(part) / f64::from(u8::MAX));
        self.paint.areas.iter().all(|area| {
            let Effect::Mixed { blend: Blend::Multiply, .. } = area.effect else { return true };
            let (Some(color), Some(multiplied)) = (color.map(parts), area.color.map(parts)) else { return false };
            let contrast = multiplied.iter().zip(color).map(|(part, own)| part * (1.0 - own)).fold(0.0, f64::max);
            let seen = color.iter().map(|own| 1.0 - own).fold(0.0, f64::max);
            contrast < LEGIBLE_MIN_CONTRAST && seen >= SEEN_MIN_CONTRAST
        })
    }
}

/// Paints what viewers draw alike for an annotation.
pub(super) fn paint(
    painter: &mut Painter,
    annotation: &Dictionary,
    base: &Graphics,
    layer: Layer,
) -> Result<(), Fault> {
    let content = Drawing::of(painter.view, annotation)?.content;
    paint_generated(painter, &content, annotation, base, layer)
}

/// Paints everything that any viewer draws; returns whether it is certain and thin.
pub(super) fn paint_all(
    painter: &mut Painter,
    annotation: &Dictionary,
    base: &Graphics,
    layer: Layer,
) -> Result<(bool, bool), Fault> {
    let Drawing { content, further, is_certain, is_thin, .. } = Drawing::of(painter.view, annotation)?;
    paint_generated(painter, &(content + &further), annotation, base, layer)?;
    Ok((is_certain, is_thin))
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
