//! The operations of the service on s3s-fs, with checks that it omits.

use std::future::ready;
use std::io;
use std::path::{Path, PathBuf};

use async_trait::async_trait;
use bytes::Bytes;
use futures_util::{StreamExt, TryStreamExt};
use s3s::dto::{
    DeleteObjectInput, DeleteObjectOutput, ETagCondition, GetObjectInput, GetObjectOutput, HeadBucketInput,
    HeadBucketOutput, HeadObjectInput, HeadObjectOutput, ListObjectsV2Input, ListObjectsV2Output, PutObjectInput,
    PutObjectOutput, Range, StreamingBlob,
};
use s3s::{S3, S3ErrorCode, S3Request, S3Response, S3Result, s3_error};
use s3s_fs::FileSystem;
use shared::disk_space::DiskSpace;

use super::S3Error;
use super::locks::KeyLocks;

/// The longest key: s3s-fs puts it, in base64, into the name of one file.
const LONGEST_KEY: usize = 150;

/// The store of one bucket. An operation that is not here is answered with `NotImplemented`.
#[derive(Debug)]
pub(super) struct Files {
    files: FileSystem,
    folder: PathBuf,
    bucket: String,
    locks: KeyLocks,
    disk_space: DiskSpace,
}

impl Files {
    pub(super) fn open(folder: &Path, bucket: &str, disk_space: DiskSpace) -> Result<Self, S3Error> {
        Ok(Self {
            files: FileSystem::new(folder).map_err(S3Error::Open)?,
            folder: folder.to_owned(),
            bucket: bucket.to_owned(),
            locks: KeyLocks::default(),
            disk_space,
        })
    }

    /// Keys become paths: one that could leave the folder is refused.
    fn check(&self, bucket: &str, key: &str) -> S3Result<()> {
        if bucket != self.bucket {
            return Err(s3_error!(NoSuchBucket, "The specified bucket does not exist"));
        }
        if key.len() > LONGEST_KEY {
            return Err(s3_error!(KeyTooLongError, "Your key is too long"));
        }
        let odd = |part: &str| matches!(part, "" | "." | "..") || part.contains(['\\', '\0']);
        if key.split('/').any(odd) {
            return Err(s3_error!(InvalidArgument, "This key is not supported here"));
        }
        Ok(())
    }

    /// As `check`, and the object must exist: a folder is none.
    async fn check_object(&self, bucket: &str, key: &str) -> S3Result<u64> {
        self.check(bucket, key)?;
        match tokio::fs::metadata(self.folder.join(bucket).join(key)).await {
            Ok(found) if found.is_file() => Ok(found.len()),
            _ => Err(s3_error!(NoSuchKey, "The specified key does not exist.")),
        }
    }

    /// Checks that the ETag pinned by a reader is still the object's.
    async fn check_pin(&self, request: &S3Request<GetObjectInput>) -> S3Result<()> {
        let Some(ETagCondition::ETag(pinned)) = &request.input.if_match else {
            return Ok(());
        };
        let head = HeadObjectInput {
            bucket: request.input.bucket.clone(),
            key: request.input.key.clone(),
            ..HeadObjectInput::default()
        };
        let head = request.clone().map_input(|_| head);
        let found = self.files.head_object(head).await?.output.e_tag;
        if found.is_some_and(|found| found.strong_cmp(pinned)) {
            Ok(())
        } else {
            Err(s3_error!(PreconditionFailed, "At least one of the pre-conditions you specified did not hold"))
        }
    }

    /// Removes the two files of an object's metadata, which s3s-fs does not delete.
    async fn remove_metadata(&self, key: &str) -> io::Result<()> {
        let name = format!(".bucket-{}.object-{}", base64(&self.bucket), base64(key));
        for end in ["metadata.json", "internal.json"] {
            match tokio::fs::remove_file(self.folder.join(format!("{name}.{end}"))).await {
                Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
                _ => {}
            }
        }
        Ok(())
    }
}

/// Ends the stream at the range's end: s3s-fs continues with empty chunks to the file's end.
fn until_empty(body: StreamingBlob) -> StreamingBlob {
    let pieces = body.take_while(|piece| ready(!piece.as_ref().is_ok_and(Bytes::is_empty)));
    StreamingBlob::wrap(pieces.map_err(io::Error::other))
}

/// base64url without padding, as s3s-fs names its files.
fn base64(text: &str) -> String {
    let standard = aws_smithy_types::base64::encode(text);
    standard.trim_end_matches('=').replace('+', "-").replace('/', "_")
}

#[async_trait]
impl S3 for Files {
    async fn put_object(&self, request: S3Request<PutObjectInput>) -> S3Result<S3Response<PutObjectOutput>> {
        let key = request.input.key.clone();
        self.check(&request.input.bucket, &key)?;
        let length = request.input.content_length.and_then(|length| u64::try_from(length).ok()).unwrap_or_default();
        if self.disk_space.is_too_small_for(length) {
            tracing::error!(free = self.disk_space.free(), "there is no room on the disk for an upload");
            return Err(s3_error!(ServiceUnavailable, "There is no room left on the disk."));
        }
        let _guard = self.locks.lock(&key).await;
        let put = self.files.put_object(request).await;
        if put.as_ref().is_err_and(|error| *error.code() == S3ErrorCode::BadDigest) {
            // s3s-fs verifies checksums after the object is in place.
            let _ = tokio::fs::remove_file(self.folder.join(&self.bucket).join(&key)).await;
            let _ = self.remove_metadata(&key).await;
        }
        put
    }

    async fn get_object(&self, mut request: S3Request<GetObjectInput>) -> S3Result<S3Response<GetObjectOutput>> {
        let input = &request.input;
        let size = self.check_object(&input.bucket, &input.key).await?;
        self.check_pin(&request).await?;
        if let Some(Range::Suffix { length }) = &mut request.input.range {
            // s3s-fs seeks to before the start if the object is shorter.
            *length = (*length).min(size);
        }
        let mut answer = self.files.get_object(request).await?;
        answer.output.body = answer.output.body.map(until_empty);
        Ok(answer)
    }

    async fn head_object(&self, request: S3Request<HeadObjectInput>) -> S3Result<S3Response<HeadObjectOutput>> {
        let input = &request.input;
        self.check_object(&input.bucket, &input.key).await?;
        self.files.head_object(request).await
    }

    async fn delete_object(&self, request: S3Request<DeleteObjectInput>) -> S3Result<S3Response<DeleteObjectOutput>> {
        let key = request.input.key.clone();
        let _guard = self.locks.lock(&key).await;
        if let Err(error) = self.check_object(&request.input.bucket, &key).await {
            return match error.code() {
                S3ErrorCode::NoSuchKey => Ok(S3Response::new(DeleteObjectOutput::default())),
                _ => Err(error),
            };
        }
        let deleted = self.files.delete_object(request).await?;
        self.remove_metadata(&key).await.map_err(s3s::S3Error::internal_error)?;
        Ok(deleted)
    }

    async fn head_bucket(&self, request: S3Request<HeadBucketInput>) -> S3Result<S3Response<HeadBucketOutput>> {
        self.files.head_bucket(request).await
    }

    async fn list_objects_v2(
        &self,
        request: S3Request<ListObjectsV2Input>,
    ) -> S3Result<S3Response<ListObjectsV2Output>> {
        if request.input.bucket != self.bucket {
            return Err(s3_error!(NoSuchBucket, "The specified bucket does not exist"));
        }
        let bucket = request.input.bucket.clone();
        let like = request.clone();
        let mut listed = self.files.list_objects_v2(request).await?;
        // s3s-fs stores ETags but omits them in listings
        for object in listed.output.contents.iter_mut().flatten() {
            let Some(key) = object.key.clone() else { continue };
            let head = HeadObjectInput { bucket: bucket.clone(), key, ..HeadObjectInput::default() };
            object.e_tag = self.files.head_object(like.clone().map_input(|_| head)).await?.output.e_tag;
        }
        Ok(listed)
    }
}
