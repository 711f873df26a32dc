//! The values of closed lists in words and tones. Values that this version does not know are named as unknown.

use engine::{
    After, Basis, Change, ExaminedBytes, ExaminedContent, ExaminedRevisions, HiddenKind, Level, Outcome,
    RevocationStatus, Signature, SignatureKind, SignatureReason, SignatureStatus, Strength, Trust, TrustStatus,
    Verdict,
};
use serde_json::Value;
use unicode_width::UnicodeWidthChar;

pub use engine::is_unseen;

use crate::model::{Known, Report};

/// A trusted issuer, without revocation data in the file.
pub const TRUSTED_UNCHECKED: &str = "Trusted issuer; revocation not checked";

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
            "A change made before that save would leave no trace. Being saved again is common: mail, archives and portals \
             do it."
        }
        Some(Verdict::NoSigns) => "A change made before the file was last saved in full would leave no trace.",
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

/// The kind of a signature in words.
#[must_use]
pub fn signature_kind(kind: SignatureKind) -> &'static str {
    match kind {
        SignatureKind::Approval => "Signature",
        SignatureKind::Certification => "Certification",
        SignatureKind::Timestamp => "Time-stamp",
    }
}

/// The status of a signature in a word.
#[must_use]
pub fn status(status: SignatureStatus) -> &'static str {
    match status {
        SignatureStatus::Intact => "intact",
        SignatureStatus::Broken => "broken",
        SignatureStatus::Unchecked => "unchecked",
    }
}

/// The tone of a signature: it is not good if the file was changed after it.
#[must_use]
pub fn signature_tone(signature: &Signature) -> Tone {
    match (signature.status, signature.after) {
        (SignatureStatus::Intact, Some(After::Forbidden)) => Tone::Warning,
        (SignatureStatus::Intact, _) => Tone::Good,
        (SignatureStatus::Broken, _) => Tone::Bad,
        (SignatureStatus::Unchecked, _) => Tone::Neutral,
    }
}

/// The trust in a signer. Unchecked revocation is stated separately.
#[must_use]
pub fn trust(trust: &Trust) -> &'static str {
    match trust.status {
        TrustStatus::Trusted if trust.revocation == RevocationStatus::NotChecked => TRUSTED_UNCHECKED,
        TrustStatus::Trusted => "Trusted issuer; not revoked",
        TrustStatus::NotTrusted => "Not trusted",
        TrustStatus::NotValidThen => "Not trusted: not valid at that time",
        TrustStatus::Revoked => "Not trusted: revoked",
    }
}

/// The revocation status in words.
#[must_use]
pub fn revocation(status: RevocationStatus) -> &'static str {
    match status {
        RevocationStatus::Good => "Not revoked, according to data in the file",
        RevocationStatus::Revoked => "Revoked",
        RevocationStatus::NotChecked => "Not checked",
    }
}

/// A PAdES level and its meaning.
#[must_use]
pub fn level(level: Level) -> &'static str {
    match level {
        Level::Basic => "B-B: signed with its certificate",
        Level::Timestamped => "B-T: with a time-stamp",
        Level::LongTerm => "B-LT: with revocation data",
        Level::Archived => "B-LTA: with a later time-stamp over all of it",
    }
}

/// The meaning of a status and its reason.
#[must_use]
pub fn status_meaning(status: SignatureStatus, reason: Option<SignatureReason>) -> String {
    let reason = match reason {
        Some(SignatureReason::Range) => ": it leaves out more of the file than its own value",
        Some(SignatureReason::Digest) => ": the bytes are not those that were signed",
        Some(SignatureReason::Value) => ": it does not match its certificate's key",
        Some(SignatureReason::Algorithm) => ": its key or digest algorithm is not supported",
        Some(SignatureReason::Format) => ": its format is not supported",
        Some(SignatureReason::SeveralSigners) => ": it has several signers, of whom PDF permits one",
        Some(SignatureReason::Certificate) => ": the certificate beside it is not the signer's",
        Some(SignatureReason::NoCertificate) => ": it has no certificate",
        Some(SignatureReason::TooMany) => ": there are more signatures than are checked",
        Some(SignatureReason::TooManyCertificates) => ": there are more certificates than are verified for one file",
        None => "",
    };
    match status {
        SignatureStatus::Intact => format!("The signed bytes are unchanged{reason}"),
        SignatureStatus::Broken => format!("It does not match the file{reason}"),
        SignatureStatus::Unchecked => format!("It could not be checked{reason}"),
    }
}

/// The changes that a signer permits (ISO 32000-1, 12.8.2.2, table 254).
#[must_use]
pub fn permits(level: Option<u8>) -> String {
    match level {
        Some(1) => "No change at all".to_owned(),
        Some(2) => "Filling in forms and signing".to_owned(),
        Some(3) => "Filling in forms, signing and annotations".to_owned(),
        Some(other) => format!("Level {other}"),
        None => "not specified; treated as forms and signatures".to_owned(),
    }
}

/// The changes after a signature in words.
#[must_use]
pub fn after(after: After) -> &'static str {
    match after {
        After::Nothing => "Nothing but signing and housekeeping",
        After::Permitted => "Only what it permits",
        After::Forbidden => "Something it does not permit",
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

/// A key with spaces and a capital: `creation date` is `Creation date`.
#[must_use]
pub fn label(key: &str) -> String {
    let text = key.replace('_', " ");
    let mut letters = text.chars();
    letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
}

/// Maximum characters of a program's name.
const MAX_PROGRAM_CHARS: usize = 60;

/// The name of a program without the licenses and build numbers that some add after a semicolon.
#[must_use]
pub fn program(name: &str) -> String {
    cut(name.split(';').next().unwrap_or_default().trim_end(), MAX_PROGRAM_CHARS)
}

/// A number with its noun: `1 save`, `2 saves`.
#[must_use]
pub fn count(number: usize, what: &str) -> String {
    format!("{number} {what}{}", if number == 1 { "" } else { "s" })
}

/// A text truncated with `…` to a number of columns. East Asian wide characters take two columns. Bidirectional
/// controls are removed.
#[must_use]
pub fn cut(text: &str, places: usize) -> String {
    let shown = || text.chars().filter(|&letter| !is_unseen(letter));
    if width(text) <= places {
        return shown().collect();
    }
    let mut left = places.saturating_sub(1);
    let fits = |letter: &char| left.checked_sub(wide(*letter)).map(|rest| left = rest).is_some();
    let mut short: String = shown().take_while(fits).collect();
    short.truncate(short.trim_end().len());
    short.push('…');
    short
}

/// The number of columns that a text takes.
pub(crate) fn width(text: &str) -> usize {
    text.chars().filter(|&letter| !is_unseen(letter)).map(wide).sum()
}

fn wide(letter: char) -> usize {
    letter.width().unwrap_or(0)
}

/// Whether it is a letter of Hebrew, Arabic or a related script.
pub(crate) fn is_right_to_left(letter: char) -> bool {
    matches!(letter, '\u{0590}'..='\u{08ff}' | '\u{fb1d}'..='\u{fdff}' | '\u{fe70}'..='\u{fefc}')
}

/// Removes from all texts of a value the characters that [`is_unseen`] names, so that their display matches their
/// content.
pub fn leave_out_unseen(value: &mut Value) {
    match value {
        Value::String(text) if text.contains(is_unseen) => text.retain(|letter| !is_unseen(letter)),
        Value::Array(values) => values.iter_mut().for_each(leave_out_unseen),
        Value::Object(values) => values.values_mut().for_each(leave_out_unseen),
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::{TRUNCATED, cut, label, width};
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

    #[test]
    fn long_texts_are_cut_by_their_width_and_turn_nothing_around() {
        assert_eq!(label(""), "");
        assert_eq!(cut("short", 5), "short");
        assert_eq!(cut("longer text", 8), "longer…");
        assert_eq!(cut("漢字漢字", 5), "漢字…");
        assert_eq!([width("€ – “…”"), width("漢字"), width("e\u{301}"), width("🥚")], [7, 4, 1, 2]);
        assert_eq!(cut("a\u{202e}b\u{1b}[1m", 9), "ab[1m");
        assert_eq!(cut("ab", 1), "…");
    }
}
