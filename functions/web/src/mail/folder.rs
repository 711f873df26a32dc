//! Mail for trials: each in a file that mail programs open, its link on the terminal.

use std::io::Write;
use std::path::{Path, PathBuf};

use chrono::{DateTime, Utc};
use lettre::Message;
use lettre::message::Mailbox;
use shared::error::{Cause, Error};
use uuid::Uuid;

use super::{MailError, RenderedEmail};

/// A folder of mails.
#[derive(Debug)]
pub(super) struct MailFolder {
    pub(super) from: Mailbox,
    path: PathBuf,
}

const FROM: &str = "PDF Analysis <pdf-analysis@localhost.localdomain>";

impl MailFolder {
    pub(super) fn new(path: &Path) -> Result<Self, MailError> {
        let from = FROM.parse().map_err(|_| MailError::From(FROM.to_owned()))?;
        Ok(Self { from, path: path.to_owned() })
    }

    /// Writes the mail to a file and prints its link.
    pub(super) async fn keep(
        &self,
        mail: &Message,
        to: &str,
        email: &RenderedEmail<'_>,
        now: DateTime<Utc>,
    ) -> Result<(), Error> {
        let (folder, content) = (self.path.clone(), mail.formatted());
        let path = folder.join(format!("{}-{}.eml", now.format("%Y%m%dT%H%M%SZ"), Uuid::new_v4().simple()));
        let said = format!(
            "\nMail to {to}: {}\n{}  in {}\n",
            email.subject,
            email.address().map(|address| format!("  {address}\n")).unwrap_or_default(),
            path.display()
        );
        let written = tokio::task::spawn_blocking(move || {
            std::fs::create_dir_all(folder)?;
            std::fs::write(path, content)
        });
        written.await.map_err(|error| unavailable(&error))?.map_err(|error| unavailable(&error))?;
        // a closed standard output is not an error
        let _ = std::io::stdout().lock().write_all(said.as_bytes());
        Ok(())
    }
}

fn unavailable(error: &(dyn std::error::Error + 'static)) -> Error {
    Error::Unavailable(Cause::of(error))
}
