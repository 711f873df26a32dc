//! The signer of an intact file, the issuer of the certificate, and who trusts it.

use super::joined;
use crate::integrity::clause::named;
use crate::integrity::report::{
    AnchorSource, Signature, SignatureKind, SignatureStatus, Trust, TrustAnchor, TrustStatus, Verdict,
};

/// For whom a sentence is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Reader {
    /// The account whose issuers were trusted.
    Account,
    /// Anyone else.
    Other,
}

/// Whether the issuer that is named as trusted is one of the account's.
#[must_use]
pub fn is_trusted_by_account(signatures: &[Signature]) -> bool {
    let trust = signatures.iter().find_map(|signature| signature.trust.as_ref());
    trust.is_some_and(|trust| trust.is_trusted() && source(trust) == Some(AnchorSource::Account))
}

/// The sentence for readers other than the account, for analyses that were stored without it: permitted changes are not
/// listed. `None` if the stored sentence names none of the account's issuers.
#[must_use]
pub fn rebuilt_for_others(verdict: Verdict, signatures: &[Signature]) -> Option<String> {
    match verdict {
        _ if !lead_to_issuers_of_account(signatures) => None,
        Verdict::UnchangedSinceSigning => Some(unchanged(signatures, Reader::Other)),
        Verdict::PermittedChangesSinceSigning => Some(permitted(signatures, Reader::Other, "")),
        _ => None,
    }
}

/// Whether one of the signers leads to one of the account's issuers.
pub(super) fn lead_to_issuers_of_account(signatures: &[Signature]) -> bool {
    let of_account = |trust: &Trust| source(trust) == Some(AnchorSource::Account);
    signatures.iter().any(|signature| signature.trust.as_ref().is_some_and(of_account))
}

fn source(trust: &Trust) -> Option<AnchorSource> {
    trust.anchor.as_ref().map(|anchor| anchor.source)
}

/// States that the file is unchanged since signing, and the trust in the signer.
pub(super) fn unchanged(signatures: &[Signature], reader: Reader) -> String {
    let mut signers = signatures
        .iter()
        .filter(|signature| signature.status == SignatureStatus::Intact && signature.kind != SignatureKind::Timestamp);
    let distrusted = signers.clone().filter_map(|signature| signature.trust.as_ref());
    let distrusted = distrusted.into_iter().find(|trust| trust.status != TrustStatus::Trusted);
    if let Some(distrusted) = distrusted {
        let opening = format!(
            "The file is unchanged since it was signed{}; the signer is not trusted",
            signer(signatures, reader)
        );
        return joined(&opening, [distrusted.because.as_str()].into_iter());
    }
    if let Some(Signature { signer: Some(name), trust: Some(Trust { anchor: Some(anchor), .. }), .. }) = signers.next()
    {
        let issuer = named(&anchor.name);
        let trust = match (anchor.source, reader) {
            (AnchorSource::Account, Reader::Account) => format!("you trust its issuer, {issuer}"),
            (AnchorSource::Account, Reader::Other) => format!("whoever shared it trusts its issuer, {issuer}"),
            (AnchorSource::Operator, _) => format!("its issuer, {issuer}, is trusted here"),
        };
        return format!("The file is unchanged since {} signed it; {trust}.", named(name));
    }
    format!(
        "The file is unchanged since it was signed{}; the identity of the signer is not verified here.",
        signer(signatures, reader)
    )
}

/// States that only permitted changes were made since signing; `actions` lists them.
pub(super) fn permitted(signatures: &[Signature], reader: Reader, actions: &str) -> String {
    let signer = signer(signatures, reader);
    format!("Since it was signed{signer}, only changes that the signature permits were made{actions}.")
}

/// ` by “A” (self-signed certificate)`: the first signer. A time-stamp has no signer to name.
fn signer(signatures: &[Signature], reader: Reader) -> String {
    let is_intact = |signature: &&Signature| signature.status == SignatureStatus::Intact;
    let mut intact = signatures.iter().filter(is_intact);
    let Some(first) = intact.clone().find(|signature| signature.kind != SignatureKind::Timestamp) else {
        let stamp = intact.next().and_then(|stamp| stamp.signer.as_deref());
        return stamp.map_or_else(String::new, |name| format!(", with a time-stamp by {}", named(name)));
    };
    first.signer.as_ref().map_or_else(String::new, |name| format!(" by {}{}", named(name), issuer(first, reader)))
}

/// ` (self-signed certificate)`, or the issuer as the certificate names it, which is not verified.
pub(super) fn issuer(signature: &Signature, reader: Reader) -> String {
    let trusted = signature.trust.as_ref().and_then(|trust| trust.anchor.as_ref().filter(|_| trust.is_trusted()));
    match &signature.issuer {
        _ if let Some(TrustAnchor { name, source, .. }) = trusted => match (source, reader) {
            (AnchorSource::Account, Reader::Account) => format!(" (you trust the issuer, {})", named(name)),
            (AnchorSource::Account, Reader::Other) => {
                format!(" (whoever shared it trusts the issuer, {})", named(name))
            }
            (AnchorSource::Operator, _) => format!(" (its issuer, {}, is trusted here)", named(name)),
        },
        _ if signature.self_signed == Some(true) => " (self-signed certificate)".to_owned(),
        Some(issuer) if signature.issuer_verified == Some(true) => {
            format!(" (certificate issued by {})", named(issuer))
        }
        Some(issuer) => format!(" (certificate naming {} as its issuer)", named(issuer)),
        None => String::new(),
    }
}
