//! The end of a run: its counts over all shards.

use std::collections::HashSet;

use chrono::Utc;
use futures_util::{StreamExt, TryStreamExt, stream};
use serde_json::{Value, json};

use crate::work::Counts;
use crate::{Batch, BatchError, plan, row};

/// Shards whose counts are read concurrently.
const AT_ONCE: usize = 32;

/// Sums up the shards of `run`, writes the sum and releases the lock.
pub(crate) async fn finish(batch: &Batch, run: &str) -> Result<Value, BatchError> {
    let planned = batch.names(&batch.plans(run)).await?;
    let planned: HashSet<&str> = planned.iter().filter_map(|name| name.strip_suffix(".jsonl")).collect();
    let folder = format!("{}{run}/", batch.rows());
    let done = batch.names(&folder).await?;
    let done: Vec<&str> = done.iter().filter_map(|name| name.strip_suffix(".parquet")).collect();
    let counts = stream::iter(&done).map(|shard| counts(batch, run, shard)).buffer_unordered(AT_ONCE);
    let counts: Vec<Counts> = counts.try_collect().await?;
    let mut all = Counts::default();
    counts.iter().for_each(|counts| all.add(counts));
    let sum = json!({
        "run": run,
        "source": format!("s3://{}/{}", batch.source.name(), batch.config.source_prefix),
        "schema": row::SCHEMA,
        "finished_at": Utc::now(),
        "shards": planned.len(),
        // failed in all attempts; the next run plans their objects again
        "missing_shards": planned.len().saturating_sub(done.len()),
        "counts": all,
    });
    batch.write(&batch.sum_key(run), sum.to_string().into_bytes()).await?;
    plan::unlock(batch, run).await?;
    Ok(sum)
}

async fn counts(batch: &Batch, run: &str, shard: &str) -> Result<Counts, BatchError> {
    let key = batch.row_key(&format!("{run}/{shard}"));
    let noted = batch.output.noted(&key).await.map_err(|error| BatchError::Bucket(key.clone(), error))?;
    serde_json::from_str(&noted).map_err(|error| BatchError::Malformed(key, error.to_string()))
}
