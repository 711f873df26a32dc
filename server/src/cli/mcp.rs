//! `mcp`: the extraction engine as a tool for agents on this machine, by the Model Context Protocol on standard input and
//! output. No account, no network, and nothing outside one folder.

mod folder;
mod inspect;
mod lines;

use std::io::{self, BufRead, Write};
use std::path::PathBuf;

use ::mcp::protocol::{Dispatch, Message, RpcCode, RpcError, Server};
use ::mcp::report::HiddenWords;
use clap::Args;
use engine::Anchor;
use serde_json::Value;

use super::anchors::Trusted;
use folder::RootFolder;
use lines::{InputLine, Lines, TOO_LONG};

/// Let an agent inspect the PDF files of one folder, by the Model Context Protocol on standard input and output
#[derive(Debug, Args)]
pub(super) struct Mcp {
    /// The folder; nothing outside it is read
    #[arg(long, value_name = "DIR")]
    root: PathBuf,
    /// Also report words that pages hide or no longer show, such as what was changed: for your own agent
    #[arg(long)]
    with_hidden_words: bool,
    #[command(flatten)]
    trusted: Trusted,
}

/// The state of the tools.
struct ToolState {
    folder: RootFolder,
    anchors: Vec<Anchor>,
    words: HiddenWords,
}

impl Mcp {
    /// Answers requests until standard input ends.
    ///
    /// # Errors
    /// A sentence, if the folder cannot be opened or standard input or output fails.
    pub(super) fn run(&self) -> Result<(), Box<dyn std::error::Error>> {
        let folder = RootFolder::open(&self.root)
            .map_err(|error| format!("the folder {} cannot be opened: {error}", self.root.display()))?;
        let anchors = self.trusted.anchors()?;
        let words = HiddenWords::reported_if(self.with_hidden_words);
        let desk = ToolState { folder, anchors, words };
        match serve(&desk, io::stdin().lock(), &mut io::stdout().lock()) {
            // the reader closed the pipe
            Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(()),
            done => Ok(done?),
        }
    }
}

/// Answers line by line, one request at a time, so that a canceled request has been answered already.
fn serve(desk: &ToolState, input: impl BufRead, output: &mut impl Write) -> io::Result<()> {
    let server = inspect::server();
    let mut lines = Lines::of(input);
    while let Some(line) = lines.next()? {
        let answer = match line {
            InputLine::TooLong => Some(RpcError::new(RpcCode::InvalidRequest, TOO_LONG).message()),
            InputLine::Whole(bytes) => answer(&server, desk, bytes),
        };
        if let Some(answer) = answer {
            writeln!(output, "{answer}")?;
            output.flush()?;
        }
    }
    Ok(())
}

/// The answer to a message; `None` for a notification.
fn answer(server: &Server, desk: &ToolState, bytes: &[u8]) -> Option<Value> {
    let request = match Message::read(bytes) {
        Ok(Message::Request(request)) => request,
        Ok(Message::Notice) => return None,
        Err(refusal) => return Some(refusal.message()),
    };
    Some(match server.ask(&request) {
        Ok(Dispatch::Answered(answer)) => answer,
        Ok(Dispatch::Call(tool, arguments)) => server.answer(&request, inspect::call(desk, tool, &arguments).into()),
        Err(refusal) => refusal.message(),
    })
}
