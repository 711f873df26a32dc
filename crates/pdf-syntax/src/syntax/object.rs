//! The PDF object model (ISO 32000-1, 7.3), owned and compact.

pub mod dictionary;

use super::name::Name;
use dictionary::Dictionary;

/// An object's identity. The generation is used only for decryption keys, as it is often wrong in real files.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Id {
    /// The object number.
    pub number: u32,
    /// The generation number.
    pub generation: u16,
}

/// Any object. A stream is its dictionary; the body stays in the file.
#[derive(Debug, Clone, PartialEq, Default)]
pub enum Object {
    /// `null`, or an unreadable value.
    #[default]
    Null,
    /// `true` or `false`.
    Boolean(bool),
    /// An integer.
    Integer(i64),
    /// A real number.
    Real(f64),
    /// A name.
    Name(Name),
    /// A string, decoded.
    String(Vec<u8>),
    /// An array.
    Array(Vec<Object>),
    /// A dictionary, or a stream's dictionary.
    Dictionary(Dictionary),
    /// A reference to an indirect object.
    Reference(Id),
}

impl Object {
    /// Whether it is null.
    pub fn is_null(&self) -> bool {
        matches!(self, Self::Null)
    }

    /// The boolean, if it is one.
    pub fn as_bool(&self) -> Option<bool> {
        if let Self::Boolean(value) = self { Some(*value) } else { None }
    }

    /// Returns the integer, also if it was written as a real number without a fraction.
    pub fn as_integer(&self) -> Option<i64> {
        match self {
            Self::Integer(value) => Some(*value),
            Self::Real(value) if value.fract() == 0.0 => Some(*value as i64),
            _ => None,
        }
    }

    /// The number, if it is an integer or a real.
    pub fn as_number(&self) -> Option<f64> {
        match self {
            Self::Integer(value) => Some(*value as f64),
            Self::Real(value) => Some(*value),
            _ => None,
        }
    }

    /// The bytes of the name, if it is one.
    pub fn as_name(&self) -> Option<&[u8]> {
        if let Self::Name(name) = self { Some(name.as_bytes()) } else { None }
    }

    /// The bytes of the string, if it is one.
    pub fn as_string(&self) -> Option<&[u8]> {
        if let Self::String(bytes) = self { Some(bytes) } else { None }
    }

    /// Returns the elements of an array; none for other objects.
    pub fn elements(&self) -> &[Object] {
        if let Self::Array(elements) = self { elements } else { &[] }
    }

    /// The dictionary, if it is one.
    pub fn as_dictionary(&self) -> Option<&Dictionary> {
        if let Self::Dictionary(dictionary) = self { Some(dictionary) } else { None }
    }

    /// The value of `key` in a dictionary; null if there is none.
    pub fn entry(&self, key: &[u8]) -> &Object {
        self.as_dictionary().unwrap_or(Dictionary::empty()).get(key)
    }

    /// The object that it refers to, if it is a reference.
    pub fn as_reference(&self) -> Option<Id> {
        if let Self::Reference(id) = self { Some(*id) } else { None }
    }

    /// Whether it is this name.
    pub fn is_name(&self, name: &[u8]) -> bool {
        self.as_name() == Some(name)
    }
}
