//! Default appearances of fields (ISO 32000-1, 12.7.3.3): how viewers draw a value that has no appearance stream.

use super::rich_text_style::DefaultStyle;
use pdf_syntax::syntax::lexer::{Lexer, Token};
use pdf_syntax::syntax::strict_content::is_strict_content;

/// Maximum bytes of a default appearance.
const MAX_BYTES: usize = 1_000;

/// A default appearance.
#[derive(Debug, PartialEq)]
pub(super) struct DefaultAppearance {
    /// The font's name among the resources of the form.
    pub(super) font: Vec<u8>,
    /// Size, lightness of the color and alignment.
    pub(super) style: DefaultStyle,
}

impl DefaultAppearance {
    /// Reads a default appearance string for a field of this alignment; `None` if it is not strict, or sets anything twice
    /// or else: some viewers take the first, others the last.
    pub(super) fn read(text: &[u8], quadding: i64) -> Option<Self> {
        (text.len() <= MAX_BYTES && is_strict_content(text)).then_some(())?;
        let mut lexer = Lexer::new(text);
        let (mut name, mut numbers) = (None, Vec::new());
        let (mut font, mut color) = (None, None);
        loop {
            match lexer.token() {
                Token::Integer(number) => numbers.push(number as f64),
                Token::Real(number) => numbers.push(number),
                Token::Name(found) => name = Some(found.as_bytes().to_vec()),
                Token::Keyword(b"Tf") if font.is_none() => font = name.take().zip(numbers.pop()),
                Token::Keyword(b"g" | b"rg" | b"k") if color.is_none() => {
                    color = Some(lightness(&numbers)?);
                    numbers.clear();
                }
                Token::End => break,
                _ => return None,
            }
        }
        let (font, size) = font?;
        Some(Self { font, style: DefaultStyle { size, lightness: color.unwrap_or(0.0), quadding } })
    }
}

/// The lightness of a color in DeviceGray, DeviceRGB or DeviceCMYK, of 1.
pub(super) fn lightness(components: &[f64]) -> Option<f64> {
    match *components {
        _ if !components.iter().all(|component| (0.0..=1.0).contains(component)) => None,
        [gray] => Some(gray),
        [red, green, blue] => Some((red + green + blue) / 3.0),
        [cyan, magenta, yellow, black] => Some((1.0 - black) * (3.0 - cyan - magenta - yellow) / 3.0),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::{DefaultAppearance, DefaultStyle};

    #[test]
    fn a_default_appearance_has_a_font_and_a_color() {
        let read = |text: &str| DefaultAppearance::read(text.as_bytes(), 0);
        let plain = |size: f64, lightness: f64| {
            Some(DefaultAppearance { font: b"Helv".to_vec(), style: DefaultStyle { size, lightness, quadding: 0 } })
        };
        assert_eq!(read("/Helv 12 Tf 0 g"), plain(12.0, 0.0));
        assert_eq!(read("1 1 1 rg /Helv 0 Tf"), plain(0.0, 1.0));
        assert_eq!(read("/Helv 9.5 Tf 0 0 0 1 k"), plain(9.5, 0.0));
        for odd in [
            "",
            "0 g",
            "/Helv Tf",
            "/Helv 12 Tf 0 0 rg",
            "/Helv 12 Tf 3 Tr",
            "/Helv 12 Tf (a) Tj",
            // twice, too many operands, or some without an operator
            "/ZaDb 12 Tf /Helv 12 Tf 0 g",
            "/Helv 12 Tf 1 g 0 g",
            "/Helv 12 Tf 1 g 0 0 0 rg",
            "/Helv 12 Tf 1 0 g",
            "/A /Helv 12 Tf",
            "12 /Helv Tf",
            "/Helv 10 12 Tf",
            "/Helv 12 Tf 0 g 1",
            "/Helv 12 Tf 0 g /A",
            "/Helv 12 Tf 2 g",
        ] {
            assert_eq!(read(odd), None, "{odd}");
        }
    }
}
