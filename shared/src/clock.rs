//! The clock a process runs by: the system's, or one that a test sets.

use std::sync::Arc;

use chrono::{DateTime, Utc};

use crate::opaque::opaque_debug;

/// Where the service gets the time from. A request reads it once; that reading
/// decides its day and its time stamps.
#[derive(Clone)]
pub struct Clock(Arc<dyn Fn() -> DateTime<Utc> + Send + Sync>);

opaque_debug!(Clock);

impl Clock {
    /// The system's clock.
    #[must_use]
    pub fn system() -> Self {
        Self::new(Utc::now)
    }

    /// A clock that reads whatever `now` says.
    pub fn new(now: impl Fn() -> DateTime<Utc> + Send + Sync + 'static) -> Self {
        Self(Arc::new(now))
    }

    /// The current time, UTC.
    #[must_use]
    pub fn now(&self) -> DateTime<Utc> {
        (self.0)()
    }
}
