//! Font descriptors (9.8): what they say of a font's height, of widths that are missing, and of its program.

use crate::content::geometry::{Matrix, Rectangle};
use crate::document::view::View;
use crate::failure::Fault;
use crate::syntax::dictionary::Dictionary;
use crate::syntax::object::Object;

/// How far glyphs reach above and below their line where the font does not say, or nothing that can be.
const ASCENT: f64 = 0.8;
const DESCENT: f64 = -0.2;
/// Fonts whose glyphs are no letters in the usual order (9.8.2, table 123).
const SYMBOLIC: i64 = 1 << 2;

/// What a descriptor says.
#[derive(Debug)]
pub(super) struct Descriptor {
    pub(super) ascent: f64,
    pub(super) descent: f64,
    /// How large the letters are in sizes.
    pub(super) em: f64,
    /// Of a code without a width, in thousandths of the size.
    pub(super) missing_width: f64,
    pub(super) is_symbolic: bool,
    /// What refers to a program of Type 1; null if there is none.
    pub(super) type1: Object,
    /// The same of one of TrueType, of the Compact Font Format, or of OpenType.
    pub(super) program: Object,
    /// Whether a program of any kind is embedded.
    pub(super) is_embedded: bool,
    /// What glyph space is to text space: thousandths, or what a Type 3 font's matrix says.
    pub(super) scale: f64,
}

impl Default for Descriptor {
    fn default() -> Self {
        Self {
            ascent: ASCENT,
            descent: DESCENT,
            em: 1.0,
            missing_width: 0.0,
            is_symbolic: false,
            type1: Object::Null,
            program: Object::Null,
            is_embedded: false,
            scale: 0.001,
        }
    }
}

impl Descriptor {
    /// That of a font, or of a CIDFont.
    pub(super) fn read(view: &mut View, font: &Dictionary) -> Result<Self, Fault> {
        let descriptor = view.dictionary(font.get(b"FontDescriptor"))?;
        let height = |name: &[u8]| descriptor.get(name).as_number().unwrap_or(0.0) / 1000.0;
        let (ascent, descent) = heights(height(b"Ascent"), height(b"Descent"));
        let programs: [&[u8]; 3] = [b"FontFile", b"FontFile2", b"FontFile3"];
        let mut newer = programs.iter().skip(1).map(|program| descriptor.get(program));
        Ok(Self {
            ascent,
            descent,
            missing_width: descriptor.get(b"MissingWidth").as_number().unwrap_or(0.0),
            is_symbolic: descriptor.get(b"Flags").as_integer().unwrap_or(0) & SYMBOLIC != 0,
            type1: descriptor.get(b"FontFile").clone(),
            program: newer.find(|program| !program.is_null()).cloned().unwrap_or_default(),
            is_embedded: programs.iter().any(|program| descriptor.has(program)),
            ..Self::default()
        })
    }

    /// What a Type 3 font says itself (9.6.5).
    pub(super) fn of_type3(view: &mut View, font: &Dictionary) -> Result<Self, Fault> {
        let matrix = Matrix::read(&view.array(font.get(b"FontMatrix"), 7)?);
        let bounds = Rectangle::read(&view.array(font.get(b"FontBBox"), 5)?);
        let bounds = bounds.map(|bounds| matrix.rectangle(bounds));
        let height = bounds.map_or(0.0, Rectangle::height);
        // some count in thousandths as others do, some in pixels
        let em = if (0.3..=3.0).contains(&height) || height <= 0.0 || !height.is_finite() { 1.0 } else { height };
        let (ascent, descent) = bounds.map_or((0.0, 0.0), |bounds| (bounds.top / em, bounds.bottom / em));
        let (ascent, descent) = heights(ascent, descent);
        Ok(Self {
            ascent: ascent * em,
            descent: descent * em,
            em,
            is_symbolic: true,
            is_embedded: true,
            scale: matrix.0.first().copied().unwrap_or(0.001),
            ..Self::default()
        })
    }
}

/// Heights that can be, else the usual ones.
fn heights(ascent: f64, descent: f64) -> (f64, f64) {
    let ascent = if (0.3..=1.3).contains(&ascent) { ascent } else { ASCENT };
    // some give it without its sign
    let descent = -descent.abs();
    (ascent, if (-0.6..=-0.02).contains(&descent) { descent } else { DESCENT })
}
