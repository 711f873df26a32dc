//! Signed PDFs (ISO 32000-1, 12.8), with keys and certificates of our own: sound ones, and those of the published attacks
//! on signatures. The keys protect nothing. Nothing here expires but what says so.

pub mod attacks;
mod certificate;
mod cms;
mod der;
mod hash;
mod key;
mod pdf;
mod power;
mod rsa;

pub use certificate::{Certificate, RevocationList, authority, extension, key_usage, name, purpose};
pub use cms::{Cms, Encoding, Inside, Reference};
pub use der::{bits, element, identifier, octets, sequence};
pub use hash::Hash;
pub use key::{Key, Scheme};
pub use pdf::{SIGNATURE, SignedPdf, Signing, byte_range, contents, field_number, set_byte_range, value_number};
pub use rsa::Pss;
