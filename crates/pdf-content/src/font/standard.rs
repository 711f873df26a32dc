//! Upper bounds of the widths of texts that viewers draw themselves in a standard font (9.6.2.2), or in one that they have
//! instead.

use super::table::{self, FontMetrics, usual_widths};
use super::{Font, Meaning, name_of};
use crate::reading::Reading;
use pdf_syntax::document::view::View;
use pdf_syntax::failure::Fault;
use pdf_syntax::syntax::dictionary::Dictionary;
use pdf_syntax::syntax::object::Object;

/// Width of a letter that no standard font has, in font sizes.
const UNKNOWN_WIDTH_EM: f64 = 1.0;
/// Maximum ratio of a width of the standard fonts to that in the file: otherwise letters overlap.
const MAX_WIDTH_RATIO: f64 = 1.5;

/// A font that is not embedded, in which viewers draw a text.
#[derive(Debug)]
pub struct StandardFont {
    metrics: FontMetrics,
    /// Widths by code point, as the file has them, in font sizes.
    own: Vec<Option<f64>>,
    /// Whether its letters are known from its name, not from the file alone.
    is_standard: bool,
}

impl StandardFont {
    /// The font that viewers have under a name such as `Helv` or `TiRo`.
    pub fn named(name: &str) -> Self {
        let metrics = match name {
            name if name.starts_with("Cour") => FontMetrics::Courier,
            name if name.starts_with("Ti") => FontMetrics::of("Times").unwrap_or(FontMetrics::ANY),
            _ => FontMetrics::ANY,
        };
        Self { metrics, own: Vec::new(), is_standard: true }
    }

    /// Reads a font of the form; `None` if it has a program of its own or is no Latin one.
    ///
    /// # Errors
    /// Only that the source could not be read, or the deadline has passed.
    pub fn read(view: &mut View, font: &Object) -> Result<Option<Self>, Fault> {
        let font = view.dictionary(font)?.into_owned();
        let metrics = FontMetrics::of(&name_of(&font));
        let is_latin = !matches!(metrics, Some(FontMetrics::Symbol | FontMetrics::ZapfDingbats));
        let is_simple = font.get(b"Subtype").is_name(b"Type1") || font.get(b"Subtype").is_name(b"TrueType");
        if !is_latin || !is_simple || is_embedded(view, &font)? {
            return Ok(None);
        }
        let mut own = vec![None; 256];
        let read = Font::read(view, &font, Reading::default())?;
        for byte in 0..=u8::MAX {
            for code in read.codes(&[byte]) {
                if let Meaning::Char(letter) = code.meaning
                    && let Some(width) = own.get_mut(letter as usize)
                {
                    *width = Some(code.advance);
                }
            }
        }
        Ok(Some(Self { metrics: metrics.unwrap_or(FontMetrics::ANY), own, is_standard: metrics.is_some() }))
    }

    /// The greatest width of a line of text in any viewer, in font sizes; `None` if its letters may overlap or are missing.
    pub fn max_width(&self, text: &str) -> Option<f64> {
        text.chars().map(|letter| self.letter_width(letter)).sum()
    }

    /// The same for one letter. Some viewers draw Helvetica in any case, others no letter that the encoding lacks.
    fn letter_width(&self, letter: char) -> Option<f64> {
        let standard = [self.metrics, FontMetrics::ANY].map(|metrics| metrics.letter_width(letter));
        let standard = standard.into_iter().map(|width| width.unwrap_or(UNKNOWN_WIDTH_EM)).fold(0.0, f64::max);
        let own = self.own.get(letter as usize).copied().flatten();
        let least = usual_widths(letter).map_or(0.0, |(least, _)| least / MAX_WIDTH_RATIO);
        let is_usual = self.is_standard && (letter.is_ascii() || self.own.is_empty());
        own.map_or(is_usual, |own| own >= least).then(|| standard.max(own.unwrap_or(0.0)))
    }
}

fn is_embedded(view: &mut View, font: &Dictionary) -> Result<bool, Fault> {
    let descriptor = view.dictionary(font.get(b"FontDescriptor"))?;
    Ok([b"FontFile".as_slice(), b"FontFile2", b"FontFile3"].iter().any(|program| descriptor.has(program)))
}

/// The greatest width of a line of text in any of the standard Latin fonts, in font sizes.
pub fn max_width(text: &str) -> f64 {
    text.chars().map(|letter| table::max_width(letter).unwrap_or(UNKNOWN_WIDTH_EM)).sum()
}

#[cfg(test)]
mod tests {
    use super::{StandardFont, max_width};

    #[test]
    fn widths_are_upper_bounds() {
        let helvetica = StandardFont::named("Helv").max_width("MMM 9,250").expect("width");
        assert!((helvetica - (3.0 * 0.833 + 0.278 + 4.0 * 0.556 + 0.278)).abs() < 1e-9);
        assert!(StandardFont::named("TiRo").max_width("il").expect("width") >= 0.278 * 2.0 - 1e-9 - 0.112);
        assert_eq!(StandardFont::named("Cour").max_width("il"), Some(1.2));
        assert_eq!((max_width("W"), max_width("i"), max_width("\u{4e00}")), (1.0, 0.6, 1.0));
    }
}
