//! The keys of the output, relative to its prefix.
//!
//! | key | content |
//! |---|---|
//! | `lock.json` | the run that has the lock |
//! | `plans/RUN/SHARD.jsonl` | the objects of a shard |
//! | `manifests/RUN/PART.jsonl` | every object that was listed, in order, with the shard that has its row |
//! | `latest.json` | the run whose manifest is complete and newest |
//! | `rows/RUN/SHARD.parquet` | the rows of a shard, which is done once this exists |
//! | `rows/events/HASH.parquet` | the row of an object that an event reported |
//! | `failures/RUN/SHARD.jsonl` | objects that cannot be analyzed, with the reason |
//! | `retries/RUN/SHARD.jsonl` | objects that could not be read, which the next run tries again |
//! | `runs/RUN.json` | the sum of a run |

use sha2::{Digest, Sha256};

use crate::Batch;

/// The folder of the rows of events in `rows/`; no run may have this name.
pub(crate) const EVENTS: &str = "events";

impl Batch {
    pub(crate) fn lock_key(&self) -> String {
        self.key("lock.json")
    }

    pub(crate) fn latest_key(&self) -> String {
        self.key("latest.json")
    }

    pub(crate) fn plans(&self, run: &str) -> String {
        self.key(&format!("plans/{run}/"))
    }

    pub(crate) fn plan_key(&self, run: &str, shard: &str) -> String {
        self.key(&format!("plans/{run}/{shard}.jsonl"))
    }

    pub(crate) fn manifest_key(&self, run: &str, part: u32) -> String {
        self.key(&format!("manifests/{run}/{part:05}.jsonl"))
    }

    pub(crate) fn rows(&self) -> String {
        self.key("rows/")
    }

    /// `shard` is `RUN/SHARD`, or `events/HASH` for the object of an event.
    pub(crate) fn row_key(&self, shard: &str) -> String {
        self.key(&format!("rows/{shard}.parquet"))
    }

    pub(crate) fn failure_key(&self, shard: &str) -> String {
        self.key(&format!("failures/{shard}.jsonl"))
    }

    pub(crate) fn retries(&self) -> String {
        self.key("retries/")
    }

    pub(crate) fn retry_key(&self, shard: &str) -> String {
        self.key(&format!("retries/{shard}.jsonl"))
    }

    pub(crate) fn sum_key(&self, run: &str) -> String {
        self.key(&format!("runs/{run}.json"))
    }

    fn key(&self, name: &str) -> String {
        format!("{}{name}", self.config.output_prefix)
    }
}

/// The name of an object's version: the first 128 bits of a SHA-256 over its key and its ETag.
pub(crate) fn version_hash(key: &str, etag: &str) -> u128 {
    let mut hash = Sha256::new();
    hash.update(key);
    hash.update([0]);
    hash.update(etag);
    let digest: [u8; 32] = hash.finalize().into();
    digest.iter().take(16).fold(0, |hash, byte| hash << 8 | u128::from(*byte))
}

/// `rows/events/HASH.parquet` without its folder and ending.
pub(crate) fn event_name(hash: u128) -> String {
    format!("{EVENTS}/{hash:032x}")
}
