//! A staged file as the extraction engine reads it: by ranges, pinned to one version.

use std::io::Read;
use std::ops::Range;
use std::sync::Arc;
use std::time::Duration;

use aws_sdk_s3::error::{ProvideErrorMetadata, SdkError};
use aws_sdk_s3::operation::get_object::{GetObjectError, GetObjectOutput};
use aws_sdk_s3::operation::head_object::{HeadObjectError, HeadObjectOutput};
use aws_sdk_s3::types::ChecksumMode;
use bytes::Bytes;
use chrono::{DateTime, TimeDelta, Utc};
use futures_util::future::try_join_all;
use percent_encoding::percent_decode_str;
use tokio::runtime::Handle;

use super::prefetch::Prefetch;
use super::{FILENAME, Uploads, key};
use crate::deadline::Deadline;
use crate::error::{Cause, Error};
use crate::file_hash::FileHash;
use crate::filename;
use crate::ids::{UploadId, UserId};
use crate::tally::Tally;
use engine::{Source, SourceError};

/// What is read of each end at once, in the first round: all of a small file, and of a large one
/// the part that says where the rest is, with most of what will be asked for. It takes some
/// milliseconds more than a few bytes would; another round takes tens.
const END: u64 = 256 * 1024;
/// How long after its ticket a file is analysed. The bucket's lifecycle goes by whole days and deletes it a day later
/// at the latest.
const KEPT: TimeDelta = TimeDelta::hours(24);
/// Pieces of this size are those of a pass over the whole file, for its signatures: the next one is fetched at the same
/// time. Two of them are in memory then, and no more.
const PASS: u64 = 4 * 1024 * 1024;
/// How long a body may pause.
const PAUSE: Duration = Duration::from_secs(5);

/// A staged file, opened: size, name and version are known, both ends are read. Clones read on together.
#[derive(Clone, Debug)]
pub struct StagedFile {
    version: Arc<ObjectVersion>,
    size: u64,
    filename: String,
    compared: Option<FileHash>,
    head: Bytes,
    tail: Bytes,
    ahead: Arc<Prefetch>,
    /// The engine reads from a thread of its own; the requests run here.
    runtime: Handle,
    deadline: Deadline,
}

/// One version of an object, to which every further read is pinned.
#[derive(Debug)]
struct ObjectVersion {
    uploads: Uploads,
    key: String,
    etag: String,
}

impl Uploads {
    /// Opens `user`'s upload with two ranged GETs and a HEAD sent together (S3 says of a whole object only which hash it has
    /// compared); `None` if there is none, or its ticket was given
    /// more than 24 hours ago. (S3 says that an object is missing to those who may list the bucket; to others it
    /// says 403, as it does to those who may not read.)
    ///
    /// # Errors
    /// [`Error::Unavailable`] when S3 does not answer, or refuses.
    pub async fn open(
        &self,
        user: UserId,
        upload: UploadId,
        now: DateTime<Utc>,
        deadline: Deadline,
    ) -> Result<Option<StagedFile>, Error> {
        if now - upload.given_at() > KEPT {
            return Ok(None);
        }
        deadline.limit(self.open_ends(user, upload, deadline)).await?
    }

    async fn open_ends(&self, user: UserId, upload: UploadId, deadline: Deadline) -> Result<Option<StagedFile>, Error> {
        let key = key(user, upload);
        let (first, last, whole) = tokio::join!(
            self.get(&key, format!("bytes=0-{}", END - 1), None),
            self.get(&key, format!("bytes=-{END}"), None),
            self.head(&key),
        );
        let (first, last) = match (first, last) {
            (Err(error), _) | (_, Err(error)) if is_missing(&error) => return Ok(None),
            (Err(error), _) | (_, Err(error)) => return Err(Error::Unavailable(Cause::of(&error))),
            (Ok(first), Ok(last)) => (first, last),
        };
        let whole = whole.map_err(|error| Error::Unavailable(Cause::of(&error)))?;
        let (Some(etag), Some(size)) = (last.e_tag.clone(), total(&last)) else {
            return Err(Error::Unavailable(Cause::text("S3 gave neither ETag nor size")));
        };
        if [&first.e_tag, &whole.e_tag].iter().any(|other| other.as_ref() != Some(&etag)) {
            return Err(Error::Unavailable(Cause::text("the staged file changed while it was opened")));
        }
        let filename = last.metadata.as_ref().and_then(|metadata| metadata.get(FILENAME));
        let filename =
            filename.map_or_else(String::new, |name| percent_decode_str(name).decode_utf8_lossy().into_owned());
        let (head, tail) =
            tokio::try_join!(body(first, size.min(END)), body(last, size.min(END))).map_err(Error::Unavailable)?;
        let filename = filename::clean(&filename);
        let compared = whole.checksum_sha256().and_then(FileHash::from_base64);
        let version = Arc::new(ObjectVersion { uploads: self.clone(), key, etag });
        let (ahead, runtime) = (Arc::default(), Handle::current());
        Ok(Some(StagedFile { version, size, filename, compared, head, tail, ahead, runtime, deadline }))
    }

    async fn head(&self, key: &str) -> Result<HeadObjectOutput, SdkError<HeadObjectError>> {
        let request = self.client().head_object().bucket(&self.bucket).key(key);
        request.checksum_mode(ChecksumMode::Enabled).send().await
    }

    async fn get(
        &self,
        key: &str,
        range: String,
        etag: Option<&str>,
    ) -> Result<GetObjectOutput, SdkError<GetObjectError>> {
        let request = self.client().get_object().bucket(&self.bucket).key(key).range(range);
        request.set_if_match(etag.map(str::to_owned)).send().await
    }
}

impl StagedFile {
    /// The file's cleaned name.
    #[must_use]
    pub fn filename(&self) -> &str {
        &self.filename
    }

    /// The file's hash, if its ends are all of it.
    #[must_use]
    pub fn hash(&self) -> Option<FileHash> {
        let between = self.size.checked_sub(self.head.len() as u64)?;
        let rest = self.tail.len().checked_sub(usize::try_from(between).ok()?)?;
        FileHash::of_all(self.head.chain(self.tail.get(rest..)?)).ok()
    }

    /// The hash that S3 says it has compared with the file's bytes when they came.
    #[must_use]
    pub fn compared_hash(&self) -> Option<FileHash> {
        self.compared
    }

    /// The part of an end that is already here.
    fn at_hand(&self, range: &Range<u64>) -> Option<Bytes> {
        let tail_start = self.size - self.tail.len() as u64;
        let (end, start) = if range.start >= tail_start { (&self.tail, tail_start) } else { (&self.head, 0) };
        let from = usize::try_from(range.start - start).ok()?;
        let to = usize::try_from(range.end.checked_sub(start)?).ok()?;
        (from <= to && to <= end.len()).then(|| end.slice(from..to))
    }

    async fn fetch(&self, range: &Range<u64>) -> Result<Bytes, Cause> {
        if let Some(bytes) = self.at_hand(range) {
            return Ok(bytes);
        }
        self.version.fetch(range).await
    }

    /// One piece, which was on its way already if the one before it was asked for last. After a large one the next is
    /// sent for.
    async fn pass(&self, range: &Range<u64>) -> Result<Bytes, Cause> {
        let here = self.ahead.take(range);
        let size = range.end - range.start;
        let next = range.end..self.size.min(range.end + size);
        if size >= PASS && !next.is_empty() && self.at_hand(&next).is_none() {
            let (version, wanted) = (Arc::clone(&self.version), next.clone());
            self.ahead.start(next, async move { version.fetch(&wanted).await }, &self.runtime);
        }
        match here {
            Some(piece) => piece.arrived().await,
            None => self.fetch(range).await,
        }
    }
}

impl ObjectVersion {
    async fn fetch(&self, range: &Range<u64>) -> Result<Bytes, Cause> {
        let header = format!("bytes={}-{}", range.start, range.end - 1);
        let object = self.uploads.get(&self.key, header, Some(&self.etag)).await.map_err(|error| Cause::of(&error))?;
        body(object, range.end - range.start).await
    }
}

impl Source for StagedFile {
    fn len(&self) -> u64 {
        self.size
    }

    fn read(&self, ranges: &[Range<u64>]) -> Result<Vec<Bytes>, SourceError> {
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
        Tally::current().read(read.iter().map(|bytes| bytes.len() as u64).sum());
        Ok(read)
    }
}

/// The whole object's size, from `Content-Range: bytes 0-9/1234`.
fn total(object: &GetObjectOutput) -> Option<u64> {
    object.content_range.as_deref()?.rsplit('/').next()?.parse().ok()
}

/// The body, which has to have exactly `expected` bytes. It is in memory once: what arrives goes to its place.
async fn body(mut object: GetObjectOutput, expected: u64) -> Result<Bytes, Cause> {
    let wrong_length = || Cause::text("S3's body has another length than asked for");
    let expected = usize::try_from(expected).map_err(|_| wrong_length())?;
    let mut bytes = Vec::with_capacity(expected);
    loop {
        let chunk = tokio::time::timeout(PAUSE, object.body.try_next())
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

fn is_missing(error: &SdkError<GetObjectError>) -> bool {
    matches!(error.as_service_error().and_then(ProvideErrorMetadata::code), Some("NoSuchKey" | "NotFound"))
}
