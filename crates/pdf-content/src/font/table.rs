//! Tables in `data`, with lines that start with their names.

use std::sync::LazyLock;

use super::meaning::{Kept, character};

/// The table in this file of `data`.
macro_rules! table {
    ($name:literal) => {{
        const TEXT: &str = include_str!(concat!("../data/", $name, ".txt"));
        static LINES: [u32; count(TEXT)] = offsets(TEXT);
        Table { text: TEXT, lines: &LINES }
    }};
}

static GLYPHS: Table = table!("glyphs");
static LATIN: Table = table!("latin");
static SYMBOL: Table = table!("symbol");
static DINGBATS: Table = table!("dingbats");

/// A table of names with fields, sorted by name in the order of bytes.
struct Table {
    text: &'static str,
    /// Offsets of the lines. They are compiled in: to find them takes more than most files do.
    lines: &'static [u32],
}

/// A predefined encoding of a simple font (annex D).
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Encoding {
    Standard,
    MacRoman,
    WinAnsi,
    Symbol,
    ZapfDingbats,
}

/// A family of the standard 14 fonts (9.6.2.2), with its metrics in a file.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum FontMetrics {
    Courier,
    /// A column of the Latin table.
    Latin(usize),
    Symbol,
    ZapfDingbats,
}

/// The number of lines.
#[expect(clippy::indexing_slicing, reason = "evaluated at compile time")]
const fn count(text: &str) -> usize {
    let (mut at, mut count) = (0, 0);
    while at < text.len() {
        count += (text.as_bytes()[at] == b'\n') as usize;
        at += 1;
    }
    count
}

/// The offset of each line.
#[expect(clippy::indexing_slicing, reason = "evaluated at compile time")]
const fn offsets<const N: usize>(text: &str) -> [u32; N] {
    let (mut offsets, mut at, mut next) = ([0; N], 0, 1);
    while next < N {
        if text.as_bytes()[at] == b'\n' {
            offsets[next] = at as u32 + 1;
            next += 1;
        }
        at += 1;
    }
    offsets
}

impl Table {
    /// Returns each name and its fields, without leading comments.
    fn lines(&self) -> impl Iterator<Item = (&'static str, &'static str)> {
        let lines = self.text.lines().skip_while(|line| line.starts_with('#'));
        lines.filter_map(|line| line.split_once('\t'))
    }

    /// Returns the fields of a name.
    fn row(&self, name: &str) -> Option<impl Iterator<Item = &'static str> + use<>> {
        // comments come before all names
        let line = |at: u32| self.text.get(at as usize..).unwrap_or_default();
        let is_before = |at: &u32| {
            let line = line(*at).as_bytes();
            let own = line.get(..name.len()).unwrap_or(line);
            own < name.as_bytes()
        };
        let found = *self.lines.get(self.lines.partition_point(is_before))?;
        let (fields, _) = line(found).strip_prefix(name)?.strip_prefix('\t')?.split_once('\n')?;
        Some(fields.split('\t'))
    }
}

impl Encoding {
    /// Returns the glyph name of each code; empty where there is none.
    pub(super) fn names(self) -> &'static [&'static str; 256] {
        type Names = LazyLock<[&'static str; 256]>;
        static STANDARD: Names = LazyLock::new(|| listed(&LATIN, 0, &[]));
        static MAC_ROMAN: Names = LazyLock::new(|| listed(&LATIN, 1, &[(0o312, "space")]));
        static WIN_ANSI: Names = LazyLock::new(|| listed(&LATIN, 2, WIN_ANSI_ALSO));
        static SYMBOLS: Names = LazyLock::new(|| listed(&SYMBOL, 0, &[]));
        static ZAPF_DINGBATS: Names = LazyLock::new(|| listed(&DINGBATS, 0, &[]));
        match self {
            Self::Standard => &STANDARD,
            Self::MacRoman => &MAC_ROMAN,
            Self::WinAnsi => &WIN_ANSI,
            Self::Symbol => &SYMBOLS,
            Self::ZapfDingbats => &ZAPF_DINGBATS,
        }
    }
}

/// Codes of WinAnsiEncoding that the table lacks (annex D.2, notes 3, 5 and 6).
const WIN_ANSI_ALSO: &[(u8, &str)] = &[
    (0o177, "bullet"),
    (0o201, "bullet"),
    (0o215, "bullet"),
    (0o217, "bullet"),
    (0o220, "bullet"),
    (0o235, "bullet"),
    (0o240, "space"),
    (0o255, "hyphen"),
];

/// Returns glyph names by the codes in a field of a table, and further ones.
fn listed(table: &Table, field: usize, others: &[(u8, &'static str)]) -> [&'static str; 256] {
    let mut names = [""; 256];
    let code = |fields: &str| u8::from_str_radix(fields.split('\t').nth(field)?, 8).ok();
    let rows = table.lines().filter_map(|(name, fields)| Some((code(fields)?, name)));
    for (code, name) in others.iter().copied().chain(rows) {
        if let Some(place) = names.get_mut(usize::from(code)) {
            *place = name;
        }
    }
    names
}

impl FontMetrics {
    /// The metrics of Helvetica.
    pub(super) const ANY: Self = Self::Latin(3);

    /// Returns the metrics of a font by name, including common substitutes of standard fonts.
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

    /// Returns the metrics of the font that viewers draw instead of one that is not embedded: those of Helvetica, unless
    /// it is a font of symbols.
    pub(super) fn substitute(font: &str) -> Self {
        let symbols = Self::of(font).filter(|metrics| matches!(metrics, Self::Symbol | Self::ZapfDingbats));
        symbols.unwrap_or(Self::ANY)
    }

    /// Returns the width of a glyph, in thousandths.
    pub(super) fn width(self, name: &str) -> Option<f64> {
        let width = match self {
            Self::Courier => return Some(600.0),
            Self::Latin(column) => LATIN.row(name)?.nth(column),
            Self::Symbol => SYMBOL.row(name)?.nth(1),
            Self::ZapfDingbats => DINGBATS.row(name)?.nth(1),
        };
        width?.parse().ok()
    }

    /// Returns the width of a Latin letter, in font sizes.
    pub(super) fn letter_width(self, letter: char) -> Option<f64> {
        // Latin-1 but for the codes that it leaves to control characters
        let code = Some(letter as usize).filter(|_| !letter.is_control());
        let name = Encoding::WinAnsi.names().get(code?).filter(|name| !name.is_empty())?;
        self.width(name).map(|width| width / 1000.0)
    }

    /// Returns the font's built-in encoding.
    pub(super) fn encoding(self) -> Encoding {
        match self {
            Self::Symbol => Encoding::Symbol,
            Self::ZapfDingbats => Encoding::ZapfDingbats,
            Self::Courier | Self::Latin(_) => Encoding::Standard,
        }
    }
}

/// The least and the greatest width of an ASCII character in the standard fonts, in font sizes.
pub(crate) fn usual_widths(character: char) -> Option<(f64, f64)> {
    widths(character).filter(|_| character.is_ascii_graphic())
}

/// The greatest width of a Latin letter in the standard fonts, in font sizes.
pub(super) fn max_width(character: char) -> Option<f64> {
    widths(character).map(|(_, most)| most)
}

/// The least and the greatest width of a Latin letter in the standard fonts, in font sizes.
fn widths(character: char) -> Option<(f64, f64)> {
    let latin = (3..=8).map(FontMetrics::Latin).chain([FontMetrics::Courier]);
    let all: Vec<f64> = latin.map(|metrics| metrics.letter_width(character)).collect::<Option<_>>()?;
    Some(all.into_iter().fold((f64::INFINITY, 0.0), |(least, most), width| (width.min(least), width.max(most))))
}

/// Returns the characters of a glyph name (9.10.2; Adobe Glyph List Specification, section 2).
pub(super) fn characters(name: &str, is_dingbat: bool, texts: &mut String) -> Kept {
    // nearly all names are listed, with a single character
    if !is_dingbat
        && let Some(code) = GLYPHS.row(name).and_then(|mut fields| fields.next())
        && let Ok(number) = u32::from_str_radix(code, 16)
    {
        return character(number).map_or(Kept::Undecoded, Kept::Char);
    }
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
    Some(vec![code_point(DINGBATS.row(name)?.nth(2)?)?])
}

fn component(name: &str) -> Option<Vec<char>> {
    if let Some(mut fields) = GLYPHS.row(name) {
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
    use super::{DINGBATS, Encoding, FontMetrics, GLYPHS, LATIN, SYMBOL, characters};
    use crate::font::meaning::{Kept, Meaning};

    #[test]
    fn every_line_of_a_table_has_its_fields() {
        for (table, fields) in [(&GLYPHS, 1), (&LATIN, 9), (&SYMBOL, 2), (&DINGBATS, 3)] {
            let names: Vec<&str> = table.lines().map(|(name, _)| name).collect();
            // no name appears twice
            assert!(names.len() > 150 && names.is_sorted_by(|one, other| one < other));
            for name in names {
                assert_eq!(table.row(name).map(Iterator::count), Some(fields), "{name}");
            }
            for other in ["", "#", "zzz", "nothing", "A\t0041"] {
                assert!(table.row(other).is_none(), "{other}");
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
        for (encoding, code, name) in [
            (Encoding::Standard, 0o47, "quoteright"),
            (Encoding::WinAnsi, 0o47, "quotesingle"),
            (Encoding::WinAnsi, 0o200, "Euro"),
            (Encoding::WinAnsi, 0o201, "bullet"),
            (Encoding::WinAnsi, 0o255, "hyphen"),
            (Encoding::MacRoman, 0o200, "Adieresis"),
            (Encoding::MacRoman, 0o262, "lessequal"),
            (Encoding::Standard, 0o200, ""),
            (Encoding::Symbol, 0o141, "alpha"),
            (Encoding::ZapfDingbats, 0o64, "a20"),
        ] {
            assert_eq!(encoding.names()[code], name, "{encoding:?} {code:o}");
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
            assert_eq!(FontMetrics::of(font).and_then(|metrics| metrics.width(glyph)), width, "{font}");
        }
    }
}
