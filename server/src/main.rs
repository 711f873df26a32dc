//! The binary: command line, log, start text, signals.

mod cli;
mod demo;
mod inspect;
mod start_text;

use std::process::ExitCode;

use clap::Parser;
use server::template::{self, Template};
use server::{Options, Service};
use tracing_subscriber::EnvFilter;

use cli::{Cli, Command};

fn main() -> ExitCode {
    let cli = Cli::parse();
    if let Some(Command::Inspect(inspect)) = cli.command {
        return inspect.run();
    }
    log();
    match serve(cli.serve.into()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::FAILURE
        }
    }
}

#[tokio::main]
async fn serve(options: Options) -> Result<(), Box<dyn std::error::Error>> {
    let service = Service::start(options).await?;
    let token = if service.first_start() && service.address().ip().is_loopback() {
        Some(demo::create(&service).await?)
    } else {
        None
    };
    start_text::print(&service, token.as_deref());
    stopped().await?;
    tracing::info!("stopping; once more to stop at once");
    tokio::select! {
        () = service.shutdown() => Ok(()),
        stopped = stopped() => Ok(stopped?),
    }
}

/// Waits for Ctrl-C or SIGTERM.
async fn stopped() -> std::io::Result<()> {
    #[cfg(unix)]
    {
        use tokio::signal::unix::{SignalKind, signal};
        let mut terminated = signal(SignalKind::terminate())?;
        tokio::select! {
            interrupted = tokio::signal::ctrl_c() => interrupted,
            _ = terminated.recv() => Ok(()),
        }
    }
    #[cfg(not(unix))]
    tokio::signal::ctrl_c().await
}

/// Logs to stderr, at `RUST_LOG` or the template's `LOG_LEVEL`.
fn log() {
    let filter = EnvFilter::try_from_default_env().unwrap_or_else(|_| {
        let template = Template::parse(template::TEXT).ok();
        let functions = template.map(|template| template.functions).unwrap_or_default();
        let level = functions.iter().find_map(|function| function.environment.get("LOG_LEVEL"));
        let level = level.map_or("info", String::as_str);
        // s3s-fs notes every request down with all its headers, dynoxide every condition that fails.
        EnvFilter::new(format!("{level},dynoxide=error,s3s=off,s3s_fs=off"))
    });
    tracing_subscriber::fmt().with_env_filter(filter).with_writer(std::io::stderr).init();
    // In the log rather than beside it, with the request id of the span it happened in.
    std::panic::set_hook(Box::new(|panic| tracing::error!("{panic}")));
}
