//! Prints the metadata of PDF files, one JSON object a line: `inspect [--stats] [--remote] [--files-from LIST] FILE…`.
//!
//! `--remote` reads in ranges as from a store far away, else files are read into memory first.

use std::ops::Range;
use std::path::{Path, PathBuf};
use std::time::Instant;
use std::{env, fs};

use bytes::Bytes;
use engine::{Failure, LocalFile, Memory, Options, Source, SourceError, analyze_measured};
use serde_json::{Value, json};

/// A file that is read like one in a store.
struct Remote(LocalFile);

impl Source for Remote {
    fn len(&self) -> u64 {
        self.0.len()
    }

    fn read(&self, ranges: &[Range<u64>]) -> Result<Vec<Bytes>, SourceError> {
        self.0.read(ranges)
    }

    fn read_ahead(&self) -> usize {
        1 << 20
    }
}

fn main() {
    let (mut paths, mut stats, mut remote) = (Vec::<PathBuf>::new(), false, false);
    let mut arguments = env::args().skip(1);
    while let Some(argument) = arguments.next() {
        match argument.as_str() {
            "--stats" => stats = true,
            "--remote" => remote = true,
            "--files-from" => {
                let list = arguments.next().expect("--files-from names a file");
                let list = fs::read_to_string(list).expect("a readable list");
                paths.extend(list.lines().map(PathBuf::from));
            }
            path => paths.push(path.into()),
        }
    }
    for path in paths {
        println!("{}", line(&path, stats, remote));
    }
}

fn line(path: &Path, stats: bool, remote: bool) -> Value {
    let source: Box<dyn Source> = if remote {
        Box::new(Remote(LocalFile::open(path).expect("a readable file")))
    } else {
        Box::new(Memory(fs::read(path).expect("a readable file").into()))
    };
    let now = Some(chrono::Utc::now());
    let start = Instant::now();
    let (result, cost) = analyze_measured(&*source, &Options { now, ..Options::default() });
    let time = start.elapsed().as_micros();
    let mut line = match result {
        Ok(metadata) => json!({"path": path, "ok": true, "metadata": metadata}),
        Err(Failure::Rejected(reason)) => {
            json!({"path": path, "ok": false, "error": {"code": "analysis_failed", "details": {"reason": reason.code()}}})
        }
        Err(Failure::Source(error)) => panic!("{}: {error}", path.display()),
    };
    if stats && let Value::Object(line) = &mut line {
        let bytes = cost.bytes_read;
        line.insert(
            "stats".to_owned(),
            json!({"bytes": bytes, "reads": cost.reads, "rounds": cost.rounds, "micros": time as u64}),
        );
    }
    line
}
