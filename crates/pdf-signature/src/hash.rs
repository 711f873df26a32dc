//! Hash functions (FIPS 180-4): the ones of `ring`, and SHA-224. MD5 is not supported: collisions can be created at
//! will.

use ring::digest::{self, Context};
use sha2::{Digest, Sha224};

/// A hash function.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Hash {
    /// MD5 (RFC 1321), named only: nothing is verified by it.
    Md5,
    /// SHA-1 (FIPS 180-4).
    Sha1,
    /// SHA-224 (FIPS 180-4).
    Sha224,
    /// SHA-256 (FIPS 180-4).
    Sha256,
    /// SHA-384 (FIPS 180-4).
    Sha384,
    /// SHA-512 (FIPS 180-4).
    Sha512,
}

/// A digest being computed.
#[derive(Clone)]
pub enum Hasher {
    /// A hash function of `ring`.
    Ring(Context),
    /// SHA-224, which ring lacks.
    Sha224(Sha224),
}

impl Hash {
    /// The hasher, if it is supported.
    pub fn hasher(self) -> Option<Hasher> {
        let algorithm = match self {
            Self::Md5 => return None,
            Self::Sha224 => return Some(Hasher::Sha224(Sha224::new())),
            Self::Sha1 => &digest::SHA1_FOR_LEGACY_USE_ONLY,
            Self::Sha256 => &digest::SHA256,
            Self::Sha384 => &digest::SHA384,
            Self::Sha512 => &digest::SHA512,
        };
        Some(Hasher::Ring(Context::new(algorithm)))
    }

    /// Whether it is supported.
    pub fn is_known(self) -> bool {
        self != Self::Md5
    }

    /// Whether collisions are practical today.
    pub fn is_weak(self) -> bool {
        matches!(self, Self::Md5 | Self::Sha1)
    }

    /// The digest of some bytes; `None` if the hash is not supported.
    pub fn digest(self, bytes: &[u8]) -> Option<Vec<u8>> {
        let mut hasher = self.hasher()?;
        hasher.update(bytes);
        Some(hasher.finish())
    }

    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            Self::Md5 => "MD5",
            Self::Sha1 => "SHA1",
            Self::Sha224 => "SHA224",
            Self::Sha256 => "SHA256",
            Self::Sha384 => "SHA384",
            Self::Sha512 => "SHA512",
        }
    }
}

impl Hasher {
    /// Hashes more bytes.
    pub fn update(&mut self, bytes: &[u8]) {
        match self {
            Self::Ring(context) => context.update(bytes),
            Self::Sha224(hasher) => hasher.update(bytes),
        }
    }

    /// The digest.
    pub fn finish(self) -> Vec<u8> {
        match self {
            Self::Ring(context) => context.finish().as_ref().to_vec(),
            Self::Sha224(hasher) => hasher.finalize().to_vec(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn digests_are_those_of_the_standard() {
        // FIPS 180-4's example message
        let start = |hash: Hash| hash.digest(b"abc").map(|digest| (digest.len(), digest[..4].to_vec()));
        for (hash, length, expected) in [
            (Hash::Sha1, 20, [0xa9, 0x99, 0x3e, 0x36]),
            (Hash::Sha224, 28, [0x23, 0x09, 0x7d, 0x22]),
            (Hash::Sha256, 32, [0xba, 0x78, 0x16, 0xbf]),
            (Hash::Sha384, 48, [0xcb, 0x00, 0x75, 0x3f]),
            (Hash::Sha512, 64, [0xdd, 0xaf, 0x35, 0xa1]),
        ] {
            assert_eq!(start(hash), Some((length, expected.to_vec())), "{hash:?}");
            assert!(hash.is_known());
        }
        assert_eq!(start(Hash::Md5), None);
        assert!(!Hash::Md5.is_known());
    }
}
