//! A cursor over the canonical form of sections, headers and keywords.

use pdf_syntax::syntax::char_class::is_space;
use pdf_syntax::syntax::strict::is_blank;
use pdf_syntax::xref::entries::LINE;

/// A cursor over canonical text.
pub(super) struct Cursor<'t> {
    pub(super) text: &'t [u8],
    pub(super) at: usize,
}

impl<'t> Cursor<'t> {
    pub(super) fn rest(&self) -> &'t [u8] {
        self.text.get(self.at..).unwrap_or_default()
    }

    pub(super) fn skip_space(&mut self) {
        self.at += self.rest().iter().take_while(|&&byte| is_space(byte)).count();
    }

    /// Skips white space and comments; returns whether these contain no keyword.
    pub(super) fn skip_comments(&mut self) -> bool {
        let start = self.at;
        self.skip_space();
        while self.rest().first() == Some(&b'%') {
            self.at += self.rest().iter().take_while(|&&byte| !matches!(byte, b'\r' | b'\n')).count();
            self.skip_space();
        }
        is_blank(self.text.get(start..self.at).unwrap_or_default())
    }

    pub(super) fn takes(&mut self, word: &[u8]) -> bool {
        let is_here = self.rest().starts_with(word);
        self.at += if is_here { word.len() } else { 0 };
        is_here
    }

    /// Skips the end of a line, with an optional space before it.
    pub(super) fn ends_line(&mut self) -> bool {
        self.takes(b" ");
        self.takes(b"\r\n") || self.takes(b"\n") || self.takes(b"\r")
    }

    /// A canonical number: digits without leading zeros.
    pub(super) fn digits(&mut self) -> Option<u64> {
        let length = self.rest().iter().take_while(|byte| byte.is_ascii_digit()).count();
        let text = self.rest().get(..length)?;
        let number: u64 = std::str::from_utf8(text).ok()?.parse().ok()?;
        self.at += length;
        (number.to_string().as_bytes() == text).then_some(number)
    }

    /// A table entry: offset, generation, and whether it is in use.
    pub(super) fn row(&mut self) -> Option<(u64, u64, bool)> {
        let line = self.text.get(self.at..self.at + LINE)?;
        let (offset, rest) = line.split_at_checked(10)?;
        let [b' ', generation @ .., b' ', kind @ (b'n' | b'f'), end, last] = rest else { return None };
        let is_ended = matches!((end, last), (b' ', b'\n' | b'\r') | (b'\r', b'\n'));
        let number = |digits: &[u8]| {
            std::str::from_utf8(digits).ok().filter(|it| it.bytes().all(|it| it.is_ascii_digit()))?.parse().ok()
        };
        self.at += LINE;
        let row = (number(offset)?, number(generation)?, *kind == b'n');
        is_ended.then_some(row)
    }
}
