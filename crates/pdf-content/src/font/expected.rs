//! What a font says of its codes, by `/ToUnicode` and its encoding, compared with what is drawn.

/// How a font finds a glyph of its program.
#[derive(Debug, Clone)]
pub(super) enum GlyphSource {
    /// By its index, which a map may give (9.7.4.2, `/CIDToGIDMap`).
    Index { glyph: u16, is_mapped: bool },
    /// By the code or the glyph's name in a simple font.
    Code { code: u8, name: String, is_symbolic: bool },
}

/// A glyph with what it is said to be.
#[derive(Debug, Clone)]
pub(super) struct ExpectedGlyph {
    pub(super) code: u32,
    /// Its character by `/ToUnicode`, otherwise by its name.
    pub(super) said: Option<char>,
    /// Its character by its name in the encoding of a simple font.
    pub(super) named: Option<char>,
    pub(super) source: GlyphSource,
    /// Its advance in font sizes, where the font gives one.
    pub(super) advance: Option<f64>,
    /// Whether the program has to draw it.
    pub(super) is_shown: bool,
}

/// Whether a font draws the glyphs that it says; the greater is the worse.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Drawing {
    /// The outlines of all that are shown are those of their letters.
    AsSaid,
    /// Nothing contradicts.
    Unknown,
    /// At least one is another letter, or nothing is drawn for it.
    Otherwise,
}

impl ExpectedGlyph {
    /// Whether its name contradicts what it is said to be.
    pub(super) fn is_named_otherwise(&self) -> bool {
        self.said.zip(self.named).is_some_and(|(said, named)| differ(said, named))
    }
}

/// Whether one character contradicts another one: they differ, and a letter or a digit is among them.
pub(super) fn differ(said: char, drawn: char) -> bool {
    said != drawn
        && said.is_ascii()
        && drawn.is_ascii()
        && (said.is_ascii_alphanumeric() || drawn.is_ascii_alphanumeric())
}

/// Whether nothing is drawn for a character.
pub(crate) fn is_blank(character: char) -> bool {
    matches!(character, ' ' | '\u{a0}' | '\u{2000}'..='\u{200b}' | '\u{202f}' | '\u{3000}')
}

/// Whether it is a point or a dash, of which leaders consist.
pub(crate) fn is_point(character: char) -> bool {
    matches!(character, '_' | '.' | '\u{2026}' | '\u{b7}' | '-' | '\u{2013}')
}
