//! Public keys (RFC 3279, 2.3; RFC 5480; RFC 8410), and what `ring` can verify by them.

use ring::signature::{self, RsaParameters, RsaPublicKeyComponents, UnparsedPublicKey, VerificationAlgorithm};

use super::algorithm::{EC, ED25519, Hash, Identifier, RSA, RSA_PSS, Scheme, Supported, find};
use super::der::{Elements, Error, tag};

/// Curves by name (RFC 5480, 2.1.1.1; RFC 5639, A.1), those that cannot be checked too.
const CURVES: [(&[u8], &str); 7] = [
    (&[0x2a, 0x86, 0x48, 0xce, 0x3d, 3, 1, 7], P256),
    (&[0x2b, 0x81, 4, 0, 0x22], P384),
    (&[0x2b, 0x81, 4, 0, 0x23], "P521"),
    (&[0x2b, 0x81, 4, 0, 10], "secp256k1"),
    (&[0x2b, 0x24, 3, 3, 2, 8, 1, 1, 7], "brainpoolP256r1"),
    (&[0x2b, 0x24, 3, 3, 2, 8, 1, 1, 11], "brainpoolP384r1"),
    (&[0x2b, 0x24, 3, 3, 2, 8, 1, 1, 13], "brainpoolP512r1"),
];
const P256: &str = "P256";
const P384: &str = "P384";
/// The shortest RSA keys that are checked, in bits: of any age, and with the algorithms that came later.
const SHORTEST_RSA: usize = 1024;
const SHORTEST_MODERN_RSA: usize = 2048;
const LONGEST_RSA: usize = 8192;
/// `ring` takes public exponents up to 33 bits.
const LONGEST_EXPONENT: usize = 33;

/// A public key (RFC 5280, 4.1.2.7).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum PublicKey<'a> {
    Rsa {
        modulus: &'a [u8],
        exponent: &'a [u8],
    },
    Ec {
        curve: &'static str,
        point: &'a [u8],
    },
    Ed25519(&'a [u8]),
    /// Of a kind or with parameters that are not known here.
    Other,
}

/// What verification comes to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Outcome {
    Verified,
    Refuted,
    /// It could not be tried.
    Unsupported,
}

impl Scheme {
    /// Its name together with the key's, such as `RSA-SHA256` or `ECDSA-P256-SHA256`.
    pub(crate) fn name(self, key: PublicKey) -> String {
        match (self, key) {
            (Self::RsaPkcs1(hash), _) => format!("RSA-{}", hash.name()),
            (Self::RsaPss(hash, _), _) => format!("RSA-PSS-{}", hash.name()),
            (Self::Ecdsa(hash), PublicKey::Ec { curve, .. }) => format!("ECDSA-{curve}-{}", hash.name()),
            (Self::Ecdsa(hash), _) => format!("ECDSA-{}", hash.name()),
            (Self::Ed25519, _) => "Ed25519".to_owned(),
        }
    }

    /// Verifies the signature `value` of `message`.
    pub(crate) fn verify(self, key: PublicKey, message: &[u8], value: &[u8]) -> Outcome {
        match (self, key) {
            (Self::RsaPkcs1(_) | Self::RsaPss(..), PublicKey::Rsa { modulus, exponent }) => {
                self.verify_rsa(modulus, exponent, message, value)
            }
            (Self::Ecdsa(hash), PublicKey::Ec { curve, point }) => {
                let Some(algorithm) = ecdsa(curve, hash) else { return Outcome::Unsupported };
                // `ring` takes no compressed points
                if point.first() != Some(&4) { Outcome::Unsupported } else { by(algorithm, point, message, value) }
            }
            (Self::Ed25519, PublicKey::Ed25519(point)) => by(&signature::ED25519, point, message, value),
            _ => Outcome::Unsupported,
        }
    }

    fn verify_rsa(self, modulus: &[u8], exponent: &[u8], message: &[u8], value: &[u8]) -> Outcome {
        // `ring` counts whole bytes, too
        let length = modulus.len() * 8;
        let Some((parameters, shortest)) = self.rsa(length) else { return Outcome::Unsupported };
        let is_supported =
            (shortest..=LONGEST_RSA).contains(&length) && (2..=LONGEST_EXPONENT).contains(&bits(exponent));
        if !is_supported {
            return Outcome::Unsupported;
        }
        let key = RsaPublicKeyComponents { n: modulus, e: exponent };
        outcome(key.verify(parameters, message, &padded(value, modulus.len())))
    }

    /// How `ring` calls it, and the shortest key that it takes.
    fn rsa(self, length: usize) -> Option<(&'static RsaParameters, usize)> {
        let is_short = length < SHORTEST_MODERN_RSA;
        match self {
            Self::RsaPkcs1(Hash::Sha1) => {
                Some((&signature::RSA_PKCS1_1024_8192_SHA1_FOR_LEGACY_USE_ONLY, SHORTEST_RSA))
            }
            Self::RsaPkcs1(Hash::Sha256) => {
                Some((&signature::RSA_PKCS1_1024_8192_SHA256_FOR_LEGACY_USE_ONLY, SHORTEST_RSA))
            }
            Self::RsaPkcs1(Hash::Sha512) => {
                Some((&signature::RSA_PKCS1_1024_8192_SHA512_FOR_LEGACY_USE_ONLY, SHORTEST_RSA))
            }
            _ if is_short => None,
            Self::RsaPkcs1(Hash::Sha384) => Some((&signature::RSA_PKCS1_2048_8192_SHA384, SHORTEST_MODERN_RSA)),
            Self::RsaPss(Hash::Sha256, Supported::Yes) => {
                Some((&signature::RSA_PSS_2048_8192_SHA256, SHORTEST_MODERN_RSA))
            }
            Self::RsaPss(Hash::Sha384, Supported::Yes) => {
                Some((&signature::RSA_PSS_2048_8192_SHA384, SHORTEST_MODERN_RSA))
            }
            Self::RsaPss(Hash::Sha512, Supported::Yes) => {
                Some((&signature::RSA_PSS_2048_8192_SHA512, SHORTEST_MODERN_RSA))
            }
            _ => None,
        }
    }
}

impl<'a> PublicKey<'a> {
    /// Reads a `SubjectPublicKeyInfo` (RFC 5280, 4.1.2.7).
    pub(crate) fn read(mut info: Elements<'a>) -> Result<Self, Error> {
        let identifier = Identifier::read(&mut info)?;
        let key = info.expect(tag::BIT_STRING)?.bits()?;
        Ok(match identifier.name {
            RSA | RSA_PSS => {
                let mut numbers = Elements::new(key).enter(tag::SEQUENCE)?;
                let mut number = || numbers.expect(tag::INTEGER)?.magnitude();
                Self::Rsa { modulus: number()?, exponent: number()? }
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
}

fn ecdsa(curve: &str, hash: Hash) -> Option<&'static dyn VerificationAlgorithm> {
    match (curve, hash) {
        (P256, Hash::Sha256) => Some(&signature::ECDSA_P256_SHA256_ASN1),
        (P256, Hash::Sha384) => Some(&signature::ECDSA_P256_SHA384_ASN1),
        (P384, Hash::Sha256) => Some(&signature::ECDSA_P384_SHA256_ASN1),
        (P384, Hash::Sha384) => Some(&signature::ECDSA_P384_SHA384_ASN1),
        _ => None,
    }
}

fn by(algorithm: &'static dyn VerificationAlgorithm, key: &[u8], message: &[u8], value: &[u8]) -> Outcome {
    outcome(UnparsedPublicKey::new(algorithm, key).verify(message, value))
}

fn outcome(result: Result<(), ring::error::Unspecified>) -> Outcome {
    if result.is_ok() { Outcome::Verified } else { Outcome::Refuted }
}

/// The number as long as the modulus: some signers leave zeros in front away, or write one more.
fn padded(value: &[u8], length: usize) -> Vec<u8> {
    let zeros = value.iter().take_while(|byte| **byte == 0).count();
    let significant = value.get(zeros..).unwrap_or_default();
    let mut padded = vec![0; length.saturating_sub(significant.len())];
    padded.extend_from_slice(significant);
    padded
}

/// The length of a number that starts with no zero, in bits.
fn bits(number: &[u8]) -> usize {
    let unused = number.first().map_or(0, |first| first.leading_zeros() as usize);
    number.len() * 8 - unused
}
