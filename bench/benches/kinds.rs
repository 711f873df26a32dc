//! What one file of each kind costs: time by criterion, and counts, which are the same on every machine.

use bench::measure::{Counting, METADATA, allocations};
use bytes::Bytes;
use criterion::{Criterion, Throughput};
use engine::{Memory, Source, SourceError, analyze, analyze_measured};
use samples::kinds::kinds;

#[global_allocator]
static ALLOCATOR: Counting = Counting;

/// A file that has to be asked for, as on a disk.
struct Asked(Bytes);

impl Source for Asked {
    fn len(&self) -> u64 {
        self.0.len() as u64
    }

    fn read(&self, ranges: &[std::ops::Range<u64>]) -> Result<Vec<Bytes>, SourceError> {
        Ok(ranges.iter().map(|range| self.0.slice(range.start as usize..range.end as usize)).collect())
    }
}

fn main() {
    let mut criterion = Criterion::default().configure_from_args();
    println!(
        "{:16} {:>9} {:>9} {:>6} {:>6} {:>11} {:>9}",
        "file", "size", "bytes", "reads", "rounds", "allocations", "memory"
    );
    for (name, content) in kinds() {
        let content = Bytes::from(content);
        let (result, stats) = analyze_measured(&Asked(content.clone()), &METADATA);
        assert!(result.is_ok(), "{name}: {result:?}");
        let memory = Memory(content.clone());
        let (_, count, bytes) = allocations(|| analyze(&memory, &METADATA));
        println!(
            "{name:16} {:9} {:9} {:6} {:6} {count:11} {bytes:9}",
            stats.file_size, stats.bytes_read, stats.reads, stats.rounds
        );
        let mut group = criterion.benchmark_group("analyze");
        group.throughput(Throughput::Elements(1));
        group.bench_function(name, |bencher| bencher.iter(|| analyze(&memory, &METADATA)));
        group.finish();
    }
    criterion.final_summary();
}
