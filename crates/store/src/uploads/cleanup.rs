//! Deletes the staged files of an account.

use aws_sdk_s3::error::SdkError;
use aws_sdk_s3::operation::delete_object::DeleteObjectError;
use futures_util::future::try_join_all;

use super::Uploads;
use crate::deadline::Deadline;
use crate::error::{Cause, Error};
use crate::ids::UserId;

/// Concurrent deletions.
const CONCURRENT_DELETES: usize = 16;

impl Uploads {
    /// Deletes all staged files of `user`. Open tickets may still be used; the bucket's lifecycle deletes such files.
    ///
    /// # Errors
    /// [`Error::Unavailable`] when the bucket does not answer: a repeat continues from there.
    pub async fn delete_all(&self, user: UserId, deadline: Deadline) -> Result<(), Error> {
        let mut pages = self
            .client()
            .list_objects_v2()
            .bucket(&self.bucket)
            .prefix(format!("uploads/{user}/"))
            .into_paginator()
            .send();
        while let Some(page) = deadline.limit(pages.next()).await? {
            let page = page.map_err(|error| Error::Unavailable(Cause::of(&error)))?;
            let keys: Vec<_> = page.contents().iter().filter_map(|object| object.key()).collect();
            for some in keys.chunks(CONCURRENT_DELETES) {
                let deletions =
                    some.iter().map(|key| self.client().delete_object().bucket(&self.bucket).key(*key).send());
                let deleted = deadline.limit(try_join_all(deletions)).await?;
                deleted.map_err(|error: SdkError<DeleteObjectError>| Error::Unavailable(Cause::of(&error)))?;
            }
        }
        Ok(())
    }
}
