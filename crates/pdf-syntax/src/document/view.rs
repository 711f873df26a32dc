//! A view of one revision of the file, through which its objects are resolved.

use std::ops::Deref;
use std::rc::Rc;

use super::Document;
use super::objects::{Body, State, Stored};
use crate::encryption::decryption::Decryption;
use crate::failure::{Fault, Reason};
use crate::syntax::dictionary::Dictionary;
use crate::syntax::object::Object;

/// Maximum chain of references.
const MAX_REFERENCE_HOPS: usize = 32;

/// A view of a document in one revision, with a budget.
pub struct View<'v, 's> {
    /// The document.
    pub document: &'v mut Document<'s>,
    /// The revision.
    pub state: State,
    /// Steps of the file's budget that this view must not spend.
    pub reserve: u64,
    /// Whether an unreadable object was requested.
    pub has_missed: bool,
    /// Whose way of decrypting streams is followed.
    pub decryption: Decryption,
    /// Whether a stream was requested that viewers decrypt differently.
    pub has_decrypted_differently: bool,
    /// Whether missing objects make the file damaged; otherwise they are null.
    pub(super) is_demanding: bool,
}

/// A resolved object.
#[derive(Debug)]
pub enum Resolved<'o> {
    /// A direct object.
    Here(&'o Object),
    /// The object that a reference leads to.
    There(Rc<Body>),
    /// Not there: null.
    Missing,
    /// Unreadable: treated as null, though other readers may read it.
    Unreadable,
}

impl Resolved<'_> {
    /// The object as a copy.
    pub fn into_owned(self) -> Object {
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

/// A resolved dictionary; empty if there is none.
#[derive(Debug)]
pub struct ResolvedDictionary<'o>(Resolved<'o>);

impl ResolvedDictionary<'_> {
    /// The dictionary as a copy.
    pub fn into_owned(self) -> Dictionary {
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
pub struct Stream {
    body: Rc<Body>,
    /// Its decoded bytes.
    pub content: Vec<u8>,
    /// Whether it is truncated.
    pub is_part: bool,
}

impl Stream {
    /// Its dictionary.
    pub fn dictionary(&self) -> &Dictionary {
        self.body.dictionary().unwrap_or(Dictionary::empty())
    }
}

impl<'s> Document<'s> {
    /// Returns the newest revision, which must be intact.
    pub fn newest(&mut self) -> View<'_, 's> {
        View { is_demanding: true, ..self.view(State(0)) }
    }

    /// Returns a revision in which objects may be missing.
    pub fn view(&mut self, state: State) -> View<'_, 's> {
        self.view_within(state, 0)
    }

    /// Returns a revision, with a reserve of steps that it must not spend.
    pub fn view_within(&mut self, state: State, reserve: u64) -> View<'_, 's> {
        let (decryption, has_decrypted_differently) = (Decryption::default(), false);
        let (has_missed, is_demanding) = (false, false);
        View { document: self, state, reserve, has_missed, decryption, has_decrypted_differently, is_demanding }
    }
}

impl View<'_, '_> {
    /// Spends work.
    ///
    /// # Errors
    /// `TooComplex` once the allowance is used up.
    pub fn work(&mut self, steps: usize) -> Result<(), Fault> {
        self.document.budget.work(steps)?;
        if self.document.budget.steps_left() < self.reserve {
            return Err(Fault::Rejected(Reason::TooComplex));
        }
        Ok(())
    }

    /// Returns the document catalog (7.7.2) of this revision.
    pub fn catalog(&mut self) -> Result<ResolvedDictionary<'static>, Fault> {
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

    /// Resolves an object; null if missing.
    pub fn resolve<'o>(&mut self, object: &'o Object) -> Result<Resolved<'o>, Fault> {
        let mut resolved = Resolved::Here(object);
        for _ in 0..MAX_REFERENCE_HOPS {
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

    /// Returns an object by number; none if there is none.
    pub fn object(&mut self, number: u32) -> Result<Option<Rc<Body>>, Fault> {
        Ok(if let Stored::Object(body) = self.stored(number)? { Some(body) } else { None })
    }

    /// Returns the stored object with a number.
    pub fn stored(&mut self, number: u32) -> Result<Stored, Fault> {
        self.work(1)?;
        let (document, state) = (&mut *self.document, self.state);
        let entry = document.entry(state, number)?;
        if !self.is_demanding {
            let stored = document.stored(state, number, entry)?;
            self.has_missed |= stored.is_unreadable();
            return Ok(stored);
        }
        match document.read(state, number, entry) {
            // a repaired file may have nothing there
            Err(Fault::Damaged) if document.xref.is_repaired() => Ok(Stored::Absent),
            read => Ok(read?.map_or(Stored::Absent, Stored::Object)),
        }
    }

    /// Returns the referenced object.
    pub fn body(&mut self, object: &Object) -> Result<Option<Rc<Body>>, Fault> {
        object.as_reference().map_or(Ok(None), |id| self.object(id.number))
    }

    /// Resolves a dictionary; empty for other objects.
    pub fn dictionary<'o>(&mut self, object: &'o Object) -> Result<ResolvedDictionary<'o>, Fault> {
        self.resolve(object).map(ResolvedDictionary)
    }

    /// Resolves a number.
    pub fn number(&mut self, object: &Object) -> Result<Option<f64>, Fault> {
        Ok(self.resolve(object)?.as_number())
    }

    /// Resolves an integer.
    pub fn integer(&mut self, object: &Object) -> Result<Option<i64>, Fault> {
        Ok(self.resolve(object)?.as_integer())
    }

    /// Resolves an array and its elements; null for other objects.
    pub fn array(&mut self, object: &Object, most: usize) -> Result<Object, Fault> {
        let array = self.resolve(object)?;
        let elements =
            array.elements().iter().take(most).map(|element| self.resolve(element).map(Resolved::into_owned));
        Ok(Object::Array(elements.collect::<Result<_, _>>()?))
    }

    /// Resolves an object and its elements or entries.
    pub fn settled(&mut self, object: &Object) -> Result<Object, Fault> {
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

    /// Returns the referenced stream, at most `most` decoded bytes; none if there is none.
    ///
    /// # Errors
    /// `TooComplex` once the allowance is used up. A stream that exceeds it alone is returned without its content.
    pub fn stream(&mut self, object: &Object, most: usize) -> Result<Option<Stream>, Fault> {
        self.body(object)?.map_or(Ok(None), |body| self.content(body, most))
    }

    /// Returns the XMP stream of the document, which is reached as `/Metadata` of the catalog and not encrypted if the
    /// security handler says so (ISO 32000-2, 7.6.4.1, table 21).
    ///
    /// # Errors
    /// As [`View::stream`].
    pub fn metadata(&mut self, object: &Object, most: usize) -> Result<Option<Stream>, Fault> {
        let is_clear = self.document.security.as_ref().is_some_and(|handler| !handler.encrypts_metadata);
        let decryption = if is_clear { Decryption::None } else { Decryption::default() };
        self.body(object)?.map_or(Ok(None), |body| self.decrypted(body, most, decryption))
    }

    /// Decodes a stream that was already read.
    pub fn content(&mut self, body: Rc<Body>, most: usize) -> Result<Option<Stream>, Fault> {
        self.has_decrypted_differently |= self.document.is_decrypted_differently(self.state, &body)?;
        self.decrypted(body, most, self.decryption)
    }

    fn decrypted(&mut self, body: Rc<Body>, most: usize, decryption: Decryption) -> Result<Option<Stream>, Fault> {
        // one byte more shows whether it is truncated
        let read = self.document.decrypted(self.state, &body, most.saturating_add(1), decryption);
        let (mut content, is_cut) = match read {
            Ok(Some(content)) => (content, false),
            Ok(None) => return Ok(None),
            Err(Fault::Rejected(Reason::TooComplex)) if !self.is_demanding => (Vec::new(), true),
            Err(fault) => return Err(fault),
        };
        let is_lost = content.is_empty() && !self.document.encodes_nothing(self.state, &body, decryption)?;
        let is_part = is_cut || is_lost || content.len() > most;
        content.truncate(most);
        self.work(content.len())?;
        Ok(Some(Stream { body, content, is_part }))
    }
}
