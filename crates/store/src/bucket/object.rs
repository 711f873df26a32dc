//! One version of an S3 object as the engine reads it: by ranges.

use std::ops::Range;
use std::sync::Arc;
use std::time::Duration;

use aws_sdk_s3::Client;
use aws_sdk_s3::error::SdkError;
use aws_sdk_s3::operation::get_object::{GetObjectError, GetObjectOutput};
use bytes::Bytes;
use engine::{Source, SourceError};
use futures_util::future::try_join_all;
use tokio::runtime::Handle;

use super::prefetch::Prefetch;
use crate::deadline::Deadline;
use crate::error::Cause;
use crate::request_cost::RequestCost;

/// Size of the reads in a pass over the complete file, for its signatures: the next piece is prefetched while the
/// engine processes this one. At most two are in memory.
const PASS_READ_BYTES: u64 = 4 * 1024 * 1024;
/// Longest pause of a body.
const BODY_PAUSE_MAX: Duration = Duration::from_secs(5);

/// One version of an object, to which every read is pinned by its ETag.
#[derive(Debug)]
pub struct ObjectVersion {
    pub(crate) client: Client,
    pub(crate) bucket: String,
    pub(crate) key: String,
    pub(crate) etag: String,
}

/// An object whose ends are in memory and whose rest is read by ranges. Clones share the prefetched piece.
#[derive(Clone, Debug)]
pub struct RangedObject {
    version: Arc<ObjectVersion>,
    size: u64,
    head: Bytes,
    tail: Bytes,
    ahead: Arc<Prefetch>,
    /// The runtime of the requests, as the engine reads on a separate thread.
    runtime: Handle,
    deadline: Deadline,
}

impl ObjectVersion {
    /// A ranged GET, of this version only.
    pub(crate) async fn get(&self, range: String) -> Result<GetObjectOutput, SdkError<GetObjectError>> {
        let request = self.client.get_object().bucket(&self.bucket).key(&self.key);
        request.range(range).if_match(&self.etag).send().await
    }

    async fn fetch(&self, range: &Range<u64>) -> Result<Bytes, Cause> {
        let object = self.get(header(range)).await.map_err(|error| Cause::of(&error))?;
        body(object, range.end - range.start).await
    }
}

/// The `Range` header of a GET (RFC 9110, section 14.2).
pub(crate) fn header(range: &Range<u64>) -> String {
    format!("bytes={}-{}", range.start, range.end.saturating_sub(1))
}

impl RangedObject {
    /// `version`, an object of `size` bytes whose first and last bytes are `head` and `tail`.
    pub fn new(version: ObjectVersion, size: u64, head: Bytes, tail: Bytes, deadline: Deadline) -> Self {
        let (version, ahead, runtime) = (Arc::new(version), Arc::default(), Handle::current());
        Self { version, size, head, tail, ahead, runtime, deadline }
    }

    /// The bytes at its start that are in memory, and those at its end.
    pub(crate) fn ends_at_hand(&self) -> (&Bytes, &Bytes) {
        (&self.head, &self.tail)
    }

    /// The part of an end that is already in memory.
    fn at_hand(&self, range: &Range<u64>) -> Option<Bytes> {
        let tail_start = self.size - self.tail.len() as u64;
        let (end, start) = if range.start >= tail_start { (&self.tail, tail_start) } else { (&self.head, 0) };
        let from = usize::try_from(range.start - start).ok()?;
        let to = usize::try_from(range.end.checked_sub(start)?).ok()?;
        (from <= to && to <= end.len()).then(|| end.slice(from..to))
    }

    async fn fetch(&self, range: &Range<u64>) -> Result<Bytes, Cause> {
        match self.at_hand(range) {
            Some(bytes) => Ok(bytes),
            None => self.version.fetch(range).await,
        }
    }

    /// Reads one piece, which is prefetched if it follows the last one. A large piece starts the prefetch of the next.
    async fn pass(&self, range: &Range<u64>) -> Result<Bytes, Cause> {
        let here = self.ahead.take(range);
        let size = range.end - range.start;
        let next = range.end..self.size.min(range.end + size);
        if size >= PASS_READ_BYTES && !next.is_empty() && self.at_hand(&next).is_none() {
            let (version, wanted) = (Arc::clone(&self.version), next.clone());
            self.ahead.start(next, async move { version.fetch(&wanted).await }, &self.runtime);
        }
        match here {
            Some(piece) => piece.arrived().await,
            None => self.fetch(range).await,
        }
    }
}

impl Source for RangedObject {
    fn len(&self) -> u64 {
        self.size
    }

    fn read(&self, ranges: &[Range<u64>]) -> Result<Vec<Bytes>, SourceError> {
        // the deadline's timer needs the runtime, which threads of the command line have not entered
        let _runtime = self.runtime.enter();
        let read = match ranges {
            [range] => {
                let piece = async { Ok(vec![self.pass(range).await?]) };
                self.runtime.block_on(self.deadline.limit(piece))
            }
            ranges => {
                let round = try_join_all(ranges.iter().map(|range| self.fetch(range)));
                self.runtime.block_on(self.deadline.limit(round))
            }
        };
        let read = read.map_err(|error| SourceError::new(error.to_string()))?;
        let read = read.map_err(|cause| SourceError::new(cause.to_string()))?;
        RequestCost::current().read(read.iter().map(|bytes| bytes.len() as u64).sum());
        Ok(read)
    }

    fn whole(&self) -> Option<&[u8]> {
        (self.head.len() as u64 == self.size && self.tail.is_empty()).then_some(&self.head)
    }
}

/// The whole object's size, from `Content-Range: bytes 0-9/1234`.
pub(crate) fn total(object: &GetObjectOutput) -> Option<u64> {
    object.content_range.as_deref()?.rsplit('/').next()?.parse().ok()
}

/// The body, which must have exactly `expected` bytes. It is in memory once: chunks are copied to their place.
pub(crate) async fn body(mut object: GetObjectOutput, expected: u64) -> Result<Bytes, Cause> {
    let wrong_length = || Cause::text("S3's body has another length than asked for");
    let expected = usize::try_from(expected).map_err(|_| wrong_length())?;
    let mut bytes = Vec::with_capacity(expected);
    loop {
        let chunk = tokio::time::timeout(BODY_PAUSE_MAX, object.body.try_next())
            .await
            .map_err(|_| Cause::text("S3's body did not arrive in time"))?
            .map_err(|error| Cause::of(&error))?;
        match chunk {
            Some(chunk) if chunk.len() <= expected - bytes.len() => bytes.extend_from_slice(&chunk),
            Some(_) => return Err(wrong_length()),
            None if bytes.len() == expected => return Ok(bytes.into()),
            None => return Err(wrong_length()),
        }
    }
}
