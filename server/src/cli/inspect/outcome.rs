//! What comes of a file, and of many: by this a script decides.

use std::fmt::{self, Display, Formatter};

use engine::{Metadata, Verdict};

use super::problem::{Problem, UNREADABLE};

/// What came of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum InspectOutcome {
    /// It was analysed.
    Verdict(Verdict),
    /// It is no PDF, or one that cannot be analysed.
    Failed,
    /// It cannot be read.
    Unreadable,
}

/// How the API names the failure, too.
const FAILED: &str = "analysis_failed";

impl InspectOutcome {
    pub(super) fn of(result: &Result<Metadata, Problem>) -> Self {
        match result {
            Ok(metadata) => Self::Verdict(metadata.integrity.verdict),
            Err(problem) if problem.is_of_the_file() => Self::Failed,
            Err(_) => Self::Unreadable,
        }
    }
}

impl Display for InspectOutcome {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Self::Verdict(verdict) => verdict.fmt(f),
            Self::Failed => f.write_str(FAILED),
            Self::Unreadable => f.write_str(UNREADABLE),
        }
    }
}

/// The outcome of this name, of those that an analysis can have.
pub(super) fn parse(text: &str) -> Result<InspectOutcome, String> {
    let outcome = if text == FAILED { Ok(InspectOutcome::Failed) } else { text.parse().map(InspectOutcome::Verdict) };
    outcome.map_err(|_| format!("choose from {}, {FAILED}", Verdict::ALL.map(|verdict| verdict.to_string()).join(", ")))
}

/// How often each outcome was met, in the order in which they came up.
#[derive(Debug, Default)]
pub(super) struct OutcomeCounts(Vec<(InspectOutcome, usize)>);

impl OutcomeCounts {
    pub(super) fn add(&mut self, outcome: InspectOutcome) {
        match self.0.iter_mut().find(|(known, _)| *known == outcome) {
            Some((_, count)) => *count += 1,
            None => self.0.push((outcome, 1)),
        }
    }

    pub(super) fn count(&self, outcome: InspectOutcome) -> usize {
        self.0.iter().filter(|(known, _)| *known == outcome).map(|(_, count)| count).sum()
    }

    /// How many files have one of these outcomes.
    pub(super) fn fails(&self, fail_on: &[InspectOutcome]) -> usize {
        self.0.iter().filter(|(outcome, _)| fail_on.contains(outcome)).map(|(_, count)| count).sum()
    }

    /// All of it in a line: `3 files: 1 changed, 2 no_signs; 1 fails`.
    pub(super) fn summary(&self, fail_on: &[InspectOutcome]) -> String {
        let all: usize = self.0.iter().map(|(_, count)| count).sum();
        let parts: Vec<String> = self.0.iter().map(|(outcome, count)| format!("{count} {outcome}")).collect();
        let files = if all == 1 { "1 file".to_owned() } else { format!("{all} files") };
        let fails = match self.fails(fail_on) {
            0 => "none fails".to_owned(),
            1 => "1 fails".to_owned(),
            more => format!("{more} fail"),
        };
        if parts.is_empty() { files } else { format!("{files}: {}; {fails}", parts.join(", ")) }
    }
}

#[cfg(test)]
mod tests {
    use engine::Verdict;

    use super::{InspectOutcome, OutcomeCounts, parse};

    #[test]
    fn a_summary_counts_what_came_up() {
        let mut tally = OutcomeCounts::default();
        assert_eq!(tally.summary(&[InspectOutcome::Failed]), "0 files");
        let changed = InspectOutcome::Verdict(Verdict::Changed);
        tally.add(changed);
        assert_eq!(tally.summary(&[changed]), "1 file: 1 changed; 1 fails");
        tally.add(InspectOutcome::Failed);
        tally.add(changed);
        assert_eq!(tally.summary(&[changed]), "3 files: 2 changed, 1 analysis_failed; 2 fail");
        assert_eq!(tally.summary(&[]), "3 files: 2 changed, 1 analysis_failed; none fails");
    }

    #[test]
    fn only_what_an_analysis_can_come_to_is_an_outcome_to_fail_on() {
        assert_eq!(parse("changed_since_signing"), Ok(InspectOutcome::Verdict(Verdict::ChangedSinceSigning)));
        assert_eq!(parse("analysis_failed"), Ok(InspectOutcome::Failed));
        assert!(parse("unreadable").is_err_and(|error| error.ends_with("no_signs, analysis_failed")));
    }
}
