//! Sources other than memory: the same answers, few reads, and failures that are not the file's.

use std::fs;
use std::ops::Range;
use std::path::Path;

use bytes::Bytes;
use engine::{Failure, LocalFile, Options, Source, SourceError, Stats, analyze, analyze_measured};
use samples::pdf::Pdf;

use crate::support::{Remote, memory, open};

/// A document of many pages and a body of that many bytes in its middle.
fn large(size: usize) -> Pdf {
    Pdf::new(300).info("/Title (Large)").with_stream(5000, "/Filter /None", &vec![b'x'; size])
}

fn remote(content: &[u8]) -> Stats {
    let (result, stats) = analyze_measured(&Remote { content, read_ahead: 1024 }, &Options::default());
    assert_eq!(result.expect("the file opens"), open(content));
    stats
}

#[test]
fn a_large_file_is_hardly_read() {
    let pdf = large(4_000_000);
    for file in [pdf.classic(), pdf.compressed(), pdf.hybrid(&[]), pdf.linearized()] {
        let stats = remote(&file);
        assert_eq!(stats.file_size, file.len() as u64);
        assert!(stats.bytes_read < 200_000, "{stats:?}");
        assert!(stats.rounds <= 4, "{stats:?}");
    }
}

#[test]
fn a_damaged_large_file_is_jumped_through() {
    let mut file = large(4_000_000).classic();
    file.truncate(file.len() - 20);
    let stats = remote(&file);
    assert!(stats.bytes_read < 300_000, "{stats:?}");
}

#[test]
fn how_far_to_read_ahead_changes_nothing_but_the_cost() {
    let mut file = large(300_000).classic();
    file.truncate(file.len() - 20);
    let expected = open(&file);
    for read_ahead in [1, 100, 1000, 65_536, 10_000_000] {
        let metadata = analyze(&Remote { content: &file, read_ahead }, &Options::default());
        assert_eq!(metadata.expect("the file opens"), expected, "{read_ahead}");
    }
}

#[test]
fn head_and_tail_come_in_one_round() {
    let (result, stats) =
        analyze_measured(&Remote { content: &Pdf::new(1).classic(), read_ahead: 1 }, &Options::default());
    assert!(result.is_ok());
    assert_eq!(stats.rounds, 1);
}

#[test]
fn memory_is_not_read_at_all() {
    let (_, stats) = analyze_measured(&memory(&large(10_000).classic()), &Options::default());
    assert_eq!((stats.bytes_read, stats.reads, stats.rounds), (0, 0, 0));
}

#[test]
fn a_local_file_is_read_at_positions() {
    let content = large(500_000).compressed();
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join("local.pdf");
    fs::write(&path, &content).expect("room for it");
    let local = LocalFile::open(&path).expect("the file is there");
    assert_eq!(analyze(&local, &Options::default()).expect("the file opens"), open(&content));
    assert!(LocalFile::open(&std::env::temp_dir()).is_err(), "a folder is no file");
}

/// Answers so many reads, then no more.
struct Failing<'a> {
    content: Remote<'a>,
    left: std::cell::Cell<u32>,
}

impl Source for Failing<'_> {
    fn len(&self) -> u64 {
        self.content.len()
    }

    fn read(&self, ranges: &[Range<u64>]) -> Result<Vec<Bytes>, SourceError> {
        self.left.set(self.left.get().checked_sub(1).ok_or_else(|| SourceError::new("the network is gone"))?);
        self.content.read(ranges)
    }
}

#[test]
fn a_source_that_fails_is_not_the_files_fault() {
    let file = large(1_000_000).classic();
    let rounds = remote(&file).rounds as u32;
    for left in 0..rounds {
        let source = Failing { content: Remote { content: &file, read_ahead: 1024 }, left: left.into() };
        let result = analyze(&source, &Options::default());
        assert!(matches!(result, Err(Failure::Source(_))), "after {left} rounds: {result:?}");
    }
}
