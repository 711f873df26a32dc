//! The key under which the analyses of one document are found: derived from the first part of the file identifier,
//! which stays the same when the document is saved again (ISO 32000-2, 14.4).

use sha2::{Digest, Sha256};

use crate::sha256::{shown_hash, stored_hash};

/// SHA-256 of an identifier's bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DocumentKey([u8; 32]);

stored_hash!(DocumentKey);
shown_hash!(DocumentKey);

/// Shorter identifiers are counters, dates or padding. The standard proposes 16 bytes.
const MIN_BYTES: usize = 8;
/// Identifiers with fewer distinct bytes are padding.
const MIN_DISTINCT_BYTES: usize = 4;
/// Identifiers that writers put into every file: the MD5 of nothing (TeX without the time), the digits of π (qpdf's
/// `--static-id`).
const CONSTANT_IDENTIFIERS: [[u8; 16]; 2] = [
    [0xd4, 0x1d, 0x8c, 0xd9, 0x8f, 0x00, 0xb2, 0x04, 0xe9, 0x80, 0x09, 0x98, 0xec, 0xf8, 0x42, 0x7e],
    [0x31, 0x41, 0x59, 0x26, 0x53, 0x58, 0x97, 0x93, 0x23, 0x84, 0x62, 0x64, 0x33, 0x83, 0x27, 0x95],
];

impl DocumentKey {
    /// The key of an identifier in hexadecimal digits, as `structure.document_id.original` has it; `None` if it does
    /// not identify one document.
    #[must_use]
    pub fn of(identifier: &str) -> Option<Self> {
        let bytes = hex_simd::decode_to_vec(identifier).ok()?;
        tells_apart(&bytes).then(|| Self(Sha256::digest(&bytes).into()))
    }
}

/// Whether an identifier is likely to be unique to one document.
fn tells_apart(identifier: &[u8]) -> bool {
    let mut values = identifier.to_vec();
    values.sort_unstable();
    values.dedup();
    // 00 01 02 and so on
    let counts_up = identifier.is_sorted_by(|one, next| one.checked_add(1) == Some(*next));
    let repeated = CONSTANT_IDENTIFIERS.iter().any(|known| known == identifier);
    identifier.len() >= MIN_BYTES && values.len() >= MIN_DISTINCT_BYTES && !counts_up && !repeated
}

#[cfg(test)]
mod tests {
    use super::DocumentKey;

    #[test]
    fn identifiers_that_writers_repeat_do_not_count() {
        for repeated in [
            "",
            "00",
            "00000000000000000000000000000000",
            "ffffffffffffffffffffffffffffffff",
            "30303030303030303030303030303030",
            "00000000000000000000000000000001",
            "20262026202620262026202620262026",
            "000102030405060708090a0b0c0d0e0f",
            "30313233343536373839",
            "0a1b2c3d4e5f60",
            "d41d8cd98f00b204e9800998ecf8427e",
            "D41D8CD98F00B204E9800998ECF8427E",
            "31415926535897932384626433832795",
            "5f0c1e7a9b3d4e2",
            "no digits at all",
        ] {
            assert_eq!(DocumentKey::of(repeated), None, "{repeated}");
        }
    }

    #[test]
    fn another_identifier_is_another_document() {
        let key = DocumentKey::of("5f0c1e7a9b3d4e2f8a6c0b1d2e3f4a5b").unwrap();
        assert_eq!(DocumentKey::of("5F0C1E7A9B3D4E2F8A6C0B1D2E3F4A5B"), Some(key));
        assert_ne!(DocumentKey::of("5f0c1e7a9b3d4e2f8a6c0b1d2e3f4a5c"), Some(key));
        assert_eq!(DocumentKey::from_slice(key.as_bytes()), Some(key));
        assert!(DocumentKey::of(&"0123456789abcdef".repeat(300)).is_some());
    }
}
