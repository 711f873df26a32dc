//! What glyph procedures (9.6.4) paint beyond the cells of their glyphs: paint that may hide earlier text. Within its
//! cell, a glyph counts as a letter.

use std::collections::BTreeMap;
use std::rc::Rc;

use super::area::{AreaKind, Effect, PaintStyle};
use super::font::Font;
use super::geometry::{Matrix, Rectangle};
use super::graphics::Graphics;
use super::layer::Layer;
use super::page_painting::EVERYWHERE;
use super::painter::Painter;
use super::shown_glyphs::{MeasuredFont, ShownGlyphs};
use pdf_syntax::failure::Fault;

/// Maximum bytes of a glyph procedure, and maximum glyphs of a page that are measured.
const MAX_PROCEDURE_BYTES: usize = 16 << 10;
const MAX_MEASURED_GLYPHS: usize = 1024;
/// How far the ink of letters may reach beyond their cells.
const CELL_TOLERANCE_EM: f64 = 0.25;

impl Painter<'_, '_, '_> {
    /// Adds areas of unknown effect where glyphs paint beyond their cells.
    pub(super) fn paint_glyphs(
        &mut self,
        font: &Rc<Font>,
        shown: &ShownGlyphs,
        style: PaintStyle,
    ) -> Result<(), Fault> {
        let far = CELL_TOLERANCE_EM * font.em;
        for &(start, end, code) in &shown.glyphs {
            let Some(painted) = self.glyph_box(font, code)? else { continue };
            let cell = Rectangle { left: 0.0, bottom: font.descent, right: end - start, top: font.ascent };
            if cell.grown(far).holds(painted) {
                continue;
            }
            let matrix = Matrix::translation(start, 0.0).then(shown.matrix);
            let (quad, bounds) = (matrix.quad(painted), matrix.rectangle(painted));
            let outline = self.page.outlines.push_quad(quad).filter(|_| bounds.is_finite());
            let style = PaintStyle { color: None, is_solid: false, effect: Effect::Unknown, ..style };
            self.page.push_shape(AreaKind::Block, bounds, outline, style);
        }
        Ok(())
    }

    /// Returns the box that a glyph paints, cached.
    fn glyph_box(&mut self, font: &Rc<Font>, code: u32) -> Result<Option<Rectangle>, Fault> {
        let known = self.measured.iter().position(|known| Rc::ptr_eq(&known.font, font));
        let place = match (known, &font.procedures) {
            (Some(place), _) => place,
            (None, Some(procedures)) if !procedures.resources.is_null() => {
                let dictionary = self.view.dictionary(&procedures.resources)?.into_owned();
                let resources = self.keep(dictionary);
                self.add_measured(font, resources)
            }
            (None, _) => self.add_measured(font, 0),
        };
        let Some(known) = self.measured.get(place) else { return Ok(None) };
        if let Some(painted) = known.boxes.get(&code) {
            return Ok(*painted);
        }
        if self.measured.iter().map(|font| font.boxes.len()).sum::<usize>() >= MAX_MEASURED_GLYPHS {
            return Ok(None);
        }
        let painted = self.measure(font, (code, known.resources))?;
        if let Some(known) = self.measured.get_mut(place) {
            known.boxes.insert(code, painted);
        }
        Ok(painted)
    }

    fn add_measured(&mut self, font: &Rc<Font>, resources: usize) -> usize {
        self.measured.push(MeasuredFont { font: Rc::clone(font), resources, boxes: BTreeMap::new() });
        self.measured.len() - 1
    }

    fn measure(&mut self, font: &Font, (code, resources): (u32, usize)) -> Result<Option<Rectangle>, Fault> {
        let Some(procedures) = &font.procedures else { return Ok(None) };
        let Some(procedure) = procedures.stream(code) else { return Ok(None) };
        let Some(stream) = self.view.stream(procedure, MAX_PROCEDURE_BYTES)? else { return Ok(None) };
        let graphics = Graphics::new(procedures.matrix, EVERYWHERE);
        // neither what the procedure takes nor how it is written counts for the page
        let before = (self.content_left, self.is_irregular, self.is_ended, self.has_comments);
        let drawn = self.separately(|painter| painter.paint(&stream.content, graphics, resources, Layer::None))?;
        (self.content_left, self.is_irregular, self.is_ended, self.has_comments) = before;
        let areas = drawn.areas.iter().filter(|area| !area.is_off).map(|area| area.bounds);
        let runs = drawn.runs.iter().filter(|run| run.is_painted()).map(|run| run.bounds);
        Ok(areas.chain(runs).reduce(Rectangle::with))
    }
}
