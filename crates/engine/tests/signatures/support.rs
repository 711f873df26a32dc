//! What every module here needs: signed files, and what is said of their signatures.

use bytes::Bytes;
use engine::{Memory, Metadata, Options, Signature, SignatureReason, SignatureStatus, analyze};
use samples::pdf::{Cipher, Pdf, encrypted};
use samples::signed::{Key, SignedPdf, Signing};

/// How a signature is judged.
pub(crate) type Judged = (SignatureStatus, Option<SignatureReason>);

pub(crate) const INTACT: Judged = (SignatureStatus::Intact, None);
pub(crate) const OTHER_RANGE: Judged = (SignatureStatus::Broken, Some(SignatureReason::Range));
pub(crate) const OTHER_CONTENT: Judged = (SignatureStatus::Broken, Some(SignatureReason::Digest));
pub(crate) const OTHER_VALUE: Judged = (SignatureStatus::Broken, Some(SignatureReason::Value));
pub(crate) const OTHER_CERTIFICATE: Judged = (SignatureStatus::Broken, Some(SignatureReason::Certificate));
pub(crate) const UNKNOWN_ALGORITHM: Judged = (SignatureStatus::Unchecked, Some(SignatureReason::Algorithm));
pub(crate) const ODD_FORMAT: Judged = (SignatureStatus::Unchecked, Some(SignatureReason::Format));
pub(crate) const SEVERAL_SIGNERS: Judged = (SignatureStatus::Unchecked, Some(SignatureReason::SeveralSigners));
pub(crate) const NO_CERTIFICATE: Judged = (SignatureStatus::Unchecked, Some(SignatureReason::NoCertificate));

/// A document of one page.
pub(crate) fn document() -> SignedPdf {
    SignedPdf::new(&Pdf::new(1).info("/Title (Contract)"))
}

/// Encrypts a document that was not signed yet; its signatures and updates repeat the entries of the trailer.
pub(crate) fn encrypt(document: &mut SignedPdf, cipher: Cipher) {
    document.file = encrypted(&document.file, cipher, "", "owner");
    document.file.push(b'\n');
    let text = String::from_utf8_lossy(&document.file).into_owned();
    let entry = |start: &str, end: &str| {
        let (_, rest) = text.split_once(start).expect("it is encrypted");
        format!("{start}{}{end}", rest.split_once(end).expect("an end").0)
    };
    document.trailer = entry("/Encrypt ", "R") + &entry("/ID", "]");
}

/// A file with this signature.
pub(crate) fn signed(signing: &Signing) -> Vec<u8> {
    document().signed(signing).file
}

/// A file with a sound signature, quickly made.
pub(crate) fn usual() -> Vec<u8> {
    signed(&Signing::by(Key::Ed25519))
}

pub(crate) fn metadata(file: &[u8]) -> Metadata {
    analyze(&Memory(Bytes::copy_from_slice(file)), &Options::default()).expect("the file opens")
}

/// All signatures of a file.
pub(crate) fn signatures(file: &[u8]) -> Vec<Signature> {
    metadata(file).integrity.signatures
}

/// The only signature of a file.
pub(crate) fn signature(file: &[u8]) -> Signature {
    let [signature] = &signatures(file)[..] else { panic!("there is not one signature: {:?}", signatures(file)) };
    signature.clone()
}

/// How each signature of a file is judged.
pub(crate) fn judged(file: &[u8]) -> Vec<Judged> {
    signatures(file).iter().map(|signature| (signature.status, signature.reason)).collect()
}

/// How the only signature of a file is judged.
pub(crate) fn judge(file: &[u8]) -> Judged {
    let signature = signature(file);
    (signature.status, signature.reason)
}

/// Where this text stands for the first time.
pub(crate) fn position(file: &[u8], text: &str) -> usize {
    file.windows(text.len())
        .position(|window| window == text.as_bytes())
        .unwrap_or_else(|| panic!("there is no {text}"))
}

/// The file with the first occurrence of `old` replaced by as many bytes.
pub(crate) fn with(file: &[u8], old: &str, new: &str) -> Vec<u8> {
    assert_eq!(old.len(), new.len(), "nothing moves");
    let at = position(file, old);
    [&file[..at], new.as_bytes(), &file[at + old.len()..]].concat()
}

/// The file with a hexadecimal digit changed.
pub(crate) fn flipped(file: &[u8], at: usize) -> Vec<u8> {
    let mut file = file.to_vec();
    file[at] = if file[at] == b'0' { b'1' } else { b'0' };
    file
}

/// Where these bytes stand for the first time in the hexadecimal digits of a signature's value.
pub(crate) fn place_in_value(file: &[u8], bytes: &[u8]) -> usize {
    let digits: String = bytes.iter().map(|byte| format!("{byte:02x}")).collect();
    position(file, &digits)
}
