//! The cost of one request: storage calls, round trips, bytes read, passwords hashed. It is task-local; code that runs
//! elsewhere for the request has to enter it again.

use std::sync::Arc;
use std::sync::atomic::{AtomicU32, AtomicU64, Ordering};

tokio::task_local! {
    static CURRENT: RequestCost;
}

/// The counters of one request, shared by clones.
#[derive(Clone, Debug, Default)]
pub struct RequestCost(Arc<Counts>);

#[derive(Debug, Default)]
struct Counts {
    calls: AtomicU32,
    rounds: AtomicU32,
    waiting: AtomicU32,
    bytes_read: AtomicU64,
    password_hashes: AtomicU32,
}

impl RequestCost {
    /// Runs `work` with this as the current cost.
    pub fn during<T>(self, work: impl Future<Output = T>) -> impl Future<Output = T> {
        CURRENT.scope(self, Box::pin(work))
    }

    /// The same for a blocking call on another thread.
    pub fn during_sync<T>(self, work: impl FnOnce() -> T) -> T {
        CURRENT.sync_scope(self, work)
    }

    /// The cost of the current request; outside of one, counters that are discarded.
    #[must_use]
    pub fn current() -> Self {
        CURRENT.try_with(Self::clone).unwrap_or_default()
    }

    /// Counts a call of storage until the guard is dropped.
    #[must_use]
    pub fn call(&self) -> PendingCall {
        self.0.calls.fetch_add(1, Ordering::Relaxed);
        if self.0.waiting.fetch_add(1, Ordering::Relaxed) == 0 {
            self.0.rounds.fetch_add(1, Ordering::Relaxed);
        }
        PendingCall(self.clone())
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

/// Guard of a call in progress, also if it is canceled.
#[derive(Debug)]
pub struct PendingCall(RequestCost);

impl Drop for PendingCall {
    fn drop(&mut self) {
        self.0.0.waiting.fetch_sub(1, Ordering::Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use super::RequestCost;

    #[test]
    fn calls_that_overlap_are_one_round() {
        let cost = RequestCost::default();
        let (first, second) = (cost.call(), cost.call());
        drop(first);
        drop(cost.call());
        drop(second);
        drop(cost.call());
        assert_eq!((cost.calls(), cost.rounds()), (4, 2));
    }

    #[test]
    fn threads_count_for_the_request_they_work_for() {
        let cost = RequestCost::default();
        cost.clone().during_sync(|| RequestCost::current().read(7));
        RequestCost::current().read(5);
        assert_eq!(cost.bytes_read(), 7);
    }
}
