//! The outer structure of signed statements.

use crate::algorithm::Identifier;

/// A signed statement (RFC 5280, 4.1.1): certificates, CRLs and OCSP responses have the same outer structure.
#[derive(Debug, Clone)]
pub(crate) struct SignedStatement<'v> {
    /// The complete encoding.
    pub raw: &'v [u8],
    pub signed: &'v [u8],
    pub algorithm: Identifier<'v>,
    pub value: &'v [u8],
}
