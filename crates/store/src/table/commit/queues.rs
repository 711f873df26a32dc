//! Locks per account within a process: commits run one after the other, and each hands its counters to the next.
//! Searches, which may read 10,000 rows each, have a separate lock.
//!
//! This only avoids conflicts. Correctness depends on the transaction's conditions, which also apply between processes.

use std::sync::Arc;

use crate::deadline::Deadline;
use crate::error::{Cause, Error};
use crate::ids::UserId;
use crate::quota::Day;

/// Number of locks. Accounts that share one wait for each other without need; with 256, that is rare.
const QUEUES: usize = 256;

/// The locks of a process.
#[derive(Clone, Debug)]
pub struct Queues(Arc<[Queue]>);

#[derive(Debug, Default)]
struct Queue {
    /// Held by the running commit; contains the counters after the last successful one.
    commit: tokio::sync::Mutex<Option<LastCommit>>,
    /// Held by the running search.
    search: tokio::sync::Mutex<()>,
}

/// An account's counters right after a commit.
#[derive(Clone, Copy, Debug)]
pub(super) struct LastCommit {
    /// The account.
    pub(super) user: UserId,
    /// Its newest number.
    pub(super) analyses: u64,
    /// The day that was counted.
    pub(super) day: Day,
    /// Analyses used on that day.
    pub(super) used: u64,
}

/// The lock of an account's commits, released when dropped.
#[derive(Debug)]
pub(in crate::table) struct CommitGuard<'q> {
    last: tokio::sync::MutexGuard<'q, Option<LastCommit>>,
}

impl Default for Queues {
    fn default() -> Self {
        Self((0..QUEUES).map(|_| Queue::default()).collect())
    }
}

impl Queues {
    /// Waits for the commit lock of `user`.
    pub(in crate::table) async fn lock(&self, user: UserId, deadline: Deadline) -> Result<CommitGuard<'_>, Error> {
        Ok(CommitGuard { last: deadline.limit(self.of(user)?.commit.lock()).await? })
    }

    /// Waits for the search lock of `user`: one search of an account at a time, so that it does not slow down others.
    pub(in crate::table) async fn search(
        &self,
        user: UserId,
        deadline: Deadline,
    ) -> Result<tokio::sync::MutexGuard<'_, ()>, Error> {
        deadline.limit(self.of(user)?.search.lock()).await
    }

    fn of(&self, user: UserId) -> Result<&Queue, Error> {
        // a user id is random, so any of its bytes spreads accounts evenly
        let queue = user.as_bytes().last().and_then(|byte| self.0.get(usize::from(*byte)));
        queue.ok_or_else(|| Error::Internal(Cause::text("fewer queues than byte values")))
    }
}

impl CommitGuard<'_> {
    /// The counters after the last commit under this lock.
    pub(super) fn last(&self) -> Option<&LastCommit> {
        self.last.as_ref()
    }

    /// Hands the counters to the next commit.
    pub(super) fn publish(&mut self, last: LastCommit) {
        *self.last = Some(last);
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::Queues;
    use crate::deadline::Deadline;
    use crate::error::Error;
    use crate::ids::UserId;

    #[tokio::test(start_paused = true)]
    async fn an_account_searches_once_at_a_time() {
        let queues = Queues::default();
        let ada = UserId::random();
        let mut bob = UserId::random();
        while bob.as_bytes().last() == ada.as_bytes().last() {
            bob = UserId::random();
        }
        let deadline = || Deadline::within(Duration::from_secs(3));
        let held = queues.search(ada, deadline()).await.unwrap();
        assert!(queues.search(bob, deadline()).await.is_ok(), "others do not wait");
        assert!(matches!(queues.search(ada, deadline()).await, Err(Error::Unavailable(_))));
        // commits do not take the search lock
        assert!(queues.lock(ada, deadline()).await.is_ok());
        drop(held);
        assert!(queues.search(ada, deadline()).await.is_ok());
    }
}
