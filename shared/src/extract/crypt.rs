//! The standard security handler (ISO 32000-1, 7.6; ISO 32000-2, 7.6): unlocking a file and decrypting what is read.

use lopdf::encryption::crypt_filters::{
    Aes128CryptFilter, Aes256CryptFilter, CryptFilter, IdentityCryptFilter, Rc4CryptFilter,
};
use lopdf::encryption::{DecryptionError, PasswordAlgorithm};
use lopdf::{Document, Permissions, StringFormat};

use crate::extract::failure::{Fault, Reason};
use crate::extract::foreign;
use crate::extract::metadata::Algorithm;
use crate::extract::name::Name;
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
        let document = document(&normalized(encrypt)?, file_id);
        let algorithm = PasswordAlgorithm::try_from(&document).map_err(|error| fault(&error))?;
        let permissions = encrypt.get(b"P").as_number().unwrap_or(-1.0) as i64;
        Ok(Self {
            key: key(&algorithm, &document, encrypt, password)?,
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

/// The file's key, by the empty password or else by the given one.
fn key(
    algorithm: &PasswordAlgorithm,
    document: &Document,
    encrypt: &Dictionary,
    password: Option<&str>,
) -> Result<Vec<u8>, Fault> {
    let is_aes_256 = encrypt.get(b"R").as_integer() >= Some(5);
    // From revision 5 on, deriving the key is the check of the password.
    let is_open = is_aes_256 || algorithm.authenticate_user_password(document, b"").is_ok();
    let by_empty = if is_open {
        algorithm.compute_file_encryption_key(document, b"").map_err(|error| fault(&error.into()))
    } else {
        Err(Fault::Rejected(Reason::WrongPassword))
    };
    match (by_empty, password) {
        (Err(Fault::Rejected(Reason::WrongPassword)), None) => Err(Fault::Rejected(Reason::PasswordRequired)),
        (Err(Fault::Rejected(Reason::WrongPassword)), Some(password)) => {
            let password = algorithm.sanitize_password(password).unwrap_or_else(|_| password.as_bytes().to_vec());
            let user = algorithm.resolve_password_for_key_derivation(document, password);
            let key = user.and_then(|user| algorithm.compute_file_encryption_key(document, user));
            key.map_err(|error| fault(&error.into()))
        }
        (key, _) => key,
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

/// A document of nothing but the Encrypt dictionary, which is what lopdf wants to see.
fn document(encrypt: &Dictionary, file_id: &Object) -> Document {
    let mut document = Document::new();
    let id = document.add_object(foreign::from_dictionary(encrypt));
    document.trailer.set("Encrypt", id);
    let first = file_id.elements().first().and_then(Object::as_string).unwrap_or_default();
    document.trailer.set("ID", vec![lopdf::Object::String(first.to_vec(), StringFormat::Literal)]);
    document
}

fn fault(error: &lopdf::Error) -> Fault {
    match error {
        lopdf::Error::Decryption(DecryptionError::IncorrectPassword) | lopdf::Error::InvalidPassword => {
            Fault::Rejected(Reason::WrongPassword)
        }
        lopdf::Error::Decryption(
            DecryptionError::UnsupportedEncryption
            | DecryptionError::UnsupportedVersion
            | DecryptionError::UnsupportedRevision
            | DecryptionError::InvalidVersion
            | DecryptionError::InvalidRevision,
        ) => Fault::Rejected(Reason::UnsupportedEncryption),
        _ => Fault::Damaged,
    }
}

/// The dictionary as the standard wants it: writers get lengths wrong in ways that viewers forgive and lopdf does not.
fn normalized(encrypt: &Dictionary) -> Result<Dictionary, Fault> {
    let version = encrypt.get(b"V").as_integer().unwrap_or(0);
    let rc4_length = rc4_key_length(encrypt, version);
    let revision = encrypt.get(b"R").as_integer().unwrap_or(0);
    let mut result = Dictionary::default();
    for (key, value) in encrypt.iter() {
        let value = match key {
            b"Length" | b"CF" => continue,
            // RC4 by crypt filter is what version 2 does, but for the keys' length, which lopdf fixes for version 4.
            b"V" if rc4_length.is_some() => Object::Integer(2),
            b"O" | b"U" => fitted(value, if revision <= 4 { 32 } else { 48 }),
            b"OE" | b"UE" => fitted(value, 32),
            b"Perms" => fitted(value, 16),
            b"P" => Object::Integer(value.as_number().unwrap_or(-1.0) as i64),
            b"EncryptMetadata" => Object::Boolean(value.as_bool() != Some(false)),
            _ => value.clone(),
        };
        result.push(Name::new(key), value);
    }
    result.push(Name::new(b"Filter"), Object::Name(Name::new(b"Standard")));
    if let Some(length) = rc4_length {
        result.push(Name::new(b"Length"), Object::Integer(length));
    }
    if matches!(version, 1 | 2 | 4 | 5) { Ok(result) } else { Err(Fault::Rejected(Reason::UnsupportedEncryption)) }
}

/// Length in bits of an RC4 key that may have any: 40 to 128, a multiple of 8. Some writers count bytes.
fn rc4_key_length(encrypt: &Dictionary, version: i64) -> Option<i64> {
    let length = match version {
        2 => encrypt.get(b"Length"),
        4 => {
            let filter = encrypt.get(b"StmF").as_name().filter(|_| encrypt.get(b"StmF") == encrypt.get(b"StrF"))?;
            let filter = encrypt.get(b"CF").as_dictionary()?.get(filter).as_dictionary()?;
            if filter.get(b"CFM").is_name(b"V2") { filter.get(b"Length") } else { return None }
        }
        _ => return None,
    };
    Some(match (length.as_integer(), version) {
        (Some(bytes @ 5..=16), _) => bytes * 8,
        (Some(bits @ 40..), _) => bits.min(128) / 8 * 8,
        (_, 4) => 128,
        _ => 40,
    })
}

/// A string of exactly `length` bytes, cut or filled with zeros; anything else unchanged.
fn fitted(value: &Object, length: usize) -> Object {
    let Some(bytes) = value.as_string().filter(|bytes| !bytes.is_empty()) else { return value.clone() };
    let mut bytes = bytes.to_vec();
    bytes.resize(length, 0);
    Object::String(bytes)
}
