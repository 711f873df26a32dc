//! What is found of a signature, before later revisions are held against it.

use std::collections::BTreeSet;

use super::locks::Locks;
use crate::integrity::report::{Signature, SignatureKind, SignatureStatus};
use crate::xref::headers::Headers;

/// A signature as it was checked by itself.
#[derive(Debug, Clone)]
pub(crate) struct Checked {
    /// As it is told, but for where it stands among the revisions and what was done after it: that is told by whoever knows
    /// them. Its field, what it permits and what it locks are those of the state that it covers.
    pub(crate) told: Signature,
    /// Number of the field's object, if it is one.
    pub(crate) field_object: Option<u32>,
    /// Number of the signature dictionary's object, if it is one.
    pub(crate) value_object: Option<u32>,
    /// What of its hashes and its key is weak by today's measure, such as `SHA1, RSA-1024`.
    pub(crate) weak_algorithm: Option<String>,
    /// Whether its ranges start at the file's first byte and leave out exactly its own value.
    pub(crate) is_gapless: bool,
    /// Whether the state that it covers has another signature there, or none: it was moved to this field later, or written
    /// anew. The field told is then the one in which that state has it.
    pub(crate) is_moved: bool,
    /// Where its last range ends: offset in bytes. The end of its value where the range is wrong.
    pub(crate) end: u64,
    /// The fields it locks: its FieldMDP reference (12.8.2.4) or its field's `/Lock` (12.7.4.5).
    pub(crate) locks: Option<Locks>,
    /// What was expected and what was found, where a check fails: digests or offsets.
    pub(crate) mismatch: Option<(String, String)>,
}

/// What the signatures of a file come to.
#[derive(Debug, Default)]
pub(crate) struct Signatures {
    /// All that were found, oldest first.
    pub(crate) checked: Vec<Checked>,
    /// Whether there are more fields than are looked at, so that there may be more signatures.
    pub(crate) left_out: bool,
    /// How many values of signatures, certificates and statements were verified.
    #[cfg_attr(not(test), expect(dead_code, reason = "tests count what hostile files cost"))]
    pub(crate) verifications: u32,
    /// SHA-256 of the whole file, which was read for them; none if there are none.
    pub(crate) file: Option<String>,
    /// The objects that were come across there, if anything follows what one of them covers.
    pub(crate) headers: Option<Headers>,
}

impl Signatures {
    /// Where what they cover ends: offsets in bytes.
    pub(crate) fn ends(&self) -> Vec<u64> {
        self.checked.iter().map(|checked| checked.end).collect()
    }

    /// Numbers of the objects that are time-stamps of the document, by what they hold, which fits the file.
    pub(crate) fn stamps(&self) -> BTreeSet<u32> {
        let is_stamp = |checked: &&Checked| {
            checked.told.kind == SignatureKind::Timestamp && checked.told.status == SignatureStatus::Intact
        };
        self.checked.iter().filter(is_stamp).filter_map(|checked| checked.value_object).collect()
    }
}
