//! Whether a certificate was revoked, by the file's own data: CRLs (RFC 5280, 6.3) and OCSP responses (RFC 6960, 3.2).
//! A statement counts if the issuer or its delegate signed it and it covers the certificate.

use chrono::{DateTime, Duration, FixedOffset};

use crate::anchor::AnchorIndex;
use crate::certificate::Certificate;
use crate::chain::issuers;
use crate::crl::RevocationList;
use crate::distribution::{ALL_REASONS, DistributionPoints, Reasons};
use crate::extensions::{Extensions, KeyUsage};
use crate::name::DistinguishedName;
use crate::ocsp::{OcspResponse, SingleStatus};
use crate::path::{KeyPurpose, PathSearch, is_crl_signer, is_ocsp_responder};
use crate::revoked::{Entry, HOLD, Revoked};
use crate::validation::Validation;
use crate::verification::Verifications;

/// Maximum nested statements: a CRL about the signer of another one, and so on.
const MAX_STATEMENT_DEPTH: usize = 3;

/// The knowledge about a certificate.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum RevocationKnowledge {
    /// No statement.
    Nothing,
    /// Only statements that are untrusted, not applicable or outdated.
    Inconclusive,
    Good,
    Revoked,
}

/// The time at which a certificate was used.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Use {
    pub at: DateTime<FixedOffset>,
    /// Whether the time is proven; otherwise it may have been later, and any revocation counts.
    pub is_proved: bool,
}

/// The basis of revocation checks.
#[derive(Clone, Copy)]
pub(crate) struct Revocations<'r, 'v> {
    pub validation: &'r Validation<'v>,
    pub anchors: &'r AnchorIndex<'v>,
    pub verifications: &'r Verifications<'v>,
}

/// A trusted statement about a certificate.
struct Statement {
    made: DateTime<FixedOffset>,
    until: Option<DateTime<FixedOffset>>,
    /// Whether it was made after the certificate expired and might have been dropped.
    is_late: bool,
    reasons: Reasons,
    revoked: Option<Revoked>,
}

/// All statements about a certificate.
#[derive(Default)]
struct Statements {
    believed: Vec<Statement>,
    is_doubtful: bool,
}

impl Statement {
    /// Whether the certificate was, or may have been, revoked when it was used.
    fn revokes(&self, used: Use) -> bool {
        self.revoked.is_some_and(|revoked| revoked.at <= used.at || !used.is_proved)
    }

    /// Whether the statement shows that the certificate was good when it was used: it is newer, or was current then.
    fn clears(&self, used: Use) -> bool {
        let until = self.until.unwrap_or(self.made + Duration::days(1));
        !self.is_late && !self.revokes(used) && (self.made >= used.at || until >= used.at)
    }
}

impl Statements {
    fn conclude(&self, used: Use) -> RevocationKnowledge {
        let clearing = || self.believed.iter().filter(|statement| statement.clears(used));
        // only a hold can be lifted (RFC 5280, 5.3.1), by any newer statement
        let is_lifted = |statement: &Statement| {
            let is_hold = statement.revoked.is_some_and(|revoked| revoked.reason == Some(HOLD));
            is_hold && clearing().any(|later| later.made > statement.made && later.reasons & (1 << HOLD) != 0)
        };
        if self.believed.iter().any(|statement| statement.revokes(used) && !is_lifted(statement)) {
            return RevocationKnowledge::Revoked;
        }
        let covered = clearing().fold(0, |covered, statement| covered | statement.reasons);
        match covered {
            ALL_REASONS => RevocationKnowledge::Good,
            _ if self.is_doubtful || !self.believed.is_empty() => RevocationKnowledge::Inconclusive,
            _ => RevocationKnowledge::Nothing,
        }
    }
}

impl<'v> Revocations<'_, 'v> {
    /// The knowledge about each certificate of a path except the last one, with the next one as issuer.
    pub(crate) fn of_path(&self, path: &[Certificate<'v>], used: Use) -> Vec<RevocationKnowledge> {
        self.of_each(path, used, &mut Vec::new())
    }

    fn of_each(&self, path: &[Certificate<'v>], used: Use, trail: &mut Vec<&'v [u8]>) -> Vec<RevocationKnowledge> {
        let Some(root) = path.last() else { return Vec::new() };
        let mut known = Vec::new();
        for pair in path.windows(2) {
            if let [certificate, issuer] = pair {
                known.push(self.of(certificate, issuer, root, used, trail));
            }
        }
        known
    }

    /// The knowledge about `certificate`, issued by `issuer` on a path to `root`. `trail` has the statements whose
    /// signers are being checked: they do not count for these.
    fn of(
        &self,
        certificate: &Certificate<'v>,
        issuer: &Certificate<'v>,
        root: &Certificate<'v>,
        used: Use,
        trail: &mut Vec<&'v [u8]>,
    ) -> RevocationKnowledge {
        let mut said = Statements::default();
        if !self.verifications.compare(certificate.raw.len()) {
            return RevocationKnowledge::Inconclusive;
        }
        self.take_lists(certificate, issuer, root, trail, &mut said);
        self.take_responses(certificate, issuer, root, trail, &mut said);
        said.conclude(used)
    }

    fn take_lists(
        &self,
        certificate: &Certificate<'v>,
        issuer: &Certificate<'v>,
        root: &Certificate<'v>,
        trail: &mut Vec<&'v [u8]>,
        said: &mut Statements,
    ) {
        let points = DistributionPoints::of(certificate);
        let is_authority = Extensions::read(certificate).is_ok_and(|extensions| extensions.is_authority);
        let (_, expires) = certificate.validity();
        let mut found: Vec<(&RevocationList<'v>, Reasons, Entry)> = Vec::new();
        for list in &self.validation.lists {
            let is_issuers = self.verifications.are_same(&list.issuer, &certificate.issuer);
            let is_spoken_of = is_issuers || points.as_ref().is_ok_and(|points| points.name_issuer(&list.issuer));
            if !is_spoken_of || trail.contains(&list.statement.raw) {
                continue;
            }
            said.is_doubtful = true;
            let reasons = points
                .as_ref()
                .ok()
                .and_then(|points| points.reasons((&list.scope, &list.issuer), certificate, is_authority).ok());
            let Some(reasons) = reasons.filter(|reasons| *reasons != 0) else { continue };
            if !self.is_believed(list, issuer, root, trail) {
                continue;
            }
            match list.entry(certificate, self.verifications) {
                Ok(Entry::Absent) if list.has_unknown_critical => {}
                Ok(entry) => found.push((list, reasons, entry)),
                Err(_) => {}
            }
        }
        let revoked = |entry: Entry| match entry {
            Entry::Revoked(revoked) => Some(revoked),
            Entry::Absent | Entry::Removed => None,
        };
        for (list, reasons, entry) in &found {
            let deltas = found.iter().filter(|(delta, ..)| delta.completes(list));
            let (newest, entry) = match deltas.max_by_key(|(delta, ..)| delta.made) {
                Some((delta, _, Entry::Absent)) => (delta, *entry),
                Some((delta, _, changed)) => (delta, *changed),
                None => (list, *entry),
            };
            let revoked = revoked(entry);
            // an incomplete list counts for its entries
            if list.is_delta && revoked.is_none() {
                continue;
            }
            let statement = Statement {
                made: newest.made,
                until: newest.until,
                is_late: is_late(expires, newest.made, newest.keeps_expired),
                reasons: *reasons,
                revoked,
            };
            // a delta CRL's entry counts through the list that it completes
            let is_completing = list.is_delta && found.iter().any(|(other, ..)| list.completes(other));
            if !is_completing {
                said.believed.push(statement);
            }
        }
    }

    /// Whether a CRL is signed by the issuer, or by another key of the named CRL issuer with a path to the same root
    /// (RFC 5280, 6.3.3, f).
    fn is_believed(
        &self,
        list: &RevocationList<'v>,
        issuer: &Certificate<'v>,
        root: &Certificate<'v>,
        trail: &mut Vec<&'v [u8]>,
    ) -> bool {
        let has_signed = |signer: &Certificate<'v>| {
            !list.names_other_key(signer)
                && self.verifications.are_same(&list.issuer, &signer.subject)
                && self.verifications.has_signed(signer, &list.statement)
        };
        let usage = |signer: &Certificate<'v>| Extensions::read(signer).map(|extensions| extensions.key_usage);
        if usage(issuer).is_ok_and(|usage| usage.is_none_or(KeyUsage::is_for_lists)) && has_signed(issuer) {
            return true;
        }
        if trail.len() >= MAX_STATEMENT_DEPTH {
            return false;
        }
        let others = self.validation.certificates.iter().filter(|other| other.raw != issuer.raw);
        let anchors = self.anchors.named(self.verifications.name(&list.issuer)).map(|(_, certificate)| certificate);
        for signer in others.chain(anchors) {
            // the root's own CRLs are signed by the trust anchor
            let may_sign = Extensions::read(signer).is_ok_and(|extensions| is_crl_signer(&extensions));
            if may_sign && has_signed(signer) {
                trail.push(list.statement.raw);
                let leads = signer.raw == root.raw || self.leads_to(signer, root, list.made, trail);
                trail.pop();
                if leads {
                    return true;
                }
            }
        }
        false
    }

    /// Whether the signer of a CRL has a path to a root without certificates that the file shows to be revoked.
    fn leads_to(
        &self,
        signer: &Certificate<'v>,
        root: &Certificate<'v>,
        at: DateTime<FixedOffset>,
        trail: &mut Vec<&'v [u8]>,
    ) -> bool {
        let known = &self.validation.certificates;
        let path = if self.anchors.is_empty() {
            issuers(signer, known, self.verifications)
        } else {
            match PathSearch::new(self.anchors, known, self.verifications, KeyPurpose::Lists, at).find(signer) {
                Ok(path) => path.certificates,
                Err(_) => return false,
            }
        };
        let is_same = |last: &Certificate| {
            DistinguishedName::are_equal(&last.subject, &root.subject) && last.key_bits() == root.key_bits()
        };
        let used = Use { at, is_proved: false };
        let is_sound =
            |known: &RevocationKnowledge| matches!(known, RevocationKnowledge::Nothing | RevocationKnowledge::Good);
        path.last().is_some_and(is_same) && self.of_each(&path, used, trail).iter().all(is_sound)
    }

    fn take_responses(
        &self,
        certificate: &Certificate<'v>,
        issuer: &Certificate<'v>,
        root: &Certificate<'v>,
        trail: &mut Vec<&'v [u8]>,
        said: &mut Statements,
    ) {
        let (_, expires) = certificate.validity();
        for response in &self.validation.responses {
            if trail.contains(&response.statement.raw) || !self.verifications.compare(response.statement.raw.len()) {
                continue;
            }
            let Ok(found) = response.about(certificate, issuer) else {
                said.is_doubtful = true;
                continue;
            };
            if found.is_empty() {
                continue;
            }
            said.is_doubtful = true;
            if !self.is_answer(response, issuer, root, trail) {
                continue;
            }
            for single in found {
                let is_late = is_late(expires, single.made, single.keeps_expired);
                let revoked = match single.status {
                    SingleStatus::Good => None,
                    SingleStatus::Revoked(revoked) => Some(revoked),
                    SingleStatus::Unknown => continue,
                };
                let (made, until) = (single.made, single.until);
                said.believed.push(Statement { made, until, is_late, reasons: ALL_REASONS, revoked });
            }
        }
    }

    /// Whether a response is by the issuer or by an authorized responder (RFC 6960, 4.2.2.2) that the file does not
    /// show to be revoked.
    fn is_answer(
        &self,
        response: &OcspResponse<'v>,
        issuer: &Certificate<'v>,
        root: &Certificate<'v>,
        trail: &mut Vec<&'v [u8]>,
    ) -> bool {
        if response.may_be_by(issuer) && self.verifications.has_signed(issuer, &response.statement) {
            return true;
        }
        if trail.len() >= MAX_STATEMENT_DEPTH {
            return false;
        }
        let used = Use { at: response.made, is_proved: false };
        for responder in response.certificates().chain(self.validation.certificates.iter().cloned()) {
            let is_charged = self.verifications.compare(responder.raw.len())
                && response.may_be_by(&responder)
                && responder.is_valid_at(response.made)
                && Extensions::read(&responder).is_ok_and(|extensions| is_ocsp_responder(&extensions))
                && self.verifications.is_issued_by(&responder, issuer)
                && self.verifications.has_signed(&responder, &response.statement);
            if !is_charged {
                continue;
            }
            trail.push(response.statement.raw);
            let known = self.of(&responder, issuer, root, used, trail);
            trail.pop();
            if known != RevocationKnowledge::Revoked {
                return true;
            }
        }
        false
    }
}

/// Whether a statement was made after the certificate `expires`, by an issuer that might have dropped it then: one that
/// does not keep the certificates that expired before.
fn is_late(
    expires: Option<DateTime<FixedOffset>>,
    made: DateTime<FixedOffset>,
    keeps_expired: Option<DateTime<FixedOffset>>,
) -> bool {
    expires.is_some_and(|expires| made > expires && keeps_expired.is_none_or(|since| since > expires))
}
