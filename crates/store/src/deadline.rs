//! The deadline of a request: one limit for everything that it waits for.

use std::time::{Duration, SystemTime};

use tokio::time::{Instant, timeout_at};

use crate::error::{Cause, Error};

/// The time left of an invocation that answers no HTTP request.
#[derive(Clone, Copy, Debug)]
pub struct Remaining(SystemTime);

impl Remaining {
    /// Until Lambda stops the function.
    #[must_use]
    pub fn until(stop: SystemTime) -> Self {
        Self(stop)
    }

    /// Whether less than `time` is left.
    #[must_use]
    pub fn is_less_than(&self, time: Duration) -> bool {
        self.0.duration_since(SystemTime::now()).is_ok_and(|left| left < time) || self.0 < SystemTime::now()
    }
}

/// The deadline of a request's waits: for storage, for the queue, for a file.
#[derive(Clone, Copy, Debug)]
pub struct Deadline(Instant);

impl Deadline {
    /// The longest total wait of a request.
    const MAX_WAIT: Duration = Duration::from_secs(20);
    /// Time reserved for the answer.
    const RESERVE: Duration = Duration::from_secs(2);

    /// The deadline of a request that has `remaining` until its function is stopped.
    #[must_use]
    pub fn within(remaining: Duration) -> Self {
        Self(Instant::now() + remaining.saturating_sub(Self::RESERVE).min(Self::MAX_WAIT))
    }

    /// The deadline of work outside a request.
    #[must_use]
    pub fn unhurried() -> Self {
        Self(Instant::now() + Self::MAX_WAIT)
    }

    /// The deadline of work outside a request, `time` from now.
    #[must_use]
    pub fn after(time: Duration) -> Self {
        Self(Instant::now() + time)
    }

    /// The same, earlier by `reserve`.
    #[must_use]
    pub fn earlier(&self, by: Duration) -> Self {
        Self(self.0.checked_sub(by).unwrap_or(self.0))
    }

    /// The instant.
    #[must_use]
    pub fn instant(&self) -> Instant {
        self.0
    }

    /// Runs `work` until the deadline. It is boxed: the future of an SDK call takes kilobytes, in each future that
    /// awaits it.
    ///
    /// # Errors
    /// [`Error::Unavailable`] at the deadline; whether a write was carried out is not known then.
    pub fn limit<T>(&self, work: impl Future<Output = T> + Send) -> impl Future<Output = Result<T, Error>> + Send {
        let work = timeout_at(self.0, Box::pin(work));
        async { work.await.map_err(|_| Error::Unavailable(Cause::text("no answer until the deadline"))) }
    }
}
