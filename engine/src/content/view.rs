//! The file in one of its states, as this room looks at it: objects and streams, within an allowance of its own.

use std::ops::Deref;
use std::rc::Rc;

use crate::document::Document;
use crate::document::body::{Body, Resolved};
use crate::document::states::State;
use crate::failure::{Fault, Reason};
use crate::syntax::dictionary::Whole;
use crate::syntax::object::Object;
use crate::xref::entries::Entry;

static EMPTY: Whole = Whole::empty();

/// A document in one state.
pub(super) struct View<'v, 's> {
    pub(super) document: &'v mut Document<'s>,
    pub(super) state: State,
    /// What must be left of the file's steps of work: beyond, looking at content is over.
    pub(super) reserve: u64,
}

/// A dictionary that was resolved.
pub(super) struct Dictionary<'o>(Resolved<'o>);

impl Dictionary<'_> {
    pub(super) fn into_owned(self) -> Whole {
        if let Object::Whole(dictionary) = self.0.into_owned() { dictionary } else { Whole::empty() }
    }
}

impl Deref for Dictionary<'_> {
    type Target = Whole;

    fn deref(&self) -> &Whole {
        self.0.as_whole().unwrap_or(&EMPTY)
    }
}

/// A stream, decoded.
#[derive(Debug)]
pub(super) struct Stream {
    body: Rc<Body>,
    pub(super) content: Vec<u8>,
    /// Whether there may be more of it than was asked for.
    pub(super) is_part: bool,
}

impl Stream {
    pub(super) fn dictionary(&self) -> &Whole {
        self.body.dictionary().unwrap_or(&EMPTY)
    }
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
    pub(super) fn resolve<'o>(&mut self, object: &'o Object) -> Result<Resolved<'o>, Fault> {
        if object.as_reference().is_none() {
            return Ok(Resolved::Here(object));
        }
        self.work(1)?;
        self.document.resolve_in(self.state, object)
    }

    /// The dictionary that this is or refers to; an empty one for anything else.
    pub(super) fn dictionary<'o>(&mut self, object: &'o Object) -> Result<Dictionary<'o>, Fault> {
        self.resolve(object).map(Dictionary)
    }

    /// A number, or the one that this refers to.
    pub(super) fn number(&mut self, object: &Object) -> Result<Option<f64>, Fault> {
        Ok(self.resolve(object)?.as_number())
    }

    /// The object that is referred to.
    pub(super) fn body(&mut self, object: &Object) -> Result<Option<Rc<Body>>, Fault> {
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
    pub(super) fn content(&mut self, body: Rc<Body>, most: usize) -> Result<Option<Stream>, Fault> {
        let (Entry::At(offset), Some(_)) = (body.entry, body.stream) else { return Ok(None) };
        // a byte more tells whether there is more
        let read = self.document.stream_at(self.state, body.id.number, offset, most.saturating_add(1));
        let (mut content, is_cut) = match read {
            Ok(Some((_, content))) => (content, false),
            Ok(None) => return Ok(None),
            Err(Fault::Rejected(Reason::TooComplex)) => (Vec::new(), true),
            Err(fault) => return Err(fault),
        };
        let is_part = is_cut || content.len() > most;
        content.truncate(most);
        self.work(content.len())?;
        Ok(Some(Stream { body, content, is_part }))
    }
}
