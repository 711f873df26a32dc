//! Certificate revocation lists (RFC 5280, 5): their scope, and the entry of a certificate.

use chrono::{DateTime, FixedOffset};

use crate::algorithm::Identifier;
use crate::certificate::{AUTHORITY_KEY_IDENTIFIER, Certificate, authority_key_identifier};
use crate::der::{DerError, Element, Elements, tag};
use crate::distribution::Scope;
use crate::name::DistinguishedName;
use crate::revoked::{Entry, Revoked};
use crate::statement::SignedStatement;
use crate::text;
use crate::verification::Verifications;

/// `id-ce-cRLNumber`, `id-ce-deltaCRLIndicator`, `id-ce-issuingDistributionPoint` (RFC 5280, 5.2.3 to 5.2.5),
/// `id-ce-freshestCRL` (5.2.6), `id-ce-expiredCertsOnCRL` (X.509, 8.5.2.12).
const NUMBER: &[u8] = &[0x55, 0x1d, 20];
const DELTA: &[u8] = &[0x55, 0x1d, 27];
const SCOPE: &[u8] = &[0x55, 0x1d, 28];
const FRESHEST: &[u8] = &[0x55, 0x1d, 46];
const KEEPS_EXPIRED: &[u8] = &[0x55, 0x1d, 60];
/// Extensions of entries (5.3): `id-ce-cRLReasons`, `id-ce-holdInstructionCode` (RFC 3280, 5.3.2), `id-ce-invalidityDate`,
/// `id-ce-certificateIssuer`.
const REASON: &[u8] = &[0x55, 0x1d, 21];
const HOLD_INSTRUCTION: &[u8] = &[0x55, 0x1d, 23];
const INVALIDITY: &[u8] = &[0x55, 0x1d, 24];
const CERTIFICATE_ISSUER: &[u8] = &[0x55, 0x1d, 29];

/// A revocation list, whose entries are parsed on demand.
#[derive(Debug, Clone)]
pub struct RevocationList<'a> {
    pub(crate) statement: SignedStatement<'a>,
    pub issuer: Element<'a>,
    pub made: DateTime<FixedOffset>,
    pub until: Option<DateTime<FixedOffset>>,
    /// Its scope.
    pub scope: Scope<'a>,
    /// Whether it is a delta CRL, with only the changes since a complete list.
    pub(crate) is_delta: bool,
    /// Since when it keeps expired certificates.
    pub(crate) keeps_expired: Option<DateTime<FixedOffset>>,
    /// Whether it has an unknown critical extension: a missing entry then proves nothing.
    pub(crate) has_unknown_critical: bool,
    entries: Option<Element<'a>>,
    number: Option<&'a [u8]>,
    base: Option<&'a [u8]>,
    authority_key: Option<&'a [u8]>,
}

impl<'a> RevocationList<'a> {
    /// Reads a `CertificateList` (5.1).
    pub(crate) fn read(raw: &'a [u8]) -> Result<Self, DerError> {
        let mut fields = Elements::new(raw).enter(tag::SEQUENCE)?;
        let signed = fields.expect(tag::SEQUENCE)?;
        let outer = fields.expect(tag::SEQUENCE)?;
        let value = fields.expect(tag::BIT_STRING)?.bits()?;
        let mut fields = signed.elements()?;
        fields.optional(tag::INTEGER)?;
        if fields.expect(tag::SEQUENCE)?.raw != outer.raw {
            return Err(DerError::Unexpected);
        }
        let algorithm = Identifier::of(outer.elements()?)?;
        let issuer = fields.expect(tag::SEQUENCE)?;
        let made = fields.next()?.as_ref().and_then(text::time).ok_or(DerError::Unexpected)?;
        let mut next = fields.next()?;
        let until = next.as_ref().and_then(text::time);
        if until.is_some() {
            next = fields.next()?;
        }
        let entries = next.filter(|field| field.tag == tag::SEQUENCE);
        if entries.is_some() {
            next = fields.next()?;
        }
        let mut list = Self {
            statement: SignedStatement { raw, signed: signed.raw, algorithm, value },
            issuer,
            made,
            until,
            scope: Scope::default(),
            is_delta: false,
            keeps_expired: None,
            has_unknown_critical: false,
            entries,
            number: None,
            base: None,
            authority_key: None,
        };
        match next {
            Some(field) if field.tag == tag::context(0) => {
                list.take_extensions(field.elements()?.enter(tag::SEQUENCE)?)?;
            }
            Some(_) => return Err(DerError::Unexpected),
            None => {}
        }
        Ok(list)
    }

    fn take_extensions(&mut self, mut extensions: Elements<'a>) -> Result<(), DerError> {
        while let Some(extension) = extensions.next()? {
            let (name, is_critical, value) = parts(&extension)?;
            // some issuers omit the leading zero of numbers with the highest bit set
            let number = || Elements::new(value).expect(tag::INTEGER)?.unsigned();
            match name {
                NUMBER => self.number = Some(number()?),
                // both have to be critical, but are obeyed in any case
                DELTA => (self.is_delta, self.base) = (true, Some(number()?)),
                SCOPE => self.scope = Scope::read(value)?,
                KEEPS_EXPIRED => self.keeps_expired = Elements::new(value).next()?.as_ref().and_then(text::time),
                AUTHORITY_KEY_IDENTIFIER => self.authority_key = authority_key_identifier(value),
                FRESHEST => {}
                _ => self.has_unknown_critical |= is_critical,
            }
        }
        Ok(())
    }

    /// Whether its authority key identifier differs from the key identifier of `issuer` (5.2.1); `false` if either is
    /// missing.
    pub(crate) fn names_other_key(&self, issuer: &Certificate) -> bool {
        matches!((self.authority_key, issuer.key_identifier()), (Some(named), Some(own)) if named != own)
    }

    /// Whether this delta CRL completes a list (5.2.4): same issuer, same scope, and neither too new for the list nor
    /// older than it.
    pub(crate) fn completes(&self, list: &Self) -> bool {
        let is_at_least = |number: Option<&[u8]>, least: Option<&[u8]>| match (number, least) {
            (Some(number), Some(least)) => (number.len(), number) >= (least.len(), least),
            _ => false,
        };
        self.is_delta
            && !list.is_delta
            && self.scope.raw == list.scope.raw
            && DistinguishedName::are_equal(&self.issuer, &list.issuer)
            && is_at_least(list.number, self.base)
            && is_at_least(self.number, list.number)
    }

    /// The list's statement about a certificate.
    pub(crate) fn entry(
        &self,
        certificate: &Certificate<'a>,
        verifications: &Verifications<'a>,
    ) -> Result<Entry, DerError> {
        verifications
            .cached_entry([self.statement.raw, certificate.raw], || self.read_entry(certificate, verifications))
    }

    /// In an indirect CRL an entry belongs to the issuer that it or an earlier one names (5.3.3).
    fn read_entry(&self, certificate: &Certificate, verifications: &Verifications) -> Result<Entry, DerError> {
        let Some(entries) = &self.entries else { return Ok(Entry::Absent) };
        if !verifications.compare(entries.content.len()) {
            return Err(DerError::Unexpected);
        }
        let mut is_issuers = DistinguishedName::are_equal(&self.issuer, &certificate.issuer);
        let mut found = Entry::Absent;
        let mut entries = entries.elements()?;
        while let Some(entry) = entries.next()? {
            let mut fields = entry.elements()?;
            let serial = fields.expect(tag::INTEGER)?.content;
            let at = fields.next()?.ok_or(DerError::Unexpected)?;
            let extensions = EntryExtensions::read(fields)?;
            if let Some(issuer) = extensions.issuer.filter(|_| self.scope.is_indirect) {
                is_issuers = DistinguishedName::are_equal(&issuer, &certificate.issuer);
            }
            if serial != certificate.serial || !is_issuers {
                continue;
            }
            let at = text::time(&at).ok_or(DerError::Unexpected)?;
            let revoked =
                Revoked { at: extensions.invalid.map_or(at, |invalid| invalid.min(at)), reason: extensions.reason };
            found = match (found, revoked.is_removal()) {
                // a revocation has precedence over another entry
                (Entry::Revoked(known), _) => Entry::Revoked(known),
                (_, true) => Entry::Removed,
                (_, false) => Entry::Revoked(revoked),
            };
        }
        Ok(found)
    }
}

/// Extensions of an entry.
#[derive(Default)]
struct EntryExtensions<'a> {
    reason: Option<u8>,
    invalid: Option<DateTime<FixedOffset>>,
    issuer: Option<Element<'a>>,
}

impl<'a> EntryExtensions<'a> {
    fn read(mut fields: Elements<'a>) -> Result<Self, DerError> {
        let mut read = Self::default();
        let Some(extensions) = fields.optional(tag::SEQUENCE)? else { return Ok(read) };
        let mut extensions = extensions.elements()?;
        while let Some(extension) = extensions.next()? {
            let (name, is_critical, value) = parts(&extension)?;
            let mut value = Elements::new(value);
            match name {
                REASON => read.reason = value.expect(tag::ENUMERATED)?.content.first().copied(),
                INVALIDITY => read.invalid = value.next()?.as_ref().and_then(text::time),
                CERTIFICATE_ISSUER => {
                    let mut names = value.enter(tag::SEQUENCE)?;
                    while let Some(name) = names.next()? {
                        if name.tag == tag::context(4) {
                            read.issuer = Some(name.elements()?.expect(tag::SEQUENCE)?);
                        }
                    }
                }
                HOLD_INSTRUCTION => {}
                // a list with an unknown critical entry extension must not be used (5.3)
                _ if is_critical => return Err(DerError::Unexpected),
                _ => {}
            }
        }
        Ok(read)
    }
}

/// Name, criticality and value of an extension (4.1).
fn parts<'a>(extension: &Element<'a>) -> Result<(&'a [u8], bool, &'a [u8]), DerError> {
    let mut fields = extension.elements()?;
    let name = fields.identifier()?;
    let is_critical = fields.optional(tag::BOOLEAN)?.is_some_and(|critical| critical.content != [0]);
    Ok((name, is_critical, fields.expect(tag::OCTET_STRING)?.content))
}
