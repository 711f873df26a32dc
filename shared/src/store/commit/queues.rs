//! Commits of one account queue up within a process, instead of outrunning each other, and each
//! tells the next what it left behind. One whose turn it is may take along those that wait.
//!
//! Only a courtesy: what is right is decided by the transaction's conditions, which also hold
//! between processes.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use tokio::sync::oneshot;

use super::{Member, Recorded};
use crate::deadline::Deadline;
use crate::error::{Cause, Error};
use crate::ids::{AnalysisId, UserId};
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
    /// The analyses that may be taken along, in the order in which they came.
    waiting: Mutex<Vec<Companion>>,
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
    /// The analyses of that day.
    pub(super) used: u64,
}

/// A turn; dropping it lets the next one go.
#[derive(Debug)]
pub(in crate::store) struct Turn<'q> {
    queue: &'q Queue,
    left: tokio::sync::MutexGuard<'q, Option<LastCommit>>,
}

/// How waiting for a turn ended.
pub(super) enum Entered<'q> {
    /// It is the commit's turn.
    Turn(Turn<'q>),
    /// Another commit has taken the analysis along, and it is stored.
    TakenAlong(Recorded),
}

/// An analysis that waits for its turn, and where its request is told what became of it.
#[derive(Debug)]
pub(super) struct Companion {
    user: UserId,
    pub(super) member: Member,
    /// Dropped unanswered where nobody knows whether it is stored.
    told: oneshot::Sender<Option<Recorded>>,
}

/// A place among those that wait, given up when it is dropped.
struct QueuePlace<'q> {
    queue: &'q Queue,
    id: AnalysisId,
}

impl Queues {
    pub(crate) fn new() -> Self {
        Self((0..QUEUES).map(|_| Queue::default()).collect())
    }

    /// Waits for `user`'s turn.
    pub(in crate::store) async fn turn(&self, user: UserId, deadline: Deadline) -> Result<Turn<'_>, Error> {
        let queue = self.of(user)?;
        Ok(Turn { queue, left: deadline.limit(queue.turn.lock()).await? })
    }

    /// Waits for `user`'s turn, or until another commit of the account has taken `member` along. One of a staged
    /// upload is not taken along.
    ///
    /// # Errors
    /// [`Error::Unavailable`] if neither happens until `deadline`, or it is not known what became of it.
    pub(super) async fn enter(&self, user: UserId, member: &Member, deadline: Deadline) -> Result<Entered<'_>, Error> {
        let queue = self.of(user)?;
        if let Ok(left) = queue.turn.try_lock() {
            return Ok(Entered::Turn(Turn { queue, left }));
        }
        if member.has_upload() {
            return self.turn(user, deadline).await.map(Entered::Turn);
        }
        let (place, mut told) = queue.line_up(user, member);
        let told = tokio::select! {
            biased;
            told = &mut told => told,
            turn = self.turn(user, deadline) => match turn {
                Ok(turn) if place.give_up() => return Ok(Entered::Turn(turn)),
                Err(error) => return Err(error),
                // it has been taken along by a commit that waits before it tries again
                Ok(turn) => {
                    drop(turn);
                    deadline.limit(told).await?
                }
            },
        };
        match told {
            Ok(Some(recorded)) => Ok(Entered::TakenAlong(recorded)),
            Ok(None) => self.turn(user, deadline).await.map(Entered::Turn),
            Err(_) => Err(Error::Unavailable(Cause::text("the commit that took this one along was not answered"))),
        }
    }

    fn of(&self, user: UserId) -> Result<&Queue, Error> {
        // a user id is random, so any of its bytes spreads accounts evenly
        let queue = user.as_bytes().last().and_then(|byte| self.0.get(usize::from(*byte)));
        queue.ok_or_else(|| Error::Internal(Cause::text("fewer queues than byte values")))
    }
}

impl Queue {
    fn line_up(&self, user: UserId, member: &Member) -> (QueuePlace<'_>, oneshot::Receiver<Option<Recorded>>) {
        let (told, receiver) = oneshot::channel();
        self.waiting().push(Companion { user, member: member.clone(), told });
        (QueuePlace { queue: self, id: member.id }, receiver)
    }

    fn waiting(&self) -> MutexGuard<'_, Vec<Companion>> {
        self.waiting.lock().unwrap_or_else(PoisonError::into_inner)
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

    /// Those of `user`'s that wait and are wanted.
    pub(super) fn take_along(&self, user: UserId, mut wanted: impl FnMut(&Member) -> bool) -> Vec<Companion> {
        let mut waiting = self.queue.waiting();
        waiting.extract_if(.., |waiting| waiting.user == user && wanted(&waiting.member)).collect()
    }
}

impl Companion {
    // Nobody listens any more where the request was given up.

    /// Tells its request that it is stored.
    pub(super) fn ends_stored(self, recorded: Recorded) {
        let _ = self.told.send(Some(recorded));
    }

    /// Tells its request that it is not stored, and will not be unless it sees to that itself.
    pub(super) fn ends_alone(self) {
        let _ = self.told.send(None);
    }
}

impl QueuePlace<'_> {
    /// Gives it up; `false` if another commit has taken it along meanwhile.
    fn give_up(&self) -> bool {
        let mut waiting = self.queue.waiting();
        let before = waiting.len();
        waiting.retain(|waiting| waiting.member.id != self.id);
        waiting.len() < before
    }
}

impl Drop for QueuePlace<'_> {
    fn drop(&mut self) {
        self.give_up();
    }
}
