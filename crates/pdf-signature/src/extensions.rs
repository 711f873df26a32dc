//! Certificate extensions (RFC 5280, 4.2) that restrict the use of a certificate.

use std::collections::BTreeSet;

use crate::certificate::Certificate;
use crate::der::{DerError, Element, Elements, tag};

/// `id-ce` (RFC 5280, 4.2.1), followed by the last number.
const STANDARD: [u8; 2] = [0x55, 0x1d];
/// `id-pe-authorityInfoAccess` (RFC 5280, 4.2.2.1).
const INFORMATION_ACCESS: &[u8] = &[0x2b, 6, 1, 5, 5, 7, 1, 1];
/// `id-pe-qcStatements` (RFC 3739, 3.2.6): legal qualifications.
const QUALIFIED: &[u8] = &[0x2b, 6, 1, 5, 5, 7, 1, 3];
/// Extensions without effect on a path: subject and authority key identifiers, issuer alternative name, CRL
/// distribution points.
const INDIFFERENT: [u8; 5] = [14, 18, 31, 35, 46];

/// Key usage (4.2.1.3), the bits of the field from the first one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct KeyUsage(u8);

impl KeyUsage {
    pub(crate) fn is_for_content(self) -> bool {
        self.0 & 0x40 != 0
    }

    pub(crate) fn is_for_signatures(self) -> bool {
        self.0 & 0x80 != 0
    }

    pub(crate) fn is_for_certificates(self) -> bool {
        self.0 & 0x04 != 0
    }

    pub(crate) fn is_for_lists(self) -> bool {
        self.0 & 0x02 != 0
    }
}

/// The supported extensions of a certificate.
#[derive(Debug, Clone, Default)]
pub(crate) struct Extensions<'a> {
    /// Whether it is a CA (4.2.1.9).
    pub(crate) is_authority: bool,
    /// The maximum number of CAs between it and the last certificate.
    pub(crate) path_length: Option<u32>,
    pub(crate) key_usage: Option<KeyUsage>,
    /// Extended key usage (4.2.1.12), if present.
    pub(crate) purposes: Option<Vec<&'a [u8]>>,
    /// Name constraints (4.2.1.10).
    pub(crate) constraints: Option<Elements<'a>>,
    /// Subject alternative names (4.2.1.6).
    pub names: Vec<Element<'a>>,
    /// Certificate policies (4.2.1.4), if present.
    pub(crate) policies: Option<Vec<&'a [u8]>>,
    /// Policy mappings (4.2.1.5).
    pub(crate) mappings: Vec<(&'a [u8], &'a [u8])>,
    /// The number of certificates after which explicit policies are required and mappings inhibited (4.2.1.11).
    pub(crate) policy_needed: Option<u32>,
    pub(crate) mapping_ends: Option<u32>,
    /// The number of certificates after which `anyPolicy` is inhibited (4.2.1.14).
    pub(crate) any_policy_ends: Option<u32>,
    /// Whether it has an unknown critical extension.
    pub(crate) has_unknown_critical: bool,
}

impl<'a> Extensions<'a> {
    /// Reads the extensions of a certificate.
    ///
    /// # Errors
    /// Also for a duplicate extension (4.2).
    pub(crate) fn read(certificate: &Certificate<'a>) -> Result<Self, DerError> {
        let mut read = Self::default();
        let mut known: BTreeSet<&[u8]> = BTreeSet::new();
        let Some(mut extensions) = certificate.extensions.clone() else { return Ok(read) };
        while let Some(extension) = extensions.next()? {
            let mut fields = extension.elements()?;
            let name = fields.identifier()?;
            let is_critical = fields.optional(tag::BOOLEAN)?.is_some_and(|critical| critical.content != [0]);
            let value = fields.expect(tag::OCTET_STRING)?.content;
            if !known.insert(name) {
                return Err(DerError::Unexpected);
            }
            let is_known = match name {
                [first, second, number] if [*first, *second] == STANDARD => read.take(*number, Elements::new(value))?,
                name => name == INFORMATION_ACCESS || name == QUALIFIED,
            };
            read.has_unknown_critical |= is_critical && !is_known;
        }
        Ok(read)
    }

    /// Reads a standard extension; returns whether it is supported.
    fn take(&mut self, number: u8, mut value: Elements<'a>) -> Result<bool, DerError> {
        match number {
            15 => {
                let bits = value.expect(tag::BIT_STRING)?.content;
                self.key_usage = Some(KeyUsage(bits.get(1).copied().unwrap_or(0)));
            }
            17 => self.names = all(&mut value)?,
            19 => {
                let mut fields = value.enter(tag::SEQUENCE)?;
                self.is_authority = fields.optional(tag::BOOLEAN)?.is_some_and(|is_it| is_it.content != [0]);
                self.path_length = fields.optional(tag::INTEGER)?.map(|length| length.small()).transpose()?;
            }
            30 => self.constraints = Some(value.enter(tag::SEQUENCE)?),
            32 => {
                let policies = all(&mut value)?;
                let names = policies.iter().map(|policy| policy.elements()?.identifier());
                self.policies = Some(names.collect::<Result<_, _>>()?);
            }
            33 => {
                for mapping in all(&mut value)? {
                    let mut pair = mapping.elements()?;
                    self.mappings.push((pair.identifier()?, pair.identifier()?));
                }
            }
            36 => {
                let mut fields = value.enter(tag::SEQUENCE)?;
                let mut count =
                    |number| fields.optional(tag::context_bytes(number))?.map(|field| small(&field)).transpose();
                self.policy_needed = count(0)?;
                self.mapping_ends = count(1)?;
            }
            37 => {
                let purposes = all(&mut value)?;
                self.purposes = Some(purposes.iter().map(|purpose| purpose.content).collect());
            }
            54 => self.any_policy_ends = Some(value.expect(tag::INTEGER)?.small()?),
            number => return Ok(INDIFFERENT.contains(&number)),
        }
        Ok(true)
    }
}

/// The elements of the next sequence.
fn all<'a>(value: &mut Elements<'a>) -> Result<Vec<Element<'a>>, DerError> {
    let mut elements = value.enter(tag::SEQUENCE)?;
    let mut all = Vec::new();
    while let Some(element) = elements.next()? {
        all.push(element);
    }
    Ok(all)
}

/// A number with a context-specific tag.
fn small(field: &Element) -> Result<u32, DerError> {
    match field.content {
        [first, ..] if *first >= 0x80 => Err(DerError::Unexpected),
        bytes if bytes.is_empty() || bytes.len() > 4 => Err(DerError::Unexpected),
        bytes => Ok(bytes.iter().fold(0, |value, byte| value << 8 | u32::from(*byte))),
    }
}
