//! What a signature permits to be done afterwards: DocMDP and FieldMDP (ISO 32000-1, 12.8.2), and its field's lock
//! (12.7.4.5, table 233; ISO 32000-2, 12.7.5.5).

use super::locks::Locks;
use crate::document::Document;
use crate::failure::Fault;
use crate::syntax::dictionary::Picked;
use crate::syntax::key::Key;
use crate::text::text_string;

/// References of a signature that are looked at; two would do.
const REFERENCES: usize = 16;
/// Locked fields that are kept.
const LOCKED: usize = 1_000;
/// What a certification permits that does not say (12.8.2.2, table 254): forms may be filled in.
const USUAL: u8 = 2;

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
    /// Reads what the signature dictionary refers to, and the lock of its field.
    pub(crate) fn read(document: &mut Document, signature: &Picked, lock: &Picked) -> Result<Self, Fault> {
        let mut permission = Self::default();
        let references = document.resolve(signature.get(Key::Reference))?.into_owned();
        for reference in references.elements().iter().take(REFERENCES) {
            let reference = document.dictionary(reference)?.into_owned();
            let parameters = document.dictionary(reference.get(Key::TransformParams))?.into_owned();
            match document.resolve(reference.get(Key::TransformMethod))?.as_name() {
                Some(b"DocMDP") => {
                    permission.certifies = true;
                    permission.restrict(level(document, &parameters)?.unwrap_or(USUAL));
                }
                Some(b"FieldMDP") => permission.locks = locks(document, &parameters)?,
                _ => {}
            }
        }
        if permission.locks.is_none() {
            permission.locks = locks(document, lock)?;
        }
        if let Some(level) = level(document, lock)? {
            permission.restrict(level);
        }
        Ok(permission)
    }

    fn restrict(&mut self, level: u8) {
        self.level = Some(self.level.map_or(level, |known| known.min(level)));
    }
}

fn level(document: &mut Document, parameters: &Picked) -> Result<Option<u8>, Fault> {
    let level = document.resolve(parameters.get(Key::P))?.as_integer();
    Ok(level.and_then(|level| u8::try_from(level).ok()).filter(|level| (1..=3).contains(level)))
}

/// The fields that are locked (table 256, and table 233 for a field's own lock).
fn locks(document: &mut Document, parameters: &Picked) -> Result<Option<Locks>, Fault> {
    let action = document.resolve(parameters.get(Key::Action))?.into_owned();
    let fields = document.resolve(parameters.get(Key::Fields))?.into_owned();
    let mut names = Vec::new();
    for field in fields.elements().iter().take(LOCKED) {
        names.extend(document.resolve(field)?.as_string().and_then(text_string::decode));
    }
    Ok(match action.as_name() {
        Some(b"All") => Some(Locks::All),
        Some(b"Include") => Some(Locks::Include(names)),
        Some(b"Exclude") => Some(Locks::Exclude(names)),
        _ => None,
    })
}
