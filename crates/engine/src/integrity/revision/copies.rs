//! Objects that readers find when they rebuild the cross-reference: unlisted object headers after the listed object,
//! also within data, and members of object streams. Each is compared with the listed object.

use std::collections::BTreeSet;
use std::ops::Range;
use std::rc::Rc;

use super::conformance::EARLY_ENTRY_BYTES;
use super::equal::Pair;
use super::indeterminate::{Bounded, Limit};
use super::revision_end::MAX_TRAILER_BYTES;
use super::structure::walk::CumulativeUses;
use pdf_syntax::document::Document;
use pdf_syntax::document::objects::{Body, State, Stored};
use pdf_syntax::failure::{Fault, tried};
use pdf_syntax::input::reader::PIECE;
use pdf_syntax::stream::object_stream::ObjectStream;
use pdf_syntax::syntax::dictionary::Dictionary;
use pdf_syntax::syntax::object::Object;
use pdf_syntax::syntax::parser::parse_object;
use pdf_syntax::xref::entries::XrefEntry;
use pdf_syntax::xref::headers::Headers;

/// Maximum bytes of object streams decoded for unlisted members.
const MAX_DECODED_BYTES: usize = 64 << 20;
/// Maximum copies reported.
const MAX_REPORTED: usize = 10;

/// Another object with the number of a referenced one.
#[derive(Debug)]
pub(crate) struct Copy {
    pub(crate) number: u32,
    /// Its offset, or the object stream that contains it.
    pub(crate) offset: u64,
    pub(crate) object: Object,
}

/// The object headers in a file that is scanned for them.
pub(crate) fn headers(document: &mut Document) -> Result<Headers, Fault> {
    let mut headers = Headers::default();
    document.reader.begin_pass()?;
    let mut at = 0;
    while at < document.reader.file_size() {
        let piece = document.reader.pass(at, PIECE)?;
        headers.feed(&piece);
        at += piece.len() as u64;
        document.budget.work(piece.len() / 8)?;
    }
    Ok(headers)
}

/// The first copies of objects in `map` that differ from the newest state.
pub(crate) fn copies(
    document: &mut Document,
    headers: &Headers,
    map: &CumulativeUses,
) -> Result<Bounded<Vec<Copy>>, Fault> {
    let mut search = CopySearch { copies: Vec::new(), left: Some(MAX_DECODED_BYTES) };
    let is_reached = |number: u32| map.is_truncated || !map.places(number).is_empty();
    for (number, offset) in headers.all() {
        if is_reached(number) {
            search.alone(document, number, offset)?;
            continue;
        }
        search.root(document, number, offset)?;
        // a reader with a buffer boundary there may see only the end of a number
        let digits = number.to_string();
        let ends = (1..digits.len()).filter_map(|from| digits.get(from..)?.parse().ok());
        if ends.into_iter().any(is_reached) && !is_listed(document, number, offset)? {
            search.add(number, offset, None);
        }
    }
    if let Some(offset) = headers.unread {
        search.add(0, offset, None);
    }
    for &offset in &headers.trailers {
        search.trailer(document, offset)?;
    }
    for (stream, offset) in headers.holders() {
        search.members(document, stream, offset, &is_reached)?;
    }
    Ok(if headers.is_cut || search.left.is_none() {
        Bounded::Exhausted(Limit::Copies)
    } else {
        Bounded::Known(search.copies)
    })
}

/// The first copies in a signed state that differ from its objects, which a viewer found if it repaired the file when it
/// was signed: a conforming update makes it stop doing so. Copies within streams count only if the state does not conform.
pub(crate) fn unlisted(
    document: &mut Document,
    headers: &Headers,
    map: &CumulativeUses,
    (state, end): (State, u64),
) -> Result<Vec<Copy>, Fault> {
    let mut found = Vec::new();
    let mut is_plain = None;
    for (number, offset) in headers.all().filter(|(_, offset)| *offset < end) {
        let is_absent = map.places(number).is_empty() || document.entry(state, number)? == XrefEntry::Free;
        if is_absent || is_listed(document, number, offset)? {
            continue;
        }
        let Some(Stored::Object(copy)) = differing_copy(document, state, (number, offset))? else { continue };
        if is_in_stream(document, headers, state, offset)? {
            if is_plain.is_none() {
                is_plain = Some(has_exact_entries(document, headers, state)?);
            }
            if is_plain == Some(true) {
                continue;
            }
        }
        found.push(Copy { number, offset, object: copy.object.clone() });
        if found.len() == MAX_REPORTED {
            break;
        }
    }
    Ok(found)
}

/// The object at an offset, if it is behind the one in a state and differs from it.
fn differing_copy(
    document: &mut Document,
    state: State,
    (number, offset): (u32, u64),
) -> Result<Option<Stored>, Fault> {
    let entry = document.entry(state, number)?;
    let place = match entry {
        XrefEntry::In { stream, .. } => document.entry(state, stream)?,
        entry => entry,
    };
    if matches!(place, XrefEntry::At(place) if offset <= place) {
        return Ok(None);
    }
    let object = document.stored(state, number, entry)?;
    let copy = document.stored(state, number, XrefEntry::At(offset))?;
    let is_same = match (&object, &copy) {
        (Stored::Object(object), Stored::Object(copy)) => Pair::of(state, state).same_body(document, object, copy)?,
        _ => false,
    };
    Ok((!is_same).then_some(copy))
}

/// Whether an offset is in the data of a listed stream, such as an attached PDF.
fn is_in_stream(document: &mut Document, headers: &Headers, state: State, offset: u64) -> Result<bool, Fault> {
    for (number, at) in headers.all().rev().skip_while(|(_, at)| *at >= offset) {
        document.budget.work(1)?;
        if !is_listed(document, number, at)? {
            continue;
        }
        let Stored::Object(body) = document.stored(state, number, XrefEntry::At(at))? else { return Ok(false) };
        let place = document.stream_place(state, &body)?;
        return Ok(place.is_some_and(|place| place.contains(&offset)));
    }
    Ok(false)
}

/// Whether all entries of a state lead to objects, and its `/Size` exceeds their numbers, so that no viewer repairs it.
fn has_exact_entries(document: &mut Document, headers: &Headers, state: State) -> Result<bool, Fault> {
    let starts: BTreeSet<(u32, u64)> = headers.all().collect();
    let (size, first) = document.xref.parts.get(state.0).map_or((0, 0), |part| (part.size, part.sections.start));
    let sections = document.xref.sections.get(first..).unwrap_or_default();
    let numbers: BTreeSet<u32> = sections.iter().flat_map(|section| section.numbers()).collect();
    for number in numbers {
        document.budget.work(1)?;
        let entry = document.entry(state, number)?;
        let is_exact = match entry {
            XrefEntry::At(offset) => (offset..=offset + EARLY_ENTRY_BYTES).any(|at| starts.contains(&(number, at))),
            XrefEntry::In { .. } | XrefEntry::Free => true,
        };
        if !is_exact || entry != XrefEntry::Free && number >= size {
            return Ok(false);
        }
    }
    Ok(true)
}

struct CopySearch {
    copies: Vec<Copy>,
    /// Bytes that may still be decoded; `None` once the limit was exceeded.
    left: Option<usize>,
}

impl CopySearch {
    /// Checks an object outside of object streams; readers take the last one.
    fn alone(&mut self, document: &mut Document, number: u32, offset: u64) -> Result<(), Fault> {
        if let Some(copy) = differing_copy(document, State(0), (number, offset))? {
            self.add(number, offset, copy.body().map(|copy| copy.object.clone()));
        }
        Ok(())
    }

    /// Checks an unreferenced object that may be or reference a catalog when the cross-reference is rebuilt.
    fn root(&mut self, document: &mut Document, number: u32, offset: u64) -> Result<(), Fault> {
        if is_listed(document, number, offset)? {
            return Ok(());
        }
        let Stored::Object(body) = document.stored(State(0), number, XrefEntry::At(offset))? else { return Ok(()) };
        let leads = |dictionary: &Dictionary| dictionary.has(b"Root") || dictionary.is_type(b"Catalog");
        if body.dictionary().is_some_and(leads) && !document.xref.parts.iter().any(|part| part.offset == offset) {
            self.add(number, offset, Some(body.object.clone()));
        }
        Ok(())
    }

    /// Checks a trailer for another catalog.
    fn trailer(&mut self, document: &mut Document, offset: u64) -> Result<(), Fault> {
        let text = document.reader.view(offset + b"trailer".len() as u64, MAX_TRAILER_BYTES)?;
        let parsed = parse_object(text).map(|parsed| parsed.object).unwrap_or_default();
        let root = parsed.entry(b"Root");
        if !root.is_null() && root != document.xref.trailer.get(b"Root") {
            self.add(0, offset, Some(parsed));
        }
        Ok(())
    }

    /// Checks the members of a possible object stream.
    fn members(
        &mut self,
        document: &mut Document,
        stream: u32,
        offset: u64,
        is_reached: &impl Fn(u32) -> bool,
    ) -> Result<(), Fault> {
        let Stored::Object(body) = document.stored(State(0), stream, XrefEntry::At(offset))? else { return Ok(()) };
        if body.stream.is_none() || !body.dictionary().is_some_and(|dictionary| dictionary.has(b"N")) {
            return Ok(());
        }
        let Some(container) = self.container(document, &body, (stream, offset))? else { return Ok(()) };
        let is_listed_here = is_listed(document, stream, offset)?;
        for (index, number) in (0..).zip(container.numbers()).filter(|(_, number)| is_reached(*number)) {
            let own = XrefEntry::In { stream, index };
            if is_listed_here && listed(document, number)?.contains(&own) {
                continue;
            }
            let copy = container.text(number, index).and_then(|text| parse_object(text).ok());
            let newest = document.view(State(0)).object(number)?;
            let pair = Pair::of(State(0), State(0));
            let is_same = match (&newest, &copy) {
                (Some(newest), Some(copy)) => {
                    newest.stream.is_none() && pair.same(document, &newest.object, &copy.object)?
                }
                _ => false,
            };
            if !is_same {
                self.add(number, offset, copy.map(|copy| copy.object));
            }
        }
        Ok(())
    }

    /// The object stream; `None` if it is none or exceeds the limit.
    fn container(
        &mut self,
        document: &mut Document,
        body: &Body,
        (stream, offset): (u32, u64),
    ) -> Result<Option<Rc<ObjectStream>>, Fault> {
        if document.entry(State(0), stream)? == XrefEntry::At(offset) {
            return document.object_stream(State(0), stream);
        }
        let Some(left) = self.left else { return Ok(None) };
        let decoded = tried(document.decoded(State(0), body, left))?;
        let Some(data) = decoded.unwrap_or_else(|| Some(vec![0; left])) else { return Ok(None) };
        self.left = left.checked_sub(data.len()).filter(|left| *left > 0);
        Ok(match self.left {
            Some(_) => Some(Rc::new(document.unpacked(State(0), body, data)?)),
            None => None,
        })
    }

    fn add(&mut self, number: u32, offset: u64, object: Option<Object>) {
        if self.copies.len() < MAX_REPORTED {
            self.copies.push(Copy { number, offset, object: object.unwrap_or_default() });
        }
    }
}

/// The entries for an object in all sections.
fn listed(document: &mut Document, number: u32) -> Result<Vec<XrefEntry>, Fault> {
    let Document { xref, reader, budget, .. } = document;
    let all: Range<usize> = 0..xref.parts.len();
    Ok(xref.listings(all, number, reader, budget)?.into_iter().map(|(entry, _)| entry).collect())
}

/// Whether any section lists the object at this offset or at the line end before it, or starts there itself.
fn is_listed(document: &mut Document, number: u32, offset: u64) -> Result<bool, Fault> {
    let is_section = document.xref.parts.iter().any(|part| part.offset == offset);
    let early = offset.saturating_sub(EARLY_ENTRY_BYTES)..=offset;
    let is_here = |entry: &XrefEntry| matches!(entry, XrefEntry::At(place) if early.contains(place));
    Ok(is_section || listed(document, number)?.iter().any(is_here))
}
