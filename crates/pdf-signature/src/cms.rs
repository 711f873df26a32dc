//! Signatures in the Cryptographic Message Syntax (RFC 5652, 5) with one signer: parsed, and verified against the
//! content.

use std::borrow::Cow;

use chrono::{DateTime, FixedOffset};

use crate::algorithm::Scheme;
use crate::certificate::Certificate;
use crate::der::{DerError, Element, Elements, tag};
use crate::hash::Hash;
use crate::public_key::PublicKey;
use crate::report::SignatureReason;
use crate::signer::{Candidate, Signer};
use crate::verification::Verifications;

const SIGNED_DATA: &[u8] = &[0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 1, 7, 2];
/// Maximum further signatures of one certificate in a value.
const MAX_FURTHER_SIGNERS: usize = 3;
/// Content of arbitrary type (RFC 5652, 4).
pub const DATA: &[u8] = &[0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 1, 7, 1];

/// A signature with its content.
#[derive(Debug, Clone)]
pub struct SignedData<'a> {
    /// The object identifier of the content's type.
    pub content_type: &'a [u8],
    /// The encapsulated content, if any.
    pub content: Option<Cow<'a, [u8]>>,
    certificates: Option<Elements<'a>>,
    revocations: Option<Elements<'a>>,
    signer: Signer<'a>,
}

/// The content to verify against.
#[derive(Debug, Clone, Copy)]
pub enum Content<'c> {
    /// The content itself.
    Bytes(&'c [u8]),
    /// Its digest by the signer's hash.
    Digest(&'c [u8]),
}

impl<'a> SignedData<'a> {
    /// Reads the `ContentInfo` at the start of `bytes`; padding may follow.
    pub fn read(bytes: &'a [u8]) -> Result<Self, DerError> {
        let (first, further) = Self::read_all(bytes)?;
        if further.is_empty() { Ok(first) } else { Err(DerError::SeveralSigners) }
    }

    /// The same, and the same with each further signer. PDF permits one (ISO 32000-1, 12.8.3.3.1), and which of several counts
    /// is undefined; if all have the same certificate, as those that PoDoFo writes with two hashes, it does not matter.
    pub fn read_all(bytes: &'a [u8]) -> Result<(Self, Vec<Self>), DerError> {
        if bytes.first() != Some(&tag::SEQUENCE) {
            return Err(DerError::Malformed);
        }
        let mut info = Elements::new(bytes).enter(tag::SEQUENCE)?;
        if info.identifier()? != SIGNED_DATA {
            return Err(DerError::Unexpected);
        }
        let mut fields = info.enter(tag::context(0))?.enter(tag::SEQUENCE)?;
        fields.expect(tag::INTEGER)?;
        fields.expect(tag::SET)?;
        let mut encapsulated = fields.enter(tag::SEQUENCE)?;
        let content_type = encapsulated.identifier()?;
        let content = match encapsulated.optional(tag::context(0))? {
            Some(field) => field.elements()?.next()?.map(|content| content.octets()).transpose()?,
            None => None,
        };
        let certificates = fields.optional(tag::context(0))?.map(|field| field.elements()).transpose()?;
        let revocations = fields.optional(tag::context(1))?.map(|field| field.elements()).transpose()?;
        let mut signers = fields.enter(tag::SET)?;
        let signer = Signer::read(signers.enter(tag::SEQUENCE)?)?;
        let first = Self { content_type, content, certificates, revocations, signer };
        let mut further = Vec::new();
        while !signers.is_empty() {
            let signer = Signer::read(signers.enter(tag::SEQUENCE)?)?;
            if signer.name != first.signer.name || further.len() == MAX_FURTHER_SIGNERS {
                return Err(DerError::SeveralSigners);
            }
            further.push(Self { signer, ..first.clone() });
        }
        Ok((first, further))
    }

    /// Reads a bare PKCS #1 value (ISO 32000-1, 12.8.3.2): an octet string signed with the key of the separate
    /// certificate. Its hash is named in the padded digest, which only the key decodes.
    pub fn pkcs1(bytes: &'a [u8], certificate: &'a [u8], verifications: &Verifications) -> Result<Self, DerError> {
        let value = Elements::new(bytes).next()?.ok_or(DerError::Unexpected)?;
        if value.tag & !tag::CONSTRUCTED != tag::OCTET_STRING {
            return Err(DerError::Unexpected);
        }
        let value = value.octets()?;
        let certificates = Elements::new(certificate);
        let own = Certificate::read(&certificates.clone().next()?.ok_or(DerError::Unexpected)?)?;
        let hash = match own.key()? {
            // a value that the key does not decode is invalid with any hash
            PublicKey::Rsa(key) if verifications.may_verify(PublicKey::Rsa(key), 0) => {
                key.named_hash(&value).unwrap_or(Some(Hash::Sha1))
            }
            _ => None,
        };
        let signer = Signer::pkcs1(&own, hash, value);
        Ok(Self { content_type: DATA, content: None, certificates: Some(certificates), revocations: None, signer })
    }

    /// The signer's hash of the content.
    pub fn hash(&self) -> Option<Hash> {
        self.signer.hash
    }

    /// The signature scheme, if known.
    pub fn scheme(&self) -> Option<Scheme> {
        self.signer.scheme()
    }

    /// Whether the content itself is signed, without signed attributes.
    pub fn signs_content_alone(&self) -> bool {
        self.signer.signed.is_none()
    }

    /// The claimed signing time (RFC 5652, 11.3).
    pub fn claimed_at(&self) -> Option<DateTime<FixedOffset>> {
        self.signer.attributes.signing_time
    }

    /// The time-stamp of the value, an unsigned attribute (RFC 3161, appendix A).
    pub fn time_stamp(&self) -> Option<&'a [u8]> {
        self.signer.unsigned.time_stamp
    }

    /// The signature's value.
    pub fn value(&self) -> &[u8] {
        &self.signer.value
    }

    /// The signer's certificate, if present, or the closest candidate.
    pub fn certificate(&self) -> Option<Certificate<'a>> {
        self.candidate().map(Candidate::certificate)
    }

    /// All certificates in it.
    pub fn certificates(&self) -> Elements<'a> {
        self.certificates.clone().unwrap_or(Elements::new(&[]))
    }

    /// The revocation information in it (RFC 5652, 10.2.1).
    pub(crate) fn revocations(&self) -> Elements<'a> {
        self.revocations.clone().unwrap_or(Elements::new(&[]))
    }

    /// The signed revocation information (ISO 32000-1, 12.8.3.3.2).
    pub(crate) fn archive(&self) -> Option<Element<'a>> {
        self.signer.attributes.archive
    }

    /// Whether the signer's certificate is identified by a signed attribute.
    pub fn names_certificate(&self) -> bool {
        self.signer.attributes.certificate.is_some()
    }

    fn candidate(&self) -> Option<Candidate<'a>> {
        self.signer.certificate(self.certificates.clone()?)
    }

    /// The name of the algorithm, as far as known.
    pub fn algorithm(&self, certificate: Option<&Certificate>) -> Option<String> {
        let key = certificate.and_then(|certificate| certificate.key().ok());
        Some(self.signer.scheme()?.name(key.unwrap_or(PublicKey::Other)))
    }

    /// The signed digest of the content.
    pub fn signed_digest(&self) -> Option<&[u8]> {
        self.signer.attributes.message_digest
    }

    /// Checks the signature (RFC 5652, 5.4 and 5.6). If the content differs, other unsupported parts don't matter; if
    /// the value is wrong, other irregularities don't.
    pub fn check(&self, content: Content, verifications: &Verifications) -> Result<(), SignatureReason> {
        match self.check_content(content) {
            Ok(()) => self.check_value(content, verifications),
            Err(SignatureReason::Digest) => Err(SignatureReason::Digest),
            odd => match self.check_value(content, verifications) {
                found @ Err(SignatureReason::Value | SignatureReason::Certificate) => found,
                _ => odd,
            },
        }
    }

    /// Checks the content against the signed attributes.
    fn check_content(&self, content: Content) -> Result<(), SignatureReason> {
        if self.signs_content_alone() {
            return Ok(());
        }
        let attributes = &self.signer.attributes;
        let hash = self.signer.hash.filter(|hash| hash.is_known()).ok_or(SignatureReason::Algorithm)?;
        let expected = attributes.message_digest.filter(|_| attributes.content_type == Some(self.content_type));
        let expected = expected.ok_or(SignatureReason::Format)?;
        let fits = match content {
            Content::Bytes(bytes) => hash.digest(bytes).is_some_and(|digest| digest == expected),
            Content::Digest(found) => found == expected,
        };
        if fits { Ok(()) } else { Err(SignatureReason::Digest) }
    }

    fn check_value(&self, content: Content, verifications: &Verifications) -> Result<(), SignatureReason> {
        match self.candidate() {
            None => Err(SignatureReason::NoCertificate),
            Some(Candidate::Named(certificate)) => match self.signer.refers_to(&certificate) {
                // a substituted certificate, possibly with a new value by its key
                Some(false) => Err(SignatureReason::Certificate),
                None if self.signer.refers_by_unknown_hash() => Err(SignatureReason::Algorithm),
                _ => self.check_value_by(&certificate, content, verifications),
            },
            // only the value shows whether it is the signer's
            Some(Candidate::Guessed(certificate)) => match self.check_value_by(&certificate, content, verifications) {
                Ok(()) if self.signer.refers_to(&certificate) == Some(false) => Err(SignatureReason::Certificate),
                Err(SignatureReason::Value) => Err(SignatureReason::NoCertificate),
                checked => checked,
            },
        }
    }

    fn check_value_by(
        &self,
        certificate: &Certificate,
        content: Content,
        verifications: &Verifications,
    ) -> Result<(), SignatureReason> {
        let Some(signed) = &self.signer.signed else {
            let length = if let Content::Bytes(bytes) = content { bytes.len() } else { 0 };
            return self.verify(certificate, length, verifications, |scheme, key| match content {
                Content::Bytes(bytes) => scheme.verify(key, bytes, &self.signer.value),
                Content::Digest(digest) => scheme.verify_digest(key, digest, &self.signer.value),
            });
        };
        let of = |message: &[u8]| {
            self.verify(certificate, message.len(), verifications, |scheme, key| {
                scheme.verify(key, message, &self.signer.value)
            })
        };
        // Signed attributes are hashed in DER with the tag of a set. Some signers leave them unsorted.
        let as_it_stands = signed.retagged(tag::SET);
        match of(&as_it_stands) {
            Err(SignatureReason::Value) => match signed.canonical(tag::SET) {
                Ok(canonical) if canonical != as_it_stands => of(&canonical),
                _ => Err(SignatureReason::Value),
            },
            checked => checked,
        }
    }

    fn verify(
        &self,
        certificate: &Certificate,
        length: usize,
        verifications: &Verifications,
        verify: impl Fn(Scheme, PublicKey) -> Result<(), SignatureReason>,
    ) -> Result<(), SignatureReason> {
        let (Ok(key), Some(scheme)) = (certificate.key(), self.signer.scheme()) else {
            return Err(SignatureReason::Algorithm);
        };
        let verify = |scheme: Scheme| {
            if verifications.may_verify(key, length) { verify(scheme, key) } else { Err(SignatureReason::TooMany) }
        };
        // some signers name another hash than the one used, which is the content's
        let is_misnamed = || self.signer.hash.and_then(|hash| scheme.with(hash)).map(verify) == Some(Ok(()));
        match verify(scheme) {
            Err(SignatureReason::Value) if is_misnamed() => Err(SignatureReason::Algorithm),
            verified => verified,
        }
    }
}
