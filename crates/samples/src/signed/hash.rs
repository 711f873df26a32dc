//! Hash functions, and what they are called.

use ring::digest::{self, digest};
use sha2::{Digest, Sha224};

use super::der::{identifier, null, sequence};

/// A hash function.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Hash {
    /// SHA-1, broken since 2017.
    Sha1,
    /// SHA-224.
    Sha224,
    /// SHA-256.
    Sha256,
    /// SHA-384.
    Sha384,
    /// SHA-512.
    Sha512,
}

impl Hash {
    /// The digest of some bytes.
    #[must_use]
    pub fn of(self, bytes: &[u8]) -> Vec<u8> {
        let algorithm = match self {
            Self::Sha224 => return Sha224::digest(bytes).to_vec(),
            Self::Sha1 => &digest::SHA1_FOR_LEGACY_USE_ONLY,
            Self::Sha256 => &digest::SHA256,
            Self::Sha384 => &digest::SHA384,
            Self::Sha512 => &digest::SHA512,
        };
        digest(algorithm, bytes).as_ref().to_vec()
    }

    /// Its algorithm identifier.
    pub(super) fn info(self) -> Vec<u8> {
        let name = match self {
            Self::Sha1 => "1.3.14.3.2.26",
            Self::Sha224 => "2.16.840.1.101.3.4.2.4",
            Self::Sha256 => "2.16.840.1.101.3.4.2.1",
            Self::Sha384 => "2.16.840.1.101.3.4.2.2",
            Self::Sha512 => "2.16.840.1.101.3.4.2.3",
        };
        sequence(&[&identifier(name), &null()])
    }
}
