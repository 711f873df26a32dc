//! Processor time and memory of what runs in this thread.

use std::alloc::{GlobalAlloc, Layout, System};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use cpu_time::ThreadTime;
use engine::Options;

/// Metadata alone, as other programs tell it: what pages hide costs more, and none of them looks at it.
pub const METADATA: Options<'static> =
    Options { password: None, deadline: None, processor_time: None, now: None, skip_content: true, anchors: &[] };

/// Runs `work` and says how much processor time it took.
pub fn timed<T>(work: impl FnOnce() -> T) -> (T, Duration) {
    let start = ThreadTime::now();
    let result = work();
    (result, start.elapsed())
}

/// The system's allocator, keeping count of calls and of the bytes in use.
pub struct Counting;

static IN_USE: AtomicUsize = AtomicUsize::new(0);
static PEAK: AtomicUsize = AtomicUsize::new(0);
static CALLS: AtomicUsize = AtomicUsize::new(0);
static ASKED: AtomicUsize = AtomicUsize::new(0);

// SAFETY: every call is passed on to the system's allocator as it came.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        let in_use = IN_USE.fetch_add(layout.size(), Ordering::Relaxed) + layout.size();
        PEAK.fetch_max(in_use, Ordering::Relaxed);
        CALLS.fetch_add(1, Ordering::Relaxed);
        ASKED.fetch_add(layout.size(), Ordering::Relaxed);
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        IN_USE.fetch_sub(layout.size(), Ordering::Relaxed);
        unsafe { System.dealloc(pointer, layout) }
    }
}

/// Runs `work` and says how much memory it had in use at most, beyond what was in use before. Counts only in programs
/// whose allocator is [`Counting`].
pub fn peak_memory<T>(work: impl FnOnce() -> T) -> (T, usize) {
    let before = IN_USE.load(Ordering::Relaxed);
    PEAK.store(before, Ordering::Relaxed);
    let result = work();
    (result, PEAK.load(Ordering::Relaxed) - before)
}

/// Runs `work` and says how often it asked for memory and for how many bytes in all. Counts only in programs whose
/// allocator is [`Counting`].
pub fn allocations<T>(work: impl FnOnce() -> T) -> (T, usize, usize) {
    let (calls, asked) = (CALLS.load(Ordering::Relaxed), ASKED.load(Ordering::Relaxed));
    let result = work();
    (result, CALLS.load(Ordering::Relaxed) - calls, ASKED.load(Ordering::Relaxed) - asked)
}
