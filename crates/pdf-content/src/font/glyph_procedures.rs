//! The glyph procedures of a Type 3 font: content streams that paint its glyphs (9.6.4).

use std::collections::BTreeMap;

use crate::geometry::Matrix;
use pdf_syntax::document::view::View;
use pdf_syntax::failure::Fault;
use pdf_syntax::syntax::dictionary::Dictionary;
use pdf_syntax::syntax::object::Object;

/// The glyph procedures of a font.
#[derive(Debug)]
pub(crate) struct GlyphProcedures {
    /// Transforms glyph space to font sizes.
    pub(crate) matrix: Matrix,
    /// The font's resources; null if its procedures use those of the page.
    pub(crate) resources: Object,
    /// References to the streams, by code.
    streams: BTreeMap<u32, Object>,
}

impl GlyphProcedures {
    /// Reads the entries of a font with these glyph names.
    pub(super) fn read<'n>(
        view: &mut View,
        font: &Dictionary,
        names: impl Iterator<Item = &'n str>,
    ) -> Result<Self, Fault> {
        let procedures = view.dictionary(font.get(b"CharProcs"))?;
        let named = (0..).zip(names).filter(|(_, name)| procedures.has(name.as_bytes()));
        let streams = named.map(|(code, name)| (code, procedures.get(name.as_bytes()).clone())).collect();
        let matrix = Matrix::read(&view.array(font.get(b"FontMatrix"), 7)?);
        Ok(Self { matrix, resources: font.get(b"Resources").clone(), streams })
    }

    /// Returns the reference to the stream that paints a code.
    pub(crate) fn stream(&self, code: u32) -> Option<&Object> {
        self.streams.get(&code)
    }

    /// Returns its size in the cache, in ranges of codes.
    pub(super) fn size(&self) -> usize {
        self.streams.len()
    }
}
