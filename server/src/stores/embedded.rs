//! DynamoDB and S3 as real servers inside this process, on loopback addresses.

pub(crate) mod access;
pub(crate) mod data;
pub(crate) mod dynamodb;
pub(crate) mod host;
pub(crate) mod s3;
mod sweeper;
pub(crate) mod ticket_key;

use std::sync::Arc;

use aws_smithy_runtime_api::client::http::{SharedHttpClient, http_client_fn};
use shared::clock::Clock;
use shared::disk_space::DiskSpace;
use tokio::task::JoinSet;

use crate::options::Containers;
use crate::stores::clients::Builders;
use crate::stores::listen::StoreListeners;
use crate::template::Template;
use access::endpoint;
use data::{Data, DataError};
use dynamodb::{Dynamodb, DynamodbError};
use host::HostNames;
use s3::{Passage, S3, S3Error};
use sweeper::Sweeper;
use ticket_key::TicketKey;

/// The embedded stores did not start.
#[derive(Debug, thiserror::Error)]
pub(crate) enum EmbeddedError {
    #[error(transparent)]
    Data(#[from] DataError),
    #[error("the embedded DynamoDB did not start: {0}")]
    Dynamodb(#[from] DynamodbError),
    #[error("the embedded S3 did not start: {0}")]
    S3(#[from] S3Error),
}

/// The running stores and their sweeper.
pub struct Embedded {
    first_start: bool,
    containers: Option<Containers>,
    sweeper: Sweeper,
    sweeping: JoinSet<()>,
    s3: S3,
    ticket_key: TicketKey,
    dynamodb: Dynamodb,
    // Last, so that a temporary folder is deleted after its users.
    data: Data,
}

impl Embedded {
    /// Starts both stores on `data`, with the template's table and bucket.
    pub(crate) fn start(
        listeners: StoreListeners,
        containers: Option<Containers>,
        data: Data,
        template: &Template,
        clock: Clock,
        disk_space: &DiskSpace,
    ) -> Result<Self, EmbeddedError> {
        let file = data.database();
        let first_start = file.as_ref().is_none_or(|file| !file.exists());
        let names = HostNames(containers);
        let dynamodb =
            Dynamodb::start(listeners.dynamodb, file.as_deref(), &template.table, names, disk_space.clone())?;
        let ticket_key = data.ticket_key()?;
        let s3 = S3::start(listeners.s3, &data.s3(), &template.bucket, &ticket_key, names, disk_space.clone())?;
        data.announce(dynamodb.address, s3.address)?;
        let sweeper = Sweeper {
            store: dynamodb.store(),
            table: (template.table.name.clone(), template.table.ttl_attribute.clone()),
            s3: builders(&dynamodb, &s3, &ticket_key, |direct| direct).build().s3,
            bucket: template.bucket.clone(),
            clock,
        };
        // A set, because it aborts its task when dropped.
        let mut sweeping = JoinSet::new();
        sweeping.spawn(sweeper.clone().run());
        Ok(Self { first_start, containers, sweeper, sweeping, s3, ticket_key, dynamodb, data })
    }

    /// DynamoDB's endpoint URL.
    #[must_use]
    pub fn dynamodb_endpoint(&self) -> String {
        endpoint(self.dynamodb.address)
    }

    /// S3's endpoint URL.
    #[must_use]
    pub fn s3_endpoint(&self) -> String {
        endpoint(self.s3.address)
    }

    /// The containers that are served as well.
    #[must_use]
    pub fn containers(&self) -> Option<Containers> {
        self.containers
    }

    /// The ports of DynamoDB and S3.
    #[must_use]
    pub fn ports(&self) -> (u16, u16) {
        (self.dynamodb.address.port(), self.s3.address.port())
    }

    /// Whether the data folder had no database before this start.
    #[must_use]
    pub fn first_start(&self) -> bool {
        self.first_start
    }

    /// Clients of these stores, over the in-process transport or `wire` around it.
    pub(crate) fn builders(&self, wire: impl Fn(SharedHttpClient) -> SharedHttpClient) -> Builders {
        builders(&self.dynamodb, &self.s3, &self.ticket_key, wire)
    }

    /// The forwarder of uploads from the service's origin to the bucket.
    pub(crate) fn passage(&self) -> Arc<Passage> {
        self.s3.passage()
    }

    /// Deletes expired items and objects now; a timer does it as well.
    pub(crate) async fn sweep(&self) {
        self.sweeper.sweep().await;
    }

    /// Ends the timer.
    pub(crate) async fn stop_sweeping(&mut self) {
        self.sweeping.shutdown().await;
    }

    /// Closes the stores.
    pub(crate) async fn stop(self) {
        self.s3.stop().await;
        drop(self.sweeper);
        drop(self.sweeping);
        self.dynamodb.stop().await;
        drop(self.data);
    }
}

fn builders(
    dynamodb: &Dynamodb,
    s3: &S3,
    key: &TicketKey,
    wire: impl Fn(SharedHttpClient) -> SharedHttpClient,
) -> Builders {
    let (to_dynamodb, to_s3) = (dynamodb.connector(), s3.connector());
    let to_dynamodb = wire(http_client_fn(move |_, _| to_dynamodb.clone()));
    let to_s3 = wire(http_client_fn(move |_, _| to_s3.clone()));
    Builders { dynamodb: access::dynamodb(dynamodb.address, to_dynamodb), s3: access::s3(s3.shared, key, to_s3) }
}
