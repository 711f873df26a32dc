//! Texts that viewers draw in the default appearance of a free text or field (12.7.3.3).

use std::fmt::Write;

use super::geometry::Rectangle;
use super::path_operators::color_operator;
use pdf_syntax::document::view::View;
use pdf_syntax::failure::Fault;
use pdf_syntax::syntax::dictionary::Dictionary;
use pdf_syntax::syntax::lexer::{Lexer, Token};
use pdf_syntax::syntax::strict_content::is_strict_content;
use pdf_syntax::text::text_string;

/// Maximum bytes of a default appearance that all viewers read.
const MAX_BYTES: usize = 1_000;
/// Maximum characters of a text.
pub(super) const MAX_CHARACTERS: usize = 2_000;
/// Font size if none is given, or 0 for automatic.
const DEFAULT_FONT_SIZE_PT: f64 = 12.0;
/// Distance between text and border, in points.
pub(super) const PADDING_PT: f64 = 2.0;

/// Returns the text of a free text annotation, line by line from the top.
pub(super) fn text(view: &mut View, annotation: &Dictionary, place: Rectangle) -> Result<String, Fault> {
    let contents = view.resolve(annotation.get(b"Contents"))?;
    let Some(contents) = contents.as_string().and_then(text_string::decode) else { return Ok(String::new()) };
    let appearance = view.resolve(annotation.get(b"DA"))?;
    let style = DefaultAppearance::read(appearance.as_string().unwrap_or_default());
    let size = style.given_size().unwrap_or(DEFAULT_FONT_SIZE_PT);
    let (left, top) = (place.left + PADDING_PT, place.top - size);
    let contents: String = contents.chars().take(MAX_CHARACTERS).collect();
    Ok(format!("{} BT /F {size} Tf {left} {top} Td {size} TL {}ET\n", style.color_operator(), written(&contents)))
}

/// Returns the operators that show a text, line by line.
pub(super) fn written(text: &str) -> String {
    let mut drawn = String::new();
    for line in text.split(['\r', '\n']) {
        drawn.push('<');
        for character in line.chars() {
            // characters that the font lacks are undecodable
            _ = write!(drawn, "{:02x}", u8::try_from(u32::from(character)).unwrap_or(0x7f));
        }
        drawn += "> Tj T* ";
    }
    drawn
}

/// A default appearance: how viewers draw a text without an appearance stream (12.7.3.3).
#[derive(Debug, Default, PartialEq)]
pub struct DefaultAppearance {
    /// The font's name among the resources of the form; empty if not set.
    pub font: Vec<u8>,
    /// The font size, in points; 0 if viewers choose it.
    pub size: f64,
    /// Components of the color in DeviceGray, DeviceRGB or DeviceCMYK; empty if not set.
    pub color: Vec<f64>,
    /// Whether it sets a font and nothing twice or else: some viewers take the first, others the last.
    pub is_strict: bool,
}

impl DefaultAppearance {
    /// Reads a default appearance string: the first font and the last color.
    pub fn read(text: &[u8]) -> Self {
        let mut found = Self::default();
        let (mut name, mut numbers) = (None, Vec::new());
        let mut is_strict = text.len() <= MAX_BYTES && is_strict_content(text);
        let mut lexer = Lexer::new(text);
        loop {
            match lexer.token() {
                Token::Integer(number) => numbers.push(number as f64),
                Token::Real(number) => numbers.push(number),
                Token::Name(font) => name = Some(font.as_bytes().to_vec()),
                Token::Keyword(b"Tf") => {
                    is_strict &= found.font.is_empty();
                    let set = name.take().zip(numbers.pop());
                    if let Some((font, size)) = set.filter(|_| found.font.is_empty()) {
                        (found.font, found.size) = (font, size);
                    }
                }
                Token::Keyword(operator @ (b"g" | b"rg" | b"k")) => {
                    is_strict &= found.color.is_empty();
                    let count = if operator == b"k" { 4 } else { 2 * operator.len() - 1 };
                    found.color = numbers.split_off(numbers.len().saturating_sub(count));
                }
                Token::End => break,
                _ => {
                    is_strict = false;
                    numbers.clear();
                }
            }
        }
        Self { is_strict: is_strict && !found.font.is_empty(), ..found }
    }

    /// The font size, unless viewers choose it.
    pub(super) fn given_size(&self) -> Option<f64> {
        Some(self.size).filter(|size| *size > 0.0)
    }

    /// The operator that sets its color; empty if it sets none.
    pub(super) fn color_operator(&self) -> String {
        color_operator(&self.color).unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use super::DefaultAppearance;

    #[test]
    fn a_default_appearance_has_a_font_and_a_color() {
        let read = |text: &str| DefaultAppearance::read(text.as_bytes());
        let strict = |size: f64, color: &[f64]| DefaultAppearance {
            font: b"Helv".to_vec(),
            size,
            color: color.to_vec(),
            is_strict: true,
        };
        assert_eq!(read("/Helv 12 Tf 0 g"), strict(12.0, &[0.0]));
        assert_eq!(read("1 1 1 rg /Helv 0 Tf"), strict(0.0, &[1.0; 3]));
        assert_eq!(read("/Helv 9.5 Tf 0 0 0 1 k"), strict(9.5, &[0.0, 0.0, 0.0, 1.0]));
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
        ] {
            assert!(!read(odd).is_strict, "{odd}");
        }
    }
}
