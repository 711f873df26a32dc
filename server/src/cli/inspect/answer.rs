//! The output for one file: its metadata in the API's form, or a report for people.

use std::io::{self, Write};
use std::path::Path;
use std::time::Instant;

use chrono::{SecondsFormat, Utc};
use engine::{
    Anchor, DigestSource, Failure, FileDigest, LocalFile, Metadata, Options, Reason, Source, Stats, analyze_measured,
};
use report::Report;
use report::words::is_unseen;
use serde::Serialize;
use shared::bucket::RangedObject;
use shared::file_hash::FileHash;

use super::Inspect;
use super::files::InputFile;
use super::problem::{Problem, problem, unreadable};
use super::row::FileRow;
use super::version::{self, VersionHash, options};

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
    evidence: Option<InspectedBy>,
    #[serde(skip_serializing_if = "Option::is_none")]
    stats: Option<Measured>,
}

/// The program and time of an inspection, and the file's versions.
#[derive(Serialize)]
struct InspectedBy {
    program: &'static str,
    inspected_at: String,
    versions: Vec<VersionHash>,
}

#[derive(Serialize)]
struct Measured {
    #[serde(flatten)]
    stats: Stats,
    /// Wall-clock time of the analysis, opening included.
    micros: u64,
}

/// The name and version of this program, for evidence.
pub(in crate::cli) const PROGRAM: &str = concat!("pdf-analysis ", env!("CARGO_PKG_VERSION"));

/// The result of a file.
pub(super) struct Answered {
    /// For tables and counts.
    pub(super) row: FileRow,
    /// A line of JSON, or a report for people.
    pub(super) text: Vec<u8>,
}

/// Inspects a file.
pub(super) fn answer(
    input: &InputFile,
    inspect: &Inspect,
    anchors: &[Anchor],
    passwords: &[String],
) -> io::Result<Answered> {
    let start = Instant::now();
    let (result, stats) = examined(input, inspect, anchors, passwords);
    let micros = start.elapsed().as_micros() as u64;
    let (metadata, error) = match result {
        Ok(metadata) => (Some(metadata), None),
        Err(problem) => (None, Some(problem)),
    };
    let stats = inspect.stats.then_some(Measured { stats, micros });
    let evidence =
        metadata.as_ref().filter(|_| inspect.sha256).map(|metadata| evidence(input, metadata)).transpose()?;
    let path = input.path.to_string_lossy();
    let answer = OutputLine { path: &path, ok: metadata.is_some(), metadata, error, evidence, stats };
    let value = serde_json::to_value(&answer)?;
    let row = FileRow::of(&value).ok_or_else(|| io::Error::other("an answer has no row"))?;
    let mut output = Vec::new();
    if inspect.integrity {
        let OutputLine { metadata, error, .. } = &answer;
        let hash = metadata.as_ref().filter(|_| inspect.sha256).and_then(|metadata| metadata.file.sha256.as_deref());
        write_report(&input.path, hash, metadata.as_ref(), error.as_ref(), &mut output)?;
        return Ok(Answered { row, text: output });
    }
    if inspect.pretty {
        serde_json::to_writer_pretty(&mut output, &answer)?;
    } else {
        serde_json::to_writer(&mut output, &answer)?;
    }
    output.push(b'\n');
    Ok(Answered { row, text: escaped(&output) })
}

/// The opened input.
enum Opened {
    Local(LocalFile),
    Object(RangedObject),
}

impl Opened {
    fn source(&self) -> &dyn Source {
        match self {
            Self::Local(file) => file,
            Self::Object(object) => object,
        }
    }
}

fn evidence(input: &InputFile, metadata: &Metadata) -> io::Result<InspectedBy> {
    let file = LocalFile::open(&input.path).map_err(io::Error::other)?;
    Ok(InspectedBy {
        program: PROGRAM,
        inspected_at: Utc::now().to_rfc3339_opts(SecondsFormat::Secs, true),
        versions: version::hashes(&file, metadata)?,
    })
}

/// Escapes control characters and bidi overrides in JSON (RFC 8259, section 7), which would manipulate a terminal:
/// outside of strings there are none except line ends.
pub(super) fn escaped(json: &[u8]) -> Vec<u8> {
    let mut seen = String::with_capacity(json.len());
    for letter in String::from_utf8_lossy(json).chars() {
        if letter != '\n' && is_unseen(letter) {
            seen.push_str(&format!("\\u{:04x}", u32::from(letter)));
        } else {
            seen.push(letter);
        }
    }
    seen.into_bytes()
}

fn examined(
    input: &InputFile,
    inspect: &Inspect,
    anchors: &[Anchor],
    passwords: &[String],
) -> (Result<Metadata, Problem>, Stats) {
    if let Some(why) = &input.error {
        let problem = Problem::of_reading(why.clone());
        return (Err(problem), Stats::default());
    }
    let opened = match &input.object {
        Some(object) => object.open().map(Opened::Object),
        None => LocalFile::open(&input.path).map(Opened::Local),
    };
    let opened = match opened {
        Ok(opened) => opened,
        Err(error) => return (Err(unreadable(&error)), Stats::default()),
    };
    let tried = |password| {
        let options = Options { skip_content: inspect.no_content, anchors, ..options(password) };
        analyze_measured(opened.source(), &options)
    };
    let (mut result, mut stats) = tried(passwords.first().map(String::as_str));
    for password in passwords.iter().skip(1) {
        if !matches!(result, Err(Failure::Rejected(Reason::WrongPassword))) {
            break;
        }
        (result, stats) = tried(Some(password));
    }
    let result = result.map_err(problem);
    let Opened::Local(file) = &opened else { return (result, stats) };
    if !inspect.sha256 {
        return (result, stats);
    }
    let hashed = |metadata| with_digest(metadata, file).map_err(|error| unreadable(&error));
    (result.and_then(hashed), stats)
}

/// The metadata with the hash of the file, which is known already if it was read completely for its signatures.
pub(in crate::cli) fn with_digest(metadata: Metadata, file: &LocalFile) -> io::Result<Metadata> {
    if metadata.file.sha256.is_some() {
        return Ok(metadata);
    }
    let sha256 = FileHash::of_all(file.contents()?)?.to_string();
    Ok(Metadata { file: FileDigest { sha256: Some(sha256), source: Some(DigestSource::Computed) }, ..metadata })
}

/// Writes the report for people, or the error.
fn write_report(
    path: &Path,
    hash: Option<&str>,
    metadata: Option<&Metadata>,
    error: Option<&Problem>,
    output: &mut impl Write,
) -> io::Result<()> {
    // file names are escaped for the same reason
    writeln!(output, "{}", path.to_string_lossy().replace(is_unseen, "\u{fffd}"))?;
    if let Some(error) = error {
        writeln!(output, "  {}", error.message)?;
    }
    if let Some(hash) = hash {
        writeln!(output, "  SHA-256 {hash}")?;
    }
    if let Some(report) = metadata.map(serde_json::to_value).transpose()?.as_ref().and_then(Report::of) {
        write!(output, "{report}")?;
    }
    writeln!(output)
}
