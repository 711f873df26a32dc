//! `inspect`: the extraction engine on the command line, without the service around it.

mod version;

use std::fs::File;
use std::io::{self, BufRead, BufReader, BufWriter, Read, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Instant;

use clap::Args;
use engine::{DigestSource, Failure, FileDigest, LocalFile, Metadata, Options, Reason, Stats, analyze_measured};
use serde::Serialize;
use shared::file_hash::Hashing;
use web::integrity::Report;

/// How much of a file is hashed at a time.
const PIECE: usize = 256 * 1024;

/// Print the metadata of PDF files, one JSON object a line; or whether they were changed, for people
#[derive(Debug, Args)]
pub(super) struct Inspect {
    /// Try this password on files that the empty one does not open
    #[arg(long)]
    password: Option<String>,
    /// Add what each file cost: bytes, reads, rounds of reads and microseconds
    #[arg(long)]
    stats: bool,
    /// Add the SHA-256 of each file that is a PDF: all of it is read for that
    #[arg(long)]
    sha256: bool,
    /// Do not look at what pages hide, which takes most of the time of a small file
    #[arg(long)]
    no_content: bool,
    /// Read further file names from this file, one a line; `-` is standard input
    #[arg(long, value_name = "FILE")]
    files_from: Option<PathBuf>,
    /// Indent the JSON for people
    #[arg(long)]
    pretty: bool,
    /// Print as text whether each file was changed after it was made, and what shows it
    #[arg(long, conflicts_with_all = ["stats", "pretty"])]
    integrity: bool,
    /// Write the earlier version that this save left, the first bytes of the one file, instead of anything about it
    #[arg(long, value_name = "N", requires = "output", conflicts_with_all = ["stats", "pretty", "integrity", "no_content", "files_from"])]
    revision: Option<u32>,
    /// Where to write that version
    #[arg(short, long, value_name = "FILE", requires = "revision")]
    output: Option<PathBuf>,
    /// The files to inspect
    #[arg(value_name = "FILE", required_unless_present = "files_from")]
    files: Vec<PathBuf>,
}

/// One line of output.
#[derive(Serialize)]
struct Answer<'a> {
    path: &'a str,
    ok: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    metadata: Option<Metadata>,
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<Problem>,
    #[serde(skip_serializing_if = "Option::is_none")]
    stats: Option<Measured>,
}

/// The error as the API words it.
#[derive(Serialize)]
struct Problem {
    code: &'static str,
    message: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    details: Option<Details>,
}

#[derive(Serialize)]
struct Details {
    reason: &'static str,
}

#[derive(Serialize)]
struct Measured {
    #[serde(flatten)]
    stats: Stats,
    /// Wall-clock time of the analysis, opening included.
    micros: u64,
}

impl Inspect {
    /// Inspects all files in order. Exit code 0 says that every one was answered, 1 that some could not be read.
    pub(super) fn run(self) -> ExitCode {
        if let (Some(revision), Some(output)) = (self.revision, &self.output) {
            return match version::write(&self.files, self.password.as_deref(), revision, output) {
                Ok(()) => ExitCode::SUCCESS,
                Err(error) => {
                    eprintln!("inspect: {error}");
                    ExitCode::FAILURE
                }
            };
        }
        match self.print(&mut BufWriter::new(io::stdout().lock())) {
            Ok(true) => ExitCode::SUCCESS,
            Ok(false) => ExitCode::FAILURE,
            // Whoever read our output has had enough.
            Err(error) if error.kind() == io::ErrorKind::BrokenPipe => ExitCode::SUCCESS,
            Err(error) => {
                eprintln!("inspect: {error}");
                ExitCode::FAILURE
            }
        }
    }

    /// Writes one answer per file; whether all files could be read.
    fn print(&self, output: &mut impl Write) -> io::Result<bool> {
        let mut all_read = true;
        for path in &self.files {
            all_read &= self.answer(path, output)?;
        }
        if let Some(list) = &self.files_from {
            for line in lines(list)? {
                all_read &= self.answer(Path::new(&line?), output)?;
            }
        }
        output.flush()?;
        Ok(all_read)
    }

    /// Writes the answer for one file; whether it could be read.
    fn answer(&self, path: &Path, output: &mut impl Write) -> io::Result<bool> {
        let start = Instant::now();
        let options = Options { skip_content: self.no_content, ..options(self.password.as_deref()) };
        let (mut result, stats) = match LocalFile::open(path) {
            Ok(file) => {
                let (result, stats) = analyze_measured(&file, &options);
                (result.map_err(problem), stats)
            }
            Err(error) => (Err(unreadable(&error)), Stats::default()),
        };
        if self.sha256 {
            result = result.and_then(|metadata| with_digest(metadata, path).map_err(|error| unreadable(&error)));
        }
        let micros = start.elapsed().as_micros() as u64;
        let stats = self.stats.then_some(Measured { stats, micros });
        let read = !matches!(&result, Err(Problem { details: None, .. }));
        let (metadata, error) = match result {
            Ok(metadata) => (Some(metadata), None),
            Err(problem) => (None, Some(problem)),
        };
        if self.integrity {
            report(path, metadata.as_ref(), error.as_ref(), output)?;
            return Ok(read);
        }
        let answer = Answer { path: &path.to_string_lossy(), ok: metadata.is_some(), metadata, error, stats };
        if self.pretty {
            serde_json::to_writer_pretty(&mut *output, &answer)?;
        } else {
            serde_json::to_writer(&mut *output, &answer)?;
        }
        writeln!(output)?;
        Ok(read)
    }
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

fn options(password: Option<&str>) -> Options<'_> {
    Options { password, ..Options::default() }
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

fn problem(failure: Failure) -> Problem {
    match failure {
        Failure::Rejected(reason) => rejected(reason),
        Failure::Source(error) => unreadable(&error),
    }
}

fn rejected(reason: Reason) -> Problem {
    let details = Some(Details { reason: reason.code() });
    Problem { code: "analysis_failed", message: reason.message().to_owned(), details }
}

fn unreadable(error: &dyn std::error::Error) -> Problem {
    let cause = error.source().map(|cause| format!(": {cause}")).unwrap_or_default();
    Problem { code: "unreadable", message: format!("{error}{cause}"), details: None }
}

fn lines(list: &Path) -> io::Result<Box<dyn Iterator<Item = io::Result<String>>>> {
    if list == Path::new("-") {
        return Ok(Box::new(io::stdin().lines()));
    }
    Ok(Box::new(BufReader::new(File::open(list)?).lines()))
}
