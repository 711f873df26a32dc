//! The deciding reason in a short phrase, which quotes nothing from the file.

use super::SummaryInput;
use crate::integrity::report::{AnchorSource, DecidingReason, RevocationStatus, Trust, TrustStatus};
use crate::integrity::signal::SignalId;

/// The deciding reason without the signature's name, for lists and agents.
const COVERS_ANOTHER: &str = "A later signature covers another one";

/// The deciding reason: overprinted text if there is any, then pages that are images, then the first deciding signal;
/// for a violated signature, the violation.
pub(crate) fn reason(input: &SummaryInput) -> Option<DecidingReason> {
    // in the same order as the sentence
    let retyped = input.because.iter().find(|id| **id == SignalId::TextRetyped);
    let unread = input.because.iter().find(|id| **id == SignalId::PagesAreImages);
    let signal = *retyped.or(unread).or(input.because.first())?;
    let phrase = match (signal, input.forbidden) {
        (SignalId::ForbiddenChangeAfterSigning, Some(event)) => {
            let event = input.in_words(event);
            let (change, _) = event.kind.signal();
            match event.covered {
                Some(_) => COVERS_ANOTHER.to_owned(),
                None => format!("{} after it was signed", change.phrase()),
            }
        }
        (SignalId::SignatureIntact, _) => {
            match input.signatures.iter().find_map(|signature| signature.trust.as_ref()) {
                Some(Trust { status: TrustStatus::Trusted, anchor: Some(anchor), revocation, .. }) => {
                    let trusted = match anchor.source {
                        AnchorSource::Account => "As signed; you trust its issuer",
                        AnchorSource::Operator => "As signed; its issuer is trusted here",
                    };
                    let is_checked = *revocation == RevocationStatus::Good;
                    format!("{trusted}{}", if is_checked { "" } else { "; revocation not checked" })
                }
                Some(_) => "As signed, by an untrusted signer".to_owned(),
                None => signal.phrase().to_owned(),
            }
        }
        _ => signal.phrase().to_owned(),
    };
    Some(DecidingReason { signal, phrase })
}
