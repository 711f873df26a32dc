//! Glyphs that glyph procedures paint (9.6.4), and what is known of them.

use std::collections::BTreeMap;
use std::rc::Rc;

use super::font::{Drawn, Font};
use super::geometry::{Matrix, Rectangle};

/// How far the ink of letters may reach beyond their cells.
const CELL_TOLERANCE_EM: f64 = 0.25;

/// The glyphs of a Type 3 font that a string shows.
pub(super) struct ShownGlyphs {
    /// Transforms font sizes to page coordinates.
    pub(super) matrix: Matrix,
    /// Origin and end, in font sizes from the start of the string, and code.
    pub(super) glyphs: Vec<(f64, f64, u32)>,
}

/// The paint of the glyphs of a font, by code.
pub(super) struct MeasuredFont {
    pub(super) font: Rc<Font>,
    /// Index of its resources among those of the page.
    pub(super) resources: usize,
    pub(super) glyphs: BTreeMap<u32, MeasuredGlyph>,
}

/// What a glyph procedure paints; nothing that is known by default.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct MeasuredGlyph {
    /// The box of its paint, in font sizes.
    pub(super) bounds: Option<Rectangle>,
    /// Whether it paints nothing, or nothing but a letter.
    pub(super) drawn: Option<Drawn>,
    /// The only color that it sets itself.
    pub(super) color: Option<[u8; 3]>,
}

impl MeasuredGlyph {
    /// Whether it paints in its cell alone, but for what letters reach beyond it.
    pub(super) fn is_within_cell(&self, font: &Font, advance: f64) -> bool {
        let cell = Rectangle { left: 0.0, bottom: font.descent, right: advance, top: font.ascent };
        self.bounds.is_none_or(|painted| cell.grown(CELL_TOLERANCE_EM * font.em).holds(painted))
    }
}

/// What is known of the glyphs of a string by their procedures, by code.
pub(super) type KnownGlyphs = BTreeMap<u32, MeasuredGlyph>;
