//! Commits of one account queue up within a process, instead of outrunning each other, and each
//! tells the next what it left behind. So do its searches, each of which may read 10,000 rows.
//!
//! Only a courtesy: what is right is decided by the transaction's conditions, which also hold
//! between processes.

use std::sync::Arc;

use crate::deadline::Deadline;
use crate::error::{Cause, Error};
use crate::ids::UserId;
use crate::quota::Day;

/// Accounts that share a queue wait for each other needlessly; so many queues make that rare.
const QUEUES: usize = 256;

/// The queues of a process.
#[derive(Clone, Debug)]
pub(crate) struct Queues(Arc<[Queue]>);

#[derive(Debug, Default)]
struct Queue {
    /// Held by the commit whose turn it is: what the last one that went through left.
    turn: tokio::sync::Mutex<Option<LastCommit>>,
    /// Held by the search whose turn it is.
    search: tokio::sync::Mutex<()>,
}

/// An account's numbers right after a commit.
#[derive(Clone, Copy, Debug)]
pub(super) struct LastCommit {
    /// Whose they are.
    pub(super) user: UserId,
    /// Its analyses.
    pub(super) analyses: u64,
    /// The day that was counted.
    pub(super) day: Day,
    /// What was used of that day.
    pub(super) used: u64,
}

/// A turn; dropping it lets the next one go.
#[derive(Debug)]
pub(in crate::store) struct Turn<'q> {
    left: tokio::sync::MutexGuard<'q, Option<LastCommit>>,
}

impl Queues {
    pub(crate) fn new() -> Self {
        Self((0..QUEUES).map(|_| Queue::default()).collect())
    }

    /// Waits for `user`'s turn.
    pub(in crate::store) async fn turn(&self, user: UserId, deadline: Deadline) -> Result<Turn<'_>, Error> {
        Ok(Turn { left: deadline.limit(self.of(user)?.turn.lock()).await? })
    }

    /// Waits until `user` may look through all entries: one search of an account at a time keeps others from waiting for it.
    pub(in crate::store) async fn search(
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

impl Turn<'_> {
    /// What the last commit of the queue left.
    pub(super) fn left(&self) -> Option<&LastCommit> {
        self.left.as_ref()
    }

    /// Leaves this to the next one.
    pub(super) fn leave(&mut self, left: LastCommit) {
        *self.left = Some(left);
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
        let queues = Queues::new();
        let ada = UserId::random();
        let mut bob = UserId::random();
        while bob.as_bytes().last() == ada.as_bytes().last() {
            bob = UserId::random();
        }
        let deadline = || Deadline::within(Duration::from_secs(3));
        let held = queues.search(ada, deadline()).await.unwrap();
        assert!(queues.search(bob, deadline()).await.is_ok(), "others do not wait");
        assert!(matches!(queues.search(ada, deadline()).await, Err(Error::Unavailable(_))));
        // a commit is no search
        assert!(queues.turn(ada, deadline()).await.is_ok());
        drop(held);
        assert!(queues.search(ada, deadline()).await.is_ok());
    }
}
