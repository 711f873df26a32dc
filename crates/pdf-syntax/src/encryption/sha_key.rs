//! Keys of revision 5 and 6, derived by SHA-2 and AES (ISO 32000-2, 7.6.4.3.3 and 7.6.4.4).

use aes::cipher::{Block, BlockCipherDecrypt, BlockCipherEncrypt, KeyInit};
use aes::{Aes128, Aes256};
use sha2::{Digest, Sha256, Sha384, Sha512};

use crate::syntax::dictionary::Dictionary;
use crate::syntax::object::Object;

/// Minimum rounds of algorithm 2.B, and minimum excess of the last round's number over the last byte of its output.
const ROUNDS: usize = 64;
const SURPLUS: usize = 32;
/// Repetitions of a round's input.
const REPEATED: usize = 64;

/// A validated hash with its salts, and the file's key encrypted by the password that it belongs to: `/U` with `/UE`, or `/O`
/// with `/OE`.
struct Entry {
    hash: [u8; 32],
    validation_salt: [u8; 8],
    key_salt: [u8; 8],
    encrypted_key: [u8; 32],
}

/// Entries of an Encrypt dictionary of revision 5 or 6 (table 21).
pub(super) struct KeyMaterial {
    revision: i64,
    /// The complete `/U`, which the owner's hash covers.
    user_value: Vec<u8>,
    user: Option<Entry>,
    owner: Option<Entry>,
}

impl Entry {
    /// Reads an entry. Some writers omit or add zeros at the end of values.
    fn read(value: &Object, encrypted_key: &Object) -> Option<Self> {
        let value: [u8; 48] = fitted(value.as_string()?);
        let (hash, salts) = value.split_first_chunk::<32>()?;
        let (validation_salt, key_salt) = salts.split_first_chunk::<8>()?;
        let encrypted_key = fitted(encrypted_key.as_string().filter(|key| !key.is_empty())?);
        Some(Self { hash: *hash, validation_salt: *validation_salt, key_salt: *key_salt.first_chunk()?, encrypted_key })
    }
}

impl KeyMaterial {
    /// Reads the dictionary; none if no password can lead to a key.
    pub(super) fn read(encrypt: &Dictionary) -> Option<Self> {
        let entry = |value: &[u8], key: &[u8]| Entry::read(encrypt.get(value), encrypt.get(key));
        let (user, owner) = (entry(b"U", b"UE"), entry(b"O", b"OE"));
        let user_value = encrypt.get(b"U").as_string().map_or([0; 48], fitted::<48>).to_vec();
        let revision = encrypt.get(b"R").as_integer()?;
        (user.is_some() || owner.is_some()).then_some(Self { revision, user_value, user, owner })
    }

    /// Returns the file encryption key, if the password is the user or owner password (algorithm 2.A).
    pub(super) fn key(&self, password: &[u8]) -> Option<Vec<u8>> {
        let open = |entry: &Option<Entry>, covered: &[u8]| {
            let entry = entry.as_ref()?;
            if self.hash(password, entry.validation_salt, covered) != entry.hash {
                return None;
            }
            let key = self.hash(password, entry.key_salt, covered);
            Some(decrypted_key(&key, entry.encrypted_key))
        };
        open(&self.user, b"").or_else(|| open(&self.owner, &self.user_value))
    }

    /// Algorithm 2.B; revision 5 uses only its first step.
    fn hash(&self, password: &[u8], salt: [u8; 8], covered: &[u8]) -> [u8; 32] {
        let first = Sha256::new().chain_update(password).chain_update(salt).chain_update(covered).finalize();
        let mut key = first.to_vec();
        if self.revision < 6 {
            return fitted(&key);
        }
        for round in 1.. {
            let input = [password, &key, covered].concat();
            let mut data = input.repeat(REPEATED);
            encrypt_cbc(&key, &mut data);
            let sum: u32 = data.iter().take(16).map(|&byte| u32::from(byte)).sum();
            key = match sum % 3 {
                0 => Sha256::digest(&data).to_vec(),
                1 => Sha384::digest(&data).to_vec(),
                _ => Sha512::digest(&data).to_vec(),
            };
            let last = data.last().copied().map_or(0, usize::from);
            if round >= ROUNDS && last + SURPLUS <= round {
                break;
            }
        }
        fitted(&key)
    }
}

/// Whether `/Perms` confirms `/P` and `/EncryptMetadata` (algorithm 13). The key does not depend on these, so a file in which
/// they disagree still opens.
pub(super) fn confirms_permissions(encrypt: &Dictionary, key: &[u8], permissions: u32) -> bool {
    let Some(block) = encrypt.get(b"Perms").as_string().and_then(|value| value.first_chunk::<16>()) else {
        return false;
    };
    let Ok(cipher) = Aes256::new_from_slice(key) else { return false };
    let mut block = Block::<Aes256>::from(*block);
    cipher.decrypt_block(&mut block);
    let encrypts_metadata = if encrypt.get(b"EncryptMetadata").as_bool() == Some(false) { b'F' } else { b'T' };
    block.starts_with(&permissions.to_le_bytes())
        && block.get(8..12) == Some([encrypts_metadata, b'a', b'd', b'b'].as_slice())
}

/// AES-128 in CBC mode without padding; key and initialization vector are the first bytes of `key`.
fn encrypt_cbc(key: &[u8], data: &mut [u8]) {
    let (cipher, chain) = key.split_at_checked(16).unwrap_or_default();
    let (Ok(cipher), Some(chain)) = (Aes128::new_from_slice(cipher), chain.first_chunk::<16>()) else { return };
    let mut chain = *chain;
    for block in data.as_chunks_mut::<16>().0 {
        block.iter_mut().zip(chain).for_each(|(byte, before)| *byte ^= before);
        cipher.encrypt_block(block.into());
        chain = *block;
    }
}

/// Decrypts two blocks by AES-256 in CBC mode without padding, with an initialization vector of zeros.
fn decrypted_key(key: &[u8; 32], encrypted: [u8; 32]) -> Vec<u8> {
    let cipher = Aes256::new(key.into());
    let mut decrypted = encrypted;
    let mut chain = [0; 16];
    for (block, encrypted) in decrypted.as_chunks_mut::<16>().0.iter_mut().zip(encrypted.as_chunks::<16>().0) {
        cipher.decrypt_block(block.into());
        block.iter_mut().zip(chain).for_each(|(byte, before)| *byte ^= before);
        chain = *encrypted;
    }
    decrypted.to_vec()
}

/// Returns `LENGTH` bytes, truncated or padded with zeros.
fn fitted<const LENGTH: usize>(bytes: &[u8]) -> [u8; LENGTH] {
    let mut fitted = [0; LENGTH];
    fitted.iter_mut().zip(bytes).for_each(|(place, byte)| *place = *byte);
    fitted
}
