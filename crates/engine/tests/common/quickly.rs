//! A bound of time for hostile files.

use std::time::{Duration, Instant};

/// Fails if it takes unreasonably long, even in an unoptimized build.
pub(crate) fn quickly<T>(work: impl FnOnce() -> T) -> T {
    let start = Instant::now();
    let result = work();
    assert!(start.elapsed() < Duration::from_secs(20), "took {:?}", start.elapsed());
    result
}
