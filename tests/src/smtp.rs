//! A mail server (RFC 5321) for one test: it takes every mail and delivers none.

use std::net::{Ipv4Addr, SocketAddr};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use server::MailOptions;
use shared::mail::MailUrl;
use tokio::io::{AsyncBufReadExt, AsyncRead, AsyncWrite, AsyncWriteExt, BufStream};
use tokio::net::TcpListener;
use tokio::task::JoinHandle;

/// Whom the service's mails are from.
pub const FROM: &str = "PDF Analysis <pdf@example.com>";
/// Who may log in at the mail server.
pub const LOGIN: (&str, &str) = ("pdf", "canary of the mail server");

/// The behavior of the server.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Mood {
    /// It takes it.
    #[default]
    Kind,
    /// It answers this to commands that start so.
    Answering(&'static str, &'static str),
    /// It says nothing at all.
    Silent,
    /// It takes mail after so long.
    Slow(Duration),
}

/// A mail that was taken.
#[derive(Clone, Debug)]
pub struct Received {
    /// The envelope's sender.
    pub from: String,
    /// The envelope's recipients.
    pub to: Vec<String>,
    /// The mail, headers and all, as it is without the dots of the protocol.
    pub raw: String,
    /// Who logged in.
    pub login: Option<String>,
}

/// The server; it ends with this value.
#[derive(Debug)]
pub struct SmtpServer {
    address: SocketAddr,
    shared: Arc<Shared>,
    task: JoinHandle<()>,
}

#[derive(Debug, Default)]
struct Shared {
    inbox: Mutex<Vec<Received>>,
    mood: Mutex<Mood>,
    /// Commands as they came, without their arguments.
    commands: Mutex<Vec<String>>,
}

impl SmtpServer {
    /// Starts on a free port.
    pub async fn start() -> Self {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await.unwrap();
        let address = listener.local_addr().unwrap();
        let shared = Arc::new(Shared::default());
        let of_task = Arc::clone(&shared);
        let task = tokio::spawn(async move {
            while let Ok((stream, _)) = listener.accept().await {
                let shared = Arc::clone(&of_task);
                tokio::spawn(async move {
                    // a client may disconnect at any time
                    let _ = converse(BufStream::new(stream), &shared).await;
                });
            }
        });
        Self { address, shared, task }
    }

    /// Where it is, with a login.
    #[must_use]
    pub fn url(&self) -> String {
        let (user, password) = LOGIN;
        format!("smtp://{user}:{}@{}", password.replace(' ', "%20"), self.address)
    }

    /// For a service to send its mail here.
    #[must_use]
    pub fn options(&self) -> MailOptions {
        MailOptions::Server { url: MailUrl::from(self.url()), from: FROM.to_owned() }
    }

    /// Changes what it does.
    pub fn set(&self, mood: Mood) {
        *self.shared.mood.lock().unwrap() = mood;
    }

    /// The mails since the last call.
    #[must_use]
    pub fn take(&self) -> Vec<Received> {
        std::mem::take(&mut *self.shared.inbox.lock().unwrap())
    }

    /// The commands since the last call.
    #[must_use]
    pub fn commands(&self) -> Vec<String> {
        std::mem::take(&mut *self.shared.commands.lock().unwrap())
    }

    /// The next mail, which may still be on its way.
    pub async fn next(&self) -> Received {
        loop {
            let mut inbox = std::mem::take(&mut *self.shared.inbox.lock().unwrap());
            if !inbox.is_empty() {
                let next = inbox.remove(0);
                self.shared.inbox.lock().unwrap().splice(0..0, inbox);
                return next;
            }
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
    }

    /// The only mail since the last call.
    ///
    /// # Panics
    /// When there are none or more.
    #[must_use]
    pub fn only(&self) -> Received {
        let mut mails = self.take();
        assert_eq!(mails.len(), 1, "{mails:?}");
        mails.remove(0)
    }
}

impl Drop for SmtpServer {
    fn drop(&mut self) {
        self.task.abort();
    }
}

impl Received {
    /// A header's value; empty if it is not there.
    #[must_use]
    pub fn header(&self, name: &str) -> &str {
        let (head, _) = self.raw.split_once("\r\n\r\n").unwrap();
        let prefix = format!("{name}: ");
        head.lines().find_map(|line| line.strip_prefix(&prefix)).unwrap_or_default()
    }

    /// The part of this type, decoded.
    ///
    /// # Panics
    /// When there is none.
    #[must_use]
    pub fn part(&self, media_type: &str) -> String {
        let (_, rest) = self.raw.split_once(&format!("Content-Type: {media_type}")).expect("a part of this type");
        let (head, rest) = rest.split_once("\r\n\r\n").unwrap();
        let body = rest.split("\r\n--").next().unwrap();
        let encoding = head.lines().find_map(|line| line.strip_prefix("Content-Transfer-Encoding: "));
        match encoding {
            None | Some("7bit" | "8bit") => body.to_owned(),
            Some("quoted-printable") => quoted_printable(body),
            Some("base64") => String::from_utf8(STANDARD.decode(body.replace("\r\n", "")).unwrap()).unwrap(),
            Some(other) => panic!("{other}"),
        }
    }

    /// The path of the link in the text, which is the link in the HTML as well.
    ///
    /// # Panics
    /// When it has none.
    #[must_use]
    pub fn path(&self, origin: &str) -> String {
        let text = self.part("text/plain");
        let link = text.lines().find(|line| line.starts_with(&format!("{origin}/"))).expect("a link").trim().to_owned();
        assert!(self.part("text/html").contains(&format!("<a href=\"{link}\"")), "{}", self.raw);
        link[origin.len()..].to_owned()
    }
}

/// RFC 2045, section 6.7.
fn quoted_printable(text: &str) -> String {
    let mut bytes = Vec::new();
    let joined = text.replace("=\r\n", "");
    let mut rest = joined.as_bytes();
    while let [first, tail @ ..] = rest {
        match (first, tail) {
            (b'=', [high, low, tail @ ..]) => {
                let digits = String::from_utf8(vec![*high, *low]).unwrap();
                bytes.push(u8::from_str_radix(&digits, 16).unwrap());
                rest = tail;
            }
            _ => {
                bytes.push(*first);
                rest = tail;
            }
        }
    }
    String::from_utf8(bytes).unwrap()
}

/// One connection, to its end.
async fn converse<S: AsyncRead + AsyncWrite + Unpin>(mut stream: BufStream<S>, shared: &Shared) -> std::io::Result<()> {
    let mood = || shared.mood.lock().unwrap().clone();
    if mood() == Mood::Silent {
        tokio::time::sleep(Duration::from_secs(60)).await;
    }
    say(&mut stream, "220 mail.test ESMTP").await?;
    let (mut login, mut from, mut to) = (None, String::new(), Vec::new());
    while let Some(line) = line(&mut stream).await? {
        let verb = line.split([' ', ':']).next().unwrap_or_default().to_uppercase();
        shared.commands.lock().unwrap().push(verb.clone());
        match mood() {
            Mood::Answering(command, answer) if line.to_uppercase().starts_with(command) => {
                say(&mut stream, answer).await?;
                continue;
            }
            Mood::Slow(time) if verb == "DATA" => tokio::time::sleep(time).await,
            _ => {}
        }
        let answer = match verb.as_str() {
            "EHLO" => "250-mail.test\r\n250-8BITMIME\r\n250-SMTPUTF8\r\n250 AUTH PLAIN",
            "AUTH" => match plain(&line) {
                Some((user, password)) if (user.as_str(), password.as_str()) == LOGIN => {
                    login = Some(user);
                    "235 welcome"
                }
                _ => "535 who are you",
            },
            "MAIL" => {
                from = path(&line);
                "250 ok"
            }
            "RCPT" => {
                to.push(path(&line));
                "250 ok"
            }
            "DATA" => {
                say(&mut stream, "354 go on").await?;
                // a mail of a client that disconnects is discarded
                let Some(raw) = data(&mut stream).await? else { return Ok(()) };
                let received = Received {
                    from: std::mem::take(&mut from),
                    to: std::mem::take(&mut to),
                    raw,
                    login: login.clone(),
                };
                shared.inbox.lock().unwrap().push(received);
                "250 taken"
            }
            "RSET" | "NOOP" => "250 ok",
            "QUIT" => {
                say(&mut stream, "221 bye").await?;
                return Ok(());
            }
            _ => "502 what",
        };
        say(&mut stream, answer).await?;
    }
    Ok(())
}

async fn say<S: AsyncWrite + AsyncRead + Unpin>(stream: &mut BufStream<S>, answer: &str) -> std::io::Result<()> {
    stream.write_all(format!("{answer}\r\n").as_bytes()).await?;
    stream.flush().await
}

async fn line<S: AsyncRead + AsyncWrite + Unpin>(stream: &mut BufStream<S>) -> std::io::Result<Option<String>> {
    let mut line = String::new();
    let read = stream.read_line(&mut line).await?;
    Ok((read > 0).then(|| line.trim_end_matches(['\r', '\n']).to_owned()))
}

/// The lines up to a dot by itself, each without the dot that was put before it (RFC 5321, section 4.5.2); nothing without
/// that dot.
async fn data<S: AsyncRead + AsyncWrite + Unpin>(stream: &mut BufStream<S>) -> std::io::Result<Option<String>> {
    let mut lines = Vec::new();
    while let Some(line) = line(stream).await? {
        if line == "." {
            return Ok(Some(lines.join("\r\n")));
        }
        lines.push(line.strip_prefix('.').unwrap_or(&line).to_owned());
    }
    Ok(None)
}

/// User and password of `AUTH PLAIN` (RFC 4616).
fn plain(line: &str) -> Option<(String, String)> {
    let decoded = STANDARD.decode(line.split(' ').nth(2)?).ok()?;
    let text = String::from_utf8(decoded).ok()?;
    let mut parts = text.split('\0').skip(1).map(str::to_owned);
    Some((parts.next()?, parts.next()?))
}

/// The text in angle brackets.
fn path(line: &str) -> String {
    line.split_once('<').and_then(|(_, rest)| rest.split_once('>')).map_or("", |(path, _)| path).to_owned()
}
