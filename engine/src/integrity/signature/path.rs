//! Paths of certificates from a signer to an anchor (RFC 5280, 6.1; RFC 4158, 2): one that holds is enough.
//!
//! By hand and not by a library: see `docs/architecture.md`. Every doubt is a fault.

use chrono::{DateTime, FixedOffset};

use super::anchor::{Anchor, AnchorIndex};
use super::certificate::Certificate;
use super::constraints::Constraints;
use super::extensions::{Extensions, KeyUsage};
use super::policies::Policies;
use super::verification::{CANDIDATES_PER_STEP, NODE, Verifications};

/// Certificates of a path.
const LONGEST: usize = 10;
/// How often the bytes of a certificate are passed over to validate a path with it.
const PARSES: usize = 8;

/// Purposes of keys (RFC 5280, 4.2.1.12): of servers, of code, of time-stamps, of answers about revocation. A key that is for
/// nothing but these does not sign documents.
const SERVER: &[u8] = &[0x2b, 6, 1, 5, 5, 7, 3, 1];
const CODE: &[u8] = &[0x2b, 6, 1, 5, 5, 7, 3, 3];
const TIME_STAMPS: &[u8] = &[0x2b, 6, 1, 5, 5, 7, 3, 8];
const ANSWERS: &[u8] = &[0x2b, 6, 1, 5, 5, 7, 3, 9];

/// What the first certificate of a path has to be good for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum KeyPurpose {
    Documents,
    TimeStamps,
    /// Revocation lists.
    Lists,
}

/// Why no path holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum PathFault {
    /// None leads to an anchor.
    NoAnchor,
    /// An issuer's name is known, and its key did not sign.
    OtherKey,
    /// One was not valid then.
    NotValidThen,
    NoAuthority,
    KeyUsage,
    /// The signer's key is not said to commit to contents (`contentCommitment`, also known as `nonRepudiation`).
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

impl PathFault {
    /// What it means, within a sentence.
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

/// A path that holds.
#[derive(Debug, Clone)]
pub(crate) struct CertificatePath<'a> {
    /// From the signer's to the anchor's.
    pub(crate) certificates: Vec<Certificate<'a>>,
    pub(crate) anchor: &'a Anchor,
}

/// What a path is looked for with.
pub(crate) struct PathSearch<'s, 'a> {
    anchors: &'s AnchorIndex<'a>,
    known: &'s [Certificate<'a>],
    purpose: KeyPurpose,
    at: DateTime<FixedOffset>,
    verifications: &'s Verifications<'a>,
    /// The first fault of those that are met, the most telling kind.
    fault: PathFault,
}

impl<'s, 'a> PathSearch<'s, 'a> {
    pub(crate) fn new(
        anchors: &'s AnchorIndex<'a>,
        known: &'s [Certificate<'a>],
        verifications: &'s Verifications<'a>,
        purpose: KeyPurpose,
        at: DateTime<FixedOffset>,
    ) -> Self {
        Self { anchors, known, verifications, purpose, at, fault: PathFault::NoAnchor }
    }

    /// A path from `signer` to one of the anchors that holds.
    pub(crate) fn find(mut self, signer: &Certificate<'a>) -> Result<CertificatePath<'a>, PathFault> {
        self.extend(&mut vec![signer.clone()]).ok_or(self.fault)
    }

    fn extend(&mut self, path: &mut Vec<Certificate<'a>>) -> Option<CertificatePath<'a>> {
        let last = path.last()?.clone();
        // certificates that issue each other make more paths than can be followed
        if !self.verifications.spend(NODE + self.known.len() / CANDIDATES_PER_STEP) {
            self.note(PathFault::TooMuch);
            return None;
        }
        let anchors = self.anchors;
        for (anchor, certificate) in anchors.named(self.verifications.name(&last.subject)) {
            if certificate.raw == last.raw
                && let Some(found) = self.hold(path, anchor)
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
                let found = self.hold(path, anchor);
                path.pop();
                if found.is_some() {
                    return found;
                }
            } else {
                self.note(PathFault::OtherKey);
            }
        }
        if path.len() >= LONGEST {
            self.note(PathFault::TooMuch);
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
            self.note(PathFault::TooMuch);
        }
        is_signed
    }

    fn hold(&mut self, path: &[Certificate<'a>], anchor: &'a Anchor) -> Option<CertificatePath<'a>> {
        if !self.verifications.compare(path.iter().map(|one| PARSES * one.raw.len()).sum()) {
            self.note(PathFault::TooMuch);
            return None;
        }
        match validate(path, self.purpose, self.at) {
            Ok(()) => Some(CertificatePath { certificates: path.to_vec(), anchor }),
            Err(fault) => {
                self.note(fault);
                None
            }
        }
    }

    fn note(&mut self, fault: PathFault) {
        if matches!(self.fault, PathFault::NoAnchor | PathFault::OtherKey) {
            self.fault = fault;
        }
    }
}

/// Checks a path whose signatures are verified, from the anchor, which comes last, to the signer (RFC 5280, 6.1.3 to 6.1.5).
fn validate(path: &[Certificate], purpose: KeyPurpose, at: DateTime<FixedOffset>) -> Result<(), PathFault> {
    let mut read = Vec::new();
    for certificate in path.iter().rev() {
        read.push((certificate, Extensions::read(certificate).map_err(|_| PathFault::Unreadable)?));
    }
    let mut constraints = Constraints::default();
    let below = read.len().saturating_sub(1);
    let mut policies = Policies::new(below as u32);
    let mut left = None;
    for (place, (certificate, extensions)) in read.iter().enumerate() {
        let (is_anchor, is_last) = (place == 0, place == below);
        let is_self_issued = certificate.is_self_issued();
        if !certificate.is_valid_at(at) {
            return Err(PathFault::NotValidThen);
        }
        if extensions.is_beyond {
            return Err(PathFault::Critical);
        }
        // nobody has to believe what the anchor's own signature was made with
        if if is_anchor { certificate.has_weak_key() } else { certificate.is_weak() } {
            return Err(PathFault::Weak);
        }
        if !is_anchor {
            let is_exempt = is_self_issued && !is_last;
            if !is_exempt
                && !constraints.admit(&certificate.subject, extensions).map_err(|_| PathFault::NameConstraints)?
            {
                return Err(PathFault::NameConstraints);
            }
            if !policies.enter(extensions, is_last, is_self_issued) {
                return Err(PathFault::Policies);
            }
        }
        if is_last {
            break;
        }
        may_issue(certificate, extensions, is_anchor)?;
        if !is_anchor && !is_self_issued {
            left = match left {
                Some(0) => return Err(PathFault::PathLength),
                Some(more) => Some(more - 1),
                None => None,
            };
        }
        left = left.into_iter().chain(extensions.path_length).min();
        if let Some(own) = &extensions.constraints {
            constraints.add(own).map_err(|_| PathFault::NameConstraints)?;
        }
        if is_anchor {
            policies.demand(extensions);
        } else if !policies.descend(extensions, is_self_issued) {
            return Err(PathFault::Policies);
        }
    }
    let Some((_, signer)) = read.last() else { return Err(PathFault::NoAnchor) };
    if below == 0 {
        // whoever trusts this very certificate trusts it for what it is used for
        return Ok(());
    }
    if !policies.end(signer) {
        return Err(PathFault::Policies);
    }
    may_sign(signer, purpose)
}

/// Whether an authority may issue certificates (4.2.1.3 and 4.2.1.9). An anchor of an old version cannot say so.
fn may_issue(certificate: &Certificate, extensions: &Extensions, is_anchor: bool) -> Result<(), PathFault> {
    let is_old_anchor = is_anchor && certificate.version < 3;
    if !extensions.is_authority && !is_old_anchor {
        return Err(PathFault::NoAuthority);
    }
    match extensions.key_usage {
        Some(usage) if !usage.is_for_certificates() => Err(PathFault::KeyUsage),
        _ => Ok(()),
    }
}

/// Whether the signer's key may sign what it did.
fn may_sign(extensions: &Extensions, purpose: KeyPurpose) -> Result<(), PathFault> {
    // for a document it has to say that its key commits somebody to contents; keys that log in do not
    if purpose == KeyPurpose::Lists {
        return if may_list(extensions) { Ok(()) } else { Err(PathFault::KeyUsage) };
    }
    let is_usable = match (extensions.key_usage, purpose) {
        (Some(usage), KeyPurpose::Documents) => usage.is_for_content(),
        (None, KeyPurpose::Documents) => false,
        (usage, KeyPurpose::TimeStamps | KeyPurpose::Lists) => {
            usage.is_none_or(|usage| usage.is_for_content() || usage.is_for_signatures())
        }
    };
    if !is_usable {
        return Err(if purpose == KeyPurpose::Documents { PathFault::Commitment } else { PathFault::KeyUsage });
    }
    let others = [SERVER, CODE, TIME_STAMPS, ANSWERS];
    let is_for_it = match (&extensions.purposes, purpose) {
        (None, KeyPurpose::Documents) => true,
        (Some(purposes), KeyPurpose::Documents) => purposes.iter().any(|purpose| !others.contains(purpose)),
        (purposes, KeyPurpose::TimeStamps | KeyPurpose::Lists) => {
            purposes.as_ref().is_some_and(|purposes| purposes.contains(&TIME_STAMPS))
        }
    };
    if is_for_it { Ok(()) } else { Err(PathFault::Purpose) }
}

/// Whether it is for lists of revoked certificates that its holder did not issue with this key (RFC 5280, 4.2.1.3): where
/// nothing says so, any certificate of that name would do.
pub(crate) fn may_list(extensions: &Extensions) -> bool {
    extensions.key_usage.is_some_and(KeyUsage::is_for_lists)
}

/// Whether it is for answers about the revocation of others (RFC 6960, 4.2.2.2), and for signatures at all.
pub(crate) fn may_answer(extensions: &Extensions) -> bool {
    let is_for_signatures = |usage: KeyUsage| usage.is_for_signatures() || usage.is_for_content();
    !extensions.is_beyond
        && extensions.key_usage.is_none_or(is_for_signatures)
        && extensions.purposes.as_ref().is_some_and(|purposes| purposes.contains(&ANSWERS))
}
