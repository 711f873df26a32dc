//! Objects with all their entries, as they are compared with other states of themselves.

use std::collections::HashMap;
use std::ops::Deref;
use std::rc::Rc;

use crate::syntax::dictionary::Whole;
use crate::syntax::object::{Id, Object};
use crate::xref::entries::Entry;

/// Objects of which the text is no longer than this are kept once they were read, and so many bytes of text in all: what
/// is compared with an earlier state of itself is looked at from several sides. When there are more, all go.
const KEPT_OBJECT: u64 = 16 << 10;
const KEPT: u64 = 256 << 10;

/// An object with all its entries, decrypted.
#[derive(Debug, Clone)]
pub(crate) struct Body {
    pub(crate) id: Id,
    pub(crate) object: Object,
    /// Where it stands.
    pub(crate) entry: Entry,
    /// Offset of its encoded body in the file, if it is a stream.
    pub(crate) stream: Option<u64>,
    /// Whether its number leads to nothing else in the eyes of any reader: its header starts where the cross-reference says,
    /// or its container has it in that place and no other.
    pub(crate) is_exact: bool,
    /// Offset behind its value, if it stands in the file itself.
    pub(crate) end: u64,
}

/// Where a body stands: its number, the offset in the file of it or of the object stream that it is in, and its place in
/// that.
type BodyPlace = (u32, u64, Option<u32>);

/// Bodies that were read, by their places, whatever the state in which they were asked for.
#[derive(Default)]
pub(super) struct Bodies {
    kept: HashMap<BodyPlace, Rc<Body>>,
    size: u64,
}

impl Bodies {
    pub(super) fn get(&self, place: &BodyPlace) -> Option<&Rc<Body>> {
        self.kept.get(place)
    }

    pub(super) fn keep(&mut self, place: BodyPlace, body: &Rc<Body>, size: u64) {
        if size > KEPT_OBJECT {
            return;
        }
        if self.size + size > KEPT {
            *self = Self::default();
        }
        self.size += size;
        self.kept.insert(place, Rc::clone(body));
    }
}

/// What an object is or refers to.
#[derive(Debug)]
pub(crate) enum Resolved<'o> {
    Here(&'o Object),
    There(Rc<Body>),
    Missing,
}

impl Resolved<'_> {
    pub(crate) fn into_owned(self) -> Object {
        match self {
            Self::Here(object) => object.clone(),
            Self::There(body) => body.object.clone(),
            Self::Missing => Object::Null,
        }
    }
}

impl Deref for Resolved<'_> {
    type Target = Object;

    fn deref(&self) -> &Object {
        match self {
            Self::Here(object) => object,
            Self::There(body) => &body.object,
            Self::Missing => &Object::Null,
        }
    }
}

/// What stands where an object is said to be.
#[derive(Debug)]
pub(crate) enum Stored {
    /// Nothing: it reads as null.
    Absent,
    /// Something that cannot be read here, though others may read it.
    Unreadable,
    Object(Rc<Body>),
}

impl Stored {
    pub(crate) fn body(&self) -> Option<&Body> {
        if let Self::Object(body) = self { Some(body) } else { None }
    }

    pub(crate) fn is_absent(&self) -> bool {
        matches!(self, Self::Absent)
    }

    pub(crate) fn is_unreadable(&self) -> bool {
        matches!(self, Self::Unreadable)
    }
}

impl Body {
    /// Its dictionary, if it is one or a stream.
    pub(crate) fn dictionary(&self) -> Option<&Whole> {
        self.object.as_whole()
    }
}
