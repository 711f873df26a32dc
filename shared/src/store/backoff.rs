//! Waiting between tries: exponential with full jitter, until a deadline.

use std::time::Duration;

use tokio::time::{Instant, sleep};

use crate::deadline::Deadline;
use crate::error::{Cause, Error};

/// The first wait is drawn from 0 to this.
const FIRST: Duration = Duration::from_millis(20);
/// No wait is longer than this: a crowd of 200 has to spread over some seconds before most tries
/// meet no other.
const LONGEST: Duration = Duration::from_secs(5);

/// Counts the tries of one piece of work.
#[derive(Debug)]
pub(super) struct Backoff {
    deadline: Deadline,
    range: Duration,
}

impl Backoff {
    pub(super) fn until(deadline: Deadline) -> Self {
        Self { deadline, range: FIRST }
    }

    /// Sleeps a random part of a range that doubles; fails with `cause` when the deadline
    /// comes first.
    pub(super) async fn wait(&mut self, cause: impl FnOnce() -> Cause) -> Result<(), Error> {
        let pause = self.range.mul_f64(random_fraction());
        self.range = (self.range * 2).min(LONGEST);
        if Instant::now() + pause >= self.deadline.instant() {
            return Err(Error::Unavailable(cause()));
        }
        sleep(pause).await;
        Ok(())
    }
}

/// Uniform in [0, 1); the middle if the system has no randomness to give.
fn random_fraction() -> f64 {
    getrandom::u32().map_or(0.5, |random| f64::from(random) / (f64::from(u32::MAX) + 1.0))
}
