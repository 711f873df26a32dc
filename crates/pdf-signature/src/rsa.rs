//! RSA signatures (RFC 8017, 8.1.2 and 8.2.2) with keys and parameters of any usual kind: moduli of any length, PSS
//! with any salt and mask. All values are public, so constant time is not required.

use crypto_bigint::modular::{BoxedMontyForm, BoxedMontyParams};
use crypto_bigint::{BoxedUint, Odd};

use crate::algorithm::{Identifier, Pss, Scheme};
use crate::der::{Elements, tag};
use crate::hash::Hash;
use crate::report::SignatureReason;

/// Supported moduli, in bytes: shorter ones can be factored, longer ones take too long.
const MODULUS_BYTES: std::ops::RangeInclusive<usize> = 128..=1024;
/// The longest public exponent, in bits. Real ones have 2 or 17, rarely 32.
const MAX_EXPONENT_BITS: u32 = 64;
/// Measured steps for a value with a key of 1,024 bits and the usual exponent of 17 bits, and the fixed part: the table
/// of powers.
const STEPS_PER_SQUARE: usize = 17;
const KILOBIT_BYTES: usize = 128;
const USUAL_EXPONENT_BITS: usize = 17;
const WINDOW_STEPS: usize = 24;
/// The last byte of a PSS encoding (RFC 8017, 9.1.1).
const TRAILER: u8 = 0xbc;

/// A public key; its numbers have no leading zeros.
#[derive(Debug, Clone, Copy)]
pub struct RsaKey<'k> {
    pub(crate) modulus: &'k [u8],
    pub(crate) exponent: &'k [u8],
    pub padding: Padding,
}

/// The permitted padding of a key (RFC 4055, 1.2).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Padding {
    Any,
    /// PSS only; with parameters, only with these hashes and no shorter salt (3.1).
    Pss(Option<Pss>),
    /// PSS with unsupported parameters.
    Unknown,
}

impl Padding {
    pub(crate) fn admits(self, scheme: Scheme) -> bool {
        match (self, scheme) {
            (Self::Any, _) | (Self::Pss(None), Scheme::RsaPss(_)) => true,
            (Self::Pss(Some(own)), Scheme::RsaPss(used)) => {
                (own.hash, own.mask) == (used.hash, used.mask) && used.salt >= own.salt
            }
            _ => false,
        }
    }
}

impl RsaKey<'_> {
    /// Verifies a value for a digest by PKCS #1 v1.5 (8.2.2).
    pub(crate) fn verify_pkcs1(self, hash: Hash, digest: &[u8], value: &[u8]) -> Result<(), SignatureReason> {
        let encoded = self.open(value)?;
        let is_it = |parameters| pkcs1(hash, digest, parameters, encoded.len()).is_some_and(|made| made == encoded);
        // some signers omit the hash's parameters (A.2.4)
        if is_it(&[tag::NULL, 0]) || is_it(&[]) { Ok(()) } else { Err(SignatureReason::Value) }
    }

    /// Verifies a value for a digest by PSS (8.1.2). A value with another salt length is neither valid nor invalid.
    pub(crate) fn verify_pss(self, parameters: Pss, digest: &[u8], value: &[u8]) -> Result<(), SignatureReason> {
        if !parameters.hash.is_known() || !parameters.mask.is_known() {
            return Err(SignatureReason::Algorithm);
        }
        let encoded = self.open(value)?;
        match salt(parameters, digest, &encoded, self.bits() - 1) {
            Some(found) if found == parameters.salt => Ok(()),
            Some(_) => Err(SignatureReason::Algorithm),
            None => Err(SignatureReason::Value),
        }
    }

    /// The hash named in a PKCS #1 v1.5 value (9.2), which may be unsupported; `None` if it is no such value.
    pub(crate) fn named_hash(self, value: &[u8]) -> Option<Option<Hash>> {
        let encoded = self.open(value).ok()?;
        let padded = encoded.strip_prefix(&[0, 1])?;
        let filling = padded.iter().take_while(|byte| **byte == 0xff).count();
        let info = padded.get(filling..)?.strip_prefix(&[0])?;
        let mut info = Elements::new(info).enter(tag::SEQUENCE).ok()?;
        Some(Identifier::read(&mut info).ok()?.hash())
    }

    /// The length of the modulus in bits.
    pub(crate) fn bits(self) -> usize {
        let unused = self.modulus.first().map_or(0, |first| first.leading_zeros() as usize);
        self.modulus.len() * 8 - unused
    }

    /// Cost of verifying one value in budget steps: proportional to the exponent's length and the square of the
    /// modulus' length.
    pub(crate) fn cost(self) -> usize {
        if !MODULUS_BYTES.contains(&self.modulus.len()) {
            return 1;
        }
        let squared = (self.modulus.len() * self.modulus.len()).div_ceil(KILOBIT_BYTES * KILOBIT_BYTES);
        let exponent = (self.exponent.len() * 8).min(MAX_EXPONENT_BITS as usize);
        squared * STEPS_PER_SQUARE * (exponent + WINDOW_STEPS) / (USUAL_EXPONENT_BITS + WINDOW_STEPS)
    }

    /// The encoded message of a value, as long as the modulus (5.2.2).
    fn open(self, value: &[u8]) -> Result<Vec<u8>, SignatureReason> {
        let length = self.modulus.len();
        if !MODULUS_BYTES.contains(&length) {
            return Err(SignatureReason::Algorithm);
        }
        let precision = length as u32 * 8;
        let number = |bytes| BoxedUint::from_be_slice(bytes, precision).map_err(|_| SignatureReason::Algorithm);
        let exponent = number(self.exponent)?;
        let is_usual = exponent.bits_vartime() > 1 && exponent.bits_vartime() <= MAX_EXPONENT_BITS;
        if !is_usual || !exponent.bit_vartime(0) {
            return Err(SignatureReason::Algorithm);
        }
        let modulus = number(self.modulus)?;
        // some signers omit leading zeros or add one
        let zeros = value.iter().take_while(|byte| **byte == 0).count();
        let value = number(value.get(zeros..).unwrap_or_default()).map_err(|_| SignatureReason::Value)?;
        if value >= modulus {
            return Err(SignatureReason::Value);
        }
        let modulus = Odd::new(modulus).into_option().ok_or(SignatureReason::Algorithm)?;
        let base = BoxedMontyForm::new(value, &BoxedMontyParams::new_vartime(modulus));
        let power = base.pow_bounded_exp(&exponent, exponent.bits_vartime()).retrieve().to_be_bytes();
        Ok(power.get(power.len().saturating_sub(length)..).unwrap_or_default().to_vec())
    }
}

/// The PKCS #1 v1.5 encoding of a digest (9.2), with these parameters of the hash.
fn pkcs1(hash: Hash, digest: &[u8], parameters: &[u8], length: usize) -> Option<Vec<u8>> {
    let name = hash.identifier()?;
    let element = |tag: u8, content: &[u8]| [&[tag, content.len() as u8], content].concat();
    let algorithm = element(tag::SEQUENCE, &[&element(tag::OBJECT_IDENTIFIER, name), parameters].concat());
    let info = element(tag::SEQUENCE, &[algorithm, element(tag::OCTET_STRING, digest)].concat());
    let filling = vec![0xff; length.checked_sub(info.len() + 3).filter(|&filling| filling >= 8)?];
    Some([&[0, 1], &filling[..], &[0], &info].concat())
}

/// The salt length of a PSS encoding of the digest (9.1.2); `None` if it is no such encoding. `bits` is the encoding's
/// length.
fn salt(parameters: Pss, digest: &[u8], encoded: &[u8], bits: usize) -> Option<usize> {
    let (in_front, encoded) = encoded.split_at_checked(encoded.len().checked_sub(bits.div_ceil(8))?)?;
    let (rest, trailer) = encoded.split_last().map(|(last, rest)| (rest, *last))?;
    let (masked, hash) = rest.split_at_checked(rest.len().checked_sub(digest.len())?)?;
    let mut data: Vec<u8> = masked.iter().zip(mask(parameters.mask, hash, masked.len())?).map(|(a, b)| a ^ b).collect();
    let used = 0xff_u8 >> (8 * encoded.len() - bits);
    let is_short = in_front.iter().all(|&byte| byte == 0) && masked.first()? & !used == 0;
    *data.first_mut()? &= used;
    let zeros = data.iter().take_while(|byte| **byte == 0).count();
    let (separator, salt) = data.get(zeros..)?.split_first()?;
    let again = parameters.hash.digest(&[&[0; 8], digest, salt].concat())?;
    (is_short && trailer == TRAILER && *separator == 1 && again == hash).then_some(salt.len())
}

/// The mask for a seed (B.2.1).
fn mask(hash: Hash, seed: &[u8], length: usize) -> Option<Vec<u8>> {
    let mut mask = Vec::new();
    for counter in 0_u32.. {
        if mask.len() >= length {
            break;
        }
        mask.extend(hash.digest(&[seed, &counter.to_be_bytes()].concat())?);
    }
    mask.truncate(length);
    Some(mask)
}
