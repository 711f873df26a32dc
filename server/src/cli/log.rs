//! The log of the one process: for people who watch it in a terminal, or for programs.

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

/// What the log is written in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum LogFormat {
    /// One short line a request, for people.
    Text,
    /// A JSON object a line, for programs.
    Json,
}

impl LogFormat {
    /// What fits whatever reads standard output.
    pub(super) fn of_output() -> Self {
        if io::stdout().is_terminal() { Self::Text } else { Self::Json }
    }
}

/// Logs to stderr, at `RUST_LOG` or the template's `LOG_LEVEL`, and says where requests are to be noted: there too, at the
/// level `info`. As JSON they go to standard output instead where CloudWatch is to find the metrics of a `namespace` in them.
pub(super) fn start(form: LogFormat, namespace: Option<String>) -> Journal {
    let filter = filter(&levels());
    let requests = filter.would_enable(module_path!(), &Level::INFO);
    let lines = tracing_subscriber::fmt::layer().with_writer(io::stderr);
    let lines = match form {
        LogFormat::Text => lines.boxed(),
        LogFormat::Json => lines.json().boxed(),
    };
    tracing_subscriber::registry().with(lines).with(filter).init();
    // In the log rather than beside it, with the request id of the span it happened in.
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
        // dynoxide notes every condition that fails
        format!("{level},dynoxide=error")
    })
}

/// A closed stderr is no reason to stop serving.
fn write(line: &str) {
    let _ = writeln!(io::stderr().lock(), "{line}");
}
