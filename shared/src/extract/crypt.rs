//! The standard security handler (ISO 32000-1, 7.6; ISO 32000-2, 7.6): unlocking a file and decrypting what is read.

use lopdf::Permissions;
use lopdf::encryption::crypt_filters::{
    Aes128CryptFilter, Aes256CryptFilter, CryptFilter, IdentityCryptFilter, Rc4CryptFilter,
};

use crate::extract::failure::{Fault, Reason};
use crate::extract::key;
use crate::extract::metadata::Algorithm;
use crate::extract::object::{Dictionary, Id, Object};

/// An AES block; encrypted data is a multiple of it.
const BLOCK: usize = 16;

/// An unlocked file's key, and how to use it.
pub(crate) struct Crypt {
    key: Vec<u8>,
    strings: Box<dyn CryptFilter>,
    streams: Box<dyn CryptFilter>,
    /// Whether XMP streams are encrypted like everything else.
    encrypts_metadata: bool,
    /// The handler's revision, which decides how the permissions read.
    pub(crate) revision: i64,
    /// The flags of `/P` (table 22).
    pub(crate) permissions: Permissions,
}

impl Crypt {
    /// Unlocks with the empty password, or else with the given one, as user or owner. `file_id` is the trailer's `/ID`.
    pub(crate) fn unlock(encrypt: &Dictionary, file_id: &Object, password: Option<&str>) -> Result<Self, Fault> {
        let handler = encrypt.get(b"Filter");
        if !handler.is_null() && !handler.is_name(b"Standard") {
            return Err(Fault::Rejected(Reason::UnsupportedEncryption));
        }
        let permissions = encrypt.get(b"P").as_number().unwrap_or(-1.0) as i64;
        Ok(Self {
            key: key::derive(encrypt, file_id, password)?,
            strings: filter(encrypt, b"StrF"),
            streams: filter(encrypt, b"StmF"),
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
            Object::String(bytes) => *bytes = self.decrypt(&*self.strings, id, bytes),
            Object::Array(elements) => elements.iter_mut().for_each(|element| self.decrypt_strings(id, element)),
            Object::Dictionary(entries) => entries.values_mut().for_each(|value| self.decrypt_strings(id, value)),
            _ => {}
        }
    }

    /// Decrypts the body of the stream `id`.
    pub(crate) fn decrypt_body(&self, id: Id, body: &[u8]) -> Vec<u8> {
        // A wrong length leaves a line end or two behind the last block.
        let whole = if self.algorithm() == Some(Algorithm::Rc4) { body.len() } else { body.len() / BLOCK * BLOCK };
        self.decrypt(&*self.streams, id, body.get(..whole).unwrap_or_default())
    }

    fn decrypt(&self, filter: &dyn CryptFilter, id: Id, bytes: &[u8]) -> Vec<u8> {
        let key = filter.compute_key(&self.key, (id.number, id.generation));
        key.and_then(|key| filter.decrypt(&key, bytes)).unwrap_or_default()
    }

    /// The cipher of the streams.
    pub(crate) fn algorithm(&self) -> Option<Algorithm> {
        match self.streams.method() {
            b"V2" => Some(Algorithm::Rc4),
            b"AESV2" => Some(Algorithm::Aes128),
            b"AESV3" => Some(Algorithm::Aes256),
            _ => None,
        }
    }

    /// Length of the file's key in bits.
    pub(crate) fn key_bits(&self) -> u32 {
        self.key.len() as u32 * 8
    }
}

/// The crypt filter named by `/StmF` or `/StrF` (7.6.5); before version 4 everything is RC4.
fn filter(encrypt: &Dictionary, usage: &[u8]) -> Box<dyn CryptFilter> {
    if encrypt.get(b"V").as_integer() < Some(4) {
        return Box::new(Rc4CryptFilter);
    }
    let name = encrypt.get(usage).as_name().unwrap_or(b"Identity");
    let filters = encrypt.get(b"CF").as_dictionary();
    let method = filters.and_then(|filters| filters.get(name).as_dictionary()).map(|filter| filter.get(b"CFM"));
    match method.and_then(Object::as_name) {
        Some(b"V2") => Box::new(Rc4CryptFilter),
        Some(b"AESV2") => Box::new(Aes128CryptFilter),
        Some(b"AESV3") => Box::new(Aes256CryptFilter),
        _ => Box::new(IdentityCryptFilter),
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
