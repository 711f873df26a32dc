//! The PDF object model (ISO 32000-1, 7.3), owned and compact.

pub(crate) mod dictionary;

use super::name::Name;
use dictionary::Dictionary;

/// An object's identity. Generations are kept for decryption keys only: real files get them wrong too often.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct Id {
    pub(crate) number: u32,
    pub(crate) generation: u16,
}

/// Any object but a stream, which is a dictionary whose body stays in the file.
#[derive(Debug, Clone, PartialEq, Default)]
pub(crate) enum Object {
    #[default]
    Null,
    Boolean(bool),
    Integer(i64),
    Real(f64),
    Name(Name),
    String(Vec<u8>),
    Array(Vec<Object>),
    Dictionary(Dictionary),
    Reference(Id),
}

impl Object {
    pub(crate) fn is_null(&self) -> bool {
        matches!(self, Self::Null)
    }

    pub(crate) fn as_bool(&self) -> Option<bool> {
        if let Self::Boolean(value) = self { Some(*value) } else { None }
    }

    /// An integer, also where it was written as a real number without a fraction.
    pub(crate) fn as_integer(&self) -> Option<i64> {
        match self {
            Self::Integer(value) => Some(*value),
            Self::Real(value) if value.fract() == 0.0 => Some(*value as i64),
            _ => None,
        }
    }

    pub(crate) fn as_number(&self) -> Option<f64> {
        match self {
            Self::Integer(value) => Some(*value as f64),
            Self::Real(value) => Some(*value),
            _ => None,
        }
    }

    pub(crate) fn as_name(&self) -> Option<&[u8]> {
        if let Self::Name(name) = self { Some(name.as_bytes()) } else { None }
    }

    pub(crate) fn as_string(&self) -> Option<&[u8]> {
        if let Self::String(bytes) = self { Some(bytes) } else { None }
    }

    /// The elements of an array; none for anything else.
    pub(crate) fn elements(&self) -> &[Object] {
        if let Self::Array(elements) = self { elements } else { &[] }
    }

    pub(crate) fn as_dictionary(&self) -> Option<&Dictionary> {
        if let Self::Dictionary(dictionary) = self { Some(dictionary) } else { None }
    }

    /// The value of `key` in a dictionary; null if there is none.
    pub(crate) fn entry(&self, key: &[u8]) -> &Object {
        self.as_dictionary().unwrap_or(Dictionary::empty()).get(key)
    }

    pub(crate) fn as_reference(&self) -> Option<Id> {
        if let Self::Reference(id) = self { Some(*id) } else { None }
    }

    pub(crate) fn is_name(&self, name: &[u8]) -> bool {
        self.as_name() == Some(name)
    }
}
