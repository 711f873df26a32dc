//! What is said of one file: its metadata, as the API words it, or a report for people.

use std::fs::File;
use std::io::{self, Read, Write};
use std::path::Path;
use std::time::Instant;

use chrono::Utc;
use engine::{DigestSource, FileDigest, LocalFile, Metadata, Options, Stats, analyze_measured};
use serde::Serialize;
use shared::file_hash::Hashing;
use web::integrity::Report;

use super::files::InputFile;
use super::outcome::InspectOutcome;
use super::problem::{Problem, problem, unreadable};

/// How much of a file is hashed at a time.
const PIECE: usize = 256 * 1024;

/// How files are to be looked at, and what is to be said of them.
pub(super) struct InspectOptions<'a> {
    pub(super) password: Option<&'a str>,
    pub(super) stats: bool,
    pub(super) sha256: bool,
    pub(super) no_content: bool,
    pub(super) pretty: bool,
    pub(super) integrity: bool,
}

/// One line of output.
#[derive(Serialize)]
struct OutputLine<'a> {
    path: &'a str,
    ok: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    metadata: Option<Metadata>,
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<Problem>,
    #[serde(skip_serializing_if = "Option::is_none")]
    stats: Option<Measured>,
}

#[derive(Serialize)]
struct Measured {
    #[serde(flatten)]
    stats: Stats,
    /// Wall-clock time of the analysis, opening included.
    micros: u64,
}

/// What came of a file, and what is to be printed of it.
pub(super) fn answer(input: &InputFile, inspect: &InspectOptions<'_>) -> io::Result<(InspectOutcome, Vec<u8>)> {
    let start = Instant::now();
    let (result, stats) = examined(input, inspect);
    let micros = start.elapsed().as_micros() as u64;
    let outcome = InspectOutcome::of(&result);
    let (metadata, error) = match result {
        Ok(metadata) => (Some(metadata), None),
        Err(problem) => (None, Some(problem)),
    };
    let mut output = Vec::new();
    if inspect.integrity {
        report(&input.path, metadata.as_ref(), error.as_ref(), &mut output)?;
        return Ok((outcome, output));
    }
    let stats = inspect.stats.then_some(Measured { stats, micros });
    let path = input.path.to_string_lossy();
    let answer = OutputLine { path: &path, ok: metadata.is_some(), metadata, error, stats };
    if inspect.pretty {
        serde_json::to_writer_pretty(&mut output, &answer)?;
    } else {
        serde_json::to_writer(&mut output, &answer)?;
    }
    output.push(b'\n');
    Ok((outcome, output))
}

fn examined(input: &InputFile, inspect: &InspectOptions<'_>) -> (Result<Metadata, Problem>, Stats) {
    if let Some(why) = &input.error {
        let problem = Problem::of_reading(why.clone());
        return (Err(problem), Stats::default());
    }
    let file = match LocalFile::open(&input.path) {
        Ok(file) => file,
        Err(error) => return (Err(unreadable(&error)), Stats::default()),
    };
    let options = Options { skip_content: inspect.no_content, ..options(inspect.password) };
    let (result, stats) = analyze_measured(&file, &options);
    let result = result.map_err(problem);
    if !inspect.sha256 {
        return (result, stats);
    }
    let hashed = |metadata| with_digest(metadata, &input.path).map_err(|error| unreadable(&error));
    (result.and_then(hashed), stats)
}

/// The metadata with the hash of the whole file.
fn with_digest(metadata: Metadata, path: &Path) -> io::Result<Metadata> {
    let mut file = File::open(path)?;
    let (mut hashing, mut at, mut piece) = (Hashing::default(), 0, vec![0; PIECE]);
    loop {
        let read = file.read(&mut piece)?;
        hashing.piece(at, &piece[..read]);
        at += read as u64;
        if read == 0 {
            break;
        }
    }
    let sha256 = hashing.finish(at).map(|hash| hash.to_string());
    let source = sha256.as_ref().map(|_| DigestSource::Computed);
    Ok(Metadata { file: FileDigest { sha256, source }, ..metadata })
}

pub(super) fn options(password: Option<&str>) -> Options<'_> {
    Options { password, now: Some(Utc::now()), ..Options::default() }
}

/// Writes for people whether a file was changed, or why that could not be looked at.
fn report(
    path: &Path,
    metadata: Option<&Metadata>,
    error: Option<&Problem>,
    output: &mut impl Write,
) -> io::Result<()> {
    // a name must not move the cursor either
    writeln!(output, "{}", path.to_string_lossy().replace(char::is_control, "\u{fffd}"))?;
    if let Some(error) = error {
        writeln!(output, "  {}", error.message)?;
    }
    if let Some(hash) = metadata.and_then(|metadata| metadata.file.sha256.as_ref()) {
        writeln!(output, "  SHA-256 {hash}")?;
    }
    if let Some(report) = metadata.map(serde_json::to_value).transpose()?.as_ref().and_then(Report::of) {
        write!(output, "{report}")?;
    }
    writeln!(output)
}
