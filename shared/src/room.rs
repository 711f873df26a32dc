//! The room that is left where a process keeps its data, for those that keep it on a disk of their own.

use std::fmt;
use std::sync::Arc;

/// With less room than this, in bytes, nothing more is stored: the database needs some of it to be closed and cleaned.
const LEAST: u64 = 8 << 20;

/// Tells how many bytes are free. Where the stores are others', nothing is known and there is room.
#[derive(Clone, Default)]
pub struct Room(Option<Arc<FreeBytes>>);

type FreeBytes = dyn Fn() -> Option<u64> + Send + Sync;

impl Room {
    /// The room that `free` tells of.
    #[must_use]
    pub fn of(free: impl Fn() -> Option<u64> + Send + Sync + 'static) -> Self {
        Self(Some(Arc::new(free)))
    }

    /// Bytes that are free, if that is known.
    #[must_use]
    pub fn free(&self) -> Option<u64> {
        self.0.as_ref().and_then(|free| free())
    }

    /// Whether there is too little to store so many `bytes` more.
    #[must_use]
    pub fn is_too_small_for(&self, bytes: u64) -> bool {
        self.free().is_some_and(|free| free < LEAST.saturating_add(bytes))
    }
}

impl fmt::Debug for Room {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Room").field(&self.free()).finish()
    }
}
