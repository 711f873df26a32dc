//! A running service: its addresses, the platforms of its functions, and its shutdown.

mod start;

use std::collections::HashMap;
use std::net::SocketAddr;
use std::time::Duration;

use shared::platform::{Config, Platform};
use tokio::sync::mpsc;
use tokio::task::JoinSet;

use crate::http::HttpServer;
use crate::stores::clients::Clients;
use crate::stores::embedded::{Embedded, access::endpoint};
use crate::template::Template;

pub use start::StartError;

/// Time limit of running invocations at the stop: slightly more than Lambda's 28 s.
const GRACE: Duration = Duration::from_secs(30);

/// A running service. Dropping it ends it abruptly; `shutdown` lets running requests finish.
pub struct Service {
    address: SocketAddr,
    template: Template,
    platforms: HashMap<String, Platform>,
    clients: Clients,
    gateway: HttpServer,
    metrics: Option<(SocketAddr, HttpServer)>,
    ended: mpsc::Receiver<()>,
    /// The task that sends mails; ends with the service.
    mails: JoinSet<()>,
    embedded: Option<Embedded>,
}

impl Service {
    /// The address of the API and the console.
    #[must_use]
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// The console's address, without a slash at its end: `http://127.0.0.1:3000`.
    #[must_use]
    pub fn origin(&self) -> String {
        endpoint(self.address)
    }

    /// The address of the metrics, if served.
    #[must_use]
    pub fn metrics(&self) -> Option<String> {
        self.metrics.as_ref().map(|(address, _)| format!("{}/metrics", endpoint(*address)))
    }

    /// The embedded stores; `None` with AWS's.
    #[must_use]
    pub fn embedded(&self) -> Option<&Embedded> {
        self.embedded.as_ref()
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

    /// The platform of a function, by its logical id in the template.
    #[must_use]
    pub fn platform(&self, function: &str) -> Option<&Platform> {
        self.platforms.get(function)
    }

    /// Table, bucket and limits, which all functions share.
    #[must_use]
    pub fn config(&self) -> Option<&Config> {
        self.platforms.values().next().map(|platform| &platform.config)
    }

    /// The template the service was started from, with the names of its table and bucket.
    #[must_use]
    pub fn template(&self) -> &Template {
        &self.template
    }

    /// Deletes expired items and objects now; a timer does it as well. AWS does it itself.
    pub async fn sweep(&self) {
        if let Some(embedded) = &self.embedded {
            embedded.sweep().await;
        }
    }

    /// Stops taking requests, lets running ones finish and closes the stores.
    pub async fn shutdown(mut self) {
        if let Some(embedded) = &mut self.embedded {
            embedded.stop_sweeping().await;
        }
        self.gateway.stop().await;
        if tokio::time::timeout(GRACE, self.ended.recv()).await.is_err() {
            tracing::warn!("an invocation did not end in time");
        }
        self.mails.shutdown().await;
        if let Some((_, metrics)) = self.metrics {
            metrics.stop().await;
        }
        if let Some(embedded) = self.embedded {
            embedded.stop().await;
        }
    }
}
