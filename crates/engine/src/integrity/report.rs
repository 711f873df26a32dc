//! The result of the examination: a verdict, its signals, and evidence that a person can verify.

mod examined;
mod revision;
mod signal;
mod signature;
mod verdict;

use serde::Serialize;
use utoipa::ToSchema;

use super::signal::SignalId;
pub use super::signal::{Basis, Strength};
pub use examined::{Examined, ExaminedBytes, ExaminedRevisions};
use pdf_content::hidden::report::PageOutline;
pub use pdf_signature::report::{
    AnchorSource, RevocationStatus, SignatureReason, SignatureStatus, SignerCertificate, TimeSource, Trust,
    TrustAnchor, TrustStatus,
};
pub use revision::{Change, Objects, Revision};
pub use signal::{Evidence, PublicTexts, Signal};
pub use signature::{After, Covers, Level, Signature, SignatureKind, SignedAt};
pub use verdict::{DecidingReason, Outcome, Verdict};

/// Caution for programs that decide by the result.
pub const USAGE_CAUTION: &str = "Don't judge anyone on this alone. Signs of change don't show who \
    made it or why; no signs doesn't mean no change.";

/// Whether a file was changed after it was created, with the evidence. A file can show that it was changed, never that
/// it was not: the best answer for an unsigned file is that there are no signs.
#[derive(Debug, Clone, PartialEq, Serialize, ToSchema)]
pub struct Integrity {
    /// The answer in one word.
    pub verdict: Verdict,
    /// The action that the verdict asks for, one of three.
    pub outcome: Outcome,
    /// The answer in one sentence.
    pub summary: String,
    /// What readers of a shared report see instead, as it says whose issuers were trusted; null if it is the same.
    pub summary_shared: Option<String>,
    /// Whether it quotes only text that is public.
    pub summary_public: bool,
    /// The deciding signals, strongest first; for `no_signs` only what was not examined.
    pub because: Vec<SignalId>,
    /// The deciding reason, as shown in lists.
    pub reason: Option<DecidingReason>,
    /// Changes that later revisions prove.
    pub changes: Vec<Change>,
    /// The same after the newest signature that covers its whole revision.
    pub changed_after_signing: Option<Vec<Change>>,
    /// Its revisions, oldest first; the newest 50.
    pub revisions: Vec<Revision>,
    /// Its signatures, oldest first; at most 50.
    pub signatures: Vec<Signature>,
    /// All signals, each once, strongest first.
    pub signals: Vec<Signal>,
    /// The first pages on which something was found; at most 5.
    pub pages: Vec<PageOutline>,
    /// What was examined.
    pub examined: Examined,
    /// The version of the verdict rules.
    pub rules: u32,
    /// What the answer must not be used for; always the same sentence.
    #[schema(value_type = String)]
    pub usage_caution: &'static str,
}
