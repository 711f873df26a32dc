//! The key and the fingerprint that identify a repeated request.

use sha2::{Digest, Sha256};

use crate::file_hash::FileHash;
use crate::ids::UploadId;
use crate::sha256::{shown_hash, stored_hash};

/// SHA-256 of an `Idempotency-Key` or an upload id: the key of the stored first answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RequestKey([u8; 32]);

shown_hash!(RequestKey);

/// SHA-256 of the files of a request: the same key with another fingerprint is an error. Passwords are not included.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Fingerprint([u8; 32]);

stored_hash!(Fingerprint);

/// Most characters of an `Idempotency-Key`.
const MAX_KEY: usize = 255;

impl RequestKey {
    /// Reads an `Idempotency-Key` of 1 to 255 visible ASCII characters.
    #[must_use]
    pub fn from_header(value: &str) -> Option<Self> {
        let valid = (1..=MAX_KEY).contains(&value.len()) && value.bytes().all(|byte| byte.is_ascii_graphic());
        valid.then(|| Self(Sha256::digest(value).into()))
    }

    /// The key of a file sent from a page with this nonce.
    #[must_use]
    pub fn of_page(nonce: &str, file: Fingerprint) -> Self {
        Self(Sha256::new_with_prefix(file.as_bytes()).chain_update(nonce).finalize().into())
    }

    /// The key of a staged upload.
    #[must_use]
    pub fn of_upload(upload: UploadId) -> Self {
        Self(Sha256::digest(upload.to_string()).into())
    }

    /// The key of two staged uploads that are compared.
    #[must_use]
    pub fn of_pair(before: UploadId, after: UploadId) -> Self {
        Self(Sha256::digest(format!("{before} {after}")).into())
    }
}

impl Fingerprint {
    /// The fingerprint of a file sent directly.
    #[must_use]
    pub fn of_file(file: FileHash, filename: &str) -> Self {
        Self(Sha256::new_with_prefix(file.as_bytes()).chain_update(filename).finalize().into())
    }

    /// The fingerprint of a staged upload, whose file and file name cannot change.
    #[must_use]
    pub fn of_upload(upload: UploadId) -> Self {
        Self(Sha256::digest(upload.as_bytes()).into())
    }

    /// The fingerprint of a comparison, combined with the earlier file's.
    #[must_use]
    pub fn after(self, before: Self) -> Self {
        Self(Sha256::new_with_prefix(before.0).chain_update(self.0).finalize().into())
    }
}

#[cfg(test)]
mod tests {
    use super::{FileHash, Fingerprint, RequestKey};

    #[test]
    fn keys_are_visible_ascii() {
        for good in ["a", "8e03978e-40d5-43dd-bc93-6894a57f9324", "~!", &"k".repeat(255)] {
            assert!(RequestKey::from_header(good).is_some(), "{good}");
        }
        for bad in ["", "a b", "a\tb", "\u{e9}", &"k".repeat(256)] {
            assert!(RequestKey::from_header(bad).is_none(), "{bad}");
        }
    }

    #[test]
    fn a_fingerprint_tells_files_and_names_apart() {
        let (file, other) = (FileHash::of(b"%PDF"), FileHash::of(b"%PDF-"));
        let first = Fingerprint::of_file(file, "a.pdf");
        assert_eq!(first, Fingerprint::of_file(file, "a.pdf"));
        assert_ne!(first, Fingerprint::of_file(file, "b.pdf"));
        assert_ne!(first, Fingerprint::of_file(other, "a.pdf"));
    }
}
