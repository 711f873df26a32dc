//! What every module here needs: one call, with the outcome it expects.

use bytes::Bytes;
use shared::extract::{Failure, Memory, Metadata, Options, Reason, analyze};

/// The metadata of a file that must open.
pub(crate) fn open(file: &[u8]) -> Metadata {
    analyze(&memory(file), &Options::default()).expect("the file opens")
}

/// The metadata of a file that must open by this password.
pub(crate) fn open_by(file: &[u8], password: &str) -> Metadata {
    analyze(&memory(file), &Options { password: Some(password), deadline: None }).expect("the password opens the file")
}

/// Why a file is refused that must not open.
pub(crate) fn refused(file: &[u8], password: Option<&str>) -> Reason {
    match analyze(&memory(file), &Options { password, deadline: None }) {
        Err(Failure::Rejected(reason)) => reason,
        other => panic!("expected a refusal, got {other:?}"),
    }
}

pub(crate) fn memory(file: &[u8]) -> Memory {
    Memory(Bytes::copy_from_slice(file))
}

/// The title of a file that must open.
pub(crate) fn title(file: &[u8]) -> Option<String> {
    open(file).document.title
}

/// `file` with the only occurrence of `old` replaced by `new`.
pub(crate) fn replaced(file: &[u8], old: &str, new: &str) -> Vec<u8> {
    let places: Vec<usize> = (0..file.len()).filter(|&at| file[at..].starts_with(old.as_bytes())).collect();
    let [place] = places[..] else { panic!("{old} occurs {} times", places.len()) };
    [&file[..place], new.as_bytes(), &file[place + old.len()..]].concat()
}
