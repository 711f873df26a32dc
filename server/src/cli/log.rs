//! The log of the process: for people in a terminal, or for programs.

mod line;

use std::io::{self, IsTerminal, Write};

use clap::ValueEnum;
use shared::journal::{Journal, JournalEntry};
use shared::runtime::filter;
use tracing::Level;
use tracing_subscriber::Layer;
use tracing_subscriber::layer::SubscriberExt;
use tracing_subscriber::util::SubscriberInitExt;

use crate::template::{self, Template};

/// The format of the log.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum LogFormat {
    /// One short line a request, for people.
    Text,
    /// A JSON object a line, for programs.
    Json,
}

impl LogFormat {
    /// The default for standard output.
    pub(super) fn of_output() -> Self {
        if io::stdout().is_terminal() { Self::Text } else { Self::Json }
    }
}

/// Logs to stderr, at `RUST_LOG` or the template's `LOG_LEVEL`, and returns the journal: to the log at level `info`, or
/// as JSON to standard output with CloudWatch metrics of a `namespace`.
pub(super) fn start(form: LogFormat, namespace: Option<String>) -> Journal {
    let filter = filter(&levels());
    let requests = filter.would_enable(module_path!(), &Level::INFO);
    let lines = tracing_subscriber::fmt::layer().with_writer(io::stderr);
    let lines = match form {
        LogFormat::Text => lines.boxed(),
        LogFormat::Json => lines.json().boxed(),
    };
    tracing_subscriber::registry().with(lines).with(filter).init();
    // in the log, with the request id of its span
    std::panic::set_hook(Box::new(|panic| tracing::error!("{panic}")));
    match (form, namespace) {
        (LogFormat::Json, Some(namespace)) => Journal::cloudwatch(namespace),
        _ if !requests => Journal::new(|_| ()),
        (LogFormat::Json, None) => Journal::new(|entry| write(&serde_json::to_string(entry).unwrap_or_default())),
        (LogFormat::Text, _) => Journal::new(|entry: &JournalEntry| write(&line::of(entry))),
    }
}

fn levels() -> String {
    std::env::var("RUST_LOG").unwrap_or_else(|_| {
        let template = Template::parse(template::TEXT).ok();
        let functions = template.map(|template| template.functions).unwrap_or_default();
        let level = functions.iter().find_map(|function| function.environment.get("LOG_LEVEL"));
        let level = level.map_or("info", String::as_str);
        // dynoxide logs every failed condition
        format!("{level},dynoxide=error")
    })
}

/// A closed stderr does not stop the service.
fn write(line: &str) {
    let _ = writeln!(io::stderr().lock(), "{line}");
}
