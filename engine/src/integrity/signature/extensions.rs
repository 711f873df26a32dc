//! Extensions of certificates (RFC 5280, 4.2) that say what a certificate is good for.

use std::collections::BTreeSet;

use super::certificate::Certificate;
use super::der::{DerError, Element, Elements, tag};

/// `id-ce` (RFC 5280, 4.2.1), by the last of its numbers.
const STANDARD: [u8; 2] = [0x55, 0x1d];
/// `id-pe-authorityInfoAccess` (RFC 5280, 4.2.2.1).
const INFORMATION_ACCESS: &[u8] = &[0x2b, 6, 1, 5, 5, 7, 1, 1];
/// `id-pe-qcStatements` (RFC 3739, 3.2.6): what law says of it.
const QUALIFIED: &[u8] = &[0x2b, 6, 1, 5, 5, 7, 1, 3];
/// Extensions that say where to look and which key it is: nothing that a path depends on. Subject and authority key
/// identifier, alternative name of the issuer, places of lists of revoked certificates.
const INDIFFERENT: [u8; 5] = [14, 18, 31, 35, 46];

/// What a key may be used for (4.2.1.3), the bits of the field from its first one on.
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

/// What a certificate says about its use.
#[derive(Debug, Clone, Default)]
pub(crate) struct Extensions<'a> {
    /// Whether it may issue others (4.2.1.9).
    pub(crate) is_authority: bool,
    /// How many authorities may stand between it and the last certificate.
    pub(crate) path_length: Option<u32>,
    pub(crate) key_usage: Option<KeyUsage>,
    /// What it is for (4.2.1.12); none if it does not say.
    pub(crate) purposes: Option<Vec<&'a [u8]>>,
    /// Names that it may issue certificates for (4.2.1.10).
    pub(crate) constraints: Option<Elements<'a>>,
    /// Further names of its subject (4.2.1.6).
    pub(crate) names: Vec<Element<'a>>,
    /// Policies that it was issued under (4.2.1.4); none if it does not say.
    pub(crate) policies: Option<Vec<&'a [u8]>>,
    /// Policies of the issuer and what they are called below it (4.2.1.5).
    pub(crate) mappings: Vec<(&'a [u8], &'a [u8])>,
    /// After how many certificates a policy has to be named, and mapped no more (4.2.1.11).
    pub(crate) policy_needed: Option<u32>,
    pub(crate) mapping_ends: Option<u32>,
    /// After how many certificates `anyPolicy` stands for nothing (4.2.1.14).
    pub(crate) any_policy_ends: Option<u32>,
    /// Whether it has one that must be understood and is not.
    pub(crate) is_beyond: bool,
}

impl<'a> Extensions<'a> {
    /// Reads those of a certificate.
    ///
    /// # Errors
    /// Also for one that is there twice (4.2).
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
            read.is_beyond |= is_critical && !is_known;
        }
        Ok(read)
    }

    /// Takes one of the standard's; whether it is understood.
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

/// What the sequence that comes next is made of.
fn all<'a>(value: &mut Elements<'a>) -> Result<Vec<Element<'a>>, DerError> {
    let mut elements = value.enter(tag::SEQUENCE)?;
    let mut all = Vec::new();
    while let Some(element) = elements.next()? {
        all.push(element);
    }
    Ok(all)
}

/// A number under a tag of its context.
fn small(field: &Element) -> Result<u32, DerError> {
    match field.content {
        [first, ..] if *first >= 0x80 => Err(DerError::Unexpected),
        bytes if bytes.is_empty() || bytes.len() > 4 => Err(DerError::Unexpected),
        bytes => Ok(bytes.iter().fold(0, |value, byte| value << 8 | u32::from(*byte))),
    }
}
