//! Encodings of a password (ISO 32000-2, 7.6.4.3.2 and 7.6.4.3.3). Writers disagree on encoding and normalization, and
//! users cannot know which one was used.

use unicode_normalization::UnicodeNormalization;

use crate::text::text_string::pdf_doc_encoding;

/// Length to which passwords of revision 5 and later are truncated, in bytes of UTF-8 (algorithm 2.A, step a).
const MAX_PASSWORD_BYTES: usize = 127;
/// Maximum length of a password tried without truncation, in bytes: hashing time is proportional to the length
/// (algorithm 2.B).
const MAX_UNCUT_PASSWORD_BYTES: usize = 1024;
/// Windows-1252 characters from 0x80 to 0x9F, where Latin-1 has control characters.
const WINDOWS_1252: [char; 32] = [
    '€', '\u{81}', '‚', 'ƒ', '„', '…', '†', '‡', 'ˆ', '‰', 'Š', '‹', 'Œ', '\u{8d}', 'Ž', '\u{8f}', '\u{90}', '‘', '’',
    '“', '”', '•', '–', '—', '˜', '™', 'š', '›', 'œ', '\u{9d}', 'ž', 'Ÿ',
];

/// Possible encodings of a password of revision 2 to 4: PDFDocEncoding, as specified, then others that writers use.
pub(super) fn single_byte_candidates(password: &str) -> Vec<Vec<u8>> {
    distinct(spellings(password).into_iter().flat_map(|spelling| {
        let encoded = |decode: fn(u8) -> char| {
            let byte = |character| (0..=u8::MAX).find(|&byte| decode(byte) == character);
            spelling.chars().map(byte).collect::<Option<Vec<u8>>>()
        };
        [encoded(pdf_doc_encoding), encoded(windows_1252), Some(spelling.clone().into_bytes())].into_iter().flatten()
    }))
}

/// Possible normalizations of a password of revision 5 and later: SASLprep (RFC 4013), as specified, then none and
/// other ones.
pub(super) fn unicode_candidates(password: &str) -> Vec<Vec<u8>> {
    let prepared = stringprep::saslprep(password).ok().map(std::borrow::Cow::into_owned);
    distinct(prepared.into_iter().chain(spellings(password)).flat_map(|spelling| {
        let uncut = spelling.into_bytes();
        let mut cut = uncut.clone();
        cut.truncate(MAX_PASSWORD_BYTES);
        // some writers do not truncate it
        [Some(cut), (uncut.len() <= MAX_UNCUT_PASSWORD_BYTES).then_some(uncut)].into_iter().flatten()
    }))
}

/// The password as typed, composed, decomposed, and without compatibility characters such as ligatures.
fn spellings(password: &str) -> Vec<String> {
    if password.is_ascii() {
        return vec![password.to_owned()];
    }
    vec![password.to_owned(), password.nfc().collect(), password.nfd().collect(), password.nfkc().collect()]
}

fn distinct(candidates: impl Iterator<Item = Vec<u8>>) -> Vec<Vec<u8>> {
    let mut distinct: Vec<Vec<u8>> = Vec::new();
    for candidate in candidates {
        if !distinct.contains(&candidate) {
            distinct.push(candidate);
        }
    }
    distinct
}

fn windows_1252(byte: u8) -> char {
    WINDOWS_1252.get(usize::from(byte).wrapping_sub(0x80)).copied().unwrap_or(char::from(byte))
}

#[cfg(test)]
mod tests {
    use super::{single_byte_candidates, unicode_candidates};

    #[test]
    fn an_ascii_password_has_one_form() {
        assert_eq!(single_byte_candidates("secret"), [b"secret"]);
        assert_eq!(unicode_candidates("secret"), [b"secret"]);
    }

    #[test]
    fn every_encoding_is_tried_once() {
        let euro = single_byte_candidates("\u{20ac}");
        assert_eq!(euro, [vec![0xa0], vec![0x80], "\u{20ac}".as_bytes().to_vec()]);
        // a ligature has a code of its own, and a spelling without one
        let ligature = single_byte_candidates("\u{fb01}x");
        assert!(ligature.contains(&vec![0x93, b'x']) && ligature.contains(&b"fix".to_vec()), "{ligature:?}");
    }

    #[test]
    fn a_password_of_any_length_is_hashed_in_bounded_time() {
        let long = "p".repeat(1_000_000);
        assert_eq!(unicode_candidates(&long), [vec![b'p'; 127]]);
        assert_eq!(unicode_candidates(&long[..200]), [vec![b'p'; 127], vec![b'p'; 200]]);
    }

    #[test]
    fn every_normalization_is_tried_once() {
        let composed = "M\u{fc}ller".as_bytes().to_vec();
        let decomposed = "Mu\u{308}ller".as_bytes().to_vec();
        assert_eq!(unicode_candidates("M\u{fc}ller"), [composed.clone(), decomposed.clone()]);
        assert_eq!(unicode_candidates("Mu\u{308}ller"), [composed, decomposed]);
        let ligature = unicode_candidates("\u{fb01}x");
        assert_eq!(ligature, [b"fix".to_vec(), "\u{fb01}x".as_bytes().to_vec()]);
    }
}
