//! Splits a content stream into operations (7.8.2): operands, then their operator. Buffers are used again, so that an
//! operation costs no allocation. Any bytes yield operations.

use std::ops::Range;

use memchr::memmem;

use super::image::Image;
use crate::syntax::char_class::{is_regular, is_space};
use crate::syntax::lexer::{Lexer, Token};
use crate::syntax::name::Name;
use crate::syntax::object::Object;
use crate::syntax::parser::{Value, parse_object};

/// Operands that one operation may have; only arrays of [`TJ`](9.4.3) have more than 64.
const OPERANDS: usize = 16 << 10;
/// Bytes behind `EI` that tell whether it ends an inline image.
const BEHIND: usize = 12;

/// An operand. Arrays are not nested, but stand between `Open` and `Close`.
#[derive(Debug, PartialEq)]
pub(super) enum Operand {
    Number(f64),
    Name(Name),
    /// Where it stands among the strings.
    Text(Range<usize>),
    Open,
    Close,
    Dictionary(Box<Object>),
    /// A boolean or null.
    Other,
}

/// The operations of a content stream.
#[derive(Debug)]
pub(super) struct Operations<'c> {
    lexer: Lexer<'c>,
    operands: Vec<Operand>,
    strings: Vec<u8>,
    /// Whether something had to be left out.
    pub(super) is_part: bool,
}

impl<'c> Operations<'c> {
    pub(super) fn new(content: &'c [u8]) -> Self {
        Self { lexer: Lexer::new(content), operands: Vec::new(), strings: Vec::new(), is_part: false }
    }

    /// Goes on to the next operation: its operator; none at the end.
    pub(super) fn next(&mut self) -> Option<&'c [u8]> {
        self.operands.clear();
        self.strings.clear();
        loop {
            let operand = match self.operand()? {
                Ok(operand) => operand,
                Err(operator) => return Some(operator),
            };
            if self.operands.len() < OPERANDS {
                self.operands.push(operand);
            } else {
                self.is_part = true;
            }
        }
    }

    /// The next operand, or the operator; none at the end.
    fn operand(&mut self) -> Option<Result<Operand, &'c [u8]>> {
        loop {
            self.lexer.skip_space();
            let rest = self.lexer.rest();
            return Some(Ok(match rest {
                [b'(', ..] => self.text(Lexer::literal_into),
                [b'<', b'<', ..] => self.dictionary(rest),
                [b'<', ..] => self.text(Lexer::hexadecimal_into),
                _ => match self.lexer.token() {
                    Token::Integer(number) => Operand::Number(number as f64),
                    Token::Real(number) => Operand::Number(number),
                    Token::Name(name) => Operand::Name(name),
                    Token::ArrayOpen => Operand::Open,
                    Token::ArrayClose => Operand::Close,
                    Token::Keyword(b"true" | b"false" | b"null") => Operand::Other,
                    // a stray delimiter
                    Token::Keyword(b"") | Token::DictionaryClose => continue,
                    Token::Keyword(operator) => return Some(Err(operator)),
                    Token::End | Token::String(_) | Token::DictionaryOpen => return None,
                },
            }));
        }
    }

    fn text(&mut self, read: fn(&mut Lexer<'c>, &mut Vec<u8>)) -> Operand {
        let start = self.strings.len();
        read(&mut self.lexer, &mut self.strings);
        Operand::Text(start..self.strings.len())
    }

    fn dictionary(&mut self, rest: &[u8]) -> Operand {
        let Ok(Value { object, end, .. }) = parse_object(rest) else {
            // more values than an object may have: what follows cannot be told from them
            self.is_part = true;
            self.lexer.set_position(usize::MAX);
            return Operand::Other;
        };
        self.lexer.set_position(self.lexer.position() + end);
        Operand::Dictionary(Box::new(object))
    }

    pub(super) fn operands(&self) -> &[Operand] {
        &self.operands
    }

    /// The bytes of a string.
    pub(super) fn string(&self, range: &Range<usize>) -> &[u8] {
        self.strings.get(range.clone()).unwrap_or_default()
    }

    /// The last operands, if all of them are numbers.
    pub(super) fn numbers<const N: usize>(&self) -> Option<[f64; N]> {
        let last = self.operands.last_chunk::<N>()?;
        let mut numbers = [0.0; N];
        for (number, operand) in numbers.iter_mut().zip(last) {
            let Operand::Number(value) = operand else { return None };
            *number = *value;
        }
        Some(numbers)
    }

    /// The last operand, if it is a name.
    pub(super) fn name(&self) -> Option<&Name> {
        if let Some(Operand::Name(name)) = self.operands.last() { Some(name) } else { None }
    }

    /// Passes over an inline image (8.9.7), whose `BI` came last.
    pub(super) fn skip_image(&mut self) -> Image {
        let (mut is_mask, mut length, mut key) = (false, None, None);
        let (mut size, mut is_inverted, mut is_encoded) = ([0; 2], false, false);
        loop {
            let is_true = self.lexer.clone().take_word(b"true");
            match self.operand() {
                Some(Ok(Operand::Name(name))) if key.is_none() => key = Some(name),
                Some(Ok(value)) => match (key.take().as_ref().map(Name::as_bytes), value) {
                    (Some(b"IM" | b"ImageMask"), _) => is_mask = is_true,
                    (Some(b"L" | b"Length"), Operand::Number(number)) if number >= 0.0 => {
                        length = Some(number as usize);
                    }
                    (Some(b"W" | b"Width"), Operand::Number(number)) => size[0] = number as usize,
                    (Some(b"H" | b"Height"), Operand::Number(number)) => size[1] = number as usize,
                    (Some(b"D" | b"Decode"), Operand::Open) => {
                        is_inverted = matches!(self.operand(), Some(Ok(Operand::Number(1.0))));
                    }
                    (Some(b"F" | b"Filter"), _) => is_encoded = true,
                    _ => {}
                },
                Some(Err(b"ID")) => break,
                Some(Err(_)) => {}
                None => return Image::inline(is_mask, size, is_inverted, None),
            }
        }
        let start = self.lexer.position() + 1;
        let of_length = length.map(|length| start.saturating_add(length));
        self.lexer.set_position(start);
        let rest = self.lexer.rest();
        let ends = |at: &usize| image_ends(rest, *at);
        let of_length = of_length.and_then(|end| (0..4).map(|space| end - start + space).find(ends));
        let end = of_length.or_else(|| memmem::find_iter(rest, b"EI").find(ends));
        self.lexer.set_position(end.map_or(usize::MAX, |end| start + end + 2));
        let data = end.and_then(|end| rest.get(..end)).filter(|_| !is_encoded);
        Image::inline(is_mask, size, is_inverted, data)
    }
}

/// Whether the `EI` that stands there ends an image: as a word, with what reads as content behind it.
fn image_ends(data: &[u8], at: usize) -> bool {
    let before = at.checked_sub(1).and_then(|before| data.get(before));
    let Some(after) = data.get(at..).and_then(|from| from.strip_prefix(b"EI")) else { return false };
    let behind = after.get(..BEHIND.min(after.len())).unwrap_or_default();
    before.is_none_or(|byte| is_space(*byte) || !byte.is_ascii_alphanumeric())
        && behind.first().is_none_or(|byte| !is_regular(*byte))
        && behind.iter().all(|byte| is_space(*byte) && *byte != 0 || matches!(byte, b' '..=b'~'))
}

#[cfg(test)]
mod tests {
    use super::{Operand, Operations};

    fn operators(content: &[u8]) -> Vec<(String, usize)> {
        let mut operations = Operations::new(content);
        let mut found = Vec::new();
        while let Some(operator) = operations.next() {
            if operator == b"BI" {
                operations.skip_image();
            }
            found.push((String::from_utf8_lossy(operator).into_owned(), operations.operands().len()));
        }
        found
    }

    fn named(operators: &[(&str, usize)]) -> Vec<(String, usize)> {
        operators.iter().map(|(name, operands)| ((*name).to_owned(), *operands)).collect()
    }

    #[test]
    fn operands_come_before_their_operator() {
        let content = b"q 1 0 0 1 5 5 cm % a comment Q\n/F1 12 Tf[(a) -20 <62>]TJ /P <</MCID 0/A[1 2]>> BDC (x)' EMC";
        let expected = [("q", 0), ("cm", 6), ("Tf", 2), ("TJ", 5), ("BDC", 2), ("'", 1), ("EMC", 0)];
        assert_eq!(operators(content), named(&expected));
    }

    #[test]
    fn strings_and_numbers_are_had_by_place() {
        let mut operations = Operations::new(b"(a\\051) 3 -.5 Tx 1 2 3 rg");
        assert_eq!(operations.next(), Some(&b"Tx"[..]));
        let [Operand::Text(text), _, Operand::Number(number)] = operations.operands() else { panic!("three") };
        assert_eq!((operations.string(text), *number), (&b"a)"[..], -0.5));
        assert_eq!(operations.numbers::<2>(), Some([3.0, -0.5]));
        assert_eq!(operations.numbers::<3>(), None);
        assert_eq!(operations.next(), Some(&b"rg"[..]));
        assert_eq!(operations.numbers::<3>(), Some([1.0, 2.0, 3.0]));
        assert_eq!(operations.next(), None);
    }

    #[test]
    fn inline_images_are_passed_over() {
        for content in [
            &b"BI /W 1 /H 1 ID \x00(EI\nq"[..],
            b"BI /W 1 ID a EI\x00\x01 EI q",
            b"BI /W 1 /L 7 ID a EI q b EI q",
            b"BI /IM true /W 1 ID EI q",
            b"BI /W 1 ID ~>EI\nq",
        ] {
            assert_eq!(operators(content), named(&[("BI", 0), ("q", 0)]), "{}", content.escape_ascii());
        }
        assert_eq!(operators(b"BI /W 1 ID never ends"), named(&[("BI", 0)]));
    }

    #[test]
    fn nonsense_ends() {
        for content in [&b")))]]>>"[..], b"((((", b"<<<<<<", b"[[[[", b"BI ID", b"BI", b"/", &[0xff; 100]] {
            operators(content);
        }
        assert!(operators(&b"<<".repeat(200_000)).len() <= 1);
    }
}
