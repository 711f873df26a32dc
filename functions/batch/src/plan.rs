//! The planner: lists the bucket and writes shards of objects without a row.

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use shared::bucket::{BucketError, ListedObject};
use shared::deadline::Remaining;
use std::time::Duration;

use crate::layout::EVENTS;
use crate::manifest::{Known, Latest, ManifestLine, ShardLine, lines};
use crate::{Batch, BatchError};

/// Objects of a shard. A worker that runs out of time leaves the rest to the next run.
const SHARD_OBJECTS: usize = 250;
/// Bytes of a shard. Signed files are read completely, which takes a function minutes for this many bytes.
const SHARD_BYTES: u64 = 16 << 30;
/// Objects that a step lists; their manifest is kept in memory.
const STEP_OBJECTS: usize = 200_000;
/// A step ends when its function has no more time left than this.
const RESERVE: Duration = Duration::from_secs(120);

/// The position of the next step in the listing.
#[derive(Clone, Debug, Default, Deserialize, Serialize)]
pub(crate) struct Cursor {
    /// The key that was listed last.
    after: Option<String>,
    /// The number of the next step.
    step: u32,
    /// The part of the former manifest that is read next.
    part: u32,
    /// Objects listed, and number of these that need a row.
    listed: u64,
    planned: u64,
}

#[derive(Deserialize, Serialize)]
struct Lock {
    run: String,
}

/// Lists up to [`STEP_OBJECTS`] and answers with the cursor for the next step, or none after the last.
pub(crate) async fn plan(
    batch: &Batch,
    run: &str,
    cursor: Option<Cursor>,
    remaining: Remaining,
) -> Result<Value, BatchError> {
    if cursor.is_none() {
        if !is_run(run) {
            return Err(BatchError::Event(format!("a run cannot be called {run:?}")));
        }
        lock(batch, run).await?;
    }
    let mut cursor = cursor.unwrap_or_default();
    let latest: Option<Latest> = batch.read_value(&batch.latest_key()).await?;
    let latest = latest.filter(|latest| latest.run != run);
    let known = Known::load(batch, latest, cursor.part).await?;
    clear(batch, run, cursor.step).await?;
    let mut step = Step { batch, run, known, cursor: &mut cursor, manifest: Vec::new(), shard: Vec::new(), shards: 0 };
    let more = step.list(remaining).await?;
    step.flush().await?;
    let (manifest, part) = (lines(&step.manifest)?, step.known.part());
    batch.write(&batch.manifest_key(run, cursor.step), manifest).await?;
    cursor.part = part;
    cursor.step += 1;
    let (listed, planned) = (cursor.listed, cursor.planned);
    if !more {
        let latest = json!(Latest { run: run.to_owned(), parts: cursor.step });
        batch.write(&batch.latest_key(), latest.to_string().into_bytes()).await?;
    }
    Ok(json!({ "cursor": more.then_some(cursor), "listed": listed, "planned": planned }))
}

/// Takes the lock of the output; a repeated task of the same run has it already.
async fn lock(batch: &Batch, run: &str) -> Result<(), BatchError> {
    let key = batch.lock_key();
    let lock = json!(Lock { run: run.to_owned() }).to_string();
    let holder = match batch.output.create(&key, lock).await {
        Ok(()) => return Ok(()),
        Err(BucketError::OtherVersion) => batch.read_value::<Lock>(&key).await?,
        Err(error) => return Err(BatchError::Bucket(key, error)),
    };
    match holder {
        Some(holder) if holder.run != run => Err(BatchError::Locked(holder.run)),
        _ => Ok(()),
    }
}

/// Releases the lock, if this run has it.
pub(crate) async fn unlock(batch: &Batch, run: &str) -> Result<(), BatchError> {
    let key = batch.lock_key();
    match batch.read_value::<Lock>(&key).await? {
        Some(holder) if holder.run == run => {
            batch.output.delete(&key).await.map_err(|error| BatchError::Bucket(key, error))
        }
        _ => Ok(()),
    }
}

/// Removes the shards of an interrupted attempt of this step: the listing may have changed.
async fn clear(batch: &Batch, run: &str, step: u32) -> Result<(), BatchError> {
    let prefix = format!("{}{step:05}-", batch.plans(run));
    for name in batch.names(&prefix).await? {
        let key = format!("{prefix}{name}");
        batch.output.delete(&key).await.map_err(|error| BatchError::Bucket(key, error))?;
    }
    Ok(())
}

struct Step<'s> {
    batch: &'s Batch,
    run: &'s str,
    known: Known<'s>,
    cursor: &'s mut Cursor,
    manifest: Vec<ManifestLine>,
    shard: Vec<ListedObject>,
    /// Shards written by this step.
    shards: u32,
}

impl Step<'_> {
    /// Lists pages until the step is full or its time is up. Returns whether more objects follow.
    async fn list(&mut self, remaining: Remaining) -> Result<bool, BatchError> {
        loop {
            let (source, prefix) = (&self.batch.source, &self.batch.config.source_prefix);
            let page = source.list(prefix, self.cursor.after.as_deref()).await;
            let (page, more) = page.map_err(|error| BatchError::Bucket(source.name().to_owned(), error))?;
            for object in page {
                self.cursor.after = Some(object.key.clone());
                if self.batch.config.selects(&object.key) {
                    self.take(object).await?;
                }
            }
            if !more || self.manifest.len() >= STEP_OBJECTS || remaining.is_less_than(RESERVE) {
                return Ok(more);
            }
        }
    }

    async fn take(&mut self, object: ListedObject) -> Result<(), BatchError> {
        self.cursor.listed += 1;
        let shard = match self.known.row_of(&object).await? {
            Some(shard) => shard,
            None => {
                let bytes: u64 = self.shard.iter().map(|other| other.size).sum();
                if self.shard.len() >= SHARD_OBJECTS || bytes + object.size > SHARD_BYTES {
                    self.flush().await?;
                }
                self.cursor.planned += 1;
                self.shard.push(object.clone());
                format!("{}/{}", self.run, self.shard_name())
            }
        };
        self.manifest.push(ManifestLine(object.key, object.etag, shard));
        Ok(())
    }

    fn shard_name(&self) -> String {
        format!("{:05}-{:05}", self.cursor.step, self.shards)
    }

    /// Writes the shard that is being filled.
    async fn flush(&mut self) -> Result<(), BatchError> {
        let objects: Vec<ShardLine> = self.shard.drain(..).map(ShardLine::from).collect();
        if objects.is_empty() {
            return Ok(());
        }
        let key = self.batch.plan_key(self.run, &self.shard_name());
        self.shards += 1;
        self.batch.write(&key, lines(&objects)?).await
    }
}

/// Whether a run may have this name, which becomes part of keys.
pub(crate) fn is_run(run: &str) -> bool {
    !run.is_empty() && run != EVENTS && run.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-_.:".contains(&byte))
}
