//! How much attention an analysis asks for: three groups of verdicts, which an account counts and lists are filtered by.

use engine::Verdict;

use crate::analysis::Summary;
use crate::listing::VerdictSet;

/// A group of verdicts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Attention {
    /// Something was found that a person has to look at.
    LookAtIt,
    /// It could not be examined well enough.
    CannotBeTold,
    /// Nothing was found that speaks against the file.
    NothingFound,
}

impl Attention {
    /// All of them, the most urgent first.
    pub const ALL: [Self; 3] = [Self::LookAtIt, Self::CannotBeTold, Self::NothingFound];

    /// The group of a verdict.
    #[must_use]
    pub fn of(verdict: Verdict) -> Self {
        match verdict {
            Verdict::ChangedSinceSigning | Verdict::Changed | Verdict::SignsOfChange => Self::LookAtIt,
            Verdict::Undetermined => Self::CannotBeTold,
            Verdict::PermittedChangesSinceSigning
            | Verdict::UnchangedSinceSigning
            | Verdict::SavedAgain
            | Verdict::NoSigns => Self::NothingFound,
        }
    }

    /// Its verdicts.
    #[must_use]
    pub fn verdicts(self) -> VerdictSet {
        Verdict::ALL.into_iter().filter(|verdict| Self::of(*verdict) == self).collect()
    }

    /// The account's attribute that counts it.
    pub(crate) fn attribute(self) -> &'static str {
        match self {
            Self::LookAtIt => "count_look",
            Self::CannotBeTold => "count_unknown",
            Self::NothingFound => "count_nothing",
        }
    }
}

/// The account's attribute that counts comparisons, which have no verdict.
pub(crate) const COMPARED: &str = "count_compared";

/// The account's attribute that counts the likes of an entry; none of an analysis from before there were verdicts.
pub(crate) fn counted_in(entry: &Summary) -> Option<&'static str> {
    let of_verdict = entry.verdict.map(|verdict| Attention::of(verdict).attribute());
    of_verdict.or(entry.compared_with.as_ref().map(|_| COMPARED))
}

/// How many analyses of an account are in each group, in the order of [`Attention::ALL`]. Analyses that versions before this
/// one stored were not counted, and are taken off when they go.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct AttentionCounts {
    pub(crate) groups: [i64; 3],
    pub(crate) comparisons: i64,
}

impl AttentionCounts {
    /// The groups with their counts, if these and the comparisons are all of the account's `total` entries.
    #[must_use]
    pub fn of_all(self, total: u64) -> Option<[(Attention, i64); 3]> {
        let [look, unknown, nothing] = self.groups;
        let [first, second, third] = Attention::ALL;
        (i64::try_from(total) == Ok(look + unknown + nothing + self.comparisons)).then_some([
            (first, look),
            (second, unknown),
            (third, nothing),
        ])
    }
}
