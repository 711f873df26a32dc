//! Mail: by a mail server, to a folder for trials, or none.

mod email_template;
mod folder;
mod smtp;

use std::sync::Arc;

use chrono::{DateTime, Utc};
use lettre::message::header::{HeaderName, HeaderValue};
use lettre::message::{Mailbox, MultiPart};
use lettre::{Address, Message};
use shared::error::Error;
use shared::http::Call;
use shared::mail::{Mail, MailTransport};
use uuid::Uuid;

pub(crate) use self::email_template::EmailTemplate;
use self::email_template::RenderedEmail;
use self::folder::MailFolder;
use self::smtp::Smtp;

/// Sends mail, if configured.
#[derive(Clone, Debug)]
pub struct Mailer {
    way: Sending,
    /// The console's origin; `None` for the request's.
    origin: Option<String>,
}

#[derive(Clone, Debug)]
enum Sending {
    None,
    Server(Arc<Smtp>),
    Folder(Arc<MailFolder>),
}

/// Invalid mail settings.
#[derive(Debug, thiserror::Error)]
pub enum MailError {
    /// Not shown: it may contain a password.
    #[error(
        "the mail server's address has to be smtp://HOST or smtps://HOST, with USER:PASSWORD@ before the host and :PORT behind it if need be"
    )]
    Url,
    /// The sender of mails.
    #[error("mails cannot be from {0:?}: an address is wanted, such as 'PDF Analysis <pdf@example.com>'")]
    From(String),
}

impl Mailer {
    /// Mail with these settings.
    ///
    /// # Errors
    /// They are malformed.
    pub fn new(mail: &Mail) -> Result<Self, MailError> {
        let way = match &mail.way {
            MailTransport::None => Sending::None,
            MailTransport::Server { url, from } => Sending::Server(Arc::new(Smtp::new(url, from)?)),
            MailTransport::Folder(folder) => Sending::Folder(Arc::new(MailFolder::new(folder)?)),
        };
        Ok(Self { way, origin: mail.origin.clone() })
    }

    /// Without mail.
    pub(crate) fn none() -> Self {
        Self { way: Sending::None, origin: None }
    }

    /// Whether sending mail is configured.
    pub(crate) fn is_there(&self) -> bool {
        !matches!(self.way, Sending::None)
    }

    /// Whether mail reaches only its recipients: then only a mail reveals whether an address has an account.
    pub(crate) fn is_private(&self) -> bool {
        matches!(self.way, Sending::Server(_))
    }

    /// The origin of links.
    pub(crate) fn origin(&self, call: &Call) -> String {
        self.origin.clone().or_else(|| call.origin()).unwrap_or_default()
    }

    /// Sends a mail. A permanent refusal by the mail server is not retried and is no failure.
    ///
    /// # Errors
    /// [`Error::NoMail`]; [`Error::Unavailable`] if a retry may succeed.
    pub(crate) async fn send(
        &self,
        to: &str,
        email: &EmailTemplate<'_>,
        origin: &str,
        now: DateTime<Utc>,
    ) -> Result<(), Error> {
        let Ok(address) = to.parse::<Address>() else {
            tracing::warn!("an account's address is none that mail can be sent to");
            return Ok(());
        };
        let email = email.at(origin);
        match &self.way {
            Sending::None => Err(Error::NoMail),
            Sending::Server(server) => server.send(&message(&server.from, address, &email, now)?).await,
            Sending::Folder(folder) => {
                folder.keep(&message(&folder.from, address, &email, now)?, to, &email, now).await
            }
        }
    }
}

/// Whether mail can be sent to this address.
pub(crate) fn reaches(address: &str) -> bool {
    address.parse::<Address>().is_ok()
}

fn message(from: &Mailbox, to: Address, email: &RenderedEmail<'_>, now: DateTime<Utc>) -> Result<Message, Error> {
    let automatic = HeaderName::new_from_ascii_str("Auto-Submitted");
    Message::builder()
        .from(from.clone())
        .to(Mailbox::new(None, to))
        .subject(email.subject)
        .date(now.into())
        .message_id(Some(format!("<{}@{}>", Uuid::new_v4(), from.email.domain())))
        // RFC 3834, section 5: no automatic replies
        .raw_header(HeaderValue::new(automatic, "auto-generated".to_owned()))
        .multipart(MultiPart::alternative_plain_html(email.text(), email.html()))
        .map_err(Error::internal)
}

#[cfg(test)]
mod tests {
    use chrono::Utc;
    use shared::mail::{Mail, MailTransport, MailUrl};

    use super::{EmailTemplate, Mailer, message, reaches};

    fn server(url: &str, from: &str) -> Result<Mailer, super::MailError> {
        let way = MailTransport::Server { url: MailUrl::from(url.to_owned()), from: from.to_owned() };
        Mailer::new(&Mail { way, origin: None })
    }

    #[test]
    fn settings_are_read_or_refused_without_the_password() {
        let from = "PDF Analysis <pdf@example.com>";
        for url in [
            "smtp://localhost",
            "smtp://127.0.0.1:2525",
            "smtps://ada:sesame@smtp.example.com",
            "smtp://ada%40b:ses%3Aame@smtp.example.com:587",
            "smtp://[::1]:25",
        ] {
            let mailer = server(url, from).unwrap();
            assert!(!format!("{mailer:?}").contains("sesame"));
        }
        for url in ["", "localhost", "http://localhost", "smtp://", "smtp://ada:sesame@", "smtps://a:%FF@b.example"] {
            let refused = server(url, from).unwrap_err();
            assert!(!format!("{refused} {refused:?}").contains("sesame"), "{url}");
        }
        for from in ["", "nobody", "a@b.example\r\nBcc: eve@example.com", "a@b.example, c@d.example"] {
            assert!(server("smtp://localhost", from).is_err(), "{from}");
        }
        assert!(server("smtp://localhost", "pdf@example.com").is_ok());
    }

    #[test]
    fn no_address_adds_a_header() {
        for address in [
            "eve@example.com\r\nBcc: all@example.com",
            "eve@example.com\nSubject: x",
            "eve@example.com\0",
            "eve@example.com, ada@example.com",
            "<eve@example.com>",
            "eve @example.com",
            "Ada <eve@example.com>",
        ] {
            assert!(!reaches(address), "{address:?}");
        }
    }

    #[test]
    fn what_others_wrote_stays_in_the_body() {
        let new = "eve+\"\r\nBcc:x\"@example.com";
        let email = EmailTemplate::AddressAsked { new }.at("http://localhost");
        let to = "ada@example.com".parse().unwrap();
        let mail = message(&"a@b.example".parse().unwrap(), to, &email, Utc::now()).unwrap();
        let text = String::from_utf8(mail.formatted()).unwrap();
        let (head, _) = text.split_once("\r\n\r\n").unwrap();
        let names: Vec<_> = head.lines().filter_map(|line| line.split_once(": ")).map(|(name, _)| name).collect();
        let expected =
            ["From", "To", "Subject", "Date", "Message-ID", "Auto-Submitted", "MIME-Version", "Content-Type"];
        assert_eq!(names, expected, "{head}");
    }
}
