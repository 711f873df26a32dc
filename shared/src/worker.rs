//! Work that keeps a processor busy: on threads apart, so many at once as memory and cores suffice for.

use std::sync::Arc;

use tokio::sync::Semaphore;

use crate::deadline::Deadline;
use crate::error::Error;

/// Lets so many pieces of work run at once; the others wait for their turn.
#[derive(Clone, Debug)]
pub struct Worker(Arc<Semaphore>);

impl Worker {
    /// A worker for `at_once` pieces of work.
    #[must_use]
    pub fn new(at_once: usize) -> Self {
        Self(Arc::new(Semaphore::new(at_once)))
    }

    /// Runs `work` on a thread of its own when it is its turn.
    ///
    /// # Errors
    /// [`Error::Unavailable`] if it is not its turn until `deadline`.
    pub async fn run<T: Send + 'static>(
        &self,
        deadline: Deadline,
        work: impl FnOnce() -> T + Send + 'static,
    ) -> Result<T, Error> {
        let turn = self.0.clone().acquire_owned();
        let permit = deadline.limit(turn).await?.map_err(Error::internal)?;
        let task = tokio::task::spawn_blocking(move || {
            let done = work();
            // given back here, so that a request that was given up still counts while it works
            drop(permit);
            done
        });
        task.await.map_err(Error::internal)
    }
}
