//! The secret in the link to a shared analysis.

use super::{Secret, SecretHash};
use crate::base62;

/// Digits of base 62 that 256 bits take: ⌈256 / log2 62⌉.
const DIGITS: usize = 43;

/// The last path segment of the link to a shared analysis: 256 random bits.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ShareSecret(Secret<32>);

impl ShareSecret {
    /// A new secret from the operating system's random source.
    ///
    /// # Errors
    /// The random source failed.
    pub fn random() -> Result<Self, getrandom::Error> {
        Secret::random().map(Self)
    }

    /// Parses the last path segment of a link; `None` unless length and digits are right.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        (text.len() == DIGITS).then(|| base62::decode(text))?.map(|bytes| Self(Secret(bytes)))
    }

    /// The last path segment. The one place where the secret leaves this type.
    #[must_use]
    pub fn reveal(&self) -> String {
        base62::encode(&self.0.0, DIGITS)
    }

    /// Its SHA-256.
    #[must_use]
    pub fn hash(&self) -> SecretHash {
        self.0.hash()
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::ShareSecret;

    #[test]
    fn what_is_written_is_read_and_not_shown() {
        let secret = ShareSecret::random().unwrap();
        let text = secret.reveal();
        assert_eq!((text.len(), ShareSecret::parse(&text)), (43, Some(secret.clone())));
        assert!(ShareSecret::parse(&text[1..]).is_none() && ShareSecret::parse(&format!("{text}0")).is_none());
        assert!(!format!("{secret:?} {:?}", secret.hash()).contains(&text[5..]));
        assert_ne!(secret, ShareSecret::random().unwrap());
    }

    proptest! {
        #[test]
        fn any_text_is_read_without_panic(text in "[0-9A-Za-z\\PC]{0,50}") {
            let _ = ShareSecret::parse(&text);
        }
    }
}
