//! Signatures in the Cryptographic Message Syntax (RFC 5652, 5), by one signer: read, and checked against the content.

use std::borrow::Cow;

use chrono::{DateTime, FixedOffset};
use ring::digest::digest;

use super::algorithm::{Hash, Identifier, Outcome, Scheme};
use super::attributes::{Attributes, CertificateHash};
use super::certificate::Certificate;
use super::der::{Element, Elements, Error, tag};

const SIGNED_DATA: &[u8] = &[0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 1, 7, 2];
/// Content of no type of its own (RFC 5652, 4).
pub(crate) const DATA: &[u8] = &[0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 1, 7, 1];

/// A signature with what it is about.
#[derive(Debug, Clone)]
pub(crate) struct SignedData<'a> {
    pub(crate) content_type: &'a [u8],
    /// The content, if it is kept within.
    pub(crate) content: Option<Cow<'a, [u8]>>,
    certificates: Option<Elements<'a>>,
    signer: Signer<'a>,
}

/// What one signer says and signs (RFC 5652, 5.3).
#[derive(Debug, Clone)]
struct Signer<'a> {
    certificate: CertificateName<'a>,
    hash: Option<Hash>,
    /// What is signed beside the content; the content alone where there is nothing.
    signed: Option<Element<'a>>,
    attributes: Attributes<'a>,
    algorithm: Identifier<'a>,
    value: Cow<'a, [u8]>,
    unsigned: Attributes<'a>,
}

/// By what a signer names his certificate.
#[derive(Debug, Clone)]
enum CertificateName<'a> {
    Issued { issuer: &'a [u8], serial: &'a [u8] },
    KeyIdentifier(&'a [u8]),
}

/// What the signature is to be checked against.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Content<'c> {
    Bytes(&'c [u8]),
    /// Its digest by the signer's hash.
    Digest(&'c [u8]),
}

/// What a check comes to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Verdict {
    Intact,
    /// The content is not the one that was signed.
    OtherContent,
    /// The value was not made from this by the key of this certificate.
    OtherValue,
    UnknownAlgorithm,
    /// The signer's certificate is not there.
    NoCertificate,
    /// The content's bytes are needed, and only their digest is known.
    ContentNeeded,
    /// Not what the standard describes.
    Odd,
}

impl<'a> SignedData<'a> {
    /// Reads the `ContentInfo` that `bytes` start with; what comes behind is padding.
    pub(crate) fn read(bytes: &'a [u8]) -> Result<Self, Error> {
        if bytes.first() != Some(&tag::SEQUENCE) {
            return Err(Error::Malformed);
        }
        let mut info = Elements::new(bytes).enter(tag::SEQUENCE)?;
        if info.identifier()? != SIGNED_DATA {
            return Err(Error::Unexpected);
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
        fields.optional(tag::context(1))?;
        let mut signers = fields.enter(tag::SET)?;
        let signer = Signer::read(signers.enter(tag::SEQUENCE)?)?;
        // PDF allows one (ISO 32000-1, 12.8.3.3.1); which of several would count is anybody's guess
        if signers.is_empty() {
            Ok(Self { content_type, content, certificates, signer })
        } else {
            Err(Error::Unexpected)
        }
    }

    /// The hash of the content that the signer used.
    pub(crate) fn hash(&self) -> Option<Hash> {
        self.signer.hash
    }

    /// Whether the content's bytes are needed, because nothing else is signed.
    pub(crate) fn signs_content_alone(&self) -> bool {
        self.signer.signed.is_none()
    }

    /// When the signer says that he signed (RFC 5652, 11.3).
    pub(crate) fn claimed_at(&self) -> Option<DateTime<FixedOffset>> {
        self.signer.attributes.signing_time
    }

    /// A time-stamp of the value, beside it (RFC 3161, appendix A).
    pub(crate) fn time_stamp(&self) -> Option<&'a [u8]> {
        self.signer.unsigned.time_stamp
    }

    /// The signature's value.
    pub(crate) fn value(&self) -> &[u8] {
        &self.signer.value
    }

    /// The signer's certificate, if it is there.
    pub(crate) fn certificate(&self) -> Option<Certificate<'a>> {
        let mut certificates = self.certificates.clone()?;
        let mut named = None;
        // a broken one ends the search: nobody signed them
        while let Ok(Some(element)) = certificates.next() {
            let Some(certificate) = Certificate::read(&element).ok().filter(|found| self.signer.names(found)) else {
                continue;
            };
            match &self.signer.attributes.certificate {
                Some(hash) if !hash.fits(certificate.raw).unwrap_or(true) => named = named.or(Some(certificate)),
                _ => return Some(certificate),
            }
        }
        named
    }

    /// The name of the algorithm, as far as it is known.
    pub(crate) fn algorithm(&self, certificate: Option<&Certificate>) -> Option<String> {
        let key = certificate.and_then(|certificate| certificate.key().ok());
        Some(self.scheme()?.name(key.unwrap_or(super::algorithm::PublicKey::Other)))
    }

    fn scheme(&self) -> Option<Scheme> {
        self.signer.algorithm.scheme(self.signer.hash)
    }

    /// The digest of the content that was signed.
    pub(crate) fn signed_digest(&self) -> Option<&[u8]> {
        self.signer.attributes.message_digest
    }

    /// Checks the signature (RFC 5652, 5.4 and 5.6). The content comes first: if it is another one, it does not matter
    /// whether the rest can be checked.
    pub(crate) fn check(&self, content: Content) -> Verdict {
        if let Some(verdict) = self.check_content(content) {
            return verdict;
        }
        let Some(certificate) = self.certificate() else { return Verdict::NoCertificate };
        // This stops a certificate put in place of the signer's, with a key for which the value was made anew.
        match self.signer.attributes.certificate.as_ref().map(|hash| hash.fits(certificate.raw)) {
            Some(Some(false)) => return Verdict::OtherValue,
            Some(None) => return Verdict::UnknownAlgorithm,
            Some(Some(true)) | None => {}
        }
        let Some(signed) = &self.signer.signed else {
            return match content {
                Content::Bytes(bytes) => self.check_value(&certificate, bytes),
                Content::Digest(_) => Verdict::ContentNeeded,
            };
        };
        // The attributes are signed as DER has them, under the tag of a set. Some signers leave them unsorted.
        match self.check_value(&certificate, &signed.retagged(tag::SET)) {
            Verdict::OtherValue => match signed.canonical(tag::SET) {
                Ok(canonical) => self.check_value(&certificate, &canonical),
                Err(_) => Verdict::OtherValue,
            },
            verdict => verdict,
        }
    }

    /// What is wrong with the content or what is signed about it, if anything is.
    fn check_content(&self, content: Content) -> Option<Verdict> {
        if self.signs_content_alone() {
            return None;
        }
        let attributes = &self.signer.attributes;
        let Some(algorithm) = self.signer.hash.and_then(Hash::ring) else { return Some(Verdict::UnknownAlgorithm) };
        let Some(expected) = attributes.message_digest.filter(|_| attributes.content_type == Some(self.content_type))
        else {
            return Some(Verdict::Odd);
        };
        let fits = match content {
            Content::Bytes(bytes) => digest(algorithm, bytes).as_ref() == expected,
            Content::Digest(found) => found == expected,
        };
        (!fits).then_some(Verdict::OtherContent)
    }

    fn check_value(&self, certificate: &Certificate, message: &[u8]) -> Verdict {
        let (Ok(key), Some(scheme)) = (certificate.key(), self.scheme()) else { return Verdict::UnknownAlgorithm };
        match scheme.verify(key, message, &self.signer.value) {
            Outcome::Verified => Verdict::Intact,
            Outcome::Refuted => Verdict::OtherValue,
            Outcome::Unsupported => Verdict::UnknownAlgorithm,
        }
    }
}

impl<'a> Signer<'a> {
    fn read(mut fields: Elements<'a>) -> Result<Self, Error> {
        fields.expect(tag::INTEGER)?;
        let certificate = match fields.optional(tag::context_bytes(0))? {
            Some(identifier) => CertificateName::KeyIdentifier(identifier.content),
            None => {
                let mut named = fields.enter(tag::SEQUENCE)?;
                let issuer = named.expect(tag::SEQUENCE)?.content;
                CertificateName::Issued { issuer, serial: named.expect(tag::INTEGER)?.content }
            }
        };
        let hash = Identifier::read(&mut fields)?.hash();
        let signed = fields.optional(tag::context(0))?;
        let algorithm = Identifier::read(&mut fields)?;
        let value = fields.next()?.ok_or(Error::Unexpected)?;
        if value.tag & !tag::CONSTRUCTED != tag::OCTET_STRING {
            return Err(Error::Unexpected);
        }
        Ok(Self {
            certificate,
            hash,
            attributes: signed.as_ref().map(Attributes::read).transpose()?.unwrap_or_default(),
            signed,
            algorithm,
            value: value.octets()?,
            // nobody signed these, and nothing depends on them but the time
            unsigned: unsigned(&mut fields).unwrap_or_default(),
        })
    }

    /// Whether this is the certificate that the signer names.
    fn names(&self, certificate: &Certificate) -> bool {
        match self.certificate {
            CertificateName::Issued { issuer, serial } => {
                certificate.issuer.content == issuer && certificate.serial == serial
            }
            CertificateName::KeyIdentifier(identifier) => certificate.has_key_identifier(identifier),
        }
    }
}

fn unsigned<'a>(fields: &mut Elements<'a>) -> Result<Attributes<'a>, Error> {
    let field = fields.optional(tag::context(1))?;
    Ok(field.as_ref().map(Attributes::read).transpose()?.unwrap_or_default())
}

impl CertificateHash<'_> {
    /// Whether it is this certificate's; none if it is by a hash that cannot be computed.
    fn fits(&self, certificate: &[u8]) -> Option<bool> {
        let algorithm = self.hash?.ring()?;
        Some(digest(algorithm, certificate).as_ref() == self.value)
    }
}
