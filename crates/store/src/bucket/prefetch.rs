//! Prefetches the next large piece of a file while the one before is processed.

use std::ops::Range;
use std::sync::{Mutex, PoisonError};

use bytes::Bytes;
use tokio::runtime::Handle;
use tokio::task::JoinSet;

use crate::error::Cause;
use crate::request_cost::RequestCost;

/// The prefetched piece, if any. Canceled when dropped.
#[derive(Debug, Default)]
pub(super) struct Prefetch(Mutex<Option<FetchedPiece>>);

/// A piece being fetched.
#[derive(Debug)]
pub(super) struct FetchedPiece {
    range: Range<u64>,
    // a set of one task: unlike a handle, it aborts the task when dropped
    task: JoinSet<Result<Bytes, Cause>>,
}

impl Prefetch {
    /// Takes the prefetched piece if it has this range; otherwise cancels it.
    pub(super) fn take(&self, range: &Range<u64>) -> Option<FetchedPiece> {
        self.slot().take().filter(|piece| piece.range == *range)
    }

    /// Starts to fetch `range` on `runtime`, counted for the current request.
    pub(super) fn start(
        &self,
        range: Range<u64>,
        fetch: impl Future<Output = Result<Bytes, Cause>> + Send + 'static,
        runtime: &Handle,
    ) {
        let mut task = JoinSet::new();
        task.spawn_on(RequestCost::current().during(fetch), runtime);
        *self.slot() = Some(FetchedPiece { range, task });
    }

    fn slot(&self) -> std::sync::MutexGuard<'_, Option<FetchedPiece>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl FetchedPiece {
    /// Its bytes, once received.
    pub(super) async fn arrived(mut self) -> Result<Bytes, Cause> {
        match self.task.join_next().await {
            Some(Ok(bytes)) => bytes,
            Some(Err(error)) => Err(Cause::of(&error)),
            None => Err(Cause::text("a piece was fetched by nobody")),
        }
    }
}
