//! Work that keeps a processor busy: on threads of its own, as much at once as memory and cores allow, in turns by account.

use std::collections::{HashMap, VecDeque};
use std::hash::Hash;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use tokio::sync::oneshot;

use crate::deadline::Deadline;
use crate::error::{Cause, Error};
use crate::ids::UserId;

/// Runs a limited number of pieces of work at once. The parties that wait (accounts) take turns, whatever each has queued.
#[derive(Debug)]
pub struct Worker<P: Party = UserId>(Arc<Mutex<Turns<P>>>);

/// Who has work done.
pub trait Party: Copy + Eq + Hash + Send + 'static {}

impl<P: Copy + Eq + Hash + Send + 'static> Party for P {}

impl<P: Party> Clone for Worker<P> {
    fn clone(&self) -> Self {
        Self(Arc::clone(&self.0))
    }
}

/// Who works and who waits.
#[derive(Debug)]
struct Turns<P: Party> {
    /// Pieces of work that may start now.
    free: usize,
    /// The most that one party has at work.
    each: usize,
    /// Pieces at work, for parties that have any.
    working: HashMap<P, usize>,
    /// The parties that wait, the next one first, with what each waits for in the order in which it came.
    waiting: VecDeque<(P, VecDeque<oneshot::Sender<Permit<P>>>)>,
}

/// A place at work; dropping it starts the next piece.
#[derive(Debug)]
struct Permit<P: Party> {
    worker: Worker<P>,
    party: P,
}

impl<P: Party> Worker<P> {
    /// A worker for `at_once` pieces of work, of which one party has `each` at most. With fewer than all, a party that comes
    /// later doesn't wait for a piece of another one to end.
    #[must_use]
    pub fn new(at_once: usize, each: usize) -> Self {
        let (working, waiting) = (HashMap::new(), VecDeque::new());
        Self(Arc::new(Mutex::new(Turns { free: at_once, each, working, waiting })))
    }

    /// Runs `work` on a thread of its own when it is the turn of `party`.
    ///
    /// # Errors
    /// [`Error::Unavailable`] if its turn doesn't come until `deadline`.
    pub async fn run<T: Send + 'static>(
        &self,
        party: P,
        deadline: Deadline,
        work: impl FnOnce() -> T + Send + 'static,
    ) -> Result<T, Error> {
        let turn = self.wait(party);
        let permit = deadline.limit(turn).await?.map_err(|_| Error::Internal(Cause::text("a turn was lost")))?;
        let task = tokio::task::spawn_blocking(move || {
            let done = work();
            // given back here, so that a request that was given up still counts while it works
            drop(permit);
            done
        });
        task.await.map_err(Error::internal)
    }

    /// Puts `party` in the queue. Whoever drops the receiver no longer waits.
    fn wait(&self, party: P) -> oneshot::Receiver<Permit<P>> {
        let (sender, receiver) = oneshot::channel();
        let mut turns = self.turns();
        match turns.waiting.iter_mut().find(|(waiting, _)| *waiting == party) {
            Some((_, queue)) => queue.push_back(sender),
            None => turns.waiting.push_back((party, VecDeque::from([sender]))),
        }
        drop(turns);
        self.start();
        receiver
    }

    /// Starts what may start. A permit that nobody takes any more is dropped, which starts the next; never under the lock.
    fn start(&self) {
        while let Some((party, sender)) = { self.turns().next() } {
            let _ = sender.send(Permit { worker: self.clone(), party });
        }
    }

    fn turns(&self) -> MutexGuard<'_, Turns<P>> {
        // every change of it is complete before anything that may panic
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl<P: Party> Turns<P> {
    /// Takes a place for the next piece of work, if there is one for any party that waits. Its party is the last one to have
    /// another turn.
    fn next(&mut self) -> Option<(P, oneshot::Sender<Permit<P>>)> {
        if self.free == 0 {
            return None;
        }
        for (_, queue) in &mut self.waiting {
            // those whose deadline has passed
            while queue.pop_front_if(|sender| sender.is_closed()).is_some() {}
        }
        self.waiting.retain(|(_, queue)| !queue.is_empty());
        let (working, each) = (&self.working, self.each);
        let may_start = |party: &P| working.get(party).is_none_or(|working| *working < each);
        let place = self.waiting.iter().position(|(party, _)| may_start(party))?;
        let (party, mut queue) = self.waiting.remove(place)?;
        let sender = queue.pop_front()?;
        if !queue.is_empty() {
            self.waiting.push_back((party, queue));
        }
        self.free -= 1;
        *self.working.entry(party).or_default() += 1;
        Some((party, sender))
    }
}

impl<P: Party> Drop for Permit<P> {
    fn drop(&mut self) {
        let mut turns = self.worker.turns();
        turns.free += 1;
        if let Some(working) = turns.working.get_mut(&self.party) {
            *working -= 1;
        }
        turns.working.retain(|_, working| *working > 0);
        drop(turns);
        self.worker.start();
    }
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc;
    use std::time::Duration;

    use tokio::sync::oneshot::Receiver;

    use super::{Permit, Worker};
    use crate::deadline::Deadline;
    use crate::error::Error;

    type Waiting = Vec<(&'static str, Receiver<Permit<&'static str>>)>;

    /// Takes the permits of those whose turn has come, in the order of the queue.
    fn started(waiting: &mut Waiting) -> Vec<Permit<&'static str>> {
        let mut started = Vec::new();
        waiting.retain_mut(|(_, receiver)| receiver.try_recv().map(|permit| started.push(permit)).is_err());
        started
    }

    /// Lets one piece of work after the other end: who starts, in order.
    fn order(waiting: &mut Waiting) -> String {
        let mut working = started(waiting);
        let mut order: String = working.iter().map(|permit| permit.party).collect();
        while !working.is_empty() {
            drop(working.remove(0));
            let next = started(waiting);
            order.extend(next.iter().map(|permit| permit.party));
            working.extend(next);
        }
        order
    }

    #[test]
    fn accounts_take_turns_whatever_each_has_queued() {
        let worker = Worker::new(1, 1);
        let queued = "eeeeeeeeabeeec";
        let mut waiting: Waiting =
            queued.split("").filter(|party| !party.is_empty()).map(|party| (party, worker.wait(party))).collect();
        // e starts before anyone else is there
        assert_eq!(order(&mut waiting), "eeabceeeeeeeee");
        assert!(waiting.is_empty());
    }

    #[test]
    fn one_account_never_has_the_last_place() {
        let worker = Worker::new(3, 2);
        let mut waiting: Waiting = (0..24).map(|_| ("e", worker.wait("e"))).collect();
        let hostile = started(&mut waiting);
        assert_eq!(hostile.len(), 2);
        waiting.push(("a", worker.wait("a")));
        let other = started(&mut waiting);
        assert_eq!(other.len(), 1, "while the hostile ones still work");
        assert_eq!(other[0].party, "a");
        drop(other);
        assert_eq!(started(&mut waiting).len(), 0, "its place is for another account");
        drop(hostile);
        assert_eq!(order(&mut waiting).len(), 22);
    }

    #[test]
    fn who_no_longer_waits_takes_no_place() {
        let worker = Worker::new(1, 1);
        let mut waiting: Waiting = ["a", "b", "c", "d"].map(|party| (party, worker.wait(party))).into();
        let working = started(&mut waiting);
        // b has given up
        waiting.remove(0);
        drop(working);
        assert_eq!(order(&mut waiting), "cd");
        // and d while its permit was on its way
        drop(worker.wait("d"));
        assert!(worker.wait("e").try_recv().is_ok());
    }

    #[tokio::test]
    async fn work_is_put_off_until_the_deadline() {
        let worker = Worker::new(1, 1);
        let (end, ended) = mpsc::channel::<()>();
        let slow = worker.clone();
        let slow = tokio::spawn(async move { slow.run("e", Deadline::unhurried(), move || ended.recv()).await });
        tokio::time::sleep(Duration::from_millis(50)).await;
        let soon = Deadline::within(Duration::from_millis(2_100));
        assert!(matches!(worker.run("a", soon, || 1).await, Err(Error::Unavailable(_))));
        end.send(()).unwrap();
        slow.await.unwrap().unwrap().unwrap();
        assert_eq!(worker.run("a", Deadline::unhurried(), || 2).await.unwrap(), 2);
    }
}
