//! The outer form of what is signed.

use super::algorithm::Identifier;

/// What is signed, and how (RFC 5280, 4.1.1): certificates, lists and responses have the same outer form.
#[derive(Debug, Clone)]
pub(crate) struct SignedStatement<'v> {
    /// All of it.
    pub(crate) raw: &'v [u8],
    pub(crate) signed: &'v [u8],
    pub(crate) algorithm: Identifier<'v>,
    pub(crate) value: &'v [u8],
}
