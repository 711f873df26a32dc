//! String tokens (7.3.4), with escapes resolved.

use memchr::memchr3;

use super::char_class::hex_digit;
use super::lexer::{Lexer, Token};

/// Initial capacity of a string, enough for most titles and dates.
const STRING: usize = 32;

impl<'a> Lexer<'a> {
    pub(crate) fn literal_string(&mut self) -> Token<'a> {
        let mut text = Vec::with_capacity(STRING);
        self.literal_into(&mut text);
        Token::String(text)
    }

    /// Appends a literal string, with balanced parentheses (7.3.4.2). An unclosed one extends to the end of the input.
    /// A raw line end is not normalized to a line feed, as the standard has it: it may be half a UTF-16 character or
    /// part of an encrypted block, and no viewer replaces it.
    pub fn literal_into(&mut self, text: &mut Vec<u8>) {
        self.at += 1;
        let mut depth = 0_usize;
        loop {
            let rest = self.rest();
            let plain = memchr3(b'\\', b'(', b')', rest).unwrap_or(rest.len());
            text.extend_from_slice(rest.get(..plain).unwrap_or_default());
            self.at += plain;
            let Some(byte) = self.peek() else { return };
            self.at += 1;
            match byte {
                b'\\' => self.escape(text),
                b')' if depth == 0 => return,
                _ => {
                    depth = if byte == b'(' { depth + 1 } else { depth - 1 };
                    text.push(byte);
                }
            }
        }
    }

    fn escape(&mut self, text: &mut Vec<u8>) {
        let Some(byte) = self.peek() else { return };
        self.at += 1;
        match byte {
            b'n' => text.push(b'\n'),
            b'r' => text.push(b'\r'),
            b't' => text.push(b'\t'),
            b'b' => text.push(8),
            b'f' => text.push(12),
            b'\n' => {}
            b'\r' => self.at += usize::from(self.peek() == Some(b'\n')),
            b'0'..=b'7' => {
                let mut code = u32::from(byte - b'0');
                for _ in 0..2 {
                    let Some(digit @ b'0'..=b'7') = self.peek() else { break };
                    code = code * 8 + u32::from(digit - b'0');
                    self.at += 1;
                }
                text.push(code as u8);
            }
            _ => text.push(byte),
        }
    }

    /// Reads a hexadecimal string (7.3.4.3).
    pub fn hexadecimal_string(&mut self) -> Token<'a> {
        let mut bytes = Vec::with_capacity(STRING);
        self.hexadecimal_into(&mut bytes);
        Token::String(bytes)
    }

    /// Appends a hexadecimal string (7.3.4.3); bytes other than digits are skipped.
    pub fn hexadecimal_into(&mut self, bytes: &mut Vec<u8>) {
        self.at += 1;
        let mut high = None;
        // nearly always only pairs of digits
        while let Some((Some(first), Some(second))) =
            self.rest().first_chunk().map(|[a, b]| (hex_digit(*a), hex_digit(*b)))
        {
            bytes.push(first << 4 | second);
            self.at += 2;
        }
        while let Some(byte) = self.peek() {
            self.at += 1;
            match (byte, hex_digit(byte), high) {
                (b'>', _, _) => break,
                (_, Some(digit), None) => high = Some(digit << 4),
                (_, Some(digit), Some(first)) => {
                    bytes.push(first | digit);
                    high = None;
                }
                _ => {}
            }
        }
        bytes.extend(high);
    }
}
