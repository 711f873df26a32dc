//! The PDF object model (ISO 32000-1, 7.3), owned and compact.

use super::key::Key;
use super::name::Name;

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

    pub(crate) fn as_reference(&self) -> Option<Id> {
        if let Self::Reference(id) = self { Some(*id) } else { None }
    }

    pub(crate) fn is_name(&self, name: &[u8]) -> bool {
        self.as_name() == Some(name)
    }
}

/// Keys and values in the order of the file, as far as anybody asks for them.
#[derive(Debug, Clone, PartialEq, Default)]
pub(crate) struct Dictionary(Vec<(Key, Object)>);

static NULL: Object = Object::Null;

impl Dictionary {
    pub(crate) fn push(&mut self, key: Key, value: Object) {
        if self.0.capacity() == 0 {
            // the usual number of entries
            self.0.reserve(8);
        }
        self.0.push((key, value));
    }

    /// Takes note of an entry that nobody asks for.
    pub(crate) fn note_other(&mut self) {
        if self.0.is_empty() {
            self.push(Key::OTHER, Object::Null);
        }
    }

    /// Adds an entry whose key may be any.
    pub(crate) fn push_named(&mut self, name: Name, value: Object) {
        self.push(Key::OTHER, Object::Array(vec![Object::Name(name), value]));
    }

    /// The value of `key`; null if absent, as the standard wants it. Of equal keys the last one counts.
    #[inline(always)]
    pub(crate) fn get(&self, key: &[u8]) -> &Object {
        self.find(Key::known(key))
    }

    fn find(&self, key: Key) -> &Object {
        self.0.iter().rev().find(|(found, _)| *found == key).map_or(&NULL, |(_, value)| value)
    }

    /// The value of an entry whose key may be any.
    pub(crate) fn named(&self, name: &[u8]) -> &Object {
        let named = self.0.iter().rev().filter(|(key, _)| *key == Key::OTHER).map(|(_, entry)| entry.elements());
        let mut values = named.filter_map(|entry| entry.first()?.is_name(name).then(|| entry.last())?);
        values.next().unwrap_or(&NULL)
    }

    #[inline(always)]
    pub(crate) fn has(&self, key: &[u8]) -> bool {
        !self.get(key).is_null()
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The entries that are asked for.
    pub(crate) fn iter(&self) -> impl Iterator<Item = (Key, &Object)> {
        self.0.iter().filter(|(key, _)| *key != Key::OTHER).map(|(key, value)| (*key, value))
    }

    pub(crate) fn values_mut(&mut self) -> impl Iterator<Item = &mut Object> {
        self.0.iter_mut().map(|(_, value)| value)
    }

    /// Takes over the values of these keys that it lacks.
    pub(crate) fn inherit(&mut self, parent: &Self, keys: &[&[u8]]) {
        for key in keys {
            if !self.has(key) {
                self.push(Key::known(key), parent.get(key).clone());
            }
        }
    }

    /// Whether `/Type` is this name.
    pub(crate) fn is_type(&self, name: &[u8]) -> bool {
        self.get(b"Type").is_name(name)
    }
}
