//! Mail by a mail server, encrypted unless the server is on this machine.

use std::fmt;
use std::net::IpAddr;
use std::sync::OnceLock;
use std::time::Duration;

use lettre::message::Mailbox;
use lettre::transport::smtp::authentication::Credentials;
use lettre::transport::smtp::client::{Tls, TlsParameters};
use lettre::transport::smtp::{self, AsyncSmtpTransport};
use lettre::{AsyncTransport, Message, Tokio1Executor};
use percent_encoding::percent_decode_str;
use shared::error::{Cause, Error};
use shared::mail::MailUrl;
use tokio::time::timeout;
use url::Url;

use super::MailError;

/// Time limits of a mail, in total and per step.
const MAIL_TIMEOUT: Duration = Duration::from_secs(6);
const STEP_TIMEOUT: Duration = Duration::from_secs(4);
/// The default ports (RFC 8314, section 7.3; RFC 6409; RFC 5321, section 4.5.4.2).
const SUBMISSIONS: u16 = 465;
const SUBMISSION: u16 = 587;
const SMTP: u16 = 25;

type Transport = AsyncSmtpTransport<Tokio1Executor>;

/// A mail server.
pub(super) struct Smtp {
    pub(super) from: Mailbox,
    host: String,
    port: u16,
    encryption: Encryption,
    credentials: Option<Credentials>,
    /// Built for the first mail: it reads the system's certificates.
    transport: OnceLock<Transport>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Encryption {
    /// From the first byte on: `smtps://`.
    FromTheStart,
    /// By STARTTLS (RFC 3207), without which nothing is sent: `smtp://`.
    Started,
    /// None: `smtp://` to this machine.
    None,
}

impl Smtp {
    pub(super) fn new(url: &MailUrl, from: &str) -> Result<Self, MailError> {
        let from = from.parse().map_err(|_| MailError::From(from.to_owned()))?;
        let url = Url::parse(url.reveal()).map_err(|_| MailError::Url)?;
        let host = url.host_str().filter(|host| !host.is_empty()).ok_or(MailError::Url)?;
        let host = host.trim_matches(['[', ']']).to_owned();
        let (encryption, port) = match url.scheme() {
            "smtps" => (Encryption::FromTheStart, SUBMISSIONS),
            "smtp" if is_here(&host) => (Encryption::None, SMTP),
            "smtp" => (Encryption::Started, SUBMISSION),
            _ => return Err(MailError::Url),
        };
        let text = |encoded| percent_decode_str(encoded).decode_utf8().map_err(|_| MailError::Url);
        let credentials = match url.password() {
            Some(password) => Some(Credentials::new(text(url.username())?.into_owned(), text(password)?.into_owned())),
            None => None,
        };
        let port = url.port().unwrap_or(port);
        Ok(Self { from, host, port, encryption, credentials, transport: OnceLock::new() })
    }

    /// Sends it; a permanent refusal is only logged.
    pub(super) async fn send(&self, mail: &Message) -> Result<(), Error> {
        match self.within(self.transport()?.send(mail.clone())).await? {
            Ok(_) => Ok(()),
            Err(error) if is_final(&error) => {
                tracing::warn!(status = error.status().map(|code| code.to_string()), "the mail server refused a mail");
                Ok(())
            }
            Err(error) => Err(failure(&error)),
        }
    }

    async fn within<T>(&self, work: impl Future<Output = T> + Send) -> Result<T, Error> {
        let done = timeout(MAIL_TIMEOUT, Box::pin(work)).await;
        done.map_err(|_| Error::Unavailable(Cause::text("the mail server did not answer in time")))
    }

    fn transport(&self) -> Result<&Transport, Error> {
        if let Some(transport) = self.transport.get() {
            return Ok(transport);
        }
        let tls = || TlsParameters::new(self.host.clone()).map_err(|error| failure(&error));
        let tls = match self.encryption {
            Encryption::FromTheStart => Tls::Wrapper(tls()?),
            Encryption::Started => Tls::Required(tls()?),
            Encryption::None => Tls::None,
        };
        let transport =
            Transport::builder_dangerous(self.host.as_str()).port(self.port).tls(tls).timeout(Some(STEP_TIMEOUT));
        let transport = match &self.credentials {
            Some(credentials) => transport.credentials(credentials.clone()),
            None => transport,
        };
        Ok(self.transport.get_or_init(|| transport.build()))
    }
}

/// Whether a host name is local.
fn is_here(host: &str) -> bool {
    host == "localhost" || host.parse::<IpAddr>().is_ok_and(|address| address.is_loopback())
}

/// Whether a retry of this mail is hopeless: it is refused permanently (RFC 5321, section 4.2.1), but not for
/// authentication (RFC 4954, section 6).
fn is_final(error: &smtp::Error) -> bool {
    let code = error.status().map(|code| code.to_string()).unwrap_or_default();
    error.is_client() || (error.is_permanent() && !["530", "534", "535", "538"].contains(&code.as_str()))
}

/// Without the server's words: they may name the address.
fn failure(error: &smtp::Error) -> Error {
    let kind = match error.status() {
        Some(code) => format!("the mail server answered {code}"),
        None if error.is_timeout() => "the mail server did not answer in time".to_owned(),
        None if error.is_tls() => "no encrypted connection to the mail server".to_owned(),
        None => "the mail server cannot be talked to".to_owned(),
    };
    Error::Unavailable(Cause::text(kind))
}

impl fmt::Debug for Smtp {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Smtp").field("host", &self.host).field("port", &self.port).finish_non_exhaustive()
    }
}
