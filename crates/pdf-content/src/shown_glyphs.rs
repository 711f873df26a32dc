//! Glyphs that glyph procedures paint (9.6.4), and what is known of them.

use std::collections::BTreeMap;
use std::rc::Rc;

use super::font::Font;
use super::geometry::{Matrix, Rectangle};

/// The glyphs of a Type 3 font that a string shows.
pub(super) struct ShownGlyphs {
    /// Transforms font sizes to page coordinates.
    pub(super) matrix: Matrix,
    /// Origin and end, in font sizes from the start of the string, and code.
    pub(super) glyphs: Vec<(f64, f64, u32)>,
}

/// The boxes that the glyphs of a font paint, by code, in font sizes.
pub(super) struct MeasuredFont {
    pub(super) font: Rc<Font>,
    /// Index of its resources among those of the page.
    pub(super) resources: usize,
    pub(super) boxes: BTreeMap<u32, Option<Rectangle>>,
}
