//! What glyph procedures (9.6.4) paint: nothing, a letter of another font, or paint beyond the cells of their glyphs, which
//! may hide earlier text. Within its cell, other paint counts as the letter that the font says.

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;
use std::rc::Rc;

use super::area::{AreaKind, Effect, PaintStyle};
use super::font::{Drawn, Font};
use super::geometry::{Matrix, Rectangle};
use super::graphics::Graphics;
use super::layer::Layer;
use super::operation::Operations;
use super::page_model::PageText;
use super::page_painting::EVERYWHERE;
use super::painter::Painter;
use super::shown_glyphs::{KnownGlyphs, MeasuredFont, MeasuredGlyph, ShownGlyphs};
use pdf_syntax::failure::Fault;

/// Maximum bytes of a glyph procedure, and maximum glyphs of a page that are measured.
const MAX_PROCEDURE_BYTES: usize = 16 << 10;
const MAX_MEASURED_GLYPHS: usize = 1024;
/// The color of paint before any is set (8.4.1).
const INITIAL_COLOR: [u8; 3] = [0; 3];

impl Painter<'_, '_, '_> {
    /// Adds areas of unknown effect where glyphs paint beyond their cells.
    pub(super) fn paint_glyphs(
        &mut self,
        font: &Rc<Font>,
        shown: &ShownGlyphs,
        style: PaintStyle,
    ) -> Result<(), Fault> {
        for &(start, end, code) in &shown.glyphs {
            let glyph = self.measured_glyph(font, code)?;
            let Some(painted) = glyph.bounds.filter(|_| !glyph.is_within_cell(font, end - start)) else { continue };
            let matrix = Matrix::translation(start, 0.0).then(shown.matrix);
            let (quad, bounds) = (matrix.quad(painted), matrix.rectangle(painted));
            let outline = self.page.outlines.push_quad(quad).filter(|_| bounds.is_finite());
            let style = PaintStyle { color: None, is_solid: false, effect: Effect::Unknown, ..style };
            self.page.push_shape(AreaKind::Block, bounds, outline, style);
        }
        Ok(())
    }

    /// Returns what is known of the glyphs of strings by their procedures.
    pub(super) fn known_glyphs<'t>(
        &mut self,
        font: &Rc<Font>,
        strings: impl Iterator<Item = &'t [u8]>,
    ) -> Result<KnownGlyphs, Fault> {
        let mut known = KnownGlyphs::new();
        // glyphs of glyphs are not measured
        for string in strings.take(if font.is_type3 && !self.is_apart { usize::MAX } else { 0 }) {
            for code in font.codes(string) {
                if let Entry::Vacant(slot) = known.entry(code.number) {
                    slot.insert(self.measured_glyph(font, code.number)?);
                }
            }
        }
        Ok(known)
    }

    /// Returns what a glyph paints, cached.
    fn measured_glyph(&mut self, font: &Rc<Font>, code: u32) -> Result<MeasuredGlyph, Fault> {
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
        let Some(known) = self.measured.get(place) else { return Ok(MeasuredGlyph::default()) };
        if let Some(glyph) = known.glyphs.get(&code) {
            return Ok(*glyph);
        }
        if self.measured.iter().map(|font| font.glyphs.len()).sum::<usize>() >= MAX_MEASURED_GLYPHS {
            return Ok(MeasuredGlyph::default());
        }
        let glyph = self.measure(font, (code, known.resources))?;
        if let Some(known) = self.measured.get_mut(place) {
            known.glyphs.insert(code, glyph);
        }
        Ok(glyph)
    }

    fn add_measured(&mut self, font: &Rc<Font>, resources: usize) -> usize {
        self.measured.push(MeasuredFont { font: Rc::clone(font), resources, glyphs: BTreeMap::new() });
        self.measured.len() - 1
    }

    fn measure(&mut self, font: &Font, (code, resources): (u32, usize)) -> Result<MeasuredGlyph, Fault> {
        let unknown = MeasuredGlyph::default();
        let Some(procedures) = &font.procedures else { return Ok(unknown) };
        let nothing = MeasuredGlyph { drawn: Some(Drawn::Nothing), ..unknown };
        let Some(procedure) = procedures.stream(code) else { return Ok(nothing) };
        let Some(stream) = self.view.stream(procedure, MAX_PROCEDURE_BYTES)? else { return Ok(unknown) };
        let (sets_color, paints) = operators(&stream.content);
        if !paints && !stream.is_part {
            return Ok(nothing);
        }
        let graphics = Graphics::new(procedures.matrix, EVERYWHERE);
        // neither what the procedure takes nor how it is written counts for the page
        let before = (self.content_left, self.is_irregular, self.is_ended, self.has_comments);
        let drawn = self.separately(|painter| painter.paint(&stream.content, graphics, resources, Layer::None))?;
        (self.content_left, self.is_irregular, self.is_ended, self.has_comments) = before;
        let areas = drawn.areas.iter().filter(|area| !area.is_off).map(|area| area.bounds);
        let runs = drawn.runs.iter().filter(|run| run.is_painted()).map(|run| run.bounds);
        let bounds = areas.chain(runs).reduce(Rectangle::with);
        let color = if sets_color && !stream.is_part { color(&drawn) } else { None };
        Ok(MeasuredGlyph { bounds, drawn: letter(&drawn).map(Drawn::Letter), color })
    }
}

/// Returns whether a glyph procedure describes a colored glyph (9.6.4, `d0`), and whether it has operators that paint.
fn operators(content: &[u8]) -> (bool, bool) {
    let mut operations = Operations::new(content);
    let mut sets_color = false;
    while let Some(operator) = operations.next() {
        match operator {
            b"d0" => sets_color = true,
            b"f" | b"F" | b"f*" | b"B" | b"B*" | b"b" | b"b*" | b"S" | b"s" | b"sh" | b"Do" | b"BI" => {
                return (sets_color, true);
            }
            b"Tj" | b"TJ" | b"'" | b"\"" => return (sets_color, true),
            _ => {}
        }
    }
    (sets_color, operations.is_part)
}

/// Returns the only letter or digit of content that paints nothing else.
fn letter(drawn: &PageText) -> Option<char> {
    let ([run], []) = (&drawn.runs[..], &drawn.areas[..]) else { return None };
    let mut letters = drawn.text(run).chars();
    let letter = letters.next().filter(char::is_ascii_alphanumeric)?;
    (run.is_painted() && letters.next().is_none()).then_some(letter)
}

/// Returns the only color of content that sets it: glyphs inherit the color of the text otherwise.
fn color(drawn: &PageText) -> Option<[u8; 3]> {
    let areas = drawn.areas.iter().map(|area| area.color);
    let mut colors = areas.chain(drawn.runs.iter().map(|run| run.color));
    let color = colors.next()??;
    (color != INITIAL_COLOR && colors.all(|other| other == Some(color))).then_some(color)
}
