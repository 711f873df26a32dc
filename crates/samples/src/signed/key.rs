//! Fixed keys, made for these samples, and what they sign.

use p256::ecdsa::signature::hazmat::PrehashSigner;
use ring::rand::SystemRandom;
use ring::signature::{
    Ed25519KeyPair, KeyPair, RSA_PKCS1_SHA256, RSA_PKCS1_SHA384, RSA_PKCS1_SHA512, RSA_PSS_SHA256, RSA_PSS_SHA384,
    RSA_PSS_SHA512, RsaEncoding, RsaKeyPair,
};

use super::der::{bits, element, identifier, null, sequence};
use super::hash::Hash;
use super::rsa::{PrivateKey, Pss};

/// A key.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Key {
    /// RSA with 2,048 bits.
    Rsa,
    /// The same, whose modulus is written without the zero before its highest bit.
    UnsignedRsa,
    /// The same, for signatures by PSS alone (RFC 4055, 1.2).
    PssRsa,
    /// RSA with 1,024 bits, too few by today's measure.
    ShortRsa,
    /// RSA with 2,047 bits, which some cards make.
    Rsa2047,
    /// RSA with 2,041 bits, one more than full bytes.
    Rsa2041,
    /// On the curve P-256.
    P256,
    /// On the curve P-384.
    P384,
    /// On the curve P-521.
    P521,
    /// Says that it is on the curve P-521, but is not.
    NoPoint,
    /// Says that it is on a curve of the Brainpool family, but is not.
    Brainpool,
    /// On Curve25519.
    Ed25519,
    /// Another one on Curve25519.
    OtherEd25519,
}

/// How a key signs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Scheme {
    /// PKCS #1 v1.5, or the key's own way.
    Usual,
    /// PKCS #1 v1.5 by this hash, whatever the signature says.
    With(Hash),
    /// As usual, with an identifier that leaves the hash to the signer's digest algorithm.
    Unnamed,
    /// PSS with a salt as long as the digest, and the same hash for the mask.
    Pss,
    /// PSS in another way.
    PssWith(Pss),
}

impl Key {
    /// The `SubjectPublicKeyInfo` (RFC 5280, 4.1.2.7).
    pub(crate) fn info(self) -> Vec<u8> {
        let curve = |name: &str| sequence(&[&identifier("1.2.840.10045.2.1"), &identifier(name)]);
        let algorithm = match self {
            Self::Rsa | Self::UnsignedRsa | Self::ShortRsa | Self::Rsa2047 | Self::Rsa2041 => {
                sequence(&[&identifier("1.2.840.113549.1.1.1"), &null()])
            }
            Self::PssRsa => sequence(&[&identifier("1.2.840.113549.1.1.10")]),
            Self::P256 => curve("1.2.840.10045.3.1.7"),
            Self::P384 => curve("1.3.132.0.34"),
            Self::P521 | Self::NoPoint => curve("1.3.132.0.35"),
            Self::Brainpool => curve("1.3.36.3.3.2.8.1.1.7"),
            Self::Ed25519 | Self::OtherEd25519 => sequence(&[&identifier("1.3.101.112")]),
        };
        sequence(&[&algorithm, &bits(&self.public())])
    }

    /// The public key as certificates hold it.
    pub(super) fn public(self) -> Vec<u8> {
        match self {
            Self::P256 => p256().verifying_key().to_sec1_point(false).as_bytes().to_vec(),
            Self::P384 => p384().verifying_key().to_sec1_point(false).as_bytes().to_vec(),
            Self::P521 => p521().verifying_key().to_sec1_point(false).as_bytes().to_vec(),
            Self::NoPoint => [&[4][..], &[7; 132]].concat(),
            Self::Brainpool => [&[4][..], &[7; 64]].concat(),
            Self::Ed25519 | Self::OtherEd25519 => self.edwards().public_key().as_ref().to_vec(),
            Self::UnsignedRsa => self.rsa().unsigned_public(),
            Self::Rsa | Self::PssRsa | Self::ShortRsa | Self::Rsa2047 | Self::Rsa2041 => self.rsa().public(),
        }
    }

    /// The algorithm identifier of its signatures.
    pub(super) fn algorithm(self, scheme: Scheme, hash: Hash) -> Vec<u8> {
        let by_hash = |arc: &str, numbers: [u8; 5]| {
            let place = [Hash::Sha1, Hash::Sha224, Hash::Sha256, Hash::Sha384, Hash::Sha512];
            let number = place.iter().position(|known| *known == hash).map(|at| numbers[at]).unwrap();
            identifier(&format!("{arc}.{number}"))
        };
        match (self, scheme) {
            (Self::Ed25519 | Self::OtherEd25519, _) => sequence(&[&identifier("1.3.101.112")]),
            (Self::P256 | Self::P384 | Self::P521, Scheme::Unnamed) => sequence(&[&identifier("1.2.840.10045.4")]),
            (_, Scheme::Unnamed) => sequence(&[&identifier("1.2.840.113549.1.1.1"), &null()]),
            (Self::P256 | Self::P384 | Self::P521 | Self::NoPoint | Self::Brainpool, _) => match hash {
                Hash::Sha1 => sequence(&[&identifier("1.2.840.10045.4.1")]),
                _ => sequence(&[&by_hash("1.2.840.10045.4.3", [0, 1, 2, 3, 4])]),
            },
            (_, Scheme::Pss) => usual_pss(hash).info(hash),
            (_, Scheme::PssWith(pss)) => pss.info(hash),
            (_, Scheme::Usual | Scheme::With(_)) => {
                sequence(&[&by_hash("1.2.840.113549.1.1", [5, 14, 11, 12, 13]), &null()])
            }
        }
    }

    /// Its signature of a message.
    pub(super) fn sign(self, scheme: Scheme, hash: Hash, message: &[u8]) -> Vec<u8> {
        match (self, scheme) {
            (Self::NoPoint | Self::Brainpool, _) => {
                let number = element(2, &[&[1; 32]]);
                sequence(&[&number, &number])
            }
            (Self::P256, _) => {
                let signature: p256::ecdsa::Signature = p256().sign_prehash(&hash.of(message)).unwrap();
                numbers(&signature.split_bytes().0, &signature.split_bytes().1)
            }
            (Self::P384, _) => {
                let signature: p384::ecdsa::Signature = p384().sign_prehash(&hash.of(message)).unwrap();
                numbers(&signature.split_bytes().0, &signature.split_bytes().1)
            }
            (Self::P521, _) => {
                let signature: p521::ecdsa::Signature = p521().sign_prehash(&hash.of(message)).unwrap();
                numbers(&signature.split_bytes().0, &signature.split_bytes().1)
            }
            (Self::Ed25519 | Self::OtherEd25519, _) => self.edwards().sign(message).as_ref().to_vec(),
            (_, Scheme::Usual | Scheme::Unnamed) => {
                quick(self, scheme, hash, message).unwrap_or_else(|| self.rsa().sign(hash, message))
            }
            (_, Scheme::With(hash)) => self.rsa().sign(hash, message),
            (_, Scheme::Pss) => quick(self, scheme, hash, message)
                .unwrap_or_else(|| self.rsa().sign_pss(hash, usual_pss(hash), message)),
            (_, Scheme::PssWith(pss)) => self.rsa().sign_pss(hash, pss, message),
        }
    }

    fn edwards(self) -> Ed25519KeyPair {
        let seed = if self == Self::Ed25519 { [7; 32] } else { [8; 32] };
        Ed25519KeyPair::from_seed_unchecked(&seed).unwrap()
    }

    fn rsa(self) -> PrivateKey {
        match self {
            Self::ShortRsa => PrivateKey::read(include_bytes!("keys/rsa-1024.der")),
            Self::Rsa2047 => PrivateKey::read(include_bytes!("keys/rsa-2047.der")),
            Self::Rsa2041 => PrivateKey::read(include_bytes!("keys/rsa-2041.der")),
            // behind what says that it is RSA (RFC 5208, 5)
            _ => PrivateKey::read(&RSA[26..]),
        }
    }
}

/// The key of 2,048 bits, as PKCS #8 has it.
const RSA: &[u8] = include_bytes!("keys/rsa-2048.pk8");

/// What `ring` makes with a key of 2,048 bits.
fn quick(key: Key, scheme: Scheme, hash: Hash, message: &[u8]) -> Option<Vec<u8>> {
    let padding: &dyn RsaEncoding = match (scheme, hash) {
        _ if key != Key::Rsa => return None,
        (Scheme::Usual | Scheme::Unnamed, Hash::Sha256) => &RSA_PKCS1_SHA256,
        (Scheme::Usual | Scheme::Unnamed, Hash::Sha384) => &RSA_PKCS1_SHA384,
        (Scheme::Usual | Scheme::Unnamed, Hash::Sha512) => &RSA_PKCS1_SHA512,
        (Scheme::Pss, Hash::Sha256) => &RSA_PSS_SHA256,
        (Scheme::Pss, Hash::Sha384) => &RSA_PSS_SHA384,
        (Scheme::Pss, Hash::Sha512) => &RSA_PSS_SHA512,
        _ => return None,
    };
    let mut value = vec![0; 256];
    RsaKeyPair::from_pkcs8(RSA).unwrap().sign(padding, &SystemRandom::new(), message, &mut value).unwrap();
    Some(value)
}

fn usual_pss(hash: Hash) -> Pss {
    let length = hash.of(b"").len() as u8;
    Pss { mask: hash, salt: length, said: length }
}

fn p256() -> p256::ecdsa::SigningKey {
    p256::ecdsa::SigningKey::from_slice(&include_bytes!("keys/p-256.pk8")[36..68]).unwrap()
}

fn p384() -> p384::ecdsa::SigningKey {
    p384::ecdsa::SigningKey::from_slice(&include_bytes!("keys/p-384.pk8")[35..83]).unwrap()
}

fn p521() -> p521::ecdsa::SigningKey {
    p521::ecdsa::SigningKey::from_slice(&[&[0][..], &[7; 65]].concat()).unwrap()
}

/// Two numbers as ECDSA writes them (RFC 3279, 2.2.3).
fn numbers(r: &[u8], s: &[u8]) -> Vec<u8> {
    let number = |bytes: &[u8]| {
        let zeros = bytes.iter().take_while(|byte| **byte == 0).count();
        let sign: &[u8] = if bytes[zeros] < 0x80 { &[] } else { &[0] };
        element(2, &[sign, &bytes[zeros..]])
    };
    sequence(&[&number(r), &number(s)])
}
