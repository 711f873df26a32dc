//! Whether a later revision of a signed file is made of what its cross-reference tells of and of nothing else. Readers that
//! come across more, because they rebuild what they do not like, may see another file.

use std::collections::BTreeSet;
use std::num::NonZeroU64;
use std::ops::Range;

use memchr::memmem;

use super::end;
use super::span::Span;
use crate::document::Document;
use crate::document::objects::Stored;
use crate::failure::Fault;
use crate::syntax::char_class::is_space;
use crate::syntax::lexer::Lexer;
use crate::xref::entries::Entry;
use crate::xref::object_header::starts_with_object;

/// White space that may follow the end of a file before some readers lose sight of it.
const PADDING: u64 = 512;
/// Objects looked at that a section has beyond a `/Size`.
const BEYOND: usize = 1_000;
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

/// What stands loose in a revision, or between it and the one before it.
pub(crate) fn loose(document: &mut Document, older: &Span, span: &Span) -> Result<Vec<Loose>, Fault> {
    let mut known = Vec::new();
    for part in document.xref.parts.get(span.parts.clone()).unwrap_or_default().to_vec() {
        // what follows a cross-reference up to the end of the revision is its own end
        let end = end::behind_section(document, &part)?.unwrap_or(part.offset);
        known.push(part.offset..end.max(part.offset + 1));
        if let Some(supplement) = part.supplement.map(NonZeroU64::get) {
            known.push(supplement..end::behind_stream(document, supplement)?.unwrap_or(supplement + 1));
        }
    }
    let last = known.iter().map(|place| place.end).max().unwrap_or(span.end);
    known.push(last..span.end);
    for &number in &span.numbers {
        if let Entry::At(offset) = document.entry(span.state(), number)?
            && (older.end..span.end).contains(&offset)
        {
            known.push(offset..extent(document, span, number, offset)?);
        }
    }
    known.sort_by_key(|place| place.start);
    let (mut at, mut loose) = (older.end, Vec::new());
    for place in known {
        if place.start > at {
            loose.extend(between(document, at..place.start)?);
        }
        at = at.max(place.end);
    }
    Ok(loose)
}

/// Whether a revision's `/Size` (7.5.5) is so small that readers who go by it lose objects that are in use.
pub(crate) fn is_too_small(document: &mut Document, older: &Span, span: &Span) -> Result<bool, Fault> {
    let parts = &document.xref.parts;
    let size = |span: &Span| parts.get(span.parts.start).map_or(0, |part| part.size);
    let least = size(span);
    if least >= size(older) {
        return Ok(false);
    }
    let mut beyond = BTreeSet::new();
    for section in &document.xref.sections {
        let first = section.numbers().skip_while(|&number| number < least);
        beyond.extend(first.take(BEYOND));
    }
    for number in beyond {
        let entry = document.entry(span.state(), number)?;
        let stored = document.stored(span.state(), number, entry)?;
        // the cross-reference itself is found without it
        let is_xref = || stored.body().and_then(|body| body.dictionary()).is_some_and(|it| it.is_type(b"XRef"));
        if !stored.is_absent() && !is_xref() {
            return Ok(true);
        }
    }
    Ok(false)
}

/// Where the object at an offset ends, its stream included.
fn extent(document: &mut Document, span: &Span, number: u32, offset: u64) -> Result<u64, Fault> {
    let Stored::Object(body) = document.stored(span.state(), number, Entry::At(offset))? else { return Ok(offset) };
    let end = match document.stream_place(span.state(), &body)? {
        Some(place) => place.end,
        None => body.end,
    };
    let mut lexer = Lexer::new(document.reader.view(end, 64)?);
    lexer.take_word(b"endstream");
    lexer.take_word(b"endobj");
    Ok(end + lexer.position() as u64)
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
    Ok(None)
}

/// What stands behind the newest end.
pub(crate) fn behind(document: &mut Document, newest: &Span) -> Result<Option<Loose>, Fault> {
    let length = document.reader.len();
    let found = between(document, newest.end..length)?;
    let is_far = length - newest.end.min(length) > PADDING;
    Ok(found.or_else(|| is_far.then_some(Loose { place: newest.end..length, has_objects: false })))
}
