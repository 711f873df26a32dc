//! Real files: how often the engine agrees with other tools, scored by the corpus's own script.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::{env, fs};

use engine::{Failure, LocalFile, Options, analyze};
use serde_json::{Value, json};

/// Below these the build fails. Those of the whole are lower than what the rows can reach: five files have a page tree
/// without a usable count, for which other tools say 0 pages; we count them. Two have bytes before their header, and
/// exiftool, which alone reads XMP, refuses these: the three texts that their XMP has count as invented.
const FLOORS: [(&str, Floor); 5] = [
    ("opened (two tools or more do)", Floor::Right(211)),
    ("every agreed field right", Floor::Right(206)),
    ("locked files refused as password_required", Floor::All),
    ("files that no tool opens refused", Floor::All),
    ("nothing invented", Floor::Right(601)),
];

#[derive(Clone, Copy)]
enum Floor {
    Right(u32),
    All,
}

#[test]
fn real_files_read_as_other_tools_read_them() {
    let corpus = PathBuf::from(env::var_os("PDF_CORPUS").expect("set PDF_CORPUS to a folder of real PDFs"));
    // tests run in their package's folder, the variable counts from the workspace's
    let corpus = if corpus.is_relative() { Path::new("../..").join(corpus) } else { corpus };
    let results = results(&corpus);
    let scores = scores(&corpus, &results);
    for (measure, floor) in FLOORS {
        let (right, all) = scores[measure];
        let least = if let Floor::Right(least) = floor { least } else { all };
        assert!(right >= least, "{measure}: {right} of {all}, must be {least}");
    }
}

/// One line of JSON per file, as `inspect` prints them.
fn results(corpus: &Path) -> String {
    let mut lines = String::new();
    let mut paths: Vec<PathBuf> = fs::read_dir(corpus.join("files"))
        .expect("the corpus has a folder `files`")
        .map(|entry| entry.expect("a file").path())
        .collect();
    paths.sort();
    for path in paths {
        let file = LocalFile::open(&path).expect("a readable file");
        let line = match analyze(&file, &Options::default()) {
            Ok(metadata) => json!({"path": path, "ok": true, "metadata": metadata}),
            Err(Failure::Rejected(reason)) => json!({"path": path, "ok": false, "error": error(reason.code())}),
            Err(Failure::Source(error)) => panic!("{}: {error}", path.display()),
        };
        lines.push_str(&format!("{line}\n"));
    }
    lines
}

fn error(reason: &str) -> Value {
    json!({"code": "analysis_failed", "details": {"reason": reason}})
}

/// Right and all of each measure that the script prints: `name  right / all  percent`.
fn scores(corpus: &Path, results: &str) -> BTreeMap<String, (u32, u32)> {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join("results.jsonl");
    fs::write(&path, results).expect("room for results");
    let mut command = Command::new("python3");
    command.arg(corpus.join("score.py")).arg(corpus.join("truth.jsonl")).arg(&path);
    let output = command.output().expect("python3 runs");
    let text = String::from_utf8(output.stdout).expect("text");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    println!("{text}");
    let score = |line: &str| {
        let (left, right) = line.split_once('/')?;
        let (name, count) = left.trim().rsplit_once(' ')?;
        let all = right.split_whitespace().next()?;
        Some((name.trim().to_owned(), (count.parse().ok()?, all.parse().ok()?)))
    };
    text.lines().filter_map(score).collect()
}
