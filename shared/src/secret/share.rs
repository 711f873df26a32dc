//! The secret in the link to a shared analysis.

use std::fmt;

use sha2::{Digest, Sha256};

use super::SecretHash;
use crate::base62;

/// 256 bits.
const SECRET: usize = 32;
/// Digits of base 62 that 256 bits take: ⌈256 / log2 62⌉.
const DIGITS: usize = 43;

/// What the link to a shared analysis ends in. Never shown by `Debug`, never stored.
#[derive(Clone, PartialEq, Eq)]
pub struct ShareSecret([u8; SECRET]);

impl ShareSecret {
    /// A new secret from the operating system's random source.
    ///
    /// # Errors
    /// The random source failed.
    pub fn random() -> Result<Self, getrandom::Error> {
        let mut bytes = [0; SECRET];
        getrandom::fill(&mut bytes)?;
        Ok(Self(bytes))
    }

    /// Reads what a link ends in; `None` unless length and digits are right.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        (text.len() == DIGITS).then(|| base62::decode(text))?.map(Self)
    }

    /// What the link ends in. The one place where the secret leaves this type.
    #[must_use]
    pub fn reveal(&self) -> String {
        base62::encode(&self.0, DIGITS)
    }

    /// Its SHA-256.
    #[must_use]
    pub fn hash(&self) -> SecretHash {
        SecretHash(Sha256::digest(self.0).into())
    }
}

impl fmt::Debug for ShareSecret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("ShareSecret")
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
