//! Which entries of the list match: the filters of a walk.

use std::fmt::{self, Display, Formatter};

use engine::{Outcome, Verdict};
use unicode_normalization::UnicodeNormalization;

use super::kind::EntryKind;
use crate::analysis::Summary;
use crate::reference::{Reference, ReferenceKey};

const MAX_SEARCH_CHARACTERS: usize = 64;

/// The filters of a walk: an entry must match all of them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Filters {
    /// Entries of this kind.
    pub kind: EntryKind,
    /// One of these verdicts; any verdict if it is empty.
    pub verdicts: Option<VerdictSet>,
    /// This outcome.
    pub outcome: Option<Outcome>,
    /// A substring of the name or the reference, composed and in lower case.
    pub search: Option<String>,
    /// This reference.
    pub reference: Option<ReferenceKey>,
}

impl Filters {
    /// Whether an entry matches.
    #[must_use]
    pub fn takes(&self, row: &Summary) -> bool {
        let is_of_case = |key: &ReferenceKey| row.reference.as_ref().is_some_and(|reference| reference.key() == *key);
        let is_named = |search: &String| {
            let reference = row.reference.as_ref().map(Reference::as_str).unwrap_or_default();
            [&row.filename, reference].iter().any(|text| folded(text).contains(search))
        };
        self.kind.takes(row.compared_with.is_some())
            && self.reference.as_ref().is_none_or(is_of_case)
            && self.verdicts.is_none_or(|verdicts| row.verdict.is_some_and(|verdict| verdicts.contains(verdict)))
            && self.outcome.is_none_or(|outcome| row.outcome == Some(outcome))
            && self.search.as_ref().is_none_or(is_named)
    }
}

impl Filters {
    /// The verdicts that match, and whether pages must or must not be images.
    pub(crate) fn wanted(&self) -> Vec<(Verdict, Option<bool>)> {
        let asked =
            Verdict::ALL.into_iter().filter(|verdict| self.verdicts.is_none_or(|asked| asked.contains(*verdict)));
        let has = |verdict, is_image| self.outcome.is_none_or(|outcome| Outcome::of(verdict, is_image) == outcome);
        let wanted = asked.filter_map(|verdict| match (has(verdict, true), has(verdict, false)) {
            (true, true) => Some((verdict, None)),
            (false, false) => None,
            (is_image, _) => Some((verdict, Some(is_image))),
        });
        wanted.collect()
    }
}

/// Some of the verdicts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct VerdictSet([bool; Verdict::ALL.len()]);

impl VerdictSet {
    /// Parses names separated by commas; `None` if one is unknown.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        text.split(',').map(|name| name.parse().ok()).collect()
    }

    /// Whether it contains the verdict.
    #[must_use]
    pub fn contains(self, verdict: Verdict) -> bool {
        self.iter().any(|known| known == verdict)
    }

    /// Its verdicts, the worst first.
    pub fn iter(self) -> impl Iterator<Item = Verdict> {
        Verdict::ALL.into_iter().zip(self.0).filter_map(|(verdict, is_in)| is_in.then_some(verdict))
    }
}

impl FromIterator<Verdict> for VerdictSet {
    fn from_iter<I: IntoIterator<Item = Verdict>>(verdicts: I) -> Self {
        let verdicts: Vec<Verdict> = verdicts.into_iter().collect();
        Self(Verdict::ALL.map(|verdict| verdicts.contains(&verdict)))
    }
}

impl Display for VerdictSet {
    /// The names, separated by commas.
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let names: Vec<String> = self.iter().map(|verdict| verdict.to_string()).collect();
        f.write_str(&names.join(","))
    }
}

/// A search text, [`folded`].
pub(super) fn search_text(text: &str) -> Option<String> {
    (text.chars().count() <= MAX_SEARCH_CHARACTERS).then(|| folded(text.trim()))
}

/// The text in lower case and composed (NFC): file names from a Mac are decomposed.
fn folded(text: &str) -> String {
    text.nfc().collect::<String>().to_lowercase()
}

#[cfg(test)]
mod tests {
    use crate::listing::{EntryKind, Listing};

    #[test]
    fn an_outcome_picks_verdicts_and_says_of_some_whether_pages_are_images() {
        let wanted = |query: &str| {
            let Ok(Listing::Walk(walk)) = Listing::parse(query, EntryKind::Analysis) else { panic!("a walk") };
            let wanted = walk.picked().wanted().into_iter();
            wanted.map(|(verdict, is_image)| format!("{verdict} {is_image:?}")).collect::<Vec<_>>().join(", ")
        };
        assert_eq!(wanted("outcome=needs_review"), "changed_since_signing None, changed None, signs_of_change None");
        assert_eq!(wanted("outcome=inconclusive"), "undetermined None, saved_again Some(true), no_signs Some(true)");
        assert_eq!(wanted("outcome=no_findings&verdict=no_signs,changed"), "no_signs Some(false)");
        assert_eq!(wanted("verdict=no_signs"), "no_signs None");
    }
}
