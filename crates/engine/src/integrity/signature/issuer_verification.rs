//! Combines the checks of a signer: issuer verification, PAdES level by the file's validation data, and trust.

use std::cell::OnceCell;

use chrono::{DateTime, FixedOffset};

use super::level;
use super::parsed_signature::ParsedSignature;
use crate::integrity::report::{Level, SignatureStatus, TimeSource, Trust};
use pdf_signature::anchor::AnchorIndex;
use pdf_signature::certificate::Certificate;
use pdf_signature::cms::SignedData;
use pdf_signature::path::KeyPurpose;
use pdf_signature::trust::{self, Signatory, SigningTime, TrustBasis};
use pdf_signature::validation::{StoredValidation, Validation};
use pdf_signature::verification::Verifications;

/// The basis of the checks.
pub(crate) struct TrustContext<'j, 'a> {
    pub(crate) store: &'a StoredValidation,
    pub(crate) anchors: AnchorIndex<'a>,
    pub(crate) verifications: &'j Verifications<'a>,
    /// The intact document time-stamps.
    pub(crate) stamps: Vec<DocumentStamp<'a>>,
    /// Those with trusted authorities, oldest first: the end of their coverage and their time.
    pub(crate) proved: OnceCell<Vec<(u64, DateTime<FixedOffset>)>>,
}

/// An intact document time-stamp (ISO 32000-2, 12.8.5).
pub(crate) struct DocumentStamp<'a> {
    pub(crate) data: &'a SignedData<'a>,
    pub(crate) parsed: &'a ParsedSignature,
    pub(crate) end: u64,
    pub(crate) at: DateTime<FixedOffset>,
}

/// The result for one signer.
#[derive(Debug, Default)]
pub(crate) struct IssuerCheck<'a> {
    pub(crate) issuer_verified: Option<bool>,
    pub(crate) level: Option<Level>,
    pub(crate) trust: Option<Trust>,
    /// The certificate of the time-stamp authority.
    pub(crate) authority: Option<Certificate<'a>>,
}

impl<'a> TrustContext<'_, 'a> {
    /// Judges a signer with the valid time-stamp of its signature, if there is one.
    pub(crate) fn judge(
        &self,
        signer: &Signatory<'_, 'a>,
        token: Option<&SignedData<'a>>,
        parsed: &'a ParsedSignature,
        is_weak: bool,
    ) -> IssuerCheck<'a> {
        let messages: Vec<&SignedData> = [signer.data].into_iter().chain(token).collect();
        let validation = Validation::gather(self.store, &parsed.certificates, &messages);
        let basis = self.basis(&validation);
        let certificate = signer.certificate;
        let authority = token.and_then(SignedData::certificate);
        let is_verified = |issuer: &Certificate<'a>| self.verifications.is_issued_by(certificate, issuer);
        let end = parsed.range.as_ref().map_or(u64::MAX, |signed| signed.end);
        let trust = self.trust(signer, authority.as_ref(), &basis, end, is_weak);
        let is_trusted = trust.as_ref().is_some_and(Trust::is_trusted);
        let is_verified =
            is_trusted || self.verifications.is_root(certificate) || validation.certificates.iter().any(is_verified);
        IssuerCheck {
            issuer_verified: Some(is_verified),
            level: level::of(signer, authority.as_ref(), parsed.sub_filter.as_deref(), &basis),
            trust,
            authority,
        }
    }

    fn basis<'b>(&'b self, validation: &'b Validation<'a>) -> TrustBasis<'b, 'a> {
        TrustBasis { anchors: &self.anchors, validation, verifications: self.verifications }
    }

    /// Whether the subject is its own issuer: by name, or because its key verifies the certificate under any issuer
    /// name.
    pub(crate) fn is_self_signed(&self, certificate: &Certificate<'a>) -> bool {
        certificate.issuer.content == certificate.subject.content
            || self.verifications.is_signed_by(certificate, certificate)
    }

    fn trust(
        &self,
        signer: &Signatory<'_, 'a>,
        authority: Option<&Certificate<'a>>,
        basis: &TrustBasis<'_, 'a>,
        end: u64,
        is_weak: bool,
    ) -> Option<Trust> {
        if self.anchors.is_empty() {
            return None;
        }
        match signer.status {
            SignatureStatus::Intact if is_weak => {
                return Some(trust::distrusted("it was made by means that are weak by today's measure", None));
            }
            SignatureStatus::Intact => {}
            SignatureStatus::Broken => return Some(trust::distrusted("the signature does not fit the file", None)),
            SignatureStatus::Unchecked => return Some(trust::distrusted("the signature could not be checked", None)),
        }
        let purpose = if signer.is_stamp { KeyPurpose::TimeStamps } else { KeyPurpose::Documents };
        let claimed = signer.claimed_at;
        let stamped = |at, is_proved, is_of_document| SigningTime {
            at,
            source: TimeSource::Timestamp,
            claimed,
            is_proved,
            is_of_document,
        };
        let own =
            signer.stamped.map(|at| stamped(at, basis.proves(authority.unwrap_or(signer.certificate), at), false));
        let by_claim = claimed.map(|at| {
            let source = TimeSource::Claimed;
            SigningTime { at, source, claimed: None, is_proved: false, is_of_document: false }
        });
        let own = own.or(by_claim);
        // a document time-stamp is an equal proof for everything that it covers, and only adds to it
        if own.is_none_or(|own| !own.is_proved)
            && let Some((_, at)) = self.proved().iter().find(|(covered, _)| *covered > end)
        {
            let trust = basis.judge(signer.certificate, purpose, Some(stamped(*at, true, true)));
            if trust.is_trusted() || own.is_none() {
                return Some(trust);
            }
        }
        Some(basis.judge(signer.certificate, purpose, own))
    }

    /// The document time-stamps with trusted authorities, oldest first.
    fn proved(&self) -> &[(u64, DateTime<FixedOffset>)] {
        self.proved.get_or_init(|| {
            let is_proved = |stamp: &&DocumentStamp<'a>| {
                let validation = Validation::gather(self.store, &stamp.parsed.certificates, &[stamp.data]);
                let authority = stamp.data.certificate();
                authority.is_some_and(|authority| self.basis(&validation).proves(&authority, stamp.at))
            };
            let mut proved: Vec<_> = self.stamps.iter().filter(is_proved).map(|stamp| (stamp.end, stamp.at)).collect();
            proved.sort_by_key(|(_, at)| *at);
            proved
        })
    }
}
