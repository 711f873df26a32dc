//! A browser session: its cookie, and the CSRF token of its forms.

use subtle::ConstantTimeEq;

use super::{Secret, packed, unpacked};
use crate::base62;
use crate::ids::{SessionId, UserId};
use crate::redact_debug::redact_debug;

/// Digits of base 62 that 160 bits take.
const CSRF_DIGITS: usize = 27;

/// A session's cookie value: account, id and secret.
#[derive(Clone, Debug)]
pub struct SessionToken {
    /// The account.
    pub user: UserId,
    /// The session within the account.
    pub id: SessionId,
    secret: Secret,
}

/// The token that the forms of one session carry: 160 random bits as text.
#[derive(Clone)]
pub struct Csrf(String);

redact_debug!(Csrf);

impl SessionToken {
    /// A new session with a random secret.
    ///
    /// # Errors
    /// The random source failed.
    pub fn new(user: UserId) -> Result<Self, getrandom::Error> {
        Ok(Self { user, id: SessionId::random(), secret: Secret::random()? })
    }

    /// Reads a cookie's value; `None` unless length and digits are right.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        let (user, id, secret) = unpacked(text)?;
        Some(Self { user, id: SessionId::from_bytes(id)?, secret })
    }

    /// The cookie's value. The one place where the secret leaves this type.
    #[must_use]
    pub fn reveal(&self) -> String {
        packed(self.user, self.id.as_bytes(), &self.secret)
    }

    /// The secret, to be hashed or compared.
    #[must_use]
    pub fn secret(&self) -> &Secret {
        &self.secret
    }
}

impl Csrf {
    /// A new token.
    ///
    /// # Errors
    /// The random source failed.
    pub fn random() -> Result<Self, getrandom::Error> {
        Ok(Self(base62::encode(&<Secret>::random()?.0, CSRF_DIGITS)))
    }

    /// A token as stored.
    #[must_use]
    pub fn stored(text: &str) -> Self {
        Self(text.to_owned())
    }

    /// The text, for the session's own forms and its row.
    #[must_use]
    pub fn reveal(&self) -> &str {
        &self.0
    }

    /// Whether `sent` is this token, compared in constant time.
    #[must_use]
    pub fn is(&self, sent: &str) -> bool {
        self.0.as_bytes().ct_eq(sent.as_bytes()).into()
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::{Csrf, SessionToken};
    use crate::ids::UserId;

    #[test]
    fn what_is_written_is_read() {
        let token = SessionToken::new(UserId::random()).unwrap();
        let text = token.reveal();
        let read = SessionToken::parse(&text).unwrap();
        assert_eq!((read.user, read.id), (token.user, token.id));
        assert!(token.secret().hash().is_of(read.secret()));
        assert!(SessionToken::parse(&text[1..]).is_none() && SessionToken::parse(&format!("{text}0")).is_none());
    }

    #[test]
    fn debug_shows_no_secret() {
        let (token, csrf) = (SessionToken::new(UserId::random()).unwrap(), Csrf::random().unwrap());
        let shown = format!("{token:?} {csrf:?}");
        assert!(!shown.contains(csrf.reveal()) && !shown.contains(&token.reveal()[45..]));
        assert!(csrf.is(csrf.reveal()) && !csrf.is("") && !csrf.is(Csrf::random().unwrap().reveal()));
    }

    proptest! {
        #[test]
        fn any_text_is_read_without_panic(text in "[0-9A-Za-z\\PC]{0,90}") {
            let _ = SessionToken::parse(&text);
        }
    }
}
