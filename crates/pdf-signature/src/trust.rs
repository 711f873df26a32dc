//! The trust in a signer: whether its certificate has a path to an anchor of the reader, and otherwise the file's own
//! validation data.

use chrono::{DateTime, FixedOffset};

use crate::anchor::{Anchor, AnchorIndex};
use crate::certificate::Certificate;
use crate::chain::issuers;
use crate::cms::SignedData;
use crate::path::{CertificatePath, KeyPurpose, PathError, PathSearch};
use crate::report::{RevocationStatus, SignatureStatus, TimeSource, Trust, TrustAnchor, TrustStatus};
use crate::revocation::{RevocationKnowledge, Revocations, Use};
use crate::validation::Validation;
use crate::verification::Verifications;

/// A signer.
pub struct Signatory<'s, 'a> {
    /// The certificate.
    pub certificate: &'s Certificate<'a>,
    /// The signature with its embedded certificates and revocation data.
    pub data: &'s SignedData<'a>,
    /// Whether it is a time-stamp authority.
    pub is_stamp: bool,
    /// Whether the signature matches the file.
    pub status: SignatureStatus,
    /// The time of its intact time-stamp.
    pub stamped: Option<DateTime<FixedOffset>>,
    /// The signing time by the signer's own claim.
    pub claimed_at: Option<DateTime<FixedOffset>>,
}

/// The time at which a signature was made, as far as known.
#[derive(Debug, Clone, Copy)]
pub struct SigningTime {
    /// The time for which the path is validated.
    pub at: DateTime<FixedOffset>,
    /// Its source.
    pub source: TimeSource,
    /// The time that the signer claims.
    pub claimed: Option<DateTime<FixedOffset>>,
    /// Whether the source of the time is itself trusted by an anchor.
    pub is_proved: bool,
    /// Whether it is the time of a document time-stamp.
    pub is_of_document: bool,
}

/// The basis of trust decisions.
#[derive(Clone, Copy)]
pub struct TrustBasis<'b, 'a> {
    /// The trusted issuers.
    pub anchors: &'b AnchorIndex<'a>,
    /// The validation data of the file.
    pub validation: &'b Validation<'a>,
    /// The budget.
    pub verifications: &'b Verifications<'a>,
}

impl<'a> TrustBasis<'_, 'a> {
    fn revocations(&self) -> Revocations<'_, 'a> {
        Revocations { validation: self.validation, anchors: self.anchors, verifications: self.verifications }
    }

    /// Whether the file has the revocation status of each certificate up to its root.
    pub fn is_validated(&self, certificate: &Certificate<'a>, at: DateTime<FixedOffset>) -> bool {
        let chain = issuers(certificate, &self.validation.certificates, self.verifications);
        let used = Use { at, is_proved: false };
        let is_known = |known: RevocationKnowledge| known > RevocationKnowledge::Inconclusive;
        // the file's data does not depend on the reader's anchors
        let anchors = AnchorIndex::default();
        let revocations = Revocations { anchors: &anchors, ..self.revocations() };
        chain.last().is_some_and(|last| self.verifications.is_root(last))
            && revocations.of_path(&chain, used).into_iter().all(is_known)
    }

    /// Whether a time-stamp authority has a path to an anchor, and the file shows none of its certificates to be
    /// revoked at any time.
    pub fn proves(&self, authority: &Certificate<'a>, at: DateTime<FixedOffset>) -> bool {
        let used = Use { at, is_proved: false };
        let is_sound =
            |known: RevocationKnowledge| matches!(known, RevocationKnowledge::Nothing | RevocationKnowledge::Good);
        self.path(authority, KeyPurpose::TimeStamps, at)
            .is_ok_and(|path| self.revocations().of_path(&path.certificates, used).into_iter().all(is_sound))
    }

    /// A valid path from a certificate to an anchor.
    fn path(
        &self,
        certificate: &Certificate<'a>,
        purpose: KeyPurpose,
        at: DateTime<FixedOffset>,
    ) -> Result<CertificatePath<'a>, PathError> {
        let known = &self.validation.certificates;
        let found = PathSearch::new(self.anchors, known, self.verifications, purpose, at).find(certificate);
        match found {
            Err(PathError::NoAnchor) if self.validation.is_crowded => Err(PathError::TooMuch),
            found => found,
        }
    }

    /// Judges the signer of an intact signature.
    pub fn judge(&self, certificate: &Certificate<'a>, purpose: KeyPurpose, moment: Option<SigningTime>) -> Trust {
        let Some(moment) = moment else { return distrusted("nothing tells when it was signed", None) };
        // without a trusted time the path must be valid at any possible time
        let claimed = moment.claimed.filter(|_| !moment.is_proved).unwrap_or(moment.at);
        let found = self.path(certificate, purpose, claimed).and_then(|_| self.path(certificate, purpose, moment.at));
        let path = match found {
            Ok(path) => path,
            Err(fault) => {
                let status =
                    if fault == PathError::NotValidThen { TrustStatus::NotValidThen } else { TrustStatus::NotTrusted };
                let chain = names(&issuers(certificate, &self.validation.certificates, self.verifications));
                return Trust { status, chain, ..distrusted(fault.meaning(), Some(moment)) };
            }
        };
        let chain = names(&path.certificates);
        let used = Use { at: moment.at, is_proved: moment.is_proved };
        let known = self.revocations().of_path(&path.certificates, used);
        let Anchor { name, sha256, source, .. } = path.anchor;
        let anchor = Some(TrustAnchor { name: name.clone(), sha256: sha256.clone(), source: *source });
        let revocation = match self.revocation(&known) {
            Ok(revocation) => revocation,
            Err(RevocationFault::Revoked) => {
                let because = if used.is_proved {
                    "a certificate of the chain had been revoked by then"
                } else {
                    "a certificate of the chain was revoked, and that it was used before is only claimed"
                };
                let (status, revocation) = (TrustStatus::Revoked, RevocationStatus::Revoked);
                return Trust { status, revocation, anchor, chain, ..distrusted(because, Some(moment)) };
            }
            Err(fault) => return Trust { chain, ..distrusted(fault.meaning(), Some(moment)) },
        };
        let when = match (moment.source, moment.is_of_document) {
            (TimeSource::Timestamp, true) => "at the time of the document's time-stamp",
            (TimeSource::Timestamp, false) => "at the time of its time-stamp",
            (TimeSource::Claimed, _) => "at the time that the signer claims",
        };
        let checked = match revocation {
            RevocationStatus::Good => "none of the certificates was revoked, by what the file brings along",
            _ if self.validation.is_unread => {
                "whether one of them was revoked was not checked: something that the file brings along about it cannot be read"
            }
            _ => {
                "whether one of them was revoked was not checked: the file brings nothing along that tells of all of them"
            }
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

    /// The revocation status of a chain, from the signer up.
    fn revocation(&self, known: &[RevocationKnowledge]) -> Result<RevocationStatus, RevocationFault> {
        let spoken = known.iter().rposition(|known| *known != RevocationKnowledge::Nothing);
        if known.contains(&RevocationKnowledge::Revoked) {
            Err(RevocationFault::Revoked)
        } else if known.contains(&RevocationKnowledge::Inconclusive) {
            Err(RevocationFault::Inconclusive)
        } else if known.iter().all(|known| *known == RevocationKnowledge::Good) {
            // a self-signed anchor has no issuer that could revoke it
            let is_good = !known.is_empty() && !self.validation.is_unread;
            Ok(if is_good { RevocationStatus::Good } else { RevocationStatus::NotChecked })
        } else if self.validation.is_unread {
            Err(RevocationFault::Unread)
        } else if known.first() == Some(&RevocationKnowledge::Nothing) && spoken.is_some() {
            Err(RevocationFault::Missing)
        } else {
            Ok(RevocationStatus::NotChecked)
        }
    }
}

/// Why the revocation status prevents trust.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum RevocationFault {
    Revoked,
    Inconclusive,
    /// Unreadable data may be about it.
    Unread,
    /// There is data about issuers, but not about the signer.
    Missing,
}

impl RevocationFault {
    /// Its meaning, as a clause.
    fn meaning(self) -> &'static str {
        match self {
            Self::Revoked => "a certificate of the chain was revoked",
            Self::Inconclusive => {
                "what the file brings along about revocation cannot be believed, does not fit, or was out of date"
            }
            Self::Unread => "a revocation list or an OCSP response that the file brings along cannot be read",
            Self::Missing => "the file tells of the revocation of issuers, and nothing of the signer's",
        }
    }
}

/// An untrusted result with its reason as a clause.
pub fn distrusted(because: &str, moment: Option<SigningTime>) -> Trust {
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
