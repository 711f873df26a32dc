//! A file in memory that is read by ranges.

use std::ops::Range;

use bytes::Bytes;
use engine::{Source, SourceError};

/// Bytes that have to be asked for.
pub(crate) struct Remote<'a>(pub(crate) &'a [u8]);

impl Source for Remote<'_> {
    fn len(&self) -> u64 {
        self.0.len() as u64
    }

    fn read(&self, ranges: &[Range<u64>]) -> Result<Vec<Bytes>, SourceError> {
        let slice = |range: &Range<u64>| Bytes::copy_from_slice(&self.0[range.start as usize..range.end as usize]);
        Ok(ranges.iter().map(slice).collect())
    }
}
