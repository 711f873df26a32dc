//! Copies of objects that no section lists, or that stand behind the listed one: what readers find under an object's number
//! that rebuild the cross-reference. Each is held against the object as it is.

use std::ops::Range;
use std::rc::Rc;

use super::equal::Pair;
use super::structure::walk::Map;
use crate::document::Document;
use crate::document::objects::{Body, State, Stored};
use crate::failure::{Fault, tried};
use crate::input::reader::PIECE;
use crate::stream::object_stream::ObjectStream;
use crate::syntax::dictionary::Dictionary;
use crate::syntax::object::Object;
use crate::syntax::parser::parse_object;
use crate::xref::entries::XrefEntry;
use crate::xref::headers::Headers;

/// How much of object streams is decoded for what nobody lists, in bytes.
const DECODED: usize = 64 << 20;
/// Copies that differ and are told of.
const TOLD: usize = 10;
/// How much is read for the dictionary of a trailer, in bytes.
const TRAILER: usize = 8 << 10;

/// Another object under the number of one that the file leads to.
#[derive(Debug)]
pub(crate) struct Copy {
    pub(crate) number: u32,
    /// Where it stands, or what it stands in.
    pub(crate) offset: u64,
    pub(crate) object: Object,
}

/// What was found.
#[derive(Debug, Default)]
pub(crate) struct Copies {
    /// Those that are not as the object is, the first ones.
    pub(crate) differing: Vec<Copy>,
    /// Whether something could not be looked into.
    pub(crate) is_cut: bool,
}

/// The headers in a file that is passed over for them.
pub(crate) fn headers(document: &mut Document) -> Result<Headers, Fault> {
    let mut headers = Headers::default();
    document.reader.begin_pass()?;
    let mut at = 0;
    while at < document.reader.len() {
        let piece = document.reader.pass(at, PIECE)?;
        headers.feed(&piece);
        at += piece.len() as u64;
        document.budget.work(piece.len() / 8)?;
    }
    Ok(headers)
}

/// Copies of what `map` knows to be led to, in the newest state; those that older sections list as well where they stand
/// behind the object and `is_odd`.
pub(crate) fn copies(document: &mut Document, headers: &Headers, map: &Map, is_odd: bool) -> Result<Copies, Fault> {
    let mut search =
        CopySearch { copies: Copies { is_cut: headers.is_cut, ..Copies::default() }, left: DECODED, is_odd };
    let is_reached = |number: u32| map.is_cut || !map.places(number).is_empty();
    for (number, offset) in headers.all() {
        match is_reached(number) {
            true => search.alone(document, number, offset)?,
            false if is_odd => search.root(document, number, offset)?,
            false => {}
        }
    }
    for &offset in headers.trailers.iter().filter(|_| is_odd) {
        search.trailer(document, offset)?;
    }
    for (stream, offset) in headers.holders() {
        search.members(document, stream, offset, &is_reached)?;
    }
    Ok(search.copies)
}

struct CopySearch {
    copies: Copies,
    /// How much may still be decoded, in bytes.
    left: usize,
    is_odd: bool,
}

impl CopySearch {
    /// What stands in the file itself.
    fn alone(&mut self, document: &mut Document, number: u32, offset: u64) -> Result<(), Fault> {
        let newest = document.entry(State(0), number)?;
        if newest == XrefEntry::At(offset) {
            return Ok(());
        }
        let is_listed = listed(document, number)?.contains(&XrefEntry::At(offset));
        let is_behind = matches!(newest, XrefEntry::At(place) if offset > place);
        if is_listed && !(self.is_odd && is_behind) {
            return Ok(());
        }
        let object = document.stored(State(0), number, newest)?;
        let copy = document.stored(State(0), number, XrefEntry::At(offset))?;
        let pair = Pair { old: State(0), new: State(0) };
        let is_same = match (&object, &copy) {
            (Stored::Object(object), Stored::Object(copy)) => pair.same_body(document, object, copy)?,
            _ => false,
        };
        if !is_same {
            self.tell(number, offset, copy.body().map(|copy| copy.object.clone()));
        }
        Ok(())
    }

    /// What nothing leads to, and may lead to a catalog or be one where the cross-reference is rebuilt.
    fn root(&mut self, document: &mut Document, number: u32, offset: u64) -> Result<(), Fault> {
        if listed(document, number)?.contains(&XrefEntry::At(offset)) {
            return Ok(());
        }
        let Stored::Object(body) = document.stored(State(0), number, XrefEntry::At(offset))? else { return Ok(()) };
        let leads = |dictionary: &Dictionary| dictionary.has(b"Root") || dictionary.is_type(b"Catalog");
        if body.dictionary().is_some_and(leads) && !document.xref.parts.iter().any(|part| part.offset == offset) {
            self.tell(number, offset, Some(body.object.clone()));
        }
        Ok(())
    }

    /// A trailer with another catalog.
    fn trailer(&mut self, document: &mut Document, offset: u64) -> Result<(), Fault> {
        let text = document.reader.view(offset + b"trailer".len() as u64, TRAILER)?;
        let parsed = parse_object(text).map(|parsed| parsed.object).unwrap_or_default();
        let root = parsed.entry(b"Root");
        if !root.is_null() && root != document.xref.trailer.get(b"Root") {
            self.tell(0, offset, Some(parsed));
        }
        Ok(())
    }

    /// What stands in a stream that may be an object stream.
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
        let is_listed_here = listed(document, stream)?.contains(&XrefEntry::At(offset));
        for (index, number) in (0..).zip(container.numbers()).filter(|(_, number)| is_reached(*number)) {
            let own = XrefEntry::In { stream, index };
            if is_listed_here && listed(document, number)?.contains(&own) {
                continue;
            }
            let copy = container.text(number, index).and_then(|text| parse_object(text).ok());
            let newest = document.view(State(0)).object(number)?;
            let pair = Pair { old: State(0), new: State(0) };
            let is_same = match (&newest, &copy) {
                (Some(newest), Some(copy)) => {
                    newest.stream.is_none() && pair.same(document, &newest.object, &copy.object)?
                }
                _ => false,
            };
            if !is_same {
                self.tell(number, offset, copy.map(|copy| copy.object));
            }
        }
        Ok(())
    }

    /// The object stream; none if it is none, or too much.
    fn container(
        &mut self,
        document: &mut Document,
        body: &Body,
        (stream, offset): (u32, u64),
    ) -> Result<Option<Rc<ObjectStream>>, Fault> {
        if document.entry(State(0), stream)? == XrefEntry::At(offset) {
            return document.object_stream(State(0), stream);
        }
        let data = match tried(document.decoded(State(0), body, self.left))? {
            Some(None) => return Ok(None),
            Some(Some(data)) if data.len() < self.left => data,
            Some(Some(_)) | None => {
                self.copies.is_cut = true;
                return Ok(None);
            }
        };
        self.left -= data.len();
        Ok(Some(Rc::new(document.unpacked(State(0), body, data)?)))
    }

    fn tell(&mut self, number: u32, offset: u64, object: Option<Object>) {
        if self.copies.differing.len() < TOLD {
            self.copies.differing.push(Copy { number, offset, object: object.unwrap_or_default() });
        }
    }
}

/// Where any section has an object.
fn listed(document: &mut Document, number: u32) -> Result<Vec<XrefEntry>, Fault> {
    let Document { xref, reader, budget, .. } = document;
    let all: Range<usize> = 0..xref.parts.len();
    Ok(xref.listings(all, number, reader, budget)?.into_iter().map(|(entry, _)| entry).collect())
}
