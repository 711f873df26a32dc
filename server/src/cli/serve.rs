//! Serving, the binary's main business: its options, its start, its end.

use std::error::Error;
use std::net::SocketAddr;
use std::path::PathBuf;

use super::{demo, log, start_text};
use crate::{Options, Service};

/// How to serve.
#[derive(Debug, clap::Args)]
pub(super) struct Serve {
    /// Where to serve the API and the console
    #[arg(long, value_name = "ADDR:PORT", default_value = "127.0.0.1:3000")]
    listen: SocketAddr,

    /// The folder to keep the data in
    #[arg(long, value_name = "DIR", default_value = "data")]
    data: PathBuf,

    /// Start empty and keep nothing
    #[arg(long, conflicts_with = "data")]
    fresh: bool,

    /// Apply the size and time limits of API Gateway and Lambda
    #[arg(long)]
    cloud_limits: bool,

    /// Where the embedded DynamoDB listens; port 0 takes any free one
    #[arg(long, value_name = "ADDR:PORT", default_value = "127.0.0.1:8000")]
    dynamodb_listen: SocketAddr,

    /// Where the embedded S3 listens; port 0 takes any free one
    #[arg(long, value_name = "ADDR:PORT", default_value = "127.0.0.1:9000")]
    s3_listen: SocketAddr,
}

impl From<Serve> for Options {
    fn from(serve: Serve) -> Self {
        Self {
            listen: serve.listen,
            data: (!serve.fresh).then_some(serve.data),
            dynamodb_listen: serve.dynamodb_listen,
            s3_listen: serve.s3_listen,
            cloud_limits: serve.cloud_limits,
            ..Self::default()
        }
    }
}

impl Serve {
    /// Serves until Ctrl-C or SIGTERM.
    #[tokio::main]
    pub(super) async fn run(self) -> Result<(), Box<dyn Error>> {
        log::start();
        let service = Service::start(self.into()).await?;
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
