//! Encrypted files, by lopdf.

use std::collections::BTreeMap;
use std::sync::Arc;

use lopdf::encryption::crypt_filters::{Aes128CryptFilter, Aes256CryptFilter, CryptFilter, Rc4CryptFilter};
use lopdf::{Document, EncryptionState, EncryptionVersion, Object, Permissions, StringFormat};

use super::Pdf;

/// A way of encrypting a file (ISO 32000-2, 7.6).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Cipher {
    /// Version 1: RC4 with 40 bits.
    Rc4Of40,
    /// Version 2: RC4 with 128 bits.
    Rc4Of128,
    /// Version 4: RC4 by crypt filter.
    Rc4ByFilter,
    /// Version 4: AES with 128 bits.
    Aes128,
    /// Version 5, revision 5: AES with 256 bits as Adobe first did it.
    Aes256OfR5,
    /// Version 5, revision 6: AES with 256 bits.
    Aes256,
    /// The same with `/EncryptMetadata false`.
    Aes256ClearMetadata,
}

/// The text of an object as a file encrypted for no user password has it, to be written into an update of such a file.
#[must_use]
pub fn encrypted_object(number: u32, text: impl AsRef<[u8]>, cipher: Cipher) -> Vec<u8> {
    let file = encrypted(&Pdf::new(1).with(number, text).classic(), cipher, "", "owner");
    let find = |word: &str, from: usize| {
        let found = file[from..].windows(word.len()).position(|window| window == word.as_bytes());
        from + found.expect("lopdf writes all objects")
    };
    let header = format!("\n{number} 0 obj\n");
    let start = find(&header, 0) + header.len();
    file[start..find("\nendobj", start)].to_vec()
}

/// The file encrypted for these passwords, everything but printing denied.
#[must_use]
pub fn encrypted(file: &[u8], cipher: Cipher, user: &str, owner: &str) -> Vec<u8> {
    let mut document = Document::load_mem(file).expect("a file of ours");
    let id = Object::String(b"0123456789abcdef".to_vec(), StringFormat::Hexadecimal);
    document.trailer.set("ID", vec![id.clone(), id]);
    let state = state(&document, cipher, user, owner);
    document.encrypt(&state).expect("lopdf encrypts");
    let mut bytes = Vec::new();
    document.save_to(&mut bytes).expect("memory takes everything");
    bytes
}

fn state(document: &Document, cipher: Cipher, user: &str, owner: &str) -> EncryptionState {
    let (user_password, owner_password) = (user, owner);
    let permissions = Permissions::PRINTABLE;
    let filter: Arc<dyn CryptFilter> = match cipher {
        Cipher::Rc4Of40 | Cipher::Rc4Of128 | Cipher::Rc4ByFilter => Arc::new(Rc4CryptFilter),
        Cipher::Aes128 => Arc::new(Aes128CryptFilter),
        Cipher::Aes256OfR5 | Cipher::Aes256 | Cipher::Aes256ClearMetadata => Arc::new(Aes256CryptFilter),
    };
    let crypt_filters = BTreeMap::from([(b"StdCF".to_vec(), filter)]);
    let (stream_filter, string_filter) = (b"StdCF".to_vec(), b"StdCF".to_vec());
    let file_encryption_key = &[7; 32];
    let encrypt_metadata = cipher != Cipher::Aes256ClearMetadata;
    let version = match cipher {
        Cipher::Rc4Of40 => EncryptionVersion::V1 { document, owner_password, user_password, permissions },
        Cipher::Rc4Of128 => {
            EncryptionVersion::V2 { document, owner_password, user_password, key_length: 128, permissions }
        }
        Cipher::Rc4ByFilter | Cipher::Aes128 => EncryptionVersion::V4 {
            document,
            encrypt_metadata,
            crypt_filters,
            stream_filter,
            string_filter,
            owner_password,
            user_password,
            permissions,
        },
        #[expect(deprecated, reason = "such files exist")]
        Cipher::Aes256OfR5 => EncryptionVersion::R5 {
            encrypt_metadata,
            crypt_filters,
            file_encryption_key,
            stream_filter,
            string_filter,
            owner_password,
            user_password,
            permissions,
        },
        Cipher::Aes256 | Cipher::Aes256ClearMetadata => EncryptionVersion::V5 {
            encrypt_metadata,
            crypt_filters,
            file_encryption_key,
            stream_filter,
            string_filter,
            owner_password,
            user_password,
            permissions,
        },
    };
    EncryptionState::try_from(version).expect("a sound request")
}
