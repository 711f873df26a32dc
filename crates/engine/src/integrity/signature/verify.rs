//! Checks the signatures of a file: byte range, digest and value of each.

use std::cell::OnceCell;

use chrono::{DateTime, FixedOffset};

use super::byte_range::RangeFault;
use super::checked_signature::{CheckedSignature, Signatures};
use super::contents_entry::ContentsPlace;
use super::digest::{self, Job};
use super::fields;
use super::issuer_verification::{DocumentStamp, TrustContext};
use super::level;
use super::parsed_signature::ParsedSignature;
use super::security_store;
use super::weakness;
use crate::integrity::report::{
    Covers, Signature, SignatureKind, SignatureReason, SignatureStatus, SignedAt, TimeSource,
};
use pdf_signature::algorithm::Scheme;
use pdf_signature::anchor::{Anchor, AnchorIndex};
use pdf_signature::certificate::Certificate;
use pdf_signature::cms::{Content, DATA, SignedData};
use pdf_signature::der::DerError;
use pdf_signature::hash::Hash;
use pdf_signature::text::hexadecimal;
use pdf_signature::time_stamp::{self, TimeStamp};
use pdf_signature::trust::Signatory;
use pdf_signature::validation::StoredValidation;
use pdf_signature::verification::Verifications;
use pdf_syntax::document::Document;
use pdf_syntax::document::form::FormFields;
use pdf_syntax::failure::Fault;
use pdf_syntax::syntax::dictionary::Dictionary;

/// Maximum signatures whose values are checked: the newest ones. Real files have a few.
const MAX_CHECKED: usize = 100;
/// Minimum length of a signature's placeholder, in bytes: the shortest value of any key.
const MIN_VALUE_BYTES: usize = 64;
/// Bytes of signature values kept at a time, for all signatures.
const MAX_VALUE_BYTES: usize = 16 << 20;

/// Checks every signature that the form's fields or the catalog reference. A file without signatures costs only the
/// search for fields; one with signatures is read once completely, which also gives its hash.
pub(crate) fn check(
    document: &mut Document,
    catalog: &Dictionary,
    form: &FormFields,
    anchors: &[Anchor],
) -> Result<Signatures, Fault> {
    let mut parsed = Vec::new();
    let mut left = MAX_VALUE_BYTES;
    let search = fields::find(document, catalog, form)?;
    for found in search.found {
        parsed.push(ParsedSignature::read(document, found, &mut left)?);
    }
    drop_oldest_values(&mut parsed);
    let verifications = Verifications::new(document.budget.deadline);
    let mut read: Vec<ReadSignature> = parsed.iter().map(|parsed| ReadSignature::new(parsed, &verifications)).collect();
    let jobs = read.iter().enumerate().flat_map(|(index, read)| read.jobs().into_iter().map(move |job| (index, job)));
    let (places, jobs): (Vec<(usize, usize)>, Vec<Job>) =
        jobs.map(|(index, (place, job))| ((index, place), job)).unzip();
    let (mut file, mut headers) = (None, None);
    if !read.is_empty() {
        let digests = digest::digests(document, &jobs)?;
        file = Some(hexadecimal(&digests.file));
        headers = digests.headers;
        for ((index, place), digest) in places.into_iter().zip(digests.jobs) {
            if let Some(read) = read.get_mut(index) {
                read.take_digest(place, digest);
            }
        }
    }
    let store = if read.is_empty() { StoredValidation::default() } else { security_store::read(document, catalog)? };
    // all values first, so that many certificates cannot use up the budget of another signature's value
    let verified: Vec<Verified> = read.iter().map(|read| read.verify(&verifications)).collect();
    let stamps = read.iter().zip(&verified).filter_map(|(read, verified)| read.stamp(verified)).collect();
    let context = TrustContext {
        store: &store,
        anchors: AnchorIndex::new(anchors, &verifications),
        verifications: &verifications,
        stamps,
        proved: OnceCell::new(),
    };
    let mut checked: Vec<CheckedSignature> =
        read.iter().zip(&verified).map(|(read, verified)| read.conclude(verified, &context)).collect();
    verifications.end()?;
    checked.sort_by_key(|checked| checked.end);
    level::settle(document, &mut checked)?;
    Ok(Signatures { checked, is_truncated: search.is_truncated, file, headers, verifications: verifications.made() })
}

/// Drops the values of all but the newest signatures: checking one may take milliseconds.
fn drop_oldest_values(parsed: &mut [ParsedSignature]) {
    parsed.sort_by_key(|parsed| std::cmp::Reverse(parsed.range.as_ref().map_or(0, |signed| signed.end)));
    for parsed in parsed.iter_mut().skip(MAX_CHECKED) {
        parsed.value = None;
    }
}

/// The sub-filter of bare PKCS #1 values (12.8.3.2).
const PKCS1: &str = "adbe.x509.rsa_sha1";

/// How the value of a signature covers the bytes of the file (12.8.3.1; ISO 32000-2, 12.8.3.1).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum SignedForm {
    /// It signs them.
    Detached,
    /// It signs their SHA-1 digest, which it contains.
    Sha1,
    /// It is a time-stamp of them.
    TimeStamp,
    Other,
}

/// The result of verifying a signature's value.
struct Verified<'r> {
    /// Why it is not intact.
    reason: Option<SignatureReason>,
    /// The valid time-stamp of the value.
    token: Option<(DateTime<FixedOffset>, SignedData<'r>)>,
}

/// A signature with its parsed value.
struct ReadSignature<'o> {
    parsed: &'o ParsedSignature,
    form: SignedForm,
    data: Result<SignedData<'o>, DerError>,
    /// The digest of the signed bytes.
    digest: Option<Vec<u8>>,
    /// Further signatures of the same certificate in the value, with the digests by their hashes.
    further: Vec<(SignedData<'o>, Option<Vec<u8>>)>,
}

impl<'o> ReadSignature<'o> {
    fn new(parsed: &'o ParsedSignature, verifications: &Verifications) -> Self {
        let value = parsed.value.as_deref().unwrap_or_default();
        let form = match parsed.sub_filter.as_deref() {
            Some("adbe.pkcs7.detached" | "ETSI.CAdES.detached" | PKCS1) | None => SignedForm::Detached,
            Some("adbe.pkcs7.sha1") => SignedForm::Sha1,
            Some("ETSI.RFC3161") => SignedForm::TimeStamp,
            Some(_) => SignedForm::Other,
        };
        let (data, further) = match (parsed.sub_filter.as_deref(), parsed.certificates.first()) {
            (Some(PKCS1), Some(certificate)) => (SignedData::pkcs1(value, certificate, verifications), Vec::new()),
            (Some(PKCS1), None) => (Err(DerError::Unexpected), Vec::new()),
            _ if form == SignedForm::Detached => match SignedData::read_all(value) {
                Ok((first, further)) => (Ok(first), further.into_iter().map(|data| (data, None)).collect()),
                Err(fault) => (Err(fault), Vec::new()),
            },
            _ => (SignedData::read(value), Vec::new()),
        };
        Self { parsed, form, data, digest: None, further }
    }

    /// The required hash of the signed bytes.
    fn hash(&self) -> Option<Hash> {
        self.hash_of(self.data.as_ref().ok()?)
    }

    fn hash_of(&self, data: &SignedData) -> Option<Hash> {
        match self.form {
            SignedForm::Detached if data.signs_content_alone() => data.scheme().and_then(Scheme::hash),
            SignedForm::Detached => data.hash(),
            SignedForm::Sha1 => Some(Hash::Sha1),
            SignedForm::TimeStamp => TimeStamp::read(data).ok()?.hash,
            SignedForm::Other => None,
        }
    }

    /// The digests to compute, each with the place of its result.
    fn jobs(&self) -> Vec<(usize, Job)> {
        let all = self.data.iter().chain(self.further.iter().map(|(data, _)| data)).enumerate();
        let job = |(place, data)| {
            let hash = self.hash_of(data).filter(|hash| hash.is_known())?;
            Some((place, Job { hash, signed: self.parsed.range.clone().ok()? }))
        };
        all.filter_map(job).collect()
    }

    fn take_digest(&mut self, place: usize, digest: Option<Vec<u8>>) {
        match place.checked_sub(1).map(|place| self.further.get_mut(place)) {
            Some(Some((_, further))) => *further = digest,
            Some(None) => {}
            None => self.digest = digest,
        }
    }

    /// Verifies the value and its time-stamp.
    fn verify(&self, verifications: &Verifications) -> Verified<'_> {
        let reason = self.check(verifications).err();
        let data = self.data.as_ref().ok().filter(|_| self.form != SignedForm::TimeStamp);
        let token = data.and_then(|data| time_stamp::verified(data.time_stamp()?, data.value(), verifications));
        Verified { reason, token }
    }

    /// The document time-stamp that it is, if it is intact.
    fn stamp<'r>(&'r self, verified: &Verified<'r>) -> Option<DocumentStamp<'r>> {
        let data = self.data.as_ref().ok()?;
        let at = self.stamped(verified)?;
        let end = self.parsed.range.as_ref().ok()?.end;
        Some(DocumentStamp { data, parsed: self.parsed, end, at })
    }

    /// The time that it states itself, as an intact time-stamp.
    fn stamped(&self, verified: &Verified) -> Option<DateTime<FixedOffset>> {
        let is_intact = self.form == SignedForm::TimeStamp && verified.reason.is_none();
        TimeStamp::read(self.data.as_ref().ok().filter(|_| is_intact)?).ok()?.at
    }

    fn conclude<'r>(&'r self, verified: &'r Verified<'r>, context: &TrustContext<'_, 'r>) -> CheckedSignature {
        let ParsedSignature { found, signed_state, permission, sub_filter, claimed_at, range, .. } = self.parsed;
        let Verified { reason, token } = verified;
        let status = reason.map_or(SignatureStatus::Intact, SignatureReason::status);
        let refused = context.verifications.refused();
        let data = self.data.as_ref().ok();
        let certificate = data.and_then(SignedData::certificate);
        let weak = data.and_then(|data| weakness::name(data, self.hash(), certificate.as_ref()));
        let kind = match self.form {
            SignedForm::TimeStamp => SignatureKind::Timestamp,
            _ if signed_state.is_certification || permission.certifies => SignatureKind::Certification,
            _ => SignatureKind::Approval,
        };
        let is_stamp = self.form == SignedForm::TimeStamp;
        let stamped = self.stamped(verified).or(token.as_ref().map(|(at, _)| *at));
        let claimed_at = data.and_then(SignedData::claimed_at).or(*claimed_at);
        let issuer_check = data.zip(certificate.as_ref()).map(|(data, certificate)| {
            let signer = Signatory { certificate, data, is_stamp, status, stamped, claimed_at };
            let token = token.as_ref().map(|(_, token)| token);
            context.judge(&signer, token, self.parsed, weak.is_some())
        });
        let issuer_check = issuer_check.unwrap_or_default();
        let authority = if is_stamp { certificate.as_ref() } else { issuer_check.authority.as_ref() };
        let self_signed = certificate.as_ref().map(|certificate| context.is_self_signed(certificate));
        // unverified certificates might have changed the result
        let is_crowded = status == SignatureStatus::Intact && context.verifications.refused() > refused;
        let reason = if is_crowded { Some(SignatureReason::TooManyCertificates) } else { *reason };
        let status = reason.map_or(SignatureStatus::Intact, SignatureReason::status);
        let reported = Signature {
            field: signed_state.field.clone(),
            kind,
            status,
            reason,
            sub_filter: sub_filter.clone(),
            algorithm: data.and_then(|data| data.algorithm(certificate.as_ref())),
            signer: certificate.as_ref().and_then(Certificate::subject),
            issuer: certificate.as_ref().and_then(Certificate::issuer),
            issuer_verified: issuer_check.issuer_verified,
            self_signed,
            certificate: certificate.as_ref().and_then(Certificate::identity),
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
            level: issuer_check.level,
            trust: issuer_check.trust,
            revision: 0,
            covers: Covers::Part,
            permits: permission.level,
            after: None,
        };
        CheckedSignature {
            reported,
            field_object: found.field_object,
            value_object: found.value_object,
            weak_algorithm: weak,
            is_gapless: !matches!(range, Err(fault) if *fault != RangeFault::NoEnd),
            is_moved: signed_state.is_moved,
            end: range.as_ref().map_or_else(|_| self.place(), |signed| signed.end),
            locks: permission.locks.clone(),
            mismatch: self.mismatch(reason),
        }
    }

    /// The position of a signature with an invalid byte range.
    fn place(&self) -> u64 {
        self.parsed.found.contents.range().map_or(0, |contents| contents.end)
    }

    fn check(&self, verifications: &Verifications) -> Result<(), SignatureReason> {
        if self.parsed.found.contents == ContentsPlace::TooFar {
            return Err(SignatureReason::Format);
        }
        // an empty field prepared for signing, or one whose signature was removed
        if self.parsed.value.as_deref().is_some_and(is_blank) {
            return Err(SignatureReason::Format);
        }
        if self.parsed.range.is_err() {
            return Err(SignatureReason::Range);
        }
        if self.parsed.value.is_none() {
            return Err(SignatureReason::TooMany);
        }
        match (self.form, &self.data) {
            (SignedForm::Other, _) => Err(SignatureReason::Algorithm),
            (_, Ok(data)) => self.check_data(data, verifications),
            (_, Err(DerError::Unexpected)) => Err(SignatureReason::Format),
            (_, Err(DerError::SeveralSigners)) => Err(SignatureReason::SeveralSigners),
            // no signature of any kind
            (_, Err(DerError::Malformed)) => Err(SignatureReason::Value),
        }
    }

    fn check_data(&self, data: &SignedData, verifications: &Verifications) -> Result<(), SignatureReason> {
        if self.form != SignedForm::TimeStamp && data.content_type != DATA {
            return Err(SignatureReason::Format);
        }
        let is_detached = self.form == SignedForm::Detached;
        // readers that verify content inside the value verify nothing of the file (ISO 32000-2, 12.8.3.3.1)
        if is_detached && data.content.is_some() {
            return Err(SignatureReason::Format);
        }
        let unnamed = if is_detached { SignatureReason::Algorithm } else { SignatureReason::Format };
        if !self.hash().ok_or(unnamed)?.is_known() {
            return Err(SignatureReason::Algorithm);
        }
        let digest = self.digest.as_ref().ok_or(SignatureReason::TooMany)?;
        if is_detached {
            data.check(Content::Digest(digest), verifications)?;
            return self.check_further(verifications);
        }
        let content = data.content.as_ref().ok_or(SignatureReason::Format)?;
        let expected = self.expected().ok_or(SignatureReason::Format)?;
        if expected != digest.as_slice() {
            return Err(SignatureReason::Digest);
        }
        data.check(Content::Bytes(content), verifications)
    }

    /// Readers may verify any of several signatures.
    fn check_further(&self, verifications: &Verifications) -> Result<(), SignatureReason> {
        for (data, digest) in &self.further {
            let digest = digest.as_ref().ok_or(SignatureReason::SeveralSigners)?;
            data.check(Content::Digest(digest), verifications).map_err(|_| SignatureReason::SeveralSigners)?;
        }
        Ok(())
    }

    /// The expected digest of the signed bytes.
    fn expected(&self) -> Option<&[u8]> {
        let data = self.data.as_ref().ok()?;
        match self.form {
            SignedForm::Detached => data.signed_digest(),
            SignedForm::Sha1 => data.content.as_deref(),
            SignedForm::TimeStamp => TimeStamp::read(data).ok().map(|stamp| stamp.imprint),
            SignedForm::Other => None,
        }
    }

    /// Expected and actual values, if they are known.
    fn mismatch(&self, reason: Option<SignatureReason>) -> Option<(String, String)> {
        match (reason?, &self.parsed.range) {
            (SignatureReason::Range, Err(fault)) => {
                let contents = self.parsed.found.contents.range();
                let place = contents.map(|contents| format!("value at {} to {}", contents.start, contents.end));
                Some((place.unwrap_or_default(), fault.message().to_owned()))
            }
            (SignatureReason::Digest, _) => Some((hexadecimal(self.expected()?), hexadecimal(self.digest.as_ref()?))),
            _ => None,
        }
    }
}

/// Whether it is only a placeholder for a value.
fn is_blank(value: &[u8]) -> bool {
    value.len() >= MIN_VALUE_BYTES && value.iter().all(|&byte| byte == 0)
}
