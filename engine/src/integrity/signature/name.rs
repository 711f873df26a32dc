//! Names of subjects and issuers (RFC 5280, 4.1.2.4), compared as 7.1 has it: case, spaces and types of strings do not count.

use super::der::{DerError, Element, tag};
use super::text;

/// An e-mail address in a name (RFC 2985, 5.2.1).
const EMAIL: &[u8] = &[0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 1, 9, 1];

/// A name, ready to be compared: its parts, each of them attributes by their kinds.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct DistinguishedName(Vec<Vec<(Vec<u8>, String)>>);

impl DistinguishedName {
    /// Reads an `RDNSequence`.
    pub(crate) fn read(element: &Element) -> Result<Self, DerError> {
        let mut parts = Vec::new();
        let mut sets = element.elements()?;
        while let Some(set) = sets.next()? {
            let mut part = Vec::new();
            let mut attributes = set.elements()?;
            while let Some(attribute) = attributes.next()? {
                let mut fields = attribute.elements()?;
                let kind = fields.identifier()?.to_vec();
                let value = fields.next()?.ok_or(DerError::Unexpected)?;
                part.push((kind, comparable(&value)));
            }
            part.sort_unstable();
            parts.push(part);
        }
        Ok(Self(parts))
    }

    /// Whether two are the same, as they stand or by what counts of them.
    pub(crate) fn are_equal(one: &Element, other: &Element) -> bool {
        let read = |element| Self::read(element).ok();
        one.content == other.content || read(one).is_some_and(|one| read(other).is_some_and(|other| one == other))
    }

    /// Whether it is `base` or below it (RFC 5280, 4.2.1.10).
    pub(crate) fn is_within(&self, base: &Self) -> bool {
        self.0.starts_with(&base.0)
    }

    /// Whether it names nobody.
    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The e-mail addresses in it.
    pub(crate) fn emails(&self) -> impl Iterator<Item = &str> {
        self.0.iter().flatten().filter(|(kind, _)| kind == EMAIL).map(|(_, value)| value.as_str())
    }
}

/// What of a value counts: a text in small letters, its words one space apart; the bytes of anything else.
fn comparable(value: &Element) -> String {
    match value.tag {
        tag::UTF8_STRING | tag::BMP_STRING | tag::UNIVERSAL_STRING | 0x12..=0x16 | 0x1a => {
            let text = text::decode(value, usize::MAX).unwrap_or_default().to_lowercase();
            text.split_whitespace().collect::<Vec<&str>>().join(" ")
        }
        tag => format!("\0{tag}{:?}", value.content),
    }
}
