//! Validation of registrations, in the console and by the operator's command.

use shared::error::FieldErrors;
use shared::filename::is_visible;

use crate::passwords::Passwords;

/// Most characters of a name.
const MAX_NAME_CHARACTERS: usize = 100;
/// Most bytes of an e-mail address (RFC 5321, section 4.5.3.1.3, less the brackets).
const MAX_EMAIL_BYTES: usize = 254;

/// The data of a new account.
#[derive(Clone, Copy)]
pub struct Registration<'a> {
    /// The owner's name, trimmed.
    pub name: &'a str,
    /// The e-mail address, trimmed.
    pub email: &'a str,
    /// The password; `None` for an account without log-in.
    pub password: Option<&'a str>,
}

impl Registration<'_> {
    /// The errors by field; none if it is valid.
    #[must_use]
    pub fn errors(&self) -> FieldErrors {
        let mut errors = FieldErrors::default();
        if self.name.is_empty() {
            errors.add("name", "is required");
        } else if self.name.chars().count() > MAX_NAME_CHARACTERS {
            errors.add("name", "must have at most 100 characters");
        } else if !self.name.chars().all(is_visible) {
            errors.add("name", "must not have control or invisible characters");
        }
        if !is_email(self.email) {
            errors.add("email", "must be an address such as ada@example.com");
        }
        if let Some(password) = self.password {
            Passwords::check(password, &mut errors);
        }
        errors
    }
}

/// Only a mail can show whether an address works: only malformed ones are refused.
pub(crate) fn is_email(text: &str) -> bool {
    let Some((local, domain)) = text.rsplit_once('@') else { return false };
    let labels = || domain.split('.');
    !local.is_empty()
        && text.len() <= MAX_EMAIL_BYTES
        && text.chars().all(|c| is_visible(c) && !c.is_whitespace() && !"<>()[],;:\"\\".contains(c))
        && !local.contains('@')
        && labels().count() > 1
        && labels().all(|label| !label.is_empty())
}

#[cfg(test)]
mod tests {
    use super::is_email;

    #[test]
    fn only_what_cannot_be_an_address_is_refused() {
        for good in ["ada@example.com", "a+b.c_d@sub.example.co", "käthe@exämple.de", "o'neil@example.com"] {
            assert!(is_email(good), "{good}");
        }
        let long = format!("{}@example.com", "a".repeat(250));
        for bad in [
            "",
            "ada",
            "@example.com",
            "ada@",
            "ada@example",
            "ada@example.",
            "a b@example.com",
            "a@b@c.de",
            "<a>@example.com",
            "a\u{202e}@example.com",
            &long,
        ] {
            assert!(!is_email(bad), "{bad}");
        }
    }
}
