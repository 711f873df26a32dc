//! The clock of a process: the system's, or a test's.

use std::sync::Arc;

use chrono::{DateTime, Utc};

use crate::redact_debug::redact_debug;

/// Where the service gets the time from. A request reads it once; that reading
/// decides its day and its time stamps.
#[derive(Clone)]
pub struct Clock(Arc<dyn Fn() -> DateTime<Utc> + Send + Sync>);

redact_debug!(Clock);

impl Clock {
    /// The system's clock.
    #[must_use]
    pub fn system() -> Self {
        Self::new(Utc::now)
    }

    /// A clock with the time that `now` returns.
    pub fn new(now: impl Fn() -> DateTime<Utc> + Send + Sync + 'static) -> Self {
        Self(Arc::new(now))
    }

    /// The current time, UTC.
    #[must_use]
    pub fn now(&self) -> DateTime<Utc> {
        (self.0)()
    }
}
