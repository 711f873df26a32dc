//! X.509 certificates (RFC 5280, 4.1), as far as a signature needs them: whose key it is, and the key. Whether anybody
//! trusts them, and for how long, is not judged.

use super::algorithm::Identifier;
use super::der::{DerError, Element, Elements, tag};
use super::hash::Hash;
use super::outcome::Outcome;
use super::public_key::PublicKey;
use super::text;
use crate::integrity::report::SignerCertificate;

/// The subject key identifier (RFC 5280, 4.2.1.2).
const SUBJECT_KEY_IDENTIFIER: &[u8] = &[0x55, 0x1d, 14];
/// Parts of a name (RFC 5280, 4.1.2.4), most telling first: common name, organisation, unit, e-mail address.
const NAMING: [&[u8]; 4] =
    [&[0x55, 4, 3], &[0x55, 4, 10], &[0x55, 4, 11], &[0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 1, 9, 1]];
/// The longest name that is shown, in characters.
const LONGEST_NAME: usize = 200;

/// A certificate.
#[derive(Debug, Clone)]
pub(crate) struct Certificate<'a> {
    /// All of it.
    pub(crate) raw: &'a [u8],
    /// What its issuer signed.
    signed: &'a [u8],
    pub(crate) serial: &'a [u8],
    pub(crate) issuer: Element<'a>,
    validity: Element<'a>,
    subject: Element<'a>,
    key: Elements<'a>,
    extensions: Option<Elements<'a>>,
    algorithm: Identifier<'a>,
    value: &'a [u8],
}

impl<'a> Certificate<'a> {
    /// Reads a certificate (RFC 5280, 4.1.1).
    pub(crate) fn read(element: &Element<'a>) -> Result<Self, DerError> {
        let mut fields = element.elements()?;
        let signed = fields.expect(tag::SEQUENCE)?;
        let algorithm = Identifier::read(&mut fields)?;
        let value = fields.expect(tag::BIT_STRING)?.bits()?;
        let mut fields = signed.elements()?;
        fields.optional(tag::context(0))?;
        let serial = fields.expect(tag::INTEGER)?.content;
        fields.expect(tag::SEQUENCE)?;
        let issuer = fields.expect(tag::SEQUENCE)?;
        let validity = fields.expect(tag::SEQUENCE)?;
        let subject = fields.expect(tag::SEQUENCE)?;
        let key = fields.enter(tag::SEQUENCE)?;
        fields.optional(tag::context_bytes(1))?;
        fields.optional(tag::context_bytes(2))?;
        let extensions = match fields.optional(tag::context(3))? {
            Some(field) => Some(field.elements()?.enter(tag::SEQUENCE)?),
            None => None,
        };
        Ok(Self {
            raw: element.raw,
            signed: signed.raw,
            serial,
            issuer,
            validity,
            subject,
            key,
            extensions,
            algorithm,
            value,
        })
    }

    /// The subject's public key.
    pub(crate) fn key(&self) -> Result<PublicKey<'a>, DerError> {
        PublicKey::read(self.key.clone())
    }

    /// Whose certificate it says it is.
    pub(crate) fn subject(&self) -> Option<String> {
        name(&self.subject)
    }

    /// Who it says has issued it.
    pub(crate) fn issuer(&self) -> Option<String> {
        name(&self.issuer)
    }

    /// What it is recognised by (RFC 5280, 4.1.2.2 and 4.1.2.5).
    pub(crate) fn told(&self) -> Option<SignerCertificate> {
        let mut validity = self.validity.elements().ok();
        let mut time = || validity.as_mut()?.next().ok().flatten().as_ref().and_then(text::time);
        // a number with its highest bit set has a zero before it
        let serial = self.serial.strip_prefix(&[0]).filter(|rest| !rest.is_empty()).unwrap_or(self.serial);
        Some(SignerCertificate {
            serial: text::hexadecimal(serial),
            valid_from: time(),
            valid_until: time(),
            sha256: text::hexadecimal(&Hash::Sha256.digest(self.raw)?),
        })
    }

    /// Whether the subject has issued it himself: he says so, or the key it is about made the value under it, whatever
    /// name is given there.
    pub(crate) fn is_self_signed(&self) -> bool {
        self.issuer.content == self.subject.content || self.is_signed_by_own_key()
    }

    fn is_signed_by_own_key(&self) -> bool {
        let (Ok(key), Some(scheme)) = (self.key(), self.algorithm.scheme(None)) else { return false };
        scheme.verify(key, self.signed, self.value) == Outcome::Verified
    }

    /// Whether this is the identifier of its key.
    pub(crate) fn has_key_identifier(&self, identifier: &[u8]) -> bool {
        self.key_identifier().is_ok_and(|found| found == Some(identifier))
    }

    fn key_identifier(&self) -> Result<Option<&'a [u8]>, DerError> {
        let Some(mut extensions) = self.extensions.clone() else { return Ok(None) };
        while let Some(extension) = extensions.next()? {
            let mut fields = extension.elements()?;
            if fields.identifier()? != SUBJECT_KEY_IDENTIFIER {
                continue;
            }
            while let Some(field) = fields.next()? {
                if field.tag == tag::OCTET_STRING {
                    return Ok(Some(Elements::new(field.content).expect(tag::OCTET_STRING)?.content));
                }
            }
        }
        Ok(None)
    }
}

/// What a name is known by: the most telling of its parts.
fn name(name: &Element) -> Option<String> {
    NAMING.iter().find_map(|kind| part(name, kind).ok().flatten())
}

/// The last part of this kind, which is the most specific one.
fn part(name: &Element, kind: &[u8]) -> Result<Option<String>, DerError> {
    let mut found = None;
    let mut sets = name.elements()?;
    while let Some(set) = sets.next()? {
        let mut parts = set.elements()?;
        while let Some(part) = parts.next()? {
            let mut fields = part.elements()?;
            if fields.identifier()? == kind
                && let Some(value) = fields.next()?
            {
                found = text::decode(&value, LONGEST_NAME).or(found);
            }
        }
    }
    Ok(found)
}
