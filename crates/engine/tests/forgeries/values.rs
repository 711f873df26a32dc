//! Where the values of an object stand in its text (ISO 32000-1, 7.3).

use std::ops::Range;

/// What a value is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Shape {
    Number,
    Name,
    Text,
    Digits,
    Reference,
    Word,
}

/// A value that has no parts.
#[derive(Debug, Clone)]
pub(crate) struct Value {
    pub(crate) shape: Shape,
    pub(crate) span: Range<usize>,
    /// The keys that lead to it, such as `Resources/Font/F1`.
    pub(crate) path: String,
}

/// An object's values, its dictionaries' entries, and where these dictionaries end.
#[derive(Debug, Default)]
pub(crate) struct Anatomy {
    pub(crate) values: Vec<Value>,
    /// Key and value of each entry, and the keys that lead to it.
    pub(crate) entries: Vec<(Range<usize>, String)>,
    /// Where each dictionary ends, and the keys that lead to it; the outermost comes last.
    pub(crate) ends: Vec<(usize, String)>,
}

/// Takes an object apart; of a stream its dictionary.
pub(crate) fn anatomy(text: &[u8]) -> Anatomy {
    let mut reader = Reader { text, at: 0, found: Anatomy::default() };
    reader.value("");
    reader.found
}

/// The text with this instead of what stands there.
pub(crate) fn replaced(text: &[u8], span: &Range<usize>, new: &[u8]) -> Vec<u8> {
    [&text[..span.start], new, &text[span.end..]].concat()
}

struct Reader<'a> {
    text: &'a [u8],
    at: usize,
    found: Anatomy,
}

impl Reader<'_> {
    fn rest(&self) -> &[u8] {
        &self.text[self.at..]
    }

    fn skip(&mut self) {
        while self.rest().first().is_some_and(u8::is_ascii_whitespace) {
            self.at += 1;
        }
    }

    /// Passes over as many bytes as belong to a word.
    fn word(&mut self) -> Range<usize> {
        let start = self.at;
        self.at += 1;
        while self.rest().first().is_some_and(|byte| !byte.is_ascii_whitespace() && !b"()<>[]/".contains(byte)) {
            self.at += 1;
        }
        start..self.at
    }

    fn value(&mut self, path: &str) {
        self.skip();
        let start = self.at;
        let shape = match self.rest() {
            [b'<', b'<', ..] => return self.dictionary(path),
            [b'[', ..] => {
                self.at += 1;
                while {
                    self.skip();
                    self.rest()[0] != b']'
                } {
                    self.value(path);
                }
                self.at += 1;
                return;
            }
            [b'<', ..] => {
                self.at += self.rest().iter().position(|byte| *byte == b'>').expect("it ends") + 1;
                Shape::Digits
            }
            [b'(', ..] => {
                self.text();
                Shape::Text
            }
            [b'/', ..] => {
                self.word();
                Shape::Name
            }
            [byte, ..] if byte.is_ascii_alphabetic() => {
                self.word();
                Shape::Word
            }
            _ => self.number(),
        };
        self.found.values.push(Value { shape, span: start..self.at, path: path.to_owned() });
    }

    fn text(&mut self) {
        let mut depth = 0;
        loop {
            match self.rest()[0] {
                b'(' => depth += 1,
                b')' => depth -= 1,
                b'\\' => self.at += 1,
                _ => {}
            }
            self.at += 1;
            if depth == 0 {
                return;
            }
        }
    }

    fn number(&mut self) -> Shape {
        self.word();
        let rest = self.rest();
        let digits = rest.iter().skip(1).take_while(|byte| byte.is_ascii_digit()).count();
        if digits > 0 && rest[1 + digits..].starts_with(b" R") {
            self.at += digits + 3;
            return Shape::Reference;
        }
        Shape::Number
    }

    fn dictionary(&mut self, path: &str) {
        self.at += 2;
        loop {
            self.skip();
            if self.rest().starts_with(b">>") {
                self.found.ends.push((self.at, path.to_owned()));
                self.at += 2;
                return;
            }
            let key = self.word();
            let name = String::from_utf8_lossy(&self.text[key.start + 1..key.end]).into_owned();
            let inner = if path.is_empty() { name } else { format!("{path}/{name}") };
            self.value(&inner);
            self.found.entries.push((key.start..self.at, inner));
        }
    }
}
