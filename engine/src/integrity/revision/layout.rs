//! What stands behind the end of a revision and in none: padding, or a state that nothing leads to any more.

use std::ops::Range;

use memchr::memmem;

use super::end;
use super::span::Span;
use crate::document::Document;
use crate::failure::Fault;
use crate::syntax::char_class::is_space;
use crate::xref::object_header::starts_with_object;

/// White space that may follow the end of a file before some readers lose sight of it.
const PADDING: u64 = 512;
/// What may stand between a revision's end and the next one's first object, or the last `startxref`.
const GAP: u64 = 32;
/// Bytes looked at between objects.
const LOOKED: usize = 64 << 10;

/// Something in a file that its cross-reference does not account for.
#[derive(Debug)]
pub(crate) struct Loose {
    pub(crate) place: Range<u64>,
    /// Whether it holds objects, or what leads to some.
    pub(crate) has_objects: bool,
}

/// What stands there beside white space.
fn between(document: &mut Document, place: Range<u64>) -> Result<Option<Loose>, Fault> {
    let size = ((place.end - place.start) as usize).min(LOOKED);
    let view = document.reader.view(place.start, size)?;
    document.budget.work(view.len())?;
    let view = document.reader.view(place.start, size)?;
    if view.iter().all(|&byte| is_space(byte)) {
        return Ok(None);
    }
    let has_objects = holds_objects(view) || size == LOOKED;
    Ok(Some(Loose { place, has_objects }))
}

fn holds_objects(text: &[u8]) -> bool {
    let words: [&[u8]; 3] = [b"trailer", b"xref", b"%%EOF"];
    starts_with_object(text) || words.iter().any(|word| memmem::find(text, word).is_some())
}

/// Where a state stands that nothing leads to any more: between a revision and the one after it, or behind the newest.
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

/// Where such a state stands behind the newest trailer, of which no end of its own is left.
fn behind_trailer(document: &mut Document, spans: &[Span]) -> Result<Option<Range<u64>>, Fault> {
    let Some(newest) = spans.last().filter(|span| !span.is_closed) else { return Ok(None) };
    let parts = document.xref.parts.get(newest.parts.clone()).unwrap_or_default();
    let Some(last) = parts.iter().max_by_key(|part| part.offset).cloned() else { return Ok(None) };
    let (from, to) = (end::behind_section(document, &last)?, document.xref.last_end);
    let Some(place) = from.filter(|from| to > from + GAP).map(|from| from..to) else { return Ok(None) };
    Ok(between(document, place.clone())?.filter(|loose| loose.has_objects).map(|_| place))
}

/// What stands behind the newest end.
pub(crate) fn behind(document: &mut Document, newest: &Span) -> Result<Option<Loose>, Fault> {
    let length = document.reader.len();
    let found = between(document, newest.end..length)?;
    let is_far = length - newest.end.min(length) > PADDING;
    Ok(found.or_else(|| is_far.then_some(Loose { place: newest.end..length, has_objects: false })))
}
