//! The styles of rich text values (ISO 32000-1, 12.7.3.4): some viewers draw these instead of the value. They are
//! understood if their markup changes nothing about how the value is seen.

use pdf_content::DefaultAppearance;
use pdf_syntax::document::view::View;
use pdf_syntax::failure::Fault;
use pdf_syntax::syntax::dictionary::Dictionary;
use pdf_syntax::text::rich_text::RichText;
use pdf_syntax::text::text_string;

/// Sizes of a text whose default appearance leaves its size to viewers, in points.
const AUTOMATIC_SIZES_PT: std::ops::RangeInclusive<f64> = 4.0..=12.0;
/// Tolerance of sizes, in points, and of lightness, of 1.
const SIZE_TOLERANCE_PT: f64 = 0.1;
const LIGHTNESS_TOLERANCE: f64 = 0.02;

/// How viewers draw the value without its rich text.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct DefaultStyle {
    /// In points; 0 is automatic.
    pub(super) size: f64,
    /// Of its color, of 1.
    pub(super) lightness: f64,
    /// From the left, centered, or to the right (12.7.3.3, table 222).
    pub(super) quadding: i64,
}

impl DefaultStyle {
    /// Reads the style of a default appearance for a field of this alignment; `None` if viewers read it differently.
    pub(super) fn read(default: &DefaultAppearance, quadding: i64) -> Option<Self> {
        let lightness = if default.color.is_empty() { Some(0.0) } else { lightness(&default.color) };
        Some(Self { size: default.size, lightness: lightness.filter(|_| default.is_strict)?, quadding })
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

/// Whether the words of a rich text are drawn as the value is.
pub(super) fn is_drawn_in(rich: &RichText, default: DefaultStyle) -> bool {
    !rich.has_other_markup && rich.styles.iter().all(|style| is_plain_style(style, default))
}

/// Whether viewers that draw the rich text of a note without an appearance draw it as its default appearance says.
pub(crate) fn is_note_drawn_alike(view: &mut View, note: &Dictionary, rich: &RichText) -> Result<bool, Fault> {
    let quadding = view.integer(note.get(b"Q"))?.unwrap_or(0);
    let [default, style] = [view.resolve(note.get(b"DA"))?.into_owned(), view.resolve(note.get(b"DS"))?.into_owned()];
    let default = default.as_string().map(DefaultAppearance::read);
    let Some(default) = default.and_then(|default| DefaultStyle::read(&default, quadding)) else { return Ok(false) };
    let is_plain = |style: &[u8]| is_plain_style(&text_string::characters(style), default);
    Ok(is_drawn_in(rich, default) && (style.is_null() || style.as_string().is_some_and(is_plain)))
}

/// Whether declarations only repeat what the default appearance says.
pub(super) fn is_plain_style(style: &str, default: DefaultStyle) -> bool {
    let mut declared = style.split(';').map(str::trim).filter(|declaration| !declaration.is_empty());
    declared.all(|declaration| {
        let Some((property, value)) = declaration.split_once(':') else { return false };
        is_plain_property(property.trim(), value.trim(), default)
    })
}

fn is_plain_property(property: &str, value: &str, default: DefaultStyle) -> bool {
    let is_zero = || value.trim_end_matches(char::is_alphabetic).parse() == Ok(0.0);
    match property {
        "font-family" => is_family(value),
        "font-size" => is_size(value, default.size),
        // the family, and then the size
        "font" => value.rsplit_once(' ').is_some_and(|(family, size)| is_family(family) && is_size(size, default.size)),
        "font-weight" => matches!(value, "normal" | "400"),
        "font-style" | "font-stretch" | "font-variant" => value == "normal",
        "text-decoration" => value == "none",
        "text-align" => {
            value
                == match default.quadding {
                    1 => "center",
                    2 => "right",
                    _ => "left",
                }
        }
        "color" => is_color(value, default.lightness),
        "letter-spacing" | "text-indent" | "margin" | "margin-left" | "margin-right" | "margin-top"
        | "margin-bottom" => is_zero(),
        "xfa-spacerun" => value == "yes",
        _ => false,
    }
}

fn is_family(names: &str) -> bool {
    names.chars().all(|letter| letter.is_ascii_alphabetic() || matches!(letter, ' ' | ',' | '-' | '\''))
}

fn is_size(value: &str, default: f64) -> bool {
    let size = value.strip_suffix("pt").and_then(|size| size.parse::<f64>().ok());
    size.is_some_and(|size| match default {
        0.0 => AUTOMATIC_SIZES_PT.contains(&size),
        default => (size - default).abs() <= SIZE_TOLERANCE_PT,
    })
}

/// Whether a color `#rrggbb` is as light.
fn is_color(value: &str, lightness: f64) -> bool {
    let digits = value.strip_prefix('#').filter(|digits| digits.len() == 6);
    let number = digits.and_then(|digits| u32::from_str_radix(digits, 16).ok());
    number.is_some_and(|number| {
        let [_, components @ ..] = number.to_be_bytes();
        let own = components.into_iter().map(f64::from).sum::<f64>() / (3.0 * f64::from(u8::MAX));
        (own - lightness).abs() <= LIGHTNESS_TOLERANCE
    })
}

#[cfg(test)]
mod tests {
    use super::{DefaultStyle, is_drawn_in};
    use pdf_syntax::text::rich_text::RichText;

    const ACROBAT: &str = "<?xml version=\"1.0\"?><body xmlns=\"http://www.w3.org/1999/xhtml\" \
        xmlns:xfa=\"http://www.xfa.org/schema/xfa-data/1.0/\" xfa:APIVersion=\"Acrobat:11.0.0\" xfa:spec=\"2.0.2\" \
        style=\"font-size:10.0pt;text-align:left;color:#000000;font-weight:normal;font-style:normal;\
        font-family:Helvetica,sans-serif;font-stretch:normal\"><p dir=\"ltr\"><span style=\"font-family:Helvetica\"\
        >9&lt;250</span></p></body>";

    #[test]
    fn a_rich_text_may_repeat_the_default_appearance() {
        let default = DefaultStyle { size: 10.0, lightness: 0.0, quadding: 0 };
        let read = |text: &str| RichText::read(text).map(|rich| is_drawn_in(&rich, default));
        assert_eq!(read(ACROBAT), Some(true));
        assert_eq!(read("<body><p>9 250</p></body>"), Some(true));
        for styled in [
            "<body><p><span style=\"color:#ffffff\">9</span> 250</p></body>",
            "<body><p><span style=\"font-size:0pt\">9</span> 250</p></body>",
            "<body><p style=\"text-indent:-12pt\">9 250</p></body>",
            "<body><p style=\"display:none\">9 250</p></body>",
            "<body><p><b>9</b> 250</p></body>",
        ] {
            assert_eq!(read(styled), Some(false), "{styled}");
        }
    }
}
