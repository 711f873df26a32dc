//! What is answered about a file, in memory or asked for piece by piece.

use std::ops::Range;

use bytes::Bytes;
use engine::{Memory, Options, Source, SourceError, Verdict, analyze};

/// Bytes that have to be asked for.
struct Remote(Bytes);

impl Source for Remote {
    fn len(&self) -> u64 {
        self.0.len() as u64
    }

    fn read(&self, ranges: &[Range<u64>]) -> Result<Vec<Bytes>, SourceError> {
        Ok(ranges.iter().map(|range| self.0.slice(range.start as usize..range.end as usize)).collect())
    }
}

/// The verdict; none if the file is refused.
pub(crate) fn verdict(file: &[u8], is_remote: bool) -> Option<Verdict> {
    let (file, options) = (Bytes::copy_from_slice(file), Options::default());
    let metadata = if is_remote { analyze(&Remote(file), &options) } else { analyze(&Memory(file), &options) };
    metadata.ok().map(|metadata| metadata.integrity.verdict)
}
