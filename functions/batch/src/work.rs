//! The worker: analyzes the objects of one shard and writes their rows.

use std::collections::BTreeMap;
use std::time::Duration;

use chrono::Utc;
use futures_util::{StreamExt, stream};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use shared::bucket::{BucketError, ListedObject};
use shared::deadline::Remaining;

use crate::examine::{Examined, ObjectFailure};
use crate::manifest::{ShardLine, lines};
use crate::row::Row;
use crate::{Batch, BatchError, parquet_file};

/// Objects read concurrently: most wait for S3. The engine takes up to 48 MB for each.
const AT_ONCE: usize = 16;
/// With less time than this left, objects are left to the next run.
const RESERVE: Duration = Duration::from_secs(120);

/// The counts of a shard, which are metadata of its Parquet object.
#[derive(Clone, Debug, Default, Deserialize, Serialize)]
pub(crate) struct Counts {
    pub(crate) objects: u64,
    pub(crate) rows: u64,
    pub(crate) failures: u64,
    pub(crate) retries: u64,
    pub(crate) verdicts: BTreeMap<String, u64>,
}

impl Counts {
    pub(crate) fn add(&mut self, other: &Self) {
        self.objects += other.objects;
        self.rows += other.rows;
        self.failures += other.failures;
        self.retries += other.retries;
        for (verdict, count) in &other.verdicts {
            *self.verdicts.entry(verdict.clone()).or_default() += count;
        }
    }
}

/// Analyzes the shard whose list has the key `plan`, unless it is done.
pub(crate) async fn work(batch: &Batch, run: &str, plan: &str, remaining: Remaining) -> Result<Value, BatchError> {
    let name = plan.rsplit('/').next().and_then(|name| name.strip_suffix(".jsonl")).unwrap_or_default();
    let shard = format!("{run}/{name}");
    let key = batch.row_key(&shard);
    match batch.output.noted(&key).await {
        Ok(noted) => {
            // rows without counts are what an interrupted attempt left in a store whose writes are not atomic
            if let Ok(counts) = serde_json::from_str(&noted) {
                return Ok(counts);
            }
        }
        Err(BucketError::Missing) => {}
        Err(error) => return Err(BatchError::Bucket(key, error)),
    }
    let objects: Vec<ShardLine> = batch.read_lines(plan).await?;
    let examined = stream::iter(objects).map(|line| examine(batch, line.into(), remaining));
    let examined: Vec<(ListedObject, Examined)> = examined.buffered(AT_ONCE).collect().await;
    let mut counts = Counts { objects: examined.len() as u64, ..Counts::default() };
    let (mut rows, mut failures, mut retries) = (Vec::new(), Vec::new(), Vec::new());
    for (object, examined) in examined {
        match examined {
            Examined::Row(metadata) => {
                *counts.verdicts.entry(metadata.integrity.verdict.to_string()).or_default() += 1;
                rows.push(Row {
                    run: run.to_owned(),
                    bucket: batch.source.name().to_owned(),
                    object,
                    metadata,
                    at: Utc::now(),
                });
            }
            Examined::Failed(failure) => failures.push(failure),
            Examined::Unread(failure) => retries.push(failure),
        }
    }
    (counts.rows, counts.failures, counts.retries) = (rows.len() as u64, failures.len() as u64, retries.len() as u64);
    // the rows are written last: their existence marks the shard as done
    write_failures(batch, &batch.failure_key(&shard), &failures).await?;
    write_failures(batch, &batch.retry_key(&shard), &retries).await?;
    let counts = serde_json::json!(counts);
    let parquet = parquet_file::write(&rows)?;
    let written = batch.output.write_noted(&key, parquet, counts.to_string()).await;
    written.map_err(|error| BatchError::Bucket(key, error))?;
    Ok(counts)
}

async fn examine(batch: &Batch, object: ListedObject, remaining: Remaining) -> (ListedObject, Examined) {
    let examined = if remaining.is_less_than(RESERVE) {
        let (key, etag) = (object.key.clone(), object.etag.clone());
        let message = "the function ran out of time; the next run reads it".to_owned();
        Examined::Unread(ObjectFailure { key, etag, reason: "out_of_time".to_owned(), message })
    } else {
        batch.examine(&object).await
    };
    (object, examined)
}

/// Writes the list of failures; without failures, removes the list of an interrupted attempt.
async fn write_failures(batch: &Batch, key: &str, failures: &[ObjectFailure]) -> Result<(), BatchError> {
    if failures.is_empty() {
        return batch.output.delete(key).await.map_err(|error| BatchError::Bucket(key.to_owned(), error));
    }
    batch.write(key, lines(failures)?).await
}
