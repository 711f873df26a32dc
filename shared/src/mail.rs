//! How a process sends mail, if it does: settings only. Who sends it is the `web` function.

use std::path::PathBuf;

use crate::opaque::opaque_debug;

/// Where a process's mail goes.
#[derive(Clone, Debug, Default)]
pub struct Mail {
    /// The way out.
    pub way: Way,
    /// The console's origin, such as `https://pdf.example.com`, that links in mails and links to reports lead to; `None` where the gateway vouches
    /// for the `Host` header that a request names.
    pub origin: Option<String>,
}

/// The way out.
#[derive(Clone, Debug, Default)]
pub enum Way {
    /// There is none: what needs a mail is not offered.
    #[default]
    None,
    /// To a mail server, by SMTP (RFC 5321).
    Server {
        /// The server, and who logs in there.
        url: MailUrl,
        /// What the mails say they are from (RFC 5322, section 3.4): `PDF Analysis <pdf@example.com>`.
        from: String,
    },
    /// Each into a file of this folder, its link to the terminal: for trying it out.
    Folder(PathBuf),
}

/// A mail server's address, `smtps://user:password@smtp.example.com`. Never shown by `Debug`: it holds a password.
#[derive(Clone, PartialEq, Eq)]
pub struct MailUrl(String);

opaque_debug!(MailUrl);

impl MailUrl {
    /// The address with its password, to connect with.
    #[must_use]
    pub fn reveal(&self) -> &str {
        &self.0
    }
}

impl From<String> for MailUrl {
    /// An address as it is written.
    fn from(url: String) -> Self {
        Self(url)
    }
}

impl Mail {
    /// Reads `MAIL_URL`, `MAIL_FROM` and `CONSOLE_ORIGIN` through `get`; empty ones count as none, and an origin of `*`
    /// is no one origin.
    #[must_use]
    pub fn read(get: impl Fn(&str) -> Option<String>) -> Self {
        let value = |name| get(name).filter(|text| !text.is_empty());
        let way = match value("MAIL_URL") {
            Some(url) => Way::Server { url: MailUrl(url), from: value("MAIL_FROM").unwrap_or_default() },
            None => Way::None,
        };
        Self { way, origin: value("CONSOLE_ORIGIN").filter(|origin| origin != "*") }
    }
}

#[cfg(test)]
mod tests {
    use super::{Mail, MailUrl, Way};

    #[test]
    fn debug_shows_no_password() {
        let way = Way::Server {
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
        assert!(matches!(mail("", "*"), Mail { way: Way::None, origin: None }));
        assert!(matches!(
            mail("smtp://localhost", "https://a.example"),
            Mail { way: Way::Server { .. }, origin: Some(_) }
        ));
        assert!(matches!(Mail::read(|_| None).way, Way::None));
    }
}
