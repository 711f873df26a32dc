//! The verdict and the outcome in words, signs and tones.

use engine::{Outcome, Verdict};

use super::Tone;

/// The verdict as a heading.
#[must_use]
pub fn verdict(verdict: Option<Verdict>) -> &'static str {
    match verdict {
        Some(Verdict::ChangedSinceSigning) => "Changed since signing",
        Some(Verdict::Changed) => "Changed",
        Some(Verdict::SignsOfChange) => "Signs of change",
        Some(Verdict::PermittedChangesSinceSigning) => "Permitted changes since signing",
        Some(Verdict::UnchangedSinceSigning) => "Unchanged since signing",
        Some(Verdict::SavedAgain) => "Saved again",
        Some(Verdict::NoSigns) => "No signs of change",
        Some(Verdict::Undetermined) => "Inconclusive",
        None => "A verdict that this version does not know",
    }
}

/// The outcome in words.
#[must_use]
pub fn outcome(outcome: Outcome) -> &'static str {
    match outcome {
        Outcome::NeedsReview => "Needs review",
        Outcome::Inconclusive => "Inconclusive",
        Outcome::NoFindings => "No findings",
    }
}

/// A sign for the verdict on a terminal.
#[must_use]
pub fn verdict_sign(verdict: Option<Verdict>) -> &'static str {
    match verdict {
        Some(Verdict::Changed) => "≠",
        Some(Verdict::SignsOfChange) => "≈",
        Some(Verdict::SavedAgain) => "↻",
        Some(Verdict::NoSigns) => "–",
        Some(Verdict::UnchangedSinceSigning) => "✓",
        Some(Verdict::PermittedChangesSinceSigning) => "✓+",
        Some(Verdict::ChangedSinceSigning) => "✗",
        Some(Verdict::Undetermined) | None => "?",
    }
}

/// The tone of the verdict.
#[must_use]
pub fn verdict_tone(verdict: Option<Verdict>) -> Tone {
    match verdict {
        Some(Verdict::ChangedSinceSigning) => Tone::Bad,
        Some(Verdict::Changed | Verdict::SignsOfChange) => Tone::Warning,
        Some(Verdict::PermittedChangesSinceSigning | Verdict::UnchangedSinceSigning) => Tone::Good,
        Some(Verdict::SavedAgain | Verdict::NoSigns | Verdict::Undetermined) | None => Tone::Neutral,
    }
}

/// The meaning of the verdict, and its limits.
#[must_use]
pub fn verdict_meaning(verdict: Option<Verdict>) -> &'static str {
    match verdict {
        Some(Verdict::Changed) => {
            "The earlier version is still in the file, so the change can be seen. Whether it was intended is for you to \
             judge: filling in a form is a change, too."
        }
        Some(Verdict::SignsOfChange) => {
            "Signs, not proof: the file contradicts itself, contains traces of an earlier version, or hides text."
        }
        Some(Verdict::SavedAgain) => {
            "Being saved again is common: mail, archives and portals do it. Most programs remove earlier versions then."
        }
        Some(Verdict::NoSigns) => {
            "This is no proof that nothing was changed: most programs remove earlier versions when they save a file."
        }
        Some(Verdict::UnchangedSinceSigning | Verdict::PermittedChangesSinceSigning) => {
            "Who signed it is shown with the signature below. Changes made before signing are not ruled out."
        }
        Some(Verdict::ChangedSinceSigning) => {
            "Either the signed bytes were changed, or something was done after signing that the signature does not permit."
        }
        Some(Verdict::Undetermined) => {
            "Too much is damaged, unknown or too large to be compared. What could be seen is below."
        }
        None => "",
    }
}
