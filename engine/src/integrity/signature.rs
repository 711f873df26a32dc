//! Digital signatures (ISO 32000-1, 12.8), each checked by itself: its range, its digest, its value.

mod algorithm;
mod attributes;
mod certificate;
mod checked;
mod cms;
mod contents;
mod covered;
mod der;
mod digest;
mod ecdsa;
mod fields;
mod hash;
mod locks;
mod opened;
mod outcome;
mod permission;
mod public_key;
mod range;
mod rsa;
mod signer;
#[cfg(test)]
mod tests;
mod text;
mod time_stamp;
mod verify;
pub(crate) mod weakness;

pub(crate) use checked::{Checked, Signatures};
pub(crate) use verify::check;
