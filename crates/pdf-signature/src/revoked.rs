//! Revocation entries of CRLs and OCSP responses.

use chrono::{DateTime, FixedOffset};

/// Reasons (5.3.1): `certificateHold`, and `removeFromCRL`, which lifts it.
pub(crate) const HOLD: u8 = 6;
const REMOVED: u8 = 8;

/// The revocation of a certificate.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Revoked {
    /// From when the key is not trusted: the earlier of revocation and invalidity date.
    pub at: DateTime<FixedOffset>,
    pub reason: Option<u8>,
}

impl Revoked {
    /// Whether it removes a certificate from the list.
    pub(crate) fn is_removal(self) -> bool {
        self.reason == Some(REMOVED)
    }
}

/// A CRL's statement about one certificate.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Entry {
    Absent,
    Revoked(Revoked),
    /// A delta CRL removes it from the complete list.
    Removed,
}
