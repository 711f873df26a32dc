//! The command line.

use std::net::SocketAddr;
use std::path::PathBuf;

use clap::{Parser, Subcommand};
use server::Options;

use crate::inspect::Inspect;

/// Runs the PDF Analysis Service on this machine: API, web console, DynamoDB and S3 in one process.
#[derive(Debug, Parser)]
#[command(version, args_conflicts_with_subcommands = true)]
pub(crate) struct Cli {
    #[command(flatten)]
    pub(crate) serve: Serve,
    /// What to do instead of serving
    #[command(subcommand)]
    pub(crate) command: Option<Command>,
}

/// What the binary does beside serving.
#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    Inspect(Inspect),
}

/// How to serve.
#[derive(Debug, clap::Args)]
pub(crate) struct Serve {
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
