//! One writer at a time per key, so that only one of two conditional uploads finds the key free.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError, Weak};

use tokio::sync::OwnedMutexGuard;

type Lock = tokio::sync::Mutex<()>;

/// The locks of the keys that are being written.
#[derive(Debug, Default)]
pub(super) struct KeyLocks(Mutex<HashMap<String, Weak<Lock>>>);

impl KeyLocks {
    /// Waits for this key's lock, which is released when the guard is dropped.
    pub(super) async fn lock(&self, key: &str) -> OwnedMutexGuard<()> {
        let lock = {
            let mut locks = self.0.lock().unwrap_or_else(PoisonError::into_inner);
            locks.retain(|_, lock| lock.strong_count() > 0);
            let held = locks.get(key).and_then(Weak::upgrade);
            held.unwrap_or_else(|| {
                let lock = Arc::new(Lock::default());
                locks.insert(key.to_owned(), Arc::downgrade(&lock));
                lock
            })
        };
        lock.lock_owned().await
    }
}
