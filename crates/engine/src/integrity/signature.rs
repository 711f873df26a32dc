//! Digital signatures (ISO 32000-1, 12.8), checked individually: byte range, digest and value.

mod byte_range;
mod checked_signature;
mod contents_entry;
mod digest;
mod fields;
mod issuer_verification;
mod level;
mod locks;
mod parsed_signature;
mod permission;
mod security_store;
mod signed_state;
#[cfg(test)]
mod tests;
mod verify;
pub(crate) mod weakness;

pub(crate) use checked_signature::{CheckedSignature, Signatures};
pub(crate) use fields::has_shown;
pub use pdf_signature::anchor::{Anchor, AnchorFault};
pub(crate) use verify::check;
