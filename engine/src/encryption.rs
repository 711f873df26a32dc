//! Encryption (ISO 32000-1, 7.6; ISO 32000-2, 7.6): keys, ciphers, and what they apply to.

pub(crate) mod file_key;
pub(crate) mod handler;
pub(crate) mod lopdf;
pub(crate) mod md5_key;
pub(crate) mod rc4;
