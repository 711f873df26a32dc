//! Tag, length and value (ITU-T X.690): DER, and the BER that signers write, with indefinite lengths and constructed
//! strings. Elements are slices of the input; only joined data is copied.

use std::borrow::Cow;

/// Maximum nesting depth. A signature with certificates and a time-stamp needs fewer than 16 levels.
const MAX_DEPTH: u8 = 16;

/// The identifier octets in signatures (X.690, 8.1.2).
pub mod tag {
    pub(crate) const BOOLEAN: u8 = 0x01;
    pub(crate) const INTEGER: u8 = 0x02;
    pub(crate) const BIT_STRING: u8 = 0x03;
    pub(crate) const OCTET_STRING: u8 = 0x04;
    pub(crate) const NULL: u8 = 0x05;
    pub(crate) const OBJECT_IDENTIFIER: u8 = 0x06;
    pub(crate) const ENUMERATED: u8 = 0x0a;
    pub(crate) const UTF8_STRING: u8 = 0x0c;
    pub(crate) const UNIVERSAL_STRING: u8 = 0x1c;
    pub(crate) const BMP_STRING: u8 = 0x1e;
    pub(crate) const UTC_TIME: u8 = 0x17;
    pub(crate) const GENERALIZED_TIME: u8 = 0x18;
    pub(crate) const SEQUENCE: u8 = 0x30;
    pub(crate) const SET: u8 = 0x31;
    /// The bit for constructed encodings.
    pub(crate) const CONSTRUCTED: u8 = 0x20;

    /// A constructed context-specific tag.
    pub const fn context(number: u8) -> u8 {
        0xa0 | number
    }

    /// A primitive context-specific tag.
    pub(crate) const fn context_bytes(number: u8) -> u8 {
        0x80 | number
    }
}

/// Why bytes are no such element.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DerError {
    /// No valid encoding: a length exceeds the data, or an end is missing.
    Malformed,
    /// A valid encoding of another type, or beyond the limits.
    Unexpected,
    /// Several signers of one message.
    SeveralSigners,
}

/// One element.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Element<'a> {
    /// The identifier octet.
    pub tag: u8,
    /// The complete encoding, tag and length included.
    pub raw: &'a [u8],
    /// The contents octets.
    pub content: &'a [u8],
    depth: u8,
}

/// A sequence of elements.
#[derive(Debug, Clone)]
pub struct Elements<'a> {
    rest: &'a [u8],
    depth: u8,
}

impl<'a> Elements<'a> {
    /// The elements in `data`.
    pub(crate) fn new(data: &'a [u8]) -> Self {
        Self { rest: data, depth: MAX_DEPTH }
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.rest.is_empty()
    }

    /// The next element; `None` after the last one.
    pub(crate) fn next(&mut self) -> Result<Option<Element<'a>>, DerError> {
        if self.rest.is_empty() {
            return Ok(None);
        }
        let (element, rest) = element(self.rest, self.depth)?;
        self.rest = rest;
        Ok(Some(element))
    }

    /// The next element, which must have this tag.
    pub fn expect(&mut self, tag: u8) -> Result<Element<'a>, DerError> {
        self.optional(tag)?.ok_or(DerError::Unexpected)
    }

    /// The next element if it has this tag.
    pub(crate) fn optional(&mut self, tag: u8) -> Result<Option<Element<'a>>, DerError> {
        if self.rest.first() == Some(&tag) { self.next() } else { Ok(None) }
    }

    /// The content of the next element, which must be constructed and have this tag.
    pub(crate) fn enter(&mut self, tag: u8) -> Result<Elements<'a>, DerError> {
        self.expect(tag)?.elements()
    }

    /// The next object identifier, encoded.
    pub(crate) fn identifier(&mut self) -> Result<&'a [u8], DerError> {
        Ok(self.expect(tag::OBJECT_IDENTIFIER)?.content)
    }
}

impl<'a> Element<'a> {
    /// The nested elements.
    pub(crate) fn elements(&self) -> Result<Elements<'a>, DerError> {
        let depth = self.depth.checked_sub(1).ok_or(DerError::Unexpected)?;
        if self.tag & tag::CONSTRUCTED == 0 {
            Err(DerError::Unexpected)
        } else {
            Ok(Elements { rest: self.content, depth })
        }
    }

    /// The bytes of an octet string, which may be constructed (X.690, 8.7.3).
    pub(crate) fn octets(&self) -> Result<Cow<'a, [u8]>, DerError> {
        if self.tag & tag::CONSTRUCTED == 0 {
            return Ok(Cow::Borrowed(self.content));
        }
        let mut pieces = self.elements()?;
        let mut bytes = Vec::new();
        while let Some(piece) = pieces.next()? {
            if piece.tag & !tag::CONSTRUCTED != tag::OCTET_STRING {
                return Err(DerError::Unexpected);
            }
            bytes.extend_from_slice(&piece.octets()?);
        }
        Ok(Cow::Owned(bytes))
    }

    /// The bytes of a bit string without unused bits (X.690, 8.6).
    pub(crate) fn bits(&self) -> Result<&'a [u8], DerError> {
        match (self.tag, self.content) {
            (tag::BIT_STRING, [0, bytes @ ..]) => Ok(bytes),
            _ => Err(DerError::Unexpected),
        }
    }

    /// The magnitude of a positive integer, without leading zeros.
    pub(crate) fn magnitude(&self) -> Result<&'a [u8], DerError> {
        match (self.tag, self.content) {
            (tag::INTEGER, [first, ..]) if *first < 0x80 => {
                let zeros = self.content.iter().take_while(|byte| **byte == 0).count();
                Ok(self.content.get(zeros..).unwrap_or_default())
            }
            _ => Err(DerError::Unexpected),
        }
    }

    /// The same for an integer that is positive by definition, regardless of its highest bit.
    pub(crate) fn unsigned(&self) -> Result<&'a [u8], DerError> {
        if self.tag != tag::INTEGER || self.content.is_empty() {
            return Err(DerError::Unexpected);
        }
        let zeros = self.content.iter().take_while(|byte| **byte == 0).count();
        Ok(self.content.get(zeros..).unwrap_or_default())
    }

    /// A small positive integer.
    pub(crate) fn small(&self) -> Result<u32, DerError> {
        let magnitude = self.magnitude()?;
        if magnitude.len() > 4 {
            return Err(DerError::Unexpected);
        }
        Ok(magnitude.iter().fold(0, |value, byte| value << 8 | u32::from(*byte)))
    }

    /// The element in DER, with definite lengths and sorted members of a set (X.690, 10.1 and 11.6), with another tag.
    /// At most four bytes longer for each nested element.
    pub(crate) fn canonical(&self, tag: u8) -> Result<Vec<u8>, DerError> {
        let mut content = Vec::new();
        if self.tag & tag::CONSTRUCTED == 0 {
            content.extend_from_slice(self.content);
        } else {
            let mut members = Vec::new();
            let mut elements = self.elements()?;
            while let Some(member) = elements.next()? {
                members.push(member.canonical(member.tag)?);
            }
            if tag == tag::SET {
                members.sort_unstable();
            }
            content = members.concat();
        }
        let mut encoded = vec![tag];
        push_length(&mut encoded, content.len());
        encoded.append(&mut content);
        Ok(encoded)
    }

    /// The element with another tag, otherwise unchanged.
    pub(crate) fn retagged(&self, tag: u8) -> Vec<u8> {
        let mut encoded = self.raw.to_vec();
        if let Some(first) = encoded.first_mut() {
            *first = tag;
        }
        encoded
    }
}

/// The shortest encoding of a length (X.690, 10.1).
fn push_length(encoded: &mut Vec<u8>, length: usize) {
    if length < 0x80 {
        encoded.push(length as u8);
        return;
    }
    let bytes = length.to_be_bytes();
    let zeros = bytes.iter().take_while(|byte| **byte == 0).count();
    encoded.push(0x80 | (bytes.len() - zeros) as u8);
    encoded.extend(bytes.iter().skip(zeros));
}

/// The first element in `data`, and the rest.
fn element(data: &[u8], depth: u8) -> Result<(Element<'_>, &[u8]), DerError> {
    let (header, length) = header(data)?;
    let &tag = data.first().ok_or(DerError::Malformed)?;
    let body = data.get(header..).ok_or(DerError::Malformed)?;
    let (content, rest) = match length {
        Some(length) => body.split_at_checked(length).ok_or(DerError::Malformed)?,
        None if tag & tag::CONSTRUCTED == 0 => return Err(DerError::Malformed),
        None => {
            let length = indefinite(body, depth)?;
            let (content, end) = body.split_at_checked(length).ok_or(DerError::Malformed)?;
            (content, end.get(2..).ok_or(DerError::Malformed)?)
        }
    };
    let raw = data.get(..data.len() - rest.len()).ok_or(DerError::Malformed)?;
    Ok((Element { tag, raw, content, depth }, rest))
}

/// Returns the lengths of the header in `data` and of the content; `None` for an indefinite length.
fn header(data: &[u8]) -> Result<(usize, Option<usize>), DerError> {
    match data {
        // Tags above 30 take several bytes; signatures have none.
        [tag, _, ..] if tag & 0x1f == 0x1f => Err(DerError::Unexpected),
        [_, 0x80, ..] => Ok((2, None)),
        [_, length, ..] if *length < 0x80 => Ok((2, Some(usize::from(*length)))),
        [_, count, rest @ ..] => {
            let count = usize::from(count & 0x7f);
            let bytes = rest.get(..count).ok_or(DerError::Malformed)?;
            let length = bytes
                .iter()
                .try_fold(0_usize, |length, byte| length.checked_mul(256).map(|length| length | usize::from(*byte)));
            Ok((2 + count, Some(length.ok_or(DerError::Malformed)?)))
        }
        _ => Err(DerError::Malformed),
    }
}

/// The length of content that ends with two zeros (X.690, 8.1.3.6).
fn indefinite(body: &[u8], depth: u8) -> Result<usize, DerError> {
    let depth = depth.checked_sub(1).ok_or(DerError::Unexpected)?;
    let mut rest = body;
    while !rest.starts_with(&[0, 0]) {
        (_, rest) = element(rest, depth)?;
    }
    Ok(body.len() - rest.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn first(data: &[u8]) -> Result<Option<Element<'_>>, DerError> {
        Elements::new(data).next()
    }

    fn content(data: &[u8]) -> Result<Vec<u8>, DerError> {
        first(data).map(|element| element.expect("there is one").content.to_vec())
    }

    #[test]
    fn lengths_are_read_in_every_form() {
        assert_eq!(content(&[4, 2, 7, 8, 9]), Ok(vec![7, 8]));
        assert_eq!(content(&[4, 0]), Ok(vec![]));
        assert_eq!(content(&[4, 0x81, 1, 7]), Ok(vec![7]));
        assert_eq!(content(&[4, 0x84, 0, 0, 0, 1, 7]), Ok(vec![7]), "longer than it has to be");
        assert_eq!(content(&[&[4, 0x82, 1, 0][..], &[5; 256]].concat()), Ok(vec![5; 256]));
        assert_eq!(content(&[0x30, 0x80, 4, 1, 7, 0, 0, 9]), Ok(vec![4, 1, 7]));
        assert_eq!(content(&[0x30, 0x80, 0x30, 0x80, 0, 0, 0, 0]), Ok(vec![0x30, 0x80, 0, 0]));
        assert_eq!(first(&[]), Ok(None));
    }

    #[test]
    fn what_runs_over_the_end_is_malformed() {
        let cases: [&[u8]; 12] = [
            &[4],
            &[4, 1],
            &[4, 0x81],
            &[4, 0x82, 1],
            &[4, 0x84, 255, 255, 255, 255],
            &[4, 0x88, 255, 255, 255, 255, 255, 255, 255, 255],
            &[4, 0x89, 1, 0, 0, 0, 0, 0, 0, 0, 0],
            &[4, 0xff, 1],
            &[4, 0x80, 0, 0],
            &[0x30, 0x80],
            &[0x30, 0x80, 0],
            &[0x30, 0x80, 4, 1, 7, 0],
        ];
        for case in cases {
            assert_eq!(first(case), Err(DerError::Malformed), "{case:?}");
        }
        assert_eq!(first(&[0x1f, 0x81, 1, 0]), Err(DerError::Unexpected));
    }

    #[test]
    fn nesting_ends_at_sixteen() {
        let nested = |levels: usize| [vec![[0x30_u8, 0x80]; levels].concat(), vec![0; 2 * levels]].concat();
        assert!(first(&nested(16)).is_ok());
        assert_eq!(first(&nested(18)), Err(DerError::Unexpected));
        assert_eq!(first(&nested(5_000_000)), Err(DerError::Unexpected), "and takes no time");

        let mut definite = vec![];
        for _ in 0..100 {
            let mut outer = vec![0x30];
            push_length(&mut outer, definite.len());
            outer.append(&mut definite);
            definite = outer;
        }
        let mut element = first(&definite).expect("an element").expect("one");
        let levels = (0..).find(|_| match element.elements().and_then(|mut elements| elements.next()) {
            Ok(Some(inner)) => {
                element = inner;
                false
            }
            _ => true,
        });
        assert_eq!(levels, Some(usize::from(MAX_DEPTH)));
        let outermost = first(&definite).expect("an element").expect("one");
        assert_eq!(outermost.canonical(0x30), Err(DerError::Unexpected));
    }

    #[test]
    fn strings_in_pieces_are_put_together() {
        let pieces = [0x24, 0x80, 4, 2, 1, 2, 0x24, 3, 4, 1, 3, 4, 0, 0, 0];
        let element = first(&pieces).expect("an element").expect("one");
        assert_eq!(element.octets().expect("octets"), vec![1, 2, 3]);
        let wrong = first(&[0x24, 3, 2, 1, 5]).expect("an element").expect("one");
        assert_eq!(wrong.octets(), Err(DerError::Unexpected));
    }

    #[test]
    fn canonical_sets_are_definite_and_sorted() {
        let set = [0xa0, 0x80, 2, 1, 9, 0x30, 0x80, 4, 1, 1, 0, 0, 2, 1, 3, 0, 0];
        let element = first(&set).expect("an element").expect("one");
        let expected = [0x31, 11, 2, 1, 3, 2, 1, 9, 0x30, 3, 4, 1, 1];
        assert_eq!(element.canonical(tag::SET).expect("sound"), expected);
        let sorted = [0xa0, 3, 2, 1, 3];
        let element = first(&sorted).expect("an element").expect("one");
        assert_eq!(element.retagged(tag::SET), [0x31, 3, 2, 1, 3]);
    }

    #[test]
    fn numbers_are_positive() {
        let number = |bytes: &[u8]| first(bytes).expect("an element").expect("one").small();
        assert_eq!(number(&[2, 1, 0]), Ok(0));
        assert_eq!(number(&[2, 2, 0, 0x80]), Ok(128));
        assert_eq!(number(&[2, 5, 0, 255, 255, 255, 255]), Ok(u32::MAX));
        assert_eq!(number(&[2, 5, 1, 0, 0, 0, 0]), Err(DerError::Unexpected));
        assert_eq!(number(&[2, 1, 0x80]), Err(DerError::Unexpected), "negative");
        assert_eq!(number(&[2, 0]), Err(DerError::Unexpected));
        let bits = |bytes: &'static [u8]| first(bytes).expect("an element").expect("one").bits();
        assert_eq!(bits(&[3, 2, 0, 7]), Ok(&[7][..]));
        assert_eq!(bits(&[3, 2, 1, 8]), Err(DerError::Unexpected), "unused bits");
        assert_eq!(bits(&[3, 0]), Err(DerError::Unexpected));
    }

    proptest::proptest! {
        #[test]
        fn any_bytes_are_read_or_not(bytes in proptest::collection::vec(proptest::prelude::any::<u8>(), 0..200)) {
            let mut elements = Elements::new(&bytes);
            while let Ok(Some(element)) = elements.next() {
                let _ = (element.octets(), element.bits(), element.magnitude(), element.small());
                let _ = element.canonical(tag::SET).map(|canonical| assert!(canonical.len() <= 6 * bytes.len()));
            }
        }
    }
}
