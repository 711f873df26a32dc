//! Free space on the disk of the embedded stores.

use std::fmt;
use std::sync::Arc;

/// Bytes that stay free: the database needs some to be closed and cleaned up.
const RESERVED_BYTES: u64 = 8 << 20;

/// The free bytes. With external stores, the space is unknown and never too small.
#[derive(Clone, Default)]
pub struct DiskSpace(Option<Arc<FreeBytes>>);

type FreeBytes = dyn Fn() -> Option<u64> + Send + Sync;

impl DiskSpace {
    /// Disk space whose free bytes `free` returns.
    #[must_use]
    pub fn of(free: impl Fn() -> Option<u64> + Send + Sync + 'static) -> Self {
        Self(Some(Arc::new(free)))
    }

    /// Bytes that are free, if that is known.
    #[must_use]
    pub fn free(&self) -> Option<u64> {
        self.0.as_ref().and_then(|free| free())
    }

    /// Whether there is too little space to store `bytes` more.
    #[must_use]
    pub fn is_too_small_for(&self, bytes: u64) -> bool {
        self.free().is_some_and(|free| free < RESERVED_BYTES.saturating_add(bytes))
    }
}

impl fmt::Debug for DiskSpace {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("DiskSpace").field(&self.free()).finish()
    }
}
