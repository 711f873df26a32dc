//! The byte range of a signature's `/Contents` and its bytes: it is the one string that is never encrypted (ISO
//! 32000-1, 7.6.1), and the bytes around it are signed (12.8.1).

use std::ops::Range;

use pdf_syntax::document::Document;
use pdf_syntax::failure::Fault;
use pdf_syntax::stream::placed;
use pdf_syntax::syntax::char_class::{hex_digit, is_space};
use pdf_syntax::syntax::lexer::{Lexer, Token, unescaped};
use pdf_syntax::syntax::parser::{Value, parse_object};

/// The longest dictionary that is searched: one with a signature of 4 MB. Real ones have about 20 KB.
pub(crate) const MAX_DICTIONARY_BYTES: usize = 8 << 20;

/// The place of `/Contents`.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) enum ContentsPlace {
    At(Range<u64>),
    /// There is none, or not as plain bytes in the file.
    #[default]
    Missing,
    /// The dictionary is too long to be searched.
    TooFar,
}

impl ContentsPlace {
    /// Its byte range, if known.
    pub(crate) fn range(&self) -> Option<&Range<u64>> {
        if let Self::At(range) = self { Some(range) } else { None }
    }
}

/// A value in a dictionary.
#[derive(Debug, PartialEq)]
enum DictionaryValue {
    At(Range<usize>),
    Missing,
    /// The bytes end before the dictionary does.
    Incomplete,
}

/// The place of `/Contents` in the dictionary at `offset` or, with `key`, in that object's value of this key.
pub(crate) fn find(document: &mut Document, offset: u64, key: Option<&[u8]>) -> Result<ContentsPlace, Fault> {
    let at_hand = document.reader.at_hand(offset, MAX_DICTIONARY_BYTES);
    let mut size = if document.reader.is_in_memory() { MAX_DICTIONARY_BYTES } else { at_hand.max(placed::OBJECT) };
    loop {
        let view = document.reader.view(offset, size)?;
        let mut lexer = Lexer::new(view);
        let (search, length) = (search(&mut lexer, key), view.len());
        document.budget.work(lexer.position())?;
        match search {
            DictionaryValue::At(place) => {
                return Ok(ContentsPlace::At(offset + place.start as u64..offset + place.end as u64));
            }
            DictionaryValue::Incomplete if length == size && size < MAX_DICTIONARY_BYTES => {
                size = (size * 8).min(MAX_DICTIONARY_BYTES);
            }
            DictionaryValue::Incomplete if length == size => return Ok(ContentsPlace::TooFar),
            DictionaryValue::Missing | DictionaryValue::Incomplete => return Ok(ContentsPlace::Missing),
        }
    }
}

/// The decoded string at this place; `None` unless it is hexadecimal digits in angle brackets.
pub(crate) fn read(document: &mut Document, place: &Range<u64>) -> Result<Option<Vec<u8>>, Fault> {
    let length = (place.end - place.start) as usize;
    let string = document.reader.view(place.start, length)?;
    Ok(hexadecimal(string))
}

fn hexadecimal(string: &[u8]) -> Option<Vec<u8>> {
    let [b'<', digits @ .., b'>'] = string else { return None };
    if !digits.iter().all(|&byte| hex_digit(byte).is_some() || is_space(byte)) {
        return None;
    }
    match Lexer::new(string).hexadecimal_string() {
        Token::String(bytes) => Some(bytes),
        _ => None,
    }
}

fn search(lexer: &mut Lexer, key: Option<&[u8]>) -> DictionaryValue {
    let has_header = lexer.take_integer().is_some() && lexer.take_integer().is_some();
    if !has_header || !lexer.take_word(b"obj") {
        return DictionaryValue::Missing;
    }
    if let Some(key) = key {
        match value(lexer, key) {
            DictionaryValue::At(place) => lexer.set_position(place.start),
            other => return other,
        }
    }
    value(lexer, b"Contents")
}

/// The last value of the key in the next dictionary.
fn value(lexer: &mut Lexer, key: &[u8]) -> DictionaryValue {
    if lexer.token() != Token::DictionaryOpen {
        return DictionaryValue::Missing;
    }
    let mut found = DictionaryValue::Missing;
    loop {
        lexer.skip_space();
        if lexer.peek() == Some(b'/') {
            let is_it = unescaped(lexer.skip_name()).as_bytes() == key;
            lexer.skip_space();
            let start = lexer.position();
            let value = lexer.rest();
            if [b">>".as_slice(), b"endobj", b"stream"].iter().any(|end| value.starts_with(end)) {
                // a key without a value
                continue;
            }
            let Ok(Value { end, .. }) = parse_object(value) else { return DictionaryValue::Incomplete };
            lexer.set_position(start + end);
            if is_it {
                found = DictionaryValue::At(start..start + end);
            }
            continue;
        }
        match lexer.token() {
            Token::DictionaryClose | Token::Keyword(b"endobj" | b"obj" | b"stream" | b"xref") => return found,
            Token::End => return DictionaryValue::Incomplete,
            _ => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found<'v>(view: &'v str, key: Option<&[u8]>) -> Option<&'v str> {
        match search(&mut Lexer::new(view.as_bytes()), key) {
            DictionaryValue::At(place) => view.get(place),
            DictionaryValue::Missing | DictionaryValue::Incomplete => None,
        }
    }

    #[test]
    fn the_place_is_that_of_the_value() {
        let cases = [
            ("5 0 obj << /Contents <00ff> >> endobj", Some("<00ff>")),
            ("5 0 obj<</A[<</Contents<aa>>>]/Contents<00ff>/B(x)>>endobj", Some("<00ff>")),
            ("5 0 obj<</A(/Contents <aa>)/Contents\n<00\nff>>>", Some("<00\nff>")),
            ("5 0 obj<</A 1% /Contents <aa>\n/Cont#65nts<00ff>>>", Some("<00ff>")),
            ("5 0 obj<</Contents<aa>/Contents<00ff>>>", Some("<00ff>")),
            ("5 0 obj<</Contents (text)>>", Some("(text)")),
            ("5 0 obj<</Contents null>>", Some("null")),
            ("5 0 obj<</Contents 7 0 R>>", Some("7 0 R")),
            ("5 0 obj<</Contents>>", None),
            ("5 0 obj<</Contents<00ff>", None),
            ("5 0 obj<</Contents<00ff", None),
            ("5 0 obj[/Contents<00ff>]", None),
            ("<</Contents<00ff>>>", None),
            ("", None),
        ];
        for (text, expected) in cases {
            assert_eq!(found(text, None), expected, "{text}");
        }
        let field = "5 0 obj<</Contents<aa>/V<</Contents<00ff>>>/T(x)>>";
        assert_eq!(found(field, Some(b"V")), Some("<00ff>"));
        assert_eq!(found("5 0 obj<</V 6 0 R>>", Some(b"V")), None);
        assert_eq!(search(&mut Lexer::new(b"5 0 obj<</Contents<00"), None), DictionaryValue::Incomplete);
    }

    #[test]
    fn only_digits_are_a_value() {
        assert_eq!(hexadecimal(b"<00fF>"), Some(vec![0, 255]));
        assert_eq!(hexadecimal(b"<00 f\n>"), Some(vec![0, 0xf0]));
        assert_eq!(hexadecimal(b"<>"), Some(vec![]));
        for other in [&b"(text)"[..], b"null", b"<0g>", b"<00", b"00>", b"<", b"", b"<0<0>"] {
            assert_eq!(hexadecimal(other), None, "{other:?}");
        }
    }
}
