//! Objects as of earlier states of a file: what stood there before a later section of the cross-reference hid it (7.5.6).

use std::rc::Rc;

use super::Document;
use crate::failure::Fault;
use crate::stream::object_stream::ObjectStream;
use crate::stream::placed::{self, OBJECT};
use crate::stream::{body, filter};
use crate::syntax::dictionary::{Picked, Whole};
use crate::syntax::key::Key;
use crate::syntax::object::{Id, Object};
use crate::xref::entries::Entry;

/// How many references may lead from one to the next.
const HOPS: usize = 8;

/// A state of the file: which part of the cross-reference is its newest; 0 is the file as it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct State(pub(crate) usize);

/// An object with all its entries, decrypted.
#[derive(Debug)]
pub(crate) struct Body {
    pub(crate) id: Id,
    pub(crate) object: Object,
    /// Where it stands.
    pub(crate) entry: Entry,
    /// Offset of its encoded body in the file, if it is a stream.
    pub(crate) stream: Option<u64>,
}

impl Body {
    /// Its dictionary, if it is one or a stream.
    pub(crate) fn dictionary(&self) -> Option<&Whole> {
        self.object.as_whole()
    }
}

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
        if self.xref.is_repaired() && state == State(0) {
            return self.xref.entry(number, &mut self.reader, &mut self.budget);
        }
        self.xref.entry_as_of(state.0, number, &mut self.reader, &mut self.budget)
    }

    /// The object `number` of that state; none if there is none, or none that can be read.
    pub(crate) fn body_in(&mut self, state: State, number: u32) -> Result<Option<Body>, Fault> {
        let entry = self.entry_in(state, number)?;
        self.body_at(state, number, entry)
    }

    /// The object `number` that stands there.
    pub(crate) fn body_at(&mut self, state: State, number: u32, entry: Entry) -> Result<Option<Body>, Fault> {
        match entry {
            Entry::Free => Ok(None),
            Entry::At(offset) => {
                let placed = match placed::deep_object_at(&mut self.reader, &mut self.budget, offset) {
                    Ok(placed) if placed.id.number == number => placed,
                    Ok(_) | Err(Fault::Damaged | Fault::Rejected(_)) => return Ok(None),
                    Err(fault) => return Err(fault),
                };
                let mut object = placed.object;
                if let Some(handler) = &self.security {
                    handler.decrypt_strings(placed.id, &mut object);
                }
                Ok(Some(Body { id: placed.id, object, entry, stream: placed.body }))
            }
            Entry::In { stream, index } => {
                let Some(container) = self.object_stream_in(state, stream)? else { return Ok(None) };
                let object = match container.deep_object(number, index, &mut self.budget) {
                    Ok(object) => object,
                    Err(Fault::Source(error)) => return Err(Fault::Source(error)),
                    Err(_) => return Ok(None),
                };
                let id = Id { number, generation: 0 };
                Ok(Some(Body { id, object, entry, stream: None }))
            }
        }
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

    /// The encoded body of a stream, with a length for its limit; none if it is longer.
    pub(crate) fn encoded_in(&mut self, state: State, body: &Body, most: usize) -> Result<Option<Vec<u8>>, Fault> {
        let (Some(start), Some(dictionary)) = (body.stream, body.dictionary()) else { return Ok(None) };
        let length = self.integer_in(state, dictionary.get(b"Length"))?;
        if length.is_some_and(|length| length > most as i64) {
            return Ok(None);
        }
        let encoded = body::body(&mut self.reader, &mut self.budget, start, length)?;
        Ok((encoded.len() <= most).then(|| encoded.to_vec()))
    }

    /// A number, or the one that this refers to.
    pub(crate) fn integer_in(&mut self, state: State, object: &Object) -> Result<Option<i64>, Fault> {
        let Some(id) = object.as_reference() else { return Ok(object.as_integer()) };
        Ok(self.body_in(state, id.number)?.and_then(|body| body.object.as_integer()))
    }

    /// What this is or refers to in that state; null if that is missing.
    pub(crate) fn resolve_in(&mut self, state: State, object: &Object) -> Result<Object, Fault> {
        let mut object = object.clone();
        for _ in 0..HOPS {
            let Some(id) = object.as_reference() else { return Ok(object) };
            object = self.body_in(state, id.number)?.map_or(Object::Null, |body| body.object);
        }
        Ok(Object::Null)
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
