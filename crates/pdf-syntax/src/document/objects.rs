//! Objects of a file: located in a revision, read and decrypted. They are cached by place, for all revisions (7.5.6).

use std::cell::Cell;
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;
use std::rc::Rc;

use super::Document;
use crate::failure::Fault;
use crate::stream::body::ends_at;
use crate::stream::object_stream::ObjectStream;
use crate::stream::placed;
use crate::syntax::dictionary::Dictionary;
use crate::syntax::lexer::Lexer;
use crate::syntax::name::Name;
use crate::syntax::object::{Id, Object};
use crate::syntax::parser::Value;
use crate::syntax::strict;
use crate::xref::entries::XrefEntry;

/// Maximum size of the object cache, in units of some 64 bytes; beyond, it is cleared.
const MAX_CACHED_SIZE: usize = 1 << 18;
/// Maximum bytes of cached object streams; beyond, the cache is cleared.
const MAX_CACHED_STREAM_BYTES: usize = 24 << 20;
/// Maximum nesting of object streams: real ones do not depend on others for decoding.
const MAX_STREAM_NESTING: usize = 4;
/// Enough for `endobj` with white space before it.
const OBJECT_END_BYTES: usize = 16;

/// A revision: index of the newest cross-reference section it includes; 0 is the newest revision.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct State(pub usize);

/// An object, decrypted.
#[derive(Debug, Clone)]
pub struct Body {
    /// Its number and generation.
    pub id: Id,
    /// Its value; the dictionary if it is a stream.
    pub object: Object,
    /// Its place.
    pub entry: XrefEntry,
    /// Offset of its encoded body in the file, if it is a stream.
    pub stream: Option<u64>,
    /// End offset of its value, if it is not in an object stream.
    pub end: u64,
    /// Its size, in units of some 64 bytes.
    size: usize,
    /// Whether tokens of its value were skipped, which other readers may read as a part of it.
    pub has_stray_tokens: bool,
    /// Whether a string could not be decrypted, which viewers show differently.
    pub has_unread_string: bool,
    /// Whether every reader parses its value alike, once that was determined.
    is_strict: Cell<Option<bool>>,
}

impl Body {
    /// Returns a direct value as an object.
    pub(super) fn inline(object: Object) -> Self {
        let id = Id { number: 0, generation: 0 };
        let (entry, is_strict) = (XrefEntry::Free, Cell::default());
        let (has_stray_tokens, has_unread_string) = (false, false);
        Self { id, object, entry, stream: None, end: 0, size: 0, has_stray_tokens, has_unread_string, is_strict }
    }

    /// Returns its dictionary, if it is one or a stream.
    pub fn dictionary(&self) -> Option<&Dictionary> {
        self.object.as_dictionary()
    }
}

/// The stored object at a place.
#[derive(Debug)]
pub enum Stored {
    /// Nothing: it reads as null.
    Absent,
    /// Unreadable here, though other readers may read it.
    Unreadable,
    /// An object.
    Object(Rc<Body>),
}

impl Stored {
    /// The object, if there is one.
    pub fn body(&self) -> Option<&Body> {
        if let Self::Object(body) = self { Some(body) } else { None }
    }

    /// Whether nothing is stored.
    pub fn is_absent(&self) -> bool {
        matches!(self, Self::Absent)
    }

    /// Whether it cannot be read here.
    pub fn is_unreadable(&self) -> bool {
        matches!(self, Self::Unreadable)
    }
}

/// Place of an object: its number, its offset or its object stream's, and its index in the stream.
type Place = (u32, u64, Option<u32>);

/// Cached objects.
pub(super) struct Cache {
    bodies: BTreeMap<Place, Rc<Body>>,
    size: usize,
    /// By their offsets.
    streams: BTreeMap<u64, Rc<ObjectStream>>,
    streams_size: usize,
    /// Remaining nesting of object streams.
    nesting: usize,
    /// Objects needed to decode object streams, with the offset of the stream.
    read_by: BTreeSet<(u32, u64)>,
}

impl Cache {
    pub(super) fn new() -> Self {
        let (bodies, streams) = (BTreeMap::new(), BTreeMap::new());
        Self { bodies, size: 0, streams, streams_size: 0, nesting: MAX_STREAM_NESTING, read_by: BTreeSet::new() }
    }

    fn keep(&mut self, place: Place, body: &Rc<Body>) {
        let size = body.size;
        if self.size + size > MAX_CACHED_SIZE {
            (self.bodies, self.size) = (BTreeMap::new(), 0);
        }
        if size <= MAX_CACHED_SIZE {
            self.size += size;
            self.bodies.insert(place, Rc::clone(body));
        }
    }

    fn keep_stream(&mut self, offset: u64, stream: &Rc<ObjectStream>) {
        if self.streams_size + stream.decoded_size() > MAX_CACHED_STREAM_BYTES {
            (self.streams, self.streams_size) = (BTreeMap::new(), 0);
        }
        self.streams_size += stream.decoded_size();
        self.streams.insert(offset, Rc::clone(stream));
    }
}

impl Document<'_> {
    /// Returns the revision of the file that ended at this offset: the sections before it, whichever newer ones refer
    /// to them. Empty if there are none; the newest revision if the file was repaired.
    pub fn state_at(&self, end: u64) -> State {
        if self.xref.is_repaired() {
            return State(0);
        }
        let parts = &self.xref.parts;
        State(parts.iter().position(|part| part.offset < end).unwrap_or(parts.len()))
    }

    /// Returns the place of an object in a revision.
    pub fn entry(&mut self, state: State, number: u32) -> Result<XrefEntry, Fault> {
        let (entry, steps) = self.xref.entry(state.0, number, &mut self.reader)?;
        self.budget.work(steps)?;
        self.trace.note(number, entry);
        Ok(entry)
    }

    /// Returns the stored object of a cross-reference entry.
    ///
    /// # Errors
    /// Only that the source could not be read.
    pub fn stored(&mut self, state: State, number: u32, entry: XrefEntry) -> Result<Stored, Fault> {
        match self.read(state, number, entry) {
            Ok(Some(body)) => Ok(Stored::Object(body)),
            Ok(None) => Ok(Stored::Absent),
            Err(Fault::Source(error)) => Err(Fault::Source(error)),
            // a repaired file may have nothing there
            Err(Fault::Damaged) if self.xref.is_repaired() => Ok(Stored::Absent),
            Err(_) => Ok(Stored::Unreadable),
        }
    }

    /// Reads the object at a place; none if there is nothing.
    ///
    /// # Errors
    /// `Damaged` if another object is there, `TooComplex` if it has too many values.
    pub(super) fn read(&mut self, state: State, number: u32, entry: XrefEntry) -> Result<Option<Rc<Body>>, Fault> {
        let (offset, index) = match entry {
            XrefEntry::Free => return Ok(None),
            XrefEntry::At(offset) => (offset, None),
            XrefEntry::In { stream, index } => match self.entry(state, stream)? {
                XrefEntry::At(offset) => (offset, Some((stream, index))),
                XrefEntry::Free | XrefEntry::In { .. } => return Err(Fault::Damaged),
            },
        };
        let place = (number, offset, index.map(|(_, index)| index));
        if let Some(body) = self.cache.bodies.get(&place) {
            // the caller uses at least a part of it
            self.budget.work(1 + body.size / 8)?;
            return Ok(Some(Rc::clone(body)));
        }
        let read = match index {
            Some(index) => self.read_within(state, number, (index, offset))?,
            None => Some(self.read_alone(number, offset)?),
        };
        let Some(body) = read else { return Ok(None) };
        let body = Rc::new(body);
        self.cache.keep(place, &body);
        Ok(Some(body))
    }

    /// Reads an object at an offset of the file.
    fn read_alone(&mut self, number: u32, offset: u64) -> Result<Body, Fault> {
        let placed = placed::object_at(&mut self.reader, &mut self.budget, offset)?;
        if placed.id.number != number {
            return Err(Fault::Damaged);
        }
        let mut object = placed.object;
        let security = self.security.as_ref();
        let has_unread_string = security.is_some_and(|handler| handler.decrypt_strings(placed.id, &mut object) > 0);
        let (entry, size) = (XrefEntry::At(offset), placed.size);
        let (stream, end, is_strict) = (placed.body, placed.end, Cell::default());
        let (id, has_stray_tokens) = (placed.id, placed.has_stray_tokens);
        Ok(Body { id, object, entry, stream, end, size, has_stray_tokens, has_unread_string, is_strict })
    }

    /// Reads an object of an object stream; none if it does not contain the object.
    fn read_within(
        &mut self,
        state: State,
        number: u32,
        ((stream, index), offset): ((u32, u32), u64),
    ) -> Result<Option<Body>, Fault> {
        let container = self.object_stream_at(state, stream, offset)?.ok_or(Fault::Damaged)?;
        let Some(value) = container.object(number, index, &mut self.budget)? else { return Ok(None) };
        let (id, entry) = (Id { number, generation: 0 }, XrefEntry::In { stream, index });
        let Value { object, size, has_stray_tokens, .. } = value;
        let (is_strict, has_unread_string) = (Cell::default(), false);
        Ok(Some(Body { id, object, entry, stream: None, end: 0, size, has_stray_tokens, has_unread_string, is_strict }))
    }

    /// Returns an object stream of a revision; none if it is not one.
    pub fn object_stream(&mut self, state: State, number: u32) -> Result<Option<Rc<ObjectStream>>, Fault> {
        let XrefEntry::At(offset) = self.entry(state, number)? else { return Ok(None) };
        self.object_stream_at(state, number, offset)
    }

    fn object_stream_at(&mut self, state: State, number: u32, offset: u64) -> Result<Option<Rc<ObjectStream>>, Fault> {
        if let Some(stream) = self.cache.streams.get(&offset) {
            return Ok(Some(Rc::clone(stream)));
        }
        let Some(body) = self.read(state, number, XrefEntry::At(offset))? else { return Ok(None) };
        // its encoding may be in another object stream, or finally in itself
        self.cache.nesting = self.cache.nesting.checked_sub(1).ok_or(Fault::Damaged)?;
        let decoded = self.decoded(state, &body, usize::MAX);
        let unpacked = decoded.and_then(|data| data.map(|data| self.unpacked(state, &body, data)).transpose());
        self.cache.nesting += 1;
        let Some(stream) = unpacked?.map(Rc::new) else { return Ok(None) };
        self.cache.keep_stream(offset, &stream);
        Ok(Some(stream))
    }

    /// Parses an object stream from its decoded body and dictionary.
    pub fn unpacked(&mut self, state: State, body: &Body, data: Vec<u8>) -> Result<ObjectStream, Fault> {
        let dictionary = body.dictionary().unwrap_or(Dictionary::empty());
        let mut index = Dictionary::default();
        for key in [b"N".as_slice(), b"First"] {
            index.push(Name::new(key), self.view(state).resolve(dictionary.get(key))?.into_owned());
        }
        let keys: [&[u8]; 5] = [b"N", b"First", b"Length", b"Filter", b"DecodeParms"];
        let mut values = keys.map(|key| dictionary.get(key)).to_vec();
        while let Some(value) = values.pop() {
            if let (Some(id), XrefEntry::At(offset)) = (value.as_reference(), body.entry) {
                self.cache.read_by.insert((id.number, offset));
            }
            values.extend(value.elements());
            values.extend(value.as_dictionary().into_iter().flat_map(|value| value.iter().map(|(_, value)| value)));
        }
        ObjectStream::new(&index, data, &mut self.budget)
    }

    /// Whether objects after this offset with these numbers change how an earlier object stream is decoded: it was
    /// decoded once, with the objects of that time.
    pub fn rereads(&self, from: u64, numbers: &[u32]) -> bool {
        self.cache.read_by.iter().any(|&(number, offset)| offset < from && numbers.binary_search(&number).is_ok())
    }

    /// Whether the object stream at this offset is cached.
    pub(super) fn has_object_stream(&self, offset: u64) -> bool {
        self.cache.streams.contains_key(&offset)
    }

    /// Returns the range of a stream's encoded body; none if `/Length` (7.3.8.2) is wrong.
    pub fn stream_place(&mut self, state: State, body: &Body) -> Result<Option<Range<u64>>, Fault> {
        let (Some(start), Some(dictionary)) = (body.stream, body.dictionary()) else { return Ok(None) };
        let length = self.view(state).integer(dictionary.get(b"Length"))?;
        let Some(end) = length.and_then(|length| start.checked_add(u64::try_from(length).ok()?)) else {
            return Ok(None);
        };
        let behind = self.reader.view(end.min(self.reader.file_size()), OBJECT_END_BYTES)?;
        Ok(ends_at(behind, 0).then_some(start..end))
    }

    /// Whether every reader finds the same object for a number: its header is exactly where the cross-reference says,
    /// or its container lists it there and nowhere else.
    pub fn is_exact(&mut self, state: State, body: &Body) -> Result<bool, Fault> {
        match body.entry {
            XrefEntry::Free => Ok(false),
            XrefEntry::At(offset) => self.starts_at(offset),
            XrefEntry::In { stream, index } => {
                let Some(container) = self.object_stream(state, stream)? else { return Ok(false) };
                let XrefEntry::At(offset) = self.entry(state, stream)? else { return Ok(false) };
                Ok(container.has_only_at(body.id.number, index) && self.starts_at(offset)?)
            }
        }
    }

    /// Whether a number starts there, not inside another one: `6 0 obj` is part of `66 0 obj`.
    fn starts_at(&mut self, offset: u64) -> Result<bool, Fault> {
        let before = self.reader.view(offset.saturating_sub(1), 1)?;
        Ok(offset == 0 || !before.first().is_some_and(|byte| byte.is_ascii_digit() || b"+-.".contains(byte)))
    }

    /// Whether two objects have the same text.
    pub fn have_same_text(
        &mut self,
        (state, body): (State, &Body),
        (other_state, other): (State, &Body),
    ) -> Result<bool, Fault> {
        let text = self.with_text(state, body, <[u8]>::to_vec)?;
        self.with_text(other_state, other, |other| text == other)
    }

    /// Whether every reader parses the value of an object alike.
    pub fn is_strict(&mut self, state: State, body: &Body) -> Result<bool, Fault> {
        if let Some(known) = body.is_strict.get() {
            return Ok(known);
        }
        let is_strict = self.with_text(state, body, strict::is_strict)?;
        body.is_strict.set(Some(is_strict));
        Ok(is_strict)
    }

    /// Calls a function with the bytes of an object's value in the file or in its object stream.
    pub fn with_text<T>(&mut self, state: State, body: &Body, take: impl FnOnce(&[u8]) -> T) -> Result<T, Fault> {
        match body.entry {
            XrefEntry::Free => Ok(take(&[])),
            XrefEntry::At(offset) => {
                let text = self.reader.view(offset, body.end.saturating_sub(offset) as usize)?;
                let mut lexer = Lexer::new(text);
                let _header = (lexer.take_integer(), lexer.take_integer(), lexer.take_word(b"obj"));
                Ok(take(lexer.rest()))
            }
            XrefEntry::In { stream, index } => {
                let container = self.object_stream(state, stream)?;
                let text = container.as_ref().and_then(|container| container.text(body.id.number, index));
                Ok(take(text.unwrap_or_default()))
            }
        }
    }
}
