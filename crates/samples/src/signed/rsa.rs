//! RSA keys of several lengths, and the paddings of PKCS #1 (RFC 8017, 9).

use super::der::{element, identifier, octets, sequence, small};
use super::hash::Hash;
use super::power::power;

/// What is found in an `RSAPrivateKey` (RFC 8017, A.1.2), as it stands there.
pub(super) struct PrivateKey {
    modulus: &'static [u8],
    exponent: &'static [u8],
    private: &'static [u8],
}

/// How PSS is done (RFC 8017, 9.1), and what is said of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Pss {
    /// The hash of the mask.
    pub mask: Hash,
    /// Length of the salt.
    pub salt: u8,
    /// Length that the salt is said to have.
    pub said: u8,
}

impl PrivateKey {
    /// Reads a key.
    pub(super) fn read(key: &'static [u8]) -> Self {
        let (numbers, _) = content(key);
        let (_version, rest) = content(numbers);
        let (modulus, rest) = content(rest);
        let (exponent, rest) = content(rest);
        let (private, _) = content(rest);
        Self { modulus, exponent, private }
    }

    /// The `RSAPublicKey` (RFC 8017, A.1.1).
    pub(super) fn public(&self) -> Vec<u8> {
        sequence(&[&element(2, &[self.modulus]), &element(2, &[self.exponent])])
    }

    /// The same with a modulus that is a negative number by the letter of DER.
    pub(super) fn unsigned_public(&self) -> Vec<u8> {
        let modulus = self.modulus.strip_prefix(&[0]).unwrap_or(self.modulus);
        sequence(&[&element(2, &[modulus]), &element(2, &[self.exponent])])
    }

    /// A signature by PKCS #1 v1.5.
    pub(super) fn sign(&self, hash: Hash, message: &[u8]) -> Vec<u8> {
        let info = sequence(&[&hash.info(), &octets(&hash.of(message))]);
        let filling = vec![0xff; self.modulus().len() - 3 - info.len()];
        self.power(&[&[0, 1], &filling[..], &[0], &info].concat())
    }

    /// A signature by PSS.
    pub(super) fn sign_pss(&self, hash: Hash, pss: Pss, message: &[u8]) -> Vec<u8> {
        let bits = self.modulus().len() * 8 - self.modulus()[0].leading_zeros() as usize - 1;
        let (length, salt) = (bits.div_ceil(8), vec![5; usize::from(pss.salt)]);
        let digest = hash.of(&[&[0; 8], &hash.of(message)[..], &salt].concat());
        let zeros = vec![0; length - salt.len() - digest.len() - 2];
        let data = [&zeros[..], &[1], &salt].concat();
        let masked = data.iter().zip(mask(pss.mask, &digest)).map(|(byte, mask)| byte ^ mask);
        let mut encoded: Vec<u8> = masked.chain(digest.iter().copied()).chain([0xbc]).collect();
        encoded[0] &= 0xff >> (8 * length - bits);
        let in_front = vec![0; self.modulus().len() - length];
        self.power(&[in_front, encoded].concat())
    }

    fn modulus(&self) -> &[u8] {
        self.modulus.strip_prefix(&[0]).unwrap_or(self.modulus)
    }

    fn power(&self, base: &[u8]) -> Vec<u8> {
        power(base, self.private, self.modulus())
    }
}

impl Pss {
    /// RSASSA-PSS with its parameters (RFC 4055, 3.1).
    pub(super) fn info(self, hash: Hash) -> Vec<u8> {
        let mask = sequence(&[&identifier("1.2.840.113549.1.1.8"), &self.mask.info()]);
        let parameters = sequence(&[
            &element(0xa0, &[&hash.info()]),
            &element(0xa1, &[&mask]),
            &element(0xa2, &[&small(self.said)]),
        ]);
        sequence(&[&identifier("1.2.840.113549.1.1.10"), &parameters])
    }
}

/// A mask made out of a seed (RFC 8017, B.2.1).
fn mask(hash: Hash, seed: &[u8]) -> impl Iterator<Item = u8> {
    (0_u32..).flat_map(move |counter| hash.of(&[seed, &counter.to_be_bytes()].concat()))
}

/// The content of the element that some bytes begin with, and what comes behind it.
fn content(bytes: &'static [u8]) -> (&'static [u8], &'static [u8]) {
    let (header, length) = match bytes[1] {
        0x81 => (3, usize::from(bytes[2])),
        0x82 => (4, usize::from(bytes[2]) << 8 | usize::from(bytes[3])),
        length => (2, usize::from(length)),
    };
    bytes[header..].split_at(length)
}
