//! Images (8.9) painted on the page: `Do` with an image XObject, and inline images.

use super::area::{AreaKind, Effect, PaintStyle, Rule};
use super::frame::Frame;
use super::geometry::{Matrix, Rectangle};
use super::image::{Image, Mask};
use super::layer::Layer;
use super::painter::Painter;
use pdf_syntax::failure::Fault;

const UNIT: Rectangle = Rectangle { left: 0.0, bottom: 0.0, right: 1.0, top: 1.0 };

impl Painter<'_, '_, '_> {
    /// Paints an image, or the fill color through a stencil mask.
    pub(super) fn image(
        &mut self,
        image: &Image,
        frame: &Frame,
        layer: Layer,
        object: Option<u32>,
    ) -> Result<(), Fault> {
        let matrix = frame.graphics.matrix;
        let paint = image.is_stencil.then_some(&frame.graphics.fill);
        let mut style = self.paint_style(frame, paint);
        style.layer = style.layer.max(layer);
        style.object = object;
        let place = matrix.rectangle(UNIT);
        let kind = if image.is_stencil { AreaKind::Stencil } else { AreaKind::Image };
        if kind == AreaKind::Image && matches!(image.mask, Mask::None) && !self.is_apart && self.page.has_text_in(place)
        {
            style.color = image.color(self.view)?;
        }
        let painted = match &image.mask {
            Mask::None if self.is_mask => {
                style.color = Some([255; 3]);
                Some(image.light.painted(self.view)?)
            }
            Mask::None => None,
            // masked parts matter only over text
            _ if !self.has_text_in(place)? => {
                self.page.push_area(kind, place, PaintStyle { is_solid: false, effect: Effect::CLEAR, ..style });
                return Ok(());
            }
            // an image without opaque parts may still be visible
            mask => Some(mask.painted(self.view)?.filter(|parts| image.is_stencil || !parts.is_empty())),
        };
        match painted {
            None if matrix.is_upright() && kind == AreaKind::Image => {
                let has_default_spaces = self.device_spaces(frame)?.0.iter().any(Option::is_some);
                self.page.push_image((matrix, has_default_spaces), place, style);
            }
            None if matrix.is_upright() => self.page.push_area(kind, place, style),
            Some(None) => {
                let effect = if image.is_faint(self.view)? { Effect::CLEAR } else { Effect::Unknown };
                self.page.push_area(kind, place, PaintStyle { is_solid: false, effect, ..style });
            }
            None => self.push_quads(kind, &[UNIT], matrix, (place, style)),
            Some(Some(parts)) => self.push_quads(kind, &parts, matrix, (place, style)),
        }
        Ok(())
    }

    /// Paints transformed boxes.
    fn push_quads(
        &mut self,
        kind: AreaKind,
        parts: &[Rectangle],
        matrix: Matrix,
        (place, style): (Rectangle, PaintStyle),
    ) {
        let quads: Vec<[[f32; 2]; 5]> = parts.iter().map(|part| matrix.quad(*part)).collect();
        let outline = if place.is_finite() {
            self.page.outlines.push(Rule::NonZero, quads.iter().map(|quad| &quad[..]))
        } else {
            None
        };
        self.page.push_shape(kind, place, outline, style);
    }

    /// Whether text was painted in a box before.
    fn has_text_in(&mut self, place: Rectangle) -> Result<bool, Fault> {
        self.view.work(self.page.runs.len() / 16)?;
        Ok(self.is_apart || self.page.has_text_in(place))
    }
}
