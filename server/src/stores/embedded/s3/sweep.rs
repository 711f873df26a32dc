//! Deletes objects that have outlived the bucket's lifecycle rules.

use std::time::{Duration, SystemTime};

use aws_sdk_s3::Client;
use aws_sdk_s3::error::DisplayErrorContext;

use crate::template::Bucket;

/// Deletes objects that expired before `now`; a failure is logged and retried by the next sweep.
pub(crate) async fn sweep(client: &Client, bucket: &Bucket, now: SystemTime) {
    for rule in &bucket.expiries {
        let Some(limit) = now.checked_sub(rule.after()) else {
            continue;
        };
        if let Err(error) = sweep_prefix(client, &bucket.name, &rule.prefix, limit).await {
            tracing::warn!(error = %DisplayErrorContext(&error), "expired uploads were not deleted");
        }
    }
}

async fn sweep_prefix(client: &Client, bucket: &str, prefix: &str, limit: SystemTime) -> Result<(), aws_sdk_s3::Error> {
    let list = client.list_objects_v2().bucket(bucket).prefix(prefix);
    let mut pages = list.into_paginator().send();
    while let Some(page) = pages.next().await {
        for object in page?.contents() {
            let modified = object
                .last_modified()
                .and_then(|time| u64::try_from(time.secs()).ok())
                .map(|seconds| SystemTime::UNIX_EPOCH + Duration::from_secs(seconds));
            if let (Some(key), Some(true)) = (object.key(), modified.map(|time| time < limit)) {
                client.delete_object().bucket(bucket).key(key).send().await?;
            }
        }
    }
    Ok(())
}
