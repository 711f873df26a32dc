//! Dictionaries (ISO 32000-1, 7.3.7), with all their entries.

use super::super::name::Name;
use super::Object;

static NULL: Object = Object::Null;
static EMPTY: Dictionary = Dictionary(Vec::new());

/// Up to so many entries stay in the order of the file, and a key is looked for from the last one on, which is fastest for
/// the usual few. More are ordered by their keys.
const UNORDERED: usize = 32;

/// The entries of a dictionary.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Dictionary(Vec<(Name, Object)>);

impl Dictionary {
    /// One without entries.
    pub fn empty() -> &'static Self {
        &EMPTY
    }

    /// One with these entries, as they stand in the file.
    pub fn of(mut entries: Vec<(Name, Object)>) -> Self {
        if entries.len() > UNORDERED {
            entries.sort_by(|(one, _), (other, _)| one.as_bytes().cmp(other.as_bytes()));
        }
        Self(entries)
    }

    /// Adds an entry, which counts from now on.
    pub fn push(&mut self, name: Name, value: Object) {
        let mut entries = std::mem::take(&mut self.0);
        entries.push((name, value));
        *self = Self::of(entries);
    }

    /// How many entries there are.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The value of the key `name`; null if absent, as the standard wants it. Of equal keys the last one counts.
    pub fn get(&self, name: &[u8]) -> &Object {
        self.find(name).unwrap_or(&NULL)
    }

    /// The same; none if absent, though null may be there.
    pub fn find(&self, name: &[u8]) -> Option<&Object> {
        let found = if self.0.len() > UNORDERED {
            let end = self.0.partition_point(|(found, _)| found.as_bytes() <= name);
            end.checked_sub(1).and_then(|last| self.0.get(last)).filter(|(found, _)| found.as_bytes() == name)
        } else {
            self.0.iter().rev().find(|(found, _)| found.as_bytes() == name)
        };
        found.map(|(_, value)| value)
    }

    /// Whether it has this key.
    pub fn has(&self, name: &[u8]) -> bool {
        !self.get(name).is_null()
    }

    /// Its entries in the file's order.
    pub fn iter(&self) -> impl Iterator<Item = (&Name, &Object)> {
        self.0.iter().map(|(name, value)| (name, value))
    }

    /// Its values, to be changed.
    pub fn values_mut(&mut self) -> impl Iterator<Item = &mut Object> {
        self.0.iter_mut().map(|(_, value)| value)
    }

    /// Whether `/Type` is this name.
    pub fn is_type(&self, name: &[u8]) -> bool {
        self.get(b"Type").is_name(name)
    }
}
