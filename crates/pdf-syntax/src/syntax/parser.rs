//! Builds objects from tokens. An invalid value is lost, but not the enclosing dictionary, as in every viewer.

use super::char_class::{is_regular, is_space};
use super::dictionary::Dictionary;
use super::lexer::{Lexer, Token, unescaped};
use super::name::Name;
use super::object::{Id, Object};

/// Maximum nesting of arrays and dictionaries; deeper values are null. Real files stay under 20; the limit prevents a
/// stack overflow.
pub const DEPTH: usize = 96;
/// Maximum values of an object: a value counts 1, at up to 64 bytes; a dictionary entry 2 more; an array or a
/// dictionary its initial capacity. Half a million leaves under one page tree node are within the limit, and a file
/// that consists of brackets takes at most some 32 MB.
const MAX_VALUES: usize = 520_000;
const ARRAY_COST: usize = 2;
const DICTIONARY_COST: usize = 6;

/// Why a slice yields no object.
#[derive(Debug, PartialEq)]
pub enum ParseError {
    /// The slice ended inside the object.
    Incomplete,
    /// The bytes are not the requested kind of object.
    Malformed,
    /// It has more values than an object may have.
    TooLarge,
}

/// An indirect object, `12 0 obj … endobj` (ISO 32000-1, 7.3.10).
#[derive(Debug, PartialEq)]
pub struct Indirect {
    /// Its number and generation.
    pub id: Id,
    /// Its value; the dictionary if it is a stream.
    pub object: Object,
    /// Where the body starts if it is a stream, in bytes from the start of the slice.
    pub body: Option<usize>,
    /// Where parsing stopped, in bytes from the start of the slice.
    pub end: usize,
    /// Number of its values, at some 64 bytes each.
    pub size: usize,
    /// Whether tokens were skipped, which other readers may read as a part of it.
    pub has_stray_tokens: bool,
}

/// A value without a header.
#[derive(Debug, PartialEq)]
pub struct Value {
    /// Its value; the dictionary if it is a stream.
    pub object: Object,
    /// Where parsing stopped, in bytes from the start of the slice.
    pub end: usize,
    /// Number of its values, at some 64 bytes each.
    pub size: usize,
    /// Whether tokens were skipped, which other readers may read as a part of it.
    pub has_stray_tokens: bool,
}

/// Parses the object whose header is at the start of `data`, after optional white space. `whole`: nothing follows
/// `data`.
pub fn parse_indirect(data: &[u8], whole: bool) -> Result<Indirect, ParseError> {
    Parser::new(data).indirect(whole)
}

/// Parses the first object in `data`, which is null if there is none.
pub fn parse_object(data: &[u8]) -> Result<Value, ParseError> {
    let mut parser = Parser::new(data);
    let token = parser.lexer.token();
    let object = parser.value(token, DEPTH)?;
    Ok(Value { object, end: parser.lexer.position(), size: parser.size(), has_stray_tokens: parser.has_stray_tokens })
}

struct Parser<'a> {
    lexer: Lexer<'a>,
    /// Remaining values.
    left: usize,
    /// Whether a token was skipped.
    has_stray_tokens: bool,
}

impl<'a> Parser<'a> {
    fn new(data: &'a [u8]) -> Self {
        Self { lexer: Lexer::new(data), left: MAX_VALUES, has_stray_tokens: false }
    }

    fn size(&self) -> usize {
        MAX_VALUES - self.left
    }

    fn indirect(&mut self, whole: bool) -> Result<Indirect, ParseError> {
        let header = self.header();
        if !whole && self.runs_out() {
            return Err(ParseError::Incomplete);
        }
        let id = header.ok_or(ParseError::Malformed)?;
        let token = self.lexer.token();
        let object = self.value(token, DEPTH)?;
        if !whole && self.runs_out() {
            return Err(ParseError::Incomplete);
        }
        let body = if object.as_dictionary().is_some() { self.stream_body() } else { None };
        let (end, size) = (self.lexer.position(), self.size());
        Ok(Indirect { id, object, body, end, size, has_stray_tokens: self.has_stray_tokens })
    }

    fn header(&mut self) -> Option<Id> {
        let number = self.lexer.take_integer()?;
        let generation = self.lexer.take_integer()?;
        let word = self.lexer.take_word(b"obj");
        word.then_some(id(number, generation)?)
    }

    /// Whether the remaining bytes after white space are too few to recognize `obj`, or `stream` with its line end.
    fn runs_out(&mut self) -> bool {
        self.lexer.skip_space();
        self.lexer.rest().len() < b"stream\r\n".len()
    }

    /// Returns the start of the body, after the line end (7.3.8.1), if the keyword `stream` is next.
    fn stream_body(&mut self) -> Option<usize> {
        if !self.lexer.take_word(b"stream") {
            return None;
        }
        let rest = self.lexer.rest();
        let blanks = rest.iter().take_while(|&&byte| byte == b' ' || byte == b'\t').count();
        let line_end = match rest.get(blanks..).unwrap_or_default() {
            [b'\r', b'\n', ..] => blanks + 2,
            [b'\n' | b'\r', ..] => blanks + 1,
            _ => 0,
        };
        self.lexer.set_position(self.lexer.position() + line_end);
        Some(self.lexer.position())
    }

    fn value(&mut self, token: Token<'a>, depth: usize) -> Result<Object, ParseError> {
        self.count(1)?;
        if depth == 0 {
            return Ok(self.stray());
        }
        Ok(match token {
            Token::Integer(value) => self.integer_or_reference(value),
            Token::Real(value) => Object::Real(value),
            Token::Name(name) => Object::Name(name),
            Token::String(bytes) => Object::String(bytes),
            Token::ArrayOpen => self.array(depth - 1)?,
            Token::DictionaryOpen => Object::Dictionary(self.dictionary(depth - 1)?),
            Token::Keyword(b"true") => Object::Boolean(true),
            Token::Keyword(b"false") => Object::Boolean(false),
            Token::Keyword(b"null") => Object::Null,
            Token::Keyword(_) | Token::ArrayClose | Token::DictionaryClose | Token::End => self.stray(),
        })
    }

    /// Records that a token was skipped.
    fn stray(&mut self) -> Object {
        self.has_stray_tokens = true;
        Object::Null
    }

    /// Whether the object ends here, after optional white space.
    fn ends_object(&mut self) -> bool {
        self.lexer.skip_space();
        let rest = self.lexer.rest();
        [b"endobj".as_slice(), b"stream", b">>"].iter().any(|word| rest.starts_with(word))
    }

    fn count(&mut self, values: usize) -> Result<(), ParseError> {
        self.left = self.left.checked_sub(values).ok_or(ParseError::TooLarge)?;
        Ok(())
    }

    /// `12 0 R` is distinguished from `12` by two tokens of lookahead.
    fn integer_or_reference(&mut self, number: i64) -> Object {
        let integer = Object::Integer(number);
        let rest = self.lexer.rest();
        // nearly all references have this form
        if let [b' ', b'0', b' ', b'R', after, ..] = rest
            && !is_regular(*after)
            && let Some(id) = id(number, 0)
        {
            self.lexer.set_position(self.lexer.position() + 4);
            return Object::Reference(id);
        }
        // most integers are not followed by an integer: check the next byte first; viewers accept signs and comments
        let next = rest.iter().position(|&byte| !is_space(byte)).and_then(|at| rest.get(at));
        if number < 0 || !next.is_some_and(|byte| byte.is_ascii_digit() || b"%+-".contains(byte)) {
            return integer;
        }
        let start = self.lexer.position();
        let reference = self.lexer.take_integer().and_then(|generation| id(number, generation));
        match reference {
            Some(id) if self.take_reference_mark() => Object::Reference(id),
            _ => {
                self.lexer.set_position(start);
                integer
            }
        }
    }

    /// Takes an `R`, but not the start of a longer word.
    fn take_reference_mark(&mut self) -> bool {
        self.lexer.skip_space();
        let found = match self.lexer.rest() {
            [b'R', after, ..] => !is_regular(*after),
            [b'R'] => true,
            _ => false,
        };
        found && self.lexer.take_word(b"R")
    }

    /// Parses elements up to `]`, or up to a token that shows that the bracket is missing.
    fn array(&mut self, depth: usize) -> Result<Object, ParseError> {
        self.count(ARRAY_COST)?;
        let mut elements = Vec::new();
        loop {
            let start = self.lexer.position();
            match self.lexer.token() {
                Token::ArrayClose => break,
                Token::End => {
                    self.stray();
                    break;
                }
                // a stray token, unless the object ends here and the array's bracket is missing
                Token::DictionaryClose if !self.ends_object() => {
                    self.stray();
                }
                Token::DictionaryClose | Token::Keyword(b"endobj" | b"obj" | b"stream" | b"xref") => {
                    self.stray();
                    self.lexer.set_position(start);
                    break;
                }
                token => elements.push(self.value(token, depth)?),
            }
        }
        Ok(Object::Array(elements))
    }

    /// Parses entries up to `>>`. A token that is not a key is skipped where a key is expected.
    fn dictionary(&mut self, depth: usize) -> Result<Dictionary, ParseError> {
        self.count(DICTIONARY_COST)?;
        let mut entries = Vec::new();
        loop {
            self.lexer.skip_space();
            if self.lexer.peek() == Some(b'/') {
                self.entry(&mut entries, depth)?;
                continue;
            }
            let start = self.lexer.position();
            match self.lexer.token() {
                Token::DictionaryClose => return Ok(Dictionary::of(entries)),
                Token::End => {
                    self.stray();
                    return Ok(Dictionary::of(entries));
                }
                Token::Keyword(b"endobj" | b"obj" | b"stream" | b"xref") => {
                    self.stray();
                    self.lexer.set_position(start);
                    return Ok(Dictionary::of(entries));
                }
                _ => {
                    self.stray();
                }
            }
        }
    }

    fn entry(&mut self, entries: &mut Vec<(Name, Object)>, depth: usize) -> Result<(), ParseError> {
        self.count(2)?;
        let name = unescaped(self.lexer.skip_name());
        let start = self.lexer.position();
        match self.lexer.token() {
            // a key without a value: the token ends the dictionary
            Token::DictionaryClose | Token::Keyword(b"endobj" | b"stream") => {
                self.stray();
                self.lexer.set_position(start);
            }
            token => {
                if entries.capacity() == 0 {
                    // the usual number of entries
                    entries.reserve(6);
                }
                let value = self.value(token, depth)?;
                entries.push((name, value));
            }
        }
        Ok(())
    }
}

fn id(number: i64, generation: i64) -> Option<Id> {
    // generations above 65,535 occur; the reference is still valid
    let generation = u16::try_from(generation).unwrap_or(u16::MAX);
    Some(Id { number: u32::try_from(number).ok()?, generation })
}
