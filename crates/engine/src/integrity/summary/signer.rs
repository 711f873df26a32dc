//! The signer of an intact file, the issuer of the certificate, and who trusts it.

use super::{SummaryInput, joined};
use crate::integrity::clause::named;
use crate::integrity::report::{AnchorSource, Signature, SignatureKind, SignatureStatus, Trust, TrustStatus};

/// Phrases that only the account whose anchors were used may see.
const YOU_TRUST: &str = "; you trust its issuer, ";
const TRUSTED_BY_YOU: &str = " (you trust the issuer, ";
/// The neutral form of such a phrase.
pub const AS_TRUSTED: &str = "As signed; you trust its issuer";

/// States that the file is unchanged since signing, and the trust in the signer.
pub(super) fn unchanged(input: &SummaryInput) -> String {
    let mut signers = input
        .signatures
        .iter()
        .filter(|signature| signature.status == SignatureStatus::Intact && signature.kind != SignatureKind::Timestamp);
    let distrusted = signers.clone().filter_map(|signature| signature.trust.as_ref());
    let distrusted = distrusted.into_iter().find(|trust| trust.status != TrustStatus::Trusted);
    if let Some(distrusted) = distrusted {
        let opening = format!("The file is unchanged since it was signed{}; the signer is not trusted", signer(input));
        return joined(&opening, [distrusted.because.as_str()].into_iter());
    }
    if let Some(Signature { signer: Some(name), trust: Some(Trust { anchor: Some(anchor), .. }), .. }) = signers.next()
    {
        let issuer = named(&anchor.name);
        let trust = match anchor.source {
            AnchorSource::Account => format!("{YOU_TRUST}{issuer}"),
            AnchorSource::Operator => format!("; its issuer, {issuer}, is trusted here"),
        };
        return format!("The file is unchanged since {} signed it{trust}.", named(name));
    }
    format!(
        "The file is unchanged since it was signed{}; the identity of the signer is not verified here.",
        signer(input)
    )
}

/// The same sentence for readers other than the account whose anchors were used.
#[must_use]
pub fn for_others(summary: &str) -> String {
    summary
        .replace(YOU_TRUST, "; whoever shared it trusts its issuer, ")
        .replace(TRUSTED_BY_YOU, " (whoever shared it trusts the issuer, ")
}

/// ` by “A” (self-signed certificate)`: the first signer. A time-stamp has no signer to name.
pub(super) fn signer(input: &SummaryInput) -> String {
    let is_intact = |signature: &&Signature| signature.status == SignatureStatus::Intact;
    let mut intact = input.signatures.iter().filter(is_intact);
    let Some(first) = intact.clone().find(|signature| signature.kind != SignatureKind::Timestamp) else {
        let stamp = intact.next().and_then(|stamp| stamp.signer.as_deref());
        return stamp.map_or_else(String::new, |name| format!(", with a time-stamp by {}", named(name)));
    };
    first.signer.as_ref().map_or_else(String::new, |name| format!(" by {}{}", named(name), issuer(first)))
}

/// ` (self-signed certificate)`, or the issuer as the certificate names it, which is not verified.
pub(super) fn issuer(signature: &Signature) -> String {
    let trusted = signature.trust.as_ref().and_then(|trust| trust.anchor.as_ref().filter(|_| trust.is_trusted()));
    match &signature.issuer {
        _ if let Some(anchor) = trusted => match anchor.source {
            AnchorSource::Account => format!("{TRUSTED_BY_YOU}{})", named(&anchor.name)),
            AnchorSource::Operator => format!(" (its issuer, {}, is trusted here)", named(&anchor.name)),
        },
        _ if signature.self_signed == Some(true) => " (self-signed certificate)".to_owned(),
        Some(issuer) if signature.issuer_verified == Some(true) => {
            format!(" (certificate issued by {})", named(issuer))
        }
        Some(issuer) => format!(" (certificate naming {} as its issuer)", named(issuer)),
        None => String::new(),
    }
}
