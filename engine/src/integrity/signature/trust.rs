//! Whose signature it is: whether the signer's certificate leads to an issuer whom the reader trusts, and what the file itself
//! proves of that without.

use chrono::{DateTime, FixedOffset};

use super::anchor::Anchor;
use super::certificate::Certificate;
use super::cms::SignedData;
use super::path::{CertificatePath, KeyPurpose, PathFault, PathSearch};
use super::revocation::{self, RevocationKnowledge, Use};
use super::validation::Validation;
use crate::integrity::report::{RevocationStatus, SignatureStatus, TimeSource, Trust, TrustAnchor, TrustStatus};

/// Issuers that are gone up to.
const CHAIN: usize = 10;

/// Whoever signed.
pub(crate) struct Signatory<'s, 'a> {
    pub(crate) certificate: &'s Certificate<'a>,
    pub(crate) data: &'s SignedData<'a>,
    /// Whether he makes time-stamps.
    pub(crate) is_stamp: bool,
    pub(crate) status: SignatureStatus,
    pub(crate) stamped: Option<DateTime<FixedOffset>>,
    pub(crate) claimed_at: Option<DateTime<FixedOffset>>,
}

/// When a signature was made, as far as that is known.
#[derive(Debug, Clone, Copy)]
pub(crate) struct SigningTime {
    pub(crate) at: DateTime<FixedOffset>,
    pub(crate) source: TimeSource,
    /// The time that the signer claims.
    pub(crate) claimed: Option<DateTime<FixedOffset>>,
    /// Whether whoever says so is trusted by one of the anchors himself.
    pub(crate) is_proved: bool,
}

/// The certificate, its issuer, the issuer of that and so on, as far as they are at hand and their keys verify it.
pub(crate) fn issuers<'a>(certificate: &Certificate<'a>, known: &[Certificate<'a>]) -> Vec<Certificate<'a>> {
    let mut chain = vec![certificate.clone()];
    while let Some(last) = chain.last().filter(|last| chain.len() < CHAIN && !is_root(last)) {
        let is_new = |issuer: &&Certificate| chain.iter().all(|one| one.raw != issuer.raw);
        let Some(issuer) = known.iter().filter(is_new).find(|issuer| last.is_issued_by(issuer)) else { break };
        chain.push(issuer.clone());
    }
    chain
}

/// Whether its own key verifies it, under its own name.
pub(crate) fn is_root(certificate: &Certificate) -> bool {
    certificate.is_self_issued() && certificate.is_signed_by(certificate)
}

/// Whether the file says of each certificate up to its root whether it was revoked.
pub(crate) fn is_validated(chain: &[Certificate], validation: &Validation, at: DateTime<FixedOffset>) -> bool {
    let used = Use { at, is_proved: false };
    let is_known = |pair: &[Certificate]| match pair {
        [certificate, issuer] => revocation::of(certificate, issuer, validation, used) > RevocationKnowledge::Doubtful,
        _ => false,
    };
    chain.last().is_some_and(is_root) && chain.windows(2).all(is_known)
}

/// Whether a path leads from a certificate to an anchor.
pub(crate) fn path<'a>(
    certificate: &Certificate<'a>,
    validation: &Validation<'a>,
    anchors: &'a [Anchor],
    purpose: KeyPurpose,
    at: DateTime<FixedOffset>,
) -> Result<CertificatePath<'a>, PathFault> {
    PathSearch::new(anchors, &validation.certificates, purpose, at).find(certificate)
}

/// Judges the signer of a signature that fits.
pub(crate) fn judge<'a>(
    certificate: &Certificate<'a>,
    validation: &Validation<'a>,
    anchors: &'a [Anchor],
    purpose: KeyPurpose,
    moment: Option<SigningTime>,
) -> Trust {
    let Some(moment) = moment else { return distrusted("nothing tells when it was signed", None) };
    // where nobody who is trusted says when it was, it has to hold whenever it was
    let claimed = moment.claimed.filter(|_| !moment.is_proved).unwrap_or(moment.at);
    let found = path(certificate, validation, anchors, purpose, claimed)
        .and_then(|_| path(certificate, validation, anchors, purpose, moment.at));
    let path = match found {
        Ok(path) => path,
        Err(fault) => {
            let status =
                if fault == PathFault::NotValidThen { TrustStatus::NotValidThen } else { TrustStatus::NotTrusted };
            let chain = names(&issuers(certificate, &validation.certificates));
            return Trust { status, chain, ..distrusted(fault.meaning(), Some(moment)) };
        }
    };
    let used = Use { at: moment.at, is_proved: moment.is_proved };
    let known = path.certificates.windows(2).map(|pair| match pair {
        [certificate, issuer] => revocation::of(certificate, issuer, validation, used),
        _ => RevocationKnowledge::Nothing,
    });
    let known: Vec<RevocationKnowledge> = known.collect();
    let revocation = match known.iter().max() {
        Some(RevocationKnowledge::Revoked) => RevocationStatus::Revoked,
        Some(_) if known.iter().all(|known| *known == RevocationKnowledge::Good) => RevocationStatus::Good,
        _ => RevocationStatus::NotChecked,
    };
    if known.contains(&RevocationKnowledge::Doubtful) && revocation != RevocationStatus::Revoked {
        let because = "what the file brings along about revocation cannot be believed, or was out of date";
        return Trust { chain: names(&path.certificates), ..distrusted(because, Some(moment)) };
    }
    let Anchor { name, sha256, source, .. } = path.anchor;
    let anchor = Some(TrustAnchor { name: name.clone(), sha256: sha256.clone(), source: *source });
    let chain = names(&path.certificates);
    if revocation == RevocationStatus::Revoked {
        let because = if used.is_proved {
            "a certificate of the chain had been revoked by then"
        } else {
            "a certificate of the chain was revoked, and that it was used before is only claimed"
        };
        return Trust { status: TrustStatus::Revoked, revocation, anchor, chain, ..distrusted(because, Some(moment)) };
    }
    let when = match moment.source {
        TimeSource::Timestamp => "at the time of its time-stamp",
        TimeSource::Claimed => "at the time that the signer claims",
    };
    let checked = match revocation {
        RevocationStatus::Good => "none of the certificates was revoked, by what the file brings along",
        _ => "whether one of them was revoked was not checked: the file brings nothing along that tells of all of them",
    };
    Trust {
        status: TrustStatus::Trusted,
        anchor,
        chain,
        at: Some(moment.at),
        at_source: Some(moment.source),
        revocation,
        because: format!("The chain of certificates holds {when}; {checked}."),
    }
}

/// That somebody is not trusted, for a reason that goes within a sentence.
pub(crate) fn distrusted(because: &str, moment: Option<SigningTime>) -> Trust {
    let mut letters = because.chars();
    let because = letters.next().map(|first| first.to_uppercase().chain(letters).chain(['.']).collect());
    Trust {
        status: TrustStatus::NotTrusted,
        anchor: None,
        chain: Vec::new(),
        at: moment.map(|moment| moment.at),
        at_source: moment.map(|moment| moment.source),
        revocation: RevocationStatus::NotChecked,
        because: because.unwrap_or_default(),
    }
}

fn names(chain: &[Certificate]) -> Vec<String> {
    chain.iter().map(|certificate| certificate.subject().unwrap_or_default()).collect()
}
