//! Settings of outgoing mail. The `web` function sends it.

use std::path::PathBuf;

use crate::redact_debug::redact_debug;

/// Mail settings of a process.
#[derive(Clone, Debug, Default)]
pub struct Mail {
    /// The transport.
    pub way: MailTransport,
    /// The console's origin, such as `https://pdf.example.com`, that links in mails and links to reports lead to; `None` where the gateway vouches
    /// for the `Host` header that a request names.
    pub origin: Option<String>,
}

/// The transport.
#[derive(Clone, Debug, Default)]
pub enum MailTransport {
    /// None: features that need mail are not offered.
    #[default]
    None,
    /// To a mail server, by SMTP (RFC 5321).
    Server {
        /// The server and its credentials.
        url: MailUrl,
        /// The sender of the mails (RFC 5322, section 3.4): `PDF Analysis <pdf@example.com>`.
        from: String,
    },
    /// Each mail is written to a file in this folder and its link to the terminal, for trials.
    Folder(PathBuf),
}

/// A mail server's address, `smtps://user:password@smtp.example.com`. Never shown by `Debug`: it contains a password.
#[derive(Clone, PartialEq, Eq)]
pub struct MailUrl(String);

redact_debug!(MailUrl);

impl MailUrl {
    /// The address with its password, to connect with.
    #[must_use]
    pub fn reveal(&self) -> &str {
        &self.0
    }
}

impl From<String> for MailUrl {
    /// Wraps an address.
    fn from(url: String) -> Self {
        Self(url)
    }
}

impl Mail {
    /// Reads `MAIL_URL`, `MAIL_FROM` and `CONSOLE_ORIGIN` through `get`; empty values and the origin `*` count as none.
    #[must_use]
    pub fn read(get: impl Fn(&str) -> Option<String>) -> Self {
        let value = |name| get(name).filter(|text| !text.is_empty());
        let way = match value("MAIL_URL") {
            Some(url) => MailTransport::Server { url: MailUrl(url), from: value("MAIL_FROM").unwrap_or_default() },
            None => MailTransport::None,
        };
        Self { way, origin: value("CONSOLE_ORIGIN").filter(|origin| origin != "*") }
    }
}

#[cfg(test)]
mod tests {
    use super::{Mail, MailTransport, MailUrl};

    #[test]
    fn debug_shows_no_password() {
        let way = MailTransport::Server {
            url: MailUrl::from("smtp://ada:sesame@localhost".to_owned()),
            from: "a@example.com".to_owned(),
        };
        assert!(!format!("{way:?}").contains("sesame"));
    }

    #[test]
    fn what_is_empty_is_not_there() {
        let mail = |url: &str, origin: &str| {
            let value = |name: &str| match name {
                "MAIL_URL" => Some(url.to_owned()),
                "CONSOLE_ORIGIN" => Some(origin.to_owned()),
                _ => None,
            };
            Mail::read(value)
        };
        assert!(matches!(mail("", "*"), Mail { way: MailTransport::None, origin: None }));
        assert!(matches!(
            mail("smtp://localhost", "https://a.example"),
            Mail { way: MailTransport::Server { .. }, origin: Some(_) }
        ));
        assert!(matches!(Mail::read(|_| None).way, MailTransport::None));
    }
}
