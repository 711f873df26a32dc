//! Work that goes on when its request is answered.

use std::fmt;
use std::pin::Pin;
use std::sync::{Arc, Mutex, PoisonError};

type Task = Pin<Box<dyn Future<Output = ()> + Send>>;

/// Where such work goes: into tasks of its own, or, where a process stands still between requests, to whoever runs it
/// once the answer is sent.
#[derive(Clone, Default)]
pub struct Afterwards(Option<Arc<Mutex<Vec<Task>>>>);

impl Afterwards {
    /// Tasks of its own.
    #[must_use]
    pub fn in_tasks() -> Self {
        Self(None)
    }

    /// Kept for `Afterwards::finish`.
    #[must_use]
    pub fn kept() -> Self {
        Self(Some(Arc::default()))
    }

    /// Whether the work may take longer than its request may.
    #[must_use]
    pub fn has_time(&self) -> bool {
        self.0.is_none()
    }

    /// Takes over some work.
    pub fn add(&self, work: impl Future<Output = ()> + Send + 'static) {
        match &self.0 {
            Some(kept) => kept.lock().unwrap_or_else(PoisonError::into_inner).push(Box::pin(work)),
            None => drop(tokio::spawn(work)),
        }
    }

    /// Does what is kept.
    pub(crate) async fn finish(&self) {
        let Some(kept) = &self.0 else { return };
        let work = std::mem::take(&mut *kept.lock().unwrap_or_else(PoisonError::into_inner));
        for work in work {
            work.await;
        }
    }
}

impl fmt::Debug for Afterwards {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Afterwards")
    }
}
