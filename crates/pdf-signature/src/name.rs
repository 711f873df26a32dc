//! Names of subjects and issuers (RFC 5280, 4.1.2.4), compared as in 7.1: ignoring case, spaces and string types.

use unicode_normalization::UnicodeNormalization;

use crate::der::{DerError, Element, tag};
use crate::text;
use pdf_syntax::text::is_unseen;

/// An e-mail address in a name (RFC 2985, 5.2.1).
const EMAIL: &[u8] = &[0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 1, 9, 1];

/// A name in comparable form: sets of attributes by type.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct DistinguishedName(Vec<Vec<(Vec<u8>, String)>>);

impl DistinguishedName {
    /// Reads an `RDNSequence`.
    pub(crate) fn read(element: &Element) -> Result<Self, DerError> {
        let mut parts = Vec::new();
        let mut sets = element.elements()?;
        while let Some(set) = sets.next()? {
            parts.push(attributes(&set)?);
        }
        Ok(Self(parts))
    }

    /// The name with this relative name appended: a set of attributes with any tag (RFC 5280, 4.2.1.13).
    pub(crate) fn below(mut self, part: &Element) -> Result<Self, DerError> {
        self.0.push(attributes(part)?);
        Ok(self)
    }

    /// Whether two names are equal, as encoded or in comparable form.
    pub(crate) fn are_equal(one: &Element, other: &Element) -> bool {
        let read = |element| Self::read(element).ok();
        one.content == other.content || read(one).is_some_and(|one| read(other).is_some_and(|other| one == other))
    }

    /// Whether it is `base` or below it (RFC 5280, 4.2.1.10).
    pub(crate) fn is_within(&self, base: &Self) -> bool {
        self.0.starts_with(&base.0)
    }

    /// Whether it is empty.
    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The e-mail addresses in it.
    pub(crate) fn emails(&self) -> impl Iterator<Item = &str> {
        self.0.iter().flatten().filter(|(kind, _)| kind == EMAIL).map(|(_, value)| value.as_str())
    }
}

/// The attributes of a relative name, sorted.
fn attributes(set: &Element) -> Result<Vec<(Vec<u8>, String)>, DerError> {
    let mut part = Vec::new();
    let mut attributes = set.elements()?;
    while let Some(attribute) = attributes.next()? {
        let mut fields = attribute.elements()?;
        let kind = fields.identifier()?.to_vec();
        let value = fields.next()?.ok_or(DerError::Unexpected)?;
        part.push((kind, comparable(&value)));
    }
    part.sort_unstable();
    Ok(part)
}

/// A value in comparable form: a text as prepared by RFC 4518, 2, or the bytes of another type.
fn comparable(value: &Element) -> String {
    match value.tag {
        tag::UTF8_STRING | tag::BMP_STRING | tag::UNIVERSAL_STRING | 0x12..=0x16 | 0x1a => {
            let text = text::decode(value, usize::MAX).unwrap_or_default();
            if text.is_ascii() { words(&text.to_ascii_lowercase()) } else { prepared(&text) }
        }
        tag => format!("\0{tag}{:?}", value.content),
    }
}

/// Normalized, without invisible characters, case-folded (`ß` becomes two letters) and with single spaces (RFC 4518,
/// 2.2 to 2.4).
fn prepared(text: &str) -> String {
    let seen = text.chars().filter(|letter| !is_unseen(*letter) && !is_ignored(*letter));
    let folded: String = seen.nfkc().flat_map(char::to_lowercase).collect();
    // case folding may denormalize, and some letters have no lower-case form
    let folded: String = folded
        .nfkc()
        .flat_map(|letter| match letter {
            'ß' => "ss".chars().collect::<Vec<char>>(),
            'ς' => vec!['σ'],
            letter => vec![letter],
        })
        .collect();
    words(&folded)
}

/// Characters that map to nothing (RFC 4518, 2.2): soft hyphen, Mongolian joiners, variation selectors.
fn is_ignored(letter: char) -> bool {
    matches!(letter, '\u{ad}' | '\u{34f}' | '\u{1806}' | '\u{180b}'..='\u{180e}' | '\u{fe00}'..='\u{fe0f}' | '\u{fffc}')
}

fn words(text: &str) -> String {
    text.split_whitespace().collect::<Vec<&str>>().join(" ")
}
