//! A decoded code: its advance, and its characters if they are certain.

use std::ops::Range;

use super::drawn::Drawn;

/// A code of a string.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Code<'f> {
    pub meaning: Meaning<'f>,
    /// What its glyph draws, if it is known to be something else.
    pub(crate) drawn: Option<Drawn>,
    /// The code.
    pub number: u32,
    /// Advance in font sizes; negative in vertical writing.
    pub(crate) advance: f64,
    /// Vertical origin relative to the glyph's own (9.7.4.3), in font sizes.
    pub origin: (f64, f64),
    /// Whether word spacing applies (9.3.3): the single byte 32.
    pub is_space: bool,
}

/// The characters of a code.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Meaning<'f> {
    /// No certain character.
    Undecoded,
    Char(char),
    /// Several characters, such as a ligature's.
    Text(&'f str),
}

/// The stored form, with texts apart.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) enum Kept {
    #[default]
    Undecoded,
    Char(char),
    /// Its range in the texts.
    Text(Range<u32>),
}

impl Kept {
    /// Stores characters in logical order; undecoded if any is not meaningful.
    pub(crate) fn of(characters: impl IntoIterator<Item = char>, texts: &mut String) -> Self {
        let start = texts.len();
        for character in characters {
            let Some(character) = sure(character) else {
                texts.truncate(start);
                return Self::Undecoded;
            };
            texts.push(character);
        }
        let mut written = texts.get(start..).unwrap_or_default().chars();
        let kept = match (written.next(), written.next()) {
            (None, _) => Self::Undecoded,
            (Some(character), None) => Self::Char(character),
            _ => return Self::Text(start as u32..texts.len() as u32),
        };
        texts.truncate(start);
        kept
    }

    pub(crate) fn among<'f>(&self, texts: &'f str) -> Meaning<'f> {
        match self {
            Self::Undecoded => Meaning::Undecoded,
            Self::Char(character) => Meaning::Char(*character),
            Self::Text(range) => {
                texts.get(range.start as usize..range.end as usize).map_or(Meaning::Undecoded, Meaning::Text)
            }
        }
    }
}

/// Returns the character of a code point, if meaningful.
pub(crate) fn character(number: u32) -> Option<char> {
    sure(char::from_u32(number)?)
}

/// Returns a meaningful character: white space as a blank; no control, private use or replacement character.
fn sure(character: char) -> Option<char> {
    match character {
        '\t' | '\n' | '\r' => Some(' '),
        '\u{0}'..='\u{1f}' | '\u{7f}'..='\u{9f}' | '\u{e000}'..='\u{f8ff}' | '\u{f0000}'.. => None,
        '\u{fffd}' | '\u{fdd0}'..='\u{fdef}' | '\u{feff}' => None,
        character if u32::from(character) & 0xfffe == 0xfffe => None,
        character => Some(character),
    }
}

/// Decodes UTF-16BE as in `/ToUnicode` (9.10.3); a single byte is a character.
pub(crate) fn utf16(text: &[u8]) -> impl Iterator<Item = char> {
    let text = text.strip_prefix(b"\xfe\xff").filter(|text| !text.is_empty()).unwrap_or(text);
    // some versions of Ghostscript swap the bytes of a ligature's letters
    let is_turned = text.len() > 2 && text.chunks(2).all(|unit| matches!(unit, [_, 0]));
    let units = text.chunks(2).map(move |unit| match unit {
        [letter, 0] if is_turned && letter.is_ascii_alphabetic() => u16::from(*letter),
        _ if is_turned => 0xfffd,
        [high, low] => u16::from_be_bytes([*high, *low]),
        [byte, ..] => u16::from(*byte),
        [] => 0,
    });
    char::decode_utf16(units).map(|unit| unit.unwrap_or(char::REPLACEMENT_CHARACTER))
}

#[cfg(test)]
mod tests {
    use super::{Kept, Meaning, utf16};

    #[test]
    fn what_says_nothing_is_undecoded() {
        let mut texts = String::new();
        for (text, expected) in [
            (&b"\x00A"[..], Meaning::Char('A')),
            (b"A", Meaning::Char('A')),
            (b"\xfe\xff\x00A", Meaning::Char('A')),
            (b"\x00f\x00i", Meaning::Text("fi")),
            (b"f\x00i\x00", Meaning::Text("fi")),
            (b"f\x00\xcf\x00", Meaning::Undecoded),
            (b"\xd8\x3d\xde\x00", Meaning::Char('\u{1f600}')),
            (b"\x00\x0a", Meaning::Char(' ')),
            (b"", Meaning::Undecoded),
            (b"\x00\x00", Meaning::Undecoded),
            (b"\xff\xfd", Meaning::Undecoded),
            (b"\xe0\x01", Meaning::Undecoded),
            (b"\xd8\x3d", Meaning::Undecoded),
            (b"\x00f\xf8\xff", Meaning::Undecoded),
            (b"\xff\xff", Meaning::Undecoded),
        ] {
            let kept = Kept::of(utf16(text), &mut texts);
            assert_eq!(kept.among(&texts), expected, "{}", text.escape_ascii());
        }
        assert_eq!(texts, "fifi");
    }
}
