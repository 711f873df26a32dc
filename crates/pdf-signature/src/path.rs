//! Certificate paths from a signer to an anchor (RFC 5280, 6.1; RFC 4158, 2): one valid path suffices. Implemented
//! here, not by a library: see `docs/architecture.md`. Inconclusive checks fail.

use chrono::{DateTime, FixedOffset};

use crate::anchor::{Anchor, AnchorIndex};
use crate::certificate::Certificate;
use crate::constraints::Constraints;
use crate::extensions::{Extensions, KeyUsage};
use crate::policies::Policies;
use crate::verification::{CANDIDATES_PER_STEP, NODE, Verifications};

/// Maximum certificates of a path.
const MAX_PATH_LENGTH: usize = 10;
/// Passes over a certificate's bytes per path validation.
const PARSES_PER_CERTIFICATE: usize = 8;

/// Extended key usages (RFC 5280, 4.2.1.12): server authentication, code signing, time-stamping, OCSP signing. A key
/// with only these does not sign documents.
const SERVER: &[u8] = &[0x2b, 6, 1, 5, 5, 7, 3, 1];
const CODE: &[u8] = &[0x2b, 6, 1, 5, 5, 7, 3, 3];
const TIME_STAMPS: &[u8] = &[0x2b, 6, 1, 5, 5, 7, 3, 8];
const ANSWERS: &[u8] = &[0x2b, 6, 1, 5, 5, 7, 3, 9];

/// The purpose of a path's first certificate.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum KeyPurpose {
    /// Signing documents.
    Documents,
    /// Issuing time-stamps (RFC 3161, 2.3).
    TimeStamps,
    /// Revocation lists.
    Lists,
}

/// Why no path is valid.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum PathError {
    /// None leads to an anchor.
    NoAnchor,
    /// An issuer has the name of an anchor but another key.
    OtherKey,
    /// A certificate was not valid at that time.
    NotValidThen,
    NoAuthority,
    KeyUsage,
    /// The signer's key usage lacks `contentCommitment` (`nonRepudiation`).
    Commitment,
    Purpose,
    PathLength,
    NameConstraints,
    Policies,
    Critical,
    Weak,
    Unreadable,
    TooMuch,
}

impl PathError {
    /// The meaning, as a clause.
    pub(crate) fn meaning(self) -> &'static str {
        match self {
            Self::NoAnchor => "no chain of certificates leads from the signer to a trusted issuer",
            Self::OtherKey => "a certificate names a trusted issuer, whose key did not sign it",
            Self::NotValidThen => "a certificate of the chain was not valid at that time",
            Self::NoAuthority => "a certificate of the chain was issued by one that is not a CA certificate",
            Self::KeyUsage => "a key of the chain was used for what its certificate does not allow",
            Self::Commitment => {
                "the signer's certificate does not say that its key commits to contents (keyUsage without nonRepudiation)"
            }
            Self::Purpose => "the signer's certificate is for other purposes than documents",
            Self::PathLength => "the chain is longer than one of its issuers allows",
            Self::NameConstraints => "an issuer of the chain may not issue certificates for such a name",
            Self::Policies => "the chain has no acceptable certificate policy",
            Self::Critical => "a certificate of the chain has an unrecognized critical extension",
            Self::Weak => "a key or a hash of the chain is weak by current standards",
            Self::Unreadable => "a certificate of the chain cannot be read",
            Self::TooMuch => "there are too many certificates to follow",
        }
    }
}

/// A valid path.
#[derive(Debug, Clone)]
pub(crate) struct CertificatePath<'a> {
    /// From the signer's to the anchor's.
    pub certificates: Vec<Certificate<'a>>,
    pub anchor: &'a Anchor,
}

/// A search for a path.
pub(crate) struct PathSearch<'s, 'a> {
    anchors: &'s AnchorIndex<'a>,
    known: &'s [Certificate<'a>],
    purpose: KeyPurpose,
    at: DateTime<FixedOffset>,
    verifications: &'s Verifications<'a>,
    /// The most specific fault so far.
    fault: PathError,
}

impl<'s, 'a> PathSearch<'s, 'a> {
    pub(crate) fn new(
        anchors: &'s AnchorIndex<'a>,
        known: &'s [Certificate<'a>],
        verifications: &'s Verifications<'a>,
        purpose: KeyPurpose,
        at: DateTime<FixedOffset>,
    ) -> Self {
        Self { anchors, known, verifications, purpose, at, fault: PathError::NoAnchor }
    }

    /// Finds a valid path from `signer` to one of the anchors.
    pub(crate) fn find(mut self, signer: &Certificate<'a>) -> Result<CertificatePath<'a>, PathError> {
        self.extend(&mut vec![signer.clone()]).ok_or(self.fault)
    }

    fn extend(&mut self, path: &mut Vec<Certificate<'a>>) -> Option<CertificatePath<'a>> {
        let last = path.last()?.clone();
        // cross-certificates make more paths than can be searched
        if !self.verifications.spend(NODE + self.known.len() / CANDIDATES_PER_STEP) {
            self.record(PathError::TooMuch);
            return None;
        }
        let anchors = self.anchors;
        for (anchor, certificate) in anchors.named(self.verifications.name(&last.subject)) {
            if certificate.raw == last.raw
                && let Some(found) = self.validated(path, anchor)
            {
                return Some(found);
            }
        }
        for (anchor, certificate) in anchors.named(self.verifications.name(&last.issuer)) {
            if certificate.raw == last.raw {
                continue;
            }
            if self.is_signed(&last, certificate) {
                path.push(certificate.clone());
                let found = self.validated(path, anchor);
                path.pop();
                if found.is_some() {
                    return found;
                }
            } else {
                self.record(PathError::OtherKey);
            }
        }
        if path.len() >= MAX_PATH_LENGTH {
            self.record(PathError::TooMuch);
            return None;
        }
        for issuer in self.known {
            let is_new = path.iter().all(|one| one.raw != issuer.raw);
            if is_new && self.verifications.are_equal(&last, issuer) && self.is_signed(&last, issuer) {
                path.push(issuer.clone());
                let found = self.extend(path);
                path.pop();
                if found.is_some() {
                    return found;
                }
            }
        }
        None
    }

    fn is_signed(&mut self, certificate: &Certificate<'a>, issuer: &Certificate<'a>) -> bool {
        let refused = self.verifications.refused();
        let is_signed = self.verifications.is_signed_by(certificate, issuer);
        if self.verifications.refused() > refused {
            self.record(PathError::TooMuch);
        }
        is_signed
    }

    fn validated(&mut self, path: &[Certificate<'a>], anchor: &'a Anchor) -> Option<CertificatePath<'a>> {
        if !self.verifications.compare(path.iter().map(|one| PARSES_PER_CERTIFICATE * one.raw.len()).sum()) {
            self.record(PathError::TooMuch);
            return None;
        }
        match validate(path, self.purpose, self.at) {
            Ok(()) => Some(CertificatePath { certificates: path.to_vec(), anchor }),
            Err(fault) => {
                self.record(fault);
                None
            }
        }
    }

    fn record(&mut self, fault: PathError) {
        if matches!(self.fault, PathError::NoAnchor | PathError::OtherKey) {
            self.fault = fault;
        }
    }
}

/// Validates a path with verified signatures, from the anchor, which is last, to the signer (RFC 5280, 6.1.3 to 6.1.5).
fn validate(path: &[Certificate], purpose: KeyPurpose, at: DateTime<FixedOffset>) -> Result<(), PathError> {
    let mut read = Vec::new();
    for certificate in path.iter().rev() {
        read.push((certificate, Extensions::read(certificate).map_err(|_| PathError::Unreadable)?));
    }
    let mut constraints = Constraints::default();
    let below = read.len().saturating_sub(1);
    let mut policies = Policies::new(below as u32);
    let mut left = None;
    for (place, (certificate, extensions)) in read.iter().enumerate() {
        let (is_anchor, is_last) = (place == 0, place == below);
        let is_self_issued = certificate.is_self_issued();
        if !certificate.is_valid_at(at) {
            return Err(PathError::NotValidThen);
        }
        if extensions.has_unknown_critical {
            return Err(PathError::Critical);
        }
        // the anchor's self-signature does not matter
        if if is_anchor { certificate.has_weak_key() } else { certificate.is_weak() } {
            return Err(PathError::Weak);
        }
        if !is_anchor {
            let is_exempt = is_self_issued && !is_last;
            if !is_exempt
                && !constraints.admit(&certificate.subject, extensions).map_err(|_| PathError::NameConstraints)?
            {
                return Err(PathError::NameConstraints);
            }
            if !policies.enter(extensions, is_last, is_self_issued) {
                return Err(PathError::Policies);
            }
        }
        if is_last {
            break;
        }
        check_ca(certificate, extensions, is_anchor)?;
        if !is_anchor && !is_self_issued {
            left = match left {
                Some(0) => return Err(PathError::PathLength),
                Some(more) => Some(more - 1),
                None => None,
            };
        }
        left = left.into_iter().chain(extensions.path_length).min();
        if let Some(own) = &extensions.constraints {
            constraints.add(own).map_err(|_| PathError::NameConstraints)?;
        }
        if is_anchor {
            policies.demand(extensions);
        } else if !policies.descend(extensions, is_self_issued) {
            return Err(PathError::Policies);
        }
    }
    let Some((_, signer)) = read.last() else { return Err(PathError::NoAnchor) };
    if below == 0 {
        // an anchor that is the signer's own certificate is trusted for its use
        return Ok(());
    }
    if !policies.end(signer) {
        return Err(PathError::Policies);
    }
    check_signer(signer, purpose)
}

/// Checks that a certificate is a CA's (4.2.1.3 and 4.2.1.9). An anchor of an old version has no extensions.
fn check_ca(certificate: &Certificate, extensions: &Extensions, is_anchor: bool) -> Result<(), PathError> {
    let is_old_anchor = is_anchor && certificate.version < 3;
    if !extensions.is_authority && !is_old_anchor {
        return Err(PathError::NoAuthority);
    }
    match extensions.key_usage {
        Some(usage) if !usage.is_for_certificates() => Err(PathError::KeyUsage),
        _ => Ok(()),
    }
}

/// Checks the signer's key usage for this purpose.
fn check_signer(extensions: &Extensions, purpose: KeyPurpose) -> Result<(), PathError> {
    // document signing requires content commitment; keys for authentication lack it
    if purpose == KeyPurpose::Lists {
        return if is_crl_signer(extensions) { Ok(()) } else { Err(PathError::KeyUsage) };
    }
    let is_usable = match (extensions.key_usage, purpose) {
        (Some(usage), KeyPurpose::Documents) => usage.is_for_content(),
        (None, KeyPurpose::Documents) => false,
        (usage, KeyPurpose::TimeStamps | KeyPurpose::Lists) => {
            usage.is_none_or(|usage| usage.is_for_content() || usage.is_for_signatures())
        }
    };
    if !is_usable {
        return Err(if purpose == KeyPurpose::Documents { PathError::Commitment } else { PathError::KeyUsage });
    }
    let others = [SERVER, CODE, TIME_STAMPS, ANSWERS];
    let is_for_it = match (&extensions.purposes, purpose) {
        (None, KeyPurpose::Documents) => true,
        (Some(purposes), KeyPurpose::Documents) => purposes.iter().any(|purpose| !others.contains(purpose)),
        (purposes, KeyPurpose::TimeStamps | KeyPurpose::Lists) => {
            purposes.as_ref().is_some_and(|purposes| purposes.contains(&TIME_STAMPS))
        }
    };
    if is_for_it { Ok(()) } else { Err(PathError::Purpose) }
}

/// Whether it may sign CRLs that its holder did not issue with this key (RFC 5280, 4.2.1.3): without key usage any
/// certificate with that name would do.
pub(crate) fn is_crl_signer(extensions: &Extensions) -> bool {
    extensions.key_usage.is_some_and(KeyUsage::is_for_lists)
}

/// Whether it is an authorized OCSP responder (RFC 6960, 4.2.2.2) with a key for signatures.
pub(crate) fn is_ocsp_responder(extensions: &Extensions) -> bool {
    let is_for_signatures = |usage: KeyUsage| usage.is_for_signatures() || usage.is_for_content();
    !extensions.has_unknown_critical
        && extensions.key_usage.is_none_or(is_for_signatures)
        && extensions.purposes.as_ref().is_some_and(|purposes| purposes.contains(&ANSWERS))
}
