//! Values of signatures: any bytes where the value of a sound signature stood.

use std::sync::OnceLock;

use bytes::Bytes;
use engine::{Memory, Options, SignatureStatus, analyze};
use samples::pdf::Pdf;
use samples::signed::{SignedPdf, contents};

use crate::{documents, seeds};

/// Who signed the file. Nobody else's value can fit it.
const SIGNER: &str = "Ann Signer";

/// A file with this value for its signature.
pub(crate) fn value(bytes: &[u8]) {
    static SIGNED: OnceLock<Vec<u8>> = OnceLock::new();
    let signed = SIGNED.get_or_init(|| SignedPdf::new(&Pdf::new(1)).signed(&seeds::signing()).file);
    let place = contents(signed, 0);
    let room = place.start + 1..place.end - 1;
    let digits: String = bytes.iter().map(|byte| format!("{byte:02x}")).take(room.len() / 2).collect();
    let mut file = signed.clone();
    file[room.clone()].fill(b'0');
    file[room.start..][..digits.len()].copy_from_slice(digits.as_bytes());
    documents::file(&file);
    let metadata = analyze(&Memory(Bytes::from(file)), &Options::default()).expect("all but the value is sound");
    for signature in metadata.integrity.signatures {
        let is_intact = signature.status == SignatureStatus::Intact;
        assert!(!is_intact || signature.signer.as_deref() == Some(SIGNER), "{signature:?}");
    }
}
