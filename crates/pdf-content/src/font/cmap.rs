//! CMaps (9.7.5, 9.10.3; Adobe Technical Note 5014): splitting of strings into codes, and mapping of codes to CIDs or
//! characters.

use super::meaning::{Kept, Meaning, character, utf16};
use pdf_syntax::document::view::{Stream, View};
use pdf_syntax::failure::Fault;
use pdf_syntax::syntax::lexer::{Lexer, Token};
use pdf_syntax::syntax::name::Name;
use pdf_syntax::syntax::object::Object;

/// Maximum ranges of a CMap: more than there are characters in any collection.
const MAX_RANGES: usize = 1 << 16;
/// Maximum codespace ranges (linear search); real CMaps have a dozen at most.
const MAX_CODESPACES: usize = 64;
/// Maximum codes of a range that maps to several characters: only the last byte may increase.
const MAX_TEXT_RANGE_CODES: u32 = 256;
/// Maximum bytes of all such texts.
const MAX_TEXT_BYTES: usize = 1 << 20;

/// A parsed CMap.
#[derive(Debug, Default)]
pub(crate) struct CMap {
    codespaces: Vec<Codespace>,
    cids: Vec<Range<u32>>,
    meanings: Vec<Range<Base>>,
    texts: String,
    is_vertical: bool,
    /// The CMap that it extends (`usecmap`).
    base: Option<Name>,
    /// Whether it exceeded a limit.
    is_cut: bool,
}

/// A codespace range: codes of equal length, with each byte between the corresponding bytes of both ends (9.7.6.2).
#[derive(Debug)]
struct Codespace {
    length: usize,
    low: [u8; 4],
    high: [u8; 4],
}

/// Mapping of the codes from `first` to `last`: the first one to `base`, the others to its successors.
#[derive(Debug)]
struct Range<T> {
    first: u32,
    last: u32,
    value: T,
}

/// Mapping of the first code of a range.
#[derive(Debug)]
enum Base {
    /// A code point, meaningful or not.
    Number(u32),
    Text(Kept),
}

impl CMap {
    /// Reads a referenced CMap, at most `most` bytes; none if it is not a stream.
    pub(super) fn read(view: &mut View, object: &Object, most: usize) -> Result<Option<(Self, Stream)>, Fault> {
        let Some(stream) = view.stream(object, most)? else { return Ok(None) };
        let mut cmap = Self::parse(&stream.content);
        cmap.is_cut |= stream.is_part;
        Ok(Some((cmap, stream)))
    }

    /// Parses a CMap. Invalid parts are skipped.
    pub(crate) fn parse(data: &[u8]) -> Self {
        let mut cmap = Self::default();
        let mut lexer = Lexer::new(data);
        let mut last = Token::End;
        loop {
            let token = lexer.token();
            match &token {
                Token::Keyword(b"begincodespacerange") => cmap.read_codespaces(&mut lexer),
                Token::Keyword(b"begincidrange") => cmap.read_cids(&mut lexer, true),
                Token::Keyword(b"begincidchar") => cmap.read_cids(&mut lexer, false),
                Token::Keyword(b"beginbfrange") => cmap.read_meanings(&mut lexer, true),
                Token::Keyword(b"beginbfchar") => cmap.read_meanings(&mut lexer, false),
                Token::Keyword(b"usecmap") => cmap.base = if let Token::Name(name) = last { Some(name) } else { None },
                Token::Integer(mode) if matches!(&last, Token::Name(name) if name.as_bytes() == b"WMode") => {
                    cmap.is_vertical = *mode == 1;
                }
                Token::End => break,
                _ => {}
            }
            last = token;
        }
        cmap.cids.sort_by_key(|range| range.first);
        cmap.meanings.sort_by_key(|range| range.first);
        cmap
    }

    /// Returns the identity CMap with two bytes per code (9.7.5.2, `Identity-H`).
    pub(crate) fn identity(is_vertical: bool) -> Self {
        let codespaces = vec![Codespace { length: 2, low: [0; 4], high: [0xff; 4] }];
        let cids = vec![Range { first: 0, last: 0xffff, value: 0 }];
        Self { codespaces, cids, is_vertical, ..Self::default() }
    }

    /// Returns the CMap that maps each code to its code point, as some name it for `/ToUnicode`.
    pub(crate) fn unicode() -> Self {
        let meanings = vec![Range { first: 0, last: 0xffff, value: Base::Number(0) }];
        Self { meanings, ..Self::default() }
    }

    /// Whether its writing mode is vertical (9.7.4.3).
    pub(crate) fn is_vertical(&self) -> bool {
        self.is_vertical
    }

    /// Returns the name of the CMap that it extends.
    pub(crate) fn base(&self) -> Option<&Name> {
        self.base.as_ref()
    }

    pub(crate) fn is_cut(&self) -> bool {
        self.is_cut
    }

    /// Returns its number of ranges.
    pub(crate) fn size(&self) -> usize {
        self.codespaces.len() + self.cids.len() + self.meanings.len()
    }

    /// Returns the first code of a string and its length: 0 only for an empty string.
    pub(crate) fn first_code(&self, string: &[u8]) -> (u32, usize) {
        for length in 1..=4 {
            let Some(bytes) = string.get(..length) else { break };
            if self.codespaces.iter().any(|space| space.has(bytes)) {
                return (number(bytes), length);
            }
        }
        // a code outside of all codespaces has the length of the shortest
        let length = self.codespaces.iter().map(|space| space.length).min().unwrap_or(1).min(string.len());
        (string.get(..length).map_or(0, number), length)
    }

    /// Returns the CID of a code.
    pub(crate) fn cid(&self, code: u32) -> Option<u32> {
        let range = find(&self.cids, code)?;
        range.value.checked_add(code - range.first)
    }

    /// Returns the characters of a code; none if not mapped.
    pub(crate) fn meaning(&self, code: u32) -> Option<Meaning<'_>> {
        let range = find(&self.meanings, code)?;
        Some(match &range.value {
            Base::Number(first) => {
                let number = first.saturating_add(code - range.first);
                character(number).map_or(Meaning::Undecoded, Meaning::Char)
            }
            Base::Text(text) => text.among(&self.texts),
        })
    }

    fn read_codespaces(&mut self, lexer: &mut Lexer) {
        while let Token::String(low) = lexer.token() {
            let Token::String(high) = lexer.token() else { return };
            if self.codespaces.len() >= MAX_CODESPACES {
                self.is_cut = true;
                continue;
            }
            let length = low.len().min(high.len());
            if let (Some(low), Some(high), true) = (padded(&low), padded(&high), length > 0) {
                self.codespaces.push(Codespace { length, low, high });
            }
        }
    }

    fn read_cids(&mut self, lexer: &mut Lexer, is_range: bool) {
        while let Some((first, last)) = codes(lexer, is_range) {
            let Token::Integer(cid) = lexer.token() else { return };
            if let (Ok(value), true) = (u32::try_from(cid), first <= last && self.has_room()) {
                self.cids.push(Range { first, last, value });
            }
        }
    }

    fn read_meanings(&mut self, lexer: &mut Lexer, is_range: bool) {
        while let Some((first, last)) = codes(lexer, is_range) {
            match lexer.token() {
                Token::String(text) => self.push_meaning(first, last, &text),
                Token::ArrayOpen => {
                    let mut code = first;
                    // one element per code
                    while let token @ (Token::String(_) | Token::Name(_)) = lexer.token() {
                        if let (Token::String(text), true) = (token, code <= last) {
                            self.push_meaning(code, code, &text);
                        }
                        code = code.saturating_add(1);
                    }
                }
                // a glyph name, which is rare
                Token::Name(_) => {}
                _ => return,
            }
        }
    }

    fn push_meaning(&mut self, first: u32, last: u32, text: &[u8]) {
        let mut characters = utf16(text);
        if let (Some(only), None) = (characters.next(), characters.next()) {
            if first <= last && self.has_room() {
                self.meanings.push(Range { first, last, value: Base::Number(u32::from(only)) });
            }
            return;
        }
        let mut text = text.to_vec();
        for code in first..=last.min(first.saturating_add(MAX_TEXT_RANGE_CODES - 1)) {
            if !self.has_room() {
                return;
            }
            let value = Base::Text(Kept::of(utf16(&text), &mut self.texts));
            self.meanings.push(Range { first: code, last: code, value });
            let Some(unit) = text.last_mut() else { return };
            *unit = unit.wrapping_add(1);
        }
    }

    fn has_room(&mut self) -> bool {
        let has_room = self.size() < MAX_RANGES && self.texts.len() < MAX_TEXT_BYTES;
        self.is_cut |= !has_room;
        has_room
    }
}

impl Codespace {
    fn has(&self, bytes: &[u8]) -> bool {
        let ends = self.low.iter().zip(&self.high);
        bytes.len() == self.length && bytes.iter().zip(ends).all(|(byte, (low, high))| (low..=high).contains(&byte))
    }
}

/// Reads the first and last code of the next range; none at the end of a section.
fn codes(lexer: &mut Lexer, is_range: bool) -> Option<(u32, u32)> {
    let Token::String(first) = lexer.token() else { return None };
    if !is_range {
        return Some((number(&first), number(&first)));
    }
    let Token::String(last) = lexer.token() else { return None };
    Some((number(&first), number(&last)))
}

/// Returns up to four bytes as a number.
fn number(bytes: &[u8]) -> u32 {
    bytes.iter().fold(0, |number, byte| number << 8 | u32::from(*byte))
}

fn padded(bytes: &[u8]) -> Option<[u8; 4]> {
    let mut padded = [0; 4];
    padded.get_mut(..bytes.len()).filter(|_| !bytes.is_empty())?.copy_from_slice(bytes);
    Some(padded)
}

/// Returns the range of a code; the last of several.
fn find<T>(ranges: &[Range<T>], code: u32) -> Option<&Range<T>> {
    let after = ranges.partition_point(|range| range.first <= code);
    ranges.get(after.checked_sub(1)?).filter(|range| code <= range.last)
}

#[cfg(test)]
mod tests {
    use super::{CMap, Name};
    use crate::font::meaning::Meaning;

    #[test]
    fn characters_come_one_by_one_and_in_ranges() {
        let cmap = CMap::parse(
            b"/CIDInit /ProcSet findresource begin 12 dict begin begincmap /WMode 0 def \
            1 begincodespacerange <0000> <FFFF> endcodespacerange \
            2 beginbfchar <0003> <0020> <0041> <00660066> endbfchar \
            4 beginbfrange <0010> <0012> <0061> <0020> <0022> [<0078> <0079007A> /space] \
            <0030> <0031> <00410042> <0050> <0060> <0000> endbfrange endcmap",
        );
        let expected = [
            (0x03, Some(Meaning::Char(' '))),
            (0x41, Some(Meaning::Text("ff"))),
            (0x10, Some(Meaning::Char('a'))),
            (0x12, Some(Meaning::Char('c'))),
            (0x13, None),
            (0x20, Some(Meaning::Char('x'))),
            (0x21, Some(Meaning::Text("yz"))),
            (0x22, None),
            (0x30, Some(Meaning::Text("AB"))),
            (0x31, Some(Meaning::Text("AC"))),
            (0x50, Some(Meaning::Undecoded)),
            (0x59, Some(Meaning::Char(' '))),
        ];
        for (code, meaning) in expected {
            assert_eq!(cmap.meaning(code), meaning, "{code:x}");
        }
        assert_eq!(cmap.first_code(b"\x00\x41\x00"), (0x41, 2));
        assert_eq!(cmap.first_code(b"\x00"), (0, 1));
        assert_eq!(cmap.first_code(b""), (0, 0));
    }

    #[test]
    fn codes_have_as_many_bytes_as_their_codespace() {
        let cmap = CMap::parse(
            b"/90ms-RKSJ-H usecmap /WMode 1 def 3 begincodespacerange <00> <80> <8140> <9FFC> <E0000000> <E0FFFFFF> \
            endcodespacerange 2 begincidrange <20> <7e> 231 <8140> <817e> 633 endcidrange \
            1 begincidchar <80> 97 endcidchar",
        );
        assert_eq!(cmap.base().map(Name::as_bytes), Some(&b"90ms-RKSJ-H"[..]));
        assert!(cmap.is_vertical());
        for (string, expected, cid) in [
            (&b"AB"[..], (0x41, 1), Some(264)),
            (b"\x81\x41", (0x8141, 2), Some(634)),
            (b"\x80", (0x80, 1), Some(97)),
            (b"\xe0\x01\x02\x03\x04", (0xe001_0203, 4), None),
            // no codespace has these
            (b"\x81\x00", (0x81, 1), None),
            (b"\xff", (0xff, 1), None),
        ] {
            let found = cmap.first_code(string);
            assert_eq!((found, cmap.cid(found.0)), (expected, cid), "{}", string.escape_ascii());
        }
        let identity = CMap::identity(false);
        assert_eq!((identity.first_code(b"\x12\x34\x56"), identity.cid(0x1234)), ((0x1234, 2), Some(0x1234)));
    }

    #[test]
    fn a_giant_cmap_is_cut() {
        let section = format!("beginbfrange {} endbfrange", "<0000> <FFFFFFFF> <0041004200430044> ".repeat(10_000));
        let cmap = CMap::parse(section.as_bytes());
        assert!(cmap.is_cut() && cmap.size() <= super::MAX_RANGES);
        for nonsense in [&b"beginbfchar"[..], b"beginbfrange <", b"begincidrange <00> <ff> endcidrange", &[0x3c; 1000]]
        {
            CMap::parse(nonsense);
        }
    }
}
