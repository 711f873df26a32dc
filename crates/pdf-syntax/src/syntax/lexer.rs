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

/// Digits of an integer that cannot overflow, and what so many behind a point are parts of.
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

    /// Goes on at this offset, or at the end if it is beyond.
    pub fn set_position(&mut self, at: usize) {
        self.at = at.min(self.data.len());
    }

    /// The bytes that were not read yet.
    pub fn rest(&self) -> &'a [u8] {
        self.data.get(self.at..).unwrap_or_default()
    }

    /// The next byte, which stays unread.
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

    /// Takes `word` if it comes next, after white space.
    pub fn take_word(&mut self, word: &[u8]) -> bool {
        self.skip_space();
        let found = self.rest().starts_with(word);
        if found {
            self.at += word.len();
        }
        found
    }

    /// Takes an integer if one comes next, after white space.
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

    /// The next token; past the last one, `End` for ever.
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

    /// The bare word that comes next.
    pub fn keyword(&mut self) -> &'a [u8] {
        let rest = self.rest();
        let length = rest.iter().position(|&byte| !is_regular(byte)).unwrap_or(rest.len());
        self.at += length;
        rest.get(..length).unwrap_or_default()
    }

    /// Digits with any signs before and one point among them; none, if all there is is a sign. What follows directly is the
    /// next token: `0obj` is two.
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
        // a sign behind digits, and what follows it, is skipped, as other readers do
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

    /// Passes over the name that comes next: it, without its slash.
    pub fn skip_name(&mut self) -> &'a [u8] {
        self.at += 1;
        self.keyword()
    }
}

/// The digits after a point, and what comes behind them; a sign among them is skipped, as other readers do.
fn fraction_of(bytes: &[u8]) -> (f64, &[u8]) {
    let (mut rest, mut value, mut scale) = (bytes, 0_i64, 1.0);
    while let [byte @ (b'0'..=b'9' | b'-'), behind @ ..] = rest {
        // behind so many that are not zeros in front, further ones say nothing that the number can hold
        if *byte != b'-' && value < MOST {
            value = value * 10 + i64::from(byte - b'0');
            scale *= 10.0;
        }
        rest = behind;
    }
    (value as f64 / scale, rest)
}

/// The name that stands there as `raw`.
pub fn unescaped(raw: &[u8]) -> Name {
    if raw.contains(&b'#') { Name::new(&unescape_name(raw)) } else { Name::new(raw) }
}

/// Resolves `#xx`; a `#` without two digits stands for itself.
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
