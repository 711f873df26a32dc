//! `inspect`: the extraction engine on the command line, without the service around it.

mod answer;
mod compare;
mod files;
mod outcome;
mod problem;
mod progress;
mod version;

use std::io::{self, BufWriter, IsTerminal, Write};
use std::path::PathBuf;
use std::process::ExitCode;

use clap::Args;
use engine::Anchor;

use super::anchors::Trusted;
use answer::answer;
use compare::Format;
use files::InputFile;
use outcome::{InspectOutcome, OutcomeCounts};

/// The exit code where a file has one of the outcomes of `--fail-on`: neither that of a file that cannot be read, 1, nor
/// that of a wrong command line, 2.
const FAILS: u8 = 3;

/// Print the metadata of PDF files, one JSON object a line; or whether they were changed, for people
///
/// Exit codes: 0 all is well, 1 a file could not be read, 2 the command line is wrong, 3 a file has an outcome that --fail-on names.
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
    #[command(flatten)]
    trusted: Trusted,
    /// Fail where a file has one of these outcomes, with a line that sums all up on standard error: verdicts such as
    /// changed_since_signing,changed,signs_of_change (saved_again is common, and no sign of a change), or analysis_failed for
    /// files that cannot be analysed
    #[arg(long, value_name = "OUTCOMES", value_delimiter = ',', value_parser = outcome::parse)]
    fail_on: Vec<InspectOutcome>,
    /// Print only files that fail or cannot be read
    #[arg(short, long, requires = "fail_on")]
    quiet: bool,
    /// Read further file names from this file, one a line; `-` is standard input
    #[arg(long, value_name = "FILE")]
    files_from: Option<PathBuf>,
    /// Indent the JSON for people
    #[arg(long)]
    pretty: bool,
    /// Print as text whether each file was changed after it was made, and what shows it
    #[arg(long, conflicts_with_all = ["stats", "pretty"])]
    integrity: bool,
    /// Compare two files, the earlier one first: whether one grew out of the other, and which words, pages and metadata differ; with
    /// --integrity as text for people
    #[arg(long, conflicts_with_all = ["stats", "sha256", "no_content", "files_from", "fail_on", "trust"])]
    compare: bool,
    /// Write the earlier version that this save left, the first bytes of the one file, instead of anything about it
    #[arg(long, value_name = "N", requires = "output", conflicts_with_all = ["stats", "pretty", "integrity", "no_content", "files_from", "fail_on"])]
    revision: Option<u32>,
    /// Where to write that version
    #[arg(short, long, value_name = "FILE", requires = "revision")]
    output: Option<PathBuf>,
    /// The files to inspect; `-` is standard input; of a folder all that end in .pdf, in folders inside it too, but nothing hidden and nothing that is
    /// only a link
    #[arg(value_name = "FILE", required_unless_present = "files_from")]
    files: Vec<PathBuf>,
}

impl Inspect {
    /// Inspects all files in order, and says by the exit code what came of it.
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
            ExitCode::FAILURE
        })
    }

    fn compare(&self) -> Result<ExitCode, String> {
        let format = match (self.integrity, self.pretty) {
            (true, _) => Format::Text,
            (false, true) => Format::Pretty,
            (false, false) => Format::Json,
        };
        print!("{}", compare::told(&self.files, self.password.as_deref(), format)?);
        Ok(ExitCode::SUCCESS)
    }

    fn inspect(&self) -> Result<ExitCode, String> {
        let mut tally = OutcomeCounts::default();
        let anchors = self.trusted.anchors()?;
        match self.print(&anchors, &mut BufWriter::new(io::stdout().lock()), &mut tally) {
            // Whoever read our output has had enough; but nobody knows yet whether a file fails.
            Err(error) if error.kind() == io::ErrorKind::BrokenPipe && self.fail_on.is_empty() => {
                return Ok(ExitCode::SUCCESS);
            }
            printed => printed.map_err(|error| error.to_string())?,
        }
        if !self.fail_on.is_empty() {
            eprintln!("inspect: {}", tally.summary(&self.fail_on));
        }
        Ok(match tally {
            _ if tally.fails(&self.fail_on) > 0 => ExitCode::from(FAILS),
            _ if tally.count(InspectOutcome::Unreadable) > 0 => ExitCode::FAILURE,
            _ => ExitCode::SUCCESS,
        })
    }

    /// Writes one answer per file and counts what came of each.
    fn print(&self, anchors: &[Anchor], output: &mut impl Write, tally: &mut OutcomeCounts) -> io::Result<()> {
        let found = self.found()?;
        let is_watched = io::stdout().is_terminal();
        let bar = progress::bar(found.len());
        for found in &found {
            let (outcome, text) = answer(found, self, anchors)?;
            let is_bad = outcome == InspectOutcome::Unreadable || self.fail_on.contains(&outcome);
            if is_bad || !self.quiet {
                output.write_all(&text)?;
            }
            if is_watched {
                output.flush()?;
            }
            tally.add(outcome);
            bar.inc(1);
        }
        bar.finish_and_clear();
        output.flush()
    }

    /// All files, in the order in which they were named.
    fn found(&self) -> io::Result<Vec<InputFile>> {
        let listed = self.files_from.as_deref().map(files::listed).transpose()?.unwrap_or_default();
        Ok(self.files.iter().chain(&listed).flat_map(|path| files::below(path)).collect())
    }
}
