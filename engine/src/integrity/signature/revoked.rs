//! What lists and responses say of a certificate.

use chrono::{DateTime, FixedOffset};

/// Reasons (5.3.1): `certificateHold`, and `removeFromCRL`, which lifts it.
pub(crate) const HOLD: u8 = 6;
const REMOVED: u8 = 8;

/// What a list or a response says of a revoked certificate.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Revoked {
    /// From when on its key is not to be believed: the earlier of revocation and invalidity.
    pub(crate) at: DateTime<FixedOffset>,
    pub(crate) reason: Option<u8>,
}

impl Revoked {
    /// Whether it takes a certificate from the list again.
    pub(crate) fn is_removal(self) -> bool {
        self.reason == Some(REMOVED)
    }
}

/// What a list says of one certificate.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Entry {
    Absent,
    Revoked(Revoked),
    /// A delta list takes it from the complete one.
    Removed,
}
