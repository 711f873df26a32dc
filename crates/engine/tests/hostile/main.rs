//! Hostile PDFs: made to crash, stall or bloat whoever reads them. Each is answered, with metadata or a reason,
//! within bounds of processor time and memory. Runs alone in its process, which counts every byte.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on panics")]

use std::ops::Range;
use std::panic;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use bytes::Bytes;
use cpu_time::ThreadTime;
use engine::{Anchor, AnchorSource, Failure, Memory, Options, Source, SourceError, analyze};
use peak_alloc::PeakAlloc;
use samples::hostile::{Hostile, all, every_form};

#[global_allocator]
static ALLOCATOR: PeakAlloc = PeakAlloc;

/// What an analysis may have in use beside the file itself.
const MOST_MEMORY: usize = 48 << 20;
/// What it may take, in a build that is not optimized and on a machine that does other work: tens of thousands of updates take
/// longest.
const MOST_TIME: Duration = Duration::from_secs(20);

/// Tests in other threads would be counted too.
static ALONE: Mutex<()> = Mutex::new(());

/// What one file cost.
struct Cost {
    name: &'static str,
    size: usize,
    answer: String,
    as_expected: bool,
    time: Duration,
    memory: usize,
}

#[test]
fn every_hostile_file_is_answered_within_bounds() {
    let _alone = ALONE.lock();
    static PANICS: AtomicUsize = AtomicUsize::new(0);
    let usual = panic::take_hook();
    panic::set_hook(Box::new(move |info| {
        // the engine would catch it and say that the file is corrupt
        PANICS.fetch_add(1, Ordering::SeqCst);
        usual(info);
    }));
    let files = all();
    let count = files.len();
    let mut costs: Vec<Cost> = files.iter().map(cost).collect();
    costs.sort_by_key(|cost| std::cmp::Reverse(cost.time));
    for cost in &costs {
        let (size, time, memory) = (cost.size, cost.time.as_millis(), cost.memory >> 10);
        println!("{:40} {size:>11} bytes {time:>7} ms {memory:>7} KiB  {}", cost.name, cost.answer);
    }
    let largest = costs.iter().max_by_key(|cost| cost.memory).unwrap();
    println!(
        "{count} hostile files; slowest: {} ({} ms); most memory: {} ({} KiB)",
        costs[0].name,
        costs[0].time.as_millis(),
        largest.name,
        largest.memory >> 10
    );
    assert!(count >= 50);
    assert_eq!(PANICS.load(Ordering::SeqCst), 0, "panics");
    for cost in &costs {
        assert!(cost.as_expected, "{}: {}", cost.name, cost.answer);
        assert!(cost.time < MOST_TIME && cost.memory < MOST_MEMORY, "{}", cost.name);
    }
}

/// A file of which nothing is read that was not asked for.
struct Sparse(Bytes);

impl Source for Sparse {
    fn len(&self) -> u64 {
        self.0.len() as u64
    }

    fn read(&self, ranges: &[Range<u64>]) -> Result<Vec<Bytes>, SourceError> {
        let piece = |range: &Range<u64>| Bytes::copy_from_slice(&self.0[range.start as usize..range.end as usize]);
        Ok(ranges.iter().map(piece).collect())
    }

    fn ends(&self) -> (u64, u64) {
        (1, 1)
    }
}

/// Broken off at every percent, whatever its form.
#[test]
fn a_file_cut_anywhere_is_answered() {
    let _alone = ALONE.lock();
    let mut files = 0;
    for file in every_form() {
        for percent in 0..100 {
            let cut = Bytes::copy_from_slice(&file[..file.len() * percent / 100]);
            let start = Instant::now();
            let result = analyze(&Memory(cut), &Options::default());
            assert!(matches!(result, Ok(_) | Err(Failure::Rejected(_))), "{percent} %: {result:?}");
            assert!(start.elapsed() < MOST_TIME, "{percent} %");
            files += 1;
        }
    }
    println!("{files} cut files");
}

fn cost(file: &Hostile) -> Cost {
    let bytes = Bytes::from(file.make());
    let size = bytes.len();
    let in_memory = measured(file, &Memory(bytes.clone()));
    let (answer, time, memory) = measured(file, &Sparse(bytes));
    // whichever way it is read, the answer is the same
    assert!(answer == in_memory.0, "{}: {answer:?} or {:?}", file.name, in_memory.0);
    let reason = answer.as_ref().err().map(String::as_str);
    let as_expected = file.expected.is_none_or(|expected| reason == expected.err());
    let answer = reason.unwrap_or("answered").to_owned();
    Cost { name: file.name, size, answer, as_expected, time: time.max(in_memory.1), memory: memory.max(in_memory.2) }
}

/// What is said of a file, or why it is refused, and what that costs.
fn measured(file: &Hostile, source: &dyn Source) -> (Result<String, String>, Duration, usize) {
    ALLOCATOR.reset_peak_usage();
    let before = ALLOCATOR.current_usage();
    let of = |certificate: &Vec<u8>| Anchor::read(certificate, AnchorSource::Account).unwrap();
    let anchors: Vec<Anchor> = file.anchors.iter().flat_map(of).collect();
    let start = ThreadTime::now();
    let result = analyze(source, &Options { password: file.password, anchors: &anchors, ..Options::default() });
    let (time, memory) = (start.elapsed(), ALLOCATOR.peak_usage().saturating_sub(before));
    (result.map(|metadata| format!("{metadata:?}")).map_err(|failure| reason(failure).to_owned()), time, memory)
}

fn reason(failure: Failure) -> &'static str {
    match failure {
        Failure::Rejected(reason) => reason.code(),
        Failure::Source(error) => panic!("{error}"),
    }
}
