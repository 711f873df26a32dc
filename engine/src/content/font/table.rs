//! The tables of `data`: looked up where they stand, each line by the name that it starts with. Nothing is built of them.

use std::cmp::Ordering;

use memchr::{memchr, memchr2, memrchr};

use super::meaning::Kept;

const GLYPHS: &str = include_str!("../data/glyphs.txt");
const LATIN: &str = include_str!("../data/latin.txt");
const SYMBOL: &str = include_str!("../data/symbol.txt");
const DINGBATS: &str = include_str!("../data/dingbats.txt");

/// A predefined encoding of a simple font (annex D).
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Encoding {
    Standard,
    MacRoman,
    WinAnsi,
    Symbol,
    ZapfDingbats,
}

/// A family of the standard 14 fonts (9.6.2.2), in whose file its metrics stand.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Metrics {
    Courier,
    /// A column of the Latin table.
    Latin(usize),
    Symbol,
    ZapfDingbats,
}

/// The lines of a table without the comments before them.
fn lines(table: &'static str) -> impl Iterator<Item = &'static str> {
    table.lines().skip_while(|line| line.starts_with('#'))
}

/// The fields of the line that starts with a name, in a table that is sorted by names.
fn row(table: &'static str, name: &str) -> Option<impl Iterator<Item = &'static str> + use<>> {
    let bytes = table.as_bytes();
    let (mut first, mut last) = (0, bytes.len());
    // comments stand at the front, and their sign comes before all letters
    while first < last {
        let middle = first + (last - first) / 2;
        let start = memrchr(b'\n', bytes.get(first..middle)?).map_or(first, |end| first + end + 1);
        let line = bytes.get(start..last)?;
        let found = line.get(..memchr2(b'\t', b'\n', line)?)?;
        match found.cmp(name.as_bytes()) {
            Ordering::Equal => return Some(table.get(start..)?.lines().next()?.split('\t').skip(1)),
            Ordering::Greater => last = start,
            Ordering::Less => first = start + memchr(b'\n', line)? + 1,
        }
    }
    None
}

impl Encoding {
    /// Calls `set` with each code that the encoding has and the name of its glyph.
    pub(super) fn each(self, mut set: impl FnMut(u8, &'static str)) {
        let (table, column) = match self {
            Self::Standard => (LATIN, 1),
            Self::MacRoman => (LATIN, 2),
            Self::WinAnsi => (LATIN, 3),
            Self::Symbol => (SYMBOL, 1),
            Self::ZapfDingbats => (DINGBATS, 1),
        };
        if self == Self::WinAnsi {
            // annex D.2, notes 3, 5 and 6
            for code in [0o177, 0o201, 0o215, 0o217, 0o220, 0o235] {
                set(code, "bullet");
            }
            set(0o255, "hyphen");
            set(0o240, "space");
        }
        if self == Self::MacRoman {
            set(0o312, "space");
        }
        for line in lines(table) {
            let mut fields = line.split('\t');
            let (name, code) = (fields.next(), fields.nth(column - 1));
            if let (Some(name), Some(Ok(code))) = (name, code.map(|code| u8::from_str_radix(code, 8))) {
                set(code, name);
            }
        }
    }
}

impl Metrics {
    /// Those of Helvetica.
    pub(super) const ANY: Self = Self::Latin(3);

    /// Those of a font by its name, also of those that stand for a standard one in practice.
    pub(super) fn of(font: &str) -> Option<Self> {
        let name =
            font.split_once('+').map_or(font, |(_, name)| name).replace([' ', ',', '-'], "").to_ascii_lowercase();
        let is = |word| name.contains(word);
        let (is_bold, is_italic) = (is("bold"), is("italic") || is("oblique"));
        let style = |family: &str| {
            let rest = name.strip_prefix(family)?;
            let plain = ["psmt", "ps", "mt", "new", "roman", "bold", "italic", "oblique"];
            let rest = plain.iter().fold(rest.to_owned(), |rest, word| rest.replace(word, ""));
            rest.is_empty().then_some(())
        };
        if style("helvetica").or(style("arial")).is_some() {
            return Some(Self::Latin(if is_bold { 4 } else { 3 }));
        }
        if style("times").is_some() {
            return Some(Self::Latin(5 + usize::from(is_bold) + 2 * usize::from(is_italic)));
        }
        match name.as_str() {
            "symbol" => Some(Self::Symbol),
            "zapfdingbats" => Some(Self::ZapfDingbats),
            _ => style("courier").map(|()| Self::Courier),
        }
    }

    /// The width of a glyph in thousandths of the size.
    pub(super) fn width(self, name: &str) -> Option<f64> {
        let width = match self {
            Self::Courier => return Some(600.0),
            Self::Latin(column) => row(LATIN, name)?.nth(column),
            Self::Symbol => row(SYMBOL, name)?.nth(1),
            Self::ZapfDingbats => row(DINGBATS, name)?.nth(1),
        };
        width?.parse().ok()
    }

    /// The font's own encoding; none if that is the standard one.
    pub(super) fn encoding(self) -> Encoding {
        match self {
            Self::Symbol => Encoding::Symbol,
            Self::ZapfDingbats => Encoding::ZapfDingbats,
            Self::Courier | Self::Latin(_) => Encoding::Standard,
        }
    }
}

/// The characters that a glyph stands for by its name (9.10.2; Adobe Glyph List Specification, section 2).
pub(super) fn characters(name: &str, is_dingbat: bool, texts: &mut String) -> Kept {
    let known = name.split_once('.').map_or(name, |(known, _)| known);
    let mut all = Vec::new();
    for part in known.split('_') {
        let found = if is_dingbat { dingbat(part) } else { None };
        match found.or_else(|| component(part)) {
            Some(characters) => all.extend(characters),
            None => return Kept::Undecoded,
        }
    }
    Kept::of(all, texts)
}

fn dingbat(name: &str) -> Option<Vec<char>> {
    Some(vec![code_point(row(DINGBATS, name)?.nth(2)?)?])
}

fn component(name: &str) -> Option<Vec<char>> {
    if let Some(mut fields) = row(GLYPHS, name) {
        return fields.next()?.split(' ').map(code_point).collect();
    }
    let digits = |digits: &str| digits.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'A'..=b'F'));
    if let Some(units) = name.strip_prefix("uni").filter(|units| digits(units) && units.len() >= 4) {
        let units =
            units.as_bytes().chunks(4).map(|unit| std::str::from_utf8(unit).ok().filter(|unit| unit.len() == 4));
        return units.map(|unit| code_point(unit?)).collect();
    }
    let number = name.strip_prefix('u').filter(|number| digits(number) && (4..=6).contains(&number.len()))?;
    Some(vec![code_point(number)?])
}

fn code_point(digits: &str) -> Option<char> {
    char::from_u32(u32::from_str_radix(digits, 16).ok()?)
}

#[cfg(test)]
mod tests {
    use super::{DINGBATS, Encoding, GLYPHS, LATIN, Metrics, SYMBOL, characters, lines, row};
    use crate::content::font::meaning::{Kept, Meaning};

    #[test]
    fn tables_are_sorted_and_every_line_is_found() {
        for (table, fields) in [(GLYPHS, 1), (LATIN, 9), (SYMBOL, 2), (DINGBATS, 3)] {
            let names: Vec<&str> = lines(table).map(|line| line.split('\t').next().unwrap()).collect();
            assert!(names.len() > 150 && names.is_sorted() && table.ends_with('\n'));
            for name in names {
                assert_eq!(row(table, name).map(Iterator::count), Some(fields), "{name}");
            }
            for other in ["", "#", "zzz", "nothing", "A\t0041"] {
                assert!(row(table, other).is_none(), "{other}");
            }
        }
    }

    #[test]
    fn names_of_glyphs_stand_for_characters() {
        for (name, expected) in [
            ("A", Some("A")),
            ("Euro", Some("€")),
            ("fi", Some("\u{fb01}")),
            ("f_i", Some("fi")),
            ("one.oldstyle", Some("1")),
            ("Lcommaaccent", Some("Ļ")),
            ("uni20AC", Some("€")),
            ("uni20AC0308", Some("€\u{308}")),
            ("u1F600", Some("\u{1f600}")),
            ("dalethatafpatah", Some("\u{5d3}\u{5b2}")),
            (".notdef", None),
            ("uni20ac", None),
            ("uniD800", None),
            ("u12", None),
            ("g12", None),
            ("a1", None),
            ("f_g99", None),
            ("Asmall", None),
            ("", None),
        ] {
            let mut texts = String::new();
            let kept = characters(name, false, &mut texts);
            let shown = match kept.among(&texts) {
                Meaning::Undecoded => None,
                Meaning::Char(character) => Some(character.to_string()),
                Meaning::Text(text) => Some(text.to_owned()),
            };
            assert_eq!(shown.as_deref(), expected, "{name}");
        }
        assert_eq!(characters("a1", true, &mut String::new()), Kept::Char('\u{2701}'));
    }

    #[test]
    fn encodings_are_those_of_annex_d() {
        let glyph = |encoding: Encoding, code: u8| {
            let mut found = None;
            encoding.each(|each, name| found = if each == code { Some(name) } else { found });
            found
        };
        for (encoding, code, name) in [
            (Encoding::Standard, 0o47, Some("quoteright")),
            (Encoding::WinAnsi, 0o47, Some("quotesingle")),
            (Encoding::WinAnsi, 0o200, Some("Euro")),
            (Encoding::WinAnsi, 0o201, Some("bullet")),
            (Encoding::WinAnsi, 0o255, Some("hyphen")),
            (Encoding::MacRoman, 0o200, Some("Adieresis")),
            (Encoding::MacRoman, 0o262, Some("lessequal")),
            (Encoding::Standard, 0o200, None),
            (Encoding::Symbol, 0o141, Some("alpha")),
            (Encoding::ZapfDingbats, 0o64, Some("a20")),
        ] {
            assert_eq!(glyph(encoding, code), name, "{encoding:?} {code:o}");
        }
    }

    #[test]
    fn metrics_are_those_of_the_standard_fonts() {
        for (font, glyph, width) in [
            ("Helvetica", "A", Some(667.0)),
            ("Helvetica-Bold", "A", Some(722.0)),
            ("ABCDEF+Arial,BoldItalic", "A", Some(722.0)),
            ("ArialMT", "space", Some(278.0)),
            ("TimesNewRomanPS-BoldMT", "A", Some(722.0)),
            ("Times-Italic", "A", Some(611.0)),
            ("CourierNewPSMT", "A", Some(600.0)),
            ("Symbol", "alpha", Some(631.0)),
            ("Helvetica-Condensed", "A", None),
            ("ArialNarrow", "A", None),
            ("Times-Roman", "nothing", None),
        ] {
            assert_eq!(Metrics::of(font).and_then(|metrics| metrics.width(glyph)), width, "{font}");
        }
    }
}
