//! A signature in words: its status, the trust in its signer, and what came after it.

use engine::{
    After, Level, RevocationStatus, Signature, SignatureKind, SignatureReason, SignatureStatus, Trust, TrustStatus,
};

use super::Tone;

/// A trusted issuer, without revocation data in the file.
pub const TRUSTED_UNCHECKED: &str = "Trusted issuer; revocation not checked";

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
        Some(SignatureReason::Range) => ": the bytes that it signs are not all bytes but its own value",
        Some(SignatureReason::Digest) => ": the bytes are not those that were signed",
        Some(SignatureReason::Value) => ": it does not match its certificate's key",
        Some(SignatureReason::Algorithm) => ": its key or digest algorithm is not supported",
        Some(SignatureReason::Format) => ": its value is missing, or in a format that is not supported",
        Some(SignatureReason::SeveralSigners) => ": it contains several signatures, of which PDF permits one",
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
