//! What one file may cost. Every loop of the engine spends from here, so none can run away; those over signatures,
//! certificates and statements about them spend from an allowance of their own, by the length of keys, and look at the same
//! clock (`integrity::signature::verification`).

use std::time::{Duration, Instant};

use cpu_time::ThreadTime;

use crate::Options;
use crate::failure::{Fault, Reason, SourceError};

/// Steps of work: bytes looked at by our own loops, entries compared, nodes visited. Half a second's worth or so, and
/// enough to pass over the largest file five times.
const STEPS: u64 = 1 << 29;
/// Entries kept one by one, in all, at 24 bytes each: of tables that break the format, of repaired files, and of the
/// indexes of object streams. Others stay packed as in the file.
const ENTRIES: u64 = 1_000_000;
/// What a section of the cross-reference counts for in entries.
pub(crate) const SECTION: usize = 10;
/// Bytes decoded from streams, in all.
const DECODED: u64 = 64 << 20;
/// Bytes decoded from a single stream: no metadata or object stream of a real file comes near.
const DECODED_PER_STREAM: usize = 16 << 20;
/// Characters shown of a text in evidence.
pub(crate) const SHOWN: usize = 200;
/// What an object counts for in steps that turns out to have too many values: parsing it for nothing takes some 10 ms.
pub(crate) const TOO_LARGE: usize = 32 << 20;
/// Steps between two looks at the clocks, which cost less than a microsecond.
const STEPS_PER_LOOK: u64 = 1 << 20;

/// When to give up.
#[derive(Debug, Clone, Copy)]
pub(crate) struct TimeLimit {
    pub(crate) until: Option<Instant>,
    /// What the thread's processor time may come to.
    processor: Option<Duration>,
}

impl TimeLimit {
    /// For work that begins now, on this thread.
    pub(crate) fn of(options: &Options<'_>) -> Self {
        let processor = options.processor_time.and_then(|budget| Some(spent()? + budget));
        Self { until: options.deadline, processor }
    }

    /// Fails once the processor time is used up, which is the file's doing, or the deadline has passed, which may be
    /// anybody's.
    pub(crate) fn check(self) -> Result<(), Fault> {
        if self.processor.is_some_and(|most| spent().is_some_and(|spent| spent >= most)) {
            return Err(Fault::Rejected(Reason::TooComplex));
        }
        match self.until {
            Some(deadline) if Instant::now() >= deadline => Err(SourceError::new("the deadline has passed").into()),
            _ => Ok(()),
        }
    }
}

/// The processor time of this thread so far.
pub(crate) fn spent() -> Option<Duration> {
    ThreadTime::try_now().ok().map(|time| time.as_duration())
}

/// What is left of a file's allowance.
#[derive(Debug)]
pub(crate) struct Budget {
    pub(crate) deadline: TimeLimit,
    steps: u64,
    next_look: u64,
    entries: u64,
    decoded: u64,
}

impl Budget {
    pub(crate) fn new(deadline: TimeLimit) -> Self {
        Self { deadline, steps: STEPS, next_look: STEPS, entries: ENTRIES, decoded: DECODED }
    }

    /// Spends work, and looks at the clock now and then.
    pub(crate) fn work(&mut self, steps: usize) -> Result<(), Fault> {
        self.steps = spend(self.steps, steps)?;
        if self.steps <= self.next_look {
            self.next_look = self.steps.saturating_sub(STEPS_PER_LOOK);
            self.deadline.check()?;
        }
        Ok(())
    }

    /// How much work may still be done.
    pub(crate) fn steps_left(&self) -> u64 {
        self.steps
    }

    /// Spends memory for entries, or for sections of the cross-reference, which take as much as [`SECTION`] of them.
    pub(crate) fn entries(&mut self, count: usize) -> Result<(), Fault> {
        self.entries = spend(self.entries, count)?;
        Ok(())
    }

    /// Spends decoded bytes.
    pub(crate) fn decode(&mut self, bytes: usize) -> Result<(), Fault> {
        self.decoded = spend(self.decoded, bytes)?;
        self.work(bytes)
    }

    /// How many bytes one more stream may decode to.
    pub(crate) fn decode_limit(&self) -> usize {
        DECODED_PER_STREAM.min(self.decoded as usize)
    }
}

/// What is left of an allowance.
///
/// # Errors
/// `TooComplex` if it is not enough.
pub(crate) fn spend(left: u64, wanted: usize) -> Result<u64, Fault> {
    left.checked_sub(wanted as u64).ok_or(Fault::Rejected(Reason::TooComplex))
}
