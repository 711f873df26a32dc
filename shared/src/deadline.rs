//! How long a request may take: one limit for all that it waits for.

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

/// Until when a request may wait: for storage, for its turn, for a file.
#[derive(Clone, Copy, Debug)]
pub struct Deadline(Instant);

impl Deadline {
    /// The longest that a request waits in all.
    const LONGEST: Duration = Duration::from_secs(20);
    /// Kept back for writing the answer.
    const RESERVE: Duration = Duration::from_secs(2);

    /// For a request that has `remaining` until its function is stopped.
    #[must_use]
    pub fn within(remaining: Duration) -> Self {
        Self(Instant::now() + remaining.saturating_sub(Self::RESERVE).min(Self::LONGEST))
    }

    /// For work outside a request.
    #[must_use]
    pub fn unhurried() -> Self {
        Self(Instant::now() + Self::LONGEST)
    }

    /// For work outside a request, `time` from now.
    #[must_use]
    pub fn after(time: Duration) -> Self {
        Self(Instant::now() + time)
    }

    /// The same, but so much earlier.
    #[must_use]
    pub fn earlier(&self, by: Duration) -> Self {
        Self(self.0.checked_sub(by).unwrap_or(self.0))
    }

    /// The instant.
    #[must_use]
    pub fn instant(&self) -> Instant {
        self.0
    }

    /// `work`, unless the deadline comes first. It is boxed: a call of the SDK takes kilobytes, and
    /// whatever waits for it would take up as much again.
    ///
    /// # Errors
    /// [`Error::Unavailable`] at the deadline; whether a write was carried out is not known then.
    pub fn limit<T>(&self, work: impl Future<Output = T> + Send) -> impl Future<Output = Result<T, Error>> + Send {
        let work = timeout_at(self.0, Box::pin(work));
        async { work.await.map_err(|_| Error::Unavailable(Cause::text("no answer until the deadline"))) }
    }
}
