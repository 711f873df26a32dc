//! Encryption (ISO 32000-1, 7.6; ISO 32000-2, 7.6): keys, ciphers, and the objects that they apply to.

pub mod decryption;
mod file_key;
pub mod handler;
pub mod lopdf;
mod md5_key;
mod password;
mod rc4;
mod sha_key;
