//! What the fuzzer of signatures starts from: values of every form and algorithm, of which one fits.

use samples::pdf::Pdf;
use samples::signed::{
    Certificate, Cms, Encoding, Hash, Inside, Key, Pss, Reference, Scheme, SignedPdf, Signing, contents,
};

pub(crate) fn values() -> Vec<Vec<u8>> {
    let by = |key: Key| Cms::new(Certificate::self_signed(key, "Bob"));
    let stamp = Cms::time_stamp(Certificate::self_signed(Key::P256, "Clock"), "20261104081600Z");
    let salted = Scheme::PssWith(Pss { mask: Hash::Sha1, salt: 20, said: 20 });
    let forms = [
        by(Key::Rsa),
        Cms { scheme: salted, ..by(Key::Rsa2047) },
        Cms { hash: Hash::Sha512, ..by(Key::P384) },
        Cms { hash: Hash::Sha512, reference: Reference::NewBy512, ..by(Key::P521) },
        Cms { encoding: Encoding::Ber, ..by(Key::Ed25519) },
        Cms { encoding: Encoding::BerThroughout, inside: Inside::Sha1, ..by(Key::Ed25519) },
        Cms { by_key_identifier: true, has_attributes: false, ..by(Key::Ed25519) },
        Cms { time_stamp: Some(Box::new(stamp.clone())), ..by(Key::P256) },
        stamp,
    ];
    let mut values: Vec<Vec<u8>> = forms.iter().map(|cms| cms.make(b"content")).collect();
    values.push(fitting());
    values
}

/// How the file is signed whose value is fuzzed.
pub(crate) fn signing() -> Signing {
    Signing { room: 8_192, ..Signing::by(Key::Ed25519) }
}

/// The value that the signed file has.
fn fitting() -> Vec<u8> {
    let file = SignedPdf::new(&Pdf::new(1)).signed(&signing()).file;
    let place = contents(&file, 0);
    let digits = &file[place.start + 1..place.end - 1];
    let digit = |byte: u8| char::from(byte).to_digit(16).expect("a digit") as u8;
    let value: Vec<u8> = digits.chunks_exact(2).map(|pair| digit(pair[0]) << 4 | digit(pair[1])).collect();
    let padding = value.iter().rev().take_while(|byte| **byte == 0).count();
    value[..value.len() - padding].to_vec()
}
