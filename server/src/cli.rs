//! The command line.

mod account;
mod accounts;
mod anchors;
mod bridge;
mod demo;
mod event;
mod evidence;
mod inspect;
mod log;
mod mcp;
mod serve;
mod start_text;
mod trust;

use std::process::ExitCode;

use clap::{Parser, Subcommand};

use account::AccountCommand;
use event::EventCommand;
use evidence::Evidence;
use inspect::Inspect;
use mcp::Mcp;
use serve::Serve;
use trust::TrustCommand;

/// Runs the PDF Analysis Service on this machine: API, web console, DynamoDB and S3 in one process.
#[derive(Debug, Parser)]
#[command(name = "pdf-analysis", version, args_conflicts_with_subcommands = true)]
struct Cli {
    #[command(flatten)]
    serve: Serve,
    /// What to do instead of serving
    #[command(subcommand)]
    command: Option<Command>,
}

/// What the binary does beside serving.
#[derive(Debug, Subcommand)]
enum Command {
    Account(AccountCommand),
    Event(EventCommand),
    Evidence(Evidence),
    Inspect(Inspect),
    Mcp(Mcp),
    Trust(TrustCommand),
}

/// Runs the command. Errors are printed to standard error.
#[must_use]
pub fn main() -> ExitCode {
    let cli = Cli::parse();
    let done = match cli.command {
        Some(Command::Inspect(inspect)) => return inspect.run(),
        Some(Command::Mcp(mcp)) => mcp.run(),
        Some(Command::Trust(trust)) => trust.run(),
        Some(Command::Account(account)) => account.run(),
        Some(Command::Event(event)) => event.run(),
        Some(Command::Evidence(evidence)) => evidence.run(),
        None => cli.serve.run(),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::FAILURE
        }
    }
}
