//! The values of closed lists in words and tones. Values that this version does not know are named as unknown.

mod display;
mod signature;
mod verdict;

pub use engine::is_unseen;
use engine::{Basis, Change, ExaminedBytes, ExaminedContent, ExaminedRevisions, HiddenKind, Strength};

use crate::model::{Known, Report};
pub use display::{count, cut, label, leave_out_unseen, program};
pub(crate) use display::{is_right_to_left, width};
pub use signature::{
    TRUSTED_UNCHECKED, after, level, permits, revocation, signature_kind, signature_tone, status, status_meaning, trust,
};
pub use verdict::{outcome, verdict, verdict_meaning, verdict_sign, verdict_tone};

/// The tone of a statement. Never conveyed by color alone.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Tone {
    /// Favorable.
    Good,
    /// Needs attention.
    Warning,
    /// Violates a permission.
    Bad,
    /// Neither good nor bad.
    Neutral,
}

impl Tone {
    /// Its class in the stylesheet.
    #[must_use]
    pub fn class(self) -> &'static str {
        match self {
            Self::Good => "good",
            Self::Warning => "warn",
            Self::Bad => "bad",
            Self::Neutral => "neutral",
        }
    }
}

/// The basis in words.
#[must_use]
pub fn basis(basis: Basis) -> &'static str {
    match basis {
        Basis::Content => "from page content",
        Basis::History => "from revisions and signatures",
        Basis::Contradiction => "from dates",
        Basis::Software => "from what it says about software",
    }
}

/// The strength in a word.
#[must_use]
pub fn strength(strength: Strength) -> &'static str {
    match strength {
        Strength::Conclusive => "Conclusive",
        Strength::Strong => "Strong",
        Strength::Weak => "Weak",
        Strength::Neutral => "Neutral",
    }
}

/// The meaning of the strength.
#[must_use]
pub fn strength_meaning(strength: Strength) -> &'static str {
    match strength {
        Strength::Conclusive => "both states are in the file, or a check fails",
        Strength::Strong => "a contradiction that no program makes at birth, or what the file says of itself",
        Strength::Weak => "common in files that nobody changed",
        Strength::Neutral => "worth knowing, says nothing about changes",
    }
}

/// The tone of a signal: self-reported software alone is no sign of a change, regardless of its strength.
#[must_use]
pub fn signal_tone(strength: Strength, basis: Option<Basis>) -> Tone {
    match (strength, basis) {
        (_, Some(Basis::Software)) | (Strength::Weak | Strength::Neutral, _) => Tone::Neutral,
        (Strength::Conclusive | Strength::Strong, _) => Tone::Warning,
    }
}

/// A kind of change as a heading.
#[must_use]
pub fn change(change: Known<Change>) -> &'static str {
    match change.0 {
        Some(Change::PageContent) => "Page content",
        Some(Change::Pages) => "Pages",
        Some(Change::Annotations) => "Annotations",
        Some(Change::FormFields) => "Form fields",
        Some(Change::Metadata) => "Metadata",
        Some(Change::Document) => "Document",
        Some(Change::Signatures) => "Signatures",
        None => "Something else",
    }
}

/// Kinds of changes in a sentence: `page content, form fields`.
#[must_use]
pub fn changes(changes: &[Known<Change>]) -> String {
    changes.iter().map(|kind| change(*kind).to_lowercase()).collect::<Vec<_>>().join(", ")
}

/// The way in which text is hidden.
#[must_use]
pub fn hidden(kind: HiddenKind) -> &'static str {
    match kind {
        HiddenKind::Retyped => "Covered text with new text on top",
        HiddenKind::Covered => "Covered text",
        HiddenKind::RedactionUnapplied => "Marked for removal, but still there",
        HiddenKind::Invisible => "Invisible text",
        HiddenKind::Tiny => "Smaller than one point",
        HiddenKind::HiddenLayer => "In a hidden layer",
        HiddenKind::OffPage => "Outside the visible page",
    }
}

/// The advice for a truncated file.
pub const TRUNCATED: &str = "The end of the file is missing, as after a broken transfer. Get the file again.";

/// What was examined.
#[must_use]
pub fn examined(report: &Report) -> String {
    let Some(examined) = &report.examined else { return "What was examined is not known.".to_owned() };
    let revisions = match examined.revisions {
        ExaminedRevisions::All => "Every revision was compared with the one before it",
        ExaminedRevisions::Newest => "Some changes could not be fully compared",
        ExaminedRevisions::None => "The revisions could not be separated",
    };
    let bytes = match examined.bytes {
        ExaminedBytes::All => "every signed byte was read",
        ExaminedBytes::Needed => "only the parts needed were read",
    };
    let content = match examined.content {
        _ if report.is_image_only => "pages are images; their text was not examined",
        ExaminedContent::All => "page content was read",
        ExaminedContent::Part => "not all page content was read",
        ExaminedContent::None => "page content was not read",
    };
    format!("{revisions}; {bytes}; {content}.")
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::TRUNCATED;
    use crate::model::Report;

    #[test]
    fn what_could_not_be_looked_at_is_said() {
        let examined_with = |truncated: bool, image_only: bool| {
            let examined = json!({ "revisions": "all", "bytes": "all", "content": "all" });
            let metadata = json!({
                "structure": { "truncated": truncated }, "features": { "image_only": image_only },
                "integrity": { "verdict": "undetermined", "examined": examined }
            });
            Report::of(&metadata).unwrap().to_string()
        };
        assert!(
            examined_with(false, false).contains("page content was read")
                && !examined_with(false, false).contains(TRUNCATED)
        );
        assert!(examined_with(true, false).contains(TRUNCATED));
        let scan = examined_with(false, true);
        assert!(scan.contains("pages are images; their text was not examined"), "{scan}");
        assert!(!scan.contains("page content was read"), "{scan}");
    }
}
