//! A running service: where it is reached, what its functions were given, and its end.

mod start;

use std::collections::HashMap;
use std::net::SocketAddr;
use std::time::Duration;

use shared::platform::Platform;
use tokio::sync::mpsc;
use tokio::task::JoinSet;

use crate::data::Data;
use crate::embedded::clients::{self, Clients};
use crate::embedded::dynamodb::Dynamodb;
use crate::embedded::s3::S3;
use crate::serve::Server;
use crate::sweeper::Sweeper;
use crate::template::Template;

pub use start::StartError;

/// How long invocations that run at the stop may take to finish; Lambda's limit of 28 s and a little.
const GRACE: Duration = Duration::from_secs(30);

/// A running service. Dropping it ends it abruptly; `shutdown` lets what runs finish.
pub struct Service {
    address: SocketAddr,
    first_start: bool,
    template: Template,
    platforms: HashMap<String, Platform>,
    clients: Clients,
    sweeper: Sweeper,
    sweeping: JoinSet<()>,
    gateway: Server,
    ended: mpsc::Receiver<()>,
    s3: S3,
    dynamodb: Dynamodb,
    // Last, so that a temporary folder outlives what uses it.
    data: Data,
}

impl Service {
    /// Where the API and the console are served.
    #[must_use]
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// The console's address, without a slash at its end: `http://127.0.0.1:3000`.
    #[must_use]
    pub fn origin(&self) -> String {
        clients::endpoint(self.address)
    }

    /// The endpoint URL of the embedded DynamoDB.
    #[must_use]
    pub fn dynamodb_endpoint(&self) -> String {
        clients::endpoint(self.dynamodb.address)
    }

    /// The endpoint URL of the embedded S3.
    #[must_use]
    pub fn s3_endpoint(&self) -> String {
        clients::endpoint(self.s3.address)
    }

    /// A DynamoDB client beside the functions': no customization applies to it.
    #[must_use]
    pub fn dynamodb(&self) -> &aws_sdk_dynamodb::Client {
        &self.clients.dynamodb
    }

    /// An S3 client beside the functions': no customization applies to it.
    #[must_use]
    pub fn s3(&self) -> &aws_sdk_s3::Client {
        &self.clients.s3
    }

    /// What a function was given, by its logical id in the template.
    #[must_use]
    pub fn platform(&self, function: &str) -> Option<&Platform> {
        self.platforms.get(function)
    }

    /// The template the service was started from.
    #[must_use]
    pub fn template(&self) -> &Template {
        &self.template
    }

    /// Whether the data folder held no database before this start.
    #[must_use]
    pub fn first_start(&self) -> bool {
        self.first_start
    }

    /// Deletes now what time to live and lifecycle rules say; a timer does it as well.
    pub async fn sweep(&self) {
        self.sweeper.sweep().await;
    }

    /// Stops taking requests, lets running ones finish and closes the stores.
    pub async fn shutdown(mut self) {
        self.sweeping.shutdown().await;
        self.gateway.stop().await;
        if tokio::time::timeout(GRACE, self.ended.recv()).await.is_err() {
            tracing::warn!("an invocation did not end in time");
        }
        self.s3.stop().await;
        drop(self.sweeper);
        self.dynamodb.stop().await;
        drop(self.data);
    }
}
