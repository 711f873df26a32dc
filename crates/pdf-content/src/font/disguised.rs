//! Codes that are said to be blanks or points, but are drawn as something else.

use std::collections::BTreeSet;

use super::expected::{ExpectedGlyph, is_blank, is_point};
use super::program;
use pdf_syntax::document::view::View;
use pdf_syntax::failure::Fault;
use pdf_syntax::syntax::object::Object;

/// Maximum height of a point or dash above the baseline, in font sizes.
const MAX_POINT_HEIGHT_EM: f32 = 0.5;

/// Returns the codes that are said to be blanks or points, but are named or drawn as something else.
pub(super) fn disguised(view: &mut View, program: &Object, glyphs: &[ExpectedGlyph]) -> Result<BTreeSet<u32>, Fault> {
    let is_low = |glyph: &&ExpectedGlyph| glyph.said.is_some_and(|said| is_blank(said) || is_point(said));
    let low: Vec<ExpectedGlyph> = glyphs.iter().filter(is_low).cloned().collect();
    if low.is_empty() {
        return Ok(BTreeSet::new());
    }
    let heights = program::ink_heights(view, program, &low)?;
    let is_disguised = |(glyph, height): &(&ExpectedGlyph, f32)| {
        let max_height = if glyph.said.is_some_and(is_blank) { 0.0 } else { MAX_POINT_HEIGHT_EM };
        glyph.named.is_some_and(char::is_alphanumeric) || *height > max_height
    };
    Ok(low.iter().zip(heights).filter(is_disguised).map(|(glyph, _)| glyph.code).collect())
}
