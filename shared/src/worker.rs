//! A fair scheduler of CPU-bound work: on separate threads, limited by memory and cores, round-robin by account.

use std::collections::{HashMap, VecDeque};
use std::hash::Hash;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use tokio::sync::oneshot;

use crate::deadline::Deadline;
use crate::error::{Cause, Error};
use crate::ids::UserId;

/// Runs a limited number of jobs concurrently. Waiting parties (accounts) are served round-robin, independent of their
/// queue lengths.
#[derive(Debug)]
pub struct Worker<P: Party = UserId>(Arc<Mutex<Schedule<P>>>);

/// A party with jobs.
pub trait Party: Copy + Eq + Hash + Send + 'static {}

impl<P: Copy + Eq + Hash + Send + 'static> Party for P {}

impl<P: Party> Clone for Worker<P> {
    fn clone(&self) -> Self {
        Self(Arc::clone(&self.0))
    }
}

/// The running and the waiting jobs.
#[derive(Debug)]
struct Schedule<P: Party> {
    /// Free places.
    free: usize,
    /// Maximum running jobs per party.
    each: usize,
    /// Running jobs per party.
    working: HashMap<P, usize>,
    /// The waiting parties, the next one first, each with its jobs in order of arrival.
    waiting: VecDeque<(P, VecDeque<oneshot::Sender<Permit<P>>>)>,
}

/// A place; dropping it starts the next job.
#[derive(Debug)]
struct Permit<P: Party> {
    worker: Worker<P>,
    party: P,
}

impl<P: Party> Worker<P> {
    /// A worker of `at_once` concurrent jobs, at most `each` per party. If `each` is smaller, another party need not
    /// wait for a job to end.
    #[must_use]
    pub fn new(at_once: usize, each: usize) -> Self {
        let (working, waiting) = (HashMap::new(), VecDeque::new());
        Self(Arc::new(Mutex::new(Schedule { free: at_once, each, working, waiting })))
    }

    /// Runs `work` on a separate thread when `party` gets a place.
    ///
    /// # Errors
    /// [`Error::Unavailable`] if it gets none until `deadline`.
    pub async fn run<T: Send + 'static>(
        &self,
        party: P,
        deadline: Deadline,
        work: impl FnOnce() -> T + Send + 'static,
    ) -> Result<T, Error> {
        let receiver = self.wait(party);
        let permit = deadline.limit(receiver).await?.map_err(|_| Error::Internal(Cause::text("a turn was lost")))?;
        let task = tokio::task::spawn_blocking(move || {
            let done = work();
            // released here, so that a canceled request counts while its job runs
            drop(permit);
            done
        });
        task.await.map_err(Error::internal)
    }

    /// Queues a job of `party`. Dropping the receiver cancels it.
    fn wait(&self, party: P) -> oneshot::Receiver<Permit<P>> {
        let (sender, receiver) = oneshot::channel();
        let mut schedule = self.schedule();
        match schedule.waiting.iter_mut().find(|(waiting, _)| *waiting == party) {
            Some((_, queue)) => queue.push_back(sender),
            None => schedule.waiting.push_back((party, VecDeque::from([sender]))),
        }
        drop(schedule);
        self.start();
        receiver
    }

    /// Starts jobs while there are places. An unclaimed permit is dropped, which starts the next job; never under the
    /// lock.
    fn start(&self) {
        while let Some((party, sender)) = { self.schedule().next() } {
            let _ = sender.send(Permit { worker: self.clone(), party });
        }
    }

    fn schedule(&self) -> MutexGuard<'_, Schedule<P>> {
        // its changes are complete before anything that may panic
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl<P: Party> Schedule<P> {
    /// Takes a place for the next job, if a waiting party may have one. The party then moves to the end of the queue.
    fn next(&mut self) -> Option<(P, oneshot::Sender<Permit<P>>)> {
        if self.free == 0 {
            return None;
        }
        for (_, queue) in &mut self.waiting {
            // jobs whose deadline has passed
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
        let mut schedule = self.worker.schedule();
        schedule.free += 1;
        if let Some(working) = schedule.working.get_mut(&self.party) {
            *working -= 1;
        }
        schedule.working.retain(|_, working| *working > 0);
        drop(schedule);
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

    /// Takes the permits issued so far, in the order of the queue.
    fn started(waiting: &mut Waiting) -> Vec<Permit<&'static str>> {
        let mut started = Vec::new();
        waiting.retain_mut(|(_, receiver)| receiver.try_recv().map(|permit| started.push(permit)).is_err());
        started
    }

    /// Ends the jobs one after the other; returns the parties in the order of their starts.
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
