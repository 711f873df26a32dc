//! Backoff between attempts: exponential with full jitter, until a deadline.

use std::time::Duration;

use tokio::time::{Instant, sleep};

use crate::deadline::Deadline;
use crate::error::{Cause, Error};

/// The upper limit of the first delay.
const INITIAL_DELAY: Duration = Duration::from_millis(20);
/// The upper limit of all delays: 200 concurrent requests have to spread over some seconds before most attempts do not
/// conflict.
const MAX_DELAY: Duration = Duration::from_secs(5);

/// The attempts of one operation.
#[derive(Debug)]
pub(super) struct Backoff {
    deadline: Deadline,
    range: Duration,
}

impl Backoff {
    pub(super) fn until(deadline: Deadline) -> Self {
        Self { deadline, range: INITIAL_DELAY }
    }

    /// Sleeps for a random part of a range that doubles; fails with `cause` if the deadline comes first.
    pub(super) async fn wait(&mut self, cause: impl FnOnce() -> Cause) -> Result<(), Error> {
        let pause = self.range.mul_f64(random_fraction());
        self.range = (self.range * 2).min(MAX_DELAY);
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
