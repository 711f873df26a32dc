//! The next piece of a file that is passed over in large pieces: it is fetched while the one before it is looked at.

use std::ops::Range;
use std::sync::{Mutex, PoisonError};

use bytes::Bytes;
use tokio::runtime::Handle;
use tokio::task::JoinSet;

use crate::error::Cause;
use crate::tally::Tally;

/// What is on its way, if anything is. Given up when dropped.
#[derive(Debug, Default)]
pub(super) struct Prefetch(Mutex<Option<FetchedPiece>>);

/// A piece on its way.
#[derive(Debug)]
pub(super) struct FetchedPiece {
    range: Range<u64>,
    // a set of one: unlike a handle alone, it ends its task when dropped
    task: JoinSet<Result<Bytes, Cause>>,
}

impl Prefetch {
    /// Takes out what is on its way, if it is this range; anything else is given up.
    pub(super) fn take(&self, range: &Range<u64>) -> Option<FetchedPiece> {
        self.slot().take().filter(|piece| piece.range == *range)
    }

    /// Starts to fetch `range` on `runtime`, on behalf of the request that this code runs for.
    pub(super) fn start(
        &self,
        range: Range<u64>,
        fetch: impl Future<Output = Result<Bytes, Cause>> + Send + 'static,
        runtime: &Handle,
    ) {
        let mut task = JoinSet::new();
        task.spawn_on(Tally::current().during(fetch), runtime);
        *self.slot() = Some(FetchedPiece { range, task });
    }

    fn slot(&self) -> std::sync::MutexGuard<'_, Option<FetchedPiece>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl FetchedPiece {
    /// Its bytes, once they are here.
    pub(super) async fn arrived(mut self) -> Result<Bytes, Cause> {
        match self.task.join_next().await {
            Some(Ok(bytes)) => bytes,
            Some(Err(error)) => Err(Cause::of(&error)),
            None => Err(Cause::text("a piece was fetched by nobody")),
        }
    }
}
