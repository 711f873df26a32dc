//! The signed bytes: `/ByteRange` (ISO 32000-1, 12.8.1, table 252). A valid one omits exactly the signature's own value
//! and ends at an end of the file at the time of signing.

use std::ops::Range;

use pdf_syntax::document::Document;
use pdf_syntax::failure::Fault;
use pdf_syntax::syntax::char_class::is_space;
use pdf_syntax::syntax::object::Object;

/// The end of every revision (7.5.5).
const END: &[u8] = b"%%EOF";
/// Maximum white space after it, in bytes: line ends, or padding to a disk block.
const MAX_PADDING_BYTES: usize = 512;

/// The signed bytes: from offset 0 to `end`, without `hole`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct SignedRange {
    pub(crate) hole: Range<u64>,
    pub(crate) end: u64,
}

/// An error in the byte range.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum RangeFault {
    /// There are not four numbers.
    NotFour,
    /// A number is negative, or an end is after the file's.
    Outside,
    /// It does not start at offset 0.
    NotFromStart,
    /// There is no `/Contents`, or it is no hexadecimal string.
    NoContents,
    /// The omitted range is not exactly the value.
    Hole,
    /// It ends within a revision.
    NoEnd,
}

impl RangeFault {
    /// The error as a sentence.
    pub(crate) fn message(self) -> &'static str {
        match self {
            Self::NotFour => "the signature does not say which bytes are signed",
            Self::Outside => "the signed bytes lie outside the file",
            Self::NotFromStart => "the signed bytes do not begin with the file",
            Self::NoContents => "the signature has no value",
            Self::Hole => "more or less is left unsigned than the signature's own value",
            Self::NoEnd => "the signed bytes end in the middle of a saved state",
        }
    }
}

/// Checks a `/ByteRange` against the place of `/Contents` and the file's length; the end is not checked here.
pub(crate) fn check(
    byte_range: &Object,
    contents: Option<&Range<u64>>,
    length: u64,
) -> Result<SignedRange, RangeFault> {
    let [start, before, after, rest] = byte_range.elements() else { return Err(RangeFault::NotFour) };
    let number = |object: &Object| match object {
        Object::Integer(number) => u64::try_from(*number).map_err(|_| RangeFault::Outside),
        _ => Err(RangeFault::NotFour),
    };
    let (start, before, after, rest) = (number(start)?, number(before)?, number(after)?, number(rest)?);
    let end = after.checked_add(rest).filter(|&end| end <= length).ok_or(RangeFault::Outside)?;
    if start != 0 {
        return Err(RangeFault::NotFromStart);
    }
    let contents = contents.ok_or(RangeFault::NoContents)?;
    let hole = before..after;
    // some signers sign the brackets as well, between which only digits can be
    let digits = contents.start.saturating_add(1)..contents.end.saturating_sub(1);
    if hole == *contents || (hole == digits && !digits.is_empty()) {
        Ok(SignedRange { hole, end })
    } else {
        Err(RangeFault::Hole)
    }
}

/// Whether the signed range ends with the file or with an earlier state of it (7.5.6).
pub(crate) fn ends_revision(document: &mut Document, signed: &SignedRange) -> Result<bool, Fault> {
    let behind = (document.reader.file_size() - signed.end) as usize;
    if behind <= MAX_PADDING_BYTES && document.reader.view(signed.end, behind)?.iter().all(|&byte| is_space(byte)) {
        return Ok(true);
    }
    let length = (signed.end - signed.hole.end).min((MAX_PADDING_BYTES + END.len()) as u64) as usize;
    let view = document.reader.view(signed.end - length as u64, length)?;
    let used = view.iter().rposition(|&byte| !is_space(byte)).map_or(0, |last| last + 1);
    Ok(view.get(..used).is_some_and(|view| view.ends_with(END)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use pdf_syntax::syntax::parser::parse_object;

    fn checked(byte_range: &str) -> Result<(u64, u64), RangeFault> {
        let object = parse_object(byte_range.as_bytes()).expect("an object").object;
        check(&object, Some(&(100..200)), 1000).map(|signed| (signed.hole.start, signed.end))
    }

    #[test]
    fn only_a_range_around_the_value_counts() {
        assert_eq!(checked("[0 100 200 800]"), Ok((100, 1000)));
        assert_eq!(checked("[0 101 199 801]"), Ok((101, 1000)), "with the brackets");
        assert_eq!(checked("[0 100 200 10]"), Ok((100, 210)));
        for (byte_range, fault) in [
            ("null", RangeFault::NotFour),
            ("[]", RangeFault::NotFour),
            ("[0 100 200]", RangeFault::NotFour),
            ("[0 100 200 300 600 400]", RangeFault::NotFour),
            ("[0 100 200 (800)]", RangeFault::NotFour),
            ("[0 100 200 800.5]", RangeFault::NotFour),
            ("[0 100 200 null]", RangeFault::NotFour),
            ("[0 100 200 801]", RangeFault::Outside),
            ("[0 100 200 9223372036854775807]", RangeFault::Outside),
            ("[0 100 9223372036854775807 9223372036854775807]", RangeFault::Outside),
            ("[0 100 200 99999999999999999999999]", RangeFault::Outside),
            ("[0 100 200 -800]", RangeFault::Outside),
            ("[-1 100 200 800]", RangeFault::Outside),
            ("[1 99 200 800]", RangeFault::NotFromStart),
            ("[0 99 200 800]", RangeFault::Hole),
            ("[0 100 201 799]", RangeFault::Hole),
            ("[0 0 0 0]", RangeFault::Hole),
            ("[0 1000 0 0]", RangeFault::Hole),
            ("[0 1000 1000 0]", RangeFault::Hole),
            ("[0 200 100 900]", RangeFault::Hole),
            ("[0 101 200 800]", RangeFault::Hole),
            ("[0 100 199 801]", RangeFault::Hole),
            ("[0 102 198 802]", RangeFault::Hole),
        ] {
            assert_eq!(checked(byte_range), Err(fault), "{byte_range}");
        }
        let object = parse_object(b"[0 100 200 800]").expect("an object").object;
        assert_eq!(check(&object, None, 1000), Err(RangeFault::NoContents));
    }
}
