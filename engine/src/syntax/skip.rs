//! Passes over values that nobody asks for, exactly as far as the parser would read them, and builds nothing.

use memchr::{memchr, memchr3};

use super::char_class::{is_numeric, is_regular};
use super::lexer::Lexer;

/// What was passed over.
pub(crate) enum Lexeme<'a> {
    ArrayOpen,
    ArrayClose,
    DictionaryOpen,
    DictionaryClose,
    Name,
    Word(&'a [u8]),
    /// A string, or any number of numbers and references.
    Scalar,
    End,
}

impl<'a> Lexer<'a> {
    /// Passes over the next token.
    pub(crate) fn lexeme(&mut self) -> Lexeme<'a> {
        self.skip_space();
        let (length, lexeme) = match self.rest() {
            [] => return Lexeme::End,
            [b'/', ..] => {
                self.skip_name();
                return Lexeme::Name;
            }
            [b'0'..=b'9' | b'+' | b'-' | b'.', ..] => (self.numbers(), Lexeme::Scalar),
            [b'(', string @ ..] => (1 + literal_length(string), Lexeme::Scalar),
            [b'<', b'<', ..] => (2, Lexeme::DictionaryOpen),
            [b'>', b'>', ..] => (2, Lexeme::DictionaryClose),
            rest @ [b'<', ..] => (memchr(b'>', rest).map_or(rest.len(), |end| end + 1), Lexeme::Scalar),
            [b'[', ..] => (1, Lexeme::ArrayOpen),
            [b']', ..] => (1, Lexeme::ArrayClose),
            [b')' | b'>' | b'{' | b'}', ..] => (1, Lexeme::Word(b"")),
            rest => {
                let length = rest.iter().position(|&byte| !is_regular(byte)).unwrap_or(rest.len());
                (length, Lexeme::Word(rest.get(..length).unwrap_or_default()))
            }
        };
        self.at += length;
        lexeme
    }

    /// Passes over the value of a key; whether there is one.
    pub(crate) fn skip_entry(&mut self, depth: usize) -> bool {
        let start = self.at;
        match self.lexeme() {
            // a key without value: what comes belongs to the dictionary
            Lexeme::DictionaryClose | Lexeme::Word(b"endobj" | b"stream") => {
                self.at = start;
                false
            }
            lexeme => {
                self.skip_value(&lexeme, depth);
                true
            }
        }
    }

    fn skip_value(&mut self, lexeme: &Lexeme, depth: usize) {
        match (lexeme, depth.checked_sub(1)) {
            (Lexeme::ArrayOpen, Some(depth)) => self.skip_array(depth),
            (Lexeme::DictionaryOpen, Some(depth)) => self.skip_dictionary(depth),
            _ => {}
        }
    }

    fn skip_array(&mut self, depth: usize) {
        loop {
            let start = self.at;
            match self.lexeme() {
                Lexeme::ArrayClose | Lexeme::End => return,
                Lexeme::DictionaryClose if !self.is_object_end() => {}
                Lexeme::DictionaryClose | Lexeme::Word(b"endobj" | b"obj" | b"stream" | b"xref") => {
                    self.at = start;
                    return;
                }
                lexeme => self.skip_value(&lexeme, depth),
            }
        }
    }

    fn skip_dictionary(&mut self, depth: usize) {
        loop {
            let start = self.at;
            match self.lexeme() {
                Lexeme::DictionaryClose | Lexeme::End => return,
                Lexeme::Word(b"endobj" | b"obj" | b"stream" | b"xref") => {
                    self.at = start;
                    return;
                }
                Lexeme::Name => {
                    self.skip_entry(depth);
                }
                _ => {}
            }
        }
    }

    /// Whether the object ends here, white space aside.
    pub(crate) fn is_object_end(&mut self) -> bool {
        self.skip_space();
        let rest = self.rest();
        [b"endobj".as_slice(), b"stream", b">>"].iter().any(|word| rest.starts_with(word))
    }

    /// Length of the numbers and references that come next.
    fn numbers(&self) -> usize {
        let mut rest = self.rest();
        loop {
            let length = rest.iter().position(|&byte| !is_numeric(byte)).unwrap_or(rest.len());
            rest = rest.get(length..).unwrap_or_default();
            match rest {
                [b'R', after, ..] if !is_regular(*after) => rest = rest.get(1..).unwrap_or_default(),
                _ => return self.rest().len() - rest.len(),
            }
        }
    }
}

/// Length of a string behind its first parenthesis, with its last (7.3.4.2).
fn literal_length(text: &[u8]) -> usize {
    let (mut at, mut depth) = (0, 0_usize);
    while let Some(next) = text.get(at..).and_then(|rest| memchr3(b'(', b')', b'\\', rest)) {
        at += next + 1;
        match text.get(at - 1) {
            Some(b'(') => depth += 1,
            Some(b')') if depth == 0 => return at,
            Some(b')') => depth -= 1,
            _ => at += 1,
        }
    }
    text.len()
}
