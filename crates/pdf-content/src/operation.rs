//! Splits a content stream into operations (7.8.2): operands, then their operator. Buffers are reused, so that an
//! operation costs no allocation. Any bytes yield operations.

use std::ops::ControlFlow;

use memchr::memmem;

use super::image::Image;
use pdf_syntax::syntax::char_class::{is_regular, is_space};
use pdf_syntax::syntax::lexer::{Lexer, unescaped};
use pdf_syntax::syntax::object::Object;
use pdf_syntax::syntax::parser::{Value, parse_object};

/// Maximum operands of an operation; only arrays of [`TJ`](9.4.3) have more than 64.
const MAX_OPERANDS: usize = 16 << 10;
/// Minimum length of a comment that shows text, and how a text and its operator meet there.
const MIN_SHOWING_COMMENT_BYTES: usize = 6;
const SHOWING_ENDS: [&[u8]; 6] = [b")Tj", b") Tj", b"> Tj", b">Tj", b"]TJ", b"] TJ"];
/// Bytes after `EI` that decide whether it ends an inline image.
const IMAGE_END_LOOKAHEAD: usize = 12;

/// An operand. Arrays are flattened between `Open` and `Close`. It is small and owns nothing, because a page has a
/// hundred thousand.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Operand {
    Number(f64),
    Name(TextRange),
    Text(TextRange),
    Open,
    Close,
    /// Index of a dictionary.
    Dictionary(u32),
    True,
    /// False or null.
    Other,
}

/// Range of a string or a name in an operation's text.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct TextRange {
    start: u32,
    end: u32,
}

/// The operations of a content stream.
#[derive(Debug)]
pub(super) struct Operations<'c> {
    lexer: Lexer<'c>,
    operands: Vec<Operand>,
    texts: Vec<u8>,
    dictionaries: Vec<Object>,
    /// Whether operands were dropped.
    pub(super) is_part: bool,
    /// Whether comments that may be operations that show text are read as such.
    reads_comments: bool,
    /// Whether there are such comments.
    pub(super) has_comments: bool,
}

impl<'c> Operations<'c> {
    pub(super) fn new(content: &'c [u8]) -> Self {
        Self {
            lexer: Lexer::new(content),
            operands: Vec::new(),
            texts: Vec::new(),
            dictionaries: Vec::new(),
            is_part: false,
            reads_comments: false,
            has_comments: false,
        }
    }

    /// Returns the operations with those in comments, if wanted.
    pub(super) fn reading_comments(self, reads_comments: bool) -> Self {
        Self { reads_comments, ..self }
    }

    /// Reads the next operation and returns its operator; none at the end.
    pub(super) fn next(&mut self) -> Option<&'c [u8]> {
        self.operands.clear();
        self.texts.clear();
        self.dictionaries.clear();
        loop {
            if let ControlFlow::Break(operator) = self.take() {
                return operator;
            }
        }
    }

    /// Reads an operand; stops at the operator or at the end.
    fn take(&mut self) -> ControlFlow<Option<&'c [u8]>> {
        let start = self.lexer.position();
        self.lexer.skip_space();
        if self.lexer.position() - start >= MIN_SHOWING_COMMENT_BYTES {
            self.pass_comment(start);
        }
        let operand = match self.lexer.rest() {
            [] => return ControlFlow::Break(None),
            [b'0'..=b'9' | b'+' | b'-' | b'.', ..] => match self.lexer.number() {
                // most operands are numbers: written in place, not moved
                Some(number) => return self.push(Operand::Number(number.value())),
                None => return ControlFlow::Continue(()),
            },
            [b'/', ..] => Operand::Name(self.name_place()),
            [b'(', ..] => Operand::Text(self.text_place(Lexer::literal_into)),
            rest @ [b'<', b'<', ..] => self.dictionary_operand(rest),
            [b'<', ..] => Operand::Text(self.text_place(Lexer::hexadecimal_into)),
            [bracket @ (b'[' | b']'), ..] => {
                self.lexer.set_position(self.lexer.position() + 1);
                if *bracket == b'[' { Operand::Open } else { Operand::Close }
            }
            _ => match self.lexer.keyword() {
                b"true" => Operand::True,
                b"false" | b"null" => Operand::Other,
                // a stray delimiter
                b"" => {
                    self.lexer.set_position(self.lexer.position() + 1);
                    return ControlFlow::Continue(());
                }
                operator => return ControlFlow::Break(Some(operator)),
            },
        };
        self.push(operand)
    }

    /// Notes a comment between tokens that may be an operation that shows text, or goes back into it.
    fn pass_comment(&mut self, start: usize) {
        let end = self.lexer.position();
        self.lexer.set_position(start);
        let space = self.lexer.rest().get(..end - start).unwrap_or_default();
        let shows = |comment: &[u8]| SHOWING_ENDS.iter().any(|end| memmem::find(comment, end).is_some());
        let comment = memchr::memchr(b'%', space).filter(|at| shows(space.get(*at..).unwrap_or_default()));
        self.has_comments |= comment.is_some();
        self.lexer.set_position(comment.filter(|_| self.reads_comments).map_or(end, |at| start + at + 1));
        if self.reads_comments && comment.is_some() {
            self.lexer.skip_space();
        }
    }

    #[inline]
    fn push(&mut self, operand: Operand) -> ControlFlow<Option<&'c [u8]>> {
        if self.operands.len() < MAX_OPERANDS {
            self.operands.push(operand);
        } else {
            self.is_part = true;
        }
        ControlFlow::Continue(())
    }

    fn text_place(&mut self, read: fn(&mut Lexer<'c>, &mut Vec<u8>)) -> TextRange {
        let start = self.texts.len() as u32;
        read(&mut self.lexer, &mut self.texts);
        TextRange { start, end: self.texts.len() as u32 }
    }

    fn name_place(&mut self) -> TextRange {
        self.text_place(|lexer, texts| {
            let raw = lexer.skip_name();
            if raw.contains(&b'#') {
                texts.extend_from_slice(unescaped(raw).as_bytes());
            } else {
                texts.extend_from_slice(raw);
            }
        })
    }

    fn dictionary_operand(&mut self, rest: &[u8]) -> Operand {
        let Ok(Value { object, end, .. }) = parse_object(rest) else {
            // more values than an object may have: the rest cannot be parsed
            self.is_part = true;
            self.lexer.set_position(usize::MAX);
            return Operand::Other;
        };
        self.lexer.set_position(self.lexer.position() + end);
        self.dictionaries.push(object);
        Operand::Dictionary(self.dictionaries.len() as u32 - 1)
    }

    pub(super) fn operands(&self) -> &[Operand] {
        &self.operands
    }

    pub(super) fn operands_mut(&mut self) -> &mut Vec<Operand> {
        &mut self.operands
    }

    /// Returns the bytes of a string or a name.
    pub(super) fn text(&self, TextRange { start, end }: TextRange) -> &[u8] {
        self.texts.get(start as usize..end as usize).unwrap_or_default()
    }

    /// Returns a dictionary by index.
    pub(super) fn dictionary(&self, place: u32) -> &Object {
        self.dictionaries.get(place as usize).unwrap_or(&Object::Null)
    }

    /// Returns the last operands, if all are numbers.
    pub(super) fn numbers<const N: usize>(&self) -> Option<[f64; N]> {
        let last = self.operands.last_chunk::<N>()?;
        let mut numbers = [0.0; N];
        for (number, operand) in numbers.iter_mut().zip(last) {
            let Operand::Number(value) = operand else { return None };
            *number = *value;
        }
        Some(numbers)
    }

    /// Returns the last operand, if it is a name.
    pub(crate) fn name(&self) -> Option<&[u8]> {
        if let Some(Operand::Name(place)) = self.operands.last() { Some(self.text(*place)) } else { None }
    }

    /// Skips an inline image (8.9.7) after its `BI`; none if it ends before `ID`.
    pub(super) fn skip_image(&mut self) -> Option<Image> {
        self.operands.clear();
        let head = self.lexer.position();
        loop {
            match self.take() {
                ControlFlow::Break(Some(b"ID")) => break,
                ControlFlow::Break(None) => return None,
                ControlFlow::Break(Some(b"R")) | ControlFlow::Continue(()) => {}
                // only some readers execute the operators parsed so far
                ControlFlow::Break(Some(_)) => {
                    self.is_part = true;
                    self.lexer.set_position(head);
                    return None;
                }
            }
        }
        let (mut is_mask, mut length, mut size) = (false, None, [0; 2]);
        let (mut is_inverted, mut is_encoded) = (false, false);
        let (mut bits, mut components) = (None, None);
        let mut rest = self.operands.as_slice();
        while let [key, value, behind @ ..] = rest {
            let Operand::Name(key) = key else {
                rest = rest.get(1..).unwrap_or_default();
                continue;
            };
            match (self.text(*key), *value) {
                (b"IM" | b"ImageMask", value) => is_mask = value == Operand::True,
                (b"L" | b"Length", Operand::Number(number)) if number >= 0.0 => length = Some(number as usize),
                (b"W" | b"Width", Operand::Number(number)) => size[0] = number as usize,
                (b"H" | b"Height", Operand::Number(number)) => size[1] = number as usize,
                (b"D" | b"Decode", Operand::Open) => is_inverted = behind.first() == Some(&Operand::Number(1.0)),
                (b"BPC" | b"BitsPerComponent", Operand::Number(number)) => bits = Some(number as usize),
                (b"CS" | b"ColorSpace", Operand::Name(space)) => {
                    components = match self.text(space) {
                        b"G" | b"DeviceGray" => Some(1),
                        b"RGB" | b"DeviceRGB" => Some(3),
                        b"CMYK" | b"DeviceCMYK" => Some(4),
                        _ => None,
                    }
                }
                (b"F" | b"Filter", _) => is_encoded = true,
                _ => {}
            }
            rest = behind;
        }
        if is_mask {
            (bits, components) = (Some(1), Some(1));
        }
        // unencoded data is as long as the samples
        if let (Some(bits), Some(components), false) = (bits, components, is_encoded) {
            let line = size[0].saturating_mul(bits).saturating_mul(components).div_ceil(8);
            length = Some(line.saturating_mul(size[1]));
        }
        self.operands.clear();
        let start = self.lexer.position() + 1;
        let of_length = length.map(|length| start.saturating_add(length));
        self.lexer.set_position(start);
        let rest = self.lexer.rest();
        let ends = |at: &usize| image_ends(rest, *at);
        let of_length = of_length.and_then(|end| (0..4).map(|space| end - start + space).find(ends));
        let end = of_length.or_else(|| memmem::find_iter(rest, b"EI").find(ends));
        self.lexer.set_position(end.map_or(usize::MAX, |end| start + end + 2));
        let data = end.and_then(|end| rest.get(..end)).filter(|_| !is_encoded);
        Some(Image::inline(is_mask, size, is_inverted, data))
    }
}

/// Whether `EI` ends an image: as a token, followed by plausible content.
fn image_ends(data: &[u8], at: usize) -> bool {
    let before = at.checked_sub(1).and_then(|before| data.get(before));
    let Some(after) = data.get(at..).and_then(|from| from.strip_prefix(b"EI")) else { return false };
    let behind = after.get(..IMAGE_END_LOOKAHEAD.min(after.len())).unwrap_or_default();
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
        assert_eq!((operations.text(*text), *number), (&b"a)"[..], -0.5));
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
