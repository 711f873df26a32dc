//! The outer structure of signed statements.

use super::algorithm::Identifier;

/// A signed statement (RFC 5280, 4.1.1): certificates, CRLs and OCSP responses have the same outer structure.
#[derive(Debug, Clone)]
pub(crate) struct SignedStatement<'v> {
    /// The whole encoding.
    pub(crate) raw: &'v [u8],
    pub(crate) signed: &'v [u8],
    pub(crate) algorithm: Identifier<'v>,
    pub(crate) value: &'v [u8],
}
