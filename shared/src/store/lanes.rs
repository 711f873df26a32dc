//! Commits of one account queue up within a process, instead of outrunning each other.
//!
//! Only a courtesy: what is right is decided by the transaction's conditions, which also hold
//! between processes.

use std::sync::Arc;

use tokio::sync::{Mutex, MutexGuard};

use super::Deadline;
use crate::error::{Cause, Error};
use crate::ids::UserId;

/// Accounts that share a lane wait for each other needlessly; so many lanes make that rare.
const LANES: usize = 256;

/// The queues of a process.
#[derive(Clone, Debug)]
pub(super) struct Lanes(Arc<[Mutex<()>]>);

impl Lanes {
    pub(super) fn new() -> Self {
        Self((0..LANES).map(|_| Mutex::new(())).collect())
    }

    /// Waits for `user`'s turn.
    pub(super) async fn turn(&self, user: UserId, deadline: Deadline) -> Result<MutexGuard<'_, ()>, Error> {
        // a user id is random, so any of its bytes spreads accounts evenly
        let lane = user.as_bytes().last().and_then(|byte| self.0.get(usize::from(*byte)));
        let lane = lane.ok_or_else(|| Error::Internal(Cause::text("fewer lanes than byte values")))?;
        deadline.limit(lane.lock()).await
    }
}
