//! Digital signatures (ISO 32000-1, 12.8), each checked by itself: its range, its digest, its value.

mod algorithm;
mod anchor;
mod attributes;
mod brainpool;
mod certificate;
mod checked;
mod cms;
mod constraints;
mod contents;
mod covered;
mod crl;
mod der;
mod digest;
mod distribution;
mod ecdsa;
mod extensions;
mod fields;
mod hash;
mod level;
mod locks;
mod name;
mod ocsp;
mod opened;
mod path;
mod permission;
mod policies;
mod public_key;
mod range;
mod revocation;
mod revoked;
mod rsa;
mod signer;
mod statement;
#[cfg(test)]
mod tests;
mod text;
mod time_stamp;
mod trust;
mod validation;
mod verification;
mod verify;
pub(crate) mod weakness;
mod whose;

pub use anchor::{Anchor, AnchorFault};
pub(crate) use checked::{Checked, Signatures};
pub(crate) use verify::check;
