//! `inspect`: the extraction engine on the command line, without the service around it.

pub(super) mod answer;
mod bucket;
mod compare;
mod files;
mod outcome;
mod parallel;
pub(super) mod problem;
mod progress;
mod resume;
mod row;
pub(super) mod version;

use std::io::{self, BufWriter, IsTerminal, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::{Args, ValueEnum};
use engine::Anchor;

use super::anchors::Trusted;
use answer::{Answered, answer};
use files::InputFile;
use outcome::{FailOn, InspectOutcome, OutcomeCounts};
use resume::ResultsFile;
use row::FileRow;

/// The exit code if a file has one of the outcomes of `--fail-on`; an unreadable file is 1, a wrong command line 2.
const EXIT_FAIL_ON: u8 = 3;
const EXIT_USAGE: u8 = 2;

/// Inspect PDF files: whether they were changed, and their metadata. A table on a terminal, else one JSON object a line
///
/// Exit codes: 0 all is well, 1 a file could not be read or there was none, 2 the command line is wrong, 3 a file has an outcome
/// that --fail-on names.
#[derive(Debug, Args)]
pub(super) struct Inspect {
    /// How results are printed: one JSON object a line (json), a table for spreadsheets (csv), or for people, the most urgent first
    /// (table) [default: table where standard output is a terminal, else json]
    #[arg(long, value_name = "FORMAT")]
    format: Option<Format>,
    /// Try this password on files that the empty one does not open
    #[arg(long)]
    password: Option<String>,
    /// Try the passwords in this file as well, one a line
    #[arg(long, value_name = "FILE")]
    passwords: Option<PathBuf>,
    /// Files inspected at once [default: as many as there are processors]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..))]
    jobs: Option<u16>,
    /// Add results to this file, one JSON object a line, and skip files that it has results for
    #[arg(long, value_name = "FILE", conflicts_with_all = ["pretty", "integrity"])]
    resume: Option<PathBuf>,
    /// Add what each file cost: bytes, reads, rounds of reads and microseconds
    #[arg(long)]
    stats: bool,
    /// Add the SHA-256 of each file and of the versions in it, and by which program and when it was inspected: all of it is read
    /// for that
    #[arg(long)]
    sha256: bool,
    /// Do not read page content, which takes most of the time of a small file
    #[arg(long)]
    no_content: bool,
    #[command(flatten)]
    trusted: Trusted,
    /// Fail where a file has one of these: an outcome (needs_review, inconclusive, no_findings), a verdict such as
    /// changed_since_signing, or analysis_failed for files that cannot be analyzed
    #[arg(long, value_name = "OUTCOMES", value_delimiter = ',', value_parser = outcome::parse)]
    fail_on: Vec<FailOn>,
    /// Print only files that fail or cannot be read; without --fail-on those that need review or cannot be analyzed
    #[arg(short, long)]
    quiet: bool,
    /// Read further file names from this file, one a line; `-` is standard input
    #[arg(long, value_name = "FILE")]
    files_from: Option<PathBuf>,
    /// Indent the JSON for people
    #[arg(long, conflicts_with = "format")]
    pretty: bool,
    /// Print as text whether each file was changed after it was made, and what shows it
    #[arg(long, conflicts_with_all = ["stats", "pretty", "format"])]
    integrity: bool,
    /// Compare two files, the earlier one first: how they are related, and which words, pages and metadata differ; with
    /// --integrity as text for people
    #[arg(long, conflicts_with_all = ["stats", "sha256", "no_content", "files_from", "fail_on", "trust", "format", "resume", "quiet"])]
    compare: bool,
    /// Write the version that this revision left, the first bytes of the one file, instead of anything about it
    #[arg(long, value_name = "N", requires = "output", conflicts_with_all = ["stats", "pretty", "integrity", "no_content", "files_from", "fail_on", "format", "resume", "quiet"])]
    revision: Option<u32>,
    /// Where to write that version
    #[arg(short, long, value_name = "FILE", requires = "revision")]
    output: Option<PathBuf>,
    /// The files to inspect; `-` is standard input; of a folder all that end in .pdf, in folders inside it too, but nothing hidden and nothing that is
    /// only a link; s3://BUCKET/KEY is an object, s3://BUCKET/PREFIX all under it that end in .pdf
    #[arg(value_name = "FILE", required_unless_present = "files_from")]
    files: Vec<PathBuf>,
}

/// Whether a name ends in `.pdf`.
fn is_pdf(path: &Path) -> bool {
    path.extension().is_some_and(|ending| ending.eq_ignore_ascii_case("pdf"))
}

/// How results are printed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Format {
    Json,
    Csv,
    Table,
}

/// Why a command failed.
#[derive(Debug, thiserror::Error)]
pub(super) enum InspectError {
    /// The options contradict each other.
    #[error("{0}")]
    Usage(String),
    #[error("{0}")]
    Failed(String),
}

impl From<io::Error> for InspectError {
    fn from(error: io::Error) -> Self {
        Self::Failed(error.to_string())
    }
}

impl From<String> for InspectError {
    fn from(error: String) -> Self {
        Self::Failed(error)
    }
}

impl Inspect {
    /// Inspects all files; returns the exit code.
    pub(super) fn run(self) -> ExitCode {
        let done = match (self.revision, &self.output) {
            _ if self.compare => self.compare(),
            (Some(revision), Some(output)) => {
                version::write(&self.files, self.password.as_deref(), revision, output).map(|()| ExitCode::SUCCESS)
            }
            _ => self.inspect(),
        };
        done.unwrap_or_else(|error| {
            eprintln!("inspect: {error}");
            match error {
                InspectError::Usage(_) => ExitCode::from(EXIT_USAGE),
                InspectError::Failed(_) => ExitCode::FAILURE,
            }
        })
    }

    fn compare(&self) -> Result<ExitCode, InspectError> {
        let format = match (self.integrity, self.pretty) {
            (true, _) => compare::Format::Text,
            (false, true) => compare::Format::Pretty,
            (false, false) => compare::Format::Json,
        };
        print!("{}", compare::compared(&self.files, self.password.as_deref(), format)?);
        Ok(ExitCode::SUCCESS)
    }

    /// The format of results; `None` for those printed one by one.
    fn format(&self) -> Format {
        let streams = self.integrity || self.pretty || self.stats || !io::stdout().is_terminal();
        self.format.unwrap_or(if streams { Format::Json } else { Format::Table })
    }

    /// The passwords to try, the command line's first.
    fn passwords(&self) -> Result<Vec<String>, InspectError> {
        let mut passwords: Vec<String> = self.password.iter().cloned().collect();
        if let Some(path) = &self.passwords {
            let listed = std::fs::read_to_string(path).map_err(|error| format!("{}: {error}", path.display()))?;
            passwords.extend(listed.lines().filter(|line| !line.is_empty()).map(str::to_owned));
        }
        Ok(passwords)
    }

    fn inspect(&self) -> Result<ExitCode, InspectError> {
        let mut counts = OutcomeCounts::default();
        let (anchors, passwords) = (self.trusted.anchors()?, self.passwords()?);
        let found = self.found()?;
        if self.sha256 && found.iter().any(|file| file.object.is_some()) {
            let message = "--sha256 reads local files alone; S3 keeps checksums of its objects";
            return Err(InspectError::Usage(message.to_owned()));
        }
        // an empty list is allowed, a named folder without PDFs is an error
        if found.is_empty() && !self.files.is_empty() {
            let asked: Vec<String> = self.files.iter().map(|path| path.display().to_string()).collect();
            return Err(InspectError::Failed(format!("no PDF files found in {}", asked.join(", "))));
        }
        let mut output = BufWriter::new(io::stdout().lock());
        match self.print(&found, (&anchors, &passwords), &mut output, &mut counts) {
            // The reader closed the pipe, but later files may still fail.
            Err(error) if error.kind() == io::ErrorKind::BrokenPipe && self.fail_on.is_empty() => {
                return Ok(ExitCode::SUCCESS);
            }
            printed => printed?,
        }
        drop(output);
        if !self.fail_on.is_empty() || found.len() > 1 {
            eprintln!("inspect: {}", counts.summary(&self.fail_on));
        }
        Ok(match counts {
            _ if counts.fails(&self.fail_on) > 0 => ExitCode::from(EXIT_FAIL_ON),
            _ if counts.count(InspectOutcome::Unreadable) > 0 => ExitCode::FAILURE,
            _ => ExitCode::SUCCESS,
        })
    }

    /// Writes the answers in the order of the files, or a table at the end, and counts outcomes.
    fn print(
        &self,
        found: &[InputFile],
        (anchors, passwords): (&[Anchor], &[String]),
        output: &mut impl Write,
        counts: &mut OutcomeCounts,
    ) -> io::Result<()> {
        let format = self.format();
        let mut results = self.resume.as_deref().map(ResultsFile::open).transpose()?;
        let known = |file: &InputFile| results.as_ref()?.known(&file.path.to_string_lossy()).cloned();
        let mut rows: Vec<Option<FileRow>> = found.iter().map(known).collect();
        for row in rows.iter().flatten() {
            counts.add(row.outcome, row.failure.as_deref());
        }
        let todo: Vec<usize> = rows.iter().enumerate().filter_map(|(at, row)| row.is_none().then_some(at)).collect();
        let jobs = self.jobs.map_or_else(|| std::thread::available_parallelism().map_or(1, usize::from), usize::from);
        let streams = format == Format::Json && results.is_none();
        let is_watched = io::stdout().is_terminal();
        let bar = progress::bar(todo.len(), streams && is_watched);
        let work = |at: &usize| {
            let file = found.get(*at).ok_or_else(|| io::Error::other("a file is gone from the list"))?;
            Ok((*at, answer(file, self, anchors, passwords)?))
        };
        parallel::in_order(&todo, jobs, work, |answered: io::Result<(usize, Answered)>| {
            let (at, Answered { row, text }) = answered?;
            counts.add(row.outcome, row.failure.as_deref());
            if let Some(results) = &mut results {
                results.add(&text)?;
            } else if streams && self.is_shown(&row) {
                output.write_all(&text)?;
                if is_watched {
                    output.flush()?;
                }
            }
            if let (Format::Csv | Format::Table, Some(place)) = (format, rows.get_mut(at)) {
                *place = Some(row);
            }
            bar.inc(1);
            io::Result::Ok(())
        })?;
        bar.finish_and_clear();
        let rows: Vec<FileRow> = rows.into_iter().flatten().filter(|row| self.is_shown(row)).collect();
        match format {
            Format::Json => {}
            Format::Csv => output.write_all(row::csv(&rows).as_bytes())?,
            Format::Table => output.write_all(row::table(&rows).as_bytes())?,
        }
        output.flush()
    }

    /// Whether a file is printed.
    fn is_shown(&self, row: &FileRow) -> bool {
        let is_bad = match self.fail_on.as_slice() {
            [] => row.failure.is_some() || row.outcome.outcome() == engine::Outcome::NeedsReview,
            fail_on => row.outcome.is_in(fail_on),
        };
        !self.quiet || is_bad || row.outcome == InspectOutcome::Unreadable
    }

    /// All files, in the order of the arguments.
    fn found(&self) -> io::Result<Vec<InputFile>> {
        let listed = self.files_from.as_deref().map(files::listed).transpose()?.unwrap_or_default();
        Ok(self.files.iter().chain(&listed).flat_map(|path| files::below(path)).collect())
    }
}
