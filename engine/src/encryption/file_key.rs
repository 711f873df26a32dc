//! The standard security handler's keys (ISO 32000-1, 7.6.3; ISO 32000-2, 7.6.4), most of them derived by lopdf.

use lopdf::encryption::{DecryptionError, PasswordAlgorithm};
use lopdf::{Document, StringFormat};

use super::lopdf::from_dictionary;
use super::md5_key::KeyMaterial;
use crate::failure::{Fault, Reason};
use crate::syntax::dictionary::Dictionary;
use crate::syntax::name::Name;
use crate::syntax::object::Object;

/// The key of a file with this Encrypt dictionary and trailer `/ID`, by the empty password or else by the given one.
///
/// # Errors
/// `PasswordRequired` or `WrongPassword`, `UnsupportedEncryption`, or `Damaged` if the dictionary makes no sense.
pub(crate) fn derive(encrypt: &Dictionary, file_id: &Object, password: Option<&str>) -> Result<Vec<u8>, Fault> {
    let version = encrypt.get(b"V").as_integer().unwrap_or(0);
    let bits = match version {
        1 => Some(40),
        2 | 4 => rc4_key_length(encrypt, version).or(Some(128)),
        _ => None,
    };
    // asked first, because the empty password opens nearly all files and this is much faster than lopdf
    if let Some(material) = bits.and_then(|bits| KeyMaterial::read(encrypt, bits, file_id)) {
        match (material.key_by_empty_password(), password) {
            (Some(key), _) => return Ok(key),
            (None, None) => return Err(Fault::Rejected(Reason::PasswordRequired)),
            (None, Some(_)) => {}
        }
    }
    derive_any(encrypt, file_id, password)
}

/// The same by lopdf, for all revisions and passwords.
fn derive_any(encrypt: &Dictionary, file_id: &Object, password: Option<&str>) -> Result<Vec<u8>, Fault> {
    let document = &document(&normalized(encrypt)?, file_id);
    let algorithm = PasswordAlgorithm::try_from(document).map_err(|error| fault(&error))?;
    let is_aes_256 = encrypt.get(b"R").as_integer() >= Some(5);
    // from revision 5 on, deriving the key is the check of the password
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

/// A document of nothing but the Encrypt dictionary, which is what lopdf wants to see.
fn document(encrypt: &Dictionary, file_id: &Object) -> Document {
    let mut document = Document::new();
    let id = document.add_object(from_dictionary(encrypt));
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
        let value = match key.as_bytes() {
            b"Length" | b"CF" => continue,
            // RC4 by crypt filter is what version 2 does, but for the keys' length, which lopdf fixes for version 4
            b"V" if rc4_length.is_some() => Object::Integer(2),
            b"O" | b"U" => fitted(value, if revision <= 4 { 32 } else { 48 }),
            b"OE" | b"UE" => fitted(value, 32),
            b"Perms" => fitted(value, 16),
            b"P" => Object::Integer(value.as_number().unwrap_or(-1.0) as i64),
            b"EncryptMetadata" => Object::Boolean(value.as_bool() != Some(false)),
            _ => value.clone(),
        };
        result.push(key.clone(), value);
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

#[cfg(test)]
mod tests {
    use samples::pdf::{Cipher, Pdf, encrypted};

    use super::{derive, derive_any};
    use crate::Options;
    use crate::document::Document;
    use crate::input::source::Memory;

    #[test]
    fn the_short_way_to_a_key_leads_where_the_long_one_does() {
        for cipher in [Cipher::Rc4Of40, Cipher::Rc4Of128, Cipher::Rc4ByFilter, Cipher::Aes128] {
            let source = Memory(encrypted(&Pdf::new(1).classic(), cipher, "", "owner").into());
            let mut document = Document::open(&source, &Options::default()).unwrap();
            document.load(None).unwrap();
            // its own strings are not encrypted
            document.security = None;
            let trailer = document.xref.trailer.clone();
            let encrypt = document.newest().dictionary(trailer.get(b"Encrypt")).unwrap().into_owned();
            let file_id = trailer.get(b"ID");
            let key = derive(&encrypt, file_id, None).unwrap();
            assert_eq!(key, derive_any(&encrypt, file_id, None).unwrap(), "{cipher:?}");
            assert_eq!(key, derive_any(&encrypt, file_id, Some("owner")).unwrap(), "{cipher:?}");
        }
    }
}
