//! Dictionaries (ISO 32000-1, 7.3.7), with all their entries.

use super::super::name::Name;
use super::Object;

static NULL: Object = Object::Null;
static EMPTY: Dictionary = Dictionary(Vec::new());

/// Maximum entries kept in file order and searched linearly from the last, which is fastest for few entries. Larger
/// dictionaries are sorted by key.
const UNORDERED: usize = 32;

/// The entries of a dictionary.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Dictionary(Vec<(Name, Object)>);

impl Dictionary {
    /// One without entries.
    pub fn empty() -> &'static Self {
        &EMPTY
    }

    /// Returns a dictionary of these entries, given in file order.
    pub fn of(mut entries: Vec<(Name, Object)>) -> Self {
        if entries.len() > UNORDERED {
            entries.sort_by(|(one, _), (other, _)| one.as_bytes().cmp(other.as_bytes()));
        }
        Self(entries)
    }

    /// Adds an entry, which takes precedence over earlier ones with its key.
    pub fn push(&mut self, name: Name, value: Object) {
        let mut entries = std::mem::take(&mut self.0);
        entries.push((name, value));
        *self = Self::of(entries);
    }

    /// Returns the number of entries.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Returns the value of the key `name`; null if absent, as the standard requires. The last of equal keys counts.
    pub fn get(&self, name: &[u8]) -> &Object {
        self.find(name).unwrap_or(&NULL)
    }

    /// Returns the value of the key `name`, possibly null; none if absent.
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

    /// Its entries, with the values to be changed.
    pub fn iter_mut(&mut self) -> impl Iterator<Item = (&Name, &mut Object)> {
        self.0.iter_mut().map(|(name, value)| (&*name, value))
    }

    /// Whether `/Type` is this name.
    pub fn is_type(&self, name: &[u8]) -> bool {
        self.get(b"Type").is_name(name)
    }
}
