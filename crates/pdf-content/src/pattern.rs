//! Patterns (8.7) and soft masks (11.5) as covers.

use std::rc::Rc;

use super::area::Outlines;
use super::color::Color;
use super::form::External;
use super::frame::Frame;
use super::geometry::{Matrix, Rectangle};
use super::graphics::Graphics;
use super::layer::Layer;
use super::operation::Operations;
use super::page_model::PageText;
use super::painter::Painter;
use super::shading::Shading;
use pdf_syntax::document::view::View;
use pdf_syntax::failure::Fault;
use pdf_syntax::syntax::dictionary::Dictionary;
use pdf_syntax::syntax::object::Object;

/// Share of a pattern cell that must be filled to hide the backdrop.
const CELL_FILLED_MIN_PART: f64 = 0.97;
/// Minimum luminosity of a mask that lets everything through, and maximum of one that lets nothing through.
const MASK_LIGHT_MIN_COMPONENT: u8 = 230;
const MASK_DARK_MAX_COMPONENT: u8 = 25;

impl Painter<'_, '_, '_> {
    /// `scn` with a pattern name.
    pub(super) fn set_pattern(&mut self, operations: &Operations, frame: &mut Frame) -> Result<(), Fault> {
        frame.graphics.fill.unread_pattern = None;
        let (Some(name), true) = (operations.name(), frame.graphics.fill.is_pattern) else { return Ok(()) };
        if self.page.runs.is_empty() {
            frame.graphics.fill.unread_pattern = Some(Rc::from(name));
            return Ok(());
        }
        self.read_named_pattern(name, frame)
    }

    /// Reads a deferred pattern, now that text is painted with it.
    pub(super) fn read_pattern(&mut self, frame: &mut Frame) -> Result<(), Fault> {
        let Some(name) = frame.graphics.fill.unread_pattern.take() else { return Ok(()) };
        self.read_named_pattern(&name, frame)
    }

    fn read_named_pattern(&mut self, name: &[u8], frame: &mut Frame) -> Result<(), Fault> {
        let Some(resources) = self.resources.get_mut(frame.resources) else { return Ok(()) };
        let reference = resources.get(self.view, b"Pattern", name)?;
        let pattern = self.view.dictionary(&reference)?.into_owned();
        let fill = &mut frame.graphics.fill;
        if pattern.get(b"PatternType").as_integer() == Some(2) {
            let shading = Shading::read(self.view, pattern.get(b"Shading"))?;
            let Some(shading) = shading.filter(|shading| shading.is_everywhere) else { return Ok(()) };
            (fill.color, fill.is_pattern) = (shading.color, false);
            return Ok(());
        }
        let cell = self.view.body(&reference)?.and_then(|cell| cell.dictionary().cloned());
        let Some(cell) = cell else { return Ok(()) };
        if let Some(color) = self.cell(&reference, &cell)? {
            let fill = &mut frame.graphics.fill;
            // an uncolored pattern has the current color
            fill.color = if cell.get(b"PaintType").as_integer() == Some(2) { None } else { color };
            fill.is_pattern = false;
        }
        Ok(())
    }

    /// Returns the color of a tiling pattern (8.7.3) with filled cells and no gaps; none for others.
    fn cell(&mut self, reference: &Object, cell: &Dictionary) -> Result<Option<Color>, Fault> {
        let number = |view: &mut View, key: &[u8]| -> Result<f64, Fault> {
            Ok(view.number(cell.get(key))?.unwrap_or(0.0).abs())
        };
        let steps = [number(self.view, b"XStep")?, number(self.view, b"YStep")?];
        let External::FormXObject(form) = self.external(reference)? else { return Ok(None) };
        let Some(bounds) = form.bounds else { return Ok(None) };
        let is_gapless = steps[0] <= bounds.width() * 1.01 && steps[1] <= bounds.height() * 1.01;
        let graphics = Graphics::new(Matrix::IDENTITY, bounds);
        let drawn = self.separately(|painter| {
            let resources = painter.keep(Dictionary::default());
            painter.paint(&form.content, graphics, form.resources.unwrap_or(resources), Layer::None)
        })?;
        let filled: f64 = drawn.areas.iter().filter(|area| area.hides()).map(|area| area.bounds.area()).sum();
        let is_full = filled >= CELL_FILLED_MIN_PART * bounds.area();
        let color = drawn.areas.iter().map(|area| area.color).reduce(|one, other| one.filter(|_| one == other));
        Ok((is_gapless && is_full).then_some(color.flatten()))
    }

    /// Sets or removes the soft mask.
    pub(super) fn set_mask(&mut self, mask: &Object, frame: &mut Frame) -> Result<(), Fault> {
        let graphics = &mut frame.graphics;
        let is_mask = mask.as_dictionary().is_some();
        // an invalid mask has no effect
        if !is_mask && !mask.is_name(b"None") {
            return Ok(());
        }
        (graphics.mask, graphics.is_masked, graphics.unread_mask) = (None, is_mask, None);
        if !graphics.is_masked {
            return Ok(());
        }
        if self.page.runs.is_empty() {
            graphics.unread_mask = Some(Rc::new((mask.clone(), graphics.matrix, graphics.clip)));
            return Ok(());
        }
        let (matrix, clip) = (graphics.matrix, graphics.clip);
        self.read_known_mask(mask, (matrix, clip), frame)
    }

    /// Reads a deferred soft mask, now that text is painted through it.
    pub(super) fn read_mask(&mut self, frame: &mut Frame) -> Result<(), Fault> {
        let Some(unread) = frame.graphics.unread_mask.take() else { return Ok(()) };
        let (mask, matrix, clip) = &*unread;
        self.read_known_mask(mask, (*matrix, *clip), frame)
    }

    fn read_known_mask(
        &mut self,
        mask: &Object,
        (matrix, clip): (Matrix, Rectangle),
        frame: &mut Frame,
    ) -> Result<(), Fault> {
        let mask = self.view.dictionary(mask)?.into_owned();
        let is_of_alpha = mask.get(b"S").is_name(b"Alpha");
        let has_identity_transfer = !mask.has(b"TR") || mask.get(b"TR").is_name(b"Identity");
        let External::FormXObject(form) = self.external(mask.get(b"G"))? else { return Ok(()) };
        let graphics = Graphics::new(matrix, clip);
        let drawn = self.separately(|painter| {
            let resources = painter.keep(Dictionary::default());
            let was_mask = std::mem::replace(&mut painter.is_mask, !is_of_alpha);
            let drawn = painter.draw_form(&form, graphics, resources, Layer::None);
            painter.is_mask = was_mask;
            drawn
        })?;
        let backdrop = self.view.resolve(mask.get(b"BC"))?;
        let is_lit = backdrop.elements().iter().any(|part| part.as_number().unwrap_or(0.0) > 0.0);
        if !has_identity_transfer || (is_lit && !is_of_alpha) {
            return Ok(());
        }
        if let Some(shape) = shape(&drawn, &mut self.page.outlines, is_of_alpha) {
            (frame.graphics.mask, frame.graphics.is_masked) = (Some(Rc::new(shape)), false);
        }
        Ok(())
    }

    /// Runs `draw` on a separate page, which is returned.
    pub(super) fn separately(&mut self, draw: impl FnOnce(&mut Self) -> Result<(), Fault>) -> Result<PageText, Fault> {
        let page = std::mem::replace(&mut self.page, PageText::with_room(0));
        self.page = PageText::with_room(page.room_left());
        let was_apart = std::mem::replace(&mut self.is_apart, true);
        let drawn = draw(self);
        self.is_apart = was_apart;
        let drawn = drawn.map(|()| std::mem::replace(&mut self.page, PageText::with_room(0)));
        self.page = page;
        drawn
    }
}

/// Returns the area in which a mask is fully transparent to paint; none if unknown.
fn shape(drawn: &PageText, outlines: &mut Outlines, is_of_alpha: bool) -> Option<std::ops::Range<u32>> {
    let mut shape: Option<std::ops::Range<u32>> = None;
    for area in drawn.areas.iter().filter(|area| !area.is_off) {
        let is_all = |is: fn(&u8) -> bool| area.color.is_some_and(|color| color.iter().all(is));
        if !area.is_solid || area.clip.is_some() {
            return None;
        }
        if !is_of_alpha && !is_all(|part| *part >= MASK_LIGHT_MIN_COMPONENT) {
            // dark paint under the rest removes nothing
            if shape.is_none() && is_all(|part| *part <= MASK_DARK_MAX_COMPONENT) {
                continue;
            }
            return None;
        }
        let added = match area.outline.is_empty() {
            true => outlines.push_quad(Matrix::IDENTITY.quad(area.bounds)),
            false => outlines.copy(&drawn.outlines, &area.outline),
        }?;
        shape = Some(shape.map_or(added.clone(), |shape| shape.start..added.end));
    }
    Some(shape.unwrap_or_default())
}
