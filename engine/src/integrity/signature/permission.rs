//! What a signature permits to be done afterwards: DocMDP and FieldMDP (ISO 32000-1, 12.8.2), and its field's lock
//! (12.7.4.5, table 233; ISO 32000-2, 12.7.5.5). What refers to nothing, or says too much to be read, permits nothing.

use super::locks::Locks;
use crate::document::view::View;
use crate::failure::Fault;
use crate::syntax::dictionary::Dictionary;
use crate::syntax::object::Object;
use crate::text::text_string;

/// References of a signature that are looked at; two would do.
const REFERENCES: usize = 16;
/// Locked fields that are kept.
const LOCKED: usize = 1_000;
/// What a certification permits that does not say (12.8.2.2, table 254): forms may be filled in.
const USUAL: u8 = 2;
/// The level that permits nothing.
const NOTHING: u8 = 1;

/// What a signature permits.
#[derive(Debug, Default)]
pub(crate) struct Permission {
    /// `/P`: 1 nothing, 2 filling in forms and signing, 3 annotations too.
    pub(crate) level: Option<u8>,
    pub(crate) locks: Option<Locks>,
    /// Whether it refers to DocMDP, which makes it a certification.
    pub(crate) certifies: bool,
}

impl Permission {
    /// Reads what the signature dictionary refers to, and the lock of its field, both in the state that it covers.
    pub(crate) fn read(view: &mut View, signature: &Dictionary, lock: &Object) -> Result<Self, Fault> {
        let mut permission = Self::default();
        let mut sight = StateSight { view, is_lost: false };
        let references = sight.resolve(signature.get(b"Reference"))?;
        for reference in references.elements().iter().take(REFERENCES) {
            let reference = sight.resolve(reference)?;
            let parameters = sight.resolve(reference.entry(b"TransformParams"))?;
            match sight.resolve(reference.entry(b"TransformMethod"))?.as_name() {
                Some(b"DocMDP") => {
                    permission.certifies = true;
                    permission.restrict(sight.level(&parameters)?.unwrap_or(USUAL));
                }
                Some(b"FieldMDP") => permission.locks = sight.locks(&parameters)?,
                _ => {}
            }
        }
        let lock = sight.resolve(lock)?;
        if permission.locks.is_none() {
            permission.locks = sight.locks(&lock)?;
        }
        if let Some(level) = sight.level(&lock)? {
            permission.restrict(level);
        }
        if sight.is_lost || references.elements().len() > REFERENCES {
            permission.restrict(NOTHING);
        }
        Ok(permission)
    }

    fn restrict(&mut self, level: u8) {
        self.level = Some(self.level.map_or(level, |known| known.min(level)));
    }
}

/// What is seen of a state.
struct StateSight<'s, 'v, 'd> {
    view: &'s mut View<'v, 'd>,
    /// Whether a reference led to nothing.
    is_lost: bool,
}

impl StateSight<'_, '_, '_> {
    fn resolve(&mut self, object: &Object) -> Result<Object, Fault> {
        let resolved = self.view.resolve(object)?.into_owned();
        self.is_lost |= resolved.is_null() && !object.is_null();
        Ok(resolved)
    }

    fn level(&mut self, parameters: &Object) -> Result<Option<u8>, Fault> {
        let level = self.resolve(parameters.entry(b"P"))?.as_integer();
        Ok(level.and_then(|level| u8::try_from(level).ok()).filter(|level| (1..=3).contains(level)))
    }

    /// The fields that are locked (table 256, and table 233 for a field's own lock).
    fn locks(&mut self, parameters: &Object) -> Result<Option<Locks>, Fault> {
        let action = self.resolve(parameters.entry(b"Action"))?;
        let fields = self.resolve(parameters.entry(b"Fields"))?;
        let mut names = Vec::new();
        for field in fields.elements().iter().take(LOCKED) {
            names.extend(self.resolve(field)?.as_string().and_then(text_string::decode));
        }
        Ok(match action.as_name() {
            Some(b"All") => Some(Locks::All),
            Some(b"Include") if fields.elements().len() > LOCKED => Some(Locks::All),
            Some(b"Include") => Some(Locks::Include(names)),
            Some(b"Exclude") => Some(Locks::Exclude(names)),
            _ => None,
        })
    }
}
