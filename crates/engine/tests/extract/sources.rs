//! Sources other than memory: the same answers, few reads, and failures that are not the file's.

use std::fs;
use std::ops::Range;
use std::path::Path;

use bytes::Bytes;
use engine::{Failure, LocalFile, Options, Source, SourceError, Stats, analyze, analyze_measured};
use samples::pdf::Pdf;

use crate::remote::Remote;
use crate::support::{memory, open};

/// A document of many pages and a body of that many bytes in its middle.
fn large(size: usize) -> Pdf {
    Pdf::new(300).info("/Title (Large)").with_stream(5000, "/Filter /None", &vec![b'x'; size])
}

fn remote(content: &[u8]) -> Stats {
    let (result, stats) = analyze_measured(&Remote(content), &Options::default());
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
fn no_file_waits_more_than_64_times_for_a_read() {
    // a chain of fields, each behind a stream that would be a read of its own to jump over
    const FIELDS: u32 = 300;
    let field = |place: u32| 5_000 + 2 * (place * 7 % FIELDS);
    let mut scattered = Pdf::new(1).catalog(&format!("/AcroForm << /Fields [{} 0 R] >>", field(0)));
    for place in 0..FIELDS {
        let kids = if place % 20 < 19 { format!("/Kids [{} 0 R]", field(place + 1)) } else { String::new() };
        scattered = scattered.with(field(place), format!("<< /T (f{place}) {kids} >>"));
        scattered = scattered.with_stream(field(place) + 1, "", &[b'x'; 60_000]);
    }
    let whole = scattered.classic();
    let cut = whole[..whole.len() - 20].to_vec();
    for file in [whole, cut] {
        let stats = remote(&file);
        assert!(stats.rounds <= 64, "{stats:?}");
        assert!(stats.bytes_read <= 3 * file.len() as u64, "{stats:?}");
    }
}

#[test]
fn head_and_tail_come_in_one_round() {
    let (result, stats) = analyze_measured(&Remote(&Pdf::new(1).classic()), &Options::default());
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
        let source = Failing { content: Remote(&file), left: left.into() };
        let result = analyze(&source, &Options::default());
        assert!(matches!(result, Err(Failure::Source(_))), "after {left} rounds: {result:?}");
    }
}
