//! The signer of a message (RFC 5652, 5.3) and its certificate.

use std::borrow::Cow;

use crate::algorithm::{Identifier, RSA, Scheme};
use crate::attributes::{Attributes, CertificateHash};
use crate::certificate::Certificate;
use crate::der::{DerError, Element, Elements, tag};
use crate::hash::Hash;

/// A `SignerInfo`.
#[derive(Debug, Clone)]
pub(crate) struct Signer<'a> {
    pub(crate) name: SignerIdentifier<'a>,
    pub hash: Option<Hash>,
    /// The signed attributes; without any, the content itself is signed.
    pub signed: Option<Element<'a>>,
    pub(crate) attributes: Attributes<'a>,
    algorithm: Identifier<'a>,
    pub value: Cow<'a, [u8]>,
    /// Unsigned attributes: only a time depends on them.
    pub unsigned: Attributes<'a>,
}

/// The identifier of the signer's certificate, which is unsigned.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum SignerIdentifier<'a> {
    Issued { issuer: &'a [u8], serial: &'a [u8] },
    KeyIdentifier(&'a [u8]),
}

/// A possible certificate of the signer.
#[derive(Debug, Clone)]
pub(crate) enum Candidate<'a> {
    /// The one with the signer's identifier.
    Named(Certificate<'a>),
    /// None has that identifier, but this one nearly does.
    Guessed(Certificate<'a>),
}

impl<'a> Candidate<'a> {
    pub(crate) fn certificate(self) -> Certificate<'a> {
        match self {
            Self::Named(certificate) | Self::Guessed(certificate) => certificate,
        }
    }
}

impl<'a> Signer<'a> {
    /// Reads a `SignerInfo`.
    pub(crate) fn read(mut fields: Elements<'a>) -> Result<Self, DerError> {
        fields.expect(tag::INTEGER)?;
        let name = match fields.optional(tag::context_bytes(0))? {
            Some(identifier) => SignerIdentifier::KeyIdentifier(identifier.content),
            None => {
                let mut named = fields.enter(tag::SEQUENCE)?;
                let issuer = named.expect(tag::SEQUENCE)?.content;
                SignerIdentifier::Issued { issuer, serial: named.expect(tag::INTEGER)?.content }
            }
        };
        let hash = Identifier::read(&mut fields)?.hash();
        let signed = fields.optional(tag::context(0))?;
        let algorithm = Identifier::read(&mut fields)?;
        let value = fields.next()?.ok_or(DerError::Unexpected)?;
        if value.tag & !tag::CONSTRUCTED != tag::OCTET_STRING {
            return Err(DerError::Unexpected);
        }
        Ok(Self {
            name,
            hash,
            attributes: signed.as_ref().map(Attributes::read).transpose()?.unwrap_or_default(),
            signed,
            algorithm,
            value: value.octets()?,
            unsigned: unsigned(&mut fields).unwrap_or_default(),
        })
    }

    /// A signer with only a PKCS #1 value.
    pub(crate) fn pkcs1(certificate: &Certificate<'a>, hash: Option<Hash>, value: Cow<'a, [u8]>) -> Self {
        Self {
            name: SignerIdentifier::Issued { issuer: certificate.issuer.content, serial: certificate.serial },
            hash,
            signed: None,
            attributes: Attributes::default(),
            algorithm: Identifier { name: RSA, parameters: None },
            value,
            unsigned: Attributes::default(),
        }
    }

    /// The signature scheme.
    pub(crate) fn scheme(&self) -> Option<Scheme> {
        self.algorithm.scheme(self.hash)
    }

    /// Returns the signer's certificate: if several match the identifier, the one whose digest was signed.
    pub(crate) fn certificate(&self, mut certificates: Elements<'a>) -> Option<Candidate<'a>> {
        let (mut named, mut guessed) = (None, None);
        // an unreadable certificate ends the search: they are unsigned
        while let Ok(Some(element)) = certificates.next() {
            let Ok(certificate) = Certificate::read(&element) else { continue };
            match (self.names(&certificate), self.refers_to(&certificate)) {
                (true, Some(true) | None) => return Some(Candidate::Named(certificate)),
                (true, Some(false)) => named = named.or(Some(certificate)),
                (false, Some(true)) => guessed = Some(certificate),
                (false, _) if self.nearly_names(&certificate) => guessed = guessed.or(Some(certificate)),
                (false, _) => {}
            }
        }
        named.map(Candidate::Named).or(guessed.map(Candidate::Guessed))
    }

    /// Whether the signed digest matches this certificate (RFC 5035, 5.4); `None` without one or with an unsupported
    /// hash.
    pub(crate) fn refers_to(&self, certificate: &Certificate) -> Option<bool> {
        self.attributes.certificate.as_ref().and_then(|hash| hash.fits(certificate.raw))
    }

    /// Whether the signed digest of the certificate has an unsupported hash.
    pub(crate) fn refers_by_unknown_hash(&self) -> bool {
        let known = |hash: &CertificateHash| hash.hash.is_some_and(Hash::is_known);
        self.attributes.certificate.as_ref().is_some_and(|hash| !known(hash))
    }

    fn names(&self, certificate: &Certificate) -> bool {
        match self.name {
            SignerIdentifier::Issued { issuer, serial } => {
                certificate.issuer.content == issuer && certificate.serial == serial
            }
            SignerIdentifier::KeyIdentifier(identifier) => certificate.has_key_identifier(identifier),
        }
    }

    /// Whether half of the identifier matches: the rest may have another spelling or have been changed.
    fn nearly_names(&self, certificate: &Certificate) -> bool {
        match self.name {
            SignerIdentifier::Issued { issuer, serial } => {
                certificate.issuer.content == issuer || certificate.serial == serial
            }
            SignerIdentifier::KeyIdentifier(_) => false,
        }
    }
}

fn unsigned<'a>(fields: &mut Elements<'a>) -> Result<Attributes<'a>, DerError> {
    let field = fields.optional(tag::context(1))?;
    Ok(field.as_ref().map(Attributes::read).transpose()?.unwrap_or_default())
}

impl CertificateHash<'_> {
    /// Whether it is the digest of this certificate; `None` with an unsupported hash.
    fn fits(&self, certificate: &[u8]) -> Option<bool> {
        Some(self.hash?.digest(certificate)? == self.value)
    }
}
