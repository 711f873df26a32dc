//! The result of checking a signature, before later revisions are compared.

use std::collections::BTreeSet;

use super::locks::Locks;
use crate::integrity::report::{Signature, SignatureKind, SignatureStatus};
use pdf_syntax::xref::headers::Headers;

/// A signature after its own checks.
#[derive(Debug, Clone)]
pub(crate) struct CheckedSignature {
    /// The reported signature, without its revision and the changes after it, which the comparison of revisions adds.
    /// Field, permissions and locks are read in the signed state.
    pub(crate) reported: Signature,
    /// Object number of the field, if it is an indirect object.
    pub(crate) field_object: Option<u32>,
    /// Object number of the signature dictionary, if it is an indirect object.
    pub(crate) value_object: Option<u32>,
    /// The weak algorithms, by current standards, such as `SHA1, RSA-1024`.
    pub(crate) weak_algorithm: Option<String>,
    /// Whether its byte range starts at offset 0 and omits exactly its own value.
    pub(crate) is_gapless: bool,
    /// Whether the state that it covers has another signature or none there: it was moved to this field later, or
    /// rewritten. The reported field is then the one in the covered state.
    pub(crate) is_moved: bool,
    /// End of its last byte range, or of its value if the range is invalid.
    pub(crate) end: u64,
    /// The fields that it locks: its FieldMDP reference (12.8.2.4) or its field's `/Lock` (12.7.4.5).
    pub(crate) locks: Option<Locks>,
    /// Expected and actual digests or offsets, if a check failed.
    pub(crate) mismatch: Option<(String, String)>,
}

/// The signatures of a file.
#[derive(Debug, Default)]
pub(crate) struct Signatures {
    /// All signatures, oldest first.
    pub(crate) checked: Vec<CheckedSignature>,
    /// Whether there are more fields than are examined, so that signatures may be missing.
    pub(crate) is_truncated: bool,
    /// The number of verified values of signatures, certificates and statements.
    #[cfg_attr(not(test), expect(dead_code, reason = "tests count what hostile files cost"))]
    pub(crate) verifications: u32,
    /// SHA-256 of the file, which is read for its signatures; `None` without any.
    pub(crate) file: Option<String>,
    /// The object headers found, if data follows what any of them covers.
    pub(crate) headers: Option<Headers>,
}

impl Signatures {
    /// The ends of the covered ranges.
    pub(crate) fn ends(&self) -> Vec<u64> {
        self.checked.iter().map(|checked| checked.end).collect()
    }

    /// Object numbers of document time-stamps that are intact.
    pub(crate) fn stamps(&self) -> BTreeSet<u32> {
        let is_stamp = |checked: &&CheckedSignature| {
            checked.reported.kind == SignatureKind::Timestamp && checked.reported.status == SignatureStatus::Intact
        };
        self.checked.iter().filter(is_stamp).filter_map(|checked| checked.value_object).collect()
    }
}
