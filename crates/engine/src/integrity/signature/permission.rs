//! The changes that a signature permits: DocMDP and FieldMDP (ISO 32000-1, 12.8.2), and its field's lock (12.7.4.5,
//! table 233; ISO 32000-2, 12.7.5.5). Dangling references and entries beyond the limits permit nothing.

use super::locks::Locks;
use pdf_syntax::document::view::View;
use pdf_syntax::failure::Fault;
use pdf_syntax::syntax::dictionary::Dictionary;
use pdf_syntax::syntax::object::Object;
use pdf_syntax::text::text_string;

/// Maximum references of a signature examined; two would do.
const MAX_REFERENCES: usize = 16;
/// Maximum locked fields kept.
const MAX_LOCKED_FIELDS: usize = 1_000;
/// The default level of a certification (12.8.2.2, table 254): forms may be filled in.
const DEFAULT_LEVEL: u8 = 2;
/// The level that permits nothing.
const LEVEL_NOTHING: u8 = 1;

/// The changes that a signature permits.
#[derive(Debug, Default)]
pub(crate) struct Permission {
    /// `/P`: 1 nothing, 2 filling in forms and signing, 3 annotations too.
    pub(crate) level: Option<u8>,
    pub(crate) locks: Option<Locks>,
    /// Whether it references DocMDP, which makes it a certification.
    pub(crate) certifies: bool,
}

impl Permission {
    /// Reads the signature dictionary's references and its field's lock in the state that it covers.
    pub(crate) fn read(view: &mut View, signature: &Dictionary, lock: &Object) -> Result<Self, Fault> {
        let mut permission = Self::default();
        let mut state = StateResolver { view, is_lost: false };
        let references = state.resolve(signature.get(b"Reference"))?;
        let single = [references.clone()];
        let references = if references.as_dictionary().is_some() { &single } else { references.elements() };
        for reference in references.iter().take(MAX_REFERENCES) {
            let reference = state.resolve(reference)?;
            let parameters = state.resolve(reference.entry(b"TransformParams"))?;
            let method = state.resolve(reference.entry(b"TransformMethod"))?;
            match method.as_name().or(method.as_string()) {
                Some(b"DocMDP") => {
                    permission.certifies = true;
                    permission.restrict(state.level(&parameters)?.unwrap_or(DEFAULT_LEVEL));
                }
                Some(b"FieldMDP") => {
                    permission.locks = Locks::joined(permission.locks.take(), state.locks(&parameters)?);
                }
                _ => {}
            }
        }
        let lock = state.resolve(lock)?;
        permission.locks = Locks::joined(permission.locks.take(), state.locks(&lock)?);
        if let Some(level) = state.level(&lock)? {
            permission.restrict(level);
        }
        if state.is_lost || references.len() > MAX_REFERENCES {
            permission.restrict(LEVEL_NOTHING);
        }
        Ok(permission)
    }

    fn restrict(&mut self, level: u8) {
        self.level = Some(self.level.map_or(level, |known| known.min(level)));
    }
}

/// Resolves references in one state.
struct StateResolver<'s, 'v, 'd> {
    view: &'s mut View<'v, 'd>,
    /// Whether a reference was dangling.
    is_lost: bool,
}

impl StateResolver<'_, '_, '_> {
    fn resolve(&mut self, object: &Object) -> Result<Object, Fault> {
        let resolved = self.view.resolve(object)?.into_owned();
        self.is_lost |= resolved.is_null() && !object.is_null();
        Ok(resolved)
    }

    fn level(&mut self, parameters: &Object) -> Result<Option<u8>, Fault> {
        let level = self.resolve(parameters.entry(b"P"))?.as_integer();
        Ok(level.and_then(|level| u8::try_from(level).ok()).filter(|level| (1..=3).contains(level)))
    }

    /// The locked fields (table 256, and table 233 for a field's own lock).
    fn locks(&mut self, parameters: &Object) -> Result<Option<Locks>, Fault> {
        let action = self.resolve(parameters.entry(b"Action"))?;
        let fields = self.resolve(parameters.entry(b"Fields"))?;
        let single = [fields.clone()];
        let fields = if fields.as_string().is_some() { &single } else { fields.elements() };
        let mut names = Vec::new();
        for field in fields.iter().take(MAX_LOCKED_FIELDS) {
            names.extend(self.resolve(field)?.as_string().and_then(text_string::decode));
        }
        Ok(match action.as_name() {
            Some(b"All") => Some(Locks::All),
            Some(b"Include") if fields.len() > MAX_LOCKED_FIELDS => Some(Locks::All),
            Some(b"Include") => Some(Locks::Include(names)),
            Some(b"Exclude") => Some(Locks::Exclude(names)),
            // an unknown action locks every field
            Some(_) => Some(Locks::All),
            None => None,
        })
    }
}
