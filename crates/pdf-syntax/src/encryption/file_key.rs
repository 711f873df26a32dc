//! The standard security handler's key for a file (ISO 32000-1, 7.6.3; ISO 32000-2, 7.6.4).

use super::md5_key;
use super::password::{single_byte_candidates, unicode_candidates};
use super::sha_key;
use crate::failure::{Fault, Reason};
use crate::syntax::dictionary::Dictionary;
use crate::syntax::object::Object;

/// Longest and usual lengths of an RC4 key, in bytes.
const LONG: usize = 16;
const SHORT: usize = 5;

/// Derives the file encryption key from the Encrypt dictionary and the trailer's `/ID`, with the empty password or the
/// given one, as user or owner password.
///
/// # Errors
/// `PasswordRequired` or `WrongPassword`, `UnsupportedEncryption`, or `Damaged` if the dictionary has no key for any
/// password.
pub(super) fn derive(encrypt: &Dictionary, file_id: &Object, password: Option<&str>) -> Result<Vec<u8>, Fault> {
    let version = encrypt.get(b"V").as_integer().unwrap_or(0);
    let revision = encrypt.get(b"R").as_integer().ok_or(Fault::Damaged)?;
    if !matches!(version, 1 | 2 | 4 | 5) || !(2..=6).contains(&revision) {
        return Err(Fault::Rejected(Reason::UnsupportedEncryption));
    }
    if (version == 5) != (revision >= 5) {
        return Err(Fault::Damaged);
    }
    if version == 5 {
        let material = sha_key::KeyMaterial::read(encrypt).ok_or(Fault::Damaged)?;
        return by_password(password, unicode_candidates, |password| material.key(password));
    }
    let material = md5_key::KeyMaterial::read(encrypt, file_id).ok_or(Fault::Damaged)?;
    let lengths = key_lengths(encrypt, version, revision);
    by_password(password, single_byte_candidates, |password| {
        lengths.iter().find_map(|&length| material.key(password, length))
    })
}

/// Returns the key for the empty password, or for one of the given password's encodings.
fn by_password(
    password: Option<&str>,
    candidates: fn(&str) -> Vec<Vec<u8>>,
    key: impl Fn(&[u8]) -> Option<Vec<u8>>,
) -> Result<Vec<u8>, Fault> {
    // the empty password opens nearly all files
    if let Some(key) = key(b"") {
        return Ok(key);
    }
    let password = password.ok_or(Fault::Rejected(Reason::PasswordRequired))?;
    let found = candidates(password).iter().filter(|candidate| !candidate.is_empty()).find_map(|one| key(one));
    found.ok_or(Fault::Rejected(Reason::WrongPassword))
}

/// Returns the possible key lengths in bytes for revisions 2 to 4: the dictionary's, then the usual ones, as viewers
/// tolerate a wrong `/Length`.
fn key_lengths(encrypt: &Dictionary, version: i64, revision: i64) -> Vec<usize> {
    if revision == 2 {
        return vec![SHORT];
    }
    let stated = match version {
        1 => SHORT,
        2 => length(encrypt.get(b"Length")).unwrap_or(SHORT),
        _ => {
            let filters = encrypt.get(b"CF");
            let filter = encrypt.get(b"StmF").as_name().map_or(&Object::Null, |name| filters.entry(name));
            let is_rc4 = filter.entry(b"CFM").is_name(b"V2");
            length(filter.entry(b"Length")).filter(|_| is_rc4).unwrap_or(LONG)
        }
    };
    let mut lengths = vec![stated];
    lengths.extend([LONG, SHORT].into_iter().filter(|&usual| usual != stated));
    lengths
}

/// Returns a length of 40 to 128 bits in bytes. Some writers give it in bytes.
fn length(object: &Object) -> Option<usize> {
    let length = object.as_integer().and_then(|length| usize::try_from(length).ok())?;
    match length {
        SHORT..=LONG => Some(length),
        40.. => Some(length.min(128) / 8),
        _ => None,
    }
}
