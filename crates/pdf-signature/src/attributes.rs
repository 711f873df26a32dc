//! Attributes of a signer beside the content (RFC 5652, 11; RFC 5035, 5.4; RFC 3161, appendix A).

use chrono::{DateTime, FixedOffset};

use crate::algorithm::Identifier;
use crate::der::{DerError, Element, tag};
use crate::hash::Hash;
use crate::text;

const CONTENT_TYPE: &[u8] = &[0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 1, 9, 3];
const MESSAGE_DIGEST: &[u8] = &[0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 1, 9, 4];
const SIGNING_TIME: &[u8] = &[0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 1, 9, 5];
/// `id-aa-signingCertificate` (RFC 5035, 5.4.2), by SHA-1.
const SIGNING_CERTIFICATE: &[u8] = &[0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 1, 9, 16, 2, 12];
/// `id-aa-signingCertificateV2` (RFC 5035, 5.4.1).
const SIGNING_CERTIFICATE_V2: &[u8] = &[0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 1, 9, 16, 2, 47];
const TIME_STAMP: &[u8] = &[0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 1, 9, 16, 2, 14];

/// `adbe-revocationInfoArchival` (ISO 32000-1, 12.8.3.3.2).
const ARCHIVE: &[u8] = &[0x2a, 0x86, 0x48, 0x86, 0xf7, 0x2f, 1, 1, 8];

/// The supported attributes. Each may occur once; the first of duplicates counts.
#[derive(Debug, Clone, Default)]
pub(crate) struct Attributes<'a> {
    pub content_type: Option<&'a [u8]>,
    pub(crate) message_digest: Option<&'a [u8]>,
    pub(crate) signing_time: Option<DateTime<FixedOffset>>,
    pub certificate: Option<CertificateHash<'a>>,
    pub time_stamp: Option<&'a [u8]>,
    /// Validation data for the signer's certificate.
    pub(crate) archive: Option<Element<'a>>,
}

/// The signed digest of the signer's certificate.
#[derive(Debug, Clone)]
pub(crate) struct CertificateHash<'a> {
    /// None if it is unknown.
    pub hash: Option<Hash>,
    pub value: &'a [u8],
}

impl<'a> Attributes<'a> {
    /// Reads a set of attributes (RFC 5652, 5.3).
    pub(crate) fn read(set: &Element<'a>) -> Result<Self, DerError> {
        let mut attributes = Self::default();
        let mut elements = set.elements()?;
        while let Some(attribute) = elements.next()? {
            let mut fields = attribute.elements()?;
            let name = fields.identifier()?;
            let Some(value) = fields.enter(tag::SET)?.next()? else { continue };
            attributes.take(name, &value)?;
        }
        Ok(attributes)
    }

    fn take(&mut self, name: &[u8], value: &Element<'a>) -> Result<(), DerError> {
        match name {
            CONTENT_TYPE => self.content_type = self.content_type.or(Some(value.content)),
            MESSAGE_DIGEST => self.message_digest = self.message_digest.or(Some(value.content)),
            SIGNING_TIME => self.signing_time = self.signing_time.or_else(|| text::time(value)),
            // the newer attribute has precedence
            SIGNING_CERTIFICATE_V2 => self.certificate = Some(CertificateHash::read(value, Hash::Sha256)?),
            SIGNING_CERTIFICATE if self.certificate.is_none() => {
                self.certificate = Some(CertificateHash::read(value, Hash::Sha1)?);
            }
            TIME_STAMP => self.time_stamp = self.time_stamp.or(Some(value.raw)),
            ARCHIVE => self.archive = self.archive.or(Some(*value)),
            _ => {}
        }
        Ok(())
    }
}

impl<'a> CertificateHash<'a> {
    /// Reads the first certificate of a `SigningCertificate` or `SigningCertificateV2`, which is the signer's.
    fn read(value: &Element<'a>, usual: Hash) -> Result<Self, DerError> {
        let mut identifier = value.elements()?.enter(tag::SEQUENCE)?.enter(tag::SEQUENCE)?;
        let hash = match identifier.optional(tag::SEQUENCE)? {
            Some(algorithm) => Identifier::of(algorithm.elements()?)?.hash(),
            None => Some(usual),
        };
        Ok(Self { hash, value: identifier.expect(tag::OCTET_STRING)?.content })
    }
}
