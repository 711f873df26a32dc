//! Fixed keys, made for these samples, and what they sign.

use ring::digest::{self, digest};
use ring::rand::SystemRandom;
use ring::signature::{
    ECDSA_P256_SHA256_ASN1_SIGNING, ECDSA_P384_SHA384_ASN1_SIGNING, EcdsaKeyPair, Ed25519KeyPair, KeyPair,
    RSA_PKCS1_SHA256, RSA_PKCS1_SHA384, RSA_PKCS1_SHA512, RSA_PSS_SHA256, RSA_PSS_SHA384, RSA_PSS_SHA512, RsaKeyPair,
};

use super::der::{bits, element, identifier, null, octets, sequence};
use super::small_rsa;

/// A key.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Key {
    /// RSA with 2,048 bits.
    Rsa,
    /// RSA with 1,024 bits, too few by today's measure.
    ShortRsa,
    /// On the curve P-256.
    P256,
    /// On the curve P-384.
    P384,
    /// Says that it is on the curve P-521, and signs nothing.
    P521,
    /// On Curve25519.
    Ed25519,
    /// Another one on Curve25519.
    OtherEd25519,
}

/// A hash function.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Hash {
    /// SHA-1, broken since 2017.
    Sha1,
    /// SHA-256.
    Sha256,
    /// SHA-384.
    Sha384,
    /// SHA-512.
    Sha512,
}

/// How an RSA key signs; others can in one way only.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Scheme {
    /// PKCS #1 v1.5, or the key's own way.
    Usual,
    /// PSS with a salt as long as the digest.
    Pss,
    /// Says that it is PSS with another salt, and signs nothing.
    PssWithOtherSalt,
}

impl Hash {
    fn algorithm(self) -> &'static digest::Algorithm {
        match self {
            Self::Sha1 => &digest::SHA1_FOR_LEGACY_USE_ONLY,
            Self::Sha256 => &digest::SHA256,
            Self::Sha384 => &digest::SHA384,
            Self::Sha512 => &digest::SHA512,
        }
    }

    /// The digest of some bytes.
    #[must_use]
    pub fn of(self, bytes: &[u8]) -> Vec<u8> {
        digest(self.algorithm(), bytes).as_ref().to_vec()
    }

    /// Its algorithm identifier.
    pub(super) fn info(self) -> Vec<u8> {
        let name = match self {
            Self::Sha1 => "1.3.14.3.2.26",
            Self::Sha256 => "2.16.840.1.101.3.4.2.1",
            Self::Sha384 => "2.16.840.1.101.3.4.2.2",
            Self::Sha512 => "2.16.840.1.101.3.4.2.3",
        };
        sequence(&[&identifier(name), &null()])
    }
}

impl Key {
    /// The `SubjectPublicKeyInfo` (RFC 5280, 4.1.2.7).
    pub(super) fn info(self) -> Vec<u8> {
        let curve = |name: &str| sequence(&[&identifier("1.2.840.10045.2.1"), &identifier(name)]);
        let algorithm = match self {
            Self::Rsa | Self::ShortRsa => sequence(&[&identifier("1.2.840.113549.1.1.1"), &null()]),
            Self::P256 => curve("1.2.840.10045.3.1.7"),
            Self::P384 => curve("1.3.132.0.34"),
            Self::P521 => curve("1.3.132.0.35"),
            Self::Ed25519 | Self::OtherEd25519 => sequence(&[&identifier("1.3.101.112")]),
        };
        sequence(&[&algorithm, &bits(&self.public())])
    }

    /// The public key as certificates hold it.
    pub(super) fn public(self) -> Vec<u8> {
        match self {
            Self::Rsa => rsa().public_key().as_ref().to_vec(),
            Self::ShortRsa => {
                let Short { modulus, exponent, .. } = short();
                sequence(&[&element(2, &[&modulus]), &element(2, &[&exponent])])
            }
            Self::P256 => self.elliptic().public_key().as_ref().to_vec(),
            Self::P384 => self.elliptic().public_key().as_ref().to_vec(),
            Self::P521 => [&[4][..], &[7; 132]].concat(),
            Self::Ed25519 | Self::OtherEd25519 => self.edwards().public_key().as_ref().to_vec(),
        }
    }

    /// The algorithm identifier of its signatures.
    pub(super) fn algorithm(self, scheme: Scheme, hash: Hash) -> Vec<u8> {
        let salt = hash.algorithm().output_len() as u8;
        let name = match (self, scheme, hash) {
            (Self::Rsa | Self::ShortRsa, Scheme::Pss, _) => return pss(hash, salt),
            (Self::Rsa | Self::ShortRsa, Scheme::PssWithOtherSalt, _) => return pss(hash, salt - 1),
            (Self::Rsa | Self::ShortRsa, Scheme::Usual, Hash::Sha1) => "1.2.840.113549.1.1.5",
            (Self::Rsa | Self::ShortRsa, Scheme::Usual, Hash::Sha256) => "1.2.840.113549.1.1.11",
            (Self::Rsa | Self::ShortRsa, Scheme::Usual, Hash::Sha384) => "1.2.840.113549.1.1.12",
            (Self::Rsa | Self::ShortRsa, Scheme::Usual, Hash::Sha512) => "1.2.840.113549.1.1.13",
            (Self::P256, _, _) => "1.2.840.10045.4.3.2",
            (Self::P384, _, _) => "1.2.840.10045.4.3.3",
            (Self::P521, _, _) => "1.2.840.10045.4.3.4",
            (Self::Ed25519 | Self::OtherEd25519, _, _) => "1.3.101.112",
        };
        if matches!(self, Self::Rsa | Self::ShortRsa) {
            sequence(&[&identifier(name), &null()])
        } else {
            sequence(&[&identifier(name)])
        }
    }

    /// Its signature of a message.
    pub(super) fn sign(self, scheme: Scheme, hash: Hash, message: &[u8]) -> Vec<u8> {
        match (self, scheme) {
            (Self::P521, _) | (_, Scheme::PssWithOtherSalt) => vec![1; 256],
            (Self::Rsa, _) => {
                let padding: &dyn ring::signature::RsaEncoding = match (scheme, hash) {
                    (Scheme::Pss, Hash::Sha512) => &RSA_PSS_SHA512,
                    (Scheme::Pss, Hash::Sha384) => &RSA_PSS_SHA384,
                    (Scheme::Pss, _) => &RSA_PSS_SHA256,
                    (_, Hash::Sha512) => &RSA_PKCS1_SHA512,
                    (_, Hash::Sha384) => &RSA_PKCS1_SHA384,
                    (_, _) => &RSA_PKCS1_SHA256,
                };
                let mut value = vec![0; 256];
                rsa().sign(padding, &SystemRandom::new(), message, &mut value).unwrap();
                value
            }
            (Self::ShortRsa, _) => {
                let Short { modulus, private, .. } = short();
                let info = sequence(&[&hash.info(), &octets(&hash.of(message))]);
                let filling = vec![0xff; 128 - 3 - info.len()];
                let padded = [&[0, 1], &filling[..], &[0], &info].concat();
                small_rsa::power(&padded, &private, &modulus[1..])
            }
            (Self::P256 | Self::P384, _) => {
                self.elliptic().sign(&SystemRandom::new(), message).unwrap().as_ref().to_vec()
            }
            (Self::Ed25519 | Self::OtherEd25519, _) => self.edwards().sign(message).as_ref().to_vec(),
        }
    }

    fn elliptic(self) -> EcdsaKeyPair {
        let (algorithm, key): (_, &[u8]) = if self == Self::P256 {
            (&ECDSA_P256_SHA256_ASN1_SIGNING, include_bytes!("keys/p-256.pk8"))
        } else {
            (&ECDSA_P384_SHA384_ASN1_SIGNING, include_bytes!("keys/p-384.pk8"))
        };
        EcdsaKeyPair::from_pkcs8(algorithm, key, &SystemRandom::new()).unwrap()
    }

    fn edwards(self) -> Ed25519KeyPair {
        let seed = if self == Self::Ed25519 { [7; 32] } else { [8; 32] };
        Ed25519KeyPair::from_seed_unchecked(&seed).unwrap()
    }
}

fn rsa() -> RsaKeyPair {
    RsaKeyPair::from_pkcs8(include_bytes!("keys/rsa-2048.pk8")).unwrap()
}

/// The numbers of a short key, in big-endian bytes; the modulus has a zero in front.
struct Short {
    modulus: Vec<u8>,
    exponent: Vec<u8>,
    private: Vec<u8>,
}

/// Reads modulus, public and private exponent of an `RSAPrivateKey` (RFC 8017, A.1.2).
fn short() -> Short {
    let key = include_bytes!("keys/rsa-1024.der");
    let modulus = &key[7 + 3..][..129];
    let exponent = &key[7 + 3 + 129 + 2..][..3];
    let private = &key[7 + 3 + 129 + 2 + 3..];
    let private = if private[1] == 0x81 { &private[3..][..private[2] as usize] } else { &private[2..][..128] };
    Short { modulus: modulus.to_vec(), exponent: exponent.to_vec(), private: private.to_vec() }
}

/// RSASSA-PSS with its parameters (RFC 4055, 3.1).
fn pss(hash: Hash, salt: u8) -> Vec<u8> {
    let mask = sequence(&[&identifier("1.2.840.113549.1.1.8"), &hash.info()]);
    let parameters =
        sequence(&[&element(0xa0, &[&hash.info()]), &element(0xa1, &[&mask]), &element(0xa2, &[&[2, 1, salt]])]);
    sequence(&[&identifier("1.2.840.113549.1.1.10"), &parameters])
}
