//! A state of the file: the only way to what its objects refer to.

use std::ops::Deref;
use std::rc::Rc;

use super::Document;
use super::objects::{Body, State, Stored};
use crate::failure::{Fault, Reason};
use crate::syntax::dictionary::Dictionary;
use crate::syntax::object::Object;

/// How many references may lead from one to the next.
const HOPS: usize = 32;
/// Bytes that nothing may be encoded in.
const NOTHING: i64 = 16;

/// A document in one of its states, seen by somebody with an allowance.
pub(crate) struct View<'v, 's> {
    pub(crate) document: &'v mut Document<'s>,
    pub(crate) state: State,
    /// What must be left of the file's steps of work: beyond, looking is over.
    pub(crate) reserve: u64,
    /// Whether something was asked for that cannot be read here.
    pub(crate) has_missed: bool,
    /// Whether what should be there and is not makes the file a damaged one; else it is as if it were missing.
    pub(super) is_demanding: bool,
}

/// What an object is or refers to.
#[derive(Debug)]
pub(crate) enum Resolved<'o> {
    Here(&'o Object),
    There(Rc<Body>),
    Missing,
    /// Something that cannot be read here: it reads as null, though others may read it.
    Unreadable,
}

impl Resolved<'_> {
    pub(crate) fn into_owned(self) -> Object {
        match self {
            Self::Here(object) => object.clone(),
            Self::There(body) => body.object.clone(),
            Self::Missing | Self::Unreadable => Object::Null,
        }
    }
}

impl Deref for Resolved<'_> {
    type Target = Object;

    fn deref(&self) -> &Object {
        match self {
            Self::Here(object) => object,
            Self::There(body) => &body.object,
            Self::Missing | Self::Unreadable => &Object::Null,
        }
    }
}

/// A dictionary that was resolved; an empty one where there is none.
#[derive(Debug)]
pub(crate) struct ResolvedDictionary<'o>(Resolved<'o>);

impl ResolvedDictionary<'_> {
    pub(crate) fn into_owned(self) -> Dictionary {
        if let Object::Dictionary(dictionary) = self.0.into_owned() { dictionary } else { Dictionary::default() }
    }
}

impl Deref for ResolvedDictionary<'_> {
    type Target = Dictionary;

    fn deref(&self) -> &Dictionary {
        self.0.as_dictionary().unwrap_or(Dictionary::empty())
    }
}

/// A stream, decoded.
#[derive(Debug)]
pub(crate) struct Stream {
    body: Rc<Body>,
    pub(crate) content: Vec<u8>,
    /// Whether there may be more of it than was asked for.
    pub(crate) is_part: bool,
}

impl Stream {
    pub(crate) fn dictionary(&self) -> &Dictionary {
        self.body.dictionary().unwrap_or(Dictionary::empty())
    }
}

impl<'s> Document<'s> {
    /// The file as it is, which has to be as it says.
    pub(crate) fn newest(&mut self) -> View<'_, 's> {
        View { is_demanding: true, ..self.view(State(0)) }
    }

    /// The file in a state, of which anything may be missing.
    pub(crate) fn view(&mut self, state: State) -> View<'_, 's> {
        self.view_within(state, 0)
    }

    /// The same, until no more than so many steps of work are left.
    pub(crate) fn view_within(&mut self, state: State, reserve: u64) -> View<'_, 's> {
        View { document: self, state, reserve, has_missed: false, is_demanding: false }
    }
}

impl View<'_, '_> {
    /// Spends work.
    ///
    /// # Errors
    /// `TooComplex` once the allowance is used up.
    pub(crate) fn work(&mut self, steps: usize) -> Result<(), Fault> {
        self.document.budget.work(steps)?;
        if self.document.budget.steps_left() < self.reserve {
            return Err(Fault::Rejected(Reason::TooComplex));
        }
        Ok(())
    }

    /// The document catalog (7.7.2) that the trailers of this state name.
    pub(crate) fn catalog(&mut self) -> Result<ResolvedDictionary<'static>, Fault> {
        let xref = &self.document.xref;
        let root = match self.state {
            State(0) => xref.trailer.get(b"Root").clone(),
            State(part) => {
                let root = xref.parts.get(part..).unwrap_or_default().iter().find_map(|part| part.root);
                root.map_or(Object::Null, Object::Reference)
            }
        };
        Ok(ResolvedDictionary(match self.resolve(&root)? {
            Resolved::There(body) => Resolved::There(body),
            _ => Resolved::Missing,
        }))
    }

    /// What this is or refers to; null if that is missing.
    pub(crate) fn resolve<'o>(&mut self, object: &'o Object) -> Result<Resolved<'o>, Fault> {
        let mut resolved = Resolved::Here(object);
        for _ in 0..HOPS {
            let Some(id) = resolved.as_reference() else { return Ok(resolved) };
            resolved = match self.stored(id.number)? {
                Stored::Object(body) => Resolved::There(body),
                Stored::Absent => Resolved::Missing,
                Stored::Unreadable => Resolved::Unreadable,
            };
        }
        self.has_missed = true;
        Ok(Resolved::Unreadable)
    }

    /// The object with this number; none if there is none.
    pub(crate) fn object(&mut self, number: u32) -> Result<Option<Rc<Body>>, Fault> {
        Ok(if let Stored::Object(body) = self.stored(number)? { Some(body) } else { None })
    }

    /// What stands where the object with this number is said to be.
    pub(crate) fn stored(&mut self, number: u32) -> Result<Stored, Fault> {
        self.work(1)?;
        let (document, state) = (&mut *self.document, self.state);
        let entry = document.entry(state, number)?;
        if !self.is_demanding {
            let stored = document.stored(state, number, entry)?;
            self.has_missed |= stored.is_unreadable();
            return Ok(stored);
        }
        match document.read(state, number, entry) {
            // a repaired file may well have nothing there any more
            Err(Fault::Damaged) if document.xref.is_repaired() => Ok(Stored::Absent),
            read => Ok(read?.map_or(Stored::Absent, Stored::Object)),
        }
    }

    /// The object that is referred to.
    pub(crate) fn body(&mut self, object: &Object) -> Result<Option<Rc<Body>>, Fault> {
        object.as_reference().map_or(Ok(None), |id| self.object(id.number))
    }

    /// The dictionary that this is or refers to; an empty one for anything else.
    pub(crate) fn dictionary<'o>(&mut self, object: &'o Object) -> Result<ResolvedDictionary<'o>, Fault> {
        self.resolve(object).map(ResolvedDictionary)
    }

    /// Whether a stream is encoded in more bytes than nothing takes.
    fn says_much(&mut self, body: &Body) -> Result<bool, Fault> {
        let Some(dictionary) = body.dictionary().filter(|dictionary| dictionary.has(b"Filter")) else {
            return Ok(false);
        };
        Ok(self.integer(dictionary.get(b"Length"))?.is_some_and(|length| length > NOTHING))
    }

    /// A number, or the one that this refers to.
    pub(crate) fn number(&mut self, object: &Object) -> Result<Option<f64>, Fault> {
        Ok(self.resolve(object)?.as_number())
    }

    /// A whole number, or the one that this refers to.
    pub(crate) fn integer(&mut self, object: &Object) -> Result<Option<i64>, Fault> {
        Ok(self.resolve(object)?.as_integer())
    }

    /// An array with its elements resolved; null for anything else.
    pub(crate) fn array(&mut self, object: &Object, most: usize) -> Result<Object, Fault> {
        let array = self.resolve(object)?;
        let elements =
            array.elements().iter().take(most).map(|element| self.resolve(element).map(Resolved::into_owned));
        Ok(Object::Array(elements.collect::<Result<_, _>>()?))
    }

    /// What this is or refers to, with what its elements or entries refer to in place of that.
    pub(crate) fn settled(&mut self, object: &Object) -> Result<Object, Fault> {
        let resolved = self.resolve(object)?.into_owned();
        Ok(match resolved {
            Object::Array(elements) => {
                Object::Array(elements.iter().map(|one| self.settled_once(one)).collect::<Result<_, _>>()?)
            }
            object => self.settled_once(&object)?,
        })
    }

    fn settled_once(&mut self, object: &Object) -> Result<Object, Fault> {
        let resolved = self.resolve(object)?.into_owned();
        let Object::Dictionary(entries) = &resolved else { return Ok(resolved) };
        let mut settled = Dictionary::default();
        for (key, value) in entries.iter() {
            settled.push(key.clone(), self.resolve(value)?.into_owned());
        }
        Ok(Object::Dictionary(settled))
    }

    /// The stream that is referred to, `most` bytes of it; none if there is none.
    ///
    /// # Errors
    /// `TooComplex` once the allowance is used up. A stream that alone is too much is there without its content.
    pub(crate) fn stream(&mut self, object: &Object, most: usize) -> Result<Option<Stream>, Fault> {
        self.body(object)?.map_or(Ok(None), |body| self.content(body, most))
    }

    /// The same of an object that was read already.
    pub(crate) fn content(&mut self, body: Rc<Body>, most: usize) -> Result<Option<Stream>, Fault> {
        // a byte more tells whether there is more
        let read = self.document.decoded(self.state, &body, most.saturating_add(1));
        let (mut content, is_cut) = match read {
            Ok(Some(content)) => (content, false),
            Ok(None) => return Ok(None),
            Err(Fault::Rejected(Reason::TooComplex)) if !self.is_demanding => (Vec::new(), true),
            Err(fault) => return Err(fault),
        };
        let is_lost = content.is_empty() && self.says_much(&body)?;
        let is_part = is_cut || is_lost || content.len() > most;
        content.truncate(most);
        self.work(content.len())?;
        Ok(Some(Stream { body, content, is_part }))
    }
}
