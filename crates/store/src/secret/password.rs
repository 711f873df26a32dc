//! A password's hash as text, kept out of logs.

use crate::redact_debug::redact_debug;

/// A password's hash in PHC form (`$argon2id$…`). Never shown by `Debug`.
#[derive(Clone, PartialEq, Eq)]
pub struct PasswordHash(String);

redact_debug!(PasswordHash);

impl PasswordHash {
    /// A hash in PHC form.
    #[must_use]
    pub fn new(phc: impl Into<String>) -> Self {
        Self(phc.into())
    }

    /// The text, to be stored or compared with.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}
