//! Data after the end of a revision and outside of all revisions: padding, repeated bytes, or an unreferenced state.

use std::ops::Range;

use memchr::memmem;

use super::indeterminate::{Bounded, Limit};
use super::revision_end;
use super::revision_range::RevisionRange;
use pdf_syntax::document::Document;
use pdf_syntax::failure::Fault;
use pdf_syntax::syntax::char_class::is_space;
use pdf_syntax::syntax::lexer::Lexer;
use pdf_syntax::syntax::parser::parse_object;
use pdf_syntax::syntax::strict::is_strict;
use pdf_syntax::xref::object_header::{WORD, starts_with_object};

/// Maximum bytes between a revision's end and the next one's first object, or the last `startxref`.
const MAX_GAP_BYTES: u64 = 32;
/// Bytes examined between objects.
const MAX_EXAMINED_BYTES: usize = 64 << 10;
/// Minimum length of a repetition, and maximum file prefix searched for it, in bytes.
const SHORTEST_REPEAT: usize = 16;
const LONGEST_REPEAT: u64 = 32 << 20;
/// Bytes at the start of the file in which a linearization dictionary is searched.
const LINEARIZED_HEAD_BYTES: usize = 64 << 10;

/// Data in a file that its cross-reference does not account for.
#[derive(Debug)]
pub(crate) struct TrailingData {
    pub(crate) place: Range<u64>,
    /// Whether it contains objects or a cross-reference.
    pub(crate) has_objects: bool,
}

/// The data in a byte range other than white space.
fn between(document: &mut Document, place: Range<u64>) -> Result<Option<TrailingData>, Fault> {
    let size = ((place.end - place.start) as usize).min(MAX_EXAMINED_BYTES);
    document.budget.work(size)?;
    let view = document.reader.view(place.start, size)?;
    if view.iter().all(|&byte| is_space(byte)) {
        return Ok(None);
    }
    let mut lexer = Lexer::new(view);
    lexer.skip_space();
    let has_objects = holds_objects(lexer.rest()) || size == MAX_EXAMINED_BYTES;
    let has_objects = has_objects && !is_repeated(document, &place)?;
    Ok(Some(TrailingData { place, has_objects }))
}

/// Whether text contains objects or an end-of-file marker. A trailer alone, as some programs write after a
/// cross-reference stream, contains neither.
fn holds_objects(text: &[u8]) -> bool {
    let words: [&[u8]; 2] = [b"startxref", b"%%EOF"];
    starts_with_object(text) || words.iter().any(|word| memmem::find(text, word).is_some())
}

/// Whether the file has these bytes before: it was written twice, or with the rest of a buffer.
pub(crate) fn is_repeated(document: &mut Document, place: &Range<u64>) -> Result<bool, Fault> {
    let size = (place.end - place.start) as usize;
    if size < SHORTEST_REPEAT || place.end > LONGEST_REPEAT {
        return Ok(false);
    }
    document.budget.work(place.end as usize / 8)?;
    let all = document.reader.view(0, place.end as usize)?;
    let bytes = all.get(place.start as usize..).unwrap_or_default().trim_ascii_end();
    // the earlier occurrence may overlap these bytes
    let before = all.get(..(place.start as usize + bytes.len()).saturating_sub(1)).unwrap_or_default();
    Ok(!bytes.is_empty() && memmem::find(before, bytes).is_some())
}

/// The byte range of an unreferenced state: between two revisions or after the newest one.
pub(crate) fn unreferenced(document: &mut Document, ranges: &[RevisionRange]) -> Result<Option<Range<u64>>, Fault> {
    let starts = ranges.iter().skip(1).map(|range| range.start).chain([document.xref.last_end]);
    for (range, start) in ranges.iter().zip(starts) {
        let end = range.end;
        if range.is_closed
            && start > end + MAX_GAP_BYTES
            && between(document, end..start)?.is_some_and(|loose| loose.has_objects)
        {
            return Ok(Some(end..start));
        }
    }
    behind_trailer(document, ranges)
}

/// Finds an unreferenced state after the newest trailer, if that has no end marker.
fn behind_trailer(document: &mut Document, ranges: &[RevisionRange]) -> Result<Option<Range<u64>>, Fault> {
    let Some(newest) = ranges.last().filter(|range| !range.is_closed) else { return Ok(None) };
    let parts = document.xref.parts.get(newest.parts.clone()).unwrap_or_default();
    let Some(last) = parts.iter().max_by_key(|part| part.offset).cloned() else { return Ok(None) };
    let (from, to) = (revision_end::behind_section(document, &last)?, document.xref.last_end);
    let Some(place) = from.filter(|from| to > from + MAX_GAP_BYTES).map(|from| from..to) else { return Ok(None) };
    Ok(between(document, place.clone())?.filter(|loose| loose.has_objects).map(|_| place))
}

/// Returns the data after a revision's end.
pub(crate) fn behind(document: &mut Document, end: u64) -> Result<Option<TrailingData>, Fault> {
    let place = end..document.reader.file_size();
    let found = between(document, place.clone())?;
    Ok(found.or_else(|| (!place.is_empty()).then_some(TrailingData { place, has_objects: false })))
}

/// The start of a file that is linearized (annex F).
#[derive(Debug, Default)]
pub(crate) struct Linearization {
    /// Whether readers may read the first object differently.
    pub(crate) is_ambiguous: bool,
    /// `/L`: its original length; several if readers differ in which one they read.
    pub(crate) lengths: Vec<u64>,
    /// The offset of its first section, directly behind its first object.
    pub(crate) first_section: Option<u64>,
}

/// Reads the linearization dictionary, which readers search in the first object, however far in that is.
pub(crate) fn linearization(document: &mut Document) -> Result<Bounded<Linearization>, Fault> {
    let start = document.header.offset;
    document.budget.work(LINEARIZED_HEAD_BYTES / 16)?;
    let head = document.reader.view(start, LINEARIZED_HEAD_BYTES)?;
    let Some(text) = first_object(head) else {
        return Ok(Bounded::Known(Linearization { is_ambiguous: true, ..Linearization::default() }));
    };
    let parsed = parse_object(text);
    let is_cut = parsed.as_ref().map_or(true, |parsed| parsed.end >= text.len());
    if head.len() == LINEARIZED_HEAD_BYTES && is_cut {
        return Ok(Bounded::Exhausted(Limit::FirstObject));
    }
    let first = parsed.map(|parsed| parsed.object).unwrap_or_default();
    let Some(first) = first.as_dictionary().filter(|first| first.has(b"Linearized")) else {
        return Ok(Bounded::Known(Linearization { is_ambiguous: !is_strict(text), ..Linearization::default() }));
    };
    let lengths = first.iter().filter(|(key, _)| key.as_bytes() == b"L").filter_map(|(_, length)| length.as_number());
    let lengths = lengths.map(|length| length as u64).collect();
    let first_section = memmem::find(head, b"endobj").map(|word| {
        let end = word + b"endobj".len();
        let blanks = head.get(end..).unwrap_or_default().iter().take_while(|&&byte| is_space(byte)).count();
        start + (end + blanks) as u64
    });
    Ok(Bounded::Known(Linearization { is_ambiguous: !is_strict(text), lengths, first_section }))
}

/// The text of the first object and what follows; none if a file does not begin with a plain object header (7.3.10).
fn first_object(head: &[u8]) -> Option<&[u8]> {
    let mut lexer = Lexer::new(head);
    lexer.skip_space();
    let numbers = [lexer.take_integer()?, lexer.take_integer()?];
    let is_header = numbers.iter().all(|number| *number >= 0) && lexer.take_word(WORD);
    lexer.skip_space();
    is_header.then(|| lexer.rest())
}
