//! Lists of objects as JSON lines, and the manifest of the run before, merged with a new listing.

use std::collections::HashSet;
use std::vec::IntoIter;

use chrono::{DateTime, Utc};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use shared::bucket::{BucketError, ListedObject};

use crate::{Batch, BatchError};

/// An object of a shard: key, ETag, bytes, time of its last change.
#[derive(Clone, Debug, Deserialize, Serialize)]
pub(crate) struct ShardLine(String, String, u64, Option<DateTime<Utc>>);

/// An object of a manifest: key, ETag, and the shard that has its row.
#[derive(Clone, Debug, Deserialize, Serialize)]
pub(crate) struct ManifestLine(pub(crate) String, pub(crate) String, pub(crate) String);

/// The newest complete manifest.
#[derive(Clone, Debug, Deserialize, Serialize)]
pub(crate) struct Latest {
    pub(crate) run: String,
    pub(crate) parts: u32,
}

impl From<ListedObject> for ShardLine {
    fn from(object: ListedObject) -> Self {
        Self(object.key, object.etag, object.size, object.modified)
    }
}

impl From<ShardLine> for ListedObject {
    fn from(ShardLine(key, etag, size, modified): ShardLine) -> Self {
        Self { key, etag, size, modified }
    }
}

/// One JSON value a line.
pub(crate) fn lines<T: Serialize>(values: &[T]) -> Result<Vec<u8>, BatchError> {
    let mut bytes = Vec::new();
    for value in values {
        serde_json::to_writer(&mut bytes, value)
            .map_err(|error| BatchError::Malformed("a line".to_owned(), error.to_string()))?;
        bytes.push(b'\n');
    }
    Ok(bytes)
}

impl Batch {
    /// The JSON lines of an object of the output.
    pub(crate) async fn read_lines<T: DeserializeOwned>(&self, key: &str) -> Result<Vec<T>, BatchError> {
        let bytes = self.output.read(key).await.map_err(|error| BatchError::Bucket(key.to_owned(), error))?;
        let lines = serde_json::Deserializer::from_slice(&bytes).into_iter().collect::<Result<_, _>>();
        lines.map_err(|error| BatchError::Malformed(key.to_owned(), error.to_string()))
    }

    /// The JSON value of an object of the output, if there is one.
    pub(crate) async fn read_value<T: DeserializeOwned>(&self, key: &str) -> Result<Option<T>, BatchError> {
        match self.output.read(key).await {
            Ok(bytes) => serde_json::from_slice(&bytes)
                .map(Some)
                .map_err(|error| BatchError::Malformed(key.to_owned(), error.to_string())),
            Err(BucketError::Missing) => Ok(None),
            Err(error) => Err(BatchError::Bucket(key.to_owned(), error)),
        }
    }

    pub(crate) async fn names(&self, prefix: &str) -> Result<Vec<String>, BatchError> {
        self.output.names(prefix).await.map_err(|error| BatchError::Bucket(prefix.to_owned(), error))
    }

    pub(crate) async fn write(&self, key: &str, bytes: Vec<u8>) -> Result<(), BatchError> {
        self.output.write(key, bytes).await.map_err(|error| BatchError::Bucket(key.to_owned(), error))
    }
}

/// The rows of earlier runs and events, looked up in key order.
pub(crate) struct Known<'b> {
    batch: &'b Batch,
    latest: Option<Latest>,
    /// The part that is read next.
    part: u32,
    lines: IntoIter<ManifestLine>,
    next: Option<ManifestLine>,
    /// Shards whose rows exist.
    done: HashSet<String>,
    /// Hashes of versions that have rows of events.
    events: HashSet<u128>,
    /// Shards with objects that could not be read.
    retried: HashSet<String>,
    /// The last shard looked up, and the keys of its failed objects.
    retry: (String, HashSet<String>),
}

impl<'b> Known<'b> {
    /// Loads the names of all rows; the manifest is read from `part` on.
    pub(crate) async fn load(batch: &'b Batch, latest: Option<Latest>, part: u32) -> Result<Self, BatchError> {
        let (mut done, mut events) = (HashSet::new(), HashSet::new());
        for name in batch.names(&batch.rows()).await? {
            let Some(name) = name.strip_suffix(".parquet") else { continue };
            match name.strip_prefix(crate::layout::EVENTS).and_then(|rest| rest.strip_prefix('/')) {
                Some(hash) => events.extend(u128::from_str_radix(hash, 16)),
                None => {
                    done.insert(name.to_owned());
                }
            }
        }
        let retried = batch.names(&batch.retries()).await?.into_iter();
        let retried = retried.filter_map(|name| name.strip_suffix(".jsonl").map(str::to_owned)).collect();
        let (lines, next, retry) = (Vec::new().into_iter(), None, Default::default());
        Ok(Self { batch, latest, part, lines, next, done, events, retried, retry })
    }

    /// The part where the next step begins to read.
    pub(crate) fn part(&self) -> u32 {
        // the current line may belong to the part before the next one
        self.part.saturating_sub(1)
    }

    /// The shard or event that has the row of this version; keys have to ascend.
    pub(crate) async fn row_of(&mut self, object: &ListedObject) -> Result<Option<String>, BatchError> {
        let hash = crate::layout::version_hash(&object.key, &object.etag);
        if self.events.contains(&hash) {
            return Ok(Some(crate::layout::event_name(hash)));
        }
        while self.peek().await?.is_some_and(|ManifestLine(key, ..)| *key < object.key) {
            self.next = None;
        }
        let Some(ManifestLine(key, etag, shard)) = self.next.clone() else { return Ok(None) };
        if key != object.key || etag != object.etag || !self.done.contains(&shard) {
            return Ok(None);
        }
        if self.retried.contains(&shard) && self.retry.0 != shard {
            let keys: Vec<FailureKey> = self.batch.read_lines(&self.batch.retry_key(&shard)).await?;
            self.retry = (shard.clone(), keys.into_iter().map(|line| line.key).collect());
        }
        let again = self.retry.0 == shard && self.retry.1.contains(&key);
        Ok((!again).then_some(shard))
    }

    /// The next line of the manifest.
    async fn peek(&mut self) -> Result<Option<&ManifestLine>, BatchError> {
        while self.next.is_none() {
            self.next = self.lines.next();
            let Some(latest) = self.latest.as_ref().filter(|latest| self.next.is_none() && self.part < latest.parts)
            else {
                break;
            };
            self.lines = self.batch.read_lines(&self.batch.manifest_key(&latest.run, self.part)).await?.into_iter();
            self.part += 1;
        }
        Ok(self.next.as_ref())
    }
}

#[derive(Deserialize)]
struct FailureKey {
    key: String,
}
