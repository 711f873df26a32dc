//! Outcomes of files, for exit codes and counts.

use std::cmp::Ordering;
use std::collections::BTreeMap;
use std::fmt::{self, Display, Formatter};

use engine::{Outcome, Verdict};

use super::problem::{FAILURE_CODE, UNREADABLE_CODE};

/// The result of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum InspectOutcome {
    /// It was analyzed.
    Verdict(Verdict, Outcome),
    /// It is no PDF, or one that cannot be analyzed.
    Failed,
    /// It cannot be read.
    Unreadable,
}

/// An outcome of `--fail-on`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum FailOn {
    Verdict(Verdict),
    Outcome(Outcome),
    Failed,
}

impl InspectOutcome {
    /// The outcome: the recommended handling of the file.
    pub(super) fn outcome(self) -> Outcome {
        match self {
            Self::Verdict(_, outcome) => outcome,
            Self::Failed | Self::Unreadable => Outcome::Inconclusive,
        }
    }

    /// Whether it is one of these.
    pub(super) fn is_in(self, fail_on: &[FailOn]) -> bool {
        fail_on.iter().any(|asked| match (asked, self) {
            (FailOn::Verdict(asked), Self::Verdict(verdict, _)) => *asked == verdict,
            (FailOn::Outcome(asked), Self::Verdict(_, outcome)) => *asked == outcome,
            (FailOn::Failed, Self::Failed) => true,
            _ => false,
        })
    }

    /// Its rank, the most urgent first.
    fn rank(self) -> (Outcome, usize) {
        let place = match self {
            Self::Verdict(verdict, _) => Verdict::ALL.iter().position(|known| *known == verdict).unwrap_or_default(),
            Self::Failed => Verdict::ALL.len(),
            Self::Unreadable => Verdict::ALL.len() + 1,
        };
        (self.outcome(), place)
    }
}

impl PartialOrd for InspectOutcome {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for InspectOutcome {
    fn cmp(&self, other: &Self) -> Ordering {
        self.rank().cmp(&other.rank())
    }
}

impl Display for InspectOutcome {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Self::Verdict(verdict, _) => verdict.fmt(f),
            Self::Failed => f.write_str(FAILURE_CODE),
            Self::Unreadable => f.write_str(UNREADABLE_CODE),
        }
    }
}

/// Parses the name of an outcome or a verdict.
pub(super) fn parse(text: &str) -> Result<FailOn, String> {
    if text == FAILURE_CODE {
        return Ok(FailOn::Failed);
    }
    let known = text.parse().map(FailOn::Outcome).or_else(|_| text.parse().map(FailOn::Verdict));
    let names = || {
        let outcomes = Outcome::ALL.map(|outcome| outcome.to_string()).into_iter();
        outcomes.chain(Verdict::ALL.map(|verdict| verdict.to_string())).collect::<Vec<_>>().join(", ")
    };
    known.map_err(|_| format!("choose from {}, {FAILURE_CODE}", names()))
}

/// Counts of outcomes, and of reasons of failures.
#[derive(Debug, Default)]
pub(super) struct OutcomeCounts {
    all: Vec<(InspectOutcome, usize)>,
    reasons: BTreeMap<String, usize>,
}

impl OutcomeCounts {
    /// Counts a file; `why` is the reason of a failure.
    pub(super) fn add(&mut self, outcome: InspectOutcome, why: Option<&str>) {
        match self.all.iter_mut().find(|(known, _)| *known == outcome) {
            Some((_, count)) => *count += 1,
            None => self.all.push((outcome, 1)),
        }
        if let (InspectOutcome::Failed, Some(why)) = (outcome, why) {
            *self.reasons.entry(why.to_owned()).or_default() += 1;
        }
    }

    pub(super) fn count(&self, outcome: InspectOutcome) -> usize {
        self.all.iter().filter(|(known, _)| *known == outcome).map(|(_, count)| count).sum()
    }

    /// The number of files with one of these outcomes.
    pub(super) fn fails(&self, fail_on: &[FailOn]) -> usize {
        self.all.iter().filter(|(outcome, _)| outcome.is_in(fail_on)).map(|(_, count)| count).sum()
    }

    /// The counts in a line, the most urgent first: `3 files: 1 changed, 1 analysis_failed (1 corrupt), 1 no_signs; 1
    /// fails`.
    pub(super) fn summary(&self, fail_on: &[FailOn]) -> String {
        let total: usize = self.all.iter().map(|(_, count)| count).sum();
        let files = if total == 1 { "1 file".to_owned() } else { format!("{total} files") };
        // a verdict may come with two outcomes
        let mut counts: BTreeMap<(Outcome, usize), (String, usize)> = BTreeMap::new();
        for (outcome, count) in &self.all {
            counts.entry(outcome.rank()).or_insert_with(|| (outcome.to_string(), 0)).1 += count;
        }
        let parts: Vec<String> = counts.into_values().map(|(name, count)| self.counted(&name, count)).collect();
        let fails = match (fail_on, self.fails(fail_on)) {
            ([], _) => "",
            (_, 0) => "; none fails",
            (_, 1) => "; 1 fails",
            (_, more) => &format!("; {more} fail"),
        };
        if parts.is_empty() { files } else { format!("{files}: {}{fails}", parts.join(", ")) }
    }

    fn counted(&self, name: &str, count: usize) -> String {
        if name != FAILURE_CODE || self.reasons.is_empty() {
            return format!("{count} {name}");
        }
        let mut reasons: Vec<_> = self.reasons.iter().collect();
        reasons.sort_by_key(|(_, count)| std::cmp::Reverse(**count));
        let reasons: Vec<String> = reasons.into_iter().map(|(why, count)| format!("{count} {why}")).collect();
        format!("{count} {name} ({})", reasons.join(", "))
    }
}

#[cfg(test)]
mod tests {
    use engine::{Outcome, Verdict};

    use super::{FailOn, InspectOutcome, OutcomeCounts, parse};

    #[test]
    fn a_summary_counts_what_came_up_the_most_urgent_first() {
        let mut counts = OutcomeCounts::default();
        assert_eq!(counts.summary(&[FailOn::Failed]), "0 files");
        let changed = InspectOutcome::Verdict(Verdict::Changed, Outcome::NeedsReview);
        let [images, none] = [Outcome::Inconclusive, Outcome::NoFindings];
        for (outcome, why) in [
            (InspectOutcome::Verdict(Verdict::NoSigns, none), None),
            (InspectOutcome::Failed, Some("corrupt")),
            (InspectOutcome::Failed, Some("password_required")),
            (InspectOutcome::Failed, Some("password_required")),
            (InspectOutcome::Verdict(Verdict::NoSigns, images), None),
            (changed, None),
        ] {
            counts.add(outcome, why);
        }
        let counted = "6 files: 1 changed, 1 no_signs, 3 analysis_failed (2 password_required, 1 corrupt), 1 no_signs";
        assert_eq!(counts.summary(&[]), counted);
        assert_eq!(counts.summary(&[FailOn::Verdict(Verdict::Changed)]), format!("{counted}; 1 fails"));
        assert_eq!(counts.summary(&[FailOn::Outcome(images), FailOn::Failed]), format!("{counted}; 4 fail"));
        assert_eq!(counts.summary(&[FailOn::Verdict(Verdict::Undetermined)]), format!("{counted}; none fails"));
    }

    #[test]
    fn only_what_an_analysis_can_come_to_is_an_outcome_to_fail_on() {
        assert_eq!(parse("changed_since_signing"), Ok(FailOn::Verdict(Verdict::ChangedSinceSigning)));
        assert_eq!(parse("needs_review"), Ok(FailOn::Outcome(Outcome::NeedsReview)));
        assert_eq!(parse("analysis_failed"), Ok(FailOn::Failed));
        assert!(parse("unreadable").is_err_and(|error| error.ends_with("no_signs, analysis_failed")));
    }
}
