//! One signer of a message (RFC 5652, 5.3), and which certificate is his.

use std::borrow::Cow;

use super::algorithm::{Identifier, RSA, Scheme};
use super::attributes::{Attributes, CertificateHash};
use super::certificate::Certificate;
use super::der::{DerError, Element, Elements, tag};
use super::hash::Hash;

/// What one signer says and signs.
#[derive(Debug, Clone)]
pub(crate) struct Signer<'a> {
    name: SignerIdentifier<'a>,
    pub(crate) hash: Option<Hash>,
    /// What is signed beside the content; the content alone where there is nothing.
    pub(crate) signed: Option<Element<'a>>,
    pub(crate) attributes: Attributes<'a>,
    algorithm: Identifier<'a>,
    pub(crate) value: Cow<'a, [u8]>,
    /// Nobody signed these, and nothing depends on them but a time.
    pub(crate) unsigned: Attributes<'a>,
}

/// By what a signer names his certificate. Nobody signed that either.
#[derive(Debug, Clone)]
enum SignerIdentifier<'a> {
    Issued { issuer: &'a [u8], serial: &'a [u8] },
    KeyIdentifier(&'a [u8]),
}

/// A certificate that may be the signer's.
#[derive(Debug, Clone)]
pub(crate) enum Candidate<'a> {
    /// The one that he names.
    Named(Certificate<'a>),
    /// None has that name, but this one comes near.
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

    /// One of whom there is nothing but a value by PKCS #1.
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

    /// How the value was made.
    pub(crate) fn scheme(&self) -> Option<Scheme> {
        self.algorithm.scheme(self.hash)
    }

    /// The signer's certificate among these: of several with the name, the one whose digest he signed.
    pub(crate) fn certificate(&self, mut certificates: Elements<'a>) -> Option<Candidate<'a>> {
        let (mut named, mut guessed) = (None, None);
        // one that cannot be read ends the search: nobody signed them
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

    /// Whether this is the certificate whose digest he signed (RFC 5035, 5.4); none if he signed none, or one that cannot
    /// be computed.
    pub(crate) fn refers_to(&self, certificate: &Certificate) -> Option<bool> {
        self.attributes.certificate.as_ref().and_then(|hash| hash.fits(certificate.raw))
    }

    /// Whether he signed a digest of his certificate that cannot be computed.
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

    /// Whether one half of the name fits: the rest may be spelled in another way, or was changed.
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
    /// Whether it is this certificate's; none if it is by a hash that cannot be computed.
    fn fits(&self, certificate: &[u8]) -> Option<bool> {
        Some(self.hash?.digest(certificate)? == self.value)
    }
}
