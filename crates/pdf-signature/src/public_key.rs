//! Public keys (RFC 3279, 2.3; RFC 5480; RFC 8410) and verification with them. Values that `ring` does not support or
//! accept, which it finds quickly, are verified by slower code with wider support.

use ring::signature::{self, EcdsaVerificationAlgorithm, RsaParameters, RsaPublicKeyComponents, UnparsedPublicKey};

use crate::algorithm::{EC, ED25519, Identifier, Pss, RSA, RSA_PSS, Scheme, find};
use crate::brainpool::Brainpool;
use crate::der::{DerError, Elements, tag};
use crate::ecdsa::Curve;
use crate::hash::Hash;
use crate::report::SignatureReason;
use crate::rsa::Padding;
use crate::{ecdsa, rsa};

/// Curves by name (RFC 5480, 2.1.1.1; RFC 5639, A.1).
const CURVES: [(&[u8], Curve); 7] = [
    (&[0x2a, 0x86, 0x48, 0xce, 0x3d, 3, 1, 7], Curve::P256),
    (&[0x2b, 0x81, 4, 0, 0x22], Curve::P384),
    (&[0x2b, 0x81, 4, 0, 0x23], Curve::P521),
    (&[0x2b, 0x81, 4, 0, 10], Curve::Other("secp256k1")),
    (&[0x2b, 0x24, 3, 3, 2, 8, 1, 1, 7], Curve::Brainpool(Brainpool::P256)),
    (&[0x2b, 0x24, 3, 3, 2, 8, 1, 1, 11], Curve::Brainpool(Brainpool::P384)),
    (&[0x2b, 0x24, 3, 3, 2, 8, 1, 1, 13], Curve::Brainpool(Brainpool::P512)),
];
/// Minimum length of an RSA key that is not weak, in bytes (NIST SP 800-131A, 3). One bit less in the first byte is
/// common.
const MIN_RSA_BYTES: usize = 2048 / 8;

/// A public key (RFC 5280, 4.1.2.7).
#[derive(Debug, Clone, Copy)]
pub enum PublicKey<'a> {
    /// RSA.
    Rsa(rsa::RsaKey<'a>),
    /// A point of an elliptic curve.
    Ec {
        /// The curve.
        curve: Curve,
        /// The point, encoded (SEC 1, 2.3.3).
        point: &'a [u8],
    },
    /// Ed25519: 32 bytes.
    Ed25519(&'a [u8]),
    /// Unsupported type or parameters.
    Other,
}

impl Scheme {
    /// Its name with the key's, such as `RSA-SHA256` or `ECDSA-P256-SHA256`.
    pub fn name(self, key: PublicKey) -> String {
        match (self, key) {
            (Self::RsaPkcs1(hash), _) => format!("RSA-{}", hash.name()),
            (Self::RsaPss(Pss { hash, .. }), _) => format!("RSA-PSS-{}", hash.name()),
            (Self::Ecdsa(hash), PublicKey::Ec { curve, .. }) => format!("ECDSA-{}-{}", curve.name(), hash.name()),
            (Self::Ecdsa(hash), _) => format!("ECDSA-{}", hash.name()),
            (Self::Ed25519, _) => "Ed25519".to_owned(),
        }
    }

    /// Verifies the signature `value` of a message by its digest with the scheme's hash.
    pub(crate) fn verify_digest(self, key: PublicKey, digest: &[u8], value: &[u8]) -> Result<(), SignatureReason> {
        match (self, key) {
            (_, PublicKey::Rsa(key)) if !key.padding.admits(self) => Err(SignatureReason::Algorithm),
            (Self::RsaPkcs1(hash), PublicKey::Rsa(key)) => key.verify_pkcs1(hash, digest, value),
            (Self::RsaPss(parameters), PublicKey::Rsa(key)) => key.verify_pss(parameters, digest, value),
            (Self::Ecdsa(_), PublicKey::Ec { curve, point }) => ecdsa::verify(curve, point, digest, value),
            _ => Err(SignatureReason::Algorithm),
        }
    }

    /// Verifies the signature `value` of `message`.
    pub fn verify(self, key: PublicKey, message: &[u8], value: &[u8]) -> Result<(), SignatureReason> {
        match (self, key) {
            (_, PublicKey::Rsa(key)) if !key.padding.admits(self) => Err(SignatureReason::Algorithm),
            _ if self.is_quickly_verified(key, message, value) => Ok(()),
            (Self::Ed25519, PublicKey::Ed25519(point)) => {
                let verified = UnparsedPublicKey::new(&signature::ED25519, point).verify(message, value);
                verified.map_err(|_| SignatureReason::Value)
            }
            _ => {
                let digest = self.hash().and_then(|hash| hash.digest(message)).ok_or(SignatureReason::Algorithm)?;
                self.verify_digest(key, &digest, value)
            }
        }
    }

    /// Whether `ring` verifies an RSA or ECDSA value.
    fn is_quickly_verified(self, key: PublicKey, message: &[u8], value: &[u8]) -> bool {
        match key {
            PublicKey::Rsa(key) => {
                let components = RsaPublicKeyComponents { n: key.modulus, e: key.exponent };
                self.quick_rsa().is_some_and(|parameters| components.verify(parameters, message, value).is_ok())
            }
            PublicKey::Ec { curve, point } => self
                .quick_ecdsa(curve)
                .is_some_and(|algorithm| UnparsedPublicKey::new(algorithm, point).verify(message, value).is_ok()),
            PublicKey::Ed25519(_) | PublicKey::Other => false,
        }
    }

    /// `ring`'s ECDSA algorithm, if supported.
    fn quick_ecdsa(self, curve: Curve) -> Option<&'static EcdsaVerificationAlgorithm> {
        match (curve, self) {
            (Curve::P256, Self::Ecdsa(Hash::Sha256)) => Some(&signature::ECDSA_P256_SHA256_ASN1),
            (Curve::P256, Self::Ecdsa(Hash::Sha384)) => Some(&signature::ECDSA_P256_SHA384_ASN1),
            (Curve::P384, Self::Ecdsa(Hash::Sha256)) => Some(&signature::ECDSA_P384_SHA256_ASN1),
            (Curve::P384, Self::Ecdsa(Hash::Sha384)) => Some(&signature::ECDSA_P384_SHA384_ASN1),
            _ => None,
        }
    }

    /// `ring`'s RSA algorithm, if supported.
    fn quick_rsa(self) -> Option<&'static RsaParameters> {
        match self {
            Self::RsaPkcs1(Hash::Sha1) => Some(&signature::RSA_PKCS1_1024_8192_SHA1_FOR_LEGACY_USE_ONLY),
            Self::RsaPkcs1(Hash::Sha256) => Some(&signature::RSA_PKCS1_1024_8192_SHA256_FOR_LEGACY_USE_ONLY),
            Self::RsaPkcs1(Hash::Sha384) => Some(&signature::RSA_PKCS1_2048_8192_SHA384),
            Self::RsaPkcs1(Hash::Sha512) => Some(&signature::RSA_PKCS1_1024_8192_SHA512_FOR_LEGACY_USE_ONLY),
            Self::RsaPss(Pss { hash: Hash::Sha256, mask: Hash::Sha256, salt: 32 }) => {
                Some(&signature::RSA_PSS_2048_8192_SHA256)
            }
            Self::RsaPss(Pss { hash: Hash::Sha384, mask: Hash::Sha384, salt: 48 }) => {
                Some(&signature::RSA_PSS_2048_8192_SHA384)
            }
            Self::RsaPss(Pss { hash: Hash::Sha512, mask: Hash::Sha512, salt: 64 }) => {
                Some(&signature::RSA_PSS_2048_8192_SHA512)
            }
            _ => None,
        }
    }
}

impl<'a> PublicKey<'a> {
    /// Reads a `SubjectPublicKeyInfo` (RFC 5280, 4.1.2.7).
    pub fn read(mut info: Elements<'a>) -> Result<Self, DerError> {
        let identifier = Identifier::read(&mut info)?;
        let key = info.expect(tag::BIT_STRING)?.bits()?;
        Ok(match identifier.name {
            RSA | RSA_PSS => {
                let mut numbers = Elements::new(key).enter(tag::SEQUENCE)?;
                // some writers omit the leading zero of a modulus
                let mut number = || numbers.expect(tag::INTEGER)?.unsigned();
                let padding = match (identifier.name, identifier.parameters) {
                    (RSA, _) => Padding::Any,
                    (_, None) => Padding::Pss(None),
                    (_, Some(_)) => match identifier.scheme(None) {
                        Some(Scheme::RsaPss(parameters)) => Padding::Pss(Some(parameters)),
                        _ => Padding::Unknown,
                    },
                };
                Self::Rsa(rsa::RsaKey { modulus: number()?, exponent: number()?, padding })
            }
            EC => {
                let name = identifier.parameters.filter(|name| name.tag == tag::OBJECT_IDENTIFIER);
                let curve = name.and_then(|name| find(&CURVES, name.content));
                curve.map_or(Self::Other, |curve| Self::Ec { curve, point: key })
            }
            ED25519 => Self::Ed25519(key),
            _ => Self::Other,
        })
    }

    /// Steps of the file's budget for one value, about a microsecond each: valid values are verified quickly, invalid
    /// ones take longest.
    pub fn cost(self) -> usize {
        match self {
            Self::Rsa(key) => key.cost(),
            Self::Ec { curve, .. } => curve.cost(),
            Self::Ed25519(_) => 60,
            Self::Other => 1,
        }
    }

    /// Its name if it is weak by current standards.
    pub fn weakness(self) -> Option<String> {
        match self {
            Self::Rsa(key) if key.modulus.len() < MIN_RSA_BYTES => Some(format!("RSA-{}", key.bits())),
            _ => None,
        }
    }
}
