//! Objects as of earlier states of a file: what stood there before a later section of the cross-reference hid it (7.5.6).

use std::ops::Range;
use std::rc::Rc;

use super::Document;
use super::body::{Body, Resolved, Stored};
use crate::failure::Fault;
use crate::stream::body::{self, ends_at};
use crate::stream::filter;
use crate::stream::object_stream::ObjectStream;
use crate::stream::placed::{self, OBJECT};
use crate::syntax::dictionary::Picked;
use crate::syntax::key::Key;
use crate::syntax::lexer::Lexer;
use crate::syntax::object::{Id, Object};
use crate::xref::entries::Entry;

/// How many references may lead from one to the next.
const HOPS: usize = 8;

/// Enough for the word that ends an object, with white space before it.
const END: usize = 16;

/// A state of the file: which part of the cross-reference is its newest; 0 is the file as it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct State(pub(crate) usize);

impl Document<'_> {
    /// The file as it was when it ended at this offset: the parts of its cross-reference that stand before it, whatever
    /// newer ones lead to. None at all, in which nothing stands, if each of them stands behind it; the file as it is if it
    /// was repaired.
    pub(crate) fn state_at(&self, end: u64) -> State {
        let parts = &self.xref.parts;
        State(parts.iter().position(|part| part.offset < end).unwrap_or(parts.len()))
    }

    /// The catalog that the trailers of that state name.
    pub(crate) fn root_in(&self, state: State) -> Option<Id> {
        self.xref.parts.get(state.0..).unwrap_or_default().iter().find_map(|part| part.root)
    }

    /// Where the object `number` stood in that state.
    pub(crate) fn entry_in(&mut self, state: State, number: u32) -> Result<Entry, Fault> {
        // a repaired file has no other state than that it is in
        let entry = if self.xref.is_repaired() && state == State(0) {
            self.xref.entry(number, &mut self.reader, &mut self.budget)?
        } else {
            self.xref.entry_as_of(state.0, number, &mut self.reader, &mut self.budget)?
        };
        self.trace.note(number, entry);
        Ok(entry)
    }

    /// The object `number` of that state; none if there is none, or none that can be read.
    pub(crate) fn body_in(&mut self, state: State, number: u32) -> Result<Option<Rc<Body>>, Fault> {
        let entry = self.entry_in(state, number)?;
        self.body_at(state, number, entry)
    }

    /// The object `number` that stands there; none if there is none, or none that can be read.
    pub(crate) fn body_at(&mut self, state: State, number: u32, entry: Entry) -> Result<Option<Rc<Body>>, Fault> {
        Ok(match self.stored_at(state, number, entry)? {
            Stored::Object(body) => Some(body),
            Stored::Absent | Stored::Unreadable => None,
        })
    }

    /// What stands there for the object `number`.
    pub(crate) fn stored_at(&mut self, state: State, number: u32, entry: Entry) -> Result<Stored, Fault> {
        let (offset, index) = match entry {
            Entry::Free => return Ok(Stored::Absent),
            Entry::At(offset) => (offset, None),
            Entry::In { stream, index } => match self.entry_in(state, stream)? {
                Entry::At(offset) => (offset, Some(index)),
                Entry::Free | Entry::In { .. } => return Ok(Stored::Unreadable),
            },
        };
        let place = (number, offset, index);
        if let Some(body) = self.bodies.get(&place) {
            self.budget.work(1)?;
            return Ok(Stored::Object(Rc::clone(body)));
        }
        let read = match entry {
            Entry::In { stream, index } => self.body_within(state, number, (stream, index))?,
            _ => self.body_alone(number, offset)?,
        };
        let Some((body, size)) = read else { return Ok(Stored::Unreadable) };
        let body = Rc::new(body);
        self.bodies.keep(place, &body, size);
        Ok(Stored::Object(body))
    }

    /// The object `number` that stands at an offset of the file, and how long its text is; none if it is not there.
    fn body_alone(&mut self, number: u32, offset: u64) -> Result<Option<(Body, u64)>, Fault> {
        let placed = match placed::deep_object_at(&mut self.reader, &mut self.budget, offset) {
            Ok(placed) if placed.id.number == number => placed,
            Ok(_) | Err(Fault::Damaged | Fault::Rejected(_)) => return Ok(None),
            Err(fault) => return Err(fault),
        };
        let mut object = placed.object;
        if let Some(handler) = &self.security {
            handler.decrypt_strings(placed.id, &mut object);
        }
        let is_exact = self.starts_at(offset)?;
        let (id, stream, end) = (placed.id, placed.body, placed.end);
        Ok(Some((Body { id, object, entry: Entry::At(offset), stream, is_exact, end }, end.saturating_sub(offset))))
    }

    /// The same of one that stands in an object stream.
    fn body_within(
        &mut self,
        state: State,
        number: u32,
        (stream, index): (u32, u32),
    ) -> Result<Option<(Body, u64)>, Fault> {
        let Some(container) = self.object_stream_in(state, stream)? else { return Ok(None) };
        let object = match container.deep_object(number, index, &mut self.budget) {
            Ok(object) => object,
            Err(Fault::Source(error)) => return Err(Fault::Source(error)),
            Err(_) => return Ok(None),
        };
        let size = container.text(number, index).map_or(0, <[u8]>::len) as u64;
        let id = Id { number, generation: 0 };
        let is_exact = container.has_only_at(number, index)
            && matches!(self.entry_in(state, stream)?, Entry::At(offset) if self.starts_at(offset)?);
        let entry = Entry::In { stream, index };
        Ok(Some((Body { id, object, entry, stream: None, is_exact, end: 0 }, size)))
    }

    /// Whether a number starts there, not in the middle of another one: `6 0 obj` can be read out of `66 0 obj`.
    fn starts_at(&mut self, offset: u64) -> Result<bool, Fault> {
        let before = self.reader.view(offset.saturating_sub(1), 1)?;
        Ok(offset == 0 || !before.first().is_some_and(|byte| byte.is_ascii_digit() || b"+-.".contains(byte)))
    }

    /// The text of an object's value as it stands in the file or in its container.
    pub(crate) fn text_of(&mut self, state: State, body: &Body) -> Result<Vec<u8>, Fault> {
        match body.entry {
            Entry::Free => Ok(Vec::new()),
            Entry::At(offset) => {
                let text = self.reader.view(offset, body.end.saturating_sub(offset) as usize)?;
                let mut lexer = Lexer::new(text);
                let _header = (lexer.take_integer(), lexer.take_integer(), lexer.take_word(b"obj"));
                Ok(lexer.rest().to_vec())
            }
            Entry::In { stream, index } => {
                let container = self.object_stream_in(state, stream)?;
                let text = container.as_ref().and_then(|container| container.text(body.id.number, index));
                Ok(text.unwrap_or_default().to_vec())
            }
        }
    }

    /// Where the encoded body of a stream stands; none if its `/Length` (7.3.8.2) does not lead to its end.
    pub(crate) fn stream_place(&mut self, state: State, body: &Body) -> Result<Option<Range<u64>>, Fault> {
        let (Some(start), Some(dictionary)) = (body.stream, body.dictionary()) else { return Ok(None) };
        let length = self.integer_in(state, dictionary.get(b"Length"))?;
        let Some(end) = length.and_then(|length| start.checked_add(u64::try_from(length).ok()?)) else {
            return Ok(None);
        };
        let behind = self.reader.view(end.min(self.reader.len()), END)?;
        Ok(ends_at(behind, 0).then_some(start..end))
    }

    /// The object stream `number` of that state.
    fn object_stream_in(&mut self, state: State, number: u32) -> Result<Option<Rc<ObjectStream>>, Fault> {
        let Entry::At(offset) = self.entry_in(state, number)? else { return Ok(None) };
        if let Some(object_stream) = self.older_streams.get(&offset) {
            return Ok(Some(Rc::clone(object_stream)));
        }
        let Some((dictionary, data)) = self.stream_at(state, number, offset, usize::MAX)? else { return Ok(None) };
        let object_stream = Rc::new(ObjectStream::new(&dictionary, data, &mut self.budget)?);
        if self.older_kept + object_stream.len() > OLDER_KEPT {
            self.older_streams.clear();
            self.older_kept = 0;
        }
        self.older_kept += object_stream.len();
        self.older_streams.insert(offset, Rc::clone(&object_stream));
        Ok(Some(object_stream))
    }

    /// Dictionary and decoded body, `wanted` bytes of it or more, of the stream `number` at an offset; none if it is not there.
    pub(crate) fn stream_at(
        &mut self,
        state: State,
        number: u32,
        offset: u64,
        wanted: usize,
    ) -> Result<Option<(Picked, Vec<u8>)>, Fault> {
        let placed = match placed::object_at(&mut self.reader, &mut self.budget, offset) {
            Ok(placed) if placed.id.number == number => placed,
            Ok(_) | Err(Fault::Damaged) => return Ok(None),
            Err(fault) => return Err(fault),
        };
        let (Object::Dictionary(dictionary), Some(start)) = (placed.object, placed.body) else { return Ok(None) };
        let length = self.integer_in(state, dictionary.get(Key::Length))?;
        let coding = self.coding(&dictionary)?;
        let encoded = body::body(&mut self.reader, &mut self.budget, start, length)?;
        let decoded = match self.security.as_ref().filter(|handler| handler.applies_to(&dictionary)) {
            Some(handler) => {
                let plain = handler.decrypt_body(placed.id, encoded);
                filter::decode(&coding, &plain, wanted, &mut self.budget)?
            }
            None => filter::decode(&coding, encoded, wanted, &mut self.budget)?,
        };
        Ok(Some((dictionary, decoded)))
    }

    /// A number, or the one that this refers to.
    pub(crate) fn integer_in(&mut self, state: State, object: &Object) -> Result<Option<i64>, Fault> {
        let Some(id) = object.as_reference() else { return Ok(object.as_integer()) };
        Ok(self.body_in(state, id.number)?.and_then(|body| body.object.as_integer()))
    }

    /// What this is or refers to in that state; null if that is missing.
    pub(crate) fn resolve_in<'o>(&mut self, state: State, object: &'o Object) -> Result<Resolved<'o>, Fault> {
        let mut resolved = Resolved::Here(object);
        for _ in 0..HOPS {
            let Some(id) = resolved.as_reference() else { return Ok(resolved) };
            resolved = self.body_in(state, id.number)?.map_or(Resolved::Missing, Resolved::There);
        }
        Ok(Resolved::Missing)
    }

    /// Whether looking at the object that stands there takes no read.
    pub(crate) fn is_at_hand(&mut self, state: State, entry: Entry) -> Result<bool, Fault> {
        Ok(match entry {
            Entry::Free => true,
            Entry::At(offset) => self.reader.at_hand(offset, OBJECT) > 0,
            Entry::In { stream, .. } => match self.entry_in(state, stream)? {
                Entry::At(offset) => {
                    self.older_streams.contains_key(&offset) || self.reader.at_hand(offset, OBJECT) > 0
                }
                _ => true,
            },
        })
    }
}

/// Decoded object streams of earlier states kept at a time, in bytes; when there are more, all go.
const OLDER_KEPT: usize = 12 << 20;
