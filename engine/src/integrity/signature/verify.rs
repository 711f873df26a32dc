//! Checks the signatures of a file: range, digest and value of each.

use std::cell::OnceCell;

use chrono::{DateTime, FixedOffset};

use super::algorithm::Scheme;
use super::anchor::{Anchor, AnchorIndex};
use super::certificate::Certificate;
use super::checked::{Checked, Signatures};
use super::cms::{Content, DATA, SignedData};
use super::contents::ContentsPlace;
use super::der::DerError;
use super::digest::{self, Job};
use super::fields;
use super::hash::Hash;
use super::level;
use super::opened::Opened;
use super::range::RangeFault;
use super::text::hexadecimal;
use super::time_stamp::{self, TimeStamp};
use super::trust::Signatory;
use super::validation::ValidationStore;
use super::verification::Verifications;
use super::weakness;
use super::whose::{DocumentStamp, Judging};
use crate::document::Document;
use crate::document::form::FormFields;
use crate::failure::Fault;
use crate::integrity::report::{
    Covers, Signature, SignatureKind, SignatureReason, SignatureStatus, SignedAt, TimeSource,
};
use crate::syntax::dictionary::Dictionary;

/// Signatures whose values are checked: the newest ones. Real files have a few.
const CHECKED: usize = 100;
/// The least room that is left for a signature, in bytes: the shortest value of any key has as many.
const ROOM: usize = 64;
/// Bytes of signature values that are kept at a time, for all signatures.
const VALUES: usize = 16 << 20;

/// Checks every signature that the form's fields or the catalog lead to. A file without any costs nothing beyond the
/// fields; one that has some is read once, whole, which gives its own hash as well.
pub(crate) fn check(
    document: &mut Document,
    catalog: &Dictionary,
    form: &FormFields,
    anchors: &[Anchor],
) -> Result<Signatures, Fault> {
    let mut opened = Vec::new();
    let mut left = VALUES;
    let search = fields::find(document, catalog, form)?;
    for found in search.found {
        opened.push(Opened::read(document, found, &mut left)?);
    }
    leave_out_oldest(&mut opened);
    let verifications = Verifications::new(document.budget.deadline);
    let mut read: Vec<Read> = opened.iter().map(|opened| Read::new(opened, &verifications)).collect();
    let (indexes, jobs): (Vec<usize>, Vec<Job>) =
        read.iter().enumerate().filter_map(|(index, read)| Some((index, read.job()?))).unzip();
    let (mut file, mut headers) = (None, None);
    if !read.is_empty() {
        let digests = digest::digests(document, &jobs)?;
        file = Some(hexadecimal(&digests.file));
        headers = digests.headers;
        for (index, digest) in indexes.into_iter().zip(digests.jobs) {
            if let Some(read) = read.get_mut(index) {
                read.digest = digest;
            }
        }
    }
    let store = if read.is_empty() { ValidationStore::default() } else { ValidationStore::read(document, catalog)? };
    // all values first: no crowd of certificates takes the allowance of another signature's value
    let verified: Vec<Verified> = read.iter().map(|read| read.verify(&verifications)).collect();
    let stamps = read.iter().zip(&verified).filter_map(|(read, verified)| read.stamp(verified)).collect();
    let judging = Judging {
        store: &store,
        anchors: AnchorIndex::new(anchors, &verifications),
        verifications: &verifications,
        stamps,
        proved: OnceCell::new(),
    };
    let mut checked: Vec<Checked> =
        read.iter().zip(&verified).map(|(read, verified)| read.conclude(verified, &judging)).collect();
    verifications.end()?;
    checked.sort_by_key(|checked| checked.end);
    level::settle(document, &mut checked)?;
    Ok(Signatures { checked, left_out: search.is_cut, file, headers, verifications: verifications.made() })
}

/// Forgets the values of all but the newest signatures: checking one may take milliseconds.
fn leave_out_oldest(opened: &mut [Opened]) {
    opened.sort_by_key(|opened| std::cmp::Reverse(opened.range.as_ref().map_or(0, |signed| signed.end)));
    for opened in opened.iter_mut().skip(CHECKED) {
        opened.value = None;
    }
}

/// The sub-filter of values by PKCS #1 alone (12.8.3.2).
const PKCS1: &str = "adbe.x509.rsa_sha1";

/// How the value of a signature is about the bytes of the file (12.8.3.1; ISO 32000-2, 12.8.3.1).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum SignedForm {
    /// It signs them.
    Detached,
    /// It signs their digest by SHA-1, which it contains.
    Sha1,
    /// It is a time-stamp of them.
    TimeStamp,
    Other,
}

/// What comes of verifying a signature's value.
struct Verified<'r> {
    /// What is wrong with it.
    reason: Option<SignatureReason>,
    /// The time-stamp beside it that fits it.
    token: Option<(DateTime<FixedOffset>, SignedData<'r>)>,
}

/// A signature whose value has been read, too.
struct Read<'o> {
    opened: &'o Opened,
    form: SignedForm,
    data: Result<SignedData<'o>, DerError>,
    /// The digest of the signed bytes.
    digest: Option<Vec<u8>>,
}

impl<'o> Read<'o> {
    fn new(opened: &'o Opened, verifications: &Verifications) -> Self {
        let value = opened.value.as_deref().unwrap_or_default();
        let form = match opened.sub_filter.as_deref() {
            Some("adbe.pkcs7.detached" | "ETSI.CAdES.detached" | PKCS1) | None => SignedForm::Detached,
            Some("adbe.pkcs7.sha1") => SignedForm::Sha1,
            Some("ETSI.RFC3161") => SignedForm::TimeStamp,
            Some(_) => SignedForm::Other,
        };
        let data = match (opened.sub_filter.as_deref(), opened.certificates.first()) {
            (Some(PKCS1), Some(certificate)) => SignedData::pkcs1(value, certificate, verifications),
            (Some(PKCS1), None) => Err(DerError::Unexpected),
            _ => SignedData::read(value),
        };
        Self { opened, form, data, digest: None }
    }

    /// The hash of the signed bytes that is needed.
    fn hash(&self) -> Option<Hash> {
        let data = self.data.as_ref().ok()?;
        match self.form {
            SignedForm::Detached if data.signs_content_alone() => data.scheme().and_then(Scheme::hash),
            SignedForm::Detached => data.hash(),
            SignedForm::Sha1 => Some(Hash::Sha1),
            SignedForm::TimeStamp => TimeStamp::read(data).ok()?.hash,
            SignedForm::Other => None,
        }
    }

    fn job(&self) -> Option<Job> {
        let hash = self.hash().filter(|hash| hash.is_known())?;
        Some(Job { hash, signed: self.opened.range.clone().ok()? })
    }

    /// Verifies its value, and the time-stamp beside it.
    fn verify(&self, verifications: &Verifications) -> Verified<'_> {
        let reason = self.check(verifications).err();
        let data = self.data.as_ref().ok().filter(|_| self.form != SignedForm::TimeStamp);
        let token = data.and_then(|data| time_stamp::verified(data.time_stamp()?, data.value(), verifications));
        Verified { reason, token }
    }

    /// The time-stamp of the document that it is, if it is intact.
    fn stamp<'r>(&'r self, verified: &Verified<'r>) -> Option<DocumentStamp<'r>> {
        let data = self.data.as_ref().ok()?;
        let at = self.stamped(verified)?;
        let end = self.opened.range.as_ref().ok()?.end;
        Some(DocumentStamp { data, opened: self.opened, end, at })
    }

    /// The time that it states itself, as an intact time-stamp.
    fn stamped(&self, verified: &Verified) -> Option<DateTime<FixedOffset>> {
        let is_intact = self.form == SignedForm::TimeStamp && verified.reason.is_none();
        TimeStamp::read(self.data.as_ref().ok().filter(|_| is_intact)?).ok()?.at
    }

    fn conclude<'r>(&'r self, verified: &'r Verified<'r>, judging: &Judging<'_, 'r>) -> Checked {
        let Opened { found, standing, permission, sub_filter, claimed_at, range, .. } = self.opened;
        let Verified { reason, token } = verified;
        let status = reason.map_or(SignatureStatus::Intact, SignatureReason::status);
        let refused = judging.verifications.refused();
        let data = self.data.as_ref().ok();
        let certificate = data.and_then(SignedData::certificate);
        let weak = data.and_then(|data| weakness::name(data, self.hash(), certificate.as_ref()));
        let kind = match self.form {
            SignedForm::TimeStamp => SignatureKind::Timestamp,
            _ if standing.is_certification || permission.certifies => SignatureKind::Certification,
            _ => SignatureKind::Approval,
        };
        let is_stamp = self.form == SignedForm::TimeStamp;
        let stamped = self.stamped(verified).or(token.as_ref().map(|(at, _)| *at));
        let claimed_at = data.and_then(SignedData::claimed_at).or(*claimed_at);
        let whose = data.zip(certificate.as_ref()).map(|(data, certificate)| {
            let signer = Signatory { certificate, data, is_stamp, status, stamped, claimed_at };
            let token = token.as_ref().map(|(_, token)| token);
            judging.judge(&signer, token, self.opened, weak.is_some())
        });
        let whose = whose.unwrap_or_default();
        let authority = if is_stamp { certificate.as_ref() } else { whose.authority.as_ref() };
        let self_signed = certificate.as_ref().map(|certificate| judging.is_self_signed(certificate));
        // what was not verified of its certificates might have spoken against it
        let is_crowded = status == SignatureStatus::Intact && judging.verifications.refused() > refused;
        let reason = if is_crowded { Some(SignatureReason::TooManyCertificates) } else { *reason };
        let status = reason.map_or(SignatureStatus::Intact, SignatureReason::status);
        let told = Signature {
            field: standing.field.clone(),
            kind,
            status,
            reason,
            sub_filter: sub_filter.clone(),
            algorithm: data.and_then(|data| data.algorithm(certificate.as_ref())),
            signer: certificate.as_ref().and_then(Certificate::subject),
            issuer: certificate.as_ref().and_then(Certificate::issuer),
            issuer_verified: whose.issuer_verified,
            self_signed,
            certificate: certificate.as_ref().and_then(Certificate::told),
            claimed_at,
            timestamped_at: stamped,
            signed_at: SignedAt {
                value: stamped.or(claimed_at),
                source: match (stamped, claimed_at) {
                    (Some(_), _) => Some(TimeSource::Timestamp),
                    (None, Some(_)) => Some(TimeSource::Claimed),
                    (None, None) => None,
                },
                authority: authority.filter(|_| stamped.is_some()).and_then(Certificate::subject),
            },
            level: whose.level,
            trust: whose.trust,
            revision: 0,
            covers: Covers::Part,
            permits: permission.level,
            after: None,
        };
        Checked {
            told,
            field_object: found.field_object,
            value_object: found.value_object,
            weak_algorithm: weak,
            is_gapless: !matches!(range, Err(fault) if *fault != RangeFault::NoEnd),
            is_moved: standing.is_moved,
            end: range.as_ref().map_or_else(|_| self.place(), |signed| signed.end),
            locks: permission.locks.clone(),
            mismatch: self.mismatch(reason),
        }
    }

    /// Where a signature stands that covers nothing sensible.
    fn place(&self) -> u64 {
        self.opened.found.contents.range().map_or(0, |contents| contents.end)
    }

    fn check(&self, verifications: &Verifications) -> Result<(), SignatureReason> {
        if self.opened.found.contents == ContentsPlace::TooFar {
            return Err(SignatureReason::Format);
        }
        // a field that was prepared for a signature, or one whose signature was wiped
        if self.opened.value.as_deref().is_some_and(is_blank) {
            return Err(SignatureReason::Format);
        }
        if self.opened.range.is_err() {
            return Err(SignatureReason::Range);
        }
        if self.opened.value.is_none() {
            return Err(SignatureReason::TooMany);
        }
        match (self.form, &self.data) {
            (SignedForm::Other, _) => Err(SignatureReason::Algorithm),
            (_, Ok(data)) => self.check_data(data, verifications),
            (_, Err(DerError::Unexpected)) => Err(SignatureReason::Format),
            // no signature of any kind
            (_, Err(DerError::Malformed)) => Err(SignatureReason::Value),
        }
    }

    fn check_data(&self, data: &SignedData, verifications: &Verifications) -> Result<(), SignatureReason> {
        if self.form != SignedForm::TimeStamp && data.content_type != DATA {
            return Err(SignatureReason::Format);
        }
        let is_detached = self.form == SignedForm::Detached;
        let unnamed = if is_detached { SignatureReason::Algorithm } else { SignatureReason::Format };
        if !self.hash().ok_or(unnamed)?.is_known() {
            return Err(SignatureReason::Algorithm);
        }
        let digest = self.digest.as_ref().ok_or(SignatureReason::TooMany)?;
        if is_detached {
            return data.check(Content::Digest(digest), verifications);
        }
        let content = data.content.as_ref().ok_or(SignatureReason::Format)?;
        let expected = self.expected().ok_or(SignatureReason::Format)?;
        if expected != digest.as_slice() {
            return Err(SignatureReason::Digest);
        }
        data.check(Content::Bytes(content), verifications)
    }

    /// The digest that the signed bytes should have.
    fn expected(&self) -> Option<&[u8]> {
        let data = self.data.as_ref().ok()?;
        match self.form {
            SignedForm::Detached => data.signed_digest(),
            SignedForm::Sha1 => data.content.as_deref(),
            SignedForm::TimeStamp => TimeStamp::read(data).ok().map(|stamp| stamp.imprint),
            SignedForm::Other => None,
        }
    }

    /// What was expected and what was found, where it can be told.
    fn mismatch(&self, reason: Option<SignatureReason>) -> Option<(String, String)> {
        match (reason?, &self.opened.range) {
            (SignatureReason::Range, Err(fault)) => {
                let contents = self.opened.found.contents.range();
                let place = contents.map(|contents| format!("value at {} to {}", contents.start, contents.end));
                Some((place.unwrap_or_default(), fault.message().to_owned()))
            }
            (SignatureReason::Digest, _) => Some((hexadecimal(self.expected()?), hexadecimal(self.digest.as_ref()?))),
            _ => None,
        }
    }
}

/// Whether there is nothing but room for a value.
fn is_blank(value: &[u8]) -> bool {
    value.len() >= ROOM && value.iter().all(|&byte| byte == 0)
}
