//! The file in one of its states, as this room looks at it: objects and streams, within an allowance of its own.

use std::borrow::Cow;

use crate::document::Document;
use crate::document::states::{Body, State};
use crate::failure::{Fault, Reason};
use crate::syntax::dictionary::Whole;
use crate::syntax::object::Object;
use crate::xref::entries::Entry;

/// A document in one state.
pub(super) struct View<'v, 's> {
    pub(super) document: &'v mut Document<'s>,
    pub(super) state: State,
    /// What must be left of the file's steps of work: beyond, looking at content is over.
    pub(super) reserve: u64,
}

/// A stream, decoded.
#[derive(Debug)]
pub(super) struct Stream {
    pub(super) dictionary: Whole,
    pub(super) content: Vec<u8>,
    /// Whether there may be more of it than was asked for.
    pub(super) is_part: bool,
}

impl View<'_, '_> {
    /// Spends work.
    ///
    /// # Errors
    /// `TooComplex` once the allowance is used up.
    pub(super) fn work(&mut self, steps: usize) -> Result<(), Fault> {
        self.document.budget.work(steps)?;
        if self.document.budget.steps_left() < self.reserve {
            return Err(Fault::Rejected(Reason::TooComplex));
        }
        Ok(())
    }

    /// What this is or refers to; null if that is missing.
    pub(super) fn resolve<'o>(&mut self, object: &'o Object) -> Result<Cow<'o, Object>, Fault> {
        if object.as_reference().is_none() {
            return Ok(Cow::Borrowed(object));
        }
        self.work(1)?;
        self.document.resolve_in(self.state, object).map(Cow::Owned)
    }

    /// The dictionary that this is or refers to; an empty one for anything else.
    pub(super) fn dictionary<'o>(&mut self, object: &'o Object) -> Result<Cow<'o, Whole>, Fault> {
        Ok(match self.resolve(object)? {
            Cow::Borrowed(Object::Whole(dictionary)) => Cow::Borrowed(dictionary),
            Cow::Owned(Object::Whole(dictionary)) => Cow::Owned(dictionary),
            _ => Cow::Owned(Whole::default()),
        })
    }

    /// A number, or the one that this refers to.
    pub(super) fn number(&mut self, object: &Object) -> Result<Option<f64>, Fault> {
        Ok(self.resolve(object)?.as_number())
    }

    /// The object that is referred to.
    pub(super) fn body(&mut self, object: &Object) -> Result<Option<Body>, Fault> {
        let Some(id) = object.as_reference() else { return Ok(None) };
        self.work(1)?;
        self.document.body_in(self.state, id.number)
    }

    /// The stream that is referred to, `most` bytes of it; none if there is none.
    ///
    /// # Errors
    /// `TooComplex` once the allowance is used up. A stream that alone is too much is there without its content.
    pub(super) fn stream(&mut self, object: &Object, most: usize) -> Result<Option<Stream>, Fault> {
        let Some(body) = self.body(object)? else { return Ok(None) };
        self.content(body, most)
    }

    /// The same of an object that was read already.
    pub(super) fn content(&mut self, body: Body, most: usize) -> Result<Option<Stream>, Fault> {
        let (Entry::At(offset), Some(_)) = (body.entry, body.stream) else { return Ok(None) };
        let Object::Whole(dictionary) = body.object else { return Ok(None) };
        // a byte more tells whether there is more
        let mut stream = match self.document.stream_at(self.state, body.id.number, offset, most.saturating_add(1)) {
            Ok(Some((_, content))) => Stream { dictionary, content, is_part: false },
            Ok(None) => return Ok(None),
            Err(Fault::Rejected(Reason::TooComplex)) => Stream { dictionary, content: Vec::new(), is_part: true },
            Err(fault) => return Err(fault),
        };
        stream.is_part |= stream.content.len() > most;
        stream.content.truncate(most);
        self.work(stream.content.len())?;
        Ok(Some(stream))
    }
}
