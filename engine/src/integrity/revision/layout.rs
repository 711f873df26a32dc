//! What follows the end of a revision and is in none: padding, bytes that the file has already, or a state that nothing leads
//! to any more.

use std::ops::Range;

use memchr::memmem;

use super::end;
use super::span::Span;
use crate::document::Document;
use crate::failure::Fault;
use crate::syntax::char_class::is_space;
use crate::syntax::lexer::Lexer;
use crate::syntax::parser::parse_object;
use crate::xref::object_header::{WORD, starts_with_object};

/// What may be between a revision's end and the next one's first object, or the last `startxref`.
const GAP: u64 = 32;
/// Bytes examined between objects.
const EXAMINED: usize = 64 << 10;
/// How many bytes are called repeated at least, and where in the file at most.
const SHORTEST_REPEAT: usize = 16;
const LONGEST_REPEAT: u64 = 32 << 20;
/// Where the dictionary of a linearized file is, in bytes from its start.
const HEAD: usize = 1024;

/// Something in a file that its cross-reference does not account for.
#[derive(Debug)]
pub(crate) struct Loose {
    pub(crate) place: Range<u64>,
    /// Whether it holds objects, or what leads to some.
    pub(crate) has_objects: bool,
}

/// What is there beside white space.
fn between(document: &mut Document, place: Range<u64>) -> Result<Option<Loose>, Fault> {
    let size = ((place.end - place.start) as usize).min(EXAMINED);
    document.budget.work(size)?;
    let view = document.reader.view(place.start, size)?;
    if view.iter().all(|&byte| is_space(byte)) {
        return Ok(None);
    }
    let mut lexer = Lexer::new(view);
    lexer.skip_space();
    let has_objects = holds_objects(lexer.rest()) || size == EXAMINED;
    let has_objects = has_objects && !is_repeated(document, &place)?;
    Ok(Some(Loose { place, has_objects }))
}

/// Whether text has objects, or an end of a file. A trailer alone, as some programs write behind a cross-reference stream, leads
/// to nothing else.
fn holds_objects(text: &[u8]) -> bool {
    let words: [&[u8]; 2] = [b"startxref", b"%%EOF"];
    starts_with_object(text) || words.iter().any(|word| memmem::find(text, word).is_some())
}

/// Whether these bytes are in the file before already: it was written twice, or with the rest of a buffer.
pub(crate) fn is_repeated(document: &mut Document, place: &Range<u64>) -> Result<bool, Fault> {
    let size = (place.end - place.start) as usize;
    if size < SHORTEST_REPEAT || place.end > LONGEST_REPEAT {
        return Ok(false);
    }
    document.budget.work(place.end as usize / 8)?;
    let all = document.reader.view(0, place.end as usize)?;
    let bytes = all.get(place.start as usize..).unwrap_or_default().trim_ascii_end();
    // the first place may reach into these bytes
    let before = all.get(..(place.start as usize + bytes.len()).saturating_sub(1)).unwrap_or_default();
    Ok(!bytes.is_empty() && memmem::find(before, bytes).is_some())
}

/// Where a state is that nothing leads to any more: between a revision and the one after it, or behind the newest.
pub(crate) fn lost(document: &mut Document, spans: &[Span]) -> Result<Option<Range<u64>>, Fault> {
    let starts = spans.iter().skip(1).map(|span| span.start).chain([document.xref.last_end]);
    for (span, start) in spans.iter().zip(starts) {
        let end = span.end;
        if span.is_closed && start > end + GAP && between(document, end..start)?.is_some_and(|loose| loose.has_objects)
        {
            return Ok(Some(end..start));
        }
    }
    behind_trailer(document, spans)
}

/// Where such a state is behind the newest trailer, of which no end of its own is left.
fn behind_trailer(document: &mut Document, spans: &[Span]) -> Result<Option<Range<u64>>, Fault> {
    let Some(newest) = spans.last().filter(|span| !span.is_closed) else { return Ok(None) };
    let parts = document.xref.parts.get(newest.parts.clone()).unwrap_or_default();
    let Some(last) = parts.iter().max_by_key(|part| part.offset).cloned() else { return Ok(None) };
    let (from, to) = (end::behind_section(document, &last)?, document.xref.last_end);
    let Some(place) = from.filter(|from| to > from + GAP).map(|from| from..to) else { return Ok(None) };
    Ok(between(document, place.clone())?.filter(|loose| loose.has_objects).map(|_| place))
}

/// What follows an end.
pub(crate) fn behind(document: &mut Document, end: u64) -> Result<Option<Loose>, Fault> {
    let place = end..document.reader.len();
    let found = between(document, place.clone())?;
    Ok(found.or_else(|| (!place.is_empty()).then_some(Loose { place, has_objects: false })))
}

/// `/L` of a file that was linearized (annex F): its length then.
pub(crate) fn linearized_length(document: &mut Document) -> Result<Option<u64>, Fault> {
    let mut lexer = Lexer::new(document.reader.view(document.header.offset, HEAD)?);
    lexer.skip_space();
    let _header = (lexer.take_integer(), lexer.take_integer(), lexer.take_word(WORD));
    let first = parse_object(lexer.rest()).map(|parsed| parsed.object).unwrap_or_default();
    let length = first.entry(b"L").as_integer().and_then(|length| u64::try_from(length).ok());
    Ok(length.filter(|_| !first.entry(b"Linearized").is_null()))
}
