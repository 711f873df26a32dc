//! Random numbers from a printed seed (SplitMix64), so that a failure can be looked at again.

use std::sync::atomic::{AtomicU64, Ordering};

/// A generator that several tasks may draw from.
#[derive(Debug)]
pub struct Random(AtomicU64);

impl Random {
    /// The generator of `seed`.
    #[must_use]
    pub fn new(seed: u64) -> Self {
        Self(AtomicU64::new(seed))
    }

    /// A number below `end`.
    pub fn below(&self, end: u64) -> u64 {
        let mut z = self.0.fetch_add(0x9E37_79B9_7F4A_7C15, Ordering::SeqCst);
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        (z ^ (z >> 31)) % end
    }

    /// One of `choices`.
    pub fn pick<'a, T>(&self, choices: &'a [T]) -> &'a T {
        &choices[usize::try_from(self.below(choices.len() as u64)).unwrap()]
    }
}
