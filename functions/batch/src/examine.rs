//! The analysis of one object.

use std::time::Duration;

use chrono::Utc;
use engine::{Failure, Metadata, Options, analyze};
use serde::Serialize;
use shared::bucket::{BucketError, ListedObject};
use shared::deadline::Deadline;
use shared::use_cases::analyze::PROCESSOR_TIME;

use crate::Batch;

/// How long reading and analyzing one object may take.
const OBJECT_TIME: Duration = Duration::from_secs(100);

/// The result for one object.
pub(crate) enum Examined {
    /// Its metadata.
    Row(Box<Metadata>),
    /// This version cannot be analyzed.
    Failed(ObjectFailure),
    /// It could not be read; the next run tries again.
    Unread(ObjectFailure),
}

/// An object without a row.
#[derive(Debug, Serialize)]
pub(crate) struct ObjectFailure {
    pub(crate) key: String,
    pub(crate) etag: String,
    /// Such as `not_a_pdf`, `password_required`, `changed_since_listing`, `access_denied`.
    pub(crate) reason: String,
    /// A sentence.
    pub(crate) message: String,
}

impl Batch {
    pub(crate) async fn examine(&self, object: &ListedObject) -> Examined {
        let deadline = Deadline::after(OBJECT_TIME);
        let opened = match deadline.limit(self.source.open(object, deadline)).await {
            Ok(Ok(opened)) => opened,
            Ok(Err(error)) => return unopened(object, &error),
            Err(error) => return Examined::Unread(failure(object, "unavailable", &error)),
        };
        let reading = tokio::task::spawn_blocking(move || {
            let options = Options {
                deadline: Some(deadline.instant().into_std()),
                processor_time: Some(PROCESSOR_TIME),
                now: Some(Utc::now()),
                ..Options::default()
            };
            analyze(&opened, &options)
        });
        match reading.await {
            Ok(Ok(metadata)) => Examined::Row(Box::new(metadata)),
            Ok(Err(Failure::Rejected(reason))) => Examined::Failed(failure(object, reason.code(), &reason.message())),
            Ok(Err(Failure::Source(error))) => Examined::Unread(failure(object, "unavailable", &error)),
            Err(error) => Examined::Unread(failure(object, "unavailable", &error)),
        }
    }
}

fn unopened(object: &ListedObject, error: &BucketError) -> Examined {
    match error {
        BucketError::Missing => Examined::Failed(failure(object, "deleted_since_listing", error)),
        BucketError::OtherVersion => Examined::Failed(failure(object, "changed_since_listing", error)),
        BucketError::Denied => Examined::Unread(failure(object, "access_denied", error)),
        BucketError::Unavailable(_) => Examined::Unread(failure(object, "unavailable", error)),
    }
}

fn failure(object: &ListedObject, reason: &str, message: &dyn std::fmt::Display) -> ObjectFailure {
    ObjectFailure {
        key: object.key.clone(),
        etag: object.etag.clone(),
        reason: reason.to_owned(),
        message: message.to_string(),
    }
}
