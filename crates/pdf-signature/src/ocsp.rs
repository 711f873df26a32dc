//! OCSP responses (RFC 6960, 4.2): their statements about a certificate, and their responder.

use chrono::{DateTime, FixedOffset};

use crate::algorithm::Identifier;
use crate::certificate::Certificate;
use crate::der::{DerError, Element, Elements, tag};
use crate::hash::Hash;
use crate::name::DistinguishedName;
use crate::revoked::Revoked;
use crate::statement::SignedStatement;
use crate::text;

/// `id-pkix-ocsp-basic` (4.2.1) and `id-pkix-ocsp-archive-cutoff` (4.4.4).
const BASIC: &[u8] = &[0x2b, 6, 1, 5, 5, 7, 0x30, 1, 1];
const ARCHIVE_CUTOFF: &[u8] = &[0x2b, 6, 1, 5, 5, 7, 0x30, 1, 6];

/// The basic response in an OCSP response.
#[derive(Debug, Clone)]
pub struct OcspResponse<'a> {
    pub(crate) statement: SignedStatement<'a>,
    pub made: DateTime<FixedOffset>,
    responder: Element<'a>,
    single: Elements<'a>,
    certificates: Option<Elements<'a>>,
}

/// The status of one certificate in a response.
#[derive(Debug, Clone, Copy)]
pub(crate) struct SingleResponse {
    pub made: DateTime<FixedOffset>,
    pub until: Option<DateTime<FixedOffset>>,
    pub status: SingleStatus,
    /// The archive cutoff: since when the responder keeps expired certificates.
    pub(crate) keeps_expired: Option<DateTime<FixedOffset>>,
}

/// `CertStatus`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum SingleStatus {
    Good,
    Revoked(Revoked),
    Unknown,
}

impl<'a> OcspResponse<'a> {
    /// Reads an `OCSPResponse`; `None` if it is an error response.
    pub(crate) fn read(raw: &'a [u8]) -> Result<Option<Self>, DerError> {
        let mut fields = Elements::new(raw).enter(tag::SEQUENCE)?;
        if fields.expect(tag::ENUMERATED)?.content != [0] {
            return Ok(None);
        }
        let mut response = fields.enter(tag::context(0))?.enter(tag::SEQUENCE)?;
        if response.identifier()? != BASIC {
            return Err(DerError::Unexpected);
        }
        Self::basic(raw, response.expect(tag::OCTET_STRING)?.content).map(Some)
    }

    /// Reads a `BasicOCSPResponse`, which some signers store without the outer structure.
    pub(crate) fn basic(raw: &'a [u8], bytes: &'a [u8]) -> Result<Self, DerError> {
        let mut basic = Elements::new(bytes).enter(tag::SEQUENCE)?;
        let signed = basic.expect(tag::SEQUENCE)?;
        let algorithm = Identifier::read(&mut basic)?;
        let value = basic.expect(tag::BIT_STRING)?.bits()?;
        let certificates = basic.optional(tag::context(0))?;
        let certificates = certificates.map(|field| field.elements()?.enter(tag::SEQUENCE)).transpose()?;
        let mut data = signed.elements()?;
        data.optional(tag::context(0))?;
        let responder = data.next()?.ok_or(DerError::Unexpected)?;
        let made = text::time(&data.expect(tag::GENERALIZED_TIME)?).ok_or(DerError::Unexpected)?;
        let single = data.enter(tag::SEQUENCE)?;
        let statement = SignedStatement { raw, signed: signed.raw, algorithm, value };
        Ok(Self { statement, made, responder, single, certificates })
    }

    /// The readable certificates in it.
    pub(crate) fn certificates(&self) -> impl Iterator<Item = Certificate<'a>> {
        let mut elements = self.certificates.clone().unwrap_or(Elements::new(&[]));
        std::iter::from_fn(move || elements.next().ok().flatten()).filter_map(|one| Certificate::read(&one).ok())
    }

    /// Whether its responder identifier matches this certificate, by name or key.
    pub(crate) fn may_be_by(&self, certificate: &Certificate) -> bool {
        let inner = self.responder.elements().and_then(|mut elements| elements.next()).ok().flatten();
        match (self.responder.tag, inner) {
            (0xa1, Some(name)) => DistinguishedName::are_equal(&name, &certificate.subject),
            (0xa2, Some(key)) => {
                certificate.key_bits().and_then(|bits| Hash::Sha1.digest(bits)).is_some_and(|it| it == key.content)
            }
            _ => false,
        }
    }

    /// All statements about a certificate that `issuer` has issued.
    pub(crate) fn about(
        &self,
        certificate: &Certificate,
        issuer: &Certificate,
    ) -> Result<Vec<SingleResponse>, DerError> {
        let mut found = Vec::new();
        let mut single = self.single.clone();
        while let Some(one) = single.next()? {
            let mut fields = one.elements()?;
            if is_about(fields.enter(tag::SEQUENCE)?, certificate, issuer)? {
                found.push(SingleResponse::read(fields)?);
            }
        }
        Ok(found)
    }
}

/// Whether a `CertID` (4.1.1) identifies a certificate.
fn is_about(mut identifier: Elements, certificate: &Certificate, issuer: &Certificate) -> Result<bool, DerError> {
    let hash = Identifier::read(&mut identifier)?.hash();
    let name = identifier.expect(tag::OCTET_STRING)?.content;
    let key = identifier.expect(tag::OCTET_STRING)?.content;
    if identifier.expect(tag::INTEGER)?.content != certificate.serial {
        return Ok(false);
    }
    // with an unsupported hash it may identify any certificate with this number
    let hash = hash.filter(|hash| hash.is_known()).ok_or(DerError::Unexpected)?;
    let is_of = |bytes: &[u8], digest: &[u8]| hash.digest(bytes).is_some_and(|found| found == digest);
    let is_of_key = issuer.key_bits().is_some_and(|bits| is_of(bits, key));
    Ok(is_of_key && (is_of(issuer.subject.raw, name) || is_of(certificate.issuer.raw, name)))
}

impl SingleResponse {
    /// Reads the fields after the `CertID` of a `SingleResponse`.
    fn read(mut fields: Elements) -> Result<Self, DerError> {
        let status = fields.next()?.ok_or(DerError::Unexpected)?;
        let made = fields.next()?.as_ref().and_then(text::time).ok_or(DerError::Unexpected)?;
        let until = fields.optional(tag::context(0))?.map(|field| field.elements()?.next()).transpose()?.flatten();
        let mut keeps_expired = None;
        if let Some(field) = fields.optional(tag::context(1))? {
            let mut extensions = field.elements()?.enter(tag::SEQUENCE)?;
            while let Some(extension) = extensions.next()? {
                let mut fields = extension.elements()?;
                if fields.identifier()? == ARCHIVE_CUTOFF {
                    fields.optional(tag::BOOLEAN)?;
                    let value = fields.expect(tag::OCTET_STRING)?.content;
                    keeps_expired = Elements::new(value).next()?.as_ref().and_then(text::time);
                }
            }
        }
        let status = match status.tag {
            0x80 => SingleStatus::Good,
            0xa1 => {
                let mut fields = status.elements()?;
                let at = fields.next()?.as_ref().and_then(text::time).ok_or(DerError::Unexpected)?;
                let reason = fields.optional(tag::context(0))?;
                let reason = reason.map(|field| field.elements()?.expect(tag::ENUMERATED)).transpose()?;
                let reason = reason.and_then(|reason| reason.content.first().copied());
                SingleStatus::Revoked(Revoked { at, reason })
            }
            _ => SingleStatus::Unknown,
        };
        Ok(Self { made, until: until.as_ref().and_then(text::time), status, keeps_expired })
    }
}
