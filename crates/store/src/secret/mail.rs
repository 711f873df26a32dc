//! The token of a mail's link: the account, and the secret that proves that the mail was read.

use super::{Secret, SecretHash};
use crate::base62;
use crate::ids::UserId;

const USER_BYTES: usize = 16;
/// 256 bits.
const SECRET_BYTES: usize = 32;
const BODY_BYTES: usize = USER_BYTES + SECRET_BYTES;
/// Digits of base 62 that 48 bytes take: ⌈384 / log2 62⌉.
const DIGITS: usize = 65;

/// A mail's secret: the account and 256 random bits. Purpose and expiry are in the table.
#[derive(Clone, Debug)]
pub struct MailSecret {
    /// The account.
    pub user: UserId,
    secret: Secret<SECRET_BYTES>,
}

impl MailSecret {
    /// A new secret for `user`.
    ///
    /// # Errors
    /// The random source failed.
    pub fn new(user: UserId) -> Result<Self, getrandom::Error> {
        Ok(Self { user, secret: Secret::random()? })
    }

    /// Reads the text of a link; `None` unless length and digits are right.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        let bytes: [u8; BODY_BYTES] = (text.len() == DIGITS).then(|| base62::decode(text))??;
        let (user, secret) = bytes.split_first_chunk::<USER_BYTES>()?;
        Some(Self { user: UserId::from_bytes(*user)?, secret: Secret(secret.try_into().ok()?) })
    }

    /// The text for the link. The one place where the secret leaves this type.
    #[must_use]
    pub fn reveal(&self) -> String {
        base62::encode(&[self.user.as_bytes().as_slice(), &self.secret.0].concat(), DIGITS)
    }

    /// SHA-256 of the secret, as stored.
    #[must_use]
    pub fn hash(&self) -> SecretHash {
        self.secret.hash()
    }

    /// Whether this secret has the hash, compared in constant time.
    #[must_use]
    pub fn has(&self, hash: &SecretHash) -> bool {
        hash.is_of(&self.secret)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::{MailSecret, Secret};
    use crate::ids::UserId;

    #[test]
    fn what_is_written_is_read() {
        let secret = MailSecret::new(UserId::random()).unwrap();
        let text = secret.reveal();
        assert_eq!(text.len(), 65);
        let read = MailSecret::parse(&text).unwrap();
        assert!(read.user == secret.user && read.has(&secret.hash()));
        let other = MailSecret::new(secret.user).unwrap();
        assert!(!other.has(&secret.hash()));
        assert!(MailSecret::parse(&text[1..]).is_none() && MailSecret::parse(&format!("{text}0")).is_none());
    }

    #[test]
    fn debug_shows_no_secret() {
        let secret = MailSecret::new(UserId::random()).unwrap();
        assert!(!format!("{secret:?}").contains(&secret.reveal()[30..]));
    }

    proptest! {
        #[test]
        fn any_text_is_read_without_panic(text in "[0-9A-Za-z\\PC]{0,80}") {
            let _ = MailSecret::parse(&text);
        }

        #[test]
        fn every_secret_comes_back(bytes in any::<[u8; 32]>()) {
            let secret = MailSecret { user: UserId::random(), secret: Secret(bytes) };
            prop_assert!(MailSecret::parse(&secret.reveal()).is_some_and(|read| read.has(&secret.hash())));
        }
    }
}
