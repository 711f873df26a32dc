//! A bound of work for hostile files.

use std::time::Duration;

use bytes::Bytes;
use cpu_time::ThreadTime;
use engine::{Failure, Memory, Metadata, Options, analyze_measured};

/// Processor time that no file takes, even in an unoptimized build: loops that spend no steps are noticed by it.
const MAX_PROCESSOR_TIME: Duration = Duration::from_secs(10);

/// The result of an analysis that spends at most `steps` of the file's budget, the same number on every machine.
pub(crate) fn analyze_within(steps: u64, file: &[u8], options: &Options) -> Result<Metadata, Failure> {
    let start = ThreadTime::now();
    let (result, stats) = analyze_measured(&Memory(Bytes::copy_from_slice(file)), options);
    assert!(stats.steps <= steps, "{} steps", stats.steps);
    assert!(start.elapsed() < MAX_PROCESSOR_TIME, "{:?}", start.elapsed());
    result
}
