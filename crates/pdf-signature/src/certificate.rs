//! X.509 certificates (RFC 5280, 4.1): subject, key and issuer. Trust is judged by [`crate::path`].

use chrono::{DateTime, FixedOffset};

use crate::algorithm::{Identifier, Scheme};
use crate::der::{DerError, Element, Elements, tag};
use crate::hash::Hash;
use crate::name::DistinguishedName;
use crate::public_key::PublicKey;
use crate::report::SignerCertificate;
use crate::statement::SignedStatement;
use crate::text;

/// The subject key identifier (RFC 5280, 4.2.1.2).
const SUBJECT_KEY_IDENTIFIER: &[u8] = &[0x55, 0x1d, 14];
/// The authority key identifier (RFC 5280, 4.2.1.1).
pub(crate) const AUTHORITY_KEY_IDENTIFIER: &[u8] = &[0x55, 0x1d, 35];
/// Attributes of a name (RFC 5280, 4.1.2.4), most significant first: common name, organization, unit, e-mail address.
const NAMING: [&[u8]; 4] =
    [&[0x55, 4, 3], &[0x55, 4, 10], &[0x55, 4, 11], &[0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 1, 9, 1]];
/// The longest name displayed, in characters.
const LONGEST_NAME: usize = 200;

/// A certificate.
#[derive(Debug, Clone)]
pub struct Certificate<'a> {
    /// The complete encoding.
    pub raw: &'a [u8],
    /// 1 to 3.
    pub version: u32,
    /// The encoded `TBSCertificate`.
    signed: &'a [u8],
    /// Whether it names the signature algorithm that the issuer used, as required (4.1.1.2).
    pub(crate) names_algorithm: bool,
    pub(crate) serial: &'a [u8],
    /// The issuer's name.
    pub issuer: Element<'a>,
    validity: Element<'a>,
    /// The subject's name.
    pub subject: Element<'a>,
    key: Elements<'a>,
    pub(crate) extensions: Option<Elements<'a>>,
    algorithm: Identifier<'a>,
    value: &'a [u8],
}

impl<'a> Certificate<'a> {
    /// Reads a certificate (RFC 5280, 4.1.1).
    pub fn read(element: &Element<'a>) -> Result<Self, DerError> {
        // its depth in the message does not matter
        let mut fields = Elements::new(element.raw).enter(tag::SEQUENCE)?;
        let signed = fields.expect(tag::SEQUENCE)?;
        let outer = fields.expect(tag::SEQUENCE)?;
        let value = fields.expect(tag::BIT_STRING)?.bits()?;
        let mut fields = signed.elements()?;
        let version = match fields.optional(tag::context(0))? {
            Some(field) => field.elements()?.expect(tag::INTEGER)?.small()?.saturating_add(1),
            None => 1,
        };
        let serial = fields.expect(tag::INTEGER)?.content;
        let names_algorithm = fields.expect(tag::SEQUENCE)?.raw == outer.raw;
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
            version,
            signed: signed.raw,
            names_algorithm,
            serial,
            issuer,
            validity,
            subject,
            key,
            extensions,
            algorithm: Identifier::of(outer.elements()?)?,
            value,
        })
    }

    /// The subject's public key.
    pub fn key(&self) -> Result<PublicKey<'a>, DerError> {
        PublicKey::read(self.key.clone())
    }

    /// The subject's display name.
    pub fn subject(&self) -> Option<String> {
        name(&self.subject)
    }

    /// The issuer's display name.
    pub fn issuer(&self) -> Option<String> {
        name(&self.issuer)
    }

    /// The identity of the certificate (RFC 5280, 4.1.2.2 and 4.1.2.5).
    pub fn identity(&self) -> Option<SignerCertificate> {
        let (valid_from, valid_until) = self.validity();
        // a number with its highest bit set has a leading zero
        let serial = self.serial.strip_prefix(&[0]).filter(|rest| !rest.is_empty()).unwrap_or(self.serial);
        Some(SignerCertificate { serial: text::hexadecimal(serial), valid_from, valid_until, sha256: self.sha256()? })
    }

    /// The fingerprint: SHA-256 of the encoding, in hexadecimal digits.
    pub fn sha256(&self) -> Option<String> {
        Some(text::hexadecimal(&Hash::Sha256.digest(self.raw)?))
    }

    /// notBefore and notAfter (4.1.2.5), both inclusive.
    pub fn validity(&self) -> (Option<DateTime<FixedOffset>>, Option<DateTime<FixedOffset>>) {
        let mut validity = self.validity.elements().ok();
        let mut time = || validity.as_mut()?.next().ok().flatten().as_ref().and_then(text::time);
        (time(), time())
    }

    /// Whether it is valid at this time; `false` without notAfter.
    pub(crate) fn is_valid_at(&self, at: DateTime<FixedOffset>) -> bool {
        matches!(self.validity(), (Some(from), Some(until)) if (from..=until).contains(&at))
    }

    /// Whether subject and issuer have the same name (RFC 5280, 6.1).
    pub(crate) fn is_self_issued(&self) -> bool {
        DistinguishedName::are_equal(&self.subject, &self.issuer)
    }

    /// The subject public key bits (4.1.2.7).
    pub fn key_bits(&self) -> Option<&'a [u8]> {
        let mut info = self.key.clone();
        info.next().ok()?;
        info.expect(tag::BIT_STRING).ok()?.bits().ok()
    }

    /// Whether its signature or key is weak by current standards.
    pub fn is_weak(&self) -> bool {
        let hash = self.algorithm.scheme(None).and_then(Scheme::hash);
        hash.is_some_and(Hash::is_weak) || self.has_weak_key()
    }

    pub(crate) fn has_weak_key(&self) -> bool {
        self.key().is_ok_and(|key| key.weakness().is_some())
    }

    /// The part that its issuer signed, with the signature.
    pub(crate) fn statement(&self) -> SignedStatement<'a> {
        SignedStatement { raw: self.raw, signed: self.signed, algorithm: self.algorithm.clone(), value: self.value }
    }

    /// Whether its authority key identifier (RFC 5280, 4.2.1.1) differs from the key identifier of `issuer`; `false` if
    /// either is missing.
    pub(crate) fn names_other_key(&self, issuer: &Certificate) -> bool {
        match (self.authority_key_identifier(), issuer.key_identifier()) {
            (Some(named), Some(own)) => named != own,
            _ => false,
        }
    }

    /// Whether its key has this identifier.
    pub(crate) fn has_key_identifier(&self, identifier: &[u8]) -> bool {
        self.key_identifier() == Some(identifier)
    }

    /// The subject key identifier, if present (4.2.1.2).
    pub(crate) fn key_identifier(&self) -> Option<&'a [u8]> {
        let value = self.extension(SUBJECT_KEY_IDENTIFIER)?;
        Some(Elements::new(value).expect(tag::OCTET_STRING).ok()?.content)
    }

    /// The authority key identifier, if present (4.2.1.1).
    fn authority_key_identifier(&self) -> Option<&'a [u8]> {
        authority_key_identifier(self.extension(AUTHORITY_KEY_IDENTIFIER)?)
    }

    /// The value of an extension, if present and all before it are readable.
    pub(crate) fn extension(&self, name: &[u8]) -> Option<&'a [u8]> {
        let mut extensions = self.extensions.clone()?;
        while let Ok(Some(extension)) = extensions.next() {
            let mut fields = extension.elements().ok()?;
            if fields.identifier().ok()? == name {
                fields.optional(tag::BOOLEAN).ok()?;
                return Some(fields.expect(tag::OCTET_STRING).ok()?.content);
            }
        }
        None
    }
}

/// The key identifier in an `AuthorityKeyIdentifier` (4.2.1.1).
pub(crate) fn authority_key_identifier(value: &[u8]) -> Option<&[u8]> {
    let mut fields = Elements::new(value).enter(tag::SEQUENCE).ok()?;
    Some(fields.optional(tag::context_bytes(0)).ok()??.content)
}

/// The display name: the most significant attribute.
fn name(name: &Element) -> Option<String> {
    NAMING.iter().find_map(|kind| part(name, kind).ok().flatten())
}

/// The last attribute of this type, which is the most specific one.
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
