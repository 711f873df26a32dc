//! A new object that S3 reports through EventBridge: its row, its event, its tag.

use chrono::Utc;
use serde::Deserialize;
use serde_json::{Value, json};
use shared::bucket::ListedObject;

use crate::examine::Examined;
use crate::layout::{EVENTS, event_name, version_hash};
use crate::manifest::lines;
use crate::row::Row;
use crate::{Batch, BatchError, parquet_file};

/// The tag of an analyzed object.
const TAG: &str = "pdf-analysis:outcome";

/// S3's event `Object Created`.
#[derive(Debug, Deserialize)]
pub(crate) struct Created {
    detail: Detail,
}

#[derive(Debug, Deserialize)]
struct Detail {
    object: CreatedObject,
}

#[derive(Debug, Deserialize)]
struct CreatedObject {
    key: String,
    size: u64,
    etag: String,
}

/// Writes the row of the object or its failure; the answer becomes an event on the account's bus. An object that cannot be
/// read is an error: Lambda repeats the event twice, and the next run reads the object.
pub(crate) async fn created(batch: &Batch, created: &Created) -> Result<Value, BatchError> {
    let CreatedObject { key, size, etag } = &created.detail.object;
    if !batch.config.selects(key) {
        return Ok(json!({ "key": key, "outcome": null, "reason": "not_selected" }));
    }
    // events name the ETag without its quotation marks
    let etag = format!("\"{}\"", etag.trim_matches('"'));
    let object = ListedObject { key: key.clone(), etag, size: *size, modified: None };
    let name = event_name(version_hash(&object.key, &object.etag));
    let bucket = batch.source.name().to_owned();
    match batch.examine(&object).await {
        Examined::Row(metadata) => {
            let row = Row { run: EVENTS.to_owned(), bucket, object, metadata, at: Utc::now() };
            let answer = row.event();
            let parquet = parquet_file::write(std::slice::from_ref(&row))?;
            batch.write(&batch.row_key(&name), parquet).await?;
            if batch.config.tags_objects {
                let tagged = batch.source.tag(key, TAG, &row.outcome()).await;
                tagged.map_err(|error| BatchError::Bucket(key.clone(), error))?;
            }
            Ok(answer)
        }
        Examined::Failed(failure) => {
            let answer =
                json!({ "bucket": bucket, "key": key, "etag": object.etag, "outcome": null, "reason": failure.reason });
            batch.write(&batch.failure_key(&name), lines(&[failure])?).await?;
            Ok(answer)
        }
        Examined::Unread(failure) => Err(BatchError::Unreadable(failure.key, failure.message)),
    }
}
