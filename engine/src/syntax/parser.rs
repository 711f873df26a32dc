//! Builds objects out of tokens. A bad value costs itself, not the dictionary around it, as in every viewer. What nobody
//! asks for is passed over.

use super::char_class::is_space;
use super::key::Key;
use super::lexer::{Lexer, Token, unescaped};
use super::object::{Dictionary, Id, Object};
use super::skip::Lexeme;

/// How deep arrays and dictionaries may nest; deeper values read as null. Real files stay under 20; the limit keeps
/// recursion off the end of the stack.
const DEPTH: usize = 96;
/// How many values one object may hold, at up to 64 bytes each. A page tree with half a million leaves under one node
/// still fits, and a file of nothing but brackets takes 32 MB at most.
const VALUES: usize = 500_000;

/// Why a slice yields no object.
#[derive(Debug, PartialEq)]
pub(crate) enum ParseError {
    /// The slice ended inside the object.
    Incomplete,
    /// What stands there is not what was asked for.
    Malformed,
    /// It holds more values than one object may.
    TooLarge,
}

/// An object with its header, as it stands in the file: `12 0 obj … endobj` (ISO 32000-1, 7.3.10).
#[derive(Debug, PartialEq)]
pub(crate) struct Indirect {
    pub(crate) id: Id,
    pub(crate) object: Object,
    /// Where the body starts if it is a stream, in bytes from the start of the slice.
    pub(crate) body: Option<usize>,
    /// Where parsing stopped, in bytes from the start of the slice.
    pub(crate) end: usize,
}

/// Parses the object whose header starts `data`, white space aside. `whole` says that nothing follows `data`.
pub(crate) fn parse_indirect(data: &[u8], whole: bool) -> Result<Indirect, ParseError> {
    Parser::new(data).indirect(whole)
}

/// The same for a dictionary that may have any keys.
pub(crate) fn parse_any_keys(data: &[u8], whole: bool) -> Result<Indirect, ParseError> {
    Parser { keeps_all: true, ..Parser::new(data) }.indirect(whole)
}
/// Parses the first object in `data`, which is null if there is none, and says where it ends.
pub(crate) fn parse_object(data: &[u8]) -> Result<(Object, usize), ParseError> {
    let mut parser = Parser::new(data);
    let object = parser.object()?;
    Ok((object, parser.lexer.position()))
}

struct Parser<'a> {
    lexer: Lexer<'a>,
    values: usize,
    /// Whether the dictionary to come may have any keys, not only those that are asked for.
    keeps_all: bool,
}

impl<'a> Parser<'a> {
    fn new(data: &'a [u8]) -> Self {
        Self { lexer: Lexer::new(data), values: 0, keeps_all: false }
    }

    fn indirect(&mut self, whole: bool) -> Result<Indirect, ParseError> {
        let header = self.header();
        if !whole && self.runs_out() {
            return Err(ParseError::Incomplete);
        }
        let id = header.ok_or(ParseError::Malformed)?;
        let object = self.object()?;
        if !whole && self.runs_out() {
            return Err(ParseError::Incomplete);
        }
        let body = if matches!(object, Object::Dictionary(_)) { self.stream_body() } else { None };
        Ok(Indirect { id, object, body, end: self.lexer.position() })
    }

    fn header(&mut self) -> Option<Id> {
        let number = self.lexer.take_integer()?;
        let generation = self.lexer.take_integer()?;
        let word = self.lexer.take_word(b"obj");
        word.then_some(id(number, generation)?)
    }

    /// Whether what is left, white space aside, is too short to tell if `obj` or `stream` with its line end comes next.
    fn runs_out(&mut self) -> bool {
        self.lexer.skip_space();
        self.lexer.rest().len() < b"stream\r\n".len()
    }

    /// Where the body starts, if the keyword `stream` comes next: after its line end (7.3.8.1).
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

    fn object(&mut self) -> Result<Object, ParseError> {
        let token = self.lexer.token();
        self.value(token, DEPTH)
    }

    fn value(&mut self, token: Token<'a>, depth: usize) -> Result<Object, ParseError> {
        self.values += 1;
        if self.values > VALUES {
            return Err(ParseError::TooLarge);
        }
        if depth == 0 {
            return Ok(Object::Null);
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
            Token::Keyword(_) | Token::ArrayClose | Token::DictionaryClose | Token::End => Object::Null,
        })
    }

    /// `12 0 R` is told from `12` by looking two tokens ahead.
    fn integer_or_reference(&mut self, number: i64) -> Object {
        let integer = Object::Integer(number);
        let rest = self.lexer.rest();
        // Nearly all references look alike.
        if let [b' ', b'0', b' ', b'R', after, ..] = rest
            && !after.is_ascii_alphanumeric()
            && let Some(id) = id(number, 0)
        {
            self.lexer.set_position(self.lexer.position() + 4);
            return Object::Reference(id);
        }
        // Most integers are followed by something else than an integer: look before trying.
        let next = rest.iter().position(|&byte| !is_space(byte)).and_then(|at| rest.get(at));
        if number < 0 || !next.is_some_and(u8::is_ascii_digit) {
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
            [b'R', after, ..] => !after.is_ascii_alphanumeric(),
            [b'R'] => true,
            _ => false,
        };
        found && self.lexer.take_word(b"R")
    }

    /// Elements up to `]`, or to what can only follow an array whose bracket is missing.
    fn array(&mut self, depth: usize) -> Result<Object, ParseError> {
        let mut elements = Vec::new();
        loop {
            let start = self.lexer.position();
            match self.lexer.token() {
                Token::ArrayClose | Token::End => break,
                // A stray one, unless everything ends here and the array's own bracket is missing.
                Token::DictionaryClose if !self.lexer.is_object_end() => {}
                Token::DictionaryClose | Token::Keyword(b"endobj" | b"obj" | b"stream" | b"xref") => {
                    self.lexer.set_position(start);
                    break;
                }
                token => elements.push(self.value(token, depth)?),
            }
        }
        Ok(Object::Array(elements))
    }

    /// Entries up to `>>`. What is no key where a key should be is skipped.
    fn dictionary(&mut self, depth: usize) -> Result<Dictionary, ParseError> {
        let mut dictionary = Dictionary::default();
        loop {
            self.lexer.skip_space();
            if self.lexer.peek() == Some(b'/') {
                self.entry(&mut dictionary, depth)?;
                continue;
            }
            let start = self.lexer.position();
            match self.lexer.lexeme() {
                Lexeme::DictionaryClose | Lexeme::End => break,
                Lexeme::Word(b"endobj" | b"obj" | b"stream" | b"xref") => {
                    self.lexer.set_position(start);
                    break;
                }
                _ => {}
            }
        }
        Ok(dictionary)
    }

    fn entry(&mut self, dictionary: &mut Dictionary, depth: usize) -> Result<(), ParseError> {
        let (name, key) = self.lexer.take_key();
        let keeps_all = self.keeps_all;
        if key == Key::OTHER && !keeps_all {
            if self.lexer.skip_entry(depth) {
                dictionary.note_other();
            }
            return Ok(());
        }
        // SecurityHandler filters have any names (7.6.5).
        self.keeps_all = key == Key::known(b"CF");
        let value = self.entry_value(depth);
        self.keeps_all = keeps_all;
        match value? {
            Some(value) if keeps_all => {
                // the name is kept in an array with its value
                self.values += 2;
                dictionary.push_named(unescaped(name), value);
            }
            Some(value) => dictionary.push(key, value),
            None => {}
        }
        Ok(())
    }

    fn entry_value(&mut self, depth: usize) -> Result<Option<Object>, ParseError> {
        let start = self.lexer.position();
        match self.lexer.token() {
            // A key without value: what comes belongs to the dictionary.
            Token::DictionaryClose | Token::Keyword(b"endobj" | b"stream") => {
                self.lexer.set_position(start);
                Ok(None)
            }
            token => self.value(token, depth).map(Some),
        }
    }
}

fn id(number: i64, generation: i64) -> Option<Id> {
    // Generations above 65,535 occur and mean nothing; they must not cost the reference.
    let generation = u16::try_from(generation).unwrap_or(u16::MAX);
    Some(Id { number: u32::try_from(number).ok()?, generation })
}
