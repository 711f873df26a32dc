//! A bucket of PDFs: its listing, and its objects as the engine reads them.

mod object;
mod prefetch;

pub use object::RangedObject;
pub(crate) use object::{ObjectVersion, body, total};

use std::ops::Range;

use aws_sdk_s3::Client;
use aws_sdk_s3::error::{ProvideErrorMetadata, SdkError};
use aws_sdk_s3::operation::head_object::HeadObjectOutput;
use bytes::Bytes;
use chrono::{DateTime, Utc};

use crate::deadline::Deadline;
use crate::error::Cause;

/// Largest object that is read by one GET: within a region S3 charges for requests, not for bytes.
const SINGLE_GET_MAX_BYTES: u64 = 1024 * 1024;
/// Bytes read of each end of a larger object, concurrently.
const END_BYTES: u64 = 256 * 1024;
/// Name of the metadata entry of a note.
const NOTE: &str = "note";

/// A bucket, reached by a client.
#[derive(Clone, Debug)]
pub struct Bucket {
    client: Client,
    name: String,
}

/// A row of a listing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ListedObject {
    /// Its key.
    pub key: String,
    /// Its ETag, with the quotation marks that S3 gives it.
    pub etag: String,
    /// Bytes.
    pub size: u64,
    /// When it was written.
    pub modified: Option<DateTime<Utc>>,
}

/// Why a request failed.
#[derive(Debug, thiserror::Error)]
pub enum BucketError {
    /// The object does not exist (any more).
    #[error("there is no such object")]
    Missing,
    /// The object has another version than the requested one, or exists where none should.
    #[error("the object is another version")]
    OtherVersion,
    /// The credentials do not permit it.
    #[error("access is denied")]
    Denied,
    /// S3 did not answer, or answered with another error.
    #[error("S3: {0}")]
    Unavailable(Cause),
}

impl BucketError {
    fn of<E, R>(error: &SdkError<E, R>) -> Self
    where
        SdkError<E, R>: std::error::Error,
        E: ProvideErrorMetadata + 'static,
        R: 'static,
    {
        match error.as_service_error().and_then(ProvideErrorMetadata::code) {
            Some("NoSuchKey" | "NotFound") => Self::Missing,
            Some("PreconditionFailed") => Self::OtherVersion,
            Some("AccessDenied" | "Forbidden") => Self::Denied,
            _ => Self::Unavailable(Cause::of(error)),
        }
    }
}

impl From<Cause> for BucketError {
    fn from(cause: Cause) -> Self {
        Self::Unavailable(cause)
    }
}

impl Bucket {
    /// The bucket called `name`.
    pub fn new(client: Client, name: impl Into<String>) -> Self {
        Self { client, name: name.into() }
    }

    /// Its name.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Up to 1,000 objects under `prefix` whose keys follow `after`, in the order of their keys' UTF-8 bytes
    /// (`ListObjectsV2`), and whether more follow.
    ///
    /// # Errors
    /// [`BucketError::Denied`], [`BucketError::Unavailable`].
    pub async fn list(&self, prefix: &str, after: Option<&str>) -> Result<(Vec<ListedObject>, bool), BucketError> {
        let request = self.client.list_objects_v2().bucket(&self.name).prefix(prefix);
        let listed = request.set_start_after(after.map(str::to_owned)).send().await;
        let listed = listed.map_err(|error| BucketError::of(&error))?;
        let more = listed.is_truncated == Some(true);
        let row = |object: aws_sdk_s3::types::Object| {
            let size = u64::try_from(object.size?).ok()?;
            Some(ListedObject { key: object.key?, etag: object.e_tag?, size, modified: modified(object.last_modified) })
        };
        let rows: Option<Vec<_>> = listed.contents.unwrap_or_default().into_iter().map(row).collect();
        let incomplete = || BucketError::from(Cause::text("S3 listed an object without key, ETag or size"));
        Ok((rows.ok_or_else(incomplete)?, more))
    }

    /// The results of `pick` for all objects under `prefix`, in the order of their keys.
    ///
    /// # Errors
    /// Those of [`Bucket::list`].
    pub async fn list_all<T>(
        &self,
        prefix: &str,
        pick: impl Fn(ListedObject) -> Option<T>,
    ) -> Result<Vec<T>, BucketError> {
        let (mut all, mut after): (Vec<T>, Option<String>) = (Vec::new(), None);
        loop {
            let (page, more) = self.list(prefix, after.as_deref()).await?;
            after = page.last().map(|last| last.key.clone());
            all.extend(page.into_iter().filter_map(&pick));
            if !more {
                return Ok(all);
            }
        }
    }

    /// The names of all objects under `prefix`, without the prefix.
    ///
    /// # Errors
    /// Those of [`Bucket::list`].
    pub async fn names(&self, prefix: &str) -> Result<Vec<String>, BucketError> {
        self.list_all(prefix, |object| object.key.strip_prefix(prefix).map(str::to_owned)).await
    }

    /// Opens the version of an object that a listing named: one GET for up to 1 MiB, otherwise one for each end.
    ///
    /// # Errors
    /// [`BucketError`].
    pub async fn open(&self, listed: &ListedObject, deadline: Deadline) -> Result<RangedObject, BucketError> {
        let version = ObjectVersion {
            client: self.client.clone(),
            bucket: self.name.clone(),
            key: listed.key.clone(),
            etag: listed.etag.clone(),
        };
        let size = listed.size;
        let (head, tail) = match size {
            // an empty object has no range
            0 => (Bytes::new(), Bytes::new()),
            1..=SINGLE_GET_MAX_BYTES => (part(&version, 0..size).await?, Bytes::new()),
            _ => tokio::try_join!(part(&version, 0..END_BYTES), part(&version, size - END_BYTES..size))?,
        };
        Ok(RangedObject::new(version, size, head, tail, deadline))
    }

    /// The version of an object that is the newest now.
    ///
    /// # Errors
    /// [`BucketError`].
    pub async fn look_up(&self, key: &str) -> Result<ListedObject, BucketError> {
        let head = self.head(key).await?;
        let unknown = || BucketError::from(Cause::text("S3 gave neither ETag nor size"));
        let size = head.content_length.and_then(|size| u64::try_from(size).ok()).ok_or_else(unknown)?;
        let (etag, modified) = (head.e_tag.ok_or_else(unknown)?, modified(head.last_modified));
        Ok(ListedObject { key: key.to_owned(), etag, size, modified })
    }

    async fn head(&self, key: &str) -> Result<HeadObjectOutput, BucketError> {
        let head = self.client.head_object().bucket(&self.name).key(key).send().await;
        head.map_err(|error| BucketError::of(&error))
    }

    /// All bytes of an object.
    ///
    /// # Errors
    /// [`BucketError`].
    pub async fn read(&self, key: &str) -> Result<Bytes, BucketError> {
        let object = self.client.get_object().bucket(&self.name).key(key).send().await;
        let object = object.map_err(|error| BucketError::of(&error))?;
        let bytes = object.body.collect().await.map_err(|error| Cause::of(&error))?;
        Ok(bytes.into_bytes())
    }

    /// Writes an object.
    ///
    /// # Errors
    /// [`BucketError`].
    pub async fn write(&self, key: &str, bytes: impl Into<Bytes>) -> Result<(), BucketError> {
        self.put(key, bytes.into(), None, None).await
    }

    /// Writes an object with a note, which is its metadata `note` (2 KB at most, ASCII).
    ///
    /// # Errors
    /// [`BucketError`].
    pub async fn write_noted(&self, key: &str, bytes: impl Into<Bytes>, note: String) -> Result<(), BucketError> {
        self.put(key, bytes.into(), None, Some(note)).await
    }

    /// The note of an object; empty if it has none.
    ///
    /// # Errors
    /// [`BucketError`].
    pub async fn noted(&self, key: &str) -> Result<String, BucketError> {
        Ok(self.head(key).await?.metadata.and_then(|mut metadata| metadata.remove(NOTE)).unwrap_or_default())
    }

    /// Writes an object unless there is one (`If-None-Match: *`).
    ///
    /// # Errors
    /// [`BucketError::OtherVersion`] if there is one; the others.
    pub async fn create(&self, key: &str, bytes: impl Into<Bytes>) -> Result<(), BucketError> {
        self.put(key, bytes.into(), Some("*".to_owned()), None).await
    }

    async fn put(
        &self,
        key: &str,
        bytes: Bytes,
        unless: Option<String>,
        note: Option<String>,
    ) -> Result<(), BucketError> {
        let request = self.client.put_object().bucket(&self.name).key(key).body(bytes.into());
        let request = request.set_metadata(note.map(|note| [(NOTE.to_owned(), note)].into()));
        request.set_if_none_match(unless).send().await.map_err(|error| BucketError::of(&error))?;
        Ok(())
    }

    /// Deletes an object; there may be none.
    ///
    /// # Errors
    /// [`BucketError::Denied`], [`BucketError::Unavailable`].
    pub async fn delete(&self, key: &str) -> Result<(), BucketError> {
        let deleted = self.client.delete_object().bucket(&self.name).key(key).send().await;
        deleted.map(drop).map_err(|error| BucketError::of(&error))
    }

    /// Sets one tag of an object and keeps its others.
    ///
    /// # Errors
    /// [`BucketError`].
    pub async fn tag(&self, key: &str, name: &str, value: &str) -> Result<(), BucketError> {
        use aws_sdk_s3::types::{Tag, Tagging};
        let tagged = self.client.get_object_tagging().bucket(&self.name).key(key).send().await;
        let tagged = tagged.map_err(|error| BucketError::of(&error))?;
        let malformed = |error| BucketError::from(Cause::of(&error));
        let ours = Tag::builder().key(name).value(value).build().map_err(malformed)?;
        let mut tags: Vec<Tag> = tagged.tag_set.into_iter().filter(|tag| tag.key() != name).collect();
        tags.push(ours);
        let tagging = Tagging::builder().set_tag_set(Some(tags)).build().map_err(malformed)?;
        let put = self.client.put_object_tagging().bucket(&self.name).key(key).tagging(tagging).send().await;
        put.map(drop).map_err(|error| BucketError::of(&error))
    }
}

fn modified(time: Option<aws_sdk_s3::primitives::DateTime>) -> Option<DateTime<Utc>> {
    DateTime::from_timestamp_millis(time?.to_millis().ok()?)
}

async fn part(version: &ObjectVersion, range: Range<u64>) -> Result<Bytes, BucketError> {
    let object = version.get(object::header(&range)).await.map_err(|error| BucketError::of(&error))?;
    Ok(body(object, range.end - range.start).await?)
}
