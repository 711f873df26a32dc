//! Signature algorithms by their identifiers (RFC 3279, RFC 4055, RFC 5758, RFC 8410).

use crate::der::{DerError, Element, Elements, tag};
use crate::hash::Hash;

/// RSA keys, and RSA signatures whose hash is named elsewhere (RFC 3279, 2.3.1).
pub(super) const RSA: &[u8] = &[0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 1, 1, 1];
/// RSASSA-PSS (RFC 4055, 3.1).
pub(super) const RSA_PSS: &[u8] = &[0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 1, 1, 10];
/// The mask generation function of PSS (RFC 4055, 2.2).
const MGF1: &[u8] = &[0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 1, 1, 8];
/// The only trailer field of PSS (RFC 8017, A.2.3).
const TRAILER: u32 = 1;
/// Keys on elliptic curves (RFC 5480, 2.1.1).
pub(super) const EC: &[u8] = &[0x2a, 0x86, 0x48, 0xce, 0x3d, 2, 1];
/// Keys and signatures on Curve25519 (RFC 8410, 3).
pub(super) const ED25519: &[u8] = &[0x2b, 0x65, 0x70];

/// RSA signatures with PKCS #1 v1.5 padding and a named hash.
const RSA_WITH: [(&[u8], Hash); 7] = [
    (&[0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 1, 1, 4], Hash::Md5),
    (&[0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 1, 1, 5], Hash::Sha1),
    (&[0x2b, 0x0e, 3, 2, 0x1d], Hash::Sha1),
    (&[0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 1, 1, 11], Hash::Sha256),
    (&[0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 1, 1, 12], Hash::Sha384),
    (&[0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 1, 1, 13], Hash::Sha512),
    (&[0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 1, 1, 14], Hash::Sha224),
];
/// ECDSA signatures with a named hash (RFC 5758, 3.2).
const ECDSA_WITH: [(&[u8], Hash); 5] = [
    (&[0x2a, 0x86, 0x48, 0xce, 0x3d, 4, 1], Hash::Sha1),
    (&[0x2a, 0x86, 0x48, 0xce, 0x3d, 4, 3, 1], Hash::Sha224),
    (&[0x2a, 0x86, 0x48, 0xce, 0x3d, 4, 3, 2], Hash::Sha256),
    (&[0x2a, 0x86, 0x48, 0xce, 0x3d, 4, 3, 3], Hash::Sha384),
    (&[0x2a, 0x86, 0x48, 0xce, 0x3d, 4, 3, 4], Hash::Sha512),
];
/// ECDSA signatures whose hash is named elsewhere, as pyHanko 0.6 writes them: the arc of those with a named hash.
const ECDSA: &[u8] = &[0x2a, 0x86, 0x48, 0xce, 0x3d, 4];
/// Hashes (RFC 3370, 2; RFC 5754, 2).
const HASHES: [(&[u8], Hash); 6] = [
    (&[0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 2, 5], Hash::Md5),
    (&[0x2b, 0x0e, 3, 2, 0x1a], Hash::Sha1),
    (&[0x60, 0x86, 0x48, 1, 0x65, 3, 4, 2, 4], Hash::Sha224),
    (&[0x60, 0x86, 0x48, 1, 0x65, 3, 4, 2, 1], Hash::Sha256),
    (&[0x60, 0x86, 0x48, 1, 0x65, 3, 4, 2, 2], Hash::Sha384),
    (&[0x60, 0x86, 0x48, 1, 0x65, 3, 4, 2, 3], Hash::Sha512),
];

/// How a signature value is computed from a message.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Scheme {
    /// RSASSA-PKCS1-v1_5 (RFC 8017, 8.2).
    RsaPkcs1(Hash),
    /// RSASSA-PSS (RFC 8017, 8.1).
    RsaPss(Pss),
    /// ECDSA (FIPS 186-5, 6).
    Ecdsa(Hash),
    /// Ed25519 (RFC 8032, 5.1).
    Ed25519,
}

/// The parameters of PSS (RFC 8017, 9.1).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Pss {
    /// The hash of the message.
    pub hash: Hash,
    /// The hash of the mask generation function.
    pub(crate) mask: Hash,
    /// Length of the salt in bytes.
    pub(crate) salt: usize,
}

/// An algorithm identifier (RFC 5280, 4.1.1.2).
#[derive(Debug, Clone)]
pub(crate) struct Identifier<'a> {
    pub name: &'a [u8],
    pub(super) parameters: Option<Element<'a>>,
}

impl<'a> Identifier<'a> {
    /// Reads the next algorithm identifier.
    pub(crate) fn read(elements: &mut Elements<'a>) -> Result<Self, DerError> {
        Self::of(elements.enter(tag::SEQUENCE)?)
    }

    /// Reads an algorithm identifier from its elements.
    pub(crate) fn of(mut fields: Elements<'a>) -> Result<Self, DerError> {
        Ok(Self { name: fields.identifier()?, parameters: fields.next()? })
    }

    /// The hash with this identifier.
    pub(crate) fn hash(&self) -> Option<Hash> {
        find(&HASHES, self.name)
    }

    /// The scheme with this identifier; `hash` if it does not name one.
    pub(crate) fn scheme(&self, hash: Option<Hash>) -> Option<Scheme> {
        match self.name {
            RSA => hash.map(Scheme::RsaPkcs1),
            EC | ECDSA => hash.map(Scheme::Ecdsa),
            RSA_PSS => self.pss(),
            ED25519 => Some(Scheme::Ed25519),
            name => find(&RSA_WITH, name).map(Scheme::RsaPkcs1).or_else(|| find(&ECDSA_WITH, name).map(Scheme::Ecdsa)),
        }
    }

    /// The parameters of PSS (RFC 4055, 3.1), which default to SHA-1 and a salt of 20 bytes.
    fn pss(&self) -> Option<Scheme> {
        let mut fields = self.parameters?.elements().ok()?;
        let hash = match fields.optional(tag::context(0)).ok()? {
            Some(field) => Self::read(&mut field.elements().ok()?).ok()?.hash()?,
            None => Hash::Sha1,
        };
        let mask = match fields.optional(tag::context(1)).ok()? {
            Some(field) => Self::read(&mut field.elements().ok()?).ok()?.mask_hash()?,
            None => Hash::Sha1,
        };
        let salt = match fields.optional(tag::context(2)).ok()? {
            Some(field) => field.elements().ok()?.expect(tag::INTEGER).ok()?.small().ok()?,
            None => 20,
        };
        let trailer = match fields.optional(tag::context(3)).ok()? {
            Some(field) => field.elements().ok()?.expect(tag::INTEGER).ok()?.small().ok()?,
            None => TRAILER,
        };
        let parameters = Pss { hash, mask, salt: usize::try_from(salt).ok()? };
        (trailer == TRAILER).then_some(Scheme::RsaPss(parameters))
    }

    /// The hash of a mask generation function.
    fn mask_hash(&self) -> Option<Hash> {
        let hash = Self::of(self.parameters?.elements().ok()?).ok()?.hash()?;
        (self.name == MGF1).then_some(hash)
    }
}

impl Scheme {
    /// The hash of the message; `None` if it is part of the scheme.
    pub fn hash(self) -> Option<Hash> {
        match self {
            Self::RsaPkcs1(hash) | Self::Ecdsa(hash) | Self::RsaPss(Pss { hash, .. }) => Some(hash),
            Self::Ed25519 => None,
        }
    }

    /// The scheme with another hash; `None` if it is the same or part of the scheme.
    pub fn with(self, hash: Hash) -> Option<Self> {
        let other = match self {
            Self::RsaPkcs1(_) => Self::RsaPkcs1(hash),
            Self::Ecdsa(_) => Self::Ecdsa(hash),
            Self::RsaPss(_) | Self::Ed25519 => return None,
        };
        (other != self).then_some(other)
    }
}

impl Hash {
    /// Its object identifier, encoded.
    pub fn identifier(self) -> Option<&'static [u8]> {
        HASHES.iter().find(|(_, hash)| *hash == self).map(|(name, _)| *name)
    }
}

/// Looks up an identifier in a table.
pub(super) fn find<T: Copy>(table: &[(&[u8], T)], name: &[u8]) -> Option<T> {
    table.iter().find(|(found, _)| *found == name).map(|(_, value)| *value)
}
