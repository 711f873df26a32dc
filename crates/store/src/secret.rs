//! API tokens as text, and their hashes, which the table stores.
//!
//! `pdfa_` + base62 of (user, token id, secret) + base62 CRC-32, so that a secret scanner finds a leaked token and a
//! typo is refused without a read of the table.

mod mail;
mod password;
mod session;
mod share;

pub use mail::MailSecret;
pub use password::PasswordHash;
pub use session::{Csrf, SessionToken};
pub use share::ShareSecret;

use std::fmt;

use sha2::{Digest, Sha256};
use subtle::ConstantTimeEq;

use crate::base62;
use crate::ids::{TokenId, UserId};
use crate::redact_debug::redact_debug;
use crate::sha256::stored_hash;

const PREFIX: &str = "pdfa_";
const ID_BYTES: usize = 16;
/// 160 bits.
const SECRET_BYTES: usize = 20;
const BODY_BYTES: usize = ID_BYTES + ID_BYTES + SECRET_BYTES;
/// Digits of base 62 that 52 bytes take: ⌈416 / log2 62⌉.
const BODY_DIGITS: usize = 70;
/// Digits of base 62 that 32 bits take.
const CHECKSUM_DIGITS: usize = 6;

/// Random bytes: 20 of a token or a session, 32 of a link. Never shown by `Debug`, never stored.
#[derive(Clone, PartialEq, Eq)]
pub struct Secret<const BYTES: usize = SECRET_BYTES>([u8; BYTES]);

/// SHA-256 of a secret, as stored. (A random 160-bit secret needs no slow hash.)
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct SecretHash([u8; 32]);

redact_debug!(SecretHash);

stored_hash!(SecretHash);

/// A complete API token: account, id and secret.
#[derive(Clone, Debug)]
pub struct ApiToken {
    /// The account.
    pub user: UserId,
    /// The token within the account.
    pub id: TokenId,
    secret: Secret,
}

impl<const BYTES: usize> Secret<BYTES> {
    /// A new secret from the operating system's random source.
    ///
    /// # Errors
    /// The random source failed.
    pub fn random() -> Result<Self, getrandom::Error> {
        let mut bytes = [0; BYTES];
        getrandom::fill(&mut bytes)?;
        Ok(Self(bytes))
    }

    /// Its SHA-256.
    #[must_use]
    pub fn hash(&self) -> SecretHash {
        SecretHash(Sha256::digest(self.0).into())
    }
}

impl SecretHash {
    /// Whether `secret` has this hash, compared in constant time.
    #[must_use]
    pub fn is_of<const BYTES: usize>(&self, secret: &Secret<BYTES>) -> bool {
        self.0.ct_eq(&secret.hash().0).into()
    }
}

impl ApiToken {
    /// A new token with a random secret.
    ///
    /// # Errors
    /// The random source failed.
    pub fn new(user: UserId, id: TokenId) -> Result<Self, getrandom::Error> {
        Ok(Self { user, id, secret: Secret::random()? })
    }

    /// Parses a token's text; `None` unless prefix, length, digits and checksum are right.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        let digits = text.strip_prefix(PREFIX)?;
        let (body, checksum) = digits.split_at_checked(BODY_DIGITS)?;
        if checksum != checksum_of(body) {
            return None;
        }
        let (user, id, secret) = unpacked(body)?;
        Some(Self { user, id: TokenId::from_bytes(id)?, secret })
    }

    /// The token as its owner writes it. The one place where the secret leaves this type.
    #[must_use]
    pub fn reveal(&self) -> String {
        let body = packed(self.user, self.id.as_bytes(), &self.secret);
        let checksum = checksum_of(&body);
        format!("{PREFIX}{body}{checksum}")
    }

    /// The secret, to be hashed or compared.
    #[must_use]
    pub fn secret(&self) -> &Secret {
        &self.secret
    }

    /// The last 4 characters, which identify the token in its owner's list.
    #[must_use]
    pub fn hint(&self) -> String {
        let text = self.reveal();
        text.chars().skip(text.len() - 4).collect()
    }
}

/// Account, id and secret as [`BODY_DIGITS`] digits of base 62, for tokens and cookies.
fn packed(user: UserId, id: &[u8; ID_BYTES], secret: &Secret) -> String {
    base62::encode(&[user.as_bytes(), id.as_slice(), &secret.0].concat(), BODY_DIGITS)
}

/// Parses the output of [`packed`].
fn unpacked(digits: &str) -> Option<(UserId, [u8; ID_BYTES], Secret)> {
    let bytes: [u8; BODY_BYTES] = (digits.len() == BODY_DIGITS).then(|| base62::decode(digits))??;
    let (user, rest) = bytes.split_first_chunk::<ID_BYTES>()?;
    let (id, secret) = rest.split_first_chunk::<ID_BYTES>()?;
    Some((UserId::from_bytes(*user)?, *id, Secret(secret.try_into().ok()?)))
}

fn checksum_of(body: &str) -> String {
    base62::encode(&crc32fast::hash(body.as_bytes()).to_be_bytes(), CHECKSUM_DIGITS)
}

impl<const BYTES: usize> fmt::Debug for Secret<BYTES> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Secret")
    }
}

#[cfg(test)]
mod tests {
    use chrono::Utc;
    use proptest::prelude::*;

    use super::ApiToken;
    use crate::ids::{TokenId, UserId};

    fn token() -> ApiToken {
        ApiToken::new(UserId::random(), TokenId::new(Utc::now())).unwrap()
    }

    #[test]
    fn what_is_written_is_read() {
        let token = token();
        let text = token.reveal();
        assert_eq!(text.len(), 81);
        let read = ApiToken::parse(&text).unwrap();
        assert_eq!((read.user, read.id), (token.user, token.id));
        assert!(token.secret().hash().is_of(read.secret()));
        assert!(text.ends_with(&token.hint()));
    }

    #[test]
    fn every_single_typo_is_refused() {
        let text = token().reveal();
        for (index, was) in text.char_indices() {
            let typo: String = text
                .char_indices()
                .map(|(at, c)| if at == index { if was == 'x' { 'y' } else { 'x' } } else { c })
                .collect();
            assert!(ApiToken::parse(&typo).is_none(), "position {index}");
        }
        for cut in 0..text.len() {
            assert!(ApiToken::parse(&text[..cut]).is_none());
        }
        assert!(ApiToken::parse(&format!("{text}0")).is_none());
    }

    #[test]
    fn debug_shows_no_secret() {
        let token = token();
        let shown = format!("{token:?} {:?} {:?}", token.secret(), token.secret().hash());
        assert!(!shown.contains(&token.reveal()[50..]));
        assert!(shown.contains("ApiToken"));
    }

    proptest! {
        #[test]
        fn any_text_is_read_without_panic(text in "(pdfa_)?[0-9A-Za-z\\PC]{0,90}") {
            prop_assert!(ApiToken::parse(&text).is_none());
        }
    }
}
