//! Dictionaries (ISO 32000-1, 7.3.7): what is asked for of nearly all of them, and, where names matter, all there is.

use super::super::key::Key;
use super::super::name::Name;
use super::Object;

static NULL: Object = Object::Null;

/// The entries of a dictionary that anybody asks for, in the order of the file. The others are not kept.
#[derive(Debug, Clone, PartialEq, Default)]
pub(crate) struct Picked {
    entries: Vec<(Key, Object)>,
    /// Whether the file has entries that nobody asks for.
    has_others: bool,
}

impl Picked {
    pub(crate) fn push(&mut self, key: Key, value: Object) {
        if self.entries.capacity() == 0 {
            // the usual number of entries
            self.entries.reserve(8);
        }
        self.entries.push((key, value));
    }

    /// Takes note of an entry that nobody asks for.
    pub(crate) fn note_other(&mut self) {
        self.has_others = true;
    }

    /// The value of `key`; null if absent, as the standard wants it. Of equal keys the last one counts.
    pub(crate) fn get(&self, key: Key) -> &Object {
        self.entries.iter().rev().find(|(found, _)| *found == key).map_or(&NULL, |(_, value)| value)
    }

    pub(crate) fn has(&self, key: Key) -> bool {
        !self.get(key).is_null()
    }

    /// Whether the file has no entry at all.
    pub(crate) fn is_empty(&self) -> bool {
        self.entries.is_empty() && !self.has_others
    }

    pub(crate) fn iter(&self) -> impl Iterator<Item = (Key, &Object)> {
        self.entries.iter().map(|(key, value)| (*key, value))
    }

    pub(crate) fn values_mut(&mut self) -> impl Iterator<Item = &mut Object> {
        self.entries.iter_mut().map(|(_, value)| value)
    }

    /// Takes over the values of these keys that it lacks.
    pub(crate) fn inherit(&mut self, parent: &Self, keys: &[Key]) {
        for &key in keys {
            if !self.has(key) {
                self.push(key, parent.get(key).clone());
            }
        }
    }

    /// Whether `/Type` is this name.
    pub(crate) fn is_type(&self, name: &[u8]) -> bool {
        self.get(Key::Type).is_name(name)
    }
}

/// A dictionary with all its entries, whose keys may be any names.
#[derive(Debug, Clone, PartialEq, Default)]
pub(crate) struct Whole(Vec<(Name, Object)>);

impl Whole {
    /// One without entries.
    pub(crate) const fn empty() -> Self {
        Self(Vec::new())
    }

    pub(crate) fn push(&mut self, name: Name, value: Object) {
        self.0.push((name, value));
    }

    /// How many entries there are.
    pub(crate) fn len(&self) -> usize {
        self.0.len()
    }

    /// The value of the key `name`; null if absent. Of equal keys the last one counts.
    pub(crate) fn get(&self, name: &[u8]) -> &Object {
        self.0.iter().rev().find(|(found, _)| found.as_bytes() == name).map_or(&NULL, |(_, value)| value)
    }

    pub(crate) fn iter(&self) -> impl Iterator<Item = (&Name, &Object)> {
        self.0.iter().map(|(name, value)| (name, value))
    }

    pub(crate) fn values_mut(&mut self) -> impl Iterator<Item = &mut Object> {
        self.0.iter_mut().map(|(_, value)| value)
    }

    pub(crate) fn has(&self, name: &[u8]) -> bool {
        !self.get(name).is_null()
    }

    /// Whether `/Type` is this name.
    pub(crate) fn is_type(&self, name: &[u8]) -> bool {
        self.get(b"Type").is_name(name)
    }
}
