//! Keys derived by MD5 and RC4 (ISO 32000-1, 7.6.2 and 7.6.3), for all encryption except AES-256.

use md5::{Digest, Md5};

use super::rc4;
use crate::syntax::dictionary::Dictionary;
use crate::syntax::object::{Id, Object};

/// Padding of passwords to 32 bytes (algorithm 2, step a); alone, it is the empty password.
const PADDING: [u8; 32] = [
    0x28, 0xbf, 0x4e, 0x5e, 0x4e, 0x75, 0x8a, 0x41, 0x64, 0x00, 0x4e, 0x56, 0xff, 0xfa, 0x01, 0x08, 0x2e, 0x2e, 0x00,
    0xb6, 0xd0, 0x68, 0x3e, 0x80, 0x2f, 0x0c, 0xa9, 0xfe, 0x64, 0x53, 0x69, 0x7a,
];
/// Additional hash rounds of a key, from revision 3 on.
const HASHED_AGAIN: usize = 50;
/// Encryption rounds of `/O` and `/U` from revision 3 on, each with a different variation of the key.
const ROUNDS: u8 = 20;

/// Returns the key for strings and streams of the object `id` (algorithm 1); `salt` is empty except for AES.
pub(crate) fn object_key(file_key: &[u8], id: Id, salt: &[u8]) -> Vec<u8> {
    let mut hash = Md5::new_with_prefix(file_key);
    hash.update(id.number.to_le_bytes().get(..3).unwrap_or_default());
    hash.update(id.generation.to_le_bytes());
    hash.update(salt);
    let hash = hash.finalize();
    hash.iter().take(file_key.len() + 5).copied().collect()
}

/// Entries of an Encrypt dictionary of revision 2 to 4 (table 21).
pub(crate) struct KeyMaterial<'a> {
    revision: i64,
    owner: [u8; 32],
    user: [u8; 32],
    permissions: u32,
    file_id: &'a [u8],
    encrypts_metadata: bool,
}

impl<'a> KeyMaterial<'a> {
    /// Reads the dictionary; none if no password can lead to a key.
    pub(crate) fn read(encrypt: &Dictionary, file_id: &'a Object) -> Option<Self> {
        Some(Self {
            revision: encrypt.get(b"R").as_integer()?,
            owner: entry(encrypt.get(b"O"))?,
            user: entry(encrypt.get(b"U"))?,
            permissions: encrypt.get(b"P").as_number().unwrap_or(-1.0) as i64 as u32,
            file_id: file_id.elements().first().and_then(Object::as_string).unwrap_or_default(),
            encrypts_metadata: encrypts_metadata(encrypt),
        })
    }

    /// Returns the file encryption key of `length` bytes, if the password is the user password (algorithm 6) or the
    /// owner password (algorithm 7).
    pub(crate) fn key(&self, password: &[u8], length: usize) -> Option<Vec<u8>> {
        self.user_key(padded(password), length).or_else(|| self.user_key(self.user_password(password, length), length))
    }

    /// Returns the key of algorithm 2, if it produces `/U`. The password is padded.
    fn user_key(&self, password: [u8; 32], length: usize) -> Option<Vec<u8>> {
        let mut hash = Md5::new_with_prefix(password);
        hash.update(self.owner);
        hash.update(self.permissions.to_le_bytes());
        hash.update(self.file_id);
        if self.revision >= 4 && !self.encrypts_metadata {
            hash.update([0xff; 4]);
        }
        let mut key: [u8; 16] = hash.finalize().into();
        if self.revision >= 3 {
            for _ in 0..HASHED_AGAIN {
                key = Md5::digest(key.get(..length).unwrap_or(&key)).into();
            }
        }
        let key = key.get(..length).filter(|key| self.is_right(key))?;
        Some(key.to_vec())
    }

    /// Decrypts the padded user password in `/O` with the owner password (algorithm 7).
    fn user_password(&self, owner: &[u8], length: usize) -> [u8; 32] {
        let mut key: [u8; 16] = Md5::digest(padded(owner)).into();
        if self.revision >= 3 {
            for _ in 0..HASHED_AGAIN {
                key = Md5::digest(key).into();
            }
        }
        let key = key.get(..length).unwrap_or(&key);
        let mut password = self.owner;
        let rounds = if self.revision == 2 { 1 } else { ROUNDS };
        for round in (0..rounds).rev() {
            rc4::apply(&varied(key, round), &mut password);
        }
        password
    }

    /// Whether the key produces `/U` (algorithms 4 and 5).
    fn is_right(&self, key: &[u8]) -> bool {
        if self.revision == 2 {
            let mut hash = PADDING;
            rc4::apply(key, &mut hash);
            return hash == self.user;
        }
        let mut hash: [u8; 16] = Md5::new_with_prefix(PADDING).chain_update(self.file_id).finalize().into();
        for round in 0..ROUNDS {
            rc4::apply(&varied(key, round), &mut hash);
        }
        self.user.starts_with(&hash)
    }
}

/// Whether XMP streams are encrypted. Before version 4 they always are; `/EncryptMetadata` is ignored (table 20).
pub(super) fn encrypts_metadata(encrypt: &Dictionary) -> bool {
    encrypt.get(b"V").as_integer() < Some(4) || encrypt.get(b"EncryptMetadata").as_bool() != Some(false)
}

/// The key of a round (algorithms 3, 5 and 7).
fn varied(key: &[u8], round: u8) -> Vec<u8> {
    key.iter().map(|byte| byte ^ round).collect()
}

/// A password of 32 bytes (algorithm 2, step a).
fn padded(password: &[u8]) -> [u8; 32] {
    let mut padded = [0; 32];
    padded.iter_mut().zip(password.iter().chain(&PADDING)).for_each(|(place, byte)| *place = *byte);
    padded
}

/// Returns a string of 32 bytes; some writers omit or add zeros at its end.
fn entry(value: &Object) -> Option<[u8; 32]> {
    let bytes = value.as_string().filter(|bytes| !bytes.is_empty())?;
    let mut entry = [0; 32];
    entry.iter_mut().zip(bytes).for_each(|(place, byte)| *place = *byte);
    Some(entry)
}

#[cfg(test)]
mod tests {
    use super::{KeyMaterial, object_key};
    use crate::syntax::object::{Id, Object};
    use crate::syntax::parser::parse_object;

    /// Computed by another program from the algorithms' text: revision, bits, whether metadata is encrypted, key and `/U`.
    /// `/O` is the bytes from 0 to 31, `/P` is -44, the file identifier `0123456789abcdef`.
    const VECTORS: [(i64, i64, bool, &str, &str); 4] = [
        (2, 40, true, "2d1aecaa0c", "ac072bb8cadee9ab9f9ce6c268047e6bf9e8ac27c9b899b31c2965fb3589e60b"),
        (3, 128, true, "20ba88be7c6a65243d7f1c74b38b2055", "b19b81a07972f6cb674ffa9cab5d315d"),
        (3, 64, true, "5601be6093c1e1e5", "0e5411c5b19d99a06f91267a3cd2c440"),
        (4, 128, false, "50aec75fcf1d68c26bdc98a3653175e2", "7aa738fa5ba7024d66e851b2e30f26ce"),
    ];

    fn digits(bytes: &[u8]) -> String {
        bytes.iter().map(|byte| format!("{byte:02x}")).collect()
    }

    fn key(revision: i64, bits: i64, encrypts_metadata: bool, user: &str) -> Option<String> {
        let owner = digits(&(0..32).collect::<Vec<u8>>());
        let text =
            format!("<< /V 4 /R {revision} /O <{owner}> /U <{user}> /P -44 /EncryptMetadata {encrypts_metadata} >>");
        let encrypt = parse_object(text.as_bytes()).unwrap().object;
        let file_id = Object::Array(vec![Object::String(b"0123456789abcdef".to_vec())]);
        let material = KeyMaterial::read(encrypt.as_dictionary().unwrap(), &file_id).unwrap();
        material.key(b"", bits as usize / 8).map(|key| digits(&key))
    }

    #[test]
    fn the_empty_password_leads_to_the_key_of_the_vectors() {
        for (revision, bits, encrypts_metadata, expected, user) in VECTORS {
            assert_eq!(key(revision, bits, encrypts_metadata, user).as_deref(), Some(expected), "revision {revision}");
            let other = user.replacen(|digit| digit != '5', "5", 1);
            assert_eq!(key(revision, bits, encrypts_metadata, &other), None, "revision {revision}");
        }
    }

    #[test]
    fn an_object_key_is_five_bytes_longer_and_at_most_sixteen() {
        let id = |number, generation| Id { number, generation };
        assert_eq!(digits(&object_key(&[1, 2, 3, 4, 5], id(0x1234, 7), b"")), "169e41b345ea76dba357");
        let key: Vec<u8> = (1..=16).collect();
        assert_eq!(digits(&object_key(&key, id(0x0001_0203, 0), b"sAlT")), "9a76ea96c884ec88ddd8dd26858e977c");
    }
}
