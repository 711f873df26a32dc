//! The account's counts of analyses by [`Outcome`].

use engine::Outcome;

use crate::analysis::Summary;

/// The account's attribute that counts analyses of an outcome.
pub(crate) fn attribute(outcome: Outcome) -> &'static str {
    match outcome {
        Outcome::NeedsReview => "count_look",
        Outcome::Inconclusive => "count_unknown",
        Outcome::NoFindings => "count_nothing",
    }
}

/// The account's attribute that counts comparisons, which have no verdict.
pub(crate) const COMPARED: &str = "count_compared";

/// The account's attribute that counts an entry; none for analyses stored before there were verdicts.
pub(crate) fn counted_in(entry: &Summary) -> Option<&'static str> {
    entry.outcome.map(attribute).or(entry.compared_with.as_ref().map(|_| COMPARED))
}

/// How many analyses of an account have each outcome, in the order of [`Outcome::ALL`]. Analyses stored by earlier
/// versions were not counted, but are subtracted when they are deleted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct OutcomeCounts {
    pub(crate) outcomes: [i64; Outcome::ALL.len()],
    pub(crate) comparisons: i64,
}

impl OutcomeCounts {
    /// The counts of outcomes and of comparisons, if they sum up to the account's `total` entries.
    #[must_use]
    pub fn of_all(self, total: u64) -> Option<([i64; Outcome::ALL.len()], i64)> {
        let all = self.outcomes.iter().sum::<i64>() + self.comparisons;
        (i64::try_from(total) == Ok(all)).then_some((self.outcomes, self.comparisons))
    }
}
