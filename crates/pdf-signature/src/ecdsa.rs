//! ECDSA (FIPS 186-5, 6.4) on NIST and Brainpool curves with any hash, by digest, for what `ring` does not support: P-521,
//! Brainpool curves and other hashes. All values are public.

use p256::ecdsa::signature::hazmat::PrehashVerifier;

use crate::brainpool::{self, Brainpool};
use crate::der::{DerError, Elements, tag};
use crate::report::SignatureReason;

/// An elliptic curve.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Curve {
    P256,
    P384,
    P521,
    Brainpool(Brainpool),
    /// An unsupported curve.
    Other(&'static str),
}

impl Curve {
    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            Self::P256 => "P256",
            Self::P384 => "P384",
            Self::P521 => "P521",
            Self::Brainpool(Brainpool::P256) => "brainpoolP256r1",
            Self::Brainpool(Brainpool::P384) => "brainpoolP384r1",
            Self::Brainpool(Brainpool::P512) => "brainpoolP512r1",
            Self::Other(name) => name,
        }
    }
}

impl Curve {
    /// Steps of the file's budget for one value, as measured.
    pub(crate) fn cost(self) -> usize {
        match self {
            Self::P256 => 200,
            Self::P384 => 600,
            Self::P521 | Self::Brainpool(_) => 1_200,
            Self::Other(_) => 1,
        }
    }
}

/// Verifies a value for a digest with the key at this point (SEC 1, 2.3.3).
pub(crate) fn verify(curve: Curve, point: &[u8], digest: &[u8], value: &[u8]) -> Result<(), SignatureReason> {
    // the same for each curve, whose types differ
    macro_rules! verify_on {
        ($curve:ident) => {{
            let key = $curve::ecdsa::VerifyingKey::from_sec1_bytes(point).map_err(|_| SignatureReason::Algorithm)?;
            let number = |bytes: &[u8]| {
                let mut number = $curve::FieldBytes::default();
                let zeros = number.len().checked_sub(bytes.len())?;
                number.get_mut(zeros..)?.copy_from_slice(bytes);
                Some(number)
            };
            let numbers = numbers(value).ok().and_then(|(r, s)| Some((number(r)?, number(s)?)));
            let signature = numbers.and_then(|(r, s)| $curve::ecdsa::Signature::from_scalars(r, s).ok());
            signature.is_some_and(|signature| key.verify_prehash(digest, &signature).is_ok())
        }};
    }
    let is_verified = match curve {
        Curve::P256 => verify_on!(p256),
        Curve::P384 => verify_on!(p384),
        Curve::P521 => verify_on!(p521),
        Curve::Brainpool(curve) => {
            let Ok((r, s)) = numbers(value) else { return Err(SignatureReason::Value) };
            brainpool::verify(curve, point, digest, r, s).ok_or(SignatureReason::Algorithm)?
        }
        Curve::Other(_) => return Err(SignatureReason::Algorithm),
    };
    if is_verified { Ok(()) } else { Err(SignatureReason::Value) }
}

/// The two numbers of a value (RFC 3279, 2.2.3).
fn numbers(value: &[u8]) -> Result<(&[u8], &[u8]), DerError> {
    let mut numbers = Elements::new(value).enter(tag::SEQUENCE)?;
    let mut number = || numbers.expect(tag::INTEGER)?.magnitude();
    let pair = (number()?, number()?);
    // trailing data makes the value invalid
    if numbers.is_empty() { Ok(pair) } else { Err(DerError::Unexpected) }
}
