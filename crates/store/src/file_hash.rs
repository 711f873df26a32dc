//! The SHA-256 of a file's bytes, which identifies the file.

use std::io::{self, Read};

use ring::digest::{Context, SHA256, digest};

use crate::sha256::{shown_hash, stored_hash};

/// SHA-256 of a file (FIPS 180-4). Hashes of secrets have another type.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FileHash([u8; LENGTH]);

stored_hash!(FileHash);
shown_hash!(FileHash);

/// Bytes of it.
const LENGTH: usize = 32;
/// Size of the reads for hashing.
const READ_BYTES: usize = 1 << 16;

impl FileHash {
    /// The hash of a file in memory. *ring* is as fast as others with the processor's SHA instructions and faster
    /// without.
    #[must_use]
    pub fn of(file: &[u8]) -> Self {
        Self::read(digest(&SHA256, file).as_ref())
    }

    /// The hash of all bytes of `file`, in constant memory.
    ///
    /// # Errors
    /// Those of reading.
    pub fn of_all(mut file: impl Read) -> io::Result<Self> {
        let (mut context, mut piece) = (Context::new(&SHA256), vec![0; READ_BYTES]);
        loop {
            match file.read(&mut piece)? {
                0 => return Ok(Self::read(context.finish().as_ref())),
                read => context.update(piece.get(..read).unwrap_or_default()),
            }
        }
    }

    /// Reads 64 hexadecimal digits, in either case: tools write both.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        Self::from_slice(&hex_simd::decode_to_vec(text).ok()?)
    }

    /// Parses S3's base64 form.
    #[must_use]
    pub fn from_base64(text: &str) -> Option<Self> {
        Self::from_slice(&base64_simd::STANDARD.decode_to_vec(text).ok()?)
    }

    /// S3's base64 form.
    #[must_use]
    pub fn base64(&self) -> String {
        base64_simd::STANDARD.encode_to_string(self.0)
    }

    /// A digest of SHA-256 is never shorter.
    fn read(digest: &[u8]) -> Self {
        Self::from_slice(digest).unwrap_or(Self([0; LENGTH]))
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use sha2::{Digest, Sha256};

    use super::FileHash;

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
            prop_assert_eq!(FileHash::of_all(&*file).unwrap().0, theirs);
        }
    }
}
