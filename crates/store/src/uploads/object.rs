//! A staged file as the engine reads it: by ranges, pinned to one version.

use std::io::Read;

use aws_sdk_s3::error::{ProvideErrorMetadata, SdkError};
use aws_sdk_s3::operation::get_object::{GetObjectError, GetObjectOutput};
use aws_sdk_s3::operation::head_object::{HeadObjectError, HeadObjectOutput};
use aws_sdk_s3::types::ChecksumMode;
use chrono::{DateTime, TimeDelta, Utc};
use percent_encoding::percent_decode_str;

use super::{FILENAME, Uploads, key};
use crate::bucket::{ObjectVersion, RangedObject, body, total};
use crate::deadline::Deadline;
use crate::error::{Cause, Error};
use crate::file_hash::FileHash;
use crate::filename;
use crate::ids::{UploadId, UserId};
use engine::Source;

/// Bytes read from each end in the first round trip: a complete small file, or the cross-reference and most needed
/// objects of a large one. They take a few milliseconds longer than a few bytes; another round trip takes tens.
const END_BYTES: u64 = 256 * 1024;
/// Longest time between ticket and analysis. The bucket's lifecycle works in whole days and deletes the file at most a
/// day later.
const MAX_AGE: TimeDelta = TimeDelta::hours(24);

/// A staged file, opened: size, name and version are known, both ends are read. Clones share prefetched pieces.
#[derive(Clone, Debug)]
pub struct StagedFile {
    object: RangedObject,
    filename: String,
    compared: Option<FileHash>,
}

impl Uploads {
    /// Opens `user`'s upload with two ranged GETs and a HEAD sent together (S3 returns the hash that it has compared
    /// only for complete objects); `None` if there is none, or its ticket was issued more than 24 hours ago. (S3
    /// reports a missing object only to callers that may list the bucket; others get 403, as without permission to
    /// read.)
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
        if now - upload.given_at() > MAX_AGE {
            return Ok(None);
        }
        deadline.limit(self.open_ends(user, upload, deadline)).await?
    }

    async fn open_ends(&self, user: UserId, upload: UploadId, deadline: Deadline) -> Result<Option<StagedFile>, Error> {
        let key = key(user, upload);
        let (first, last, whole) = tokio::join!(
            self.get(&key, format!("bytes=0-{}", END_BYTES - 1)),
            self.get(&key, format!("bytes=-{END_BYTES}")),
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
        let (head, tail) = tokio::try_join!(body(first, size.min(END_BYTES)), body(last, size.min(END_BYTES)))
            .map_err(Error::Unavailable)?;
        let filename = filename::clean(&filename);
        let compared = whole.checksum_sha256().and_then(FileHash::from_base64);
        let version = ObjectVersion { client: self.client().clone(), bucket: self.bucket.clone(), key, etag };
        let object = RangedObject::new(version, size, head, tail, deadline);
        Ok(Some(StagedFile { object, filename, compared }))
    }

    async fn head(&self, key: &str) -> Result<HeadObjectOutput, SdkError<HeadObjectError>> {
        let request = self.client().head_object().bucket(&self.bucket).key(key);
        request.checksum_mode(ChecksumMode::Enabled).send().await
    }

    async fn get(&self, key: &str, range: String) -> Result<GetObjectOutput, SdkError<GetObjectError>> {
        self.client().get_object().bucket(&self.bucket).key(key).range(range).send().await
    }
}

impl StagedFile {
    /// The file's cleaned name.
    #[must_use]
    pub fn filename(&self) -> &str {
        &self.filename
    }

    /// For the engine to read.
    #[must_use]
    pub fn object(&self) -> &RangedObject {
        &self.object
    }

    /// The file's hash, if its ends cover all of it.
    #[must_use]
    pub fn hash(&self) -> Option<FileHash> {
        let (head, tail) = self.object.ends_at_hand();
        let between = self.object.len().checked_sub(head.len() as u64)?;
        let rest = tail.len().checked_sub(usize::try_from(between).ok()?)?;
        FileHash::of_all(head.chain(tail.get(rest..)?)).ok()
    }

    /// The hash that S3 verified at the upload.
    #[must_use]
    pub fn compared_hash(&self) -> Option<FileHash> {
        self.compared
    }
}

fn is_missing(error: &SdkError<GetObjectError>) -> bool {
    matches!(error.as_service_error().and_then(ProvideErrorMetadata::code), Some("NoSuchKey" | "NotFound"))
}
