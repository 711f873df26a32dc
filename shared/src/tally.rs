//! What one request costs: calls of storage, waits for them, bytes read, passwords hashed. It follows the request
//! through its task; code that runs elsewhere on its behalf enters it again.

use std::sync::Arc;
use std::sync::atomic::{AtomicU32, AtomicU64, Ordering};

tokio::task_local! {
    static CURRENT: Tally;
}

/// The running count of one request. Clones count together.
#[derive(Clone, Debug, Default)]
pub struct Tally(Arc<Counts>);

#[derive(Debug, Default)]
struct Counts {
    calls: AtomicU32,
    rounds: AtomicU32,
    waiting: AtomicU32,
    bytes_read: AtomicU64,
    password_hashes: AtomicU32,
}

impl Tally {
    /// Runs `work` with this as its tally.
    pub fn during<T>(self, work: impl Future<Output = T>) -> impl Future<Output = T> {
        CURRENT.scope(self, Box::pin(work))
    }

    /// The same for work on a thread of its own.
    pub fn during_sync<T>(self, work: impl FnOnce() -> T) -> T {
        CURRENT.sync_scope(self, work)
    }

    /// The tally of the request that this code runs for; one that nobody reads outside of any.
    #[must_use]
    pub fn current() -> Self {
        CURRENT.try_with(Self::clone).unwrap_or_default()
    }

    /// Counts a call of storage until the guard is dropped.
    #[must_use]
    pub fn call(&self) -> Waiting {
        self.0.calls.fetch_add(1, Ordering::Relaxed);
        if self.0.waiting.fetch_add(1, Ordering::Relaxed) == 0 {
            self.0.rounds.fetch_add(1, Ordering::Relaxed);
        }
        Waiting(self.clone())
    }

    /// Counts bytes of a staged PDF that the engine read.
    pub fn read(&self, bytes: u64) {
        self.0.bytes_read.fetch_add(bytes, Ordering::Relaxed);
    }

    /// Counts a password that is hashed or compared, which costs the same.
    pub fn hash(&self) {
        self.0.password_hashes.fetch_add(1, Ordering::Relaxed);
    }

    /// Calls of storage, retries included.
    #[must_use]
    pub fn calls(&self) -> u32 {
        self.0.calls.load(Ordering::Relaxed)
    }

    /// Round trips: calls that overlap count once.
    #[must_use]
    pub fn rounds(&self) -> u32 {
        self.0.rounds.load(Ordering::Relaxed)
    }

    /// Bytes of a staged PDF that the engine read; one in the request costs none.
    #[must_use]
    pub fn bytes_read(&self) -> u64 {
        self.0.bytes_read.load(Ordering::Relaxed)
    }

    /// Passwords hashed or compared.
    #[must_use]
    pub fn password_hashes(&self) -> u32 {
        self.0.password_hashes.load(Ordering::Relaxed)
    }
}

/// A call that is waited for, also if the waiting is given up.
#[derive(Debug)]
pub struct Waiting(Tally);

impl Drop for Waiting {
    fn drop(&mut self) {
        self.0.0.waiting.fetch_sub(1, Ordering::Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use super::Tally;

    #[test]
    fn calls_that_overlap_are_one_round() {
        let tally = Tally::default();
        let (first, second) = (tally.call(), tally.call());
        drop(first);
        drop(tally.call());
        drop(second);
        drop(tally.call());
        assert_eq!((tally.calls(), tally.rounds()), (4, 2));
    }

    #[test]
    fn threads_count_for_the_request_they_work_for() {
        let tally = Tally::default();
        tally.clone().during_sync(|| Tally::current().read(7));
        Tally::current().read(5);
        assert_eq!(tally.bytes_read(), 7);
    }
}
