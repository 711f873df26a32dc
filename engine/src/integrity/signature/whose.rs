//! Brings together what is asked of a signer: who verifies his issuer, how far the file validates him, whether he is trusted.

use super::anchor::Anchor;
use super::certificate::Certificate;
use super::cms::SignedData;
use super::level;
use super::opened::Opened;
use super::path::KeyPurpose;
use super::trust::{self, Signatory, SigningTime};
use super::validation::{Validation, ValidationStore};
use crate::integrity::report::{Level, SignatureStatus, TimeSource, Trust};

/// What signers are judged by.
pub(crate) struct Judging<'j> {
    pub(crate) store: &'j ValidationStore,
    pub(crate) anchors: &'j [Anchor],
}

/// What is known of him.
#[derive(Debug, Default)]
pub(crate) struct Whose<'a> {
    pub(crate) issuer_verified: Option<bool>,
    pub(crate) level: Option<Level>,
    pub(crate) trust: Option<Trust>,
    /// The certificate of whoever made the time-stamp.
    pub(crate) authority: Option<Certificate<'a>>,
}

impl<'j> Judging<'j> {
    /// Judges a signer with the time-stamp of his signature, if there is one that fits it.
    pub(crate) fn judge<'a>(
        &self,
        signer: &Signatory<'_, 'a>,
        token: Option<&SignedData<'a>>,
        opened: &'a Opened,
        is_weak: bool,
    ) -> Whose<'a>
    where
        'j: 'a,
    {
        let messages: Vec<&SignedData> = [signer.data].into_iter().chain(token).collect();
        let validation = Validation::gather(self.store, &opened.certificates, &messages);
        let certificate = signer.certificate;
        let authority = token.and_then(SignedData::certificate);
        let is_verified = |issuer: &Certificate| certificate.is_issued_by(issuer);
        let trust = self.trust(signer, authority.as_ref(), &validation, is_weak);
        let is_trusted = trust.as_ref().is_some_and(Trust::is_trusted);
        let is_verified = is_trusted || trust::is_root(certificate) || validation.certificates.iter().any(is_verified);
        Whose {
            issuer_verified: Some(is_verified),
            level: level::of(signer, authority.as_ref(), opened.sub_filter.as_deref(), &validation),
            trust,
            authority,
        }
    }

    fn trust<'a>(
        &self,
        signer: &Signatory<'_, 'a>,
        authority: Option<&Certificate<'a>>,
        validation: &Validation<'a>,
        is_weak: bool,
    ) -> Option<Trust>
    where
        'j: 'a,
    {
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
        let moment = match (signer.stamped, signer.claimed_at) {
            (Some(at), _) => {
                let clock = authority.unwrap_or(signer.certificate);
                let is_proved = trust::path(clock, validation, self.anchors, KeyPurpose::TimeStamps, at).is_ok();
                Some(SigningTime { at, source: TimeSource::Timestamp, claimed: signer.claimed_at, is_proved })
            }
            (None, Some(at)) => Some(SigningTime { at, source: TimeSource::Claimed, claimed: None, is_proved: false }),
            (None, None) => None,
        };
        Some(trust::judge(signer.certificate, validation, self.anchors, purpose, moment))
    }
}
