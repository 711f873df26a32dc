//! The caller's reference of the case that an analysis belongs to: a claim's number, a customer, a ticket.

use std::borrow::Cow;

use serde::Serialize;
use sha2::{Digest, Sha256};
use unicode_normalization::UnicodeNormalization;
use utoipa::openapi::RefOr;
use utoipa::openapi::schema::{ObjectBuilder, Schema, Type};
use utoipa::{PartialSchema, ToSchema};

use crate::error::FieldErrors;
use crate::filename::is_visible;
use crate::sha256::{shown_hash, stored_hash};

/// Most characters.
pub const MAX_CHARACTERS: usize = 64;

/// One line of at most 64 characters; blanks around them are trimmed, and a blank text is none. Control and format
/// characters up to U+FFFF are listed: not every regex engine supports \p.
const PATTERN: &str = r"^\s*[^\u0000-\u001f\u007f-\u009f\u00ad\u0600-\u0605\u061c\u06dd\u070f\u0890\u0891\u08e2\u180e\u200b-\u200f\u202a-\u202e\u2060-\u2064\u2066-\u206f\ufeff\ufff9-\ufffb]{0,64}\s*$";

/// One to 64 characters without control or format characters, trimmed: bidi overrides would make a text read as another
/// one.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Reference(String);

/// The key of the analyses with a reference, ignoring case.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ReferenceKey([u8; 32]);

stored_hash!(ReferenceKey);
shown_hash!(ReferenceKey);

impl Reference {
    /// Reads an optional field: `None` if it is missing or blank. An invalid reference is added to `errors`.
    pub fn read(text: Option<&str>, errors: &mut FieldErrors) -> Option<Self> {
        let text = text.map(str::trim).filter(|text| !text.is_empty())?;
        let reference = Self::parse(text);
        if reference.is_none() {
            errors.add("reference", "must be at most 64 characters on one line, all of which can be seen");
        }
        reference
    }

    /// Parses a reference; it is composed (NFC), so that one copied from a file name of a Mac is the same as a typed one.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        let text = text.trim();
        let is_short = |text: &str| (1..=MAX_CHARACTERS).contains(&text.chars().count());
        // a few characters are longer when composed
        let composed = Some(text.nfc().collect()).filter(|text: &String| is_short(text));
        let fits = is_short(text) && text.chars().all(is_visible);
        fits.then(|| Self(composed.unwrap_or_else(|| text.to_owned())))
    }

    /// Reads a stored reference: earlier versions accepted format characters.
    pub(crate) fn stored(text: &str) -> Option<Self> {
        (1..=MAX_CHARACTERS).contains(&text.chars().count()).then(|| Self(text.to_owned()))
    }

    /// Its text.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// The key of its analyses.
    #[must_use]
    pub fn key(&self) -> ReferenceKey {
        ReferenceKey(Sha256::digest(self.0.to_lowercase()).into())
    }
}

impl PartialSchema for Reference {
    fn schema() -> RefOr<Schema> {
        ObjectBuilder::new().schema_type(Type::String).pattern(Some(PATTERN)).into()
    }
}

impl ToSchema for Reference {
    fn name() -> Cow<'static, str> {
        "Reference".into()
    }
}

#[cfg(test)]
mod tests {
    use super::Reference;
    use crate::error::FieldErrors;

    #[test]
    fn a_reference_is_a_short_line() {
        let mut errors = FieldErrors::default();
        for (text, read) in [("  CLM-2026/114 ", Some("CLM-2026/114")), ("", None), (" ", None), ("Ä", Some("Ä"))] {
            let reference = Reference::read(Some(text), &mut errors);
            assert_eq!(reference.as_ref().map(Reference::as_str), read, "{text:?}");
        }
        assert!(errors.or(()).is_ok());
        for wrong in ["a\nb", "a\u{0}", "A\u{202e}knaB", "CLM\u{200b}-7", &"x".repeat(65)] {
            let mut errors = FieldErrors::default();
            assert!(Reference::read(Some(wrong), &mut errors).is_none() && errors.or(()).is_err(), "{wrong:?}");
        }
        assert_eq!(Reference::parse("u\u{308}"), Reference::parse("\u{fc}"));
        assert!(Reference::parse(&"\u{958}".repeat(64)).is_some());
        let key = |text: &str| Reference::parse(text).unwrap().key();
        assert_eq!(key("clm-7"), key("CLM-7"));
        assert_ne!(key("clm-7"), key("clm-8"));
    }
}
