//! Rich text values of fields (ISO 32000-1, 12.7.3.4): some viewers draw them instead of the value. They are understood if
//! they say the value, and their markup changes nothing about how it is seen.

/// The elements of rich text; others have no known effect.
const PLAIN_ELEMENTS: [&str; 4] = ["body", "p", "span", "br"];
const STYLED_ELEMENTS: [&str; 8] = ["b", "i", "u", "strong", "em", "sub", "sup", "font"];
/// The namespaces that a body declares.
const NAMESPACES: [&str; 2] = ["http://www.w3.org/1999/xhtml", "http://www.xfa.org/schema/xfa-data/1.0/"];
/// Maximum nesting of elements.
const MAX_DEPTH: usize = 32;
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

/// A rich text.
#[derive(Debug, Default)]
pub(crate) struct RichText<'t> {
    text: String,
    /// The styles of its elements.
    styles: Vec<&'t str>,
    /// Whether it has markup that may change how its words are seen, whatever its styles.
    has_other_markup: bool,
}

impl<'t> RichText<'t> {
    /// Reads a rich text; `None` if it is no well-formed XHTML of the known elements.
    pub(crate) fn read(text: &'t str) -> Option<Self> {
        let mut rich = Self::default();
        let mut open = Vec::new();
        let mut rest = text.trim_start_matches('\u{feff}').trim_start();
        if let Some(declared) = rest.strip_prefix("<?xml ") {
            rest = declared.split_once("?>")?.1;
        }
        let mut has_body = false;
        while !rest.is_empty() {
            let Some(tag) = rest.strip_prefix('<') else {
                let end = rest.find('<').unwrap_or(rest.len());
                let (words, after) = rest.split_at_checked(end)?;
                rich.text.push_str(&unescaped(words).filter(|words| !open.is_empty() || words.trim().is_empty())?);
                rest = after;
                continue;
            };
            if let Some(ended) = tag.strip_prefix('/') {
                let (name, after) = ended.split_once('>')?;
                (open.pop()? == name.trim_end()).then_some(())?;
                rest = after;
                continue;
            }
            let (name, after) = name_of(tag)?;
            let is_body = name == "body";
            (is_body == open.is_empty() && !(is_body && has_body) && open.len() < MAX_DEPTH).then_some(())?;
            has_body |= is_body;
            let (is_empty, after) = rich.attributes(name, after)?;
            open.extend((!is_empty).then_some(name));
            rest = after;
        }
        (open.is_empty() && has_body).then_some(rich)
    }

    /// Reads the attributes of an element to its end; returns whether it is empty, and what follows.
    fn attributes(&mut self, name: &str, mut rest: &'t str) -> Option<(bool, &'t str)> {
        (PLAIN_ELEMENTS.contains(&name) || STYLED_ELEMENTS.contains(&name)).then_some(())?;
        self.has_other_markup |= !PLAIN_ELEMENTS.contains(&name);
        if matches!(name, "p" | "br") {
            self.text.push('\n');
        }
        loop {
            let trimmed = rest.trim_start();
            if let Some(after) = trimmed.strip_prefix("/>") {
                return Some((true, after));
            }
            if let Some(after) = trimmed.strip_prefix('>') {
                return Some((false, after));
            }
            let (key, after) = name_of(trimmed).filter(|_| trimmed.len() < rest.len())?;
            let quote = after.strip_prefix('=')?;
            let sign = quote.chars().next().filter(|sign| matches!(sign, '"' | '\''))?;
            let (value, after) = quote.get(1..)?.split_once(sign)?;
            match key {
                "style" => self.styles.push(value),
                "xmlns" | "xmlns:xfa" => self.has_other_markup |= !NAMESPACES.contains(&value),
                "xfa:APIVersion" | "xfa:spec" if name == "body" => {}
                "dir" => self.has_other_markup |= value != "ltr",
                _ => self.has_other_markup = true,
            }
            rest = after;
        }
    }

    /// Whether it has the words of a value.
    pub(crate) fn says(&self, value: &str) -> bool {
        self.text.split_whitespace().eq(value.split_whitespace())
    }

    /// Whether its words are drawn as the value is.
    pub(super) fn is_drawn_in(&self, default: DefaultStyle) -> bool {
        !self.has_other_markup && self.styles.iter().all(|style| is_plain_style(style, default))
    }
}

/// The name that a text starts with, and what follows.
fn name_of(text: &str) -> Option<(&str, &str)> {
    let end = text.find(|letter: char| !letter.is_ascii_alphanumeric() && letter != ':').unwrap_or(text.len());
    text.split_at_checked(end).filter(|(name, _)| !name.is_empty())
}

/// A text with its references to characters resolved; `None` if it has others.
fn unescaped(text: &str) -> Option<String> {
    let mut parts = text.split('&');
    let mut plain = parts.next()?.to_owned();
    for part in parts {
        let (name, after) = part.split_once(';')?;
        plain.push(match name {
            "lt" => '<',
            "gt" => '>',
            "amp" => '&',
            "quot" => '"',
            "apos" => '\'',
            number => {
                let digits = number.strip_prefix('#')?;
                let code = match digits.strip_prefix('x') {
                    Some(digits) => u32::from_str_radix(digits, 16),
                    None => digits.parse(),
                };
                char::from_u32(code.ok()?)?
            }
        });
        plain.push_str(after);
    }
    Some(plain)
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
    use super::{DefaultStyle, RichText};

    const ACROBAT: &str = "<?xml version=\"1.0\"?><body xmlns=\"http://www.w3.org/1999/xhtml\" \
        xmlns:xfa=\"http://www.xfa.org/schema/xfa-data/1.0/\" xfa:APIVersion=\"Acrobat:11.0.0\" xfa:spec=\"2.0.2\" \
        style=\"font-size:10.0pt;text-align:left;color:#000000;font-weight:normal;font-style:normal;\
        font-family:Helvetica,sans-serif;font-stretch:normal\"><p dir=\"ltr\"><span style=\"font-family:Helvetica\"\
        >9&lt;250</span></p></body>";

    #[test]
    fn a_rich_text_may_repeat_the_default_appearance() {
        let default = DefaultStyle { size: 10.0, lightness: 0.0, quadding: 0 };
        let read = |text: &str| {
            RichText::read(text).map(|rich| (rich.says("9 250") || rich.says("9<250"), rich.is_drawn_in(default)))
        };
        assert_eq!(read(ACROBAT), Some((true, true)));
        assert_eq!(read("<body><p>9</p><p>250</p></body>"), Some((true, true)));
        assert_eq!(read("<body><p>9<br/>250</p></body>"), Some((true, true)));
        assert_eq!(read("<body>9<span>250</span></body>"), Some((false, true)));
        for styled in [
            "<body><p><span style=\"color:#ffffff\">9</span> 250</p></body>",
            "<body><p><span style=\"font-size:0pt\">9</span> 250</p></body>",
            "<body><p style=\"text-indent:-12pt\">9 250</p></body>",
            "<body><p style=\"display:none\">9 250</p></body>",
            "<body dir=\"rtl\"><p>9 250</p></body>",
            "<body class=\"x\"><p>9 250</p></body>",
            "<body><p><b>9</b> 250</p></body>",
        ] {
            assert_eq!(read(styled), Some((true, false)), "{styled}");
        }
        for odd in [
            "9 250",
            "<body><p>9 250</p>",
            "<body><p>9 250</body></p>",
            "<body><p>9 250</p></body>9",
            "<body><p>9&nbsp;250</p></body>",
            "<body><bdo>9 250</bdo></body>",
            "<body><!-- 1 --><p>9 250</p></body>",
            "<body/><body>9 250</body>",
            "<body a=b>9 250</body>",
        ] {
            assert_eq!(read(odd), None, "{odd}");
        }
    }
}
