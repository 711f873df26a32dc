//! What every module here needs: one call, with the outcome it expects.

use std::ops::Range;

use bytes::Bytes;
use engine::{Failure, Memory, Metadata, Options, Reason, Source, SourceError, analyze};

use crate::bounded::analyze_within;
use crate::remote::Remote;

/// The metadata of a file that must open.
pub(crate) fn open(file: &[u8]) -> Metadata {
    analyze(&memory(file), &Options::default()).expect("the file opens")
}

/// The same of a file that spends at most `steps` of work.
pub(crate) fn open_within(steps: u64, file: &[u8]) -> Metadata {
    analyze_within(steps, file, &Options::default()).expect("the file opens")
}

/// Why a file is refused, which spends at most `steps` of work.
pub(crate) fn refused_within(steps: u64, file: &[u8]) -> Reason {
    match analyze_within(steps, file, &Options::default()) {
        Err(Failure::Rejected(reason)) => reason,
        other => panic!("expected a refusal, got {other:?}"),
    }
}

/// The metadata of a file that must open and has to be asked for, piece by piece.
pub(crate) fn open_remote(file: &[u8]) -> Metadata {
    analyze(&Remote(file), &Options::default()).expect("the file opens")
}

/// The metadata of a file that must open by this password.
pub(crate) fn open_by(file: &[u8], password: &str) -> Metadata {
    analyze(&memory(file), &Options { password: Some(password), ..Options::default() })
        .expect("the password opens the file")
}

/// Why a file is refused that must not open.
pub(crate) fn refused(file: &[u8], password: Option<&str>) -> Reason {
    match analyze(&memory(file), &Options { password, ..Options::default() }) {
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

/// The same of which nothing is read that was not asked for.
pub(crate) struct Sparse<'a>(pub(crate) &'a [u8]);

impl Source for Sparse<'_> {
    fn len(&self) -> u64 {
        self.0.len() as u64
    }

    fn read(&self, ranges: &[Range<u64>]) -> Result<Vec<Bytes>, SourceError> {
        Remote(self.0).read(ranges)
    }

    fn ends(&self) -> (u64, u64) {
        (1, 1)
    }
}
