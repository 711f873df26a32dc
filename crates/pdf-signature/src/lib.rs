//! Signatures and certificates, without the PDF around them: ASN.1, CMS (RFC 5652), signature values, time-stamps
//! (RFC 3161), certification paths (RFC 5280), CRLs and OCSP responses (RFC 6960). Bytes in, results out; nothing is
//! fetched, and one budget limits the verifications of a file.

#![deny(clippy::expect_used, clippy::indexing_slicing, clippy::panic, clippy::unwrap_used)]

pub mod algorithm;
pub mod anchor;
mod attributes;
mod brainpool;
pub mod certificate;
mod chain;
pub mod cms;
mod constraints;
mod crl;
pub mod der;
mod distribution;
mod ecdsa;
mod extensions;
pub mod hash;
mod name;
mod ocsp;
pub mod path;
mod policies;
pub mod public_key;
pub mod report;
mod revocation;
mod revoked;
mod rsa;
mod signer;
mod statement;
pub mod text;
pub mod time_stamp;
pub mod trust;
pub mod validation;
pub mod verification;

#[cfg(test)]
mod wycheproof;
