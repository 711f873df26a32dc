//! Splits bytes into PDF tokens (ISO 32000-1, 7.2 and 7.3). Forgiving: any byte sequence yields tokens.

use memchr::memchr2;

use super::char_class::{hex_digit, is_regular, is_space};
use super::name::Name;

/// One lexical unit.
#[derive(Debug, PartialEq)]
pub enum Token<'a> {
    /// An integer.
    Integer(i64),
    /// A real number.
    Real(f64),
    /// A name, decoded.
    Name(Name),
    /// A literal or hexadecimal string, decoded.
    String(Vec<u8>),
    /// `[`
    ArrayOpen,
    /// `]`
    ArrayClose,
    /// `<<`
    DictionaryOpen,
    /// `>>`
    DictionaryClose,
    /// `obj`, `R`, `true`, `stream` or any other bare word, also a stray delimiter.
    Keyword(&'a [u8]),
    /// The end of the slice.
    End,
}

/// Digits of an integer that cannot overflow, and the divisor of as many decimals.
const DIGITS: usize = 18;
const MOST: i64 = 10_i64.pow(DIGITS as u32 - 1);

/// A number.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Number {
    /// An integer.
    Integer(i64),
    /// A real number.
    Real(f64),
}

impl Number {
    /// The number as a real.
    pub fn value(self) -> f64 {
        match self {
            Self::Integer(value) => value as f64,
            Self::Real(value) => value,
        }
    }
}

/// A position in a slice of the file.
#[derive(Debug, Clone)]
pub struct Lexer<'a> {
    data: &'a [u8],
    /// Offset of the next byte in the slice.
    pub at: usize,
}

impl<'a> Lexer<'a> {
    /// A lexer at the start of `data`.
    pub fn new(data: &'a [u8]) -> Self {
        Self { data, at: 0 }
    }

    /// Offset of the next byte.
    pub fn position(&self) -> usize {
        self.at
    }

    /// Continues at this offset, or at the end if it is beyond.
    pub fn set_position(&mut self, at: usize) {
        self.at = at.min(self.data.len());
    }

    /// Returns the remaining bytes.
    pub fn rest(&self) -> &'a [u8] {
        self.data.get(self.at..).unwrap_or_default()
    }

    /// Returns the next byte without consuming it.
    pub fn peek(&self) -> Option<u8> {
        self.data.get(self.at).copied()
    }

    /// Skips white space and comments.
    pub fn skip_space(&mut self) {
        while let Some(byte) = self.peek() {
            if is_space(byte) {
                self.at += 1;
            } else if byte == b'%' {
                let line = memchr2(b'\r', b'\n', self.rest());
                self.at = line.map_or(self.data.len(), |length| self.at + length);
            } else {
                return;
            }
        }
    }

    /// Takes `word` if it is next, after white space.
    pub fn take_word(&mut self, word: &[u8]) -> bool {
        self.skip_space();
        let found = self.rest().starts_with(word);
        if found {
            self.at += word.len();
        }
        found
    }

    /// Takes an integer if one is next, after white space.
    pub fn take_integer(&mut self) -> Option<i64> {
        self.skip_space();
        let start = self.at;
        match self.peek() {
            Some(b'0'..=b'9' | b'+' | b'-' | b'.') => match self.number() {
                Some(Number::Integer(value)) => Some(value),
                _ => {
                    self.at = start;
                    None
                }
            },
            _ => None,
        }
    }

    /// Returns the next token; after the last one, always `End`.
    pub fn token(&mut self) -> Token<'a> {
        self.skip_space();
        let Some(byte) = self.peek() else { return Token::End };
        match byte {
            b'0'..=b'9' | b'+' | b'-' | b'.' => match self.number() {
                Some(Number::Integer(value)) => Token::Integer(value),
                Some(Number::Real(value)) => Token::Real(value),
                None => Token::Keyword(b""),
            },
            b'/' => Token::Name(unescaped(self.skip_name())),
            b'(' => self.literal_string(),
            b'<' if self.data.get(self.at + 1) == Some(&b'<') => self.delimiter(2, Token::DictionaryOpen),
            b'<' => self.hexadecimal_string(),
            b'>' if self.data.get(self.at + 1) == Some(&b'>') => self.delimiter(2, Token::DictionaryClose),
            b'[' => self.delimiter(1, Token::ArrayOpen),
            b']' => self.delimiter(1, Token::ArrayClose),
            b')' | b'>' | b'{' | b'}' => self.delimiter(1, Token::Keyword(b"")),
            _ => Token::Keyword(self.keyword()),
        }
    }

    fn delimiter(&mut self, length: usize, token: Token<'a>) -> Token<'a> {
        self.at += length;
        token
    }

    /// Takes the next bare word.
    pub fn keyword(&mut self) -> &'a [u8] {
        let rest = self.rest();
        let length = rest.iter().position(|&byte| !is_regular(byte)).unwrap_or(rest.len());
        self.at += length;
        rest.get(..length).unwrap_or_default()
    }

    /// Takes a number: digits with any number of signs before them and at most one point; none for a sign alone.
    /// Characters that follow directly start the next token: `0obj` is two tokens.
    pub fn number(&mut self) -> Option<Number> {
        let start = self.rest();
        let (mut rest, mut is_negative) = (start, false);
        while let [sign @ (b'+' | b'-'), behind @ ..] = rest {
            is_negative |= *sign == b'-';
            rest = behind;
        }
        let signs = start.len() - rest.len();
        let (mut whole, mut digits) = (0_i64, 0_usize);
        while let [digit @ b'0'..=b'9', behind @ ..] = rest {
            let digit = i64::from(digit - b'0');
            // the first ones cannot overflow
            whole = if digits < DIGITS { whole * 10 + digit } else { whole.saturating_mul(10).saturating_add(digit) };
            digits += 1;
            rest = behind;
        }
        // a minus sign after digits, and the digits after it, are skipped, as in other readers
        while let [b'-', behind @ ..] = rest
            && digits > 0
        {
            rest = behind.get(behind.iter().take_while(|byte| byte.is_ascii_digit()).count()..).unwrap_or_default();
        }
        let number = match rest {
            [b'.', behind @ ..] => {
                let fraction;
                (fraction, rest) = fraction_of(behind);
                let value = whole as f64 + fraction;
                Some(Number::Real(if is_negative { -value } else { value }))
            }
            _ if digits == 0 && signs == 1 => None,
            _ => Some(Number::Integer(if is_negative { -whole } else { whole })),
        };
        self.at += start.len() - rest.len();
        number
    }

    /// Skips the next name, and returns it without its slash, undecoded.
    pub fn skip_name(&mut self) -> &'a [u8] {
        self.at += 1;
        self.keyword()
    }
}

/// Returns the fraction of the digits after a point, and the remaining bytes. A sign among the digits is skipped, as in
/// other readers.
fn fraction_of(bytes: &[u8]) -> (f64, &[u8]) {
    let (mut rest, mut value, mut scale) = (bytes, 0_i64, 1.0);
    while let [byte @ (b'0'..=b'9' | b'-'), behind @ ..] = rest {
        // after this many significant digits, further ones exceed the precision
        if *byte != b'-' && value < MOST {
            value = value * 10 + i64::from(byte - b'0');
            scale *= 10.0;
        }
        rest = behind;
    }
    (value as f64 / scale, rest)
}

/// Returns the name that is written as `raw`.
pub fn unescaped(raw: &[u8]) -> Name {
    if raw.contains(&b'#') { Name::new(&unescape_name(raw)) } else { Name::new(raw) }
}

/// Resolves `#xx`; a `#` without two digits is literal.
fn unescape_name(raw: &[u8]) -> Vec<u8> {
    let mut name = Vec::with_capacity(raw.len());
    let mut rest = raw;
    while let Some((&byte, tail)) = rest.split_first() {
        rest = tail;
        if let (b'#', [high, low, after @ ..]) = (byte, tail)
            && let (Some(high), Some(low)) = (hex_digit(*high), hex_digit(*low))
        {
            name.push(high << 4 | low);
            rest = after;
        } else {
            name.push(byte);
        }
    }
    name
}

#[cfg(test)]
mod tests {
    use super::{Lexer, Name, Token};

    fn tokens(text: &str) -> Vec<Token<'_>> {
        let mut lexer = Lexer::new(text.as_bytes());
        std::iter::repeat_with(|| lexer.token()).take_while(|token| *token != Token::End).collect()
    }

    #[test]
    fn numbers_are_read_however_they_are_written() {
        let integers =
            [("0", 0), ("-17", -17), ("+5", 5), ("--5", -5), ("0012", 12), ("99999999999999999999", i64::MAX)];
        for (text, value) in integers {
            assert_eq!(tokens(text), [Token::Integer(value)], "{text}");
        }
        for (text, value) in [
            ("1.5", 1.5),
            (".5", 0.5),
            ("-.5", -0.5),
            ("4.", 4.0),
            (".", 0.0),
            ("1.-5", 1.5),
            (".0000000000000000001", 1e-19),
        ] {
            assert_eq!(tokens(text), [Token::Real(value)], "{text}");
        }
        assert_eq!(tokens("0obj"), [Token::Integer(0), Token::Keyword(b"obj")]);
        assert_eq!(tokens("1.2.5"), [Token::Real(1.2), Token::Real(0.5)]);
    }

    #[test]
    fn names_end_at_delimiters_and_may_be_escaped() {
        let name = |text: &[u8]| Token::Name(Name::new(text));
        assert_eq!(tokens("/Type/Page"), [name(b"Type"), name(b"Page")]);
        assert_eq!(tokens("/A#42#2 /#"), [name(b"AB#2"), name(b"#")]);
        assert_eq!(tokens("/ /"), [name(b""), name(b"")]);
    }

    #[test]
    fn strings_lose_their_escapes() {
        let texts: [(&str, &[u8]); 12] = [
            ("(plain)", b"plain"),
            ("(a (nested) one)", b"a (nested) one"),
            (r"(\(\)\\)", b"()\\"),
            (r"(\n\r\t\b\f\x)", b"\n\r\t\x08\x0cx"),
            (r"(\101\7z\0533)", b"A\x07z+3"),
            ("(one\\\r\ntwo)", b"onetwo"),
            ("(one\r\ntwo\rthree)", b"one\r\ntwo\rthree"),
            ("(open", b"open"),
            ("<414243>", b"ABC"),
            ("<41 4\n2 4>", b"AB@"),
            ("<4z1>", b"A"),
            ("<41", b"A"),
        ];
        for (text, bytes) in texts {
            assert_eq!(tokens(text), [Token::String(bytes.to_vec())], "{text}");
        }
    }

    #[test]
    fn comments_and_stray_delimiters_stop_nothing() {
        let expected = [Token::DictionaryOpen, Token::Keyword(b""), Token::ArrayClose, Token::DictionaryClose];
        assert_eq!(tokens("<< % a comment >>\r ) ] >> %"), expected);
    }
}
