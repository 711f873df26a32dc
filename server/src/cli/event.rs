//! `event`: a request as API Gateway sends it to a Lambda function.

use std::error::Error;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use chrono::Utc;
use clap::Args;
use clap::builder::PossibleValuesParser;

use crate::events::{self, EventDraft};
use crate::gateway::LARGEST_EVENT;

/// Print the event that API Gateway sends to a function for a request
///
/// The events of the API need --token and then get the answer that the request would get. Those of
/// the console (web-…) carry no session.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  pdf-analysis event user-show --token pdfa_… | sam local invoke UserFunction -e -
  pdf-analysis event pdf-analyze --token pdfa_… --file document.pdf | sam local invoke PdfFunction -e -
  pdf-analysis event pdf-show --token pdfa_… --id 00000000-0001-8614-bd98-f44607e6fa02")]
pub(super) struct EventCommand {
    /// The request: function and action
    #[arg(value_name = "NAME", value_parser = PossibleValuesParser::new(events::names()))]
    name: String,
    /// The API token to call with
    #[arg(long)]
    token: Option<String>,
    /// The file to analyze (pdf-analyze, else a small PDF) or to announce (pdf-stage)
    #[arg(long)]
    file: Option<PathBuf>,
    /// The id to ask for (pdf-show: an analysis, tokens-revoke: a token)
    #[arg(long)]
    id: Option<String>,
}

impl EventCommand {
    /// Prints the event on one line.
    pub(super) fn run(self) -> Result<(), Box<dyn Error>> {
        let Self { name, token, file, id } = self;
        let mut draft = EventDraft::new(&name, Utc::now()).ok_or("there is no such event")?;
        match token {
            Some(token) => draft.authorize(&token).map_err(|_| format!("{name} takes no --token"))?,
            None if draft.needs_token() => return Err(format!("{name} needs --token TOKEN, an API token").into()),
            None => {}
        }
        if let Some(file) = file {
            let bytes = std::fs::read(&file).map_err(|error| format!("{}: {error}", file.display()))?;
            draft.attach(&filename(&file), &bytes).map_err(|_| format!("{name} takes no --file"))?;
        }
        if let Some(id) = id {
            draft.address(&id).map_err(|_| format!("{name} takes no --id"))?;
        }
        let text = draft.finish().to_string();
        if text.len() > LARGEST_EVENT {
            eprintln!("warning: Lambda takes events of up to {LARGEST_EVENT} bytes, this one has {}", text.len());
        }
        match writeln!(io::stdout(), "{text}") {
            // the reader closed the pipe
            Err(error) if error.kind() != io::ErrorKind::BrokenPipe => Err(error.into()),
            _ => Ok(()),
        }
    }
}

fn filename(path: &Path) -> String {
    path.file_name().unwrap_or_default().to_string_lossy().into_owned()
}
