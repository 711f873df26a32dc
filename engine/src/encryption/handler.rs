//! The standard security handler (ISO 32000-1, 7.6; ISO 32000-2, 7.6): unlocking a file and decrypting what is read.

use lopdf::Permissions;
use lopdf::encryption::crypt_filters::{Aes128CryptFilter, Aes256CryptFilter, CryptFilter};

use serde::Serialize;
use utoipa::ToSchema;

use super::file_key;
use super::md5_key;
use super::rc4;
use crate::failure::{Fault, Reason};
use crate::syntax::dictionary::Dictionary;
use crate::syntax::object::{Id, Object};

/// An AES block; encrypted data is a multiple of it.
const BLOCK: usize = 16;

/// A cipher (ISO 32000-2, 7.6.3, table 20).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, ToSchema)]
pub enum Algorithm {
    /// RC4 with a key of 40 to 128 bits.
    #[serde(rename = "RC4")]
    Rc4,
    /// AES in CBC mode with a key of 128 bits.
    #[serde(rename = "AES-128")]
    Aes128,
    /// AES in CBC mode with a key of 256 bits.
    #[serde(rename = "AES-256")]
    Aes256,
}

/// An unlocked file's key, and how to use it.
pub(crate) struct SecurityHandler {
    key: Vec<u8>,
    /// None if they are not encrypted.
    strings: Option<Algorithm>,
    streams: Option<Algorithm>,
    /// Whether XMP streams are encrypted like everything else.
    encrypts_metadata: bool,
    /// The handler's revision, which decides how the permissions read.
    pub(crate) revision: i64,
    /// The flags of `/P` (table 22).
    pub(crate) permissions: Permissions,
}

impl SecurityHandler {
    /// Unlocks with the empty password, or else with the given one, as user or owner. `file_id` is the trailer's `/ID`.
    pub(crate) fn unlock(encrypt: &Dictionary, file_id: &Object, password: Option<&str>) -> Result<Self, Fault> {
        let handler = encrypt.get(b"Filter");
        if !handler.is_null() && !handler.is_name(b"Standard") {
            return Err(Fault::Rejected(Reason::UnsupportedEncryption));
        }
        let permissions = encrypt.get(b"P").as_number().unwrap_or(-1.0) as i64;
        Ok(Self {
            key: file_key::derive(encrypt, file_id, password)?,
            strings: algorithm(encrypt, b"StrF"),
            streams: algorithm(encrypt, b"StmF"),
            encrypts_metadata: encrypt.get(b"EncryptMetadata").as_bool() != Some(false),
            revision: encrypt.get(b"R").as_integer().unwrap_or(0),
            permissions: Permissions::from_bits_retain(permissions as u64),
        })
    }

    /// Whether the body of a stream with this dictionary is encrypted (7.5.8.2, table 20).
    pub(crate) fn applies_to(&self, dictionary: &Dictionary) -> bool {
        let exempt = dictionary.is_type(b"XRef") || (dictionary.is_type(b"Metadata") && !self.encrypts_metadata);
        !exempt && !is_identity(dictionary)
    }

    /// Decrypts every string of the object `id`, in place. What cannot be decrypted reads as empty.
    pub(crate) fn decrypt_strings(&self, id: Id, object: &mut Object) {
        match object {
            Object::String(bytes) => *bytes = self.decrypt(self.strings, id, std::mem::take(bytes)),
            Object::Array(elements) => elements.iter_mut().for_each(|element| self.decrypt_strings(id, element)),
            Object::Dictionary(entries) => entries.values_mut().for_each(|value| self.decrypt_strings(id, value)),
            _ => {}
        }
    }

    /// Decrypts the body of the stream `id`.
    pub(crate) fn decrypt_body(&self, id: Id, body: &[u8]) -> Vec<u8> {
        // a wrong length leaves a line end or two behind the last block
        let whole = if self.streams == Some(Algorithm::Rc4) { body.len() } else { body.len() / BLOCK * BLOCK };
        self.decrypt(self.streams, id, body.get(..whole).unwrap_or_default().to_vec())
    }

    fn decrypt(&self, algorithm: Option<Algorithm>, id: Id, mut bytes: Vec<u8>) -> Vec<u8> {
        match algorithm {
            None => bytes,
            Some(Algorithm::Rc4) => {
                rc4::apply(&md5_key::object_key(&self.key, id, b""), &mut bytes);
                bytes
            }
            Some(Algorithm::Aes128) => {
                let key = md5_key::object_key(&self.key, id, b"sAlT");
                Aes128CryptFilter.decrypt(&key, &bytes).unwrap_or_default()
            }
            Some(Algorithm::Aes256) => Aes256CryptFilter.decrypt(&self.key, &bytes).unwrap_or_default(),
        }
    }

    /// The cipher of the streams.
    pub(crate) fn algorithm(&self) -> Option<Algorithm> {
        self.streams
    }

    /// Length of the file's key in bits.
    pub(crate) fn key_bits(&self) -> u32 {
        self.key.len() as u32 * 8
    }
}

/// The cipher of the crypt filter named by `/StmF` or `/StrF` (7.6.5); before version 4 everything is RC4.
fn algorithm(encrypt: &Dictionary, usage: &[u8]) -> Option<Algorithm> {
    if encrypt.get(b"V").as_integer() < Some(4) {
        return Some(Algorithm::Rc4);
    }
    let name = encrypt.get(usage).as_name().unwrap_or(b"Identity");
    let filter = encrypt.get(b"CF").as_dictionary()?.get(name).as_dictionary()?;
    match filter.get(b"CFM").as_name()? {
        b"V2" => Some(Algorithm::Rc4),
        b"AESV2" => Some(Algorithm::Aes128),
        b"AESV3" => Some(Algorithm::Aes256),
        _ => None,
    }
}

/// Whether a filter of the stream's own says that it is not encrypted (7.6.5).
fn is_identity(dictionary: &Dictionary) -> bool {
    let first = |key: &[u8]| match dictionary.get(key) {
        Object::Array(elements) => elements.first().cloned().unwrap_or_default(),
        object => object.clone(),
    };
    let named = |parameters: &Dictionary| !matches!(parameters.get(b"Name").as_name(), None | Some(b"Identity"));
    first(b"Filter").is_name(b"Crypt") && !first(b"DecodeParms").as_dictionary().is_some_and(named)
}
