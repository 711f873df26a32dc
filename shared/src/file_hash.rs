//! The hash of a file's bytes, by which anybody can tell that a file is the same.

use std::fmt;

use ring::digest::{Context, SHA256, digest};

use crate::hex;
use crate::sha256::{shown_hash, stored_hash};

/// SHA-256 of a file (FIPS 180-4). Not of a secret: those have a type of their own.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FileHash([u8; LENGTH]);

stored_hash!(FileHash);
shown_hash!(FileHash);

/// Bytes of it.
const LENGTH: usize = 32;

impl FileHash {
    /// Of a file in memory. *ring* takes as long as others where the processor has instructions for it, and two thirds
    /// where it has none.
    #[must_use]
    pub fn of(file: &[u8]) -> Self {
        Self::read(digest(&SHA256, file).as_ref())
    }

    /// Reads 64 hexadecimal digits, in either case: tools write both.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        Self::from_slice(&hex::decode(text)?)
    }

    /// Reads it as S3 writes it, in base64.
    #[must_use]
    pub fn from_base64(text: &str) -> Option<Self> {
        Self::from_slice(&base64_simd::STANDARD.decode_to_vec(text).ok()?)
    }

    /// As S3 reads it.
    #[must_use]
    pub fn base64(&self) -> String {
        base64_simd::STANDARD.encode_to_string(self.0)
    }

    /// A digest of SHA-256 is never shorter.
    fn read(digest: &[u8]) -> Self {
        Self::from_slice(digest).unwrap_or(Self([0; LENGTH]))
    }
}

/// The hash of a file whose pieces come one by one, each of any size and some more than once.
#[derive(Clone)]
pub struct Hashing {
    context: Context,
    /// All bytes before this one are hashed.
    at: u64,
}

impl Default for Hashing {
    fn default() -> Self {
        Self { context: Context::new(&SHA256), at: 0 }
    }
}

impl Hashing {
    /// Takes the piece that begins at `start`, as far as it follows what was taken so far; anything else is passed over.
    pub fn piece(&mut self, start: u64, piece: &[u8]) {
        let known = self.at.checked_sub(start).and_then(|known| usize::try_from(known).ok());
        if let Some(new) = known.and_then(|known| piece.get(known..)) {
            self.context.update(new);
            self.at += new.len() as u64;
        }
    }

    /// The hash, if all `size` bytes have been taken.
    #[must_use]
    pub fn finish(self, size: u64) -> Option<FileHash> {
        (self.at == size).then(|| FileHash::read(self.context.finish().as_ref()))
    }
}

impl fmt::Debug for Hashing {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Hashing").field("at", &self.at).finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use sha2::{Digest, Sha256};

    use super::{FileHash, Hashing};

    /// FIPS 180-4's own example.
    const ABC: &str = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";

    #[test]
    fn it_is_sha_256_and_has_one_spelling() {
        let hash = FileHash::of(b"abc");
        assert_eq!(hash.to_string(), ABC);
        assert_eq!(FileHash::parse(ABC), Some(hash));
        assert_eq!(FileHash::parse(&ABC.to_uppercase()), Some(hash));
        assert_eq!(FileHash::from_base64(&hash.base64()), Some(hash));
        let bad = [&ABC[1..], &format!("{ABC}0"), &ABC.replace('b', "g"), &ABC.replacen("ba", "+a", 1), "", "é"];
        assert!(bad.into_iter().all(|bad| FileHash::parse(bad).is_none()));
        assert_eq!(FileHash::parse(&"é".repeat(32)), None);
        assert_eq!(FileHash::from_base64("YWJj"), None);
    }

    proptest! {
        #[test]
        fn it_is_what_others_compute(file: Vec<u8>) {
            let theirs: [u8; 32] = Sha256::digest(&file).into();
            prop_assert_eq!(FileHash::of(&file).0, theirs);
        }

        #[test]
        fn pieces_that_overlap_make_up_the_file(file: Vec<u8>, pieces in prop::collection::vec((0usize..120, 0usize..60), 0..20)) {
            let mut hashing = Hashing::default();
            let mut reached = 0;
            for (start, length) in pieces {
                let (start, end) = (start.min(file.len()), (start + length).min(file.len()));
                hashing.piece(start as u64, &file[start..end]);
                if start <= reached {
                    reached = reached.max(end);
                }
            }
            let hash = hashing.clone().finish(file.len() as u64);
            prop_assert_eq!(hash, (reached == file.len()).then(|| FileHash::of(&file)));
            hashing.piece(0, &file);
            prop_assert_eq!(hashing.finish(file.len() as u64), Some(FileHash::of(&file)));
        }
    }
}
