//! The resource limits of one file. Every loop of the engine spends from this budget, so none can run away; loops over
//! signatures, certificates and revocation data spend from their own budget, by key length, with the same time limit
//! (`pdf_signature::verification`).

use std::time::{Duration, Instant};

use cpu_time::ThreadTime;

use crate::failure::{Fault, Reason, SourceError};

/// Maximum steps of work: bytes processed by this crate's loops, entries compared, nodes visited. About half a second,
/// enough for five passes over the largest file.
const MAX_STEPS: u64 = 1 << 29;
/// Maximum unpacked entries per file, at 24 bytes each: entries of nonconforming tables, repaired files and object
/// stream indexes. Other entries stay packed as in the file.
const MAX_ENTRIES: u64 = 1_000_000;
/// Cost of a cross-reference section in entries.
pub(crate) const SECTION: usize = 10;
/// Maximum bytes decoded from all streams of a file.
const MAX_DECODED_BYTES: u64 = 64 << 20;
/// Maximum bytes decoded from a single stream, far above metadata and object streams of real files.
const MAX_DECODED_BYTES_PER_STREAM: usize = 16 << 20;
/// Maximum characters of a text in evidence.
pub const SHOWN: usize = 200;
/// Cost in steps of an object that is rejected for too many values: parsing it takes some 10 ms.
pub(crate) const TOO_LARGE: usize = 32 << 20;
/// Steps between two checks of the clocks, which take less than a microsecond.
const STEPS_PER_CLOCK_CHECK: u64 = 1 << 20;

/// Limits of processor time and of elapsed time.
#[derive(Debug, Clone, Copy)]
pub struct TimeLimit {
    /// When to give up with a source error.
    pub until: Option<Instant>,
    /// Maximum processor time of the thread.
    processor: Option<Duration>,
}

impl TimeLimit {
    /// Returns the limit for work that starts now on this thread.
    pub fn new(deadline: Option<Instant>, processor_time: Option<Duration>) -> Self {
        let processor = processor_time.and_then(|budget| Some(spent()? + budget));
        Self { until: deadline, processor }
    }

    /// Fails when the processor time is spent, which rejects the file, or when the deadline has passed, which is a
    /// source error.
    pub fn check(self) -> Result<(), Fault> {
        if self.processor.is_some_and(|most| spent().is_some_and(|spent| spent >= most)) {
            return Err(Fault::Rejected(Reason::TooComplex));
        }
        match self.until {
            Some(deadline) if Instant::now() >= deadline => Err(SourceError::new("the deadline has passed").into()),
            _ => Ok(()),
        }
    }
}

/// Returns the processor time of this thread so far.
pub fn spent() -> Option<Duration> {
    ThreadTime::try_now().ok().map(|time| time.as_duration())
}

/// The remaining budget of a file.
#[derive(Debug)]
pub struct Budget {
    /// The limits of time.
    pub deadline: TimeLimit,
    steps: u64,
    next_look: u64,
    entries: u64,
    decoded: u64,
}

impl Budget {
    /// Returns the full budget of a file.
    pub fn new(deadline: TimeLimit) -> Self {
        Self { deadline, steps: MAX_STEPS, next_look: MAX_STEPS, entries: MAX_ENTRIES, decoded: MAX_DECODED_BYTES }
    }

    /// Spends work, and checks the clocks at intervals.
    pub fn work(&mut self, steps: usize) -> Result<(), Fault> {
        self.steps = spend(self.steps, steps)?;
        if self.steps <= self.next_look {
            self.next_look = self.steps.saturating_sub(STEPS_PER_CLOCK_CHECK);
            self.deadline.check()?;
        }
        Ok(())
    }

    /// Returns the remaining steps.
    pub fn steps_left(&self) -> u64 {
        self.steps
    }

    /// Returns the steps spent so far.
    pub fn steps_spent(&self) -> u64 {
        MAX_STEPS - self.steps
    }

    /// Spends memory for entries, or for sections of the cross-reference, which take as much as `SECTION` of them.
    pub fn entries(&mut self, count: usize) -> Result<(), Fault> {
        self.entries = spend(self.entries, count)?;
        Ok(())
    }

    /// Spends decoded bytes.
    pub fn decode(&mut self, bytes: usize) -> Result<(), Fault> {
        self.decoded = spend(self.decoded, bytes)?;
        self.work(bytes)
    }

    /// Returns the remaining bytes that may be decoded.
    pub fn decoding_left(&self) -> u64 {
        self.decoded
    }

    /// Returns the maximum decoded bytes of the next stream.
    pub(crate) fn decode_limit(&self) -> usize {
        MAX_DECODED_BYTES_PER_STREAM.min(self.decoded as usize)
    }
}

/// Returns the rest after spending.
///
/// # Errors
/// `TooComplex` if it is not enough.
pub fn spend(left: u64, wanted: usize) -> Result<u64, Fault> {
    left.checked_sub(wanted as u64).ok_or(Fault::Rejected(Reason::TooComplex))
}
