//! The verdicts on whether a file was changed, by the names that callers and the table use.

use engine::Verdict;

/// All of them, as `integrity.verdict` lists them.
pub const VERDICTS: [Verdict; 7] = [
    Verdict::Changed,
    Verdict::SignsOfChange,
    Verdict::NoSigns,
    Verdict::UnchangedSinceSigning,
    Verdict::PermittedChangesSinceSigning,
    Verdict::ChangedSinceSigning,
    Verdict::Undetermined,
];

/// A verdict's name, such as `changed_since_signing`.
#[must_use]
pub fn name(verdict: Verdict) -> &'static str {
    match verdict {
        Verdict::Changed => "changed",
        Verdict::SignsOfChange => "signs_of_change",
        Verdict::NoSigns => "no_signs",
        Verdict::UnchangedSinceSigning => "unchanged_since_signing",
        Verdict::PermittedChangesSinceSigning => "permitted_changes_since_signing",
        Verdict::ChangedSinceSigning => "changed_since_signing",
        Verdict::Undetermined => "undetermined",
    }
}

/// The verdict of this name.
#[must_use]
pub fn parse(text: &str) -> Option<Verdict> {
    VERDICTS.into_iter().find(|verdict| name(*verdict) == text)
}

#[cfg(test)]
mod tests {
    use super::{VERDICTS, name, parse};

    #[test]
    fn names_are_those_of_the_metadata() {
        for verdict in VERDICTS {
            assert_eq!(serde_json::to_value(verdict).unwrap(), name(verdict));
            assert_eq!(parse(name(verdict)), Some(verdict));
        }
        assert_eq!(parse("Changed"), None);
    }
}
