//! The standard security handler (ISO 32000-1, 7.6; ISO 32000-2, 7.6): unlocking a file, and decrypting its strings and
//! streams.

use std::collections::BTreeMap;

use lopdf::Permissions;
use lopdf::encryption::crypt_filters::{Aes128CryptFilter, Aes256CryptFilter, CryptFilter};

use serde::Serialize;
use utoipa::ToSchema;

use super::decryption::{Decryption, StreamFilter};
use super::file_key;
use super::md5_key;
use super::rc4;
use super::sha_key;
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

impl Algorithm {
    /// Whether encrypted data of this length is complete: a vector and blocks, or nothing.
    pub(crate) fn is_complete(self, length: u64) -> bool {
        let block = BLOCK as u64;
        self == Self::Rc4 || length == 0 || length >= 2 * block && length.is_multiple_of(block)
    }
}

/// An unlocked file's key, and how to use it.
pub struct SecurityHandler {
    key: Vec<u8>,
    /// None if they are not encrypted.
    strings: Option<Algorithm>,
    streams: Option<Algorithm>,
    /// The ciphers of the crypt filters that streams may name (7.6.5).
    filters: BTreeMap<Vec<u8>, Algorithm>,
    /// Whether the XMP of the document is encrypted (`/EncryptMetadata`).
    pub(crate) encrypts_metadata: bool,
    /// Whether `/Perms` confirms the permissions; none where there is no such check.
    pub confirms_permissions: Option<bool>,
    /// The handler's revision, which determines the meaning of the permissions.
    pub revision: i64,
    /// The flags of `/P` (table 22).
    pub permissions: Permissions,
}

impl SecurityHandler {
    /// Unlocks with the empty password or the given one, as user or owner password. `file_id` is the trailer's `/ID`.
    pub fn unlock(encrypt: &Dictionary, file_id: &Object, password: Option<&str>) -> Result<Self, Fault> {
        let handler = encrypt.get(b"Filter");
        if !handler.is_null() && !handler.is_name(b"Standard") {
            return Err(Fault::Rejected(Reason::UnsupportedEncryption));
        }
        let (strings, streams) = (algorithm(encrypt, b"StrF")?, algorithm(encrypt, b"StmF")?);
        let key = match file_key::derive(encrypt, file_id, password) {
            // only attachments are encrypted (7.6.5), and they are not read
            Err(Fault::Rejected(Reason::PasswordRequired | Reason::WrongPassword)) if is_readable(encrypt) => {
                Vec::new()
            }
            key => key?,
        };
        let revision = encrypt.get(b"R").as_integer().unwrap_or(0);
        let permissions = encrypt.get(b"P").as_number().unwrap_or(-1.0) as i64;
        let has_check = revision >= 5 && !key.is_empty();
        Ok(Self {
            strings,
            streams,
            filters: filters(encrypt),
            encrypts_metadata: md5_key::encrypts_metadata(encrypt),
            confirms_permissions: has_check.then(|| sha_key::confirms_permissions(encrypt, &key, permissions as u32)),
            key,
            revision,
            permissions: Permissions::from_bits_retain(permissions as u64),
        })
    }

    /// Returns the cipher of a stream with these resolved filters; none if it is read as it is in the file.
    pub(crate) fn cipher(&self, coding: &Dictionary, decryption: Decryption) -> Option<Algorithm> {
        match (decryption, StreamFilter::of(coding)) {
            (Decryption::None, _) | (Decryption::UnlessFiltered, StreamFilter::First(_)) => None,
            (Decryption::ByFilter, StreamFilter::First(name)) => self.filters.get(name).copied(),
            _ => self.streams,
        }
    }

    /// Whether viewers decrypt a stream with these resolved filters differently.
    pub(crate) fn is_decrypted_differently(&self, coding: &Dictionary) -> bool {
        let ciphers = Decryption::VIEWERS.map(|viewer| self.cipher(coding, viewer));
        StreamFilter::of(coding) == StreamFilter::Later || ciphers.iter().any(|cipher| *cipher != self.streams)
    }

    /// Decrypts every string of the object `id`, in place. Returns how many cannot be decrypted: they become empty, and
    /// viewers show the encrypted bytes, those before the padding, or nothing.
    pub(crate) fn decrypt_strings(&self, id: Id, object: &mut Object) -> usize {
        match object {
            Object::String(bytes) => {
                // MuPDF shows what has no block of data as it is
                let is_short = self.strings.is_some_and(|cipher| cipher != Algorithm::Rc4) && bytes.len() == BLOCK;
                let decrypted = self.decrypt(self.strings, id, std::mem::take(bytes));
                let is_unread = decrypted.is_none() || is_short;
                *bytes = decrypted.unwrap_or_default();
                usize::from(is_unread)
            }
            Object::Array(elements) => elements.iter_mut().map(|element| self.decrypt_strings(id, element)).sum(),
            Object::Dictionary(entries) => {
                // the value of a signature is not encrypted (7.6.1)
                let is_signature = entries.has(b"ByteRange");
                let unread = entries.iter_mut().map(|(key, value)| {
                    let unread = self.decrypt_strings(id, value);
                    if is_signature && key.as_bytes() == b"Contents" { 0 } else { unread }
                });
                unread.sum()
            }
            _ => 0,
        }
    }

    /// Decrypts the body of the stream `id`, which has a cipher; none if it cannot be decrypted.
    pub(crate) fn decrypt_body(&self, cipher: Algorithm, id: Id, body: &[u8]) -> Option<Vec<u8>> {
        // with a wrong `/Length`, line ends may follow the last block
        let whole = if cipher == Algorithm::Rc4 { body.len() } else { body.len() / BLOCK * BLOCK };
        self.decrypt(Some(cipher), id, body.get(..whole).unwrap_or_default().to_vec())
    }

    /// Decrypts the body of the stream `id` that has no crypt filter; none if it cannot be decrypted.
    pub fn decrypt_unfiltered(&self, id: Id, body: &[u8]) -> Option<Vec<u8>> {
        self.streams.map_or_else(|| Some(body.to_vec()), |cipher| self.decrypt_body(cipher, id, body))
    }

    fn decrypt(&self, algorithm: Option<Algorithm>, id: Id, mut bytes: Vec<u8>) -> Option<Vec<u8>> {
        match algorithm {
            _ if bytes.is_empty() => Some(bytes),
            None => Some(bytes),
            Some(Algorithm::Rc4) => {
                rc4::apply(&md5_key::object_key(&self.key, id, b""), &mut bytes);
                Some(bytes)
            }
            Some(Algorithm::Aes128) => {
                let key = md5_key::object_key(&self.key, id, b"sAlT");
                Aes128CryptFilter.decrypt(&key, &bytes).ok()
            }
            Some(Algorithm::Aes256) => Aes256CryptFilter.decrypt(&self.key, &bytes).ok(),
        }
    }

    /// The cipher of the streams.
    pub fn algorithm(&self) -> Option<Algorithm> {
        self.streams
    }

    /// Length of the file's key in bits.
    pub fn key_bits(&self) -> u32 {
        self.key.len() as u32 * 8
    }
}

/// Whether neither strings nor streams are encrypted (7.6.5).
fn is_readable(encrypt: &Dictionary) -> bool {
    let is_identity = |usage: &[u8]| encrypt.get(usage).as_name().is_none_or(|name| name == b"Identity");
    encrypt.get(b"V").as_integer() >= Some(4) && is_identity(b"StrF") && is_identity(b"StmF")
}

/// The cipher of the crypt filter named by `/StmF` or `/StrF` (7.6.5); before version 4 everything is RC4.
///
/// # Errors
/// `Damaged` if the cipher cannot use a version 5 key.
fn algorithm(encrypt: &Dictionary, usage: &[u8]) -> Result<Option<Algorithm>, Fault> {
    let version = encrypt.get(b"V").as_integer();
    if version < Some(4) {
        return Ok(Some(Algorithm::Rc4));
    }
    let name = encrypt.get(usage).as_name().unwrap_or(b"Identity");
    match encrypt.get(b"CF").entry(name).entry(b"CFM").as_name().unwrap_or_default() {
        b"V2" | b"AESV2" if version >= Some(5) => Err(Fault::Damaged),
        method => Ok(cipher_of(method)),
    }
}

/// The ciphers of the crypt filters, without those that encrypt nothing.
fn filters(encrypt: &Dictionary) -> BTreeMap<Vec<u8>, Algorithm> {
    let filters = encrypt.get(b"CF").as_dictionary().into_iter().flat_map(Dictionary::iter);
    let cipher = |filter: &Object| cipher_of(filter.entry(b"CFM").as_name().unwrap_or_default());
    // a standard name, which no entry redefines
    let named = filters.filter(|(name, _)| name.as_bytes() != b"Identity");
    named.filter_map(|(name, filter)| Some((name.as_bytes().to_vec(), cipher(filter)?))).collect()
}

fn cipher_of(method: &[u8]) -> Option<Algorithm> {
    match method {
        b"V2" => Some(Algorithm::Rc4),
        b"AESV2" => Some(Algorithm::Aes128),
        b"AESV3" => Some(Algorithm::Aes256),
        _ => None,
    }
}
