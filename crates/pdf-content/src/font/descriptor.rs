//! Font descriptors (9.8): ascent, descent, missing width, and font program.

use crate::geometry::{Matrix, Rectangle};
use pdf_syntax::document::view::View;
use pdf_syntax::failure::Fault;
use pdf_syntax::syntax::dictionary::Dictionary;
use pdf_syntax::syntax::object::Object;

/// Default ascent and descent where the font has none, or implausible ones.
const DEFAULT_ASCENT_EM: f64 = 0.8;
const DEFAULT_DESCENT_EM: f64 = -0.2;
/// The Symbolic flag (9.8.2, table 123).
const SYMBOLIC_FLAG: i64 = 1 << 2;

/// The entries of a font descriptor.
#[derive(Debug)]
pub(super) struct Descriptor {
    pub(super) ascent: f64,
    pub(super) descent: f64,
    /// Size of the em in font sizes.
    pub(super) em: f64,
    /// Default width, in thousandths.
    pub(super) missing_width: f64,
    pub(super) is_symbolic: bool,
    /// Reference to a Type 1 program; null if there is none.
    pub(super) type1: Object,
    /// Reference to a TrueType, CFF or OpenType program; null if there is none.
    pub(super) program: Object,
    /// Whether any program is embedded.
    pub(super) is_embedded: bool,
    /// Scale from glyph space to text space: 1/1000, or by a Type 3 font's matrix.
    pub(super) scale: f64,
}

impl Default for Descriptor {
    fn default() -> Self {
        Self {
            ascent: DEFAULT_ASCENT_EM,
            descent: DEFAULT_DESCENT_EM,
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
    /// Reads the descriptor of a font or a CIDFont.
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
            is_symbolic: descriptor.get(b"Flags").as_integer().unwrap_or(0) & SYMBOLIC_FLAG != 0,
            type1: descriptor.get(b"FontFile").clone(),
            program: newer.find(|program| !program.is_null()).cloned().unwrap_or_default(),
            is_embedded: programs.iter().any(|program| descriptor.has(program)),
            ..Self::default()
        })
    }

    /// Reads the metrics of a Type 3 font (9.6.5).
    pub(super) fn of_type3(view: &mut View, font: &Dictionary) -> Result<Self, Fault> {
        let matrix = Matrix::read(&view.array(font.get(b"FontMatrix"), 7)?);
        let bounds = Rectangle::read(&view.array(font.get(b"FontBBox"), 5)?);
        let bounds = bounds.map(|bounds| matrix.rectangle(bounds));
        let height = bounds.map_or(0.0, Rectangle::height);
        // some use thousandths, some pixels
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

/// Returns plausible heights, otherwise the defaults.
fn heights(ascent: f64, descent: f64) -> (f64, f64) {
    let ascent = if (0.3..=1.3).contains(&ascent) { ascent } else { DEFAULT_ASCENT_EM };
    // some omit the sign
    let descent = -descent.abs();
    (ascent, if (-0.6..=-0.02).contains(&descent) { descent } else { DEFAULT_DESCENT_EM })
}
