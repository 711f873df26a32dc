//! Single objects of a document: found, read, decrypted, and streams decoded.

use std::borrow::Cow;
use std::rc::Rc;

use memchr::memchr;
use memchr::memmem::{self, Finder};

use super::Document;
use crate::failure::Fault;
use crate::stream::object_stream::ObjectStream;
use crate::stream::placed::{self, Placed};
use crate::stream::{body, filter};
use crate::syntax::dictionary::Picked;
use crate::syntax::key::Key;
use crate::syntax::lexer::Lexer;
use crate::syntax::object::{Id, Object};
use crate::xref::entries::Entry;

/// How many references may lead from one to the next.
const HOPS: usize = 16;
/// Decoded object streams kept at a time; when there are more, all go.
const KEPT: usize = 24 << 20;

impl Document<'_> {
    /// The object itself, or what it refers to; null if that is missing.
    pub(crate) fn resolve<'o>(&mut self, object: &'o Object) -> Result<Cow<'o, Object>, Fault> {
        let mut resolved = Cow::Borrowed(object);
        for _ in 0..HOPS {
            match resolved.as_reference() {
                Some(id) => resolved = Cow::Owned(self.object(id)?),
                None => return Ok(resolved),
            }
        }
        Ok(Cow::Owned(Object::Null))
    }

    /// The dictionary that this is or refers to; an empty one for anything else.
    pub(crate) fn dictionary<'o>(&mut self, object: &'o Object) -> Result<Cow<'o, Picked>, Fault> {
        Ok(match self.resolve(object)? {
            Cow::Borrowed(Object::Dictionary(dictionary)) => Cow::Borrowed(dictionary),
            Cow::Owned(Object::Dictionary(dictionary)) => Cow::Owned(dictionary),
            _ => Cow::Owned(Picked::default()),
        })
    }

    /// The object with this identity; null if the file has none.
    ///
    /// # Errors
    /// `Damaged` if the cross-reference says that there is one and it is not there.
    pub(crate) fn object(&mut self, id: Id) -> Result<Object, Fault> {
        match self.xref.entry(id.number, &mut self.reader, &mut self.budget)? {
            Entry::Free => Ok(Object::Null),
            Entry::At(offset) => Ok(self.placed(id.number, offset)?.map_or(Object::Null, |placed| placed.object)),
            Entry::In { stream, index } => self.contained(id.number, stream, index),
        }
    }

    /// The dictionary and decoded body of a stream; none if this does not refer to one.
    pub(crate) fn stream(&mut self, object: &Object) -> Result<Option<(Picked, Vec<u8>)>, Fault> {
        self.stream_start(object, usize::MAX)
    }

    /// Like `stream`, but the body may end soon after `wanted` bytes.
    pub(crate) fn stream_start(&mut self, object: &Object, wanted: usize) -> Result<Option<(Picked, Vec<u8>)>, Fault> {
        let Some(id) = object.as_reference() else { return Ok(None) };
        let Entry::At(offset) = self.xref.entry(id.number, &mut self.reader, &mut self.budget)? else {
            return Ok(None);
        };
        let Some(Placed { id, object: Object::Dictionary(dictionary), body: Some(body), .. }) =
            self.placed(id.number, offset)?
        else {
            return Ok(None);
        };
        let length = self.length(dictionary.get(Key::Length))?;
        let coding = self.coding(&dictionary)?;
        let encoded = body::body(&mut self.reader, &mut self.budget, body, length)?;
        let decoded = match self.security.as_ref().filter(|handler| handler.applies_to(&dictionary)) {
            Some(handler) => {
                let plain = handler.decrypt_body(id, encoded);
                filter::decode(&coding, &plain, wanted, &mut self.budget)?
            }
            None => filter::decode(&coding, encoded, wanted, &mut self.budget)?,
        };
        Ok(Some((dictionary, decoded)))
    }

    /// The object at `offset`, decrypted. A repaired file may well have none there any more.
    fn placed(&mut self, number: u32, offset: u64) -> Result<Option<Placed>, Fault> {
        let placed = match placed::object_at(&mut self.reader, &mut self.budget, offset) {
            Ok(placed) if placed.id.number == number => Ok(placed),
            Ok(_) => Err(Fault::Damaged),
            Err(fault) => Err(fault),
        };
        let mut placed = match placed {
            Err(Fault::Damaged) if self.xref.is_repaired() => return Ok(None),
            placed => placed?,
        };
        if let Some(handler) = &self.security {
            handler.decrypt_strings(placed.id, &mut placed.object);
        }
        Ok(Some(placed))
    }

    /// A stream's length; looked up in the file only where that cannot lead back to the stream.
    fn length(&mut self, length: &Object) -> Result<Option<i64>, Fault> {
        let Some(id) = length.as_reference() else { return Ok(length.as_integer()) };
        match self.xref.entry(id.number, &mut self.reader, &mut self.budget)? {
            Entry::At(offset) => Ok(self.placed(id.number, offset)?.and_then(|placed| placed.object.as_integer())),
            _ => Ok(None),
        }
    }

    /// What a stream's dictionary says of its coding, without references.
    pub(super) fn coding(&mut self, dictionary: &Picked) -> Result<Picked, Fault> {
        let mut coding = Picked::default();
        for key in [Key::Filter, Key::DecodeParms] {
            let value = self.resolve(dictionary.get(key))?.into_owned();
            coding.push(key, value);
        }
        Ok(coding)
    }

    fn contained(&mut self, number: u32, stream: u32, index: u32) -> Result<Object, Fault> {
        match self.object_stream(stream)? {
            Some(object_stream) => object_stream.object(number, index, &mut self.budget),
            None if self.xref.is_repaired() => Ok(Object::Null),
            None => Err(Fault::Damaged),
        }
    }

    /// The object stream with this number.
    pub(crate) fn object_stream(&mut self, number: u32) -> Result<Option<Rc<ObjectStream>>, Fault> {
        if let Some(object_stream) = self.object_streams.get(&number) {
            return Ok(Some(Rc::clone(object_stream)));
        }
        let id = Id { number, generation: 0 };
        let Some((dictionary, data)) = self.stream(&Object::Reference(id))? else { return Ok(None) };
        let object_stream = Rc::new(ObjectStream::new(&dictionary, data, &mut self.budget)?);
        if self.kept + object_stream.len() > KEPT {
            self.object_streams.clear();
            self.kept = 0;
        }
        self.kept += object_stream.len();
        self.object_streams.insert(number, Rc::clone(&object_stream));
        Ok(Some(object_stream))
    }

    /// Whether the dictionary that is referred to may have any of these words as key or name. Only a plain look at it can
    /// tell that it has not.
    pub(crate) fn may_mention(&mut self, object: &Object, words: &[Finder]) -> Result<bool, Fault> {
        let Some(id) = object.as_reference() else { return Ok(true) };
        self.plainly(id, |text| text.is_none_or(|text| mentions(text, words)))
    }

    /// What stands in an object, if that is plain to see and takes no read.
    pub(crate) fn plain(&mut self, id: Id) -> Result<Option<Vec<u8>>, Fault> {
        if !self.is_near(&Object::Reference(id))? {
            return Ok(None);
        }
        self.plainly(id, |text| text.map(<[u8]>::to_vec))
    }

    /// Looks at what stands in an object, if that is plain to see.
    fn plainly<T>(&mut self, id: Id, look: impl FnOnce(Option<&[u8]>) -> T) -> Result<T, Fault> {
        Ok(match self.xref.entry(id.number, &mut self.reader, &mut self.budget)? {
            Entry::Free => look(None),
            Entry::At(offset) => {
                let size = self.reader.at_hand(offset, placed::OBJECT);
                look(body(self.reader.view(offset, size)?, id.number))
            }
            Entry::In { stream, index } => {
                let object_stream = self.object_stream(stream)?;
                look(object_stream.as_ref().and_then(|object_stream| object_stream.text(id.number, index)))
            }
        })
    }
}

/// What stands between the header of object `number` and its end, if that is plain to see.
fn body(view: &[u8], number: u32) -> Option<&[u8]> {
    let mut lexer = Lexer::new(view);
    let is_it = lexer.take_integer() == Some(i64::from(number)) && lexer.take_integer().is_some();
    if !is_it || !lexer.take_word(b"obj") {
        return None;
    }
    lexer.skip_space();
    let body = lexer.rest();
    body.get(..memmem::find(body, b"endobj")?)
}

/// Whether the words are in a text, or it is not the dictionary that it should be. Names with escapes may be any.
fn mentions(text: &[u8], words: &[Finder]) -> bool {
    let text = text.trim_ascii();
    !text.starts_with(b"<<")
        || !text.ends_with(b">>")
        || memchr(b'#', text).is_some()
        || words.iter().any(|word| word.find(text).is_some())
}
